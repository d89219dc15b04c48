"""Boards of coloured cells: Flood-It and Filler, with gaps or without, rounded, lined, walled, half flooded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.board import Calibration, Colour
from calibration.combs import Comb, combs
from calibration.controls import colour_buttons
from calibration.frame import Box
from calibration.look import Candidate
from calibration.mesh import Mesh, islands, lay
from calibration.palette import MAX_KINDS, Palette, cluster
from calibration.sight import Sight, Window

PITCHES = 6
"""Pitches tried along each axis of a window; the right one was among the first four wherever it was found."""

PAIRS = 10
"""Pairs of pitches tried in a window, the best supported first."""

PLAIN = 0.7
"""The share of a cell's samples that must look alike for the cell to be of one colour; a mark may take the rest."""


class Coloured:
    """The look of the flooding games."""

    name = "coloured"
    games = ("flood_it", "filler")

    def candidates(self, sight: Sight, game: str | None) -> Iterator[Candidate]:
        """The best board of every window, and why each window without one has none."""
        name = game or self.games[0]
        for window in sight.windows:
            yield _best_in(sight, window, name)

    def finish(self, sight: Sight, calibration: Calibration) -> Calibration:
        """`calibration` with the colour buttons."""
        return replace(calibration, controls=colour_buttons(sight.pixels, calibration))


LOOK = Coloured()


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """A mesh cut down to the cells that make a board, with the kinds of its cells and how well it obeys."""

    mesh: Mesh
    palette: Palette
    kinds: NDArray[np.intp]
    told: int
    length: float
    used: float
    drawn: float
    silent: float
    flat: float

    @property
    def worth(self) -> float:
        """The borders it explains, discounted by everything that does not obey."""
        return (
            self.length
            * self.used**2
            * self.drawn**2
            * self.silent**2
            * self.flat**2
            * (0.3 + 0.7 * self.palette.margin)
        )

    @property
    def confidence(self) -> float:
        """A first guess of the chance that this is a board."""
        evidence = 1 - np.exp(-self.told / 12)
        return float(evidence * self.used * self.drawn**2 * self.silent * self.flat * (0.3 + 0.7 * self.palette.margin))


def _best_in(sight: Sight, window: Window, game: str) -> Candidate:
    box = Box(window.left, window.top, window.width, window.height)
    boards = [board for across, down in _pairs(sight, window) if (board := _board(sight, window, across, down))]
    if not boards:
        return Candidate(box, "no even pitch across and down")
    best = max(boards, key=lambda board: board.worth)
    return Candidate(best.mesh.lattice.box, _said(best), _calibration(sight, best, game))


def _pairs(sight: Sight, window: Window) -> list[tuple[Comb, Comb]]:
    """Pitches across and down that may belong together, the best supported first; cells are nearly square."""
    part = np.s_[window.top : window.bottom, window.left : window.right]
    across = combs(sight.upright_lines[part].sum(axis=0, dtype=np.float64), window.left, at_most=PITCHES)
    down = combs(sight.level_lines[part].sum(axis=1, dtype=np.float64), window.top, at_most=PITCHES)
    pairs = [(a, d) for a in across for d in down if 0.5 <= a.pitch / d.pitch <= 2]
    return sorted(pairs, key=lambda pair: -_support(*pair))[:PAIRS]


def _support(across: Comb, down: Comb) -> float:
    return across.strength * down.strength * float(np.exp(-2 * abs(np.log(across.pitch / down.pitch))))


def _board(sight: Sight, window: Window, across: Comb, down: Comb) -> Board | None:
    mesh = lay(sight, window, across, down)
    if mesh is None:
        return None
    best: Board | None = None
    for _, top, bottom, left, right in islands(mesh)[:2]:
        if bottom - top < 2 or right - left < 2:
            continue
        extent = _extent(mesh, top, bottom, left, right)
        board = None if extent is None else _judge(extent)
        if board is not None and (best is None or board.worth > best.worth):
            best = board
    return best


def _extent(mesh: Mesh, top: int, bottom: int, left: int, right: int) -> Mesh | None:
    """The rectangle in which cells of the board's colours outnumber everything else most."""
    island = mesh.part(top, bottom, left, right)
    page = _page(mesh)[top:bottom, left:right]
    plain = island.flat >= PLAIN
    core = plain & ~page
    if core.sum() < 4 or len(np.unique(np.rint(island.colours[core] / 8), axis=0)) > 400:
        return None
    palette = cluster(island.colours[core])
    common = np.bincount(palette.kinds) >= max(2, 0.015 * core.sum())
    values = np.full(core.shape, -1.0)
    values[core] = np.where(common[palette.kinds], 1.0, -1.0)
    first, last, start, end = _densest(values)
    if last - first < 2 or end - start < 2:
        return None
    return island.part(first, last, start, end)


def _page(mesh: Mesh) -> NDArray[np.bool_]:
    """bool[rows, cols]: the cells that run on into what lies round the mesh."""
    ring = np.ones(mesh.areas.shape, dtype=bool)
    ring[1:-1, 1:-1] = False
    shares = np.bincount(mesh.areas[ring], minlength=mesh.areas.max() + 1) / ring.sum()
    return np.asarray(shares[mesh.areas] >= 0.1)


def _densest(values: NDArray[np.float64]) -> tuple[int, int, int, int]:
    """The rectangle (top, bottom, left, right) of the largest sum: Kadane's scan, for all pairs of rows at once."""
    rows = values.shape[0]
    sums = np.vstack([np.zeros(values.shape[1]), values.cumsum(axis=0)])
    tops, bottoms = np.triu_indices(rows + 1, 1)
    lines = np.zeros((len(tops), values.shape[1] + 1))
    np.cumsum(sums[bottoms] - sums[tops], axis=1, out=lines[:, 1:])
    gains = lines - np.minimum.accumulate(lines, axis=1)
    pair, right = np.unravel_index(int(np.argmax(gains)), gains.shape)
    left = np.argmin(lines[pair, : right + 1])
    return int(tops[pair]), int(bottoms[pair]), int(left), int(right)


def _judge(mesh: Mesh) -> Board | None:
    rows, cols = mesh.flat.shape
    if len(np.unique(np.rint(mesh.colours / 4).reshape(-1, 3), axis=0)) > 256:
        return None
    palette = cluster(mesh.colours.reshape(-1, 3))
    kinds = palette.kinds.reshape(rows, cols)
    if not 2 <= len(palette.colours) <= MAX_KINDS:
        return None
    differ = np.concatenate([(kinds[:, 1:] != kinds[:, :-1]).ravel(), (kinds[1:] != kinds[:-1]).ravel()])
    lined = np.concatenate([mesh.upright[:, 1:-1].ravel(), mesh.level[1:-1].ravel()])
    if not differ.any():
        return None
    upright = (kinds[:, 1:] != kinds[:, :-1]) & mesh.upright[:, 1:-1]
    level = (kinds[1:] != kinds[:-1]) & mesh.level[1:-1]
    across, down = mesh.lattice.pitch
    length = float(upright.sum() * down + level.sum() * across)
    used = float(upright.any(axis=0).mean() * level.any(axis=1).mean())
    drawn = float(lined[differ].mean())
    same = float(lined[~differ].mean()) if (~differ).any() else 0.0
    return Board(
        mesh,
        palette,
        kinds,
        int((differ & lined).sum()),
        length,
        used,
        drawn,
        max(same, 1 - same),
        float((mesh.flat >= PLAIN).mean()),
    )


def _said(board: Board) -> str:
    rows, cols = board.kinds.shape
    return (
        f"{rows}x{cols} cells of {len(board.palette.colours)} colours, {board.drawn:.0%} of their borders drawn, "
        f"{board.flat:.0%} of the cells plain"
    )


def _calibration(sight: Sight, board: Board, game: str) -> Calibration:
    palette: tuple[Colour, ...] = tuple(
        (int(red), int(green), int(blue)) for red, green, blue in np.rint(board.palette.colours)
    )
    return Calibration(
        game=game,
        lattice=board.mesh.lattice,
        palette=palette,
        size=(sight.width, sight.height),
        tolerance=max(12.0, board.palette.gap / 2),
        confidence=board.confidence,
    )
