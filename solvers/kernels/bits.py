"""Words of 64 bits: how many are set, which is the lowest, and words drawn at random."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from solvers.kernels.jit import jit

ZERO = np.uint64(0)
ONE = np.uint64(1)
"""Constants of the right type: numba makes a float of a uint64 mixed with a Python int."""


def _popcount(context: Any, word: Any) -> Any:
    """How many bits of a uint64 are set, as an int64."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.uint64), build


def _lowest(context: Any, word: Any) -> Any:
    """The index of the lowest set bit of a uint64, as an int64; 64 for an empty word."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], cgutils.false_bit)

    return types.int64(types.uint64), build


def _prefetch(context: Any, array: Any, index: Any) -> Any:
    """Has the processor begin to load ``array[index]`` of a flat, contiguous array, without waiting for it."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        insert: Any = cgutils.get_or_insert_function
        fetch = insert(builder.module, kind, "llvm.prefetch.p0")
        place = builder.bitcast(builder.gep(data, [args[1]]), byte)
        builder.call(fetch, [place, number(0), number(3), number(1)])  # to read, into every cache, data
        return context.get_dummy_value()

    return types.void(array, types.int64), build


prefetch: Any = intrinsic(_prefetch)

popcount: Any = intrinsic(_popcount)
lowest: Any = intrinsic(_lowest)


@jit(arrays=True)
def mixed(word: np.uint64) -> np.uint64:
    """A 64-bit hash in which every bit of `word` moves about half of the bits (the finaliser of splitmix64)."""
    word ^= word >> np.uint64(30)
    word *= np.uint64(0xBF58476D1CE4E5B9)
    word ^= word >> np.uint64(27)
    word *= np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@jit(arrays=True)
def rolled(dice: np.uint64) -> np.uint64:
    """The next state of dice (a linear congruential generator with Knuth's constants, of which the upper half is good).

    >>> dice = rolled(mixed(np.uint64(1)))
    >>> bool(below(dice, 6) in range(6))
    True
    """
    return dice * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)


@jit(arrays=True)
def below(dice: np.uint64, count: int) -> int:
    """A number from 0 to ``count - 1``, by the upper half of the dice; `count` is below 2**32."""
    return np.int64(((dice >> np.uint64(32)) * np.uint64(count)) >> np.uint64(32))


@jit
def bit_number(word: np.uint64, number: int) -> int:
    """The place of a word's set bit `number`, counted from 0."""
    place = ZERO
    for width in (np.uint64(32), np.uint64(16), np.uint64(8)):
        below = popcount((word >> place) & ((ONE << width) - ONE))
        if number >= below:
            number -= below
            place += width
    word >>= place
    for _ in range(number):
        word &= word - ONE
    return np.int64(place) + lowest(word)
