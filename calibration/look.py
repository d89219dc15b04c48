"""The seam where a way for boards to look is added: a Look proposes proposals, the most certain one wins."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import log10
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from calibration.board import Calibration, Colour, Lattice
from calibration.confidence import Features, chance
from calibration.frame import Box, Frame, Pixel
from calibration.lattice import Usual
from calibration.scene import Scene
from games import GAMES, find_game
from games.core import Observation

STRICT = 0.8
"""From this confidence a board holds all that lies on it."""

POSSIBLE = 0.05
"""The chance of a look from which a board that the network sees is read where no game was asked for."""

HIDDEN, CUT = 0.35, 0.8
"""How much of a row or column may lie off the picture, in cells, where all of them hold something; and where not."""

KIND = "kind"
"""The feature of the network's chance that a board looks so; it tells nothing where the game was asked for."""

BETWEEN = "between"
"""The feature of a lattice that is not the one which the network sees, but one that looks alike."""

LEAST = 0.0001
"""The chance below which, and as far under 1, what the network says is as good as certain."""

HOPED = "hoped"
"""The feature of a proposal that obeys to the letter, and is too small to be taken where no board is expected."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A place in a picture that may be a board.

    box: where it is.  explanation: what speaks for it, or why it was dropped, in words.
    calibration: what it would be as a board, with its confidence; None where it was dropped before that.
    features: what that confidence was reckoned from.
    """

    box: Box
    explanation: str
    calibration: Calibration | None = None
    features: Features = field(default_factory=dict)

    @property
    def confidence(self) -> float:
        """The chance, 0 to 1, that this is the board."""
        return 0.0 if self.calibration is None else self.calibration.confidence


class Reader(Protocol):
    """Reads one calibrated board in one picture after the other."""

    def read(self, frame: Frame) -> Observation:
        """What `frame` shows now; cells that are covered, off the picture or like no known kind are UNREAD."""
        ...

    def learned(self) -> Calibration:
        """The calibration with the kinds that were seen for the first time, such as the first piece of a player.

        To be used only after a picture that was still: a piece that is fading in has not its colour yet.
        """
        ...


class Look(ABC):
    """One way for boards to look, such as coloured squares or discs in holes.

    name: the word that stands in a saved calibration.
    filled: whether every cell always holds one of the colours seen at first; else kind 0 is an empty place, on which
    pieces lie that may show for the first time while it is played.
    """

    name: str
    filled = False

    @property
    def games(self) -> tuple[str, ...]:
        """The games that are drawn so; the first is meant where nothing tells them apart."""
        return tuple(name for name in GAMES if find_game(name).drawn == self.name)

    @property
    def usual(self) -> Usual:
        """How usual the usual sizes are, rows and columns, up to 1; empty where one is as usual as another."""
        return {}

    def proposals(self, scene: Scene, game: str | None) -> Iterator[Proposal]:
        """Every board that the network sees and that can be read as one that looks so, as the lattices it may have."""
        for place, ground in scene.grounds:
            if game is None and place.chance(self.name) < POSSIBLE:
                continue
            board = min(1 - LEAST, max(LEAST, place.board))
            seen = {"network": log10(board / (1 - board)), KIND: place.chance(self.name)}
            tried: set[tuple[int, ...]] = set()
            for likely, lacking in ground.likely(self.usual, scene.pixels):
                for number, lattice in enumerate(self.alike(likely)):
                    x, y, width, height = lattice.box
                    corners = tuple(map(round, (x, y, x + width, y + height)))
                    if corners in tried or not _inside(scene, lattice, HIDDEN if self.filled else CUT):
                        continue
                    tried.add(corners)
                    proposal = self.read(scene, lattice, game)
                    if proposal is not None:
                        yield self._judged(proposal, seen | {"lacking": lacking, BETWEEN: float(number > 0)}, game)

    def alike(self, lattice: Lattice) -> Sequence[Lattice]:
        """The lattice, and those that boards may have on which the network sees this one."""
        return (lattice,)

    def on(self, scene: Scene, lattice: Lattice, game: str | None) -> Proposal | None:
        """The board on exactly these cells, however little speaks for it; None where it cannot be read as one."""
        proposal = self.read(scene, lattice, game)
        return None if proposal is None else self._judged(proposal, {}, game)

    def _judged(self, proposal: Proposal, seen: Features, game: str | None) -> Proposal:
        """A proposal with its confidence, reckoned from its own features and from what was `seen` of its place."""
        assert proposal.calibration is not None
        features = {**proposal.features, **seen}
        confidence = chance(self.name, features, named=game is not None)
        return replace(proposal, features=features, calibration=replace(proposal.calibration, confidence=confidence))

    @abstractmethod
    def read(self, scene: Scene, lattice: Lattice, game: str | None) -> Proposal | None:
        """The board on these cells with its own features, without a confidence; None where it cannot be read as one."""

    @abstractmethod
    def reader(self, calibration: Calibration, offset: Pixel) -> Reader:
        """What reads a board of this look in pictures whose top left pixel is `offset` in the calibration's picture."""

    def refute(self, proposal: Proposal, frame: Frame, grid: NDArray[np.int8], *, named: bool) -> str:
        """Why what is drawn speaks against a proposal that `frame` shows as `grid`, "" where it does not.

        grid: as of an Observation.  named: whether one of the games was asked for.
        """
        return ""

    def ground(self, calibration: Calibration) -> Colour | None:
        """The colour where four cells meet, None where it is not known: cells may touch."""
        return None

    def finish(self, scene: Scene, calibration: Calibration) -> Calibration:
        """The chosen proposal's `calibration` with all that is only worth looking for now: buttons, start, walls."""
        return calibration


def _inside(scene: Scene, lattice: Lattice, hidden: float) -> bool:
    """Whether no more than so much of a row or a column of a lattice lies off the picture."""
    x, y, width, height = lattice.box
    across, down = (hidden * side for side in lattice.pitch)
    fits = x >= -across and x + width <= scene.width + across
    return fits and y >= -down and y + height <= scene.height + down
