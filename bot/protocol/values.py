"""Values that people, files and other programs send: the variant of a game, the limits of a search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from games.core import Options
    from solvers.core import Limit

MOST = 10**15
"""The largest number any option or limit takes: a clear refusal instead of an overflow in a kernel."""

NUMBERS = ("colours", "walls", "length", "players", "limit")
"""The options of a game that are whole numbers from 0."""

LIMITS: dict[str, tuple[type, ...]] = {
    "seconds": (int, float),
    "nodes": (int,),
    "depth": (int,),
    "lines": (int,),
    "threads": (int,),
}
"""The limits of a search, and the kinds of numbers they are."""

THREADS = 256
"""Threads of one search at most: each takes memory of its own."""


def values_of(fields: Any) -> dict[str, Any]:
    """The fields of Options or a Limit that are set, as `options_from` and `limit_from` take them."""
    return {name: value for name, value in asdict(fields).items() if value is not None}


def options_from(values: Mapping[str, object]) -> Options:
    """The variant that `values` describe: ``size`` ("14x14"), or ``rows`` and ``cols``, and the other options by name.

    Raises SettingsError for a name that is no option and a value of the wrong kind.

    >>> options_from({"size": "7x8", "colours": 6}).cols
    8
    """
    from games.core import Options, SettingsError

    settings: dict[str, Any] = {}
    for name, value in values.items():
        if name == "size" and isinstance(value, str):
            settings["rows"], settings["cols"] = parse_size(value)
        elif name == "variant" and isinstance(value, str):
            settings["variant"] = value
        elif name in ("rows", "cols", *NUMBERS) and type(value) is int and 0 <= value <= MOST:
            settings[name] = value
        else:
            raise SettingsError(
                f"option {name!r} cannot be {value!r}: size is a text such as '14x14', variant a name, "
                f"and rows, cols, {', '.join(NUMBERS)} are whole numbers from 0 to {MOST:.0e}"
            )
    return Options(**settings)


def parse_size(text: str) -> tuple[int, int]:
    """Rows and columns of ``14x14``, or of ``14`` for a square; raises SettingsError."""
    rows, times, cols = text.strip().lower().partition("x")
    sides = (rows, cols if times else rows)
    if all(side.isdecimal() and len(side) <= 4 for side in sides):
        return int(sides[0]), int(sides[1])
    from games.core import SettingsError

    raise SettingsError(f"{text!r} is no board size: write ROWSxCOLS, such as 14x14")


def limit_from(values: Mapping[str, object]) -> Limit:
    """The limit of these values, named as in LIMITS, each above 0 or None; raises SettingsError."""
    from games.core import SettingsError
    from solvers.core import Limit

    for name, value in values.items():
        if name not in LIMITS:
            raise SettingsError(f"{name!r} is no limit of a search: choose from {', '.join(LIMITS)}")
        if value is None:
            continue
        most = THREADS if name == "threads" else MOST
        if type(value) not in LIMITS[name] or not 0 < value <= most:  # type: ignore[operator]
            kind = "number" if float in LIMITS[name] else "whole number"
            raise SettingsError(f"{name} cannot be {value!r}: a limit is a {kind} above 0, at most {most:.5g}")
    return Limit(**values)  # type: ignore[arg-type]
