"""Reads a Blokus board in picture after picture."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.board import Calibration, rgb
from calibration.cell_patches import PatchSampler
from calibration.frame import Frame, Pixel
from calibration.looks.squares.board import CLEAR, REACH
from calibration.looks.squares.shades import (
    HUE,
    OUTER,
    TOLERANCE,
    start_discs,
    start_signs,
    start_tints,
    voted,
    zone_colours,
)
from calibration.palette import hue_angle
from games.core import UNREAD, Observation

MOST_COVERED = 12
"""Squares that a pointer covers at most; where there are more something else lies over them."""


class SquareReader:
    """Reads a Blokus board again and again, and learns the colours that its calibration has not seen yet."""

    def __init__(self, calibration: Calibration, offset: Pixel) -> None:
        self._calibration = calibration
        lattice = calibration.lattice.moved(Pixel(-offset.x, -offset.y))
        self._sampler, self._outer = PatchSampler(lattice, (REACH, REACH)), PatchSampler(lattice, (OUTER, OUTER))
        self._palette = [np.array(colour, dtype=np.float32) for colour in calibration.palette]
        self._marked = set(calibration.marked)
        players = [kind for kind in range(1, len(self._palette)) if kind not in self._marked]
        self._owners = [
            min(players, key=lambda player: hue_angle(self._palette[player], self._palette[kind]), default=kind)
            if kind in self._marked
            else kind
            for kind in range(len(self._palette))
        ]

    def read(self, frame: Frame) -> Observation:
        """What `frame` shows now: 0 empty, 1.. the players; covered squares and unknown colours are UNREAD."""
        zones, colours, flat = zone_colours(self._sampler.take(frame.pixels))
        grid, confidence = self._match(colours, flat)
        strange = (grid == UNREAD) & (flat >= CLEAR)
        if strange.any():
            taken, empty = strange | (grid > 0), self._palette[0]
            starts = start_discs(self._outer.take(frame.pixels), taken, empty) | start_tints(colours, taken, empty)
            starts = (starts | start_signs(zones, colours, taken)) & strange
            flat = np.where(starts, 0.0, flat).astype(np.float32)
            while len(self._palette) - len(self._marked) < 5 and self._learn(
                colours, (grid == UNREAD) & (flat >= CLEAR)
            ):
                grid, confidence = self._match(colours, flat)
            grid[starts] = 0
        covered = (grid == UNREAD) & (flat < CLEAR)
        if 0 < covered.sum() <= MOST_COVERED:
            elected = voted(zones[covered], np.stack(self._palette), np.arange(len(self._palette)), UNREAD)
            grid[covered] = np.where(elected == UNREAD, UNREAD, np.array(self._owners)[elected])
        start = self._calibration.start
        return Observation(grid, confidence, {} if start is None else {"start_row": start.row, "start_col": start.col})

    def learned(self) -> Calibration:
        """The calibration with the players' colours seen since."""
        if len(self._palette) == len(self._calibration.palette):
            return self._calibration
        palette = tuple(rgb(colour) for colour in self._palette)
        return replace(self._calibration, palette=palette, marked=frozenset(self._marked))

    def _match(
        self, colours: NDArray[np.float32], flat: NDArray[np.float32]
    ) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
        known = np.stack(self._palette)
        away = np.abs(colours[:, :, None] - known[None, None]).max(axis=3)
        ordered = np.sort(np.concatenate([away, np.full((*away.shape[:2], 1), 255.0)], axis=2), axis=2)
        seen = (ordered[..., 0] < TOLERANCE) & (flat >= CLEAR)
        margin = (ordered[..., 1] - ordered[..., 0]) / (ordered[..., 1] + ordered[..., 0] + 1e-6)
        grid = np.where(seen, np.array(self._owners)[away.argmin(axis=2)], UNREAD).astype(np.int8)
        return grid, np.where(seen, margin, 0.0).astype(np.float32)

    def _learn(self, colours: NDArray[np.float32], where: NDArray[np.bool_]) -> bool:
        """Take the commonest strange colour for a player's, or a tone of one, if two squares have it.

        Or one on a diagonal of the board, where players start: a first piece of one square.  where: bool[rows, cols].
        """
        strange, places = colours[where], np.argwhere(where)
        near = np.abs(strange[:, None] - strange[None]).max(axis=2) < TOLERANCE / 2
        starts = (places[:, 0] == places[:, 1]) | (places.sum(axis=1) == len(where) - 1)
        worth = near.sum(axis=1) + starts
        if worth.max(initial=0) < 2:
            return False
        middle = np.median(strange[near[worth.argmax()]], axis=0).astype(np.float32)
        number = len(self._palette)
        like = [kind for kind in range(1, number) if hue_angle(self._palette[kind], middle) <= HUE]
        self._owners.append(self._owners[like[0]] if like else number)
        self._marked |= {number} if like else set()
        self._palette.append(middle)
        return True
