"""Read a calibrated board from one picture after the other, whatever its look."""

from __future__ import annotations

from calibration.board import Calibration
from calibration.frame import Frame, Pixel
from calibration.looks import look_named
from games.core import Observation


class Reader:
    """Reads one board again and again; made once for a calibration and the place its pictures are cut from."""

    def __init__(self, calibration: Calibration, offset: Pixel = Pixel(0, 0)) -> None:
        """Prepare to read pictures whose top left pixel is `offset` in the picture of the calibration."""
        self._reader = look_named(calibration.look).reader(calibration, offset)

    def read(self, frame: Frame) -> Observation:
        """What `frame` shows now; cells that are covered, off the picture or like no known kind are UNREAD."""
        return self._reader.read(frame)

    def learned(self) -> Calibration:
        """The calibration with the kinds that were seen for the first time, such as the first piece of a player.

        To be used only after a picture that was still: a piece that is fading in has not its colour yet.
        """
        return self._reader.learned()
