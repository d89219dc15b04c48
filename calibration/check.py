"""Is this calibration good for this picture? Said in words, and shown as a picture laid over the screen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from calibration.board import Calibration
from calibration.frame import Frame, Pixel
from calibration.observe import Reader
from games.core import UNREAD

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
