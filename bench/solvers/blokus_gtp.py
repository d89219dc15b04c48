"""Blokus against a program that speaks GTP as Pentobi's engine does, with the CPU time of both."""

from __future__ import annotations

import math
import os
import subprocess
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass

import numpy as np

from games.blokus import GAME
from games.blokus.position import Blokus
from games.blokus.texts import format_move, parse_points
from games.core import Options
from solvers import find_solver
from solvers.arena import ArenaGame, standing
from solvers.core import Limit

COMMAND = "pentobi-gtp --threads 1 --nobook --noresign --quiet"
"""The engine, without its name for the board, its level and its seed; CMake builds it with -DPENTOBI_BUILD_GTP=ON."""

BOARDS = {"duo": "duo", "classic-2": "classic_2"}
"""Variants for two players, and what the engine calls them."""

OPENINGS = 2
"""Random placements before a game; each two games in a row have the same, with the seats exchanged."""

FIRST_SECONDS = 0.5
"""Of our first moves where both are to take the same time, until it is known what the other takes."""


class Engine:
    """The other program, in a process of its own."""

    def __init__(self, command: str) -> None:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        self._process = subprocess.Popen(command.split(), text=True, **pipes)  # type: ignore[call-overload]

    def ask(self, line: str) -> str:
        """The answer to a command; raises ValueError where it is refused."""
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline().strip()
        self._process.stdout.readline()  # the empty line that ends it
        if not answer.startswith("="):
            raise ValueError(f"the engine refuses {line!r}: {answer or 'it has ended'}")
        return str(answer[1:].strip())

    def seconds(self) -> float:
        """The CPU time it has taken, to a hundredth."""
        with open(f"/proc/{self._process.pid}/stat") as stat:
            user, system = stat.read().rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def close(self) -> None:
        """Ends the program."""
        self._process.communicate("quit\n")


@dataclass
class Clocks:
    """CPU seconds and moves of ours and of the other's."""

    ours: float = 0.0
    theirs: float = 0.0
    our_moves: int = 0
    their_moves: int = 0

    def pace(self) -> tuple[float, float]:
        """The mean of either."""
        return self.ours / max(self.our_moves, 1), self.theirs / max(self.their_moves, 1)


def tables(
    command: str = COMMAND,
    level: int = 6,
    games: int = 40,
    seconds: float = 0.25,
    variant: str = "duo",
    player: str = "mcts",
    seed: int = 0,
) -> Iterator[str]:
    """A match, a row a game and then the points, as Markdown; `seconds` 0: as long as the other takes, in the mean."""
    yield f"{player} on {variant} against level {level}, {OPENINGS} random placements first, one thread each"
    yield ""
    yield "| game | our seat | squares, ours and theirs | CPU s a move, ours and theirs |"
    yield "|---|---|---|---|"
    clocks, played = Clocks(), list[ArenaGame]()
    for number in range(games):
        before, seat = Clocks(**vars(clocks)), number % 2
        own = f"{command} --game {BOARDS[variant]} --level {level} --seed {number + 1}"
        with closing(Engine(own)) as engine:
            state = _play(engine, _opening(variant, [seed, number // 2], engine), seat, player, seconds, clocks)
        margin = state.scores[seat] - state.scores[1 - seat]
        points = 0.5 + 0.5 * float(np.sign(margin))
        spent = Clocks(*(after - was for after, was in zip(vars(clocks).values(), vars(before).values(), strict=True)))
        moves = spent.our_moves, spent.their_moves
        played.append(ArenaGame(number // 2, seat, points, moves, (spent.ours, spent.theirs), ""))
        pace = "{:.3f} and {:.3f}".format(*spent.pace())
        yield f"| {number + 1} | {seat + 1} | {state.scores[seat]} to {state.scores[1 - seat]} | {pace} |"
    found = standing(played)
    low, high = (1 / (1 + math.pow(10, -bound / 400)) for bound in found.interval)
    share = sum(game.points for game in played) / len(played)
    yield ""
    yield (
        f"Won {found.wins}, drawn {found.draws}, lost {found.losses}: {share:.1%} ({low:.1%} to {high:.1%}); "
        "CPU seconds a move {:.3f} and {:.3f}.".format(*clocks.pace())
    )


def _opening(variant: str, seed: list[int], engine: Engine) -> Blokus:
    """A position after random placements, which the engine is told."""
    rng = np.random.default_rng(seed)
    state = GAME.deal(rng, Options(variant=variant))
    for _ in range(OPENINGS):
        moves = state.legal_moves()
        move = moves[int(rng.integers(len(moves)))]
        engine.ask(f"p {format_move(move, state.board)}")
        state = state.play(move)
    return state


def _play(engine: Engine, state: Blokus, seat: int, player: str, seconds: float, clocks: Clocks) -> Blokus:
    """The end of a game in which we have a seat."""
    solver = find_solver(player, "blokus")
    while state.outcome() is None:
        if state.player == seat:
            allowed = seconds or clocks.pace()[1] or FIRST_SECONDS
            decision = solver.decide(state, Limit(seconds=allowed))
            clocks.ours += decision.seconds
            clocks.our_moves += 1
            engine.ask(f"p {format_move(decision.move, state.board)}")
            state = state.play(decision.move)
        else:
            before = engine.seconds()
            answer = engine.ask("g")
            clocks.theirs += engine.seconds() - before
            clocks.their_moves += 1
            state = state.play(parse_points(answer, state.board))
    return state
