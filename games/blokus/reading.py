"""Blokus from pictures: pieces told apart because pieces of one colour never touch by an edge.

Whose turn it is follows from what lies there: a colour that could always move has had every turn, so the next one is
the first of those that can still move and have placed least.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from games.blokus.board import BONUS, VARIANTS, BlokusBoard, Cells, Move, board_of, lying
from games.blokus.position import Blokus, empty
from games.core import Observation, Options, SettingsError, UnreadableError
from games.polyominoes import LARGEST, PIECES, groups_in

Pieces = dict[int, list[Move]]
"""The pieces of each kind of square, kinds counted from 1."""

MISREAD = 0.2
"""The share of the groups of squares that may be no pieces where a few squares are misread."""


def read(observation: Observation, before: Blokus | None) -> Blokus:
    """The position in `observation`; raises UnreadableError.

    Kinds of squares are colours in any order: they are told by the start points, or by what lay there `before`.
    """
    unread = observation.unread()
    if unread:
        raise UnreadableError(
            f"{len(unread)} of {observation.grid.size} cells have no known colour, "
            f"the first at row {unread[0].row}, col {unread[0].col}"
        )
    rows, cols = observation.grid.shape
    boards = [before.board] if before is not None else _boards(rows, cols, observation.numbers)
    if any(board.side != rows or board.side != cols for board in boards):
        raise UnreadableError(f"the board has {rows}x{cols} cells, it had {boards[0].side}x{boards[0].side}")
    return _laid(boards, find_pieces(observation), before, observation.numbers)


def alike(before: Blokus) -> list[Blokus]:
    """The positions in which the same pieces lie on boards that lie otherwise, then on those of other variants.

    Those come first in which each piece is of the colour it is of in `before`: in which order they were laid was seen.
    """
    board, numbers = before.board, {BONUS: int(before.board.bonus)}
    turns = [[move for move in before.moves[colour :: board.colours] if move] for colour in range(board.colours)]
    pieces, found = {kind: moves for kind, moves in enumerate(turns, 1) if moves}, []
    for other in (*lying(board), *_boards(board.side, board.side, numbers)):
        with suppress(UnreadableError):
            if other != board:
                found.append(_laid([other], pieces, None, numbers))
    return sorted(found, key=lambda each: any(map(int.__ne__, each.cells, before.cells)))


def _laid(boards: Sequence[BlokusBoard], pieces: Pieces, before: Blokus | None, numbers: Mapping[str, int]) -> Blokus:
    """The position with `pieces` on the first of `boards` that has one; raises UnreadableError."""
    reasons = []
    for board in boards:
        for kinds in _colourings(board, pieces, before):
            try:
                return _position(before or empty(board), [pieces.get(kind, []) for kind in kinds], numbers)
            except UnreadableError as error:
                reasons.append(error)
    raise (
        reasons[0]
        if reasons
        else UnreadableError(f"{len(pieces)} colours of squares, and those at the start points do not explain them")
    )


def find_pieces(observation: Observation) -> Pieces:
    """The connected squares of each kind; raises UnreadableError where such a group is no piece."""
    found: Pieces = {}
    for kind, group in groups_in(observation.grid):
        if kind < 0 or len(group) > LARGEST:
            raise UnreadableError(
                f"{len(group)} connected squares of kind {kind} at row {group[0].row}, col {group[0].col}: "
                "a piece has 1 to 5"
            )
        found.setdefault(kind, []).append(group)
    return found


def refute(grid: NDArray[np.int8]) -> str:
    """Why no sets of pieces are laid so, "" where they may be.  grid: int8[rows, cols], 0 empty, 1.. the players.

    Squares of one player that share a side are one piece, of up to five squares; a set has few of the small ones.
    """
    found = Counter((kind, min(len(group), LARGEST + 1)) for kind, group in groups_in(grid) if kind > 0)
    of_the_set = Counter(len(piece.forms[0]) for piece in PIECES)
    wrong, groups = sum(max(0, count - of_the_set[size]) for (_, size), count in found.items()), found.total()
    odd = wrong > MISREAD * groups
    return f"{wrong} of {groups} pieces are larger than five squares or none of the set" if odd else ""


def _boards(rows: int, cols: int, numbers: Mapping[str, int]) -> list[BlokusBoard]:
    """The boards a picture of this size may show, the likeliest first; raises UnreadableError.

    Those come first on which the first player starts where ``start_row`` and ``start_col`` say.
    """
    number, players = numbers.get("variant"), numbers.get("players")
    likely = {14: ("duo", "corners"), 20: ("classic", "classic-2", "corners")}.get(rows, ("corners",))
    names = likely if number is None else (VARIANTS[number],)
    suffix = f"+{BONUS}" if numbers.get(BONUS) else ""
    found, problem = list[BlokusBoard](), ""
    for name in names:
        try:
            found += lying(board_of(Options(rows, cols, variant=name + suffix, players=players)))
        except SettingsError as error:
            problem = problem or str(error)
    if not found:
        raise UnreadableError(problem)
    found = [board for board in found if board.lies == numbers.get("lies", board.lies)]
    found.sort(key=lambda board: not is_marked(board, numbers, of=board.starts[:1]))
    return found


def is_marked(board: BlokusBoard, numbers: Mapping[str, int], *, of: Sequence[Cells] = ()) -> bool:
    """Whether the cell that ``start_row`` and ``start_col`` tell is one of the starts, or of those in `of`."""
    if "start_row" not in numbers:
        return False
    marked = board.bit((numbers["start_row"], numbers["start_col"]))
    return any(start & marked for start in of or board.starts)


def _colourings(board: BlokusBoard, pieces: Pieces, before: Blokus | None) -> Iterator[tuple[int, ...]]:
    """The kind of each colour in every way that fits the start points and what lay there before."""
    kinds = sorted({*pieces, *range(1, board.colours + 1)})
    covered = {kind: sum(board.mask(cells) for cells in pieces.get(kind, [])) for kind in kinds}
    olds = (0,) * board.colours if before is None else before.cells

    def fits(kind: int, start: Cells, old: Cells) -> bool:
        return not old & ~covered[kind] and (not covered[kind] or bool(covered[kind] & start))

    for order in permutations(kinds, board.colours):
        if set(pieces) <= set(order) and all(map(fits, order, board.starts, olds)):
            yield order


def _position(before: Blokus, pieces: Sequence[list[Move]], numbers: Mapping[str, int]) -> Blokus:
    """The position after `before` in which every colour has just these pieces; raises UnreadableError."""
    board = before.board
    lies = zip(pieces, before.cells, strict=True)
    waiting = [[move for move in mine if board.mask(move) & ~old] for mine, old in lies]
    state, turn, idle = before, before.colour, 0
    while any(waiting):
        colour = turn % board.colours
        refusals = {move: state.refusal(colour, move) for move in waiting[colour]}
        legal = [move for move, refusal in refusals.items() if not refusal]
        if legal:
            state, idle = state.placed(colour, legal[0]), 0
            waiting[colour].remove(legal[0])
        elif refusals and idle > board.colours:
            move, refusal = next(iter(refusals.items()))
            raise UnreadableError(f"the piece at row {move[0].row}, col {move[0].col} cannot lie there: {refusal}")
        else:
            idle += 1
        turn += 1
    _check_turns(state)
    if board.bonus and before.monomino_last == (False,) * board.colours:
        last = tuple(bool(numbers.get(f"monomino_last_{colour}")) for colour in range(board.colours))
        return replace(state, monomino_last=last)
    return state


def _check_turns(state: Blokus) -> None:
    """Raises UnreadableError where taking turns cannot have led to these numbers of pieces."""
    counts = [len(PIECES) - len(left) for left in state.left]
    for colour, count in enumerate(counts):
        turns = counts[state.colour] + (colour < state.colour)
        if any(state.active) and (count > turns or (state.active[colour] and count < turns)):
            raise UnreadableError(
                f"{' and '.join(map(str, counts))} pieces lie there while colour {state.colour + 1} is to move: "
                "who takes turns places as many"
            )
