"""The record of a table's games: each is kept as soon as it is over, so that a series that was broken off goes on."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar, Protocol, TypeVar

from bot.play.result import RunResult
from bot.pointers.guard import StoppedError
from games.core import BoardsightError, UnreadableError

GAMES = "games.jsonl"
"""The file of a record, a line a game, in the folder it is kept in."""

HEAD = (
    "games | finished | won | drawn | lost | record agrees | misread | clicks again | stray presses | moves | s a move"
)
RULE = "|".join(["---:"] * (HEAD.count("|") + 1))
"""The columns of `counts`, and the line below them."""


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """How one game went, by the referee where there is one.

    cause: of the end, or the error's name.
    agrees: whether the referee's record holds the moves of the journal, in order; None where there is no referee.
    misreads, retries: as in `bot.play.result.RunResult`.  stray: presses that hit or did nothing, where that is known.
    score: at the end, in words.  problem: the error that stopped it.
    """

    cause: str
    agrees: bool | None
    moves: int
    misreads: int
    retries: int
    seconds: float
    stray: int = 0
    score: str = ""
    problem: str = ""

    @property
    def flawless(self) -> bool:
        """Whether it was played to its end and nothing was misread, clicked twice or beside its place."""
        return self.agrees is not False and not (self.problem or self.misreads or self.retries or self.stray)


def finished(result: RunResult, *, agrees: bool | None = None, stray: int = 0) -> RecordedGame:
    """A game that was played to its end."""
    score = "" if result.outcome is None else " to ".join(f"{points:g}" for points in result.outcome.scores or ())
    return RecordedGame(
        result.cause, agrees, result.moves, result.misreads, result.retries, result.seconds, stray=stray, score=score
    )


def stopped(error: Exception, *, moves: int = 0, agrees: bool | None = None, stray: int = 0) -> RecordedGame:
    """A game that `error` stopped after `moves` of ours; raises it again where the whole series was asked to stop."""
    from bot.play.seen import BoardLostError

    if isinstance(error, StoppedError):
        raise error
    name, unread = type(error).__name__, isinstance(error, UnreadableError | BoardLostError)
    return RecordedGame(name, agrees, moves, int(unread), 0, 0.0, stray=stray, problem=f"{name}: {error}")


class SeriesRecord:
    """The games of one table, each under its name.

    keep: the folder where they are kept, with the runs of those that were not flawless; None keeps nothing.
    """

    def __init__(self, keep: Path | None = None) -> None:
        self._keep = keep
        self._games: dict[str, RecordedGame] = {}
        if keep is not None and (keep / GAMES).exists():
            for line in (keep / GAMES).read_text(encoding="utf-8").splitlines():
                told = json.loads(line)
                name = told.pop("game")
                self._games[name] = RecordedGame(**told)

    def game(self, play: Callable[..., RecordedGame], *facts: str | int) -> RecordedGame:
        """The game that `facts` tell of: as it is kept, else played by ``play(*facts, runs=FOLDER)``."""
        name = "-".join(map(str, facts))
        if name in self._games:
            return self._games[name]
        with self._folder(name) as runs:
            self._games[name] = game = play(*facts, runs=runs)
            if self._keep is not None:
                with (self._keep / GAMES).open("a", encoding="utf-8") as file:
                    print(json.dumps({"game": name, **asdict(game)}), file=file)
                if game.flawless:
                    shutil.rmtree(runs)
        return game

    @contextmanager
    def _folder(self, name: str) -> Iterator[Path]:
        """A folder for the runs of a game."""
        if self._keep is None:
            with tempfile.TemporaryDirectory() as folder:
                yield Path(folder)
            return
        runs = self._keep / name
        shutil.rmtree(runs, ignore_errors=True)  # of a game that was broken off
        runs.mkdir(parents=True)
        yield runs


def ending(play: Callable[[], RunResult]) -> tuple[str, str]:
    """How what `play` plays ends, and in what words; an error is an end like any other."""
    try:
        result = play()
    except BoardsightError as problem:
        return type(problem).__name__, str(problem)
    except Exception as problem:  # what must not be
        return f"crash: {type(problem).__name__}", str(problem)
    return result.cause, result.message


class Numbered(Protocol):
    """A game of a series, as a frozen dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def seed(self) -> int:
        """Its number."""
        ...


T = TypeVar("T", bound=Numbered)


def kept_series(
    kind: type[T], play_each: Callable[[Sequence[int]], Iterable[T]], numbers: Sequence[int], *, keep: Path | None
) -> list[T]:
    """The games of those numbers: those kept in `keep`, and the others as `play_each` plays them, kept at once."""
    played: dict[int, T] = {}
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        (keep / GAMES).touch()
        for line in (keep / GAMES).read_text(encoding="utf-8").splitlines():
            told = json.loads(line).items()
            game = kind(**{key: tuple(value) if isinstance(value, list) else value for key, value in told})
            played[game.seed] = game
    for game in play_each([number for number in numbers if number not in played]):
        played[game.seed] = game
        if keep is not None:
            with (keep / GAMES).open("a", encoding="utf-8") as file:
                print(json.dumps(asdict(game)), file=file)
    return [played[number] for number in numbers]


def counts(games: Sequence[RecordedGame]) -> str:
    """The cells of a table's row for these games, below `HEAD`; then a line for each problem."""
    causes = Counter(game.cause for game in games)
    ends = [causes[cause] for cause in ("won", "drawn", "lost")]
    moves = sum(game.moves for game in games)
    agreed = "-" if any(game.agrees is None for game in games) else sum(game.agrees is True for game in games)
    facts = [
        *(len(games), sum(ends), *ends, agreed, sum(game.misreads for game in games)),
        *(sum(game.retries for game in games), sum(game.stray for game in games), moves),
    ]
    return f"{' | '.join(map(str, facts))} | {sum(game.seconds for game in games) / max(1, moves):.2f}"


def problems(games: Sequence[RecordedGame]) -> list[str]:
    """A line for each game that was stopped."""
    return [f"  {game.problem}" for game in games if game.problem]
