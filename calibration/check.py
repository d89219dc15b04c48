"""Is this calibration good for this picture? Said in words, and shown as a picture laid over the screen."""

from __future__ import annotations

from dataclasses import dataclass
from math import dist
from typing import Literal

import numpy as np

from calibration.board import Calibration
from calibration.frame import Frame
from calibration.locate import BoardNotFoundError, locate
from calibration.looks import look_named
from calibration.palette import distances_lit
from calibration.refind import find_again, known_share, partly_there
from games.core import Cell

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
    cells = calibration.lattice.rows * calibration.lattice.cols
    unread = round((1 - known_share(frame, calibration)) * cells)
    near = find_again(frame, calibration)
    if near is not None:
        if near is not calibration:
            return Check("moved", _direction(calibration, near), near)
        if unread == 0:
            return Check("good", f"all {cells} cells have a known colour", near)
        if not look_named(calibration.look).filled:
            return Check("good", f"the board is in its place, {unread} of {cells} cells show new pieces or marks", near)
    covered = Check("covered", f"{unread} of {cells} cells are hidden, the others are in their place", calibration)
    if near is not None:
        return covered
    try:
        found = locate(frame, calibration.game)
    except BoardNotFoundError as problem:
        if partly_there(frame, calibration):
            return covered
        return Check("gone", f"{unread} of {cells} cells have no known colour; {problem}")
    return covered if _a_part(calibration, found) and partly_there(frame, calibration) else _compare(calibration, found)


def _a_part(whole: Calibration, part: Calibration) -> bool:
    """Whether `part` is what can be seen of the board: cells of its size, in its place, and maybe what hides it."""
    one, other = whole.lattice, part.lattice
    ends = other.origin, other.centre(Cell(other.rows - 1, other.cols - 1))
    if not look_named(whole.look).filled and dist(whole.palette[0], part.palette[0]) > whole.tolerance:
        return False
    return abs(other.pitch[0] / one.pitch[0] - 1) < 0.05 and all(one.cell(end) is not None for end in ends)


def _direction(old: Calibration, new: Calibration) -> str:
    """How far the board has moved, in words."""
    across, down = new.lattice.origin.x - old.lattice.origin.x, new.lattice.origin.y - old.lattice.origin.y
    return f"the board lies {across:+.0f} pixels right, {down:+.0f} down of its old place"


def _compare(old: Calibration, new: Calibration) -> Check:
    """The word for the difference between the board that was and the one that is."""
    then, now = old.lattice, new.lattice
    if (now.rows, now.cols) != (then.rows, then.cols):
        return Check(
            "gone", f"a board of {now.rows}x{now.cols} cells is shown in place of {then.rows}x{then.cols}", new
        )
    ratio = now.pitch[0] / then.pitch[0]
    if abs(ratio - 1) * then.cols > 0.5:
        return Check("scaled", f"the cells are {ratio:.2f} times as large as before", new)
    shown = new.palette
    if not look_named(old.look).filled and len(shown) > len(old.palette):
        shown = shown[:1]  # pieces that the old board did not show yet
    away = distances_lit(np.array(shown, dtype=np.float64), np.array(old.palette, dtype=np.float64), old.lit).min(
        axis=1
    )
    strange = [colour for colour, far in zip(shown, away, strict=True) if far > old.tolerance]
    if strange:
        return Check("recoloured", f"{len(strange)} of {len(shown)} colours are new, such as RGB {strange[0]}", new)
    return Check("moved", _direction(old, new), new)
