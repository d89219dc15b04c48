"""Games a network plays against itself, many at once, and the examples they leave to learn from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.learned.view import Answer, NetworkView
from solvers.training.vector_environments import VectorEnvironment, VectorSearch

TAIL = 60
"""Moves a game whose result is known is played on at most, so that the network sees how it is brought about."""


@dataclass(frozen=True, slots=True)
class SelfPlaySettings:
    """How self-play thinks (AlphaZero; playout cap randomisation: Wu 2019).

    visits: of a full search, from which the policy learns; fast: of the others.  share: how many searches are full.
    noise: the share of Dirichlet noise in a full search's first priors; concentration: its parameter, for all moves
    together.  warm: moves drawn in proportion to their visits before the most visited is played.
    exploration: of PUCT.  places: games at once.  each: leaves a tree gives to a batch.
    plies: moves after which a game is drawn.  resign: the value under which a side gives up, 0 for never.
    """

    visits: int = 128
    fast: int = 32
    share: float = 0.25
    noise: float = 0.25
    concentration: float = 10.0
    warm: int = 15
    exploration: float = 1.4
    places: int = 64
    each: int = 1
    plies: int = 400
    resign: float = 0.0


class Examples(NamedTuple):
    """Positions with what a search found there and how the game ended.

    planes: float16[n, planes, rows, cols].  ends: int64[n], where the moves of each end in the two that follow.
    numbers: int32[moves], the network's numbers of moves; shares: float32[moves], their shares of the visits; a
    position without moves teaches its value alone.  values: float32[n], the result for the side to move.
    """

    planes: NDArray[np.float16]
    ends: NDArray[np.int64]
    numbers: NDArray[np.int32]
    shares: NDArray[np.float32]
    values: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.values)


class Report(NamedTuple):
    """What a series of games was like.

    games, plies, evaluations: how many.  first, draws: games won by the first player, drawn games.
    """

    games: int
    plies: int
    evaluations: int
    first: int
    draws: int


@dataclass(slots=True)
class _Game:
    """A game under way: its plies, whether the search under way is full and still to be stirred, and its examples."""

    plies: int = 0
    full: bool = False
    fresh: bool = False
    planes: list[NDArray[np.float16]] = field(default_factory=list)
    policies: list[tuple[NDArray[np.int64], NDArray[np.float64]]] = field(default_factory=list)
    turns: list[int] = field(default_factory=list)


def join(parts: Sequence[Examples]) -> Examples:
    """All examples of several."""
    lengths = [len(part.numbers) for part in parts]
    before = np.cumsum([0, *lengths[:-1]])
    ends = np.concatenate([part.ends + first for part, first in zip(parts, before, strict=True)])
    planes, _, numbers, shares, values = (np.concatenate(part) for part in zip(*parts, strict=True))
    return Examples(planes, ends, numbers, shares, values)


def policies_of(examples: Examples, chosen: NDArray[np.int64], actions: int) -> NDArray[np.float32]:
    """float32[chosen, actions], the shares of the visits of some examples; rows of 0 where there are none."""
    found = np.zeros((len(chosen), actions), np.float32)
    ends = examples.ends[chosen]
    starts = np.where(chosen > 0, examples.ends[chosen - 1], 0)
    rows = np.repeat(np.arange(len(chosen)), ends - starts)
    places = np.arange(len(rows)) + np.repeat(starts - np.cumsum(ends - starts) + (ends - starts), ends - starts)
    found[rows, examples.numbers[places]] = examples.shares[places]
    return found


def play_itself(
    view: NetworkView, network: Answer, settings: SelfPlaySettings, games: int, seed: Any
) -> tuple[Examples, Report]:
    """Play `games` games; they are a function of the arguments alone."""
    series = _Series(view, network, settings, games, np.random.default_rng(seed))
    return series.play()


class _Series:
    """Games of self-play: as one ends, the next takes its place."""

    def __init__(
        self, view: NetworkView, network: Answer, settings: SelfPlaySettings, games: int, rng: np.random.Generator
    ) -> None:
        places = min(settings.places, games)
        self._settings, self._rng, self._actions = settings, rng, view.encoder.actions
        self._environment = VectorEnvironment(view, places)
        visits = max(settings.visits, settings.fast)
        self._trees = VectorSearch(self._environment, network, visits, settings.exploration, each=settings.each)
        self._wanted = np.zeros(places, np.int32)
        self._left = games
        self._playing: list[_Game | None] = [None] * places
        self._examples: list[tuple[NDArray[np.float16], NDArray[np.int64], NDArray[np.float64], float]] = []
        self._plies = self._first = self._draws = self._games = 0

    def play(self) -> tuple[Examples, Report]:
        """All the games, their examples and what they were like."""
        for at in range(len(self._playing)):
            self._begin(at)
        while any(game is not None for game in self._playing):
            self._trees.think(self._wanted)
            for at in np.flatnonzero(self._trees.visits >= self._wanted).tolist():
                if (game := self._playing[at]) is not None:
                    self._go_on(at, game)
        report = Report(self._games, self._plies, self._trees.evaluations, self._first, self._draws)
        return self._collected(), report

    def _begin(self, at: int) -> None:
        """The next game at place `at`, if there is one."""
        self._wanted[at] = 0
        self._playing[at] = None
        while self._left and self._playing[at] is None:
            self._left -= 1
            self._trees.begin(at, self._environment.deal(at, self._rng))
            self._playing[at] = game = _Game()
            self._start_search(at, game)

    def _start_search(self, at: int, game: _Game) -> None:
        """Starts the search of the next move, unless the game ended."""
        over, known, value = self._trees.judge(at)
        if not known and game.plies < self._settings.plies:
            self._search(at, game)
            return
        last, result = game.plies, value if known else 0.0
        if known and not over:
            self._finish(at, game, value)
        self._end(at, game, last, result)

    def _search(self, at: int, game: _Game) -> None:
        game.full = bool(self._rng.random() < self._settings.share)
        game.fresh = game.full
        before = int(self._trees.visits[at])
        if game.fresh and before == 0:
            self._wanted[at] = 1  # the root's own priors come first
        else:
            self._resume(at, game, before)

    def _resume(self, at: int, game: _Game, before: int) -> None:
        settings = self._settings
        if game.fresh:
            self._trees.add_noise(at, self._rng, settings.noise, settings.concentration)
            game.fresh = False
        self._wanted[at] = before + (settings.visits if game.full else settings.fast)

    def _go_on(self, at: int, game: _Game) -> None:
        """What follows when the search of a place has the visits it wanted."""
        if game.fresh:
            self._resume(at, game, 0)
            return
        moves, visits = self._trees.children(at)
        if game.full and len(moves) > 1:
            numbers = self._trees.numbers(at, moves)
            self._note(at, game, numbers[visits > 0], visits[visits > 0] / visits.sum())
        if self._settings.resign and self._trees.value(at) < -self._settings.resign:
            self._end(at, game, game.plies, -1.0)
            return
        if game.plies < self._settings.warm:
            pick = int(self._rng.choice(len(moves), p=visits / visits.sum()))
        else:
            pick = int(visits.argmax())
        self._make(at, game, int(moves[pick]))
        self._start_search(at, game)

    def _make(self, at: int, game: _Game, move: int) -> None:
        self._trees.advance(at, move)
        game.plies += 1

    def _note(self, at: int, game: _Game, numbers: NDArray[np.int64], shares: NDArray[np.float64]) -> None:
        game.planes.append(self._trees.planes(at))
        game.policies.append((numbers, shares))
        game.turns.append(game.plies)

    def _finish(self, at: int, game: _Game, value: float) -> None:
        """Moves that bring a known result about, as often noted as positions that were searched."""
        for _ in range(TAIL):
            moves = self._trees.sure(at)
            if self._rng.random() < self._settings.share:
                numbers = self._trees.numbers(at, moves if value > 0 else moves[:0])
                numbers = numbers[numbers >= 0]
                self._note(at, game, numbers, np.full(len(numbers), 1 / max(len(numbers), 1)))
            self._make(at, game, int(self._rng.choice(moves)))
            over, known, value = self._trees.judge(at)
            if over or not known:
                return

    def _end(self, at: int, game: _Game, last: int, result: float) -> None:
        """Closes a game whose result, for the side to move after `last` plies, is `result`."""
        for planes, (numbers, shares), turn in zip(game.planes, game.policies, game.turns, strict=True):
            value = result if (last - turn) % 2 == 0 else -result
            self._examples.append((planes, numbers, shares, value))
        self._games += 1
        self._plies += game.plies
        self._draws += result == 0
        self._first += result > 0 if last % 2 == 0 else result < 0
        self._begin(at)

    def _collected(self) -> Examples:
        planes, numbers, shares, values = zip(*self._examples, strict=True) if self._examples else ((), (), (), ())
        return Examples(
            np.array(planes, np.float16).reshape(-1, *self._environment.view.encoder.shape),
            np.cumsum([len(part) for part in numbers], dtype=np.int64),
            np.concatenate([np.zeros(0), *numbers]).astype(np.int32),
            np.concatenate([np.zeros(0), *shares]).astype(np.float32),
            np.array(values, np.float32),
        )
