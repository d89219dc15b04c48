"""What a learned player is worth: matches against others from both seats, and its moves beside perfect ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np

from games import GAMES, find_game
from games.core import Options, SettingsError
from solvers import find_solver
from solvers.arena import ArenaGame, Contest, Terms, pairings, play_contest
from solvers.core import Limit, Solver
from solvers.learned.card import Figure
from solvers.learned.registry import network_game
from solvers.training.cluster import ThisProcess, Workers, in_order

PROVEN = [name for name in GAMES if network_game(name).prover]
"""Games whose solver `exact` knows every best move of nearly every position."""

PROOF_NODES = 20_000_000
"""Of a position that is judged, a few seconds: one that takes more is left out."""


def shared_match(
    game: str, names: tuple[str, str], games: int, seed: int, terms: Terms, workers: Workers = ThisProcess()
) -> Iterator[ArenaGame]:
    """The games of a match, in their order; `workers` play them, and it does not matter who they are."""
    starts = pairings(find_game(game), games, np.random.default_rng(seed), terms)
    contests = (Contest(start, names, seed) for start in starts)
    return chain.from_iterable(in_order(workers, play_contest, contests))


def measure(
    player: str,
    game: str,
    opponent: str,
    *,
    games: int,
    seed: int,
    board: Options = Options(),
    openings: int = 0,
    limit: Limit = Limit(),
    seats: tuple[int, ...] = (0, 1),
    command: str = "",
    workers: Workers = ThisProcess(),
    told: Callable[[int], None] | None = None,
) -> tuple[Figure, ...]:
    """Three figures of a match: both seats, moving first, moving second; or one, where it has one of the `seats`.

    openings: random moves before each game.  workers: who plays the games; the figures do not depend on it.
    told: called with the number of games played, as they are.
    """
    terms = Terms(board, openings, limit=limit, seats=seats)
    played: list[ArenaGame] = []
    for each in shared_match(game, (player, opponent), games, seed, terms, workers):
        played.append(each)
        if told is not None:
            told(len(played))
    after = f" after {openings} random moves" if openings else ""
    return tuple(
        _figure(f"{opponent}, {name}{after}", [one for one in played if one.seat in wanted], command)
        for name, wanted in (("both seats", (0, 1)), ("moving first", (0,)), ("moving second", (1,)))
        if set(wanted) <= set(seats)
    )


def accuracy(
    player: Solver, game: str, *, positions: int, seed: int, board: Options = Options(), command: str = ""
) -> tuple[Figure, ...]:
    """Two figures: how many of the player's moves are best ones, and how many keep a win or a draw that there is.

    Each position is one of another random game, any of its positions with the same chance.  Raises SettingsError for
    games without a perfect solver.
    """
    if game not in PROVEN:
        raise SettingsError(f"no solver here knows every best move of {game}: choose from {', '.join(PROVEN)}")
    perfect = find_solver("exact", game)
    right: list[tuple[bool, bool]] = []
    for state in _positions(game, board, np.random.default_rng(seed)):
        proof = perfect.decide(state, Limit(nodes=PROOF_NODES))
        if proof.proven:
            move = player.decide(state).move
            best = move in proof.best
            worth = int(np.sign(proof.score or 0))
            right.append((best, best or _result(perfect, state, move) == worth))
        if len(right) == positions:
            break
    counts = [sum(each[kind] for each in right) for kind in (0, 1)]
    return tuple(
        Figure(f"{what}, of {positions} positions", positions, won, 0, positions - won, command)
        for what, won in zip(("best moves", "moves that keep the result"), counts, strict=True)
    )


def _result(perfect: Solver, state: Any, move: Any) -> int:
    """How perfect play ends after a move, for the side that makes it: 1, 0 or -1."""
    after = state.play(move)
    if (outcome := after.outcome()) is not None:
        return 0 if outcome.winner is None else 1 if outcome.winner == state.player else -1
    sign = int(np.sign(perfect.decide(after).score or 0))
    return sign if after.player == state.player else -sign


def _positions(game: str, board: Options, rng: np.random.Generator) -> Iterator[Any]:
    """Positions of random games, without end."""
    while True:
        state, passed = find_game(game).deal(rng, board), []
        while moves := state.legal_moves():
            passed.append(state)
            state = state.play(moves[int(rng.integers(len(moves)))])
        yield passed[int(rng.integers(len(passed)))]


def _figure(what: str, played: Sequence[ArenaGame], command: str) -> Figure:
    points = [each.points for each in played]
    return Figure(what, len(points), points.count(1.0), points.count(0.5), points.count(0.0), command)
