"""What the scores of a solver count, and how a person is told of one."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any

from games.core import Game


@dataclass(frozen=True, slots=True)
class Unit:
    """What scores count; the plain one a value that is larger for the better.

    one, many: the name of one and of several, "" for a mere value.  lead: whether it is how far the side to move is
    ahead.  share: whether scores are parts of 1.  won: the score from which a game is won, its negative lost.
    last: where wins are told apart by their length, the score of one with the next move of the side to move, and of
    one with the next move of its rival; each move more is 1 less.
    """

    one: str = ""
    many: str = ""
    lead: bool = False
    share: bool = False
    won: float = inf
    last: tuple[float, float] | None = None

    @property
    def name(self) -> str:
        """What a score is, such as "squares ahead"."""
        return f"{self.many or 'value'}{' ahead' * self.lead}"

    def number(self, score: float) -> str:
        """The score alone, rounded to what it is worth."""
        if self.share:
            return f"{100 * score:.0f}%"
        value = round(score, 1 if self.many and abs(score) < 10 else 0 if self.many else 2) + 0.0  # no -0
        return f"{value:,.0f}" if value.is_integer() else f"{value:g}"

    def words(self, score: float, *, proven: bool = False, at_most: bool = False) -> str:
        """The score for a person; at_most: where it is a bound.

        >>> MOVES.words(1), VALUE.words(-0.004), VALUE.words(1, proven=True)
        ('1 move to the end', 'value 0', 'wins')
        >>> Unit(won=1, last=(18, 18)).words(12, proven=True), Unit("cell", "cells", lead=True).words(-2, at_most=True)
        ('wins in 7', 'at most 2 cells behind')
        """
        result = self._result(score, proven=proven)
        if result:
            return "at best " * at_most + result
        number = self.number(score)
        if self.lead and number != "0":
            side = "behind" if score < 0 else "ahead"
            number = f"{number.removeprefix('-')} {self.one if number in ('1', '-1') else self.many} {side}"
        elif self.lead:
            number = "level"
        elif self.many:
            number = f"{number} {self.one if number == '1' else self.many}"
        elif not self.share:
            number = f"value {number if score < 0 or number == '0' else '+' + number}"
        return "at most " * at_most + number

    def _result(self, score: float, *, proven: bool) -> str:
        """How a game ends that is decided, "" for one that is open."""
        if proven and score == 0 and self.won < inf:
            return "a draw"
        if abs(score) < self.won or not (proven or self.many):
            return ""
        if not proven:
            return "seems won" if score > 0 else "seems lost"
        length = "" if self.last is None else f" in {self.last[score < 0] - abs(score) + 1:.0f}"
        return ("wins" if score > 0 else "loses") + length


PLAIN = Unit()

VALUE = Unit(won=1.0)
"""A value from -1, a loss, to 1, a win."""

SHARE = Unit(share=True)
"""How much of its choice a policy gives to a move."""

MOVES = Unit("move to the end", "moves to the end")
FLOODED = Unit("cell flooded", "cells flooded")


def lead_in(game: Game[Any, Any]) -> Unit:
    """The lead in what the outcomes of `game` count, or the value of one that only tells who won."""
    return Unit(*game.counted, lead=True) if game.counted else VALUE
