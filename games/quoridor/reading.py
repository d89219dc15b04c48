"""From the picture of a Quoridor board back to a position, and to a game that leads there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from heapq import heappop, heappush
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from games.core import BLOCKED, Cell, Observation, Options, UnreadableError
from games.flood import region
from games.quoridor.board import Size, Wall, steps, walk, ways_out
from games.quoridor.rules import MOST_WALLS, Move, Quoridor, start, usual_walls

Grid8 = NDArray[np.int8]

Place = tuple[tuple[Cell, Cell], int]
"""Where the pawns stand, and the seat to move."""


def show(state: Quoridor) -> Observation:
    """The grid of cells and grooves (see `games.quoridor`), and as numbers what it does not tell."""
    rows, cols = state.size
    grid = np.zeros((2 * rows - 1, 2 * cols - 1), dtype=np.int8)
    for wall in state.walls:
        for place in _pieces(wall):
            grid[place] = 1
    for seat, (row, col) in enumerate(state.pawns):
        grid[2 * row, 2 * col] = seat + 1
    numbers = {"player": state.player, "left_1": state.left[0], "left_2": state.left[1]}
    if state.plies_left is not None:
        numbers["plies_left"] = state.plies_left
    if state.seen is not None:
        numbers["seen"] = state.seen
    return Observation.certain(grid.tolist(), numbers)


def read(observation: Observation, before: Quoridor | None, seat: int | None) -> Quoridor:
    """The position in `observation`; see `games.quoridor.QuoridorGame.read`; raises UnreadableError."""
    unread = observation.unread()
    if unread:
        raise UnreadableError(
            f"{len(unread)} of {observation.grid.size} places could not be read, "
            f"the first at row {unread[0].row}, col {unread[0].col}"
        )
    pawns, walls = _pawns(observation.grid), _walls(observation.grid)
    if before is not None:
        return _successor(observation.grid, pawns, walls, before)
    return _first_reading(observation, pawns, walls, seat)


def refute(grid: Grid8) -> str:
    """Why no game comes to such a grid of cells and grooves, as of an Observation; "" where one may."""
    pawns = np.argwhere(grid[::2, ::2] > 0)
    if len(pawns) != 2:
        return f"{len(pawns)} pawns stand on it"
    ways = np.where(grid == 1, BLOCKED, 0)  # between cells, where no wall lies
    ways[::2, ::2], ways[1::2, 1::2] = 0, BLOCKED
    free = tuple(map(tuple, ways.tolist()))
    reached = [{cell.row for cell in region(free, Cell(2 * int(row), 2 * int(col)))} for row, col in pawns]
    shut = any(not {0, len(grid) - 1} <= rows for rows in reached)
    return "its walls leave a pawn no way" if shut else ""


def _pieces(wall: Wall) -> tuple[Cell, Cell, Cell]:
    """The places of the grid that a wall covers, its middle in the middle."""
    row, col = 2 * wall.row + 1, 2 * wall.col + 1
    if wall.way == "h":
        return Cell(row, col - 1), Cell(row, col), Cell(row, col + 1)
    return Cell(row - 1, col), Cell(row, col), Cell(row + 1, col)


def _pawns(grid: Grid8) -> tuple[Cell, Cell]:
    found = []
    for seat in (0, 1):
        cells = [Cell(int(row), int(col)) for row, col in np.argwhere(grid[::2, ::2] == seat + 1)]
        if len(cells) != 1:
            raise UnreadableError(f"player {seat + 1} has {len(cells)} pawns on the board: each has one")
        found += cells
    return found[0], found[1]


def _walls(grid: Grid8) -> frozenset[Wall]:
    """The walls; along a groove they follow each other, so the first covered piece always begins one."""
    rows, cols = (side // 2 for side in grid.shape)
    found: list[Wall] = []
    for way, covered, lines in (("h", grid[1::2, ::2] == 1, rows), ("v", (grid[::2, 1::2] == 1).T, cols)):
        for line in range(lines):
            begins = [int(at) for at in np.flatnonzero(covered[line])[::2]]
            found += [Wall(way, line, begin) if way == "h" else Wall(way, begin, line) for begin in begins]
    again = np.zeros_like(grid)
    for wall in found:
        for place in _pieces(wall):
            if place.row < again.shape[0] and place.col < again.shape[1]:
                again[place] += 1
    grooves = grid.copy()
    grooves[::2, ::2] = 0
    wrong = np.argwhere(grooves != again)
    if len(wrong):
        row, col = (int(at) for at in wrong[0])
        raise UnreadableError(f"the grooves show no whole walls, the first odd place is at row {row}, col {col}")
    return frozenset(found)


def _successor(grid: Grid8, pawns: tuple[Cell, Cell], walls: frozenset[Wall], before: Quoridor) -> Quoridor:
    """`before`, or the position one or two moves later, that looks like `grid`."""
    size = Size(*(side // 2 + 1 for side in grid.shape))
    if size != before.size:
        raise UnreadableError(f"the board has {size.rows}x{size.cols} cells, it had {'x'.join(map(str, before.size))}")
    for seen in (pawns, pawns[::-1]):
        for state in _within_two_moves(before, seen, walls):
            if state.pawns == seen and state.walls == walls:
                return state
    new, gone = len(walls - before.walls), len(before.walls - walls)
    walked = sum(now != then for now, then in zip(pawns, before.pawns, strict=True))
    raise UnreadableError(
        f"{walked} pawns walked, {new} walls appeared and {gone} vanished, and no one or two moves explain that"
    )


def _within_two_moves(before: Quoridor, pawns: tuple[Cell, Cell], walls: frozenset[Wall]) -> Iterator[Quoridor]:
    """`before` and what one or two of the moves lead to that can be seen to have been made."""
    layer = [before]
    yield before
    for _ in range(2):
        following = []
        for state in layer:
            wanted: list[Move] = [pawns[state.player], *sorted(walls - before.walls)[:2]]
            following += [state.play(move) for move in wanted if state.allows(move)]
        yield from following
        layer = following


def _first_reading(
    observation: Observation, pawns: tuple[Cell, Cell], walls: frozenset[Wall], seat: int | None
) -> Quoridor:
    """The position of a picture that no other went before."""
    size = Size(*(side // 2 + 1 for side in observation.grid.shape))
    numbers = observation.numbers
    if pawns[0].row == 0 and pawns[1].row == size.rows - 1:
        pawns = pawns[::-1]  # nobody can be where both have won: the colours are the other way round
    left = _left(size, len(walls), numbers)
    total = (sum(left) + len(walls)) // 2
    seen = numbers.get("seen")
    options = Options(size.rows, size.cols, walls=total, variant=None if seen is None else "repetition")
    ended = [at for at, pawn in enumerate(pawns) if pawn.row == (0, size.rows - 1)[at]]
    player = 1 - ended[0] if ended else numbers.get("player", _to_move(size, pawns, walls, seat))
    state = replace(
        start(options),
        pawns=pawns,
        walls=walls,
        left=left,
        player=player,
        plies_left=numbers.get("plies_left"),
        seen=seen,
    )
    if not all(state.paths()):
        raise UnreadableError("the walls leave a player no path, which no game allows")
    return replace(state, moves=moves_to(state, start(options)))


def _to_move(size: Size, pawns: tuple[Cell, Cell], walls: frozenset[Wall], seat: int | None) -> int:
    """The seat to move, by steps and walls; where they leave it open `seat`, or whose turn it is if the first began.

    Either side may have begun: whoever must have made one move more is not to move. Where the pawns can have met
    nothing is told, for a jump is two steps. Pawns that have not passed each other are taken for ones that never met:
    nobody walks back far.
    """
    if pawns[0].row - pawns[1].row < 2:
        return seat or 0
    first, second = (_apart(pawn, home) for pawn, home in zip(pawns, start(Options(*size)).pawns, strict=True))
    odd = (first + second + len(walls)) % 2
    if odd and abs(first - second) > len(walls):
        return 1 if first > second else 0
    return odd if seat is None else seat  # who began, and who laid which walls, is not told


def _left(size: Size, placed: int, numbers: Mapping[str, int]) -> tuple[int, int]:
    """How many walls each player has still: as shown beside the board, else as if they had placed them in turns."""
    total = numbers.get("walls", max(usual_walls(size), (placed + 1) // 2))
    first = numbers.get("left_1", total - (placed + 1) // 2)
    second = numbers.get("left_2", 2 * total - placed - first)
    total = (first + second + placed) // 2
    if (first + second + placed) % 2 or not (0 <= first <= total and 0 <= second <= total <= MOST_WALLS):
        raise UnreadableError(f"{placed} walls lie on the board, {first} and {second} are left: that does not add up")
    return first, second


def moves_to(state: Quoridor, origin: Quoridor) -> tuple[Move, ...]:
    """One order of legal moves from the start position `origin` to `state`; raises UnreadableError if none is found.

    The pawns walk first, on the open board.  Then the walls are placed in turns; where one player placed more, the
    other one's pawn steps to and fro meanwhile.
    """
    if any(pawn.row == goal for pawn, goal in zip(state.pawns, state.goals, strict=True)):
        return _moves_to_end(state, origin)
    placed = [full - left for full, left in zip(origin.left, state.left, strict=True)]
    idler = 0 if placed[0] < placed[1] else 1
    rounds, idle = max(placed), max(placed) - min(placed)
    for begin, walk_about in _ways_to_idle(state, idler, idle):
        walked = _steps_to(origin, _with_pawn(state.pawns, idler, begin), state.player)
        if walked is not None:
            walls = sorted(state.walls)
            sides: list[list[Move]] = [[*walls[:rounds]], [*walk_about, *walls[rounds:]]]
            if state.player == idler:
                sides.reverse()
            return (*walked, *(move for pair in zip(*sides, strict=True) for move in pair))
    raise UnreadableError("no order of moves was found that leads to this position")


def _moves_to_end(state: Quoridor, origin: Quoridor) -> tuple[Move, ...]:
    """The moves to a position that is won, by way of one from which the winner's last step leads to it."""
    winner = 1 - state.player
    end = state.pawns[winner]
    for row in range(max(0, end.row - 2), min(state.size.rows, end.row + 3)):
        for col in range(max(0, end.col - 2), min(state.size.cols, end.col + 3)):
            eve = replace(state, pawns=_with_pawn(state.pawns, winner, Cell(row, col)), player=winner)
            if row != end.row and eve.pawns[0] != eve.pawns[1] and end in eve.steps():
                return (*moves_to(eve, origin), end)
    raise UnreadableError("no step leads to the far row where the pawn stands")


def _with_pawn(pawns: tuple[Cell, Cell], seat: int, cell: Cell) -> tuple[Cell, Cell]:
    return (cell, pawns[1]) if seat == 0 else (pawns[0], cell)


def _ways_to_idle(state: Quoridor, seat: int, times: int) -> Iterator[tuple[Cell, list[Cell]]]:
    """Where the pawn of `seat` may begin to step to and fro, and `times` steps from there that end where it stands."""
    here = state.pawns[seat]
    if not times:
        yield here, []
        return
    for cell in ways_out(state.size, state.walls, here):
        if cell != state.pawns[1 - seat] and cell.row != state.goals[seat]:
            ways = [cell if (times - number) % 2 else here for number in range(times + 1)]
            yield ways[0], ways[1:]


def _steps_to(origin: Quoridor, pawns: tuple[Cell, Cell], player: int) -> list[Cell] | None:
    """Steps on the open board that bring both pawns to their cells with `player` to move, None where there are none."""
    size = origin.size
    first = (origin.pawns, origin.player)
    came = {first: first}
    queue = [(0, 0, first)]
    while queue:
        _, _, place = heappop(queue)
        if place == (pawns, player):
            path = walk(came, place)
            return [after[0][mover] for (_, mover), after in pairwise(path)]
        both, mover = place
        for cell in steps(size, frozenset(), both[mover], both[1 - mover]):
            after = (_with_pawn(both, mover, cell), 1 - mover)
            if after not in came and cell.row != origin.goals[mover]:
                came[after] = place
                heappush(queue, (_steps_ahead(after, (pawns, player), size), len(came), after))
    return None


def _steps_ahead(place: Place, end: Place, size: Size) -> int:
    """A guess at the steps from `place` to `end`, which is sure to be less the nearer they are to each other.

    Every step to a neighbour changes the colour of a chessboard's square. Where that leads to the wrong side's turn,
    only a jump helps, for which the pawns must meet.
    """
    (here, rival), (one, other) = place[0], end[0]
    left = _apart(here, one) + _apart(rival, other)
    if (left + place[1] + end[1]) % 2 == 0:
        return left
    return 2 * (size.rows + size.cols) + _apart(here, rival)


def _apart(one: Cell, other: Cell) -> int:
    return abs(one.row - other.row) + abs(one.col - other.col)
