"""Watching the bot: a run's folder, followed while it is written, as messages for the viewer's page.

The journal on the disk is all there is between the bot and its watchers: a run that goes on and one that ended long
ago look the same to the page, and a watcher cannot disturb the player.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from bot.runs.journal import LINES, MOST_BYTES, is_count, is_name, parse_line
from bot.storage.files import open_file, read_calibration
from bot.storage.pictures import read_png
from calibration.board import Calibration
from games.core import SettingsError

POLL = 0.05
"""Seconds between two looks at the journal: less than a turn takes to be seen."""

PICTURE = re.compile(r"[a-z]+(-[0-9]+)?\.png", re.ASCII)
"""The names of a run's pictures."""


class Watched(BaseModel):
    """A line of the journal of `run`, as `bot.runs.journal` describes it; `kind` is "run" where another run begins.

    picture: the address of the picture it names.  board: of a ``calibrated`` line, where the board lies in the full
    picture: origin, pitch (x, y), rows, cols, and the palette's colours.
    """

    model_config = ConfigDict(frozen=True)

    type: Literal["WATCH"] = "WATCH"
    run: str
    line: dict[str, Any]
    picture: str | None = None
    board: dict[str, Any] | None = None


def run_folder(runs: Path, name: str) -> Path:
    """The run called `name`; raises SettingsError for one that is not in `runs`."""
    folder = runs / name
    if folder.name != name or folder.is_symlink() or not (folder / LINES).is_file():
        raise SettingsError(f"there is no run {name!r} in {runs}: choose one of its folders")
    return folder


def latest(runs: Path) -> Path | None:
    """The run that was written to last, None before the first."""
    folders = [path.parent for path in runs.glob(f"[!.]*/{LINES}") if not path.parent.is_symlink()]
    return max(folders, key=lambda folder: ((folder / LINES).lstat().st_ctime_ns, folder.name), default=None)


def picture_file(runs: Path, run: str, name: str) -> bytes:
    """A picture of a run as its PNG file; raises SettingsError for what is none, or a link."""
    folder = run_folder(runs, run)
    if not PICTURE.fullmatch(name):
        raise SettingsError(f"the run {run} has no picture {name!r}")
    return read_png(folder / name)


async def follow(runs: Path, name: str = "") -> AsyncIterator[Watched]:
    """The lines of the run called `name`, or of the latest, and of each that is begun after it, as they are written."""
    folder = run_folder(runs, name) if name else None
    read = 0
    while True:
        newest = folder if name else await asyncio.to_thread(latest, runs)
        if newest != folder:
            folder, read = newest, 0
        if folder is not None:
            told, size = await asyncio.to_thread(_told_since, folder, read)
            read += size
            for line in told:
                yield line
        await asyncio.sleep(POLL)


def watched(folder: Path, line: dict[str, Any]) -> Watched:
    """What the page is told of a line of the journal in `folder`."""
    named = line.get("picture")
    board = None
    if line.get("kind") == "calibrated" and is_count(line.get("number")):
        stem = f"calibration-{line['number']}"
        named = f"{stem}.png"
        board = _lattice(read_calibration(folder / f"{stem}.toml", links=False))
    picture = None if named is None or not is_name(named) else f"runs/{folder.name}/{named}"
    return Watched(run=folder.name, line=line, picture=picture, board=board)


def _told_since(folder: Path, start: int) -> tuple[list[Watched], int]:
    text = _whole_lines(folder, start)
    return [watched(folder, parse_line(line, str(folder))) for line in text.splitlines()], len(text)


def _whole_lines(folder: Path, start: int) -> bytes:
    """What was written since byte `start`, in whole lines; raises SettingsError where the run is gone."""
    try:
        with open_file(folder / LINES, what="a journal", links=False) as file:
            file.seek(start)
            text = file.read(MOST_BYTES)
    except (OSError, SettingsError) as problem:
        raise SettingsError(f"the run {folder.name} can no longer be read ({problem}): choose another") from None
    return text[: text.rfind(b"\n") + 1]


def _lattice(calibration: Calibration) -> dict[str, Any]:
    lattice = calibration.lattice
    return {
        "origin": list(lattice.origin),
        "pitch": list(lattice.pitch),
        "rows": lattice.rows,
        "cols": lattice.cols,
        "palette": ["#{:02x}{:02x}{:02x}".format(*colour) for colour in calibration.palette],
        "confidence": calibration.confidence,
    }
