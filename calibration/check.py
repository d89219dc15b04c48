"""Is this calibration good for this picture? Said in words, and shown as a picture laid over the screen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from calibration.board import Calibration
from calibration.frame import Frame, Pixel, Pixels
from calibration.observe import Reader
from games.core import BLOCKED, UNREAD, Cell, Observation

Verdict = Literal["good", "moved", "covered", "recoloured", "scaled", "gone"]


@dataclass(frozen=True, slots=True)
class Check:
    """What became of a calibrated board.

    verdict: one word.  evidence: a clause for a person.  calibration: the board as it lies now, where it was found.
    """

    verdict: Verdict
    evidence: str
    calibration: Calibration | None = None

    @property
    def good(self) -> bool:
        """Whether the calibration can be used as it is."""
        return self.verdict == "good"


def check(frame: Frame, calibration: Calibration) -> Check:
    """Whether `calibration` still fits `frame`, and if not, what happened to the board."""
    from calibration.locate import BoardNotFoundError, locate

    observation = Reader(calibration).read(frame)
    unread = int((observation.grid == UNREAD).sum())
    if unread == 0:
        return Check("good", f"all {observation.grid.size} cells have a known colour", calibration)
    try:
        found = locate(frame, calibration.game, near=calibration)
    except BoardNotFoundError as problem:
        return Check("gone", f"{unread} of {observation.grid.size} cells have no known colour; {problem}")
    return _compare(calibration, found, unread)


def _compare(old: Calibration, new: Calibration, unread: int) -> Check:
    """The word for the difference between where a board was and where it is."""
    away = Pixel(new.lattice.origin.x - old.lattice.origin.x, new.lattice.origin.y - old.lattice.origin.y)
    if (new.lattice.rows, new.lattice.cols) == (old.lattice.rows, old.lattice.cols):
        ratio = new.lattice.pitch[0] / old.lattice.pitch[0]
        if abs(ratio - 1) * old.lattice.cols > 0.5:
            return Check("scaled", f"the cells are {ratio:.2f} times as large as before", new)
        if max(abs(away.x), abs(away.y)) > 0.2 * min(old.lattice.pitch):
            return Check(
                "moved", f"the board lies {away.x:+.0f} pixels right, {away.y:+.0f} down of its old place", new
            )
        return Check("recoloured", f"{unread} cells have colours that are not in the palette", new)
    return Check("covered", f"{unread} cells are hidden", old)


def overlay(
    frame: Frame,
    calibration: Calibration,
    observation: Observation | None = None,
    marks: Mapping[Cell, str] | None = None,
) -> Pixels:
    """`frame` with what was seen drawn over it: grid, kinds, doubtful cells, controls and the start corner."""
    seen = Reader(calibration).read(frame) if observation is None else observation
    shown = frame.pixels.copy()
    lattice = calibration.lattice
    for row in range(lattice.rows):
        for col in range(lattice.cols):
            at = lattice.centre(Cell(row, col))
            _dot(shown, at, calibration, int(seen.grid[row, col]), float(seen.confidence[row, col]))
    x, y, width, height = (round(value) for value in lattice.box)
    cv2.rectangle(shown, (x, y), (x + width, y + height), (255, 255, 255), 2, cv2.LINE_AA)
    for name, at in calibration.controls.items():
        cv2.circle(shown, (round(at.x), round(at.y)), 6, (255, 255, 255), 2, cv2.LINE_AA)
        cv2.putText(
            shown, name.rpartition(":")[2], (round(at.x) + 8, round(at.y)), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1
        )
    for cell, text in (marks or {}).items():
        at = lattice.centre(cell)
        cv2.putText(shown, text, (round(at.x) - 5, round(at.y) + 5), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1)
    return shown


def _dot(shown: Pixels, at: Pixel, calibration: Calibration, kind: int, confidence: float) -> None:
    """The kind of a cell as a ringed dot; a red cross where it was not read."""
    place, radius = (round(at.x), round(at.y)), max(3, round(min(calibration.lattice.pitch) / 8))
    if kind in (UNREAD, BLOCKED):
        cv2.drawMarker(
            shown, place, (255, 0, 0) if kind == UNREAD else (128, 128, 128), cv2.MARKER_TILTED_CROSS, 2 * radius, 2
        )
        return
    colour = np.asarray(calibration.palette[kind]).tolist()
    cv2.circle(shown, place, radius + 1, (255, 255, 255) if confidence >= 0.5 else (255, 0, 0), -1, cv2.LINE_AA)
    cv2.circle(shown, place, radius, colour, -1, cv2.LINE_AA)
