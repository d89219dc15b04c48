"""What a learned player is worth: matches against others from both seats, and its moves beside perfect ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from games import find_game
from games.core import Options, SettingsError
from solvers import find_solver
from solvers.arena import Played, Terms, match, seeded
from solvers.core import Limit, Solver
from solvers.learned.card import Card, Figure, read_card, write_card

PERFECT = {"connect_four": "exact:every=true", "filler": "exact"}
"""Game -> the solver that knows every best move of the usual board."""

SENSIBLE = {"connect_four": "alphabeta:depth=2", "filler": "greedy"}
"""Game -> who makes half the moves of the games that positions are drawn from; the others are random."""

PROOF_NODES = 20_000_000
"""Of a position that is judged, a few seconds: one that takes more is left out."""


def measure(
    player: Solver,
    game: str,
    opponent: str,
    *,
    games: int,
    seed: int,
    board: Options = Options(),
    openings: int = 0,
    limit: Limit = Limit(),
    command: str = "",
    told: Callable[[int], None] | None = None,
) -> tuple[Figure, ...]:
    """Three figures of a match: both seats, moving first, moving second.

    openings: random moves before each game.  told: called with the number of games played, after each.
    """
    rival = seeded(find_solver(opponent, game), 2 * seed + 1)
    terms = Terms(board, openings, limit=limit)
    played: list[Played] = []
    for each in match(find_game(game), (seeded(player, 2 * seed), rival), games, np.random.default_rng(seed), terms):
        played.append(each)
        if told is not None:
            told(len(played))
    after = f" after {openings} random moves" if openings else ""
    return tuple(
        _figure(f"{opponent}, {seats}{after}", [one for one in played if one.seat in wanted], command)
        for seats, wanted in (("both seats", (0, 1)), ("moving first", (0,)), ("moving second", (1,)))
    )


def accuracy(
    player: Solver, game: str, *, positions: int, seed: int, board: Options = Options(), command: str = ""
) -> tuple[Figure, ...]:
    """How many of the player's moves are best ones, and keep a win or a draw where every move's score is known.

    Each position is one of another game, any of its positions with the same chance; see SENSIBLE.  Raises SettingsError
    for games without a perfect solver.
    """
    if game not in PERFECT:
        raise SettingsError(f"no solver here knows every best move of {game}: choose from {', '.join(PERFECT)}")
    perfect = find_solver(PERFECT[game], game)
    best, keeps = list[bool](), list[bool]()
    for state in _positions(game, board, np.random.default_rng(seed)):
        proof = perfect.decide(state, Limit(nodes=PROOF_NODES))
        if not proof.proven:
            continue
        move, scores = player.decide(state).move, {each.move: each.score for each in proof.candidates}
        best.append(move in proof.best)
        if None not in scores.values() and len(scores) == len(state.legal_moves()):
            keeps.append(np.sign(scores[move] or 0) == np.sign(proof.score or 0))
        if len(best) == positions:
            break
    counted = [("best moves", best), ("moves that keep a win or a draw", keeps)]
    return tuple(
        Figure(f"{what}, of {len(right)} positions", len(right), sum(right), 0, len(right) - sum(right), command)
        for what, right in counted
        if right
    )


def _positions(game: str, board: Options, rng: np.random.Generator) -> Iterator[Any]:
    """Positions of games that are half sensible, without end."""
    sensible = find_solver(SENSIBLE[game], game)
    while True:
        state, passed = find_game(game).deal(rng, board), []
        while moves := state.legal_moves():
            passed.append(state)
            by_chance = moves[int(rng.integers(len(moves)))]
            state = state.play(by_chance if rng.random() < 0.5 else sensible.decide(state).move)
        yield passed[int(rng.integers(len(passed)))]


def _figure(what: str, played: Sequence[Played], command: str) -> Figure:
    points = [each.points for each in played]
    return Figure(what, len(points), points.count(1.0), points.count(0.5), points.count(0.0), command)


def add_figures(card: Path, figures: Sequence[Figure]) -> Card:
    """Write figures into a card, in place of those of the same words."""
    kept = read_card(card)
    others = [figure for figure in kept.figures if figure.what not in {new.what for new in figures}]
    return write_card(replace(kept, figures=(*others, *figures)), card)
