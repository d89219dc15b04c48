"""What is seen of a board while it is watched: a change, that it is lost, or that its game is over."""

from __future__ import annotations

from dataclasses import dataclass

from bot.play.changes import Change
from bot.play.observer import Reading
from games.core import BoardsightError


class BoardLostError(BoardsightError):
    """The board is covered, gone or another one."""


class ForeignMoveError(BoardLostError):
    """The board was changed by something that is no legal move."""


@dataclass(frozen=True, slots=True, eq=False)
class ObservedChange:
    """A change that was seen, and the reading that showed it."""

    reading: Reading
    change: Change


class OvertakenError(BoardsightError):
    """The game went on, or ended, as `seen`, while a move of ours was about to be made: it was not our turn."""

    def __init__(self, seen: ObservedChange) -> None:
        super().__init__("the board changed before we did anything")
        self.seen = seen


class GameOverError(BoardsightError):
    """The game on the board was over before anything was done."""
