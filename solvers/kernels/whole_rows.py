"""Sums of chosen rows of whole numbers, in the processor's wide registers: the first layer of a network of few inputs.

As `solvers.kernels.rows`, for weights in 16 bits.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

UNITS = 32
"""Numbers in a row: two registers of sixteen, so that a sum never leaves them."""

_SHORTS, _PRODUCTS = ir.VectorType(ir.IntType(16), UNITS), ir.VectorType(ir.IntType(32), UNITS)
_PLACE = ir.IntType(64)


def _row(context: Any, builder: Any, kind: Any, array: Any, number: Any) -> Any:
    """Where row `number` of a contiguous array stands."""
    data = context.make_array(kind)(context, builder, array).data
    first = builder.mul(number, ir.Constant(_PLACE, UNITS))
    return builder.bitcast(builder.gep(data, [first]), _SHORTS.as_pointer())


def _revise_row(context: Any, table: Any, added: Any, more: Any, taken: Any, less: Any, sums: Any, number: Any) -> Any:
    """Adds the first `more` rows named in ``added: int32[n]`` to row `number` of ``sums: int16[n, UNITS]``.

    The first `less` in `taken` are taken away.  table: int16[rows, UNITS].
    """

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kinds = signature.args
        held = cgutils.alloca_once(builder, _SHORTS)  # type: ignore[no-untyped-call]
        place = _row(context, builder, kinds[5], args[5], args[6])
        builder.store(builder.load(place, align=2), held)
        for names, count, work in ((1, 2, builder.add), (3, 4, builder.sub)):
            with cgutils.for_range(builder, args[count]) as loop:
                data = context.make_array(kinds[names])(context, builder, args[names]).data
                chosen = builder.sext(builder.load(builder.gep(data, [loop.index])), _PLACE)
                row = builder.load(_row(context, builder, kinds[0], args[0], chosen), align=2)
                builder.store(work(builder.load(held), row), held)
        builder.store(builder.load(held), place, align=2)
        return context.get_dummy_value()

    return types.void(table, added, types.int64, taken, types.int64, sums, types.int64), build


def _weigh_row(context: Any, sums: Any, number: Any, weights: Any, stage: Any) -> Any:
    """The sum of what is above 0 in row `number` of ``sums: int16[n, UNITS]``, times row `stage` of `weights`."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        places = (_row(context, builder, signature.args[at], args[at], args[at + 1]) for at in (0, 2))
        sums, weights = (builder.load(place, align=2) for place in places)
        none = ir.Constant(_SHORTS, [0] * UNITS)
        active = builder.select(builder.icmp_signed(">", sums, none), sums, none)
        products = builder.mul(builder.sext(active, _PRODUCTS), builder.sext(weights, _PRODUCTS))
        insert: Any = cgutils.get_or_insert_function
        kind = ir.FunctionType(ir.IntType(32), [_PRODUCTS])
        total = builder.call(insert(builder.module, kind, f"llvm.vector.reduce.add.v{UNITS}i32"), [products])
        return builder.sext(total, _PLACE)

    return types.int64(sums, types.int64, weights, types.int64), build


revise_row: Any = intrinsic(_revise_row)
weigh_row: Any = intrinsic(_weigh_row)
