"""Every way boards look that Boardsight knows: one module each, one line here."""

from __future__ import annotations

from calibration.board import Calibration
from calibration.frame import Pixel
from calibration.look import Look, Reader
from calibration.looks import coloured, discs, grooves, squares, stones
from games.core import SettingsError

LOOKS: tuple[Look, ...] = (coloured.LOOK, discs.LOOK, squares.LOOK, grooves.LOOK, stones.LOOK)
"""In the order in which they are tried."""


def looks_of(game: str | None) -> tuple[Look, ...]:
    """The looks `game` can have; all of them where the game is not known."""
    return tuple(look for look in LOOKS if game is None or game in look.games)


def look_named(name: str) -> Look:
    """The look of that name, as calibrations save it; raises SettingsError."""
    for look in LOOKS:
        if look.name == name:
            return look
    raise SettingsError(f"no look is called {name!r}; there are: {', '.join(look.name for look in LOOKS)}")


def reader_of(calibration: Calibration, offset: Pixel = Pixel(0, 0)) -> Reader:
    """What reads the calibrated board in pictures whose top left pixel is `offset` in the calibration's picture.

    Made once for all pictures that are cut from one place.  Raises SettingsError where the look is none there is.
    """
    return look_named(calibration.look).reader(calibration, offset)
