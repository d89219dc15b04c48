"""Boards of coloured cells: Flood-It and Filler, with gaps or without, rounded, lined, walled, half flooded."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from calibration.board import Calibration, Colour, Lattice
from calibration.confidence import Features
from calibration.frame import Frame, Pixel
from calibration.look import ELSEWHERE, Look, Proposal
from calibration.looks.coloured.annotations import (
    holes,
    is_wall,
    kinds_beside_corners,
    lit_starts,
    marked_cells,
    start_corner,
    twins,
)
from calibration.looks.coloured.board import board_on
from calibration.looks.coloured.buttons import colour_buttons, colours_shown, other_buttons
from calibration.looks.coloured.flooding import FEWEST_WITH_BUTTONS, refute
from calibration.looks.coloured.reader import ColourReader
from calibration.mesh import measure
from calibration.palette import UNLIT, Lit, gap_of, tolerance_of
from calibration.scene import Scene
from calibration.settled import refined
from games import find_game
from games.core import Cell

SQUARES = MappingProxyType({(side, side): 1.0 for side in range(4, 31)})
"""The sizes that most boards have; in a large flooded region the network sees no cells, and so too few rows."""

SEALED, USED, LIKELY = 0.98, 0.5, 0.6
"""How sealed a board is where all its cells and borders obey, and none goes on beyond its rim; the share of its lines
that must be in use, for large regions leave many idle; and its confidence then.

Of drawn boards of these games so sealed 640 were right, 90 had a kind more or less; of pictures without a board 2 were.
"""

SHOWN = 0.75
"""The share of a small board's colours that have a button: that of the colour played last may be hidden."""

ORDERLY = 0.3
"""The quality from which buttons in the colours of a board are looked for."""

AS_LIT = 0.05
"""By how much of each other two owners' cells are lit otherwise at most: they pulse together."""


class ColouredLook(Look):
    """The look of the flooding games."""

    name = "coloured"
    filled = True
    usual = SQUARES

    def read(self, scene: Scene, lattice: Lattice, game: str | None) -> Iterator[Proposal]:
        """The board on these cells, and the buttons in its colours where it is worth looking for them."""
        board = board_on(scene, lattice)
        if board is None:
            return
        calibration = board.calibration(scene, game)
        shown, gone = colours_shown(scene, calibration) if board.quality >= ORDERLY else (0.0, 0)
        features = board.features | {"buttons": shown, ELSEWHERE: board.elsewhere(scene)}
        if shown == 1.0 and gone:  # the colours of a game are those of its buttons, near its end too
            kinds = len(calibration.palette) + gone
            features |= {"two": float(kinds <= 2), "kinds": float(kinds / np.sqrt(board.kinds.of.size))}
        if shown >= SHOWN:  # smaller boards are known by their buttons
            features["shaped"] = board.shaped(FEWEST_WITH_BUTTONS)
        yield Proposal(calibration.lattice.box, board.explanation, calibration, features)

    def _read_on(
        self, lattices: Iterable[tuple[Lattice, float]], seen: Features, scene: Scene, game: str | None
    ) -> Iterator[Proposal]:
        """The proposals on `lattices`, then the likeliest as far as such cells go on, which the network may miss."""
        found = list[Proposal]()
        for proposal in super()._read_on(lattices, seen, scene, game):
            yield proposal
            found.append(proposal)
        best = max(found, key=lambda each: each.confidence, default=None)
        if best is not None and best.calibration is not None and _obeys(best.features) >= SEALED:
            whole = _grown(scene, best.calibration.lattice)
            more = [] if whole == best.calibration.lattice else [(refined(whole, scene.pixels), 0.0)]
            yield from (each for each in super()._read_on(more, seen, scene, game) if _is_sealed(each.features))

    def _judged(self, proposal: Proposal, seen: Features, game: str | None) -> Proposal:
        """A proposal with its confidence; where its game was asked for, at least LIKELY in a sealed board."""
        judged = super()._judged(proposal, seen, game)
        features = judged.features
        sealed = _is_sealed(features) and not features["two"] and not features["many"]
        if game is None or not sealed or judged.calibration is None or judged.confidence >= LIKELY:
            return judged
        return replace(judged, calibration=replace(judged.calibration, confidence=LIKELY))

    def reader(self, calibration: Calibration, offset: Pixel) -> ColourReader:
        """A reader of cells by their colour."""
        return ColourReader(calibration, offset)

    def refute(self, proposal: Proposal, frame: Frame, grid: NDArray[np.int8], *, named: bool) -> str:
        """Why no flooding game leads to these cells."""
        return refute(proposal, grid, named=named)

    def other_controls(self, scene: Scene, calibration: Calibration) -> Mapping[str, Pixel]:
        """The buttons of another row, where each player has one."""
        return other_buttons(scene, calibration)

    def finish(self, scene: Scene, calibration: Calibration) -> Calibration:
        """`calibration` with the kinds told by marks, the colour buttons, the walls and the start corner."""
        mesh = measure(scene, calibration.lattice)
        of = ColourReader(calibration).read(scene.frame).grid.astype(np.intp)
        marked = marked_cells(scene, mesh)
        pairs = twins(scene, mesh, of, marked)
        known = replace(
            calibration,
            palette=calibration.palette + tuple(calibration.palette[kind] for kind in pairs),
            marked=frozenset(range(len(calibration.palette), len(calibration.palette) + len(pairs))),
        )
        none = holes(scene, mesh, of)
        gone = np.setdiff1d(np.arange(len(known.palette)), of).tolist()
        buttons = colour_buttons(scene, known, none, gone, kinds_beside_corners(of))
        single = np.setdiff1d(of[of >= 0], pairs)  # of two kinds in one colour neither is too frequent
        played: dict[int, Pixel | None] = dict.fromkeys(buttons.disabled)
        played |= {int(name.partition(":")[2]): at for name, at in buttons.controls.items()}
        starts = [*lit_starts(calibration.palette, mesh, of, played)] if calibration.lit is None else []
        while starts:
            _, lit, _ = starts[0]
            alike = [start for start in starts if np.allclose(start[1], lit, rtol=AS_LIT)]
            starts = [start for start in starts if start not in alike]
            whole = self.finish(scene, _lit(calibration, [colour for colour, *_ in alike], lit))
            if any(surely for *_, surely in alike) or len(whole.controls) + len(whole.disabled) > len(played):
                return whole
        walls = [int(kind) for kind in single if is_wall(known, of, int(kind), played, marked)]
        walls += [kind for kind in none if kind not in played]
        start = start_corner(of, marked) if find_game(calibration.game).players == 1 else None
        blocked = frozenset(Cell(int(row), int(col)) for row, col in np.argwhere(np.isin(of, walls)))
        return replace(
            known,
            lit=known.lit or UNLIT,
            palette=buttons.palette,
            controls=buttons.controls,
            disabled=frozenset(f"colour:{kind}" for kind in buttons.disabled),
            blocked=blocked,
            start=start,
        )


def _lit(calibration: Calibration, colours: Collection[Colour], lit: Lit) -> Calibration:
    """The calibration of a board whose cells are lit so where somebody owns them, as in `colours`."""
    palette = tuple(each for each in calibration.palette if each not in colours)
    gap = gap_of(np.asarray(palette, dtype=np.float32))
    return replace(calibration, palette=palette, tolerance=tolerance_of(gap), lit=lit)


def _obeys(features: Features) -> float:
    """How strictly the cells of a board obey, and the borders between them, up to 1."""
    return features["clean"] * features["good"] * features["drawn"]


def _is_sealed(features: Features) -> bool:
    """Whether all cells and borders of a board obey, and none goes on beyond its rim."""
    return features["used"] > USED and features["sealed"] >= SEALED * features["used"]


def _grown(scene: Scene, lattice: Lattice) -> Lattice:
    """The lattice with all rows and columns on each side that show cells such as those of the board on it."""
    while (board := board_on(scene, lattice)) is not None and board.grown != board.mesh.lattice:
        x, y, width, height = board.grown.box
        if min(x, y) < 0 or x + width > scene.width or y + height > scene.height:
            break
        lattice = board.grown
    return lattice


LOOK = ColouredLook()
