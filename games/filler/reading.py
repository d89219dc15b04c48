"""What a picture of Filler tells: the position, what was played since, and who may play from where."""

from __future__ import annotations

from dataclasses import replace
from math import log

from games.core import BLOCKED, Cell, Grid, PositionError, UnreadableError
from games.filler.rules import WORDS, Filler, Rules, Territory, connected, position
from games.flood import corners_of, like_pairs, region

SURELY = 5.0
"""The odds, as a logarithm, from which players keep their colours: by chance one board of 150 looks so."""


def first_reading(grid: Grid, numbers: dict[str, int], seat: int | None) -> Filler:
    """The position of a picture that no other went before."""
    rows, cols = len(grid), len(grid[0])
    likely = _likely_start(grid)
    start = Cell(numbers.get("start_row", likely.row), numbers.get("start_col", likely.col))
    opposite = Cell(rows - 1 - start.row, cols - 1 - start.col)
    rival = Cell(numbers.get("rival_row", opposite.row), numbers.get("rival_col", opposite.col))
    territories = None
    told = {key: owner for key, owner in numbers.items() if key.startswith("owner_")}
    if told:
        first, second = connected(grid, (start, rival))
        owned = [set(first), set(second - first)]  # colours may be shared
        for key, owner in told.items():
            cell = Cell(*map(int, key.split("_")[1:]))
            for number, cells in enumerate(owned, start=1):
                cells.discard(cell)
                if number == owner:
                    cells.add(cell)
        territories = (frozenset(owned[0]), frozenset(owned[1]))
    if seat is None:
        seat = _likely_to_move(grid, connected(grid, (start, rival)))
    rules = Rules(**{word: bool(numbers.get(word, 0)) for word in WORDS})
    if "player" not in numbers and keeping(grid, (start, rival)) > SURELY:
        rules = replace(rules, kept=True)
    try:
        return position(
            grid,
            colours=numbers.get("colours", max(3, max(map(max, grid)) + 1)),
            starts=(start, rival),
            territories=territories,
            player=numbers.get("player", seat),
            idle=numbers.get("idle", 0),
            rules=rules,
        )
    except PositionError as error:
        raise UnreadableError(str(error)) from error


def _likely_to_move(grid: Grid, territories: tuple[Territory, Territory]) -> int:
    """The player that is likely to move: on a board dealt without like neighbours, one that has not grown.

    Player 1 where both have grown, and where like neighbours were dealt, so that a player may have grown by the deal.
    """
    if like_pairs(grid, territories[0] | territories[1])[1]:
        return 0
    first, second = (len(cells) == 1 for cells in territories)
    return int(second and not first)


def _likely_start(grid: Grid) -> Cell:
    """The first player's corner: of the two pairs of opposite ones, that which owns more; the usual one if both do."""
    first, right, low, last = corners_of(grid)
    pairs = ((first, last), (low, right))
    if keeping(grid, kept := max(pairs, key=lambda pair: keeping(grid, pair))) > SURELY:
        return kept[0]
    owned = [
        0 if any(grid[row][col] == BLOCKED for row, col in pair) else sum(map(len, connected(grid, pair)))
        for pair in pairs
    ]
    return low if owned[1] > owned[0] else first


def keeping(grid: Grid, starts: tuple[Cell, Cell]) -> float:
    """How surely players at `starts` keep colours of their own: these show nowhere but in their territories.

    The odds, as a logarithm, against the neutral cells having none of these colours by chance; 0 where some have.
    """
    first, second = (grid[row][col] for row, col in starts)
    territories = connected(grid, starts)
    kinds = [kind for row in grid for kind in row if kind != BLOCKED]
    owned, colours = sum(map(len, territories)), len(set(kinds))
    alone = kinds.count(first) + kinds.count(second) == owned and first != second and BLOCKED not in (first, second)
    return (len(kinds) - owned) * log(colours / (colours - 2)) if alone and colours > 2 else 0.0


def successor(grid: Grid, before: Filler) -> Filler:
    """`before`, or the position one or two moves later, that looks like `grid`."""
    if grid == before.grid:
        return before
    rows, cols = len(grid), len(grid[0])
    if (rows, cols) != (len(before.grid), len(before.grid[0])):
        raise UnreadableError(f"the board has {rows}x{cols} cells, it had {len(before.grid)}x{len(before.grid[0])}")
    state = before
    for mover in (before.player, 1 - before.player):
        start = before.starts[mover]
        move = grid[start.row][start.col]
        if move not in state.legal_moves():
            break
        state = state.play(move)
        if state.grid == grid:
            return state
    changed = sum(a != b for new, old in zip(grid, before.grid, strict=True) for a, b in zip(new, old, strict=True))
    raise UnreadableError(f"{changed} of {rows * cols} cells changed and no one or two moves explain that")


def alone_at(starts: tuple[Cell, Cell]) -> tuple[Territory, Territory]:
    """What players own who begin with one cell each."""
    return frozenset(starts[:1]), frozenset(starts[1:])


def moved_to(before: Filler, starts: tuple[Cell, Cell]) -> Filler:
    """The same board with the players at `starts`."""
    alone = before.territories == alone_at(before.starts)
    return replace(before, starts=starts, territories=alone_at(starts) if alone else connected(before.grid, starts))


def apart_on(grid: Grid, first: Cell, second: Cell) -> bool:
    """Whether two players may start there: on playable cells that one colour does not connect."""
    walls = any(grid[row][col] == BLOCKED for row, col in (first, second))
    return not walls and second not in region(grid, first)


def exchanged(before: Filler) -> Filler:
    """The same board with each player where the other one is."""
    return replace(before, starts=before.starts[::-1], territories=before.territories[::-1])
