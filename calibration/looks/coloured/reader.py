"""Reads a board of coloured cells in picture after picture: the kind of each cell, and how clearly it was told."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.board import Calibration
from calibration.frame import Frame, Pixel, Pixels
from calibration.palette import distances_lit
from calibration.samples import CENTRE, PointSampler, marks, middle, plainness
from games.core import BLOCKED, UNREAD, Observation

AMBIGUOUS = 0.2
"""A cell whose two nearest colours are this close in proportion, (second - first) / (second + first), is unread."""

PLAIN = 0.4
"""The share of a cell's samples that must look like its median; below it something lies over the cell.

Two tones or a large number leave half of the samples; text and pictures of other windows seldom a third.
"""

ELECTED = 0.3
"""The share of its samples that must have a kind's colour for a half covered cell to be of that kind.

A pointer covers up to two thirds of a cell; the next kind may then have half as many at most.
"""

MOST_UNCLEAR = 0.1
"""The share of cells that may be half covered; where there are more, something else than a pointer lies over them."""


class ColourReader:
    """Reads a board whose kinds of cells differ in colour."""

    def __init__(self, calibration: Calibration, offset: Pixel = Pixel(0, 0)) -> None:
        """Prepare to read pictures whose top left pixel is `offset` in the picture of the calibration."""
        self._calibration = calibration
        lattice = calibration.lattice
        self._points = PointSampler(lattice, offset)
        self._centres = PointSampler(lattice, offset, reach=CENTRE, count=3) if calibration.marked else None
        self._palette = np.asarray(calibration.palette, dtype=np.float32)
        self._twins = _twins(calibration)
        self._blocked = np.zeros((lattice.rows, lattice.cols), dtype=bool)
        for cell in calibration.blocked:
            self._blocked[cell] = True
        self._numbers = {"colours": len(calibration.palette)}
        if calibration.start is not None:
            self._numbers |= {"start_row": calibration.start.row, "start_col": calibration.start.col}

    def read(self, frame: Frame) -> Observation:
        """What `frame` shows now; cells that are covered, off the picture or of no known colour are UNREAD."""
        pixels = frame.pixels
        samples = self._points.take(pixels)
        colours = middle(samples)
        plain = np.where(self._points.inside(pixels), plainness(samples, colours), 0.0)
        nearest, first, second = self._nearest(colours.astype(np.float32))
        if self._centres is not None:
            nearest = np.where(marks(self._centres.take(pixels), colours), self._twins[nearest], nearest)
        margin = (second - first) / (second + first + 1e-6)
        seen = (first <= self._calibration.tolerance) & (margin >= AMBIGUOUS) & (plain >= PLAIN)
        certainty = np.where(seen, margin * plain, 0.0)
        unclear = np.flatnonzero(~seen & self._points.inside(pixels))
        if 0 < len(unclear) <= MOST_UNCLEAR * len(seen):
            votes = self._votes(samples[unclear], self._looks(samples[seen], nearest[seen]))
            won = votes[:, 0] >= np.maximum(ELECTED, 2 * votes[:, 1])
            seen[unclear[won]] = True
            nearest[unclear[won]] = votes[won, 2].astype(np.intp)
            certainty[unclear[won]] = votes[won, 0] - votes[won, 1]
        shape = self._blocked.shape
        grid = np.where(seen, nearest, UNREAD).reshape(shape)
        confidence = certainty.reshape(shape)
        grid[self._blocked] = BLOCKED
        confidence[self._blocked] = 1.0
        return Observation(grid.astype(np.int8), confidence.astype(np.float32), self._numbers)

    def learned(self) -> Calibration:
        """The calibration as it is: all colours are there from the start."""
        return self._calibration

    def _nearest(
        self, colours: NDArray[np.float32]
    ) -> tuple[NDArray[np.intp], NDArray[np.float32], NDArray[np.float32]]:
        """The nearest kind of each cell, leaving marked kinds to the mark; its distance and that of the next kind."""
        distance = distances_lit(colours, self._palette, self._calibration.lit)
        distance[:, list(self._calibration.marked)] = 2 * 255.0
        if distance.shape[1] == 1:
            return np.zeros(len(colours), dtype=np.intp), distance[:, 0], np.full_like(distance[:, 0], 255.0)
        ordered = np.partition(distance, 1, axis=1)
        return distance.argmin(axis=1), ordered[:, 0], ordered[:, 1]

    def _looks(self, samples: Pixels, kinds: NDArray[np.intp]) -> NDArray[np.float32]:
        """float32[samples, kinds, 3]: how cells of each kind look, told by those that are; else it is of one colour."""
        found = np.repeat(self._palette[None], samples.shape[1], axis=0)
        for kind in np.unique(kinds):
            found[:, kind] = np.median(samples[kinds == kind], axis=0)
        return found

    def _votes(self, samples: Pixels, looks: NDArray[np.float32]) -> NDArray[np.float32]:
        """float32[cells, 3]: the shares of the samples of the two commonest kinds, and which kind is the commonest."""
        away = np.sqrt(((samples[:, :, None, :].astype(np.float32) - looks) ** 2).sum(axis=3))
        away[:, :, list(self._calibration.marked)] = 2 * 255.0
        nearest = np.where(away.min(axis=2) <= self._calibration.tolerance, away.argmin(axis=2), -1)
        shares = np.stack([(nearest == kind).mean(axis=1) for kind in range(len(self._palette))], axis=1)
        ordered = np.sort(np.pad(shares, ((0, 0), (1, 0))), axis=1)
        return np.stack([ordered[:, -1], ordered[:, -2], shares.argmax(axis=1)], axis=1).astype(np.float32)


def _twins(calibration: Calibration) -> NDArray[np.intp]:
    """intp[kinds]: the marked kind of the same colour, the kind itself where there is none."""
    twins = np.arange(len(calibration.palette))
    for kind in calibration.marked:
        for other, colour in enumerate(calibration.palette):
            if other != kind and colour == calibration.palette[kind]:
                twins[other] = kind
    return twins
