"""The seam where a way for boards to look is added: a Look proposes proposals, the most certain one wins."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from math import log10
from types import MappingProxyType
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from calibration.board import Calibration, Colour, Lattice
from calibration.confidence import LEAST, Features, chance, chance_of_likeliest
from calibration.detect import POSSIBLE
from calibration.frame import Box, Frame, Pixel
from calibration.lattice import HIDDEN, Usual
from calibration.scene import Scene
from games import GAMES, find_game
from games.core import Observation

STRICT = 0.8
"""From this confidence a board holds all that lies on it."""

KIND = "kind"
"""The feature of the network's chance that a board looks so; it tells nothing where the game was asked for."""

CERTAIN = 0.9
"""The chance from which no further lattice of a board is read: of 106 of 137 boards one was so likely, it was the
likeliest each time, and 121 were read in place of 848.
"""

HOPED = "hoped"
"""The feature of a proposal that obeys to the letter, and is too small to be taken where no board is expected."""


ELSEWHERE = "elsewhere"
"""The feature of a proposal beside which so many more of its cells lie, up to 1, that it is a part of something."""


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


@dataclass(frozen=True, eq=False)
class ReadBoard(ABC):
    """A lattice that a look read as a board."""

    look: ClassVar[str]
    lattice: Lattice

    @property
    @abstractmethod
    def features(self) -> dict[str, float]:
        """What the chance that it is a board is reckoned from."""

    @property
    @abstractmethod
    def explanation(self) -> str:
        """What speaks for and against it, in words."""

    @abstractmethod
    def known(self, scene: Scene) -> dict[str, Any]:
        """What a calibration holds of it, the kinds of its cells at least."""

    def calibration(self, scene: Scene, confidence: float = 0.0) -> Calibration:
        """It as a calibration."""
        return Calibration(
            game="", look=self.look, lattice=self.lattice, size=scene.size, confidence=confidence, **self.known(scene)
        )

    def proposal(self, scene: Scene, *, named: bool) -> Proposal:
        """It with its confidence.  named: whether one of the look's games was asked for."""
        calibration = self.calibration(scene, chance(self.look, self.features, named=named))
        return Proposal(self.lattice.box, self.explanation, calibration, self.features)


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

    The network proposes its boards, on every lattice that each may have.

    name: the word that stands in a saved calibration.
    usual: how usual the usual sizes are, rows and columns, up to 1; empty where one is as usual as another.
    filled: whether every cell always holds one of the colours seen at first; else kind 0 is an empty place, on which
    pieces lie that may show for the first time while it is played.
    square: whether its boards have as many rows as columns.
    hidden: how much of a row or column may lie off the picture, in cells.
    """

    name: str
    usual: Usual = MappingProxyType({})
    filled = False
    square = False
    hidden = HIDDEN

    @property
    def games(self) -> tuple[str, ...]:
        """The games that are drawn so; the first is meant where nothing tells them apart."""
        return tuple(name for name in GAMES if find_game(name).drawn == self.name)

    @abstractmethod
    def read(self, scene: Scene, lattice: Lattice, game: str | None) -> Iterable[Proposal]:
        """What the board on these cells may be, with its own features; nothing where it is none."""

    def proposals(self, scene: Scene, game: str | None) -> Iterator[Proposal]:
        """The boards that the network sees, as the lattices that each may have, up to one as good as certain."""
        for board in self._boards(scene, game):
            found: list[Proposal] = []
            for proposal in board:
                found.append(proposal)
                if proposal.confidence >= CERTAIN:
                    break
            best = max(found, key=lambda each: each.confidence, default=None)
            yield from (self._likeliest(each, game) if each is best else each for each in found)

    def every(self, scene: Scene, game: str | None) -> Iterator[Proposal]:
        """All lattices of every board that the network sees, with the chances of each by itself."""
        return chain.from_iterable(self._boards(scene, game))

    def _boards(self, scene: Scene, game: str | None) -> Iterator[Iterator[Proposal]]:
        """What can be read as a board that looks so, for each that the network sees."""
        for place, ground in scene.grounds:
            if game is None and place.chance(self.name) < POSSIBLE:
                continue
            seen = {"network": log10(_odds(place.board)), KIND: place.chance(self.name)}
            lattices = ground.likely(self.usual, scene.pixels, square=self.square, hidden=self.hidden)
            yield self._read_on(lattices, seen, scene, game)

    def _read_on(
        self, lattices: Iterable[tuple[Lattice, float]], seen: Features, scene: Scene, game: str | None
    ) -> Iterator[Proposal]:
        tried: set[tuple[int, ...]] = set()
        for lattice, lacking in lattices:
            x, y, width, height = lattice.box
            corners = tuple(map(round, (x, y, x + width, y + height)))
            for proposal in () if corners in tried else self.read(scene, lattice, game):
                yield self._judged(proposal, {**seen, "lacking": lacking}, game)
            tried.add(corners)

    def on(self, scene: Scene, lattice: Lattice, game: str | None) -> Proposal | None:
        """The board on exactly these cells, however little speaks for it; None where it cannot be read as one."""
        found = [self._judged(proposal, {}, game) for proposal in self.read(scene, lattice, game)]
        return max(found, key=lambda each: each.confidence, default=None)

    def _likeliest(self, proposal: Proposal, game: str | None) -> Proposal:
        """The likeliest proposal with the chance that it is right as such."""
        assert proposal.calibration is not None
        confidence = chance_of_likeliest(self.name, proposal.confidence, named=game is not None)
        return replace(proposal, calibration=replace(proposal.calibration, confidence=confidence))

    def _judged(self, proposal: Proposal, seen: Features, game: str | None) -> Proposal:
        """A proposal with its confidence, reckoned from its own features and from what was `seen` of its place."""
        assert proposal.calibration is not None
        features = {**proposal.features, **seen}
        confidence = chance(self.name, features, named=game is not None)
        return replace(proposal, features=features, calibration=replace(proposal.calibration, confidence=confidence))

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

    def other_controls(self, scene: Scene, calibration: Calibration) -> Mapping[str, Pixel]:
        """The same controls elsewhere, where another player has as many; none where there are none."""
        return {}


def _odds(likely: float) -> float:
    """The odds of a chance, 0 to 1, that is never quite certain."""
    known = min(1 - LEAST, max(LEAST, likely))
    return known / (1 - known)
