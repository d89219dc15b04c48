"""Fault plans: what goes wrong on a screen while a game is played there, as data that can be drawn, kept and replayed.

A plan is the same in every run: its faults happen at moves of the game and seconds of the clock after them.
"""

from __future__ import annotations

import contextlib
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import tomli_w

from bot.storage.files import read_text
from games.core import SettingsError, choices

if TYPE_CHECKING:
    from bot.runs.journal import SavedRun

FAULTS = "faults.toml"
"""The file of a run's folder that holds the faults it met."""

MOST_BYTES = 1 << 20
"""Bytes of a plan's file at most; a fault takes 100."""

MOST_FAULTS = 1_000

LONGEST_LAG, LONGEST_ANIMATION, WORST_NOISE = 3.0, 2.0, 3.0
"""Seconds, seconds and grey levels that a drawn plan goes up to."""

On = Literal["clicks", "board", "sight", "capture", "end"]


@dataclass(frozen=True, slots=True)
class FaultKind:
    """A kind of fault.

    on: what it befalls.  words: what happens.  passes: whether a game can be played on afterwards.
    causes: the errors that a run may end with because of it.
    """

    on: On
    words: str
    passes: bool = True
    causes: tuple[str, ...] = ()


LOST = ("BoardLostError", "ForeignMoveError", "BoardNotFoundError", "UnreadableError")
SILENT = ("UnresponsiveError",)
STOPPED = ("StoppedError",)

KINDS: dict[str, FaultKind] = {
    "drop": FaultKind("clicks", "the next click is swallowed"),
    "double": FaultKind("clicks", "the next click is heard twice"),
    "late": FaultKind("clicks", "the next click is heard `seconds` later"),
    "move": FaultKind("board", "the window is dragged by `x`, `y`"),
    "scroll": FaultKind("board", "the page goes up or down by `y`"),
    "resize": FaultKind("board", "the window's cells become `factor` times as large"),
    "zoom": FaultKind("board", "the cells become `factor` times as large, and the window goes by `x`, `y`"),
    "recolour": FaultKind("board", "the board is dressed in another skin, number `x`", passes=False, causes=LOST),
    "dialog": FaultKind("sight", "a window covers the middle of the board for `seconds`"),
    "window": FaultKind("sight", "a window covers the whole game for `seconds`"),
    "tooltip": FaultKind("sight", "a small window covers some cells for `seconds`, at `x`, `y` of the board, 0 to 1"),
    "cursor": FaultKind("sight", "an arrow lies on a cell for `seconds`, at `x`, `y` of the board, 0 to 1"),
    "board": FaultKind("sight", "another game's window appears in the lower left corner for `seconds`"),
    "locked": FaultKind("sight", "the screen is locked for `seconds`"),
    "black": FaultKind("capture", "pictures are black for `seconds`"),
    "torn": FaultKind("capture", "pictures show an older one in their lower half for `seconds`"),
    "stale": FaultKind("capture", "pictures are older ones for `seconds`"),
    "sized": FaultKind("capture", "pictures have half as many pixels for `seconds`"),
    "raises": FaultKind("capture", "pictures cannot be taken for `seconds`"),
    "deal": FaultKind("end", "another game is dealt, as after a reload", passes=False, causes=(*LOST, *SILENT)),
    "deaf": FaultKind(
        "end", "the game is over for reasons of its own and hears no more clicks", passes=False, causes=SILENT
    ),
    "close": FaultKind("end", "the window is closed", passes=False, causes=(*LOST, *SILENT)),
    "lock": FaultKind("end", "the screen is locked for good", passes=False, causes=(*LOST, *SILENT)),
    "hand": FaultKind("end", "somebody moves the pointer", passes=False, causes=STOPPED),
    "corner": FaultKind("end", "somebody pushes the pointer into a corner", passes=False, causes=STOPPED),
    "ask": FaultKind("end", "a key or signal asks for a stop", passes=False, causes=STOPPED),
    "gone": FaultKind(
        "end", "the display is gone: no picture, no pointer", passes=False, causes=("ScreenError", "PointerError")
    ),
}
"""Every kind of fault by name."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that goes wrong.

    kind: one of KINDS.  move, after: it happens so many seconds after so many moves of the game.
    seconds: how long it lasts.  x, y, factor: as the kind's words say; lengths in pointer units.
    """

    kind: str
    move: int = 0
    after: float = 0.0
    seconds: float = 0.0
    x: float = 0.0
    y: float = 0.0
    factor: float = 1.0

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise SettingsError(f"no fault is called {self.kind!r}; {choices(self.kind, KINDS)}")
        for name, low, high in (("move", 0, 1e6), ("after", 0, 1e6), ("seconds", 0, 1e6), ("factor", 0.1, 10)):
            _check(f"{name} of a {self.kind}", getattr(self, name), low, high)
        for name in ("x", "y"):
            _check(f"{name} of a {self.kind}", getattr(self, name), -1e5, 1e5)


@dataclass(frozen=True, slots=True)
class FaultPlan:
    """Everything that goes wrong in one game.

    lag: seconds from each click to its effect.  animation: seconds a repaint takes.
    noise: standard deviation of each channel of a picture, in grey levels.
    """

    faults: tuple[Fault, ...] = ()
    lag: float = 0.0
    animation: float = 0.0
    noise: float = 0.0

    def __post_init__(self) -> None:
        for name, high in (("lag", 1e3), ("animation", 1e3), ("noise", 100)):
            _check(name, getattr(self, name), 0, high)
        if len(self.faults) > MOST_FAULTS:
            raise SettingsError(f"a plan has at most {MOST_FAULTS} faults, not {len(self.faults)}")

    @property
    def passes(self) -> bool:
        """Whether a game can be played to its end whatever of this happens."""
        return all(KINDS[fault.kind].passes for fault in self.faults)


def draw_plan(seed: int, *, last: float = 0.25) -> FaultPlan:
    """A random plan, the same for a seed: up to three kinds of faults that pass, with chance `last` one that does not.

    >>> draw_plan(3) == draw_plan(3)
    True
    """
    rng = np.random.default_rng([seed, 0xFA017])
    passing = [name for name, kind in KINDS.items() if kind.passes]
    final = [name for name, kind in KINDS.items() if not kind.passes]
    kinds = [str(kind) for kind in rng.choice(passing, int(rng.integers(4)), replace=False)]
    if rng.random() < last:
        kinds.append(str(rng.choice(final)))
    return FaultPlan(
        tuple(_draw_fault(kind, rng) for kind in kinds),
        lag=_upto(LONGEST_LAG, rng),
        animation=_upto(LONGEST_ANIMATION, rng),
        noise=_upto(WORST_NOISE, rng),
    )


def _draw_fault(kind: str, rng: np.random.Generator) -> Fault:
    """A fault of that kind, of a size a person may meet: see each kind's words."""
    x, y = (round(float(part), 1) for part in rng.uniform(-60, 60, 2))
    if KINDS[kind].on == "sight":
        x, y = (round(float(part), 2) for part in rng.uniform(0.1, 0.9, 2))
    elif kind == "recolour":
        x = float(rng.integers(8))
    return Fault(
        kind,
        move=int(rng.integers(8)),
        after=round(float(rng.uniform(0.0, 2.0)), 3),
        seconds=round(float(rng.uniform(0.05, 3.0 if KINDS[kind].on in ("clicks", "capture") else 8.0)), 3),
        x=x,
        y=y,
        factor=round(float(rng.uniform(0.8, 1.25)), 2),
    )


def _upto(most: float, rng: np.random.Generator) -> float:
    """Nothing in half of the cases, else up to `most`."""
    return round(float(rng.uniform(0, most)), 3) if rng.integers(2) else 0.0


def format_plan(plan: FaultPlan) -> str:
    """The plan as TOML; ``parse_plan(format_plan(plan)) == plan``."""
    table = {name: value for name, value in asdict(plan).items() if name != "faults"}
    usual = asdict(Fault("drop"))
    faults = [
        {name: value for name, value in asdict(fault).items() if name == "kind" or value != usual[name]}
        for fault in plan.faults
    ]
    return tomli_w.dumps({**table, "faults": faults})


def parse_plan(text: str) -> FaultPlan:
    """The plan that `text` holds; raises SettingsError with the key that is wrong."""
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError) as problem:
        raise SettingsError(f"this is no fault plan, it is no TOML: {problem}") from None
    listed = table.pop("faults", [])
    if not isinstance(listed, list) or not all(isinstance(each, dict) for each in listed):
        raise SettingsError("faults must be a list of tables: write [[faults]] before each")
    faults = tuple(Fault(**_typed(each, Fault, "a fault")) for each in listed)
    return FaultPlan(faults, **_typed(table, FaultPlan, "a plan"))


def _typed(table: Mapping[str, Any], kind: type, what: str) -> dict[str, Any]:
    """`table` where each key is a field of `kind` and each value of its sort; raises SettingsError."""
    sorts: dict[str, tuple[type, ...]] = {"str": (str,), "int": (int,), "float": (int, float)}
    wanted = {each.name: sorts[str(each.type)] for each in fields(kind) if str(each.type) in sorts}
    for key, value in table.items():
        if key not in wanted:
            raise SettingsError(f"{what} has no {key!r}; it has: {', '.join(wanted)}")
        if type(value) not in wanted[key] or (isinstance(value, int) and abs(value) > 1e6):
            raise SettingsError(f"{key} of {what} cannot be {repr(value)[:60]}: it is a {wanted[key][-1].__name__}")
    missing = {"kind"} & set(wanted) - set(table)
    if missing:
        raise SettingsError(f"{what} must say its kind: one of {', '.join(KINDS)}")
    return {key: float(value) if float in wanted[key] else value for key, value in table.items()}


def plan_met(run: SavedRun) -> FaultPlan:
    """The faults that a run met, as far as it could tell them, as a plan that brings them about again."""
    waits = sorted(turn.milliseconds.get("wait", 0.0) for turn in run.turns)
    lag = waits[len(waits) // 2] / 1e3 if waits else 0.0
    faults = []
    for turns, note in run.notes:
        answers = sum(len(answer.moves) for answer in run.answers if answer.after <= turns)
        with contextlib.suppress(SettingsError):  # of another version of this program
            faults.append(Fault(**_typed(dict(note.get("fault") or {}), Fault, "a note"), move=turns + answers))
    cause = "" if run.end is None else run.end["cause"]
    if run.end is not None and cause in ENDS:
        moves = len(run.turns) + sum(len(answer.moves) for answer in run.answers)
        kinds = [kind for word, kind in STOPS.items() if cause == "StoppedError" and word in run.end["message"]]
        faults.append(Fault([*kinds, ENDS[cause]][0], move=moves))
    return FaultPlan(tuple(faults), lag=round(min(lag, 1e3), 3))


ENDS = {
    "StoppedError": "hand",
    "UnresponsiveError": "deaf",
    "BoardLostError": "close",
    "ForeignMoveError": "deal",
    "ScreenError": "gone",
    "PointerError": "gone",
}
"""What most likely happened where a run was stopped by an error."""

STOPS = {"corner": "corner", "as asked": "ask"}
"""Words of a StoppedError that tell its cause."""


def find_plan(text: str) -> FaultPlan:
    """The plan of ``--faults``: drawn from a number, or read from a file; raises SettingsError."""
    if text.isascii() and text.isdecimal() and len(text) <= 9:
        return draw_plan(int(text))
    path = Path(text)
    try:
        return parse_plan(read_text(path, most=MOST_BYTES, what="a fault plan"))
    except SettingsError as problem:
        raise SettingsError(f"{problem} (--faults takes a number or a plan's file; this is {text!r})") from None


def _check(what: str, value: float, low: float, high: float) -> None:
    if not isfinite(value) or not low <= value <= high:
        raise SettingsError(f"the {what} is {value!r}: it must be a number from {low:g} to {high:g}")
