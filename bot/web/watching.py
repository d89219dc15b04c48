"""Watching the bot: a run's folder, followed while it is written, as messages for the viewer's page.

The journal on the disk is all there is between the bot and its watchers: a run that goes on and one that ended long
ago look the same to the page, and a watcher cannot disturb the player.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from bot.protocol.values import options_from
from bot.runs.journal import LINES, MOST_BYTES, Turn, is_count, is_name, parse_line, parse_turn
from bot.runs.viewing import board_told, doubts
from bot.storage.files import open_file, read_calibration
from bot.storage.pictures import read_png
from bot.web.marks import drawing_of
from games import GAMES, find_game
from games.core import BoardsightError, SettingsError

POLL = 0.05
"""Seconds between two looks at the journal: less than a turn takes to be seen."""


class Watched(BaseModel):
    """A line of the journal of `run`, as `bot.runs.journal` describes it; `kind` is "run" where another run begins.

    picture: the address of the picture it names.  board: of a ``calibrated`` line, as `board_told` gives it.
    game: of a ``playing`` line, how the page draws it.  doubts: of a turn.  position: of a turn, what a drawing needs
    of the position decided on, None where there is no such position.
    """

    model_config = ConfigDict(frozen=True)

    type: Literal["WATCH"] = "WATCH"
    run: str
    line: dict[str, Any]
    picture: str | None = None
    board: dict[str, Any] | None = None
    game: dict[str, str] | None = None
    doubts: list[str] = []
    position: dict[str, Any] | None = None


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
    if not is_name(name):
        raise SettingsError(f"the run {run} has no picture {name!r}")
    return read_png(folder / name)


async def follow(runs: Path, name: str = "") -> AsyncIterator[Watched]:
    """The lines of the run called `name`, or of the latest, and of each that is begun after it, as they are written."""
    folder = run_folder(runs, name) if name else None
    read, game = 0, ""
    while True:
        newest = folder if name else await asyncio.to_thread(latest, runs)
        if newest != folder:
            folder, read = newest, 0
        if folder is not None:
            told, size = await asyncio.to_thread(_told_since, folder, read, game)
            read += size
            for line in told:
                game = line.line["game"] if line.game else game
                yield line
        await asyncio.sleep(POLL)


def watched(folder: Path, line: dict[str, Any], game: str = "") -> Watched:
    """What the page is told of a line of the journal in `folder`, of a run that plays `game`; raises JournalError."""
    told: dict[str, Any] = {}
    named, kind = line.get("picture"), line.get("kind")
    if kind == "calibrated" and is_count(line.get("number")):
        stem = f"calibration-{line['number']}"
        named = f"{stem}.png"
        told["board"] = board_told(read_calibration(folder / f"{stem}.toml", links=False))
    elif kind == "playing" and line.get("game") in GAMES:
        played = find_game(line["game"])
        told["game"] = {"name": played.name, "title": played.title, "drawing": drawing_of(played.name)}
    elif kind == "turn":
        turn = parse_turn({name: value for name, value in line.items() if name != "kind"})
        told |= {"doubts": doubts(turn), "position": _position(game, turn)}
    picture = None if named is None or not is_name(named) else f"runs/{folder.name}/{named}"
    return Watched(run=folder.name, line=line, picture=picture, **told)


def _position(name: str, turn: Turn) -> dict[str, Any] | None:
    """The position of a turn as the table draws positions."""
    if name not in GAMES:
        return None
    game = find_game(name)
    try:
        state = game.parse(turn.state, options_from(turn.options))
    except BoardsightError:  # a stranger's journal may say anything
        return None
    observation = game.show(state)
    shown = {"grid": observation.grid.tolist(), "numbers": dict(observation.numbers), "marks": game.marks(state)}
    return {"player": state.player, "text": turn.state, **shown}


def _told_since(folder: Path, start: int, game: str) -> tuple[list[Watched], int]:
    """What was written since byte `start` of a run that plays `game`, and how many bytes that are."""
    text, told = _whole_lines(folder, start), []
    for line in (parse_line(each, str(folder)) for each in text.splitlines()):
        game = str(line.get("game")) if line.get("kind") == "playing" else game
        told.append(watched(folder, line, game))
    return told, len(text)


def _whole_lines(folder: Path, start: int) -> bytes:
    """What was written since byte `start`, in whole lines; raises SettingsError where the run is gone."""
    try:
        with open_file(folder / LINES, what="a journal", links=False) as file:
            file.seek(start)
            text = file.read(MOST_BYTES)
    except (OSError, SettingsError) as problem:
        raise SettingsError(f"the run {folder.name} can no longer be read ({problem}): choose another") from None
    return text[: text.rfind(b"\n") + 1]
