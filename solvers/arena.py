"""Matches between two players: pairs of games with the seats exchanged, and what they say of the difference.

Single-player games are raced: both play the same board, and fewer moves win.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import cycle
from typing import Any

import numpy as np

from games import find_game
from games.core import Game, IllegalMoveError, Options, SettingsError
from solvers import find_solver
from solvers.core import Limit, Move, Solver

ATTEMPTS = 200
"""Tries to find an opening that was not played yet, before one is played again."""


OPENINGS = 4
"""Random moves before a game that always starts in the same position: enough for hundreds of different games."""


def usual_openings(game: Game[Any, Any], options: Options) -> int:
    """How many random moves go before a match's games: none where every game is dealt another board."""
    first, second = (game.deal(np.random.default_rng(seed), options) for seed in (0, 1))
    return OPENINGS if first == second else 0


@dataclass(frozen=True, slots=True)
class Terms:
    """What a match is played under.

    openings: random moves that are made before the players take over.
    plies: moves after which an unfinished game is drawn; in a race, the most moves a board may take.
    limit: of each decision.  seats: those A has in the games from one start.
    book: positions to begin from, one after the other and then again; empty: dealt ones.
    believed: whether a game ends as A's, and B's, decision proves that it will.
    """

    options: Options = field(default=Options())
    openings: int = 0
    plies: int = 2_000
    limit: Limit = field(default=Limit())
    seats: tuple[int, ...] = (0, 1)
    book: tuple[Any, ...] = ()
    believed: tuple[bool, bool] = (False, False)


@dataclass(frozen=True, slots=True)
class ArenaGame:
    """One game, seen from player A, or one board of a race.

    start: its number; two games of a pair have the same.  seat: A's seat.
    points: 1 for a win of A, 0.5 for a draw, 0 for a loss.
    moves: how many each player made, A's first.  seconds: CPU seconds each needed for all of them.
    won: whether A, and whether B, won the game; on a board of a race both can.
    forfeit: the player, 0 for A, whose illegal move ended the game.
    reason: how it ended, for a person.
    opening: the position it began from.  lines: the moves that followed, those of either player in a race.
    """

    start: int
    seat: int
    points: float
    moves: tuple[int, int]
    seconds: tuple[float, float]
    reason: str
    won: tuple[bool, bool] = (False, False)
    forfeit: int | None = None
    opening: Any = None
    lines: tuple[tuple[Move, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Pairing:
    """The games of a match that begin from one start: what there is to know to play them, wherever that is done.

    number: of the start.  seats: A's, a game each; in a race none is told apart.
    """

    game: str
    number: int
    start: Any
    seats: tuple[int, ...]
    terms: Terms


def pairings(game: Game[Any, Any], games: int, rng: np.random.Generator, terms: Terms) -> Iterator[Pairing]:
    """The starts of `games` games, A first in every other one; each two games in a row have the same start.

    Raises SettingsError where the game is not one for one or two players, or ends within the opening.
    """
    players = terms.options.players or game.players
    if players > 2:
        raise SettingsError(f"a match is one of two players; this game has {players}: choose --players 2")
    starts, seats = _starts(game, rng, terms), terms.seats if players == 2 else (0,)
    alone = replace(terms, book=())
    for number in range(-(-games // len(seats))):
        yield Pairing(game.name, number, next(starts), seats[: games - len(seats) * number], alone)


def play_pairing(pairing: Pairing, players: tuple[Solver, Solver]) -> Iterator[ArenaGame]:
    """The games from one start, one after the other."""
    if (pairing.terms.options.players or find_game(pairing.game).players) == 1:
        yield _race(pairing.start, players, pairing.number, pairing.terms)
        return
    for seat in pairing.seats:
        yield _play(pairing.start, players, pairing.number, seat, pairing.terms)


@dataclass(frozen=True, slots=True)
class Contest:
    """A pairing and who plays it, by their names, as work for `solvers.training.cluster.Workers`.

    seed: of the match; players that leave theirs to chance get one that depends on it and on the start.
    """

    pairing: Pairing
    names: tuple[str, str]
    seed: int


def play_contest(contest: Contest, find: Callable[[str, str], Solver] = find_solver) -> list[ArenaGame]:
    """The games of a contest by players made for them alone, so that it does not matter who plays them, and when."""
    seeds = np.random.SeedSequence((contest.seed, contest.pairing.number)).generate_state(2)
    game = contest.pairing.game
    first, second = (seeded(find(name, game), int(seed)) for name, seed in zip(contest.names, seeds, strict=True))
    return list(play_pairing(contest.pairing, (first, second)))


def match(
    game: Game[Any, Any], players: tuple[Solver, Solver], games: int, rng: np.random.Generator, terms: Terms
) -> Iterator[ArenaGame]:
    """Play `games` games; raises SettingsError as `pairings` does."""
    for pairing in pairings(game, games, rng, terms):
        yield from play_pairing(pairing, players)


def _starts(game: Game[Any, Any], rng: np.random.Generator, terms: Terms) -> Iterator[Any]:
    """Dealt positions after random moves, different as long as there are any; raises SettingsError as `match` does."""
    yield from cycle(terms.book)
    seen: set[Any] = set()
    while True:
        for _ in range(ATTEMPTS):
            start = _opening(game, rng, terms)
            if start is not None and start not in seen:
                break
        if start is None:
            raise SettingsError(f"{game.name} was over within {terms.openings} random moves in {ATTEMPTS} tries")
        seen.add(start)
        yield start


def _opening(game: Game[Any, Any], rng: np.random.Generator, terms: Terms) -> Any:
    """A dealt position after the random moves, None where the game ended on the way."""
    state = game.deal(rng, terms.options)
    for _ in range(terms.openings):
        moves = state.legal_moves()
        if not moves:
            return None
        state = state.play(moves[int(rng.integers(len(moves)))])
    return state if state.legal_moves() else None


def _play(start: Any, players: tuple[Solver, Solver], number: int, seat: int, terms: Terms) -> ArenaGame:
    """One game of a two-player game."""
    state, moves, seconds = start, [0, 0], [0.0, 0.0]
    line: list[Move] = []

    def ended(winner: int | None, reason: str, forfeit: int | None = None) -> ArenaGame:
        """winner: 0 for A, None for a draw."""
        points, won = 0.5 if winner is None else 1.0 - winner, (winner == 0, winner == 1)
        spent = _pair(moves), _pair(seconds)
        return ArenaGame(number, seat, points, *spent, reason, won, forfeit, start, (tuple(line),))

    while (outcome := state.outcome()) is None and sum(moves) < terms.plies:
        mover = 0 if state.player == seat else 1
        try:
            decision = players[mover].decide(state, terms.limit)
            state = state.play(decision.move)
        except IllegalMoveError as error:
            return ended(1 - mover, str(error), mover)
        line.append(decision.move)
        moves[mover] += 1
        seconds[mover] += decision.seconds
        if terms.believed[mover] and decision.proven and decision.score is not None and state.outcome() is None:
            winner = None if decision.score == 0 else mover if decision.score > 0 else 1 - mover
            return ended(winner, "proven")
    if outcome is None:
        return ended(None, f"not finished in {terms.plies} moves")
    return ended(None if outcome.winner is None else int(outcome.winner != seat), outcome.reason)


def _race(start: Any, players: tuple[Solver, Solver], number: int, terms: Terms) -> ArenaGame:
    """One board of a single-player game, played by both."""
    results = [_alone(start, player, terms) for player in players]
    (first, won_first, _), (second, won_second, _) = results
    moves = len(first), len(second)
    lengths = (moves[0] if won_first else math.inf, moves[1] if won_second else math.inf)
    points = 0.5 if lengths[0] == lengths[1] else float(lengths[0] < lengths[1])
    seconds = (results[0][2], results[1][2])
    reason = " against ".join(f"{len(line)} moves" if won else "not won" for line, won, _ in results)
    won = (won_first, won_second)
    return ArenaGame(number, 0, points, moves, seconds, reason, won, None, start, (first, second))


def _alone(state: Any, player: Solver, terms: Terms) -> tuple[tuple[Move, ...], bool, float]:
    """The moves the player made, whether the game is won, and the CPU seconds that took."""
    line: list[Move] = []
    seconds = 0.0
    while (outcome := state.outcome()) is None and len(line) < terms.plies:
        decision = player.decide(state, terms.limit)
        state = state.play(decision.move)
        line.append(decision.move)
        seconds += decision.seconds
    return tuple(line), outcome is not None and outcome.winner is not None, seconds


def _pair(values: Sequence[Any]) -> tuple[Any, Any]:
    return values[0], values[1]


@dataclass(frozen=True, slots=True)
class Standing:
    """What a match says of A's strength against B's.

    elo: the difference that A's share of the points stands for, infinite where one player has them all.
    interval: its 95% interval.
    pairs: how many starts gave A 0, 0.5, 1, 1.5 and 2 points of 2 (of a race: 0, -, 0.5, -, 1 of 1).
    """

    wins: int
    draws: int
    losses: int
    elo: float
    interval: tuple[float, float]
    pairs: tuple[int, int, int, int, int]


def standing(played: Sequence[ArenaGame]) -> Standing:
    """The result of at least one game.

    The interval is the pentanomial one: the games of a pair have the same start and depend on each other, so the
    variance is that of the pairs' shares.  One more pair, a fifth of it with each result, is added for the interval
    alone, so that a short or one-sided match does not claim to be certain.

    >>> even = [ArenaGame(0, seat, points, (3, 3), (0, 0), "") for seat, points in ((0, 1.0), (1, 0.0))]
    >>> [round(bound) for bound in (standing(even).elo, *standing(even).interval)]
    [0, -297, 297]
    """
    shares: dict[int, list[float]] = {}
    for each in played:
        shares.setdefault(each.start, []).append(each.points)
    counts = np.zeros(5)
    for points in shares.values():
        counts[round(4 * sum(points) / len(points))] += 1
    total = [each.points for each in played]
    smooth = counts + 1 / counts.size
    values = np.linspace(0, 1, counts.size)
    mean = float(smooth @ values / smooth.sum())
    error = math.sqrt(float(smooth @ (values - mean) ** 2) / smooth.sum() ** 2)
    return Standing(
        wins=total.count(1.0),
        draws=total.count(0.5),
        losses=total.count(0.0),
        elo=elo(sum(total) / len(total)),
        interval=(elo(mean - 1.96 * error), elo(mean + 1.96 * error)),
        pairs=tuple(int(count) for count in counts),  # type: ignore[arg-type]
    )


def elo(share: float) -> float:
    """The Elo difference at which a player is expected to get `share` of the points.

    >>> round(elo(0.75))
    191
    """
    if share <= 0 or share >= 1:
        return math.copysign(math.inf, share - 0.5)
    return 400 * math.log10(share / (1 - share))


def seeded(solver: Solver, seed: int) -> Solver:
    """The solver with its `seed` set, where it has one that is left to chance (-1)."""
    if getattr(solver, "seed", None) == -1:
        return replace(solver, seed=seed)  # type: ignore[type-var]
    return solver
