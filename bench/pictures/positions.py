"""Positions as games reach them, for pictures: grown regions, stacked discs, touching pieces, laid walls."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.looks.grooves.walls import Wall

Grid8 = NDArray[np.int8]
Shape = tuple[tuple[int, int], ...]


def flood(
    rng: np.random.Generator, grid: Grid8, colours: int, moves: int, corner: tuple[int, int]
) -> NDArray[np.bool_]:
    """Play `moves` random but never idle moves from `corner` on `grid` (in place); returns the region's cells."""
    for _ in range(moves):
        region = _region(grid, corner)
        ring = cv2.dilate(region, cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3))).astype(bool) & ~region.astype(
            bool
        )
        choices = np.unique(grid[ring & (grid >= 0)])
        if not len(choices):
            break
        grid[region.astype(bool)] = rng.choice(choices)
    return _region(grid, corner).astype(bool)


def duel(
    rng: np.random.Generator, grid: Grid8, colours: int, moves: int, corners: tuple[tuple[int, int], tuple[int, int]]
) -> NDArray[np.int8]:
    """Play a Filler game of `moves` turns on `grid` (in place); returns whose cell is whose: 0, 1 or 2."""
    for turn in range(moves):
        mine, theirs = corners[turn % 2], corners[1 - turn % 2]
        choices = [c for c in range(colours) if c not in (grid[mine], grid[theirs])]
        grid[_region(grid, mine).astype(bool)] = rng.choice(choices)
    return (_region(grid, corners[0]) + 2 * _region(grid, corners[1])).astype(np.int8)


def unequal(rng: np.random.Generator, rows: int, cols: int, colours: int) -> Grid8:
    """A grid in which no two neighbours have one colour, as several Filler games deal it."""
    grid = np.zeros((rows, cols), dtype=np.int8)
    for row in range(rows):
        for col in range(cols):
            around = {int(grid[row - 1, col]) if row else -1, int(grid[row, col - 1]) if col else -1}
            grid[row, col] = rng.choice([c for c in range(colours) if c not in around])
    return grid


def _region(grid: Grid8, corner: tuple[int, int]) -> NDArray[np.uint8]:
    _, labels = cv2.connectedComponents((grid == grid[corner]).astype(np.uint8), connectivity=4)
    return np.asarray(labels == labels[corner], dtype=np.uint8)


def stack(rng: np.random.Generator, rows: int, cols: int, discs: int) -> Grid8:
    """A Connect Four position of `discs` discs dropped in turn, nobody with four in a row."""
    grid = np.zeros((rows, cols), dtype=np.int8)
    favourite = rng.random(cols) ** 2 + 0.1
    player = 1
    for _ in range(discs):
        for _attempt in range(30):
            col = int(rng.choice(cols, p=favourite / favourite.sum()))
            row = int((grid[:, col] == 0).sum()) - 1
            if row >= 0 and not _four(grid, row, col, player):
                grid[row, col] = player
                player = 3 - player
                break
    return grid


def won(rng: np.random.Generator, grid: Grid8) -> list[tuple[int, int]]:
    """Drop a disc that makes four in a row (in place), where one move can; the cells of that row."""
    player = 1 if (grid == 1).sum() <= (grid == 2).sum() else 2
    for col in rng.permutation(grid.shape[1]):
        row = int((grid[:, col] == 0).sum()) - 1
        if row >= 0 and _four(grid, row, int(col), player):
            grid[row, col] = player
            return _row_of_four(grid, row, int(col))
    return []


def _row_of_four(grid: Grid8, row: int, col: int) -> list[tuple[int, int]]:
    """The cells of the longest row of equal discs through a cell."""
    rows = []
    for down, across in ((0, 1), (1, 0), (1, 1), (1, -1)):
        cells = [(row, col)]
        for way in (1, -1):
            r, c = row + way * down, col + way * across
            while 0 <= r < grid.shape[0] and 0 <= c < grid.shape[1] and grid[r, c] == grid[row, col]:
                cells.append((r, c))
                r, c = r + way * down, c + way * across
        rows.append(cells)
    return max(rows, key=len)


def _four(grid: Grid8, row: int, col: int, player: int) -> bool:
    def run(down: int, across: int) -> int:
        length, r, c = 0, row + down, col + across
        while 0 <= r < grid.shape[0] and 0 <= c < grid.shape[1] and grid[r, c] == player:
            length, r, c = length + 1, r + down, c + across
        return length

    return any(1 + run(*way) + run(-way[0], -way[1]) >= 4 for way in ((0, 1), (1, 0), (1, 1), (1, -1)))


@cache
def polyominoes() -> tuple[tuple[Shape, ...], ...]:
    """The 21 pieces of Blokus, each as the tuple of its orientations."""
    level: set[Shape] = {((0, 0),)}
    pieces: list[tuple[Shape, ...]] = []
    for _ in range(5):
        seen: set[Shape] = set()
        for shape in sorted(level):
            if shape not in seen:
                forms = _orientations(shape)
                seen |= forms
                pieces.append(tuple(sorted(forms)))
        level = {
            _normal([*shape, (r + dr, c + dc)])
            for shape in level
            for r, c in shape
            for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0))
            if (r + dr, c + dc) not in shape
        }
    return tuple(pieces)


def _normal(cells: list[tuple[int, int]]) -> Shape:
    top, left = min(r for r, _ in cells), min(c for _, c in cells)
    return tuple(sorted((r - top, c - left) for r, c in cells))


def _orientations(shape: Shape) -> set[Shape]:
    forms: set[Shape] = set()
    cells = list(shape)
    for _ in range(4):
        cells = [(c, -r) for r, c in cells]
        forms |= {_normal(cells), _normal([(r, -c) for r, c in cells])}
    return forms


@dataclass(frozen=True, slots=True)
class Placing:
    """A Blokus position: the squares' owners (0 empty), each player's pieces left, and the last piece's squares."""

    grid: Grid8
    left: tuple[tuple[Shape, ...], ...]
    last: Shape


def place_pieces(
    rng: np.random.Generator, size: int, players: int, moves: int, starts: list[tuple[int, int]]
) -> Placing:
    """Play `moves` random legal placements in turn, each player from its own corner of `starts`."""
    grid = np.zeros((size, size), dtype=np.int8)
    left = [list(range(21)) for _ in range(players)]
    last: Shape = ()
    for turn in range(moves):
        player = turn % players + 1
        placed = _try_placing(rng, grid, player, left[player - 1], starts[player - 1])
        if placed is not None:
            piece, cells = placed
            left[player - 1].remove(piece)
            for cell in cells:
                grid[cell] = player
            last = cells
    pieces = polyominoes()
    return Placing(grid, tuple(tuple(pieces[i][0] for i in rest) for rest in left), last)


def _try_placing(
    rng: np.random.Generator, grid: Grid8, player: int, left: list[int], start: tuple[int, int]
) -> tuple[int, Shape] | None:
    """A piece and squares where it may lie: touching own squares at a corner, never along an edge."""
    size = grid.shape[0]
    own = np.pad(grid == player, 1)
    beside = own[:-2, 1:-1] | own[2:, 1:-1] | own[1:-1, :-2] | own[1:-1, 2:]
    corner = own[:-2, :-2] | own[:-2, 2:] | own[2:, :-2] | own[2:, 2:]
    free = (grid == 0) & ~beside
    anchors = np.argwhere(free & corner) if own.any() else np.array([start])
    if not len(anchors) or not left:
        return None
    weights = np.array([len(polyominoes()[i][0]) ** 2 for i in left], dtype=float)
    for _ in range(60):
        piece = int(rng.choice(left, p=weights / weights.sum()))
        forms = polyominoes()[piece]
        form = forms[rng.integers(len(forms))]
        (row, col), (r0, c0) = anchors[rng.integers(len(anchors))], form[rng.integers(len(form))]
        cells = tuple((int(row) + r - r0, int(col) + c - c0) for r, c in form)
        if all(0 <= r < size and 0 <= c < size and free[r, c] for r, c in cells):
            return piece, cells
    return None


def lay_walls(rng: np.random.Generator, rows: int, cols: int, count: int) -> list[Wall]:
    """`count` walls (fewer on a crowded board) that neither cross nor overlap nor shut anything in."""
    walls: list[Wall] = []
    for _ in range(count * 8):
        if len(walls) == count:
            break
        way, row, col = ("h", "v")[rng.integers(2)], int(rng.integers(rows - 1)), int(rng.integers(cols - 1))
        along = (0, 1) if way == "h" else (1, 0)
        taken = [
            ("h", row, col),
            ("v", row, col),
            (way, row - along[0], col - along[1]),
            (way, row + along[0], col + along[1]),
        ]
        if not any(wall in walls for wall in taken) and _open(rows, cols, [*walls, (way, row, col)]):
            walls.append((way, row, col))
    return sorted(walls)


def _open(rows: int, cols: int, walls: list[Wall]) -> bool:
    """Whether every cell can be reached from every other."""
    free = np.ones((2 * rows - 1, 2 * cols - 1), np.uint8)
    free[1::2, 1::2] = 0
    for way, row, col in walls:
        middle = (2 * row + 1, 2 * col + 1)
        for step in (-1, 1):
            free[(middle[0], middle[1] + step) if way == "h" else (middle[0] + step, middle[1])] = 0
    return int(cv2.connectedComponents(free, connectivity=4)[0]) == 2
