"""Sums of chosen rows of a table, in the processor's wide registers: the first layer of a network of few inputs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

BLOCK = 32
"""Numbers that are summed at once: four registers of eight, so that a sum never leaves them. Rows are whole blocks."""

_FLOATS = ir.VectorType(ir.FloatType(), BLOCK)
_PLACE = ir.IntType(64)


@contextmanager
def _blocks(context: Any, builder: Any, kind: Any, table: Any) -> Iterator[tuple[Any, Any]]:
    """For each block of a row of a table: the first of its numbers, and how many a row has."""
    width = builder.extract_value(context.make_array(kind)(context, builder, table).shape, 1)
    with cgutils.for_range(builder, builder.sdiv(width, ir.Constant(_PLACE, BLOCK))) as loop:
        yield builder.mul(loop.index, ir.Constant(_PLACE, BLOCK)), width


def _block(context: Any, builder: Any, kind: Any, array: Any, first: Any) -> Any:
    """Where the block stands that begins with number `first` of a contiguous array."""
    data = context.make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [first]), _FLOATS.as_pointer())


def _chosen(context: Any, builder: Any, kind: Any, array: Any, at: Any) -> Any:
    """Entry `at` of an array of row numbers."""
    data = context.make_array(kind)(context, builder, array).data
    return builder.sext(builder.load(builder.gep(data, [at])), _PLACE)


def _sum_rows(context: Any, table: Any, chosen: Any, count: Any, total: Any) -> Any:
    """Writes to ``total: float32[units]`` the sum of the first `count` rows named in ``chosen: int32[n]``.

    table: float32[rows, units].
    """

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kinds = signature.args
        held = cgutils.alloca_once(builder, _FLOATS)  # type: ignore[no-untyped-call]
        with _blocks(context, builder, kinds[0], args[0]) as (first, width):
            builder.store(ir.Constant(_FLOATS, [0.0] * BLOCK), held)
            with cgutils.for_range(builder, args[2]) as loop:
                number = builder.mul(_chosen(context, builder, kinds[1], args[1], loop.index), width)
                row = builder.load(_block(context, builder, kinds[0], args[0], builder.add(number, first)), align=4)
                builder.store(builder.fadd(builder.load(held), row), held)
            builder.store(builder.load(held), _block(context, builder, kinds[3], args[3], first), align=4)
        return context.get_dummy_value()

    return types.void(table, chosen, types.int64, total), build


def _exchange_rows(
    context: Any, table: Any, added: Any, more: Any, taken: Any, less: Any, before: Any, total: Any
) -> Any:
    """Writes to `total` the sum `before`, plus the first `more` rows named in `added`, less `less` in `taken`.

    The arrays are as in `sum_rows`.
    """

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kinds = signature.args
        held = cgutils.alloca_once(builder, _FLOATS)  # type: ignore[no-untyped-call]
        with _blocks(context, builder, kinds[0], args[0]) as (first, width):
            builder.store(builder.load(_block(context, builder, kinds[5], args[5], first), align=4), held)
            for names, count, work in ((1, 2, builder.fadd), (3, 4, builder.fsub)):
                with cgutils.for_range(builder, args[count]) as loop:
                    number = builder.mul(_chosen(context, builder, kinds[names], args[names], loop.index), width)
                    row = builder.load(_block(context, builder, kinds[0], args[0], builder.add(number, first)), align=4)
                    builder.store(work(builder.load(held), row), held)
            builder.store(builder.load(held), _block(context, builder, kinds[6], args[6], first), align=4)
        return context.get_dummy_value()

    return types.void(table, added, types.int64, taken, types.int64, before, total), build


def _add_to_rows(context: Any, table: Any, chosen: Any, count: Any, added: Any) -> Any:
    """Adds ``added: float32[units]`` to each of the first `count` rows named in ``chosen: int32[n]``."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kinds = signature.args
        with _blocks(context, builder, kinds[0], args[0]) as (first, width):
            more = builder.load(_block(context, builder, kinds[3], args[3], first), align=4)
            with cgutils.for_range(builder, args[2]) as loop:
                number = builder.mul(_chosen(context, builder, kinds[1], args[1], loop.index), width)
                place = _block(context, builder, kinds[0], args[0], builder.add(number, first))
                builder.store(builder.fadd(builder.load(place, align=4), more), place, align=4)
        return context.get_dummy_value()

    return types.void(table, chosen, types.int64, added), build


def _weigh_row(context: Any, table: Any, number: Any, hidden: Any) -> Any:
    """The sum of what is above 0 in ``hidden: float32[units]``, times a row of ``table: float32[n, units + 1]``."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kinds, none = signature.args, ir.Constant(_FLOATS, [0.0] * BLOCK)
        total = cgutils.alloca_once(builder, ir.FloatType())  # type: ignore[no-untyped-call]
        builder.store(ir.Constant(ir.FloatType(), 0.0), total)
        insert: Any = cgutils.get_or_insert_function
        kind = ir.FunctionType(ir.FloatType(), [ir.FloatType(), _FLOATS])
        reduce = insert(builder.module, kind, f"llvm.vector.reduce.fadd.v{BLOCK}f32")
        with _blocks(context, builder, kinds[0], args[0]) as (first, width):
            units = builder.load(_block(context, builder, kinds[2], args[2], first), align=4)
            above = builder.select(builder.fcmp_ordered(">", units, none), units, none)
            place = builder.add(builder.mul(args[1], width), first)
            weights = builder.load(_block(context, builder, kinds[0], args[0], place), align=4)
            products = [builder.load(total), builder.fmul(above, weights)]
            builder.store(builder.call(reduce, products, fastmath=("reassoc",)), total)
        return builder.fpext(builder.load(total), ir.DoubleType())

    return types.float64(table, types.int64, hidden), build


sum_rows: Any = intrinsic(_sum_rows)
exchange_rows: Any = intrinsic(_exchange_rows)
add_to_rows: Any = intrinsic(_add_to_rows)
weigh_row: Any = intrinsic(_weigh_row)
