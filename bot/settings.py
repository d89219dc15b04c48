"""What a run is asked to do: from a TOML file and from flags, checked before anything starts."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from math import isfinite
from pathlib import Path
from typing import Any

from bot.storage.files import read_text
from calibration.frame import Pixel
from games.core import Options, SettingsError
from solvers.core import Limit

SETTINGS_FILE = "boardsight.toml"
"""The file in the current folder that is read when no other is named."""

MOST_BYTES = 1 << 20
"""Bytes of a settings file at most: one with every key has 600."""

MOST, LONGEST = 1e15, 1e6
"""The largest whole number and the largest other one any setting takes, 11 days in seconds; NaN is neither."""

SEATS = ("auto", "first", "second")
SEARCH = ("seconds", "nodes", "depth")
SCREENS = ("auto", "desktop", "browser", "drawn", "folder")


@dataclass(frozen=True, slots=True)
class Settings:
    """A run's settings; each field is a key of the TOML file and, with dashes, a flag of `boardsight play`.

    Where and what to play:
        screen: desktop, browser, drawn, folder, or auto (browser if `url` or `attach` is set, else desktop if there
            is one).  url: the page to open.  attach: the address of a browser's debugging port.  headless, scale:
            of the browser that is opened.  pictures: the folder of screenshots.
        game: a game's name, or "" to recognise it.  variant, rows, cols, colours, walls, length, limit: what is known
            of the variant; "" or zero for unknown.  players: how many play, the bot being one of them: 20x20 squares
            are Blokus with two colours each for two.  calibration: a saved calibration, or "" to calibrate.
        seat: first, second, or auto (told by who moves).
        games: how many to play in a row.  new_game: what begins the next one: a key such as "n" or "ctrl+n", or
            "X,Y", a place in the picture; "wait" where it begins by itself; "" for the calibration's control "new".
    How to decide:
        solver: a solver's name and options, or "" for the game's default.  seconds, nodes, depth: the search limit,
            zero for none.
    How to act:
        controls: buttons beside the board that no picture names, with their places in it, such as
            "confirm=640,512" for one that makes moves final.  how: the way moves are made, of the game's ways; "" to
            find it out.
        delay: seconds to wait before each click.  dry_run: look once and say the whole game, click nothing.
        suggest: say each move and wait for a person to make it.  max_moves: stop after so many, zero for no bound.
    How patient to be, in seconds:
        patience: a click that shows no effect for so long is made once more: longer than any lag, for what is only
            late would be played twice.
        repaint: a picture may be on its way from one position to the next for so long.
        lost: a board that is covered, moved or gone is looked for so long.
        wait: where nothing tells whose turn it is, another side gets so long to move before it is taken for ours.
        answer: another side may think for so long.
    Where to keep the run:
        runs: the folder that gets one folder a run.
    What goes wrong:
        faults: a fault plan for the drawn screen: a number that one is drawn from, or its file.
        record_faults: keep the faults that were met as a plan, faults.toml in the run's folder.
    """

    screen: str = "auto"
    url: str = ""
    attach: str = ""
    headless: bool = False
    scale: float = 1.0
    pictures: str = ""
    game: str = ""
    rows: int = 0
    cols: int = 0
    variant: str = ""
    players: int = 2
    colours: int = 0
    walls: int = 0
    length: int = 0
    limit: int = 0
    calibration: str = ""
    seat: str = "auto"
    games: int = 1
    new_game: str = ""
    solver: str = ""
    seconds: float = 0.0
    nodes: int = 0
    depth: int = 0
    controls: str = ""
    how: str = ""
    delay: float = 0.0
    dry_run: bool = False
    suggest: bool = False
    max_moves: int = 0
    patience: float = 4.0
    repaint: float = 5.0
    lost: float = 20.0
    wait: float = 2.0
    answer: float = 600.0
    runs: str = "runs"
    faults: str = ""
    record_faults: bool = False

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
        parse_controls(self.controls)
        if self.players not in (1, 2):
            raise SettingsError(f"players is {self.players}: the bot plays alone or against one other side")
        if self.seat not in SEATS:
            raise SettingsError(f"seat {self.seat!r} is none of: {', '.join(SEATS)}")
        for name in ("patience", "repaint", "lost", "scale", "wait", "answer", "games"):
            if not getattr(self, name) > 0:
                raise SettingsError(f"{name} is {getattr(self, name)}: it must be more than 0")
        if self.faults and self.screen != "drawn":
            raise SettingsError("faults happen on the drawn screen alone: choose screen 'drawn' with them")
        if self.screen == "folder" and not self.pictures:
            raise SettingsError("screen 'folder' needs `pictures`, the folder of screenshots")
        if self.screen == "browser" and not (self.url or self.attach):
            raise SettingsError("screen 'browser' needs `url`, the page to open, or `attach`, a debugging address")
        if self.dry_run and self.suggest:
            raise SettingsError("dry_run and suggest exclude each other: choose one")

    @property
    def own_seat(self) -> int | None:
        """The seat to play, 0 for the first; None where who moves shall tell."""
        return {"first": 0, "second": 1}.get(self.seat)

    @property
    def search_limit(self) -> Limit:
        """How long the solver may think about a move."""
        return Limit(self.seconds or None, self.nodes or None, self.depth or None)

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


def load_settings(path: Path | None, flags: Mapping[str, Any]) -> Settings:
    """The settings in a TOML file, overruled by those `flags` that are not None.

    path: the file, or None for ``boardsight.toml`` in the current folder where there is one.
    Raises SettingsError that names the file, the key and what it should be.
    """
    if path is None and not Path(SETTINGS_FILE).is_file():
        return replace(Settings(), **_given(flags))
    path = path or Path(SETTINGS_FILE)
    return parse_settings(read_text(path, most=MOST_BYTES, what="settings"), str(path), flags)


def parse_settings(text: str, name: str, flags: Mapping[str, Any]) -> Settings:
    """The settings in the TOML `text` of the file called `name`, as `load_settings` gives them."""
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError) as problem:  # a number of 5,000 digits is a ValueError
        raise SettingsError(f"{name} is no TOML: {problem}") from None
    return replace(Settings(), **{**checked(table, name), **_given(flags)})


def _given(flags: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in flags.items() if value is not None}


def checked(table: Mapping[str, Any], name: str) -> dict[str, Any]:
    """`table` with every key known and every value of its field's kind; raises SettingsError that calls it `name`."""
    table = dict(table)
    kinds = {field.name: type(field.default) for field in fields(Settings)}
    for key, value in table.items():
        if key not in kinds:
            raise SettingsError(f"{name}: unknown key {key!r}; the keys are: {', '.join(kinds)}")
        kind = kinds[key]
        if kind is float and type(value) is int and abs(value) <= LONGEST:
            table[key] = float(value)
        elif type(value) is not kind:
            raise SettingsError(f"{name}: {key} = {value!r} must be of type {kind.__name__}")
    return table
