"""The runs of a folder, for the page that lists them: trainings with their curves and players, and games played.

Nothing but the folder's own files is read, so much of each and no more, and no link is followed.
"""

from __future__ import annotations

import json
import os
import re
import threading
import time
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO

from pydantic import BaseModel, ConfigDict

from bot.protocol.values import options_from, values_of
from bot.runs.journal import LINES as JOURNAL
from bot.storage.files import open_file, read_file, written_at
from bot.web.checkpoints import CheckpointPlayer, is_kept
from games import GAMES, find_game
from games.core import BoardsightError, SettingsError
from solvers import find_solver
from solvers.core import Solver
from solvers.learned.card import Card, parse_card

PLAN, LOG, CARD = "run.toml", "log.jsonl", "model.toml"
"""The files of a training that are read: what was asked for, what was measured, the player that it left."""

MOST_FOLDERS, MOST_RUNS = 5_000, 200
"""Folders that are looked at, and runs that are told of, the latest."""

MOST_FIGURES, MOST_POINTS = 12, 300
"""Figures of a training that are drawn, and points of each: more than a small drawing has pixels."""

MOST_LOG, LONGEST_RECORD = 1 << 18, 1 << 13
"""Bytes of a log that are read at most, and of one line in it: a record of a training has some 300."""

LARGEST = 1e300
"""Numbers that can be drawn are smaller."""

MOST_CARD = 1 << 16
"""Bytes of a plan or a card that are read at most."""

FRESH = 2.0
"""Seconds in which the folder is not looked through again."""

PLAYER = "runs/"
"""What the name of a player of a run begins with, as seats are given to it."""

FITTING = re.compile(r"[^\x00-\x1f/:,]{1,100}")
"""The names of runs whose players can be named as a solver, whose options follow a colon, with commas between them."""


class Run(BaseModel):
    """A run.  changed: when it was written to last, in seconds since 1970.

    alone: whether it is a game for one.  method: how a training learns, or the solver that played.
    player: what its player is called in a seat, "" where there is none yet.  learning: whether that is the player of
    a checkpoint.  board: the variant that it plays.  note: of the card.
    """

    model_config = ConfigDict(frozen=True)

    name: str
    trained: bool
    changed: float
    game: str = ""
    title: str = ""
    alone: bool = False
    method: str = ""
    player: str = ""
    learning: bool = False
    board: dict[str, int | str] = {}
    note: str = ""


class Curves(BaseModel):
    """What a training measured: for each figure its points (step, value), thinned; `step` is the last one."""

    model_config = ConfigDict(frozen=True)

    step: float = 0.0
    seconds: float = 0.0
    figures: dict[str, list[tuple[float, float]]] = {}


def list_runs(folder: Path) -> list[Run]:
    """The latest runs in `folder`, the last one first."""
    found = []
    for path in _folders(folder):
        for lines, trained in ((LOG, True), (PLAN, True), (JOURNAL, False)):
            changed = written_at(path / lines)
            if changed:
                found.append((changed, path, trained))
                break
    found.sort(reverse=True)
    return [_told(path, changed, trained) for changed, path, trained in found[:MOST_RUNS]]


class Shelf:
    """The runs of a folder, looked through again when they were looked through a while ago; for many at once."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self._lock = threading.Lock()
        self._runs: list[Run] = []
        self._looked = -FRESH

    def runs(self) -> list[Run]:
        """All that `list_runs` tells of; none without a folder."""
        with self._lock:
            if self.folder is not None and time.monotonic() - self._looked >= FRESH:
                self._runs, self._looked = list_runs(self.folder), time.monotonic()
            return self._runs

    def players(self, game: str) -> list[str]:
        """What the players that trainings left for `game` are called in a seat."""
        return [run.player for run in self.runs() if run.player and run.game == game]

    def find(self, spec: str, game: str) -> Solver:
        """The solver that `spec` names: a training's player, or any other; raises SettingsError and ModelError."""
        if not spec.startswith(PLAYER):
            return find_solver(spec, game)
        from solvers.learned.player import player_for

        folder = _shown(self.folder)
        run = folder / spec.removeprefix(PLAYER)
        if _is_named(run.name, spec) and _card(run) is None and is_kept(run) and _planned(run).get("game") == game:
            return CheckpointPlayer(game, run)
        return player_for(game, str(card_of(folder, spec)))


def card_of(folder: Path, player: str) -> Path:
    """The card of a player as `Run.player` names it; raises SettingsError where there is none."""
    name = player.removeprefix(PLAYER)
    path = folder / name / CARD
    if not _is_named(name, player) or _card(folder / name) is None:
        raise SettingsError(f"no training in {folder} left a player {name!r}: choose one that the page lists")
    return path


def _is_named(name: str, player: str) -> bool:
    """Whether the player of a run of that name can be called so."""
    return player == f"{PLAYER}{name}" and FITTING.fullmatch(name) is not None and not name.startswith(".")


def _shown(folder: Path | None) -> Path:
    if folder is None:
        raise SettingsError("this server shows no runs: start it with --runs FOLDER")
    return folder


def curves_of(folder: Path | None, name: str) -> Curves:
    """What the training called `name` measured so far; raises SettingsError where there is none."""
    path = _shown(folder) / name
    if path.name != name or name.startswith(".") or path.is_symlink() or not written_at(path / PLAN):
        raise SettingsError(f"there is no training {name!r} in {folder}: choose one of its folders")
    if not (path / LOG).exists():  # nothing was measured yet
        return Curves()
    with open_file(path / LOG, what="a log", links=False) as file:
        records = [record for line in _lines_of(file) if (record := _record(line)) is not None]
    latest = {record["step"]: record for record in records}  # of a step that was done again after a stop, the last
    ordered = [latest[step] for step in sorted(latest)]
    names = dict.fromkeys(key for record in ordered for key in record if key not in ("step", "seconds"))
    figures = {
        key[:60]: [(record["step"], record[key]) for record in ordered if key in record]
        for key in list(names)[:MOST_FIGURES]
    }
    last = ordered[-1] if ordered else {}
    return Curves(step=last.get("step", 0.0), seconds=last.get("seconds", 0.0), figures=figures)


def _folders(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            first = [entry for entry, _ in zip(entries, range(MOST_FOLDERS), strict=False)]
            return [
                folder / each.name
                for each in first
                if not each.name.startswith(".") and each.is_dir(follow_symlinks=False)
            ]
    except OSError:  # there is none yet
        return []


def _told(path: Path, changed: float, trained: bool) -> Run:
    about = _planned(path) if trained else _played(path)
    game = str(about.get("game"))
    facts = (
        {"game": game, "title": find_game(game).title, "alone": find_game(game).players == 1} if game in GAMES else {}
    )
    name = path.name.encode("utf-8", "replace").decode()  # a folder's name may be no UTF-8
    run = Run(name=name, trained=trained, changed=changed)
    told: dict[str, Any] = {"method": str(about.get("method" if trained else "solver") or "")[:100], **facts}
    card = _card(path) if trained else None
    if trained and FITTING.fullmatch(name) and name == path.name:
        player = {"player": f"{PLAYER}{name}"}
        if card is not None:
            told |= player | {"board": values_of(card.board), "note": f"{card.budget}; {card.note}"[:300]}
        elif facts and is_kept(path):
            told |= player | {"board": _board_of(about), "learning": True}
    return run.model_copy(update=told)


def _planned(path: Path) -> dict[str, Any]:
    """What a training was asked for, {} where that cannot be read."""
    try:
        return tomllib.loads(read_file(path / PLAN, most=MOST_CARD, what="a plan", links=False).decode())
    except (SettingsError, ValueError, RecursionError):
        return {}


def _board_of(plan: dict[str, Any]) -> dict[str, int | str]:
    try:
        return values_of(options_from(plan.get("board", {})))
    except (SettingsError, AttributeError):
        return {}


def _played(path: Path) -> dict[str, Any]:
    """The game and the solver of a run that was played, as the first lines of its journal say."""
    try:
        with open_file(path / JOURNAL, what="a journal", links=False) as file:
            lines = file.read(LONGEST_RECORD).splitlines()[:3]
    except (OSError, SettingsError):
        return {}
    told: dict[str, Any] = {}
    for line in lines:
        told |= _object(line)
    return told


def _card(path: Path) -> Card | None:
    """The card of the player that a training left; None where there is none, or it is a link, or its weights are."""
    changed = written_at(path / CARD)
    card = None if path.is_symlink() or not changed else _read_card(path / CARD, changed)
    return card if card is not None and written_at(path / card.weights) and card.game in GAMES else None


@lru_cache(maxsize=2 * MOST_RUNS)
def _read_card(path: Path, changed: float) -> Card | None:
    try:
        return parse_card(read_file(path, most=MOST_CARD, what="a card", links=False).decode())
    except (BoardsightError, ValueError):
        return None


def _lines_of(file: BinaryIO) -> list[bytes]:
    """The lines of a log, or of a long one as many of them as are drawn, evenly from its first to its last."""
    size = os.fstat(file.fileno()).st_size
    if size <= MOST_LOG:
        lines = file.read(MOST_LOG).splitlines()
        kept = {round(at * (len(lines) - 1) / (MOST_POINTS - 1)) for at in range(MOST_POINTS)}
        return lines if len(lines) <= MOST_POINTS else [lines[at] for at in sorted(kept)]
    lines = []
    for at in range(MOST_POINTS):
        file.seek(max(0, (size - 2 * LONGEST_RECORD) * at // (MOST_POINTS - 1)))
        if at:
            file.readline(LONGEST_RECORD)  # the rest of a line
        lines.append(file.readline(LONGEST_RECORD))
    return [*lines, *file.read(2 * LONGEST_RECORD).splitlines()[-1:]]


def _record(line: bytes) -> dict[str, float] | None:
    """What a line of a log measured, as far as that are finite numbers; None for no such line."""
    found = _object(line)
    numbers = {str(key): float(value) for key, value in found.items() if _is_number(value)}
    return numbers if "step" in numbers else None


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < LARGEST


def _object(line: bytes) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
