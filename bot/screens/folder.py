"""Saved screenshots, looked at one after another: the screen of replays and of tests on real pictures."""

from __future__ import annotations

import re
from pathlib import Path

from bot.ports import Clock, ScreenError, SystemClock
from bot.storage.pictures import SUFFIXES, load_picture
from calibration.frame import Frame, Rect, Spot
from games.core import SettingsError


class FolderScreen:
    """The pictures of a folder, or one picture, in the order of their names (``2.png`` before ``10.png``).

    Every grab shows the same picture until `advance` is called; with ``hold=False`` each grab of the whole screen
    goes on to the next one by itself.

    origin, scale: the spot of the pictures' top left corner and their pixels to a pointer unit, where they were taken.
    """

    def __init__(
        self,
        path: Path | str,
        *,
        hold: bool = True,
        origin: Spot = Spot(0, 0),
        scale: float = 1.0,
        clock: Clock | None = None,
    ) -> None:
        self.pictures = _pictures(Path(path))
        self._hold, self._origin, self._scale = hold, origin, scale
        self._clock = clock or SystemClock()
        self._index = 0
        self._frame: Frame | None = None
        self._seen = False

    @property
    def picture(self) -> Path:
        """The file that is shown now."""
        return self.pictures[self._index]

    def advance(self) -> None:
        """Go on to the next picture; raises ScreenError after the last one."""
        if self._index + 1 == len(self.pictures):
            raise ScreenError(f"{self.picture} was the last of {len(self.pictures)} pictures: there is no more to see")
        self._index += 1
        self._frame, self._seen = None, False

    def grab(self, region: Rect | None = None) -> Frame:
        """The picture, or the part of it that covers `region`; raises ScreenError."""
        if region is None and not self._hold:
            if self._seen:
                self.advance()
            self._seen = True
        if self._frame is None:
            self._frame = self._read()
        try:
            return self._frame.crop(region or self._frame.region)
        except ValueError as error:
            raise ScreenError(f"nothing to grab in {self.picture}: {error}") from None

    def close(self) -> None:
        """Forget the picture."""
        self._frame = None

    def _read(self) -> Frame:
        try:
            pixels = load_picture(self.picture)
        except SettingsError as error:
            raise ScreenError(str(error)) from error
        height, width, _ = pixels.shape
        region = Rect(self._origin.x, self._origin.y, width / self._scale, height / self._scale)
        return Frame(pixels, region, self._clock.now())


def _pictures(path: Path) -> tuple[Path, ...]:
    if path.is_file():
        return (path,)
    if not path.is_dir():
        raise ScreenError(f"{path} is neither a folder nor a picture: check the path")
    found = [file for file in path.iterdir() if file.suffix.lower() in SUFFIXES and file.is_file()]
    if not found:
        raise ScreenError(f"{path} holds no picture: put {', '.join(SUFFIXES)} files into it")
    return tuple(sorted(found, key=_natural))


def _natural(path: Path) -> list[tuple[int, str]]:
    """A key that sorts numbers in names by their value."""
    return [(int(digits or -1), text) for digits, text in re.findall(r"(\d+)|(\D+)", path.name)]
