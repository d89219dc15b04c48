"""What was learned of pages at earlier visits: a small file for each page and look, in the user's own folder.

A file is named by a hash of the page's address, which may hold what is nobody's business; nothing else names the page.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tomli_w
from platformdirs import user_data_dir

from bot.storage.files import read_text, write_text
from bot.storage.pictures import decode_picture, encode_png
from calibration.board import Calibration, dump_calibration, load_calibration
from calibration.frame import Pixels
from games.core import SettingsError

VERSION = 1
"""The version of the files; those of another one are not read."""

MOST_PAGES = 200
"""Files that are kept; the ones that were not used for longest go first."""

MOST_BYTES, MOST_FACE = 1 << 20, 1 << 17
"""Bytes of a file, and of a control's picture in it, at most: one of 300 by 300 pixels takes 20 KB."""


@dataclass(frozen=True, slots=True)
class KnownPage:
    """What is known of a page's boards of one look.

    calibration: the last one there; of it hold what is no board's own: the game, how moves are made, the controls.
    numbers: what no picture tells of the game's positions there, as in an Observation.
    faces: pictures of the controls that are not found by looking.
    """

    calibration: Calibration
    numbers: Mapping[str, int] = field(default_factory=dict)
    faces: Mapping[str, Pixels] = field(default_factory=dict)


def pages_folder() -> Path:
    """Where the files lie, which need not be there: in the folder that the system has for a user's data."""
    return Path(user_data_dir("boardsight", appauthor=False)) / "pages"


class PageMemory:
    """What is kept of the page at `address`; `say` is told, in one line, of what cannot be read or written."""

    def __init__(self, address: str, *, say: Callable[[str], None], folder: Path | None = None) -> None:
        self._folder = folder or pages_folder()
        self._name = hashlib.sha256(address.encode("utf-8", "replace")).hexdigest()[:32]
        self._say = say

    def recall(self, look: str) -> KnownPage | None:
        """What is known of the page's boards of that look; None where nothing is, or cannot be read."""
        path = self._path(look)
        if not path.exists():
            return None
        try:
            return _parsed(read_text(path, most=MOST_BYTES, what="what is known of a page"))
        except SettingsError as problem:
            self._say(f"{path} is not used, the page is learned anew: {problem}")
            return None

    def keep(self, page: KnownPage) -> None:
        """Keeps what is known from now on, in the place of what was."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            write_text(self._path(page.calibration.look), _formatted(page))
            for old in sorted(self._folder.glob("*.toml"), key=lambda path: -path.stat().st_mtime)[MOST_PAGES:]:
                old.unlink(missing_ok=True)
        except (OSError, SettingsError) as problem:
            self._say(f"what was learned of the page is not kept: {problem}")

    def forget(self) -> None:
        """Removes all that is known of the page."""
        for path in self._folder.glob(f"{self._name}-*.toml"):
            path.unlink(missing_ok=True)

    def _path(self, look: str) -> Path:
        return self._folder / f"{self._name}-{look}.toml"


def _formatted(page: KnownPage) -> str:
    faces = {name: base64.b64encode(encode_png(pixels)).decode("ascii") for name, pixels in page.faces.items()}
    content = {
        "version": VERSION,
        "calibration": dump_calibration(page.calibration),
        "numbers": dict(page.numbers),
        "faces": {name: text for name, text in faces.items() if len(text) <= MOST_FACE},
    }
    return tomli_w.dumps(content)


def _parsed(text: str) -> KnownPage:
    """What `_formatted` wrote; raises SettingsError."""
    try:
        content: dict[str, Any] = tomllib.loads(text)
        if content["version"] != VERSION:
            raise SettingsError(f"it has version {content['version']!r}, this Boardsight reads {VERSION}")
        numbers, faces = dict(content["numbers"]), dict(content["faces"])
        if any(type(number) is not int for number in numbers.values()):
            raise SettingsError("its numbers are no whole numbers")
        pictures = {name: decode_picture(base64.b64decode(face, validate=True), name) for name, face in faces.items()}
        return KnownPage(load_calibration(content["calibration"]), numbers, pictures)
    except SettingsError:  # it is a ValueError, too
        raise
    except (KeyError, TypeError, ValueError, RecursionError, binascii.Error) as problem:
        raise SettingsError(f"it is none of Boardsight's files ({problem!r})") from None
