"""Cells of a whole board in the processor's wide registers: where a colour may go on, before or after a placement.

A board is a row of lanes, of which each holds a row of it: lane 0 is the row above the first, bit 0 the column before
the first. Lanes of 16 bits hold boards of at most 14 cells a side, lanes of 32 bits those of at most 20.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

from solvers.kernels.blokus.ways import FORMS, own_rows, rows_of_cells

LANES = {16: 16, 32: 24}
"""How many lanes of so many bits make a board."""

BARRED, ACROSS, COVERED, MASKS = range(4)
"""Of a form: the cells it bars for its own colour, those across from them, those it covers; how many masks it has."""

NO_FORM = len(FORMS)
"""Covers nothing."""


def width_of(side: int) -> int:
    """The bits of a lane for a board."""
    return 16 if side <= 14 else 32


@cache
def masks_of(width: int) -> NDArray[np.unsignedinteger[Any]]:
    """uint[92 * MASKS, 2 * lanes]: each form in the board's first row and column, below as many empty lanes."""
    lanes = LANES[width]
    masks = np.zeros(((len(FORMS) + 1) * MASKS, 2 * lanes), f"uint{width}")
    for number, form in enumerate(FORMS):
        own, cells = own_rows(form), rows_of_cells(form, 5, 0)
        for step, row in enumerate(own):
            masks[MASKS * number + BARRED, lanes + step] = row & 0xFFFFFFFF
            masks[MASKS * number + ACROSS, lanes + step] = row >> 32
        for step, row in enumerate(cells, 1):
            masks[MASKS * number + COVERED, lanes + step] = row << 1
    return masks


_PLACE = ir.IntType(64)


def _vector(kind: Any) -> Any:
    """The type of a board whose lanes are the numbers of such an array."""
    width = kind.dtype.bitwidth
    return ir.VectorType(ir.IntType(width), LANES[width])


def _at(context: Any, builder: Any, kind: Any, array: Any, first: Any) -> Any:
    """Where the board begins whose first lane is number `first` of a contiguous array."""
    data = context.make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [first]), _vector(kind).as_pointer())


def _load(context: Any, builder: Any, kind: Any, array: Any, first: Any) -> Any:
    return builder.load(_at(context, builder, kind, array, first), align=kind.dtype.bitwidth // 8)


def _times(builder: Any, number: Any, factor: int) -> Any:
    return builder.mul(number, ir.Constant(_PLACE, factor))


def _plan(
    context: Any,
    fields: Any,
    masks: Any,
    planes: Any,
    field: Any,
    barred: Any,
    across: Any,
    row: Any,
    col: Any,
    steps: Any,
    plane: Any,
) -> Any:
    """Writes two boards to ``planes: uint[n, lanes]`` from row `plane` on: what a colour may still do.

    The first marks the cells that its next piece may cover, which are at most `steps` from where it may begin. The
    second marks of those where it may begin, and of the others those that are free. fields: uint[n, lanes], in row
    `field` the cells that are free for the colour, in the next those across from its own. masks: those of `masks_of`;
    number `barred` is free no more, number `across` is across from its own, too, both moved to `row` and `col`.
    """

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kinds, vector = signature.args, _vector(signature.args[0])
        lanes, word = vector.count, vector.element
        nothing = ir.Constant(vector, [0] * lanes)
        one = ir.Constant(vector, [1] * lanes)
        picks = ir.VectorType(ir.IntType(32), lanes)
        columns = builder.insert_element(nothing, builder.trunc(args[7], word), ir.Constant(ir.IntType(32), 0))
        columns = builder.shuffle_vector(columns, nothing, ir.Constant(picks, [0] * lanes))

        def mask(number: Any) -> Any:
            first = builder.sub(_times(builder, number, 2 * lanes), args[6])
            first = builder.add(first, ir.Constant(_PLACE, lanes))
            return builder.shl(_load(context, builder, kinds[1], args[1], first), columns)

        def board(number: Any) -> Any:
            return _load(context, builder, kinds[0], args[0], _times(builder, number, lanes))

        free = builder.and_(board(args[3]), builder.not_(mask(args[4])))
        next_field = builder.add(args[3], ir.Constant(_PLACE, 1))
        begun = builder.and_(builder.or_(board(next_field), mask(args[5])), free)
        held = cgutils.alloca_once(builder, vector)  # type: ignore[no-untyped-call]
        builder.store(begun, held)
        down = ir.Constant(picks, [lanes, *range(lanes - 1)])
        up = ir.Constant(picks, [*range(1, lanes), lanes])
        with cgutils.for_range(builder, args[8]):
            near = builder.load(held)
            grown = builder.or_(builder.shl(near, one), builder.lshr(near, one))
            for picked in (down, up):
                grown = builder.or_(grown, builder.shuffle_vector(near, nothing, picked))
            builder.store(builder.and_(builder.or_(near, grown), free), held)
        near = builder.load(held)
        first = _times(builder, args[9], lanes)
        rest = builder.or_(begun, builder.and_(free, builder.not_(near)))
        for number, value in ((first, near), (builder.add(first, ir.Constant(_PLACE, lanes)), rest)):
            builder.store(value, _at(context, builder, kinds[2], args[2], number), align=word.width // 8)
        return context.get_dummy_value()

    return types.void(fields, masks, planes, *(types.int64,) * 7), build


def _differ(context: Any, planes: Any, one: Any, other: Any, changed: Any) -> Any:
    """Marks in ``changed: uint64[n]`` where four boards and four others differ, any from its counterpart.

    The ones stand in ``planes: uint[n, lanes]`` from row `one` on, the others from row `other` on.
    """

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind, vector = signature.args[0], _vector(signature.args[0])
        found = ir.Constant(vector, [0] * vector.count)
        for step in range(4):
            pair = []
            for first in args[1:3]:
                number = builder.add(first, ir.Constant(_PLACE, step))
                pair.append(_load(context, builder, kind, args[0], _times(builder, number, vector.count)))
            found = builder.or_(found, builder.xor(*pair))
        data = context.make_array(signature.args[3])(context, builder, args[3]).data
        builder.store(found, builder.bitcast(data, vector.as_pointer()), align=8)
        return context.get_dummy_value()

    return types.void(planes, types.int64, types.int64, changed), build


def _word(context: Any, planes: Any, row: Any, word: Any) -> Any:
    """Word `word` of the board in row `row` of ``planes: uint[n, lanes]``, as uint64: lanes of lower numbers lowest."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind, vector = signature.args[0], _vector(signature.args[0])
        data = context.make_array(kind)(context, builder, args[0]).data
        words = vector.count * vector.element.width // 64
        first = builder.add(_times(builder, args[1], words), args[2])
        return builder.load(builder.gep(builder.bitcast(data, _PLACE.as_pointer()), [first]), align=8)

    return types.uint64(planes, types.int64, types.int64), build


plan: Any = intrinsic(_plan)
differ: Any = intrinsic(_differ)
word_of: Any = intrinsic(_word)
