"""The levels of each game that has its own: what each scores against the one below, and what a move of it costs."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from games import GAMES, find_game
from games.core import Options
from solvers import find_solver
from solvers.arena import Standing, Terms, elo, match, standing, usual_openings
from solvers.core import Decision, Limit, Progress, Solver
from solvers.levels import STRONGEST, UNMEASURED, levels_of

SEED = 1773
"""Of the openings and of the draws; the temperatures were found with others."""

WANTED = (60, 75)
"""What a level is to score against the one below, of 100."""


@dataclass
class Spending:
    """What the moves of a player cost: of how many moves, positions and CPU seconds."""

    moves: int = 0
    nodes: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class CountedPlayer:
    """Plays as another one does, and adds up what that costs, what is no search included."""

    player: Solver
    spent: Spending = field(default_factory=Spending)

    def decide(self, state: Any, limit: Limit = Limit(), *, progress: Progress | None = None) -> Decision:
        """What the other one decides."""
        began = time.thread_time()
        decision = self.player.decide(state, limit, progress=progress)
        self.spent.seconds += time.thread_time() - began
        self.spent.moves += 1
        self.spent.nodes += decision.nodes
        return decision


@dataclass(frozen=True, slots=True)
class LadderStep:
    """A match of a level against the one below, of level 1 against random moves.

    shares: what it scored of each 100 points, and the 95% interval of that.
    """

    won: int
    drawn: int
    lost: int
    shares: tuple[float, float, float]
    nodes: float
    milliseconds: float


def tables(games: int = 100, seed: int = SEED, names: Sequence[str] = (), keep: Path | None = None) -> Iterator[str]:
    """A row for each level of each game, as Markdown; steps that the folder `keep` has are taken from there."""
    measured = [name for name in names or GAMES if levels_of(name) is not UNMEASURED and find_game(name).players == 2]
    yield f"{games} games of each level against the one below, of level 1 against random moves; each two games have"
    yield "the same start, with the sides exchanged: another board where one is dealt, else four random moves. Elo is"
    yield "what the steps from level 1 on add up to."
    yield ""
    yield "| game | level | of 100 points | 95% interval | won | drawn | lost | Elo | nodes a move | CPU ms a move |"
    yield "|---|---:|---:|---|---:|---:|---:|---:|---:|---:|"
    within = 0
    for name in measured:
        strength = 0.0
        for number in range(1, STRONGEST + 1):
            step = step_of(name, number, games, seed, keep)
            if number > 1:
                strength += elo(min(step.shares[0], 99.5) / 100)
                within += WANTED[0] <= step.shares[0] <= WANTED[1]
            yield _row(name, number, step, strength)
    steps = len(measured) * (STRONGEST - 1)
    yield ""
    yield f"{within} of {steps} steps lie between {WANTED[0]} and {WANTED[1]} of 100."
    of_two = (name for name in GAMES if find_game(name).players == 2)
    for name in (each for each in of_two if each not in measured):
        yield f"{find_game(name).title} is left out: its levels were not measured."


def _row(name: str, number: int, step: LadderStep, strength: float) -> str:
    share, low, high = step.shares
    return (
        f"| {find_game(name).title} | {number} | {share:g} | {low:.0f} to {high:.0f} | {step.won} | {step.drawn} "
        f"| {step.lost} | {strength:.0f} | {step.nodes:,.0f} | {step.milliseconds:.1f} |"
    )


def step_of(name: str, number: int, games: int, seed: int, keep: Path | None) -> LadderStep:
    """The step as it stands in the folder, if it was played by the same levels, else played and written there."""
    if keep is None:
        return play_step(name, number, games, seed)
    players = [asdict(level) for level in levels_of(name)[max(number - 2, 0) : number]]
    question = json.loads(json.dumps({"players": players, "games": games, "seed": seed}))
    path = keep / f"{name}-{number}.json"
    if path.is_file() and (kept := json.loads(path.read_text(encoding="utf-8")))["question"] == question:
        return LadderStep(**{**kept["step"], "shares": tuple(kept["step"]["shares"])})
    step = play_step(name, number, games, seed)
    keep.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"question": question, "step": asdict(step)}), encoding="utf-8")
    return step


def play_step(name: str, number: int, games: int, seed: int) -> LadderStep:
    """Plays the level against the one below."""
    game = find_game(name)
    upper = CountedPlayer(find_solver(f"level:{number},seed={2 * seed}", name))
    below = f"level:{number - 1},seed={2 * seed + 1}" if number > 1 else f"random:seed={2 * seed + 1}"
    terms = Terms(openings=usual_openings(game, Options()))
    rng = np.random.default_rng([seed, number])
    found = standing(list(match(game, (upper, find_solver(below, name)), games, rng, terms)))
    spent = upper.spent
    nodes, milliseconds = spent.nodes / spent.moves, 1_000 * spent.seconds / spent.moves
    return LadderStep(found.wins, found.draws, found.losses, _of_hundred(found), nodes, milliseconds)


def _of_hundred(found: Standing) -> tuple[float, float, float]:
    """The points of 100, and their interval."""
    low, high = (100 / (1 + 10 ** (-bound / 400)) for bound in found.interval)
    games = found.wins + found.draws + found.losses
    return round(100 * (found.wins + found.draws / 2) / games, 1), low, high
