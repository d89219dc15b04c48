"""The Go Text Protocol, version 2 (https://www.lysator.liu.se/~gunnar/gtp/), for any game, with Pentobi's commands.

A move is the game's own text for it.  Colours are b and w, or 1 to 4; the one that is to move may play.
"""

from __future__ import annotations

import re
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, replace
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from bot.protocol.lines import LONGEST_LINE
from bot.protocol.values import parse_size, values_of

if TYPE_CHECKING:
    from games.core import Game, Options, Outcome
    from solvers.core import Limit, Solver

COLOURS = {"b": 0, "black": 0, "1": 0, "w": 1, "white": 1, "2": 1, "3": 2, "4": 3}
"""The colours that controllers name -> their turn; two colours are B and W, more are numbers."""

PASS = "pass"  # the word of a colour that cannot move, or may not: the game's rules pass it over


class GtpSession:
    """One game at a time, with every position of it, so that moves can be taken back.

    over: whether ``quit`` was heard.
    """

    def __init__(self, game: Game[Any, Any], solver: Solver, options: Options, limit: Limit) -> None:
        self._game, self._solver, self._limit = game, solver, limit
        self._options = options
        self._states: list[Any] = []
        self.over = False
        self._commands: dict[str, tuple[Callable[..., str], str]] = {
            "protocol_version": (lambda: "2", ""),
            "name": (lambda: "Boardsight", ""),
            "version": (lambda: version("boardsight"), ""),
            "known_command": (lambda name: str(name in self._commands).lower(), "NAME"),
            "list_commands": (lambda: "\n".join(self._commands), ""),
            "quit": (self._quit, ""),
            "boardsize": (self._boardsize, "SIZE"),
            "set_game": (self._set_game, "NAME"),
            "walls": (self._walls, "NUMBER"),
            "clear_board": (self._clear_board, ""),
            "play": (self._play, "COLOUR MOVE"),
            "p": (self._played, "MOVE"),
            "genmove": (self._genmove, "COLOUR"),
            "g": (lambda: self._played(self._decided()), ""),
            "reg_genmove": (self._decided, "COLOUR"),
            "all_legal": (self._all_legal, "COLOUR"),
            "undo": (self._undo, ""),
            "showboard": (self._showboard, ""),
            "final_score": (self._final_score, ""),
            "cputime": (lambda: f"{time.process_time():.3f}", ""),
        }
        self._clear_board()

    def answer(self, line: bytes) -> str:
        """The response to a line, "" where it holds no command; never raises."""
        from games.core import BoardsightError, SettingsError

        if len(line) > LONGEST_LINE:
            return f"? the line has more than {LONGEST_LINE} bytes\n\n"
        words = re.sub(r"[\x00-\x08\x0b-\x1f\x7f]", "", line.decode(errors="replace")).partition("#")[0].split()
        number = words.pop(0) if words and words[0].isdecimal() else ""
        if not words:
            return f"?{number} no command\n\n" if number else ""
        try:
            if words[0] not in self._commands:
                raise SettingsError(f"unknown command: {words[0][:40]}")
            told, mark = self._done(words[0], words[1:]), "="
        except Exception as error:
            if not isinstance(error, BoardsightError):  # a fault of ours must not end the other program's game
                traceback.print_exc(file=sys.stderr)
            told, mark = " ".join(str(error).split()), "?"
        return f"{mark}{number} {told}\n\n"  # some controllers hear no "=" without a space

    def _done(self, name: str, words: Sequence[str]) -> str:
        """What a command with these words answers; the last of those it takes may be several."""
        from games.core import SettingsError

        act, usage = self._commands[name]
        wanted = usage.split()
        if len(words) < len(wanted) or (words and not wanted):
            raise SettingsError(f"syntax error: {name} {usage}".rstrip())
        return act(*words[: len(wanted) - 1], *filter(None, [" ".join(words[len(wanted) - 1 :])])) if wanted else act()

    @property
    def _state(self) -> Any:
        from games.core import PositionError

        if not self._states:
            raise PositionError(f"{self._game.title} has no fixed start position")
        return self._states[-1]

    def _begin(self, **options: Any) -> str:
        """Begins anew with other options; raises PositionError for those that the game does not know."""
        from games.core import Options

        changed = Options(**{**asdict(self._options), **options})
        start = self._game.parse("", changed)
        self._options, self._states = changed, [start]
        return ""

    def _clear_board(self) -> str:
        from games.core import PositionError

        try:
            return self._begin()
        except PositionError:
            self._states = []
            return ""

    def _boardsize(self, size: str) -> str:
        rows, cols = parse_size(size.replace(" ", "x"))
        return self._begin(rows=rows, cols=cols)

    def _walls(self, number: str) -> str:
        from games.core import SettingsError

        if not (number.isdecimal() and len(number) < 4):
            raise SettingsError(f"syntax error: {number[:40]!r} is no number of walls")
        return self._begin(walls=int(number))

    def _set_game(self, name: str) -> str:
        from games.core import SettingsError

        known = self._game.known_as
        if name not in known:
            raise SettingsError(f"unknown game: this is {', '.join(known) or self._game.title}")
        return self._begin(**{**asdict(replace(self._options, rows=None, cols=None)), **values_of(known[name])})

    def _turn(self, colour: str) -> bool:
        """Whether it is the turn of `colour`; raises SettingsError for none."""
        from games.core import SettingsError

        if colour.lower() not in COLOURS:
            raise SettingsError(f"syntax error: {colour[:40]!r} is no colour")
        return self._state.outcome() is None and COLOURS[colour.lower()] == self._game.colour(self._state)

    def _play(self, colour: str, move: str) -> str:
        from games.core import IllegalMoveError

        if self._turn(colour):
            self._played(move)
        elif move.lower() != PASS:
            raise IllegalMoveError(f"illegal move: it is not the turn of {colour}")
        return ""

    def _genmove(self, colour: str) -> str:
        from games.core import IllegalMoveError

        if self._turn(colour):
            return self._played(self._decided())
        if self._state.outcome() is None:
            raise IllegalMoveError(f"it is not the turn of {colour}")
        return PASS

    def _decided(self, colour: str = "") -> str:
        """The move that the solver chooses for the side to move; raises IllegalMoveError where that is not `colour`."""
        from games.core import IllegalMoveError

        state = self._state
        if colour and not self._turn(colour):
            raise IllegalMoveError(f"it is not the turn of {colour}")
        if (outcome := state.outcome()) is not None:
            raise IllegalMoveError(f"the game is over: {outcome.reason}")
        return self._game.format_move(self._solver.decide(state, self._limit).move, state)

    def _played(self, move: str) -> str:
        """Plays the move of a text for the side to move, and gives the text."""
        state = self._state
        self._states.append(state.play(self._game.parse_move(move.lower(), state)))
        return move

    def _all_legal(self, colour: str) -> str:
        state = self._state
        moves = state.legal_moves() if self._turn(colour) else ()
        return "\n".join(self._game.format_move(move, state) for move in moves)

    def _undo(self) -> str:
        from games.core import IllegalMoveError

        if len(self._states) < 2:
            raise IllegalMoveError("cannot undo: no move was played")
        self._states.pop()
        return ""

    def _showboard(self) -> str:
        rows = self._game.show(self._state).grid.tolist()
        return "".join("\n" + " ".join("." if kind == 0 else str(kind) for kind in row) for row in rows)

    def _final_score(self) -> str:
        from games.core import IllegalMoveError

        outcome = self._state.outcome()
        if outcome is None:
            raise IllegalMoveError("the game is not over")
        return score_of(outcome)

    def _quit(self) -> str:
        self.over = True
        return ""


def score_of(outcome: Outcome) -> str:
    """``B+2``, ``W+14`` or ``0`` of two players; the points of each where there are more, or one.

    >>> from games.core import Outcome
    >>> score_of(Outcome((89.0, 75.0), 0, "nobody can place a piece"))
    'B+14'
    """
    if len(outcome.scores) != 2:
        return " ".join(f"{score:g}" for score in outcome.scores)
    margin = abs(outcome.scores[0] - outcome.scores[1])
    return "0" if outcome.winner is None else f"{'BW'[outcome.winner]}+{margin:g}"


def serve_gtp(session: GtpSession, lines: Iterable[bytes]) -> None:
    """Answers `lines` in order until ``quit``.  Raises BrokenPipeError when nobody reads the answers."""
    for line in lines:
        print(session.answer(line), end="", flush=True)
        if session.over:
            return
