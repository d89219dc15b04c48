"""Which moves cannot be made on a screen: a page may know no walls, or no jumps, and a piece may not go everywhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from typing import Any

from games.core import Game

Kind = tuple[str, ...]


class Unmade:
    """The moves of `game` that could not be made; kind: what a move has in common with those that are made alike."""

    def __init__(self, game: Game[Any, Any], kind: Callable[[Any, Any], Kind]) -> None:
        self._game, self._kind = game, kind
        self._made = set[Kind]()
        self._vain = dict[Kind, Any]()  # kinds that never were made, whatever was tried; the move that was
        self._moves = set[Any]()  # moves that are not made anywhere
        self._here = set[tuple[Any, Any]]()  # positions, and moves that are not made there

    def __contains__(self, made: tuple[Any, Any]) -> bool:
        state, move = made
        return move in self._moves or made in self._here or self._sort(state, move) in self._vain

    def _sort(self, state: Any, move: Any) -> Kind:
        """Its kind, apart from others made alike where pages may not know it."""
        return (*self._kind(state, move), *(["rare"] if self._game.rare(state, move) else ()))

    def made(self, state: Any, move: Any) -> None:
        """Remembers that a move of its kind was made."""
        self._made.add(self._sort(state, move))

    def doubts(self, state: Any, move: Any) -> bool:
        """Whether the page may know no such move: none was made yet."""
        return self._game.rare(state, move) and self._sort(state, move) not in self._made

    def update(self, moves: Iterable[Any]) -> None:
        """Makes these moves nowhere any more."""
        self._moves.update(moves)

    def give_up(self, state: Any, move: Any) -> bool:
        """Whether something else may be played here that was made before: nothing like `move` is tried again, then.

        Or just this one here, where it is none of those that a page may lack altogether: others like it may be made.
        """
        known = self._made - self._vain.keys()
        kinds, sort = {self._sort(state, each) for each in state.legal_moves()} | self._made, self._sort(state, move)
        if lacking := self.doubts(state, move) or self._game.without(state, move) != state or len(kinds) == 1:
            known -= {sort}
        others = (each for each in state.legal_moves() if each != move and (state, each) not in self)
        if not any(self._sort(state, each) in known for each in others):
            return False
        if lacking:
            self._vain[sort] = move
        else:
            self._here.add((state, move))
        return True

    def within(self, state: Any) -> Any:
        """`state` to decide in: moves of kinds that cannot be made here are none."""
        return reduce(self._game.without, self._vain.values(), state)
