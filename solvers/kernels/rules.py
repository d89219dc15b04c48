"""What a game's packed rules offer to the compiled searches.

A game has one NamedTuple class of its rules (sizes, masks, tables of any arrays) and offers, for that class, one
function for each hook below::

    class TicTacToe(NamedTuple):
        lines: NDArray[np.uint64]

    @offers(generate, TicTacToe)
    def _generate(rules, positions, ply, moves, weights): ...

A search calls ``generate(rules, ...)``; numba chooses the game's function by the type of `rules` while it compiles, so
one search in source becomes one search for each game in machine code, and nothing is looked up while it runs.

A position is a row of ``positions: uint64[plies, words]``, laid out as the game likes; whose turn it is must be in it
if it matters. `play` writes row ``ply + 1`` from row ``ply``, so nothing is ever undone. Words may hold what
`generate` or `bounds` found out about the row for `play` to use, as long as `identify` leaves them out.

Moves are int32 from 0 up to some limit the game knows. Players take turns: a forced pass is a move, also that of a side
whose rival moves again. Scores are int64
from the view of the side to move, between -SCORE_LIMIT and SCORE_LIMIT; the score of an ended game and `evaluate` share
one scale.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numba.extending import overload

from solvers.kernels.cache import note_offer

SCORE_LIMIT = 32_000
"""No score is further from 0: table entries keep 16 bits of it."""

BARE = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Hooks are called by kernels alone, never from Python."""

Function = TypeVar("Function", bound=Callable[..., Any])


def generate(rules: Any, positions: Any, ply: int, moves: Any, weights: Any) -> int:
    """Writes the legal moves of row `ply` to that row of ``moves: int32[plies, width]``; returns how many there are.

    The same row of ``weights: int64[plies, width]`` takes how early each should be searched, the largest first; what
    the search itself learned of a move counts for up to 65,535 in that unit. (Whole arrays and not their rows: a row
    would be a new array, whose owners numba counts with a locked instruction.) Where there are none the game is over;
    it is not called where `bounds` ended it.
    """
    raise NotImplementedError


def play(rules: Any, positions: Any, ply: int, move: int) -> None:
    """Writes the position after `move` to row ``ply + 1``."""
    raise NotImplementedError


def bounds(rules: Any, positions: Any, ply: int) -> tuple[int, int]:
    """The least and the greatest score that can be proven without search for the side to move in row `ply`.

    Equal ones end the game here, early or by its rules. A game that has nothing to say while the game goes on returns
    ``(-SCORE_LIMIT, SCORE_LIMIT)``.
    """
    raise NotImplementedError


def evaluate(rules: Any, positions: Any, ply: int) -> int:
    """A guess at the score of row `ply` for the side to move, where the search looks no further."""
    raise NotImplementedError


def refine(rules: Any, positions: Any, ply: int, score: int, alpha: int, beta: int) -> int:
    """A better guess than `score`, what `evaluate` said of row `ply`, where it may lie between `alpha` and `beta`.

    Games that do not offer this leave the score as it is.
    """
    raise NotImplementedError


def identify(rules: Any, positions: Any, ply: int) -> tuple[int, int]:
    """A hash of row `ply` as uint64, the same for symmetric positions, and the number of the symmetry taken (0: none).

    All of its bits should be mixed (`solvers.kernels.bits.mixed`): the low ones choose the place in the table.
    """
    raise NotImplementedError


def turn(rules: Any, move: int, symmetry: int) -> int:
    """`move` seen through symmetry number `symmetry`; doing it twice gives `move` back. Symmetry 0 changes nothing."""
    raise NotImplementedError


def repeats(rules: Any, positions: Any, ply: int) -> bool:
    """Whether row `ply` stood before, on the way from the root or earlier in the game: such positions count as draws.

    A draw by repetition is never proven, because another way to the position may not repeat it. Games that cannot come
    back to a position do not offer this.
    """
    raise NotImplementedError


def reduce(rules: Any, weight: int, at: int, depth: int) -> int:
    """How many plies less the move in place `at` of its row's order is searched first; never less for lighter moves.

    What then turns out better than all before is searched in full. From `depth` on, the plies left, the moves are left
    out, and the score is not proven. Games that do not offer this have every move searched alike.
    """
    raise NotImplementedError


def promise(rules: Any, positions: Any, ply: int) -> int:
    """What more the move that led to row `ply` weighs, now that the row shows what came of it.

    Games that do not offer this have nothing to add to what `generate` said.
    """
    raise NotImplementedError


def margin(rules: Any, depth: int) -> int:
    """How far `evaluate` must be above the window with `depth` plies to go for the search to leave it at that.

    Games that do not offer this have every position searched to its depth.
    """
    raise NotImplementedError


def wait(rules: Any, positions: Any, ply: int, beta: int) -> bool:
    """Writes row `ply` with the other side to move to row ``ply + 1``; False, and nothing, where that is no good guide.

    A side that is at `beta` or better though it makes no move would hardly be worse with one (null move); what the
    search leaves out for this is not proven. No after another `wait`. Games in which moving can hurt do not offer it.
    """
    raise NotImplementedError


def prepare(rules: Any, positions: Any, ply: int, moves: Any, weights: Any) -> None:
    """Notes in row `ply` what `play` needs to have been noted there; a game whose `play` needs nothing does nothing.

    Games that do not offer this have `generate` called.
    """
    raise NotImplementedError


def likely(rules: Any, weight: int) -> float:
    """How likely a tree search takes a move of that weight to be good, not negative and of any sum; 0 leaves it out.

    For games that do not offer this all moves are alike.
    """
    raise NotImplementedError


def roll(rules: Any, positions: Any, ply: int, moves: Any, weights: Any, dice: int) -> int:
    """The move a playout makes in row `ply`, chosen by `dice`, a uint64 of which every bit is random.

    Games that do not offer this make any of their legal moves with the same chance.
    """
    raise NotImplementedError


OFFERED: dict[Callable[..., Any], set[type]] = {}
"""Hook -> the classes of rules that offer it."""


def offers(hook: Callable[..., Any], rules_class: type) -> Callable[[Function], Function]:
    """Makes the decorated function, which takes the hook's parameters, what `hook` does for rules of `rules_class`."""
    parameters = list(inspect.signature(hook).parameters)
    OFFERED.setdefault(hook, set()).add(rules_class)

    def register(function: Function) -> Function:
        note_offer(hook, rules_class, function)
        if list(inspect.signature(function).parameters) != parameters:
            raise TypeError(f"{function.__qualname__} must take the parameters {', '.join(parameters)}")

        def choose(rules: Any, *_: Any) -> Function | None:
            return function if getattr(rules, "instance_class", None) is rules_class else None

        overload(hook, jit_options=BARE, strict=False)(choose)
        return function

    return register


def offered_or(hook: Callable[..., Any], function: Callable[..., Any]) -> None:
    """Makes `function` what `hook` does for rules of every class that does not offer it, now or later."""

    def choose(rules: Any, *_: Any) -> Callable[..., Any] | None:
        return None if getattr(rules, "instance_class", None) in OFFERED.get(hook, ()) else function

    overload(hook, jit_options=BARE, strict=False)(choose)


def _prepare(rules: Any, positions: Any, ply: int, moves: Any, weights: Any) -> None:
    generate(rules, positions, ply, moves, weights)


def _roll(rules: Any, positions: Any, ply: int, moves: Any, weights: Any, dice: int) -> int:
    count = generate(rules, positions, ply, moves, weights)
    pick: int = np.int64((dice >> np.uint64(32)) * np.uint64(count) >> np.uint64(32))
    return moves[ply, pick]


offered_or(prepare, _prepare)
offered_or(likely, lambda rules, weight: 1.0)
offered_or(roll, _roll)
offered_or(repeats, lambda rules, positions, ply: False)
offered_or(refine, lambda rules, positions, ply, score, alpha, beta: score)
offered_or(promise, lambda rules, positions, ply: 0)
offered_or(margin, lambda rules, depth: 2 * SCORE_LIMIT)
offered_or(wait, lambda rules, positions, ply, beta: False)
offered_or(reduce, lambda rules, weight, at, depth: 0)
