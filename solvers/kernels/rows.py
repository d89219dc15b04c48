"""Sums of chosen rows of a table, in the processor's wide registers: the first layer of a network of few inputs."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

UNITS = 32
"""Numbers in a row: four registers of eight, so that a sum never leaves them."""

_FLOATS = ir.VectorType(ir.FloatType(), UNITS)
_PLACE = ir.IntType(64)


def _row(context: Any, builder: Any, kind: Any, array: Any, number: Any) -> Any:
    """Where row `number` of a contiguous array stands."""
    data = context.make_array(kind)(context, builder, array).data
    first = builder.mul(number, ir.Constant(_PLACE, UNITS))
    return builder.bitcast(builder.gep(data, [first]), _FLOATS.as_pointer())


def _chosen(context: Any, builder: Any, kind: Any, array: Any, at: Any) -> Any:
    """Entry `at` of an array of row numbers."""
    data = context.make_array(kind)(context, builder, array).data
    return builder.sext(builder.load(builder.gep(data, [at])), _PLACE)


def _sum_rows(context: Any, table: Any, chosen: Any, count: Any, total: Any) -> Any:
    """Writes to ``total: float32[UNITS]`` the sum of the first `count` rows named in ``chosen: int32[n]``.

    table: float32[rows, UNITS].
    """

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kinds = signature.args
        held = cgutils.alloca_once(builder, _FLOATS)  # type: ignore[no-untyped-call]
        builder.store(ir.Constant(_FLOATS, [0.0] * UNITS), held)
        with cgutils.for_range(builder, args[2]) as loop:
            number = _chosen(context, builder, kinds[1], args[1], loop.index)
            row = builder.load(_row(context, builder, kinds[0], args[0], number), align=4)
            builder.store(builder.fadd(builder.load(held), row), held)
        place = _row(context, builder, kinds[3], args[3], ir.Constant(_PLACE, 0))
        builder.store(builder.load(held), place, align=4)
        return context.get_dummy_value()

    return types.void(table, chosen, types.int64, total), build


def _exchange_rows(
    context: Any, table: Any, added: Any, more: Any, taken: Any, less: Any, before: Any, total: Any
) -> Any:
    """Writes to `total` the sum `before`, plus the first `more` rows named in `added`, less `less` in `taken`.

    The arrays are as in `sum_rows`.
    """

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kinds, start = signature.args, ir.Constant(_PLACE, 0)
        held = cgutils.alloca_once(builder, _FLOATS)  # type: ignore[no-untyped-call]
        builder.store(builder.load(_row(context, builder, kinds[5], args[5], start), align=4), held)
        for names, count, work in ((1, 2, builder.fadd), (3, 4, builder.fsub)):
            with cgutils.for_range(builder, args[count]) as loop:
                number = _chosen(context, builder, kinds[names], args[names], loop.index)
                row = builder.load(_row(context, builder, kinds[0], args[0], number), align=4)
                builder.store(work(builder.load(held), row), held)
        place = _row(context, builder, kinds[6], args[6], start)
        builder.store(builder.load(held), place, align=4)
        return context.get_dummy_value()

    return types.void(table, added, types.int64, taken, types.int64, before, total), build


def _add_to_rows(context: Any, table: Any, chosen: Any, count: Any, added: Any) -> Any:
    """Adds ``added: float32[UNITS]`` to each of the first `count` rows named in ``chosen: int32[n]``."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kinds = signature.args
        added = builder.load(_row(context, builder, kinds[3], args[3], ir.Constant(_PLACE, 0)), align=4)
        with cgutils.for_range(builder, args[2]) as loop:
            number = _chosen(context, builder, kinds[1], args[1], loop.index)
            place = _row(context, builder, kinds[0], args[0], number)
            builder.store(builder.fadd(builder.load(place, align=4), added), place, align=4)
        return context.get_dummy_value()

    return types.void(table, chosen, types.int64, added), build


def _weigh_row(context: Any, hidden: Any, table: Any, number: Any) -> Any:
    """The sum of what is above 0 in ``hidden: float32[UNITS]``, times row `number` of ``table: float32[n, UNITS + 1]``.

    And what stands behind it in that row.
    """

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kinds, start = signature.args, ir.Constant(_PLACE, 0)
        units = builder.load(_row(context, builder, kinds[0], args[0], start), align=4)
        none = ir.Constant(_FLOATS, [0.0] * UNITS)
        above = builder.select(builder.fcmp_ordered(">", units, none), units, none)
        data = context.make_array(kinds[1])(context, builder, args[1]).data
        first = builder.gep(data, [builder.mul(args[2], ir.Constant(_PLACE, UNITS + 1))])
        weights = builder.load(builder.bitcast(first, _FLOATS.as_pointer()), align=4)
        last = builder.load(builder.gep(first, [ir.Constant(_PLACE, UNITS)]))
        products = builder.fmul(above, weights)
        kind = ir.FunctionType(ir.FloatType(), [ir.FloatType(), _FLOATS])
        insert: Any = cgutils.get_or_insert_function
        reduce = insert(builder.module, kind, f"llvm.vector.reduce.fadd.v{UNITS}f32")
        total = builder.call(reduce, [last, products], fastmath=("reassoc",))
        return builder.fpext(total, ir.DoubleType())

    return types.float64(hidden, table, types.int64), build


sum_rows: Any = intrinsic(_sum_rows)
exchange_rows: Any = intrinsic(_exchange_rows)
add_to_rows: Any = intrinsic(_add_to_rows)
weigh_row: Any = intrinsic(_weigh_row)
