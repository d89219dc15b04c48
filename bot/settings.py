"""What a run is asked to do: from a TOML file and from flags, checked before anything starts."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from math import isfinite
from pathlib import Path
from typing import Any, TypeVar

from platformdirs import user_config_dir

from bot.protocol.values import THREADS
from bot.steps import parse_step
from bot.storage.files import read_text
from calibration.frame import Pixel
from games.core import Options, SettingsError, choices
from solvers import files_named
from solvers.core import Limit
from solvers.threads import usable_cores

T = TypeVar("T")

SETTINGS_FILE = "boardsight.toml"
"""The name of the files that are read when no other is named: one of the user's own, and one in the current folder."""

RESERVED = {
    "controls": "says where to press",
    "new_game": "says where to press",
    "url": "opens a page",
    "before": "presses things on a page",
    "attach": "takes over a browser",
    "calibration": "names a file that is written to, and says where to press",
    "runs": "names a folder that is written to",
    "pictures": "names a folder that is read",
    "faults": "names a file that is read",
}
"""The keys that a file of the current folder may not hold, and why: the folder may be a stranger's."""

GUARDS = ("dry_run", "suggest")
"""The keys that keep the bot from pressing, which such a file may set, but not lift."""

MOST_BYTES = 1 << 20
"""Bytes of a settings file at most: one with every key has 600."""

MOST, LONGEST = 1e15, 1e6
"""The largest whole number and the largest other one any setting takes, 11 days in seconds; NaN is neither."""

DRAWN_ALONE = "faults happen on the drawn screen alone: choose screen 'drawn' with them"
"""What is said where faults are asked of another screen."""

RELOAD = "reload"
"""What begins another game of a page: it is loaded again."""

SEATS = ("auto", "first", "second", "third", "fourth")
SEARCH = ("seconds", "nodes", "depth", "threads")
SCREENS = ("auto", "desktop", "browser", "drawn", "folder")


def _option(default: T, words: str) -> T:
    """The field of a setting: its default, and the help of its flag."""
    return field(default=default, metadata={"help": words})


@dataclass(frozen=True, slots=True)
class Settings:
    """A run's settings: each is a key of the TOML file, and those with a help a flag of `boardsight play` as well.

    "" and zero stand for what is not known or not wanted.  What their help leaves unsaid:

    screen: auto is the browser if `url` or `attach` is set, else the desktop if there is one.
    rows, cols, variant, players, colours, walls, length, limit: what is known of the variant.
    before: what is done on the page before the board is looked for, each as `bot.steps` says.
    new_game: a place is one in the picture; "wait" where the next game begins by itself; "reload" for a page of `url`
        or `attach`, where "" means that, too, unless the calibration has a control "new".
    controls: buttons beside the board, with their places in the picture.  how: of the game's ways.
    patience: longer than any lag, for what is only late would be played twice.
    wait: where nothing tells whose turn it is.
    faults: a number that a plan is drawn from, or its file.  record_faults: the plan is faults.toml.
    """

    screen: str = _option("auto", "auto, desktop, browser, drawn or folder")
    url: str = _option("", "page to open in a browser of our own")
    attach: str = _option("", "debugging address of a running browser, such as http://127.0.0.1:9222")
    before: tuple[str, ...] = _option((), "what to do on the page first, such as 'click text=Play vs CPU' (repeatable)")
    headless: bool = _option(False, "open the browser without a window")
    scale: float = _option(1.0, "device scale of the browser that is opened")
    pictures: str = _option("", "folder of saved screenshots")
    game: str = _option("", "flood_it, filler, ... (default: recognise it)")
    rows: int = 0
    cols: int = 0
    variant: str = _option("", "rule set, such as duo or classic-2")
    players: int = _option(0, "how many play (default: it is found out)")
    colours: int = _option(0, "how many colours the game has")
    walls: int = _option(0, "walls of each player")
    length: int = _option(0, "discs in a row that win")
    limit: int = _option(0, "moves the game allows")
    calibration: str = _option("", "saved calibration (default: calibrate)")
    seat: str = _option("auto", "first to fourth, or auto (default: whoever moves while we watch is another side)")
    games: int = _option(1, "games to play in a row")
    new_game: str = _option("", "what begins the next game: a key such as n or ctrl+n, a place X,Y, or reload")
    solver: str = _option("", "solver and its options, such as lookahead:depth=3")
    seconds: float = _option(0.0, "CPU seconds a move")
    nodes: int = _option(0, "positions visited a move")
    depth: int = _option(0, "plies looked ahead")
    threads: int = _option(0, "threads that search together (default: the cores less one, where seconds limit a move)")
    controls: str = _option("", "buttons no picture names, such as confirm=640,512 for one that makes moves final")
    how: str = _option("", "way moves are made, such as twice or confirm (default: find it out)")
    delay: float = _option(0.0, "seconds to wait before each click")
    dry_run: bool = _option(False, "look once and say the whole game; click nothing")
    suggest: bool = _option(False, "say each move and wait for you to make it")
    max_moves: int = _option(0, "stop after so many moves")
    patience: float = _option(4.0, "seconds without effect after which a click is made again")
    repaint: float = _option(5.0, "seconds a picture may be in motion")
    lost: float = _option(20.0, "seconds to look for a board that is covered or gone")
    wait: float = _option(2.0, "seconds another side gets to move before the turn is taken for ours")
    answer: float = _option(60.0, "seconds another side may think")
    remember: bool = _option(True, "use what was learned of the page at earlier visits, and keep what is learned now")
    forget: bool = _option(False, "forget what was learned of the page at earlier visits")
    runs: str = _option("runs", "folder that gets one folder a run")
    faults: str = _option("", "what goes wrong on the drawn screen: a number, or a fault plan's file")
    record_faults: bool = _option(False, "keep the faults that were met as a plan in the run's folder")

    def __post_init__(self) -> None:
        for name, value in ((each.name, getattr(self, each.name)) for each in fields(self)):
            most = LONGEST if isinstance(value, float) else MOST
            if isinstance(value, int | float) and not abs(value) <= most:
                raise SettingsError(f"{name} must be a number of at most {most:g}")
        if self.screen not in SCREENS:
            raise SettingsError(f"screen {self.screen!r} is none of: {', '.join(SCREENS)}")
        for name in ("rows", "cols", "colours", "walls", "length", "limit", *SEARCH, "delay", "max_moves"):
            if getattr(self, name) < 0:
                raise SettingsError(f"{name} is {getattr(self, name)}: it must not be negative")
        if self.threads > THREADS:
            raise SettingsError(f"threads is {self.threads}: one search has {THREADS} at most")
        parse_controls(self.controls)
        for step in self.before:
            parse_step(step)
        if self.new_game == RELOAD and not (self.url or self.attach):
            raise SettingsError("new_game 'reload' loads a page again: it needs `url` or `attach`")
        if self.before and not (self.url or self.attach):
            raise SettingsError("`before` says what to do on a page: it needs `url` or `attach`")
        if self.players not in range(len(SEATS)):
            raise SettingsError(f"players is {self.players}: the bot plays alone or against up to three other sides")
        if self.seat not in SEATS:
            raise SettingsError(f"seat {self.seat!r} is none of: {', '.join(SEATS)}")
        for name in ("patience", "repaint", "lost", "scale", "wait", "answer", "games"):
            if not getattr(self, name) > 0:
                raise SettingsError(f"{name} is {getattr(self, name)}: it must be more than 0")
        if self.faults and self.screen != "drawn":
            raise SettingsError(DRAWN_ALONE)
        if self.screen == "folder" and not self.pictures:
            raise SettingsError("screen 'folder' needs `pictures`, the folder of screenshots")
        if self.screen == "browser" and not (self.url or self.attach):
            raise SettingsError("screen 'browser' needs `url`, the page to open, or `attach`, a debugging address")
        if self.dry_run and self.suggest:
            raise SettingsError("dry_run and suggest exclude each other: choose one")

    @property
    def own_seat(self) -> int | None:
        """The seat to play, 0 for the first; None where who moves shall tell."""
        return SEATS.index(self.seat) - 1 if self.seat != SEATS[0] else None

    @property
    def search_limit(self) -> Limit:
        """How long the solver may think about a move; on all cores but one, unless nodes or plies are to repeat."""
        spare = 1 if self.nodes or self.depth else usable_cores() - 1
        threads = self.threads or spare
        return Limit(
            self.seconds or None, self.nodes or None, self.depth or None, threads=threads if threads > 1 else None
        )

    @property
    def options(self) -> Options:
        """What is known of the game's variant."""
        return Options(
            *(self.rows or None, self.cols or None, self.colours or None, self.walls or None, self.variant or None),
            players=self.players if self.players > 1 else None,
            limit=self.limit or None,
            length=self.length or None,
        )


def parse_place(text: str) -> Pixel | None:
    """The place that a text such as ``"612,40"`` names, None for other texts."""
    x, comma, y = text.partition(",")
    try:
        place = Pixel(float(x), float(y)) if comma else None
    except ValueError:
        return None
    return place if place is not None and all(map(isfinite, place)) else None


def parse_controls(text: str) -> dict[str, Pixel]:
    """The controls a text such as ``"confirm=640,512 new=612,40"`` names, and where each is; raises SettingsError.

    >>> parse_controls("confirm=640,512")
    {'confirm': Pixel(x=640.0, y=512.0)}
    """
    found: dict[str, Pixel] = {}
    for word in text.split():
        name, _, at = word.partition("=")
        place = parse_place(at)
        if not name or place is None:
            raise SettingsError(f"controls {word!r} is no NAME=X,Y, such as confirm=640,512")
        found[name] = place
    return found


def own_file() -> Path:
    """The user's own settings file, which need not be there: in the folder that the system has for such files."""
    return Path(user_config_dir("boardsight", appauthor=False)) / SETTINGS_FILE


def load_settings(
    path: Path | None, flags: Mapping[str, Any], *, say: Callable[[str], None] = lambda line: None
) -> Settings:
    """The settings in a TOML file, overruled by those `flags` that are not None.

    path: the file, or None for the user's own where there is one, overruled by ``boardsight.toml`` in the current
        folder where there is one.  say: is told of each file that is read.
    Raises SettingsError that names the file, the key and what it should be; also where the current folder's file holds
    a key of RESERVED, or a solver's file: it may be a stranger's.
    """
    table: dict[str, Any] = {}
    for _, read in tables_read(path, say=say):
        table |= read
    return replace(Settings(), **{**table, **_given(flags)})


def tables_read(
    path: Path | None, *, say: Callable[[str], None] = lambda line: None
) -> Iterator[tuple[Path, dict[str, Any]]]:
    """The files that `load_settings` reads and what each sets, the one that overrules the others last.

    Raises SettingsError as that does.
    """
    for file in _usual_files() if path is None else [path]:
        text = read_text(file, most=MOST_BYTES, what="settings")
        say(f"settings: {file.absolute()}")
        table = _table(text, str(file))
        if path is None and file != own_file():
            _refuse_reserved(table, file)
        yield file, table


def _usual_files() -> list[Path]:
    """The user's own settings file and the current folder's, as far as they are there; the same one is named once."""
    own, here = own_file(), Path(SETTINGS_FILE)
    found = [own] if own.is_file() else []
    return [*found, here] if here.is_file() and not (found and own.samefile(here)) else found


def _refuse_reserved(table: Mapping[str, Any], file: Path) -> None:
    reasons = {key: RESERVED[key] for key in table if key in RESERVED}
    reasons |= {key: "lets the bot press" for key in GUARDS if table.get(key) is False}
    files = files_named(table.get("solver", ""))
    if files:
        reasons["solver"] = f"names a file ({', '.join(files)})"
    for key, reason in reasons.items():
        raise SettingsError(
            f"{file}: {key} {reason}, which a file of the current folder may not: if you trust the file, name it with "
            f"--settings {file}, or set {key} in your own, {own_file()}"
        )


def parse_settings(text: str, name: str, flags: Mapping[str, Any]) -> Settings:
    """The settings in the TOML `text` of the file called `name`, overruled by those `flags` that are not None."""
    return replace(Settings(), **{**_table(text, name), **_given(flags)})


def _table(text: str, name: str) -> dict[str, Any]:
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError) as problem:  # a number of 5,000 digits is a ValueError
        raise SettingsError(f"{name} is no TOML: {problem}") from None
    return checked(table, name)


def _given(flags: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in flags.items() if value is not None}


def kinds() -> dict[str, type]:
    """Name of each setting -> its type."""
    return {each.name: type(each.default) for each in fields(Settings)}


def checked(table: Mapping[str, Any], name: str) -> dict[str, Any]:
    """`table` with every key known and every value of its field's kind; raises SettingsError that calls it `name`."""
    table = dict(table)
    known = kinds()
    for key, value in table.items():
        if key not in known:
            raise SettingsError(f"{name}: unknown key {key!r}; {choices(key, known)}")
        kind = known[key]
        if kind is float and type(value) is int and abs(value) <= LONGEST:
            table[key] = float(value)
        elif kind is tuple and isinstance(value, list | tuple) and all(isinstance(each, str) for each in value):
            table[key] = tuple(value)
        elif kind is tuple:
            raise SettingsError(f"{name}: {key} = {value!r} must be a list of texts")
        elif type(value) is not kind:
            raise SettingsError(f"{name}: {key} = {value!r} must be of type {kind.__name__}")
    return table
