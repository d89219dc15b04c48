"""The card beside a player's weights: how it was made, what it is worth, and the hash that ties the two together."""

from __future__ import annotations

import hashlib
import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

import tomli_w

from games.core import BoardsightError, Options
from solvers.weights import read_bounded

MOST_BYTES = 1 << 20
"""Bytes of a card at most; one with 20 figures has 6,000."""

MOST_GAMES = 10**9
"""Of a figure at most; no bench plays a millionth as many."""

FORMATS = (".onnx", ".npz")
"""The kinds of weights that are loaded: neither can run code."""


class ModelError(BoardsightError):
    """Weights or their card are missing or broken: get or make them again."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One row of a player's table: how often it succeeded.

    what: in words, such as "random, moving first".  of: how many games or positions.
    won, drawn, lost: the games; of positions, those right and those wrong.
    command: what measures it again.
    """

    what: str
    of: int
    won: int
    drawn: int
    lost: int
    command: str

    @property
    def share(self) -> float:
        """The share of the points, a draw half of one."""
        return (self.won + self.drawn / 2) / self.of

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of `share`, see `wilson`."""
        return wilson(self.won + self.drawn / 2, self.of)


@dataclass(frozen=True, slots=True)
class Card:
    """What is known of a player.

    name: what it is called.  game, board: what it plays.  method: how it learned.
    encoder: what it sees, a name in `solvers.learned.registry`; "" for a table.
    weights: the file's name, beside the card.  sha256: its hash.
    commit: of the code.  command: what makes it again.  seed: of all chance.
    budget: how much it learned from, and how long.  hardware: on what.  note: what else a reader should know.
    figures: its table.
    """

    name: str
    game: str
    board: Options
    method: str
    encoder: str
    weights: str
    sha256: str
    commit: str
    command: str
    seed: int
    budget: str
    hardware: str
    note: str = ""
    figures: tuple[Figure, ...] = ()


def wilson(successes: float, trials: int) -> tuple[float, float]:
    """The 95% interval of a share (Wilson 1927).

    >>> [round(bound, 3) for bound in wilson(90, 100)]
    [0.826, 0.945]
    """
    z = 1.959964
    share, square = successes / trials, z * z / trials
    middle = (share + square / 2) / (1 + square)
    half = z * math.sqrt(share * (1 - share) / trials + square / (4 * trials)) / (1 + square)
    return max(0.0, middle - half), min(1.0, middle + half)


def format_card(card: Card) -> str:
    """The TOML of a card; each figure is written with its share and interval, for a reader."""
    values = {key: value for key, value in asdict(card).items() if key not in ("board", "figures")}
    values["board"] = {key: value for key, value in asdict(card.board).items() if value is not None}
    values["figures"] = [
        asdict(figure) | {"share": round(figure.share, 4), "interval": [round(bound, 4) for bound in figure.interval]}
        for figure in card.figures
    ]
    return tomli_w.dumps(values, multiline_strings=True)


def parse_card(text: str, where: str = "the card") -> Card:
    """The card of a TOML text; raises ModelError that names the field that is missing or wrong."""
    try:
        values = tomllib.loads(text)
        board = _only(Options, values.pop("board", {}), whole=True)
        figures = tuple(_only(Figure, figure) for figure in values.pop("figures", []))
        card: Card = _only(Card, values | {"board": board, "figures": figures})
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise ModelError(f"{where} is no card: {error}") from error
    wrong = next((each for each in figures if not _adds_up(each)), None)
    if wrong is not None:
        raise ModelError(f"{where} has a figure, {wrong.what!r}, that does not add up: {wrong.of} games or positions")
    if Path(card.weights).name != card.weights or Path(card.weights).suffix not in FORMATS:
        raise ModelError(f"{where} names the weights {card.weights!r}: a file beside it, {' or '.join(FORMATS)}")
    return card


def _adds_up(figure: Figure) -> bool:
    """Whether the games of a figure are at most as many as it says, and at least one."""
    counts = (figure.won, figure.drawn, figure.lost)
    return min(counts) >= 0 and sum(counts) <= figure.of <= MOST_GAMES and figure.of > 0


def _only(kind: Any, values: Mapping[str, Any], *, whole: bool = False) -> Any:
    """A `kind` of those values that it has fields for; raises TypeError for one of another type or missing.

    whole: whether a value that it has no field for is an error, too.
    """
    known = {field.name: values[field.name] for field in fields(kind) if field.name in values}
    strange = sorted(set(values) - set(known))
    if whole and strange:
        raise TypeError(f"a {kind.__name__} has no {strange[0]!r}")
    for field in fields(kind):
        plain = {"str": str, "int": int}.get(str(field.type).removesuffix(" | None"))
        if plain and field.name in known and type(known[field.name]) is not plain:
            raise TypeError(f"{field.name} is {known[field.name]!r}, no {plain.__name__}")
    return kind(**known)


def hash_of(path: Path) -> str:
    """The sha256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_card(path: Path) -> Card:
    """The card at `path`; raises ModelError."""
    try:
        return parse_card(read_bounded(path, most=MOST_BYTES).decode("utf-8"), str(path))
    except (OSError, ValueError) as error:
        raise ModelError(f"cannot read the card {path}: {error}") from error


def write_card(card: Card, path: Path) -> Card:
    """Write the card at `path`, beside its weights, with their hash; returns it as written."""
    hashed = replace(card, sha256=hash_of(path.parent / card.weights))
    path.write_text(format_card(hashed), encoding="utf-8")
    return hashed


def add_figures(path: Path, figures: Sequence[Figure]) -> Card:
    """Write figures into a card, in place of those of the same words."""
    kept = read_card(path)
    others = [figure for figure in kept.figures if figure.what not in {new.what for new in figures}]
    return write_card(replace(kept, figures=(*others, *figures)), path)


def checked_weights(card: Card, path: Path) -> Path:
    """The weights of the card at `path`; raises ModelError where they are missing or not the ones it describes."""
    weights = path.parent / card.weights
    if not weights.is_file():
        raise ModelError(f"the weights {weights} are missing: make them again with: {card.command}")
    found = hash_of(weights)
    if found != card.sha256:
        raise ModelError(
            f"{weights} is not the file its card describes (sha256 {found[:12]}..., the card says "
            f"{card.sha256[:12]}...): restore it, or make it again with: {card.command}"
        )
    return weights
