"""The ways to learn, by name: what ``boardsight train --method`` offers."""

from __future__ import annotations

from dataclasses import dataclass, fields
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

from games import GAMES
from games.core import SettingsError, choices, not_installed
from solvers import parse_value
from solvers.learned.registry import network_game
from solvers.training.run import TrainingRun, read_plan


class Method(Protocol):
    """How one method learns."""

    def __call__(self, run: TrainingRun, settings: Any) -> None:
        """Learn until the run's budget is spent, then leave weights and a card in its folder.

        Raises SettingsError where the run's game or board is none for it.
        """
        ...


@dataclass(frozen=True, slots=True)
class Entry:
    """A method: "module:class" of its settings, and a line.

    Its functions, a `Method` each, are called learn, and leave, which leaves the player of the latest checkpoint.
    """

    place: str
    line: str


METHODS: dict[str, Entry] = {
    "alphazero": Entry(
        "solvers.training.alphazero:AlphaZeroSettings",
        "a network learns from its own games, searched with its help; each must beat the one before",
    ),
    "supervised": Entry(
        "solvers.training.supervised:SupervisedSettings",
        "a network learns from examples: exact answers of a solver, or finished games",
    ),
    "q-learning": Entry("solvers.training.blokus_q_learning:QLearningSettings", "a table of values for small boards"),
    "dqn": Entry(
        "solvers.training.dqn:DqnSettings",
        "deep Q-learning by self-play and against its own past",
    ),
    "published-dqn": Entry(
        "solvers.training.published_dqn:PublishedDqnSettings",
        "Stable-Baselines3's DQN as the article configured it",
    ),
    "state-action": Entry(
        "solvers.training.blokus_pairs:StateActionSettings",
        "a network that judges pairs of position and placement",
    ),
}
"""Name of each method -> where it stands."""


def games_of(method: str) -> list[str]:
    """The games that a method can learn, as what networks know of them says."""
    return [game for game in GAMES if method in network_game(game).methods]


def find_method(name: str, game: str) -> tuple[Method, type[Any]]:
    """How a method learns `game`, and its settings; raises SettingsError."""
    module, settings = _find(name, game)
    return module.learn, settings


def leave_checkpoint(folder: Path, out: Path) -> Path:
    """Leave the player of the latest checkpoint of the run in `folder` in another; returns its card's path.

    Raises SettingsError where there is no run, or no checkpoint yet.
    """
    plan = read_plan(folder)
    module, settings = _find(plan.method, plan.game)
    run = TrainingRun(folder, plan, resume=True, out=out)
    if not run.resuming:
        raise SettingsError(f"{folder} holds no checkpoint yet: wait until one is kept")
    out.mkdir(parents=True, exist_ok=True)
    module.leave(run, parse_settings(settings, list(plan.settings)))
    return out / "model.toml"


def _find(name: str, game: str) -> tuple[ModuleType, type[Any]]:
    """Where a method that learns `game` stands, and its settings; raises SettingsError."""
    if name not in METHODS:
        raise SettingsError(f"no method is called {name!r}; {choices(name, METHODS)}")
    entry = METHODS[name]
    if game not in games_of(name):
        able = network_game(game).methods
        raise SettingsError(
            f"{name} does not learn {game}: "
            + (f"choose one of {', '.join(able)}" if able else "no method does, but boardsight.environment is its, too")
        )
    module, _, settings = entry.place.partition(":")
    try:
        found = import_module(module)
    except ImportError as error:
        raise SettingsError(not_installed("train", error.name or module)) from error
    return found, getattr(found, settings)


def parse_settings(kind: type[Any], words: list[str]) -> Any:
    """The settings of ``key=value`` words, the others as they usually are; raises SettingsError.

    Values have the type of their default; tuples of numbers are joined by ``+``, such as ``layers=256+128``.
    """
    known = {field.name: field.default for field in fields(kind)}
    values: dict[str, Any] = {}
    for word in words:
        key, equals, text = word.partition("=")
        if not equals or key not in known:
            raise SettingsError(
                f"this method has no setting {word!r}; write key=value with a key of: {', '.join(known)}"
            )
        values[key] = parse_value(f"setting {key}={text!r}", text, known[key])
    return kind(**values)
