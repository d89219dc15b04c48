"""Where a board of coloured cells may be: on blobs of one size."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.board import Lattice
from calibration.confidence import chance
from calibration.frame import Pixel
from calibration.lattice import densest
from calibration.look import Proposal
from calibration.looks.coloured.board import FLAWLESS, ColouredBoard
from calibration.looks.coloured.buttons import colours_shown
from calibration.looks.coloured.extent import settled_board
from calibration.looks.coloured.flooding import FEWEST_WITH_BUTTONS
from calibration.scene import Group, Scene

PITCHES = 2
"""Pitches tried along each axis for a group of blobs, the best supported first."""

SPACED = 2.2
"""How far apart, in their own widths, the centres of neighbouring cells may be."""

SPARSE = 0.2
"""What a place without a blob of the group costs where the group is densest: half flooded boards have many."""

SHOWN = 0.75
"""The share of a small board's colours that have a button: that of the colour played last may be hidden."""

ORDERLY = 0.3
"""The quality from which buttons in the colours of a board are looked for."""

MIN_STRENGTH = 0.4
"""How much of the points must swing in step with a pitch: random points seldom pass 0.3."""

NEAR = 0.15
"""How far from its place, in pitches, a point may lie and still belong: cells may be uneven."""

AT_ONCE = 1 << 24
"""Products of a point and a frequency that are held at a time, in 256 MB: 8,388 points at the 2,000 frequencies."""

Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Spacing:
    """Even places: `phase` + k * `pitch`, in pixels.

    strength: 0 to 1, how much of the points swings in step with them.
    """

    pitch: float
    phase: float
    strength: float

    def number(self, points: Points) -> NDArray[np.intp]:
        """intp[n]: which place each point, float[n] in pixels, is nearest to."""
        return np.rint((points - self.phase) / self.pitch).astype(np.intp)

    def holds(self, points: Points) -> NDArray[np.bool_]:
        """bool[n]: whether each point, float[n] in pixels, lies at a place."""
        place = (points - self.phase) / self.pitch
        return np.asarray(np.abs(place - np.rint(place)) <= NEAR)


def _spacings(points: Points, shortest: float, longest: float, *, at_most: int) -> list[Spacing]:
    """The pitches from `shortest` to `longest` that the points are spaced by, strongest first.

    Places with all distances multiples of a pitch make the Fourier component of that pitch large; the grid of pitches
    is so fine that over the extent of the points no phase slips by more than an eighth.
    """
    extent = float(np.ptp(points)) + shortest
    count = int(np.ceil(8 * extent * (1 / shortest - 1 / longest))) + 2
    frequencies = np.linspace(1 / longest, 1 / shortest, min(count, 2000))
    strength = np.abs(_components(points, frequencies))
    padded = np.concatenate([[-1.0], strength, [-1.0]])
    peaks = np.flatnonzero((strength >= padded[:-2]) & (strength > padded[2:]) & (strength >= MIN_STRENGTH))
    best = peaks[np.argsort(-strength[peaks], kind="stable")[:at_most]]
    return [_fitted(points, 1 / float(frequencies[peak])) for peak in best]


def _components(points: Points, frequencies: Points) -> NDArray[np.complex128]:
    """complex128[f]: the mean of ``exp(-2 pi i f x)`` over the points, float64[n], for each of the frequencies."""
    if len(points) * len(frequencies) <= AT_ONCE:
        return np.asarray(np.exp(-2j * np.pi * frequencies[:, None] * points[None, :]).mean(axis=1))
    places, counts = np.unique(points, return_counts=True)  # no more than two a pixel, however many points there are
    rows = max(1, AT_ONCE // len(places))
    parts = [frequencies[start : start + rows] for start in range(0, len(frequencies), rows)]
    sums = [np.exp(-2j * np.pi * part[:, None] * places) @ counts for part in parts]
    return np.asarray(np.concatenate(sums) / len(points), np.complex128)


def _fitted(points: Points, pitch: float) -> Spacing:
    """The spacing of a pitch, fitted by least squares to the points at its places."""
    component = np.exp(-2j * np.pi * points / pitch).mean()
    spacing = Spacing(pitch, float(-np.angle(component) / (2 * np.pi) * pitch), float(abs(component)))
    held = spacing.holds(points)
    number = spacing.number(points)
    if len(np.unique(number[held])) >= 2:
        slope, start = np.polyfit(number[held], points[held], 1)
        spacing = Spacing(float(slope), float(start), spacing.strength)
    return spacing


def boards_in_groups(scene: Scene, groups: list[Group], game: str | None) -> Iterator[Proposal]:
    """The best board that each of the groups leads to, until one is certain."""
    best: ColouredBoard | None = None
    for group in groups:
        if best is not None and best.certain:
            return
        if best is not None and _mostly_inside(group, best):
            continue
        boards = _boards(scene, group)
        if not boards:
            width, height = group.size
            explanation = f"{len(group.boxes)} patches of {width:.0f}x{height:.0f} pixels in no even rows and columns"
            yield Proposal(group.bounds, explanation)
            continue
        board = max(boards, key=lambda board: board.worth)
        best = board if best is None or board.worth > best.worth else best
        yield proposal_of(scene, board, game)


def proposal_of(scene: Scene, board: ColouredBoard, game: str | None) -> Proposal:
    """A board and what speaks for it, the buttons in its colours too where it is worth looking for them."""
    calibration = board.calibration(scene, game)
    shown, gone = colours_shown(scene, calibration) if board.quality >= ORDERLY else (0.0, 0)
    features = board.features | {"buttons": shown}
    if shown == 1.0 and gone:  # the colours of a game are those of its buttons, near its end too
        kinds = len(calibration.palette) + gone
        features |= {"two": float(kinds <= 2), "kinds": float(kinds / np.sqrt(board.kinds.of.size))}
    if shown >= SHOWN:  # smaller boards are known by their buttons
        features["shaped"] = board.shaped(FEWEST_WITH_BUTTONS)
    confidence = chance("coloured", features, named=game is not None)
    if game is not None and board.flawless:
        confidence = max(confidence, FLAWLESS)
    return Proposal(board.mesh.lattice.box, board.explanation, replace(calibration, confidence=confidence), features)


def _mostly_inside(group: Group, board: ColouredBoard) -> bool:
    """Whether most blobs of a group lie on a board that is certain enough."""
    box = board.mesh.lattice.box
    return board.quality > 0.5 and float(np.mean([box.contains(Pixel(x, y)) for x, y in group.centres])) > 0.5


def _boards(scene: Scene, group: Group) -> list[ColouredBoard]:
    """The boards on which the blobs of `group` are cells, one for each pair of pitches that they swing with."""
    (width, height), centres = group.size, group.centres
    found = []
    for across in _spacings(centres[:, 0], width, SPACED * width, at_most=PITCHES):
        for down in _spacings(centres[:, 1], height, SPACED * height, at_most=PITCHES):
            lattice = _lattice(centres, across, down)
            for round_cells in (False, True):
                board = settled_board(scene, lattice, round_cells)
                if board is not None:
                    found.append(board)
                    break
            if found and found[-1].certain:
                return found
    return found


def _lattice(centres: NDArray[np.float64], across: Spacing, down: Spacing) -> Lattice:
    """The cells where the `centres` that lie at places of both spacings are densest."""
    held = across.holds(centres[:, 0]) & down.holds(centres[:, 1])
    cols, rows = across.number(centres[held, 0]), down.number(centres[held, 1])
    if not held.any():
        return Lattice(Pixel(0, 0), (across.pitch, down.pitch), 0, 0)
    taken = np.full((int(np.ptp(rows)) + 1, int(np.ptp(cols)) + 1), -SPARSE)
    taken[rows - rows.min(), cols - cols.min()] = 1.0
    top, bottom, left, right = densest(taken)
    origin = Pixel(
        across.phase + across.pitch * float(cols.min() + left), down.phase + down.pitch * float(rows.min() + top)
    )
    return Lattice(origin, (across.pitch, down.pitch), bottom - top, right - left)
