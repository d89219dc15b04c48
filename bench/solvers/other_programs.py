"""Matches against a program in a process of its own that speaks a text protocol, with the CPU time of both."""

from __future__ import annotations

import math
import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np

from solvers import find_solver
from solvers.arena import ArenaGame, standing
from solvers.core import Limit

OPENINGS = 2
"""Random moves before a game; each two games in a row have the same, with the seats exchanged."""

LONGEST = 400
"""Moves after which a game counts as drawn: two programs may walk about for ever."""

FIRST_SECONDS = 0.5
"""Of our first moves where both are to take the same time, until it is known what the other takes."""

SPREAD = 8
"""Moves over which time that was saved, or taken beyond what is due, is spread."""


class Engine:
    """The other program: a command a line, and answers as in the Go Text Protocol."""

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

    def due(self) -> float:
        """What our next move may take so that both take as much in all: what was saved goes to the next few moves."""
        each = self.pace()[1]
        return max(each / 4, each + (each * self.our_moves - self.ours) / SPREAD) or FIRST_SECONDS


@dataclass(frozen=True)
class ProgramMatch:
    """How a match is played.

    game: its name.  player: ours.  position: the first one.  start: tells the program the board.
    tell: tells it a move, made in a position.  ask: has it move.  seconds: of our moves; 0: as long as the other takes,
    in the mean.  said: of a position that is over, the result as seen from a seat.
    """

    game: str
    player: str
    seconds: float
    position: Any
    start: Callable[[Engine], object]
    tell: Callable[[Engine, Any, Any], object]
    ask: Callable[[Engine, Any], Any]
    said: Callable[[Any, int], str]

    def tables(self, command: Callable[[int], str], games: int, seed: int) -> Iterator[str]:
        """A row a game and then the points, as Markdown; `command` starts the program for a game of that number."""
        yield "| game | our seat | result | CPU s a move, ours and theirs |"
        yield "|---|---|---|---|"
        clocks, played = Clocks(), list[ArenaGame]()
        for number in range(games):
            before, seat = Clocks(**vars(clocks)), number % 2
            with closing(Engine(command(number + 1))) as engine:
                state = self._play(engine, np.random.default_rng([seed, number // 2]), seat, clocks)
            over = state.outcome()
            points = 0.5 if over is None or over.winner is None else float(over.winner == seat)
            taken = zip(vars(clocks).values(), vars(before).values(), strict=True)
            spent = Clocks(*(after - was for after, was in taken))
            moves = spent.our_moves, spent.their_moves
            played.append(ArenaGame(number // 2, seat, points, moves, (spent.ours, spent.theirs), ""))
            pace = "{:.3f} and {:.3f}".format(*spent.pace())
            yield f"| {number + 1} | {seat + 1} | {self.said(state, seat) if over else 'not over'} | {pace} |"
        found = standing(played)
        low, high = (1 / (1 + math.pow(10, -bound / 400)) for bound in found.interval)
        share = sum(game.points for game in played) / len(played)
        yield ""
        yield (
            f"Won {found.wins}, drawn {found.draws}, lost {found.losses}: {share:.1%} ({low:.1%} to {high:.1%}); "
            "CPU seconds a move {:.3f} and {:.3f}.".format(*clocks.pace())
        )

    def _play(self, engine: Engine, rng: np.random.Generator, seat: int, clocks: Clocks) -> Any:
        """The last position of a game in which we have a seat."""
        state, solver = self.position, find_solver(self.player, self.game)
        begun = clocks.our_moves + clocks.their_moves
        self.start(engine)
        for _ in range(OPENINGS):
            moves = state.legal_moves()
            state = self._made(engine, state, moves[int(rng.integers(len(moves)))])
        while state.outcome() is None and clocks.our_moves + clocks.their_moves < begun + LONGEST:
            if state.player == seat:
                decision = solver.decide(state, Limit(seconds=self.seconds or clocks.due()))
                clocks.ours += decision.seconds
                clocks.our_moves += 1
                state = self._made(engine, state, decision.move)
            else:
                before = engine.seconds()
                move = self.ask(engine, state)
                clocks.theirs += engine.seconds() - before
                clocks.their_moves += 1
                state = state.play(move)
        return state

    def _made(self, engine: Engine, state: Any, move: Any) -> Any:
        self.tell(engine, state, move)
        return state.play(move)
