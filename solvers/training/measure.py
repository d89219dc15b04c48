"""What a learned player is worth: matches against others from both seats, for its card."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from games import find_game
from games.core import Options
from solvers import find_solver
from solvers.arena import Played, Terms, match, seeded
from solvers.core import Limit, Solver
from solvers.learned.card import Card, Figure, read_card, write_card


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


def _figure(what: str, played: Sequence[Played], command: str) -> Figure:
    points = [each.points for each in played]
    return Figure(what, len(points), points.count(1.0), points.count(0.5), points.count(0.0), command)


def add_figures(card: Path, figures: Sequence[Figure]) -> Card:
    """Write figures into a card, in place of those of the same words."""
    kept = read_card(card)
    others = [figure for figure in kept.figures if figure.what not in {new.what for new in figures}]
    return write_card(replace(kept, figures=(*others, *figures)), card)
