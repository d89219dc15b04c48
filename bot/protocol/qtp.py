"""The Quoridor Text Protocol of the University of Athens, as its referee speaks it.

Black begins, from the topmost row: the board is ours, seen from its other side.  A wall is named by the cell that it
lies below and right of.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from bot.protocol.gtp import GtpSession

if TYPE_CHECKING:
    from games.core import Game, Options
    from solvers.core import Limit, Solver

SHARED = "protocol_version name version known_command list_commands quit boardsize walls clear_board genmove showboard"
"""What it has of the Go Text Protocol."""

CELL = re.compile(r"([a-z])(\d{1,2})")

WAYS = {"h": "h", "horizontal": "h", "v": "v", "vertical": "v"}
"""How a wall may lie, in words -> in the name of a move."""


class QtpSession(GtpSession):
    """One game at a time; raises SettingsError for a game without walls."""

    def __init__(self, game: Game[Any, Any], solver: Solver, options: Options, limit: Limit) -> None:
        super().__init__(game, solver, options, limit)
        if game.options(self._state).walls is None:
            from games.core import SettingsError

            raise SettingsError(f"{game.title} has no walls, which the Quoridor Text Protocol is about: ask for --gtp")
        own: dict[str, tuple[Callable[..., str], str]] = {
            "playmove": (self._playmove, "COLOUR CELL"),
            "playwall": (self._playwall, "COLOUR CELL ORIENTATION"),
            "undo": (self._undo_all, "TIMES"),
            "winner": (self._winner, ""),
        }
        self._commands = {name: self._commands[name] for name in SHARED.split()} | own

    def _done(self, name: str, words: Sequence[str]) -> str:
        told = [word.lower() for word in words]
        return super()._done(name, ["1"] if name == "undo" and not told else told)

    def _turned(self, cell: str) -> str:
        """The name that a cell of theirs has with us, or one of ours with them; raises SettingsError for none."""
        found = CELL.fullmatch(cell)
        if found is None:
            from games.core import SettingsError

            raise SettingsError(f"syntax error: {cell[:40]!r} is no cell")
        return f"{found[1]}{(self._game.options(self._state).rows or 0) + 1 - int(found[2])}"

    def _playmove(self, colour: str, cell: str) -> str:
        return self._placed(colour, self._turned(cell))

    def _playwall(self, colour: str, cell: str, orientation: str) -> str:
        from games.core import SettingsError

        if orientation not in WAYS:
            raise SettingsError(f"syntax error: {orientation[:40]!r} is no orientation: say horizontal or vertical")
        return self._placed(colour, self._turned(cell) + WAYS[orientation])

    def _placed(self, colour: str, move: str) -> str:
        from games.core import IllegalMoveError, PositionError

        try:
            return self._play(colour, move)
        except (IllegalMoveError, PositionError) as error:
            raise IllegalMoveError("illegal move") from error  # what it says has our names of cells

    def _genmove(self, colour: str) -> str:
        move = self._played(self._decided(colour))
        cell = move.rstrip("hv")
        return f"{self._turned(cell)} {move[len(cell) :]}".strip()

    def _undo_all(self, times: str) -> str:
        from games.core import IllegalMoveError, SettingsError

        if not (times.isdecimal() and len(times) < 5):
            raise SettingsError(f"syntax error: {times[:40]!r} is no number of moves")
        if int(times) >= len(self._states):
            raise IllegalMoveError(f"cannot undo: {len(self._states) - 1} moves were played")
        for _ in range(int(times)):
            self._undo()
        return ""

    def _showboard(self) -> str:
        return "\n".join(["", *super()._showboard().split("\n")[:0:-1]])

    def _winner(self) -> str:
        outcome = self._state.outcome()
        return "false" if outcome is None or outcome.winner is None else f"true {('black', 'white')[outcome.winner]}"
