"""What a person reads in the terminal while a game is played."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

from bot.play.result import RunResult
from bot.protocol.answer import verdict, words_of
from calibration.board import Calibration, Colour
from calibration.looks import look_named
from games.core import Game
from solvers.core import Decision

ERASE = "\r\x1b[2K"
"""What empties the terminal's line."""


class Terminal:
    """Prints a line a move, with the moves' colours where the terminal has colours.

    Colours are shown on a terminal, and wherever FORCE_COLOR is set, but never where NO_COLOR is, as by convention.
    """

    def __init__(self, *, colours: bool | None = None, show_board: bool = False) -> None:
        said = {name: bool(os.environ.get(name)) for name in ("FORCE_COLOR", "NO_COLOR")}
        wanted = (sys.stdout.isatty() or said["FORCE_COLOR"]) and not said["NO_COLOR"]
        self._colours = wanted if colours is None else colours
        self._show_board = show_board and self._colours
        self._erase = ""

    def say(self, line: str) -> None:
        """Prints one line at once, in the place of what was waited for."""
        print(f"{self._erase}{line}", flush=True)
        self._erase = ""

    def wait(self, line: str) -> None:
        """Prints what is waited for; on a terminal the next line takes its place."""
        live = sys.stdout.isatty()
        print(f"{self._erase}{line}", end="" if live else "\n", flush=True)
        self._erase = ERASE if live else ""

    def close(self) -> None:
        """Ends the line of what was waited for: what others print comes below it."""
        if self._erase:
            print(flush=True)
        self._erase = ""

    def announce(self, game: Game[Any, Any], number: int, state: Any, decision: Decision, board: Calibration) -> str:
        """The line of a move: its number, the move, what it is worth and what else was considered."""
        moves = [game.format_move(decision.move, state)]
        palette = board.palette if look_named(board.look).filled else ()
        others = [c for c in decision.candidates if c.move != decision.move and c.score is not None]
        text = f"{number:3}  {self._swatch(moves[0], palette)}"
        chosen = next((c for c in decision.candidates if c.move == decision.move), None)
        if decision.score is not None:
            text += f"  {verdict(state, decision)}{', proven' * decision.proven}"
        elif chosen is not None and chosen.score is not None:
            text += f"  {words_of(decision, chosen)}"
        if others:
            text += "  then " + ", ".join(
                f"{game.format_move(each.move, state)}: {words_of(decision, each)}" for each in others[:3]
            )
        shown = self._board(game.show(state).grid.tolist(), palette) if self._show_board and palette else []
        return "\n".join([*shown, text])

    def _board(self, grid: Sequence[Sequence[int]], palette: Sequence[Colour]) -> list[str]:
        """A picture of a board in half blocks, two rows of cells a line."""
        lines = []
        for top in range(0, len(grid), 2):
            upper = grid[top]
            lower = grid[top + 1] if top + 1 < len(grid) else [-1] * len(upper)
            cells = (self._half(a, b, palette) for a, b in zip(upper, lower, strict=True))
            lines.append("     " + "".join(cells) + "\x1b[0m")
        return lines

    def _half(self, upper: int, lower: int, palette: Sequence[Colour]) -> str:
        ink = _escape(38, palette[upper]) if upper >= 0 else "\x1b[39m"
        paper = _escape(48, palette[lower]) if lower >= 0 else "\x1b[49m"
        return f"{ink}{paper}{'▀' if upper >= 0 else ' '}"

    def _swatch(self, move: str, palette: Sequence[Colour]) -> str:
        if self._colours and len(move) == 1 and move in "0123456789abcdef" and int(move, 16) < len(palette):
            return f"{_escape(48, palette[int(move, 16)])}  \x1b[0m {move}"
        return move


def summary(result: RunResult) -> str:
    """How a run went, in one line."""
    if result.outcome is None:
        verdict = result.message
    else:
        reason = result.outcome.reason
        verdict = f"{result.cause}: {reason} after {result.moves} moves{result.message.removeprefix(reason)}"
    own = sorted(result.overhead)
    parts = [f"{verdict}, {result.seconds:.1f} s"]
    if own:
        parts.append(f"own time {own[len(own) // 2]:.1f} ms a turn besides thinking (median)")
    if result.retries:
        parts.append(f"{result.retries} clicks made again")
    if result.recalibrations:
        parts.append(f"the board was found anew {result.recalibrations} times")
    return "; ".join(parts)


def summary_of_series(results: Sequence[RunResult]) -> str:
    """How a series went, in one line."""
    from bot.play.series import describe_series

    facts = describe_series(results)
    return (
        f"{facts['games']} games: {facts['won']} won, {facts['drawn']} drawn, {facts['lost']} lost; "
        f"{facts['moves']} moves, {facts['seconds_a_move']:.2f} s each; "
        f"{facts['misreads']} misread, {facts['misclicks']} clicks made again"
    )


def _escape(code: int, colour: Colour) -> str:
    return f"\x1b[{code};2;{colour[0]};{colour[1]};{colour[2]}m"
