"""Quoridor: be first on the far side, and build walls in the rival's way.

What is seen of a board is a grid of cells with the grooves between them, int8[2 * rows - 1, 2 * cols - 1]: cells lie at
even places, 0, or 1 or 2 where that player's pawn stands; a place of a groove is 1 where a wall lies, also the crossing
under a wall's middle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.core import (
    CONFIRM,
    MODES,
    SHOWN,
    Cell,
    Drag,
    Game,
    Gesture,
    IllegalMoveError,
    Observation,
    Options,
    PositionError,
    Press,
    Tap,
    Wait,
    chosen_way,
)
from games.quoridor import reading
from games.quoridor.board import Wall, format_cell, format_wall, parse_place
from games.quoridor.rules import VARIANTS, Move, Quoridor, start

WALL = 0.3
"""Steps that a wall in hand is worth where nothing is searched."""


class QuoridorGame(Game[Quoridor, Move]):
    """The rules of Quoridor, as every room of Boardsight uses them."""

    name = "quoridor"
    ways = (
        *("tap", MODES, "swipe", "twice", "enter", "confirm"),
        *("select", "select+twice", "select+enter", "select+confirm", "drag"),
    )
    drawn = "grooves"
    offered = VARIANTS
    small = Options(3, 3, walls=2)
    solver = "alphabeta"
    remembers = True

    def deal(self, rng: np.random.Generator, options: Options = Options()) -> Quoridor:
        """The start: 9x9 cells and 10 walls each unless `options` say otherwise."""
        return start(options)

    def show(self, state: Quoridor) -> Observation:
        """The grid of cells and grooves; as numbers ``player``, ``left_1`` and ``left_2``.

        Also ``plies_left`` and ``seen`` where the game has a limit or the repetition rule.
        """
        return reading.show(state)

    def read(self, observation: Observation, before: Quoridor | None = None, seat: int | None = None) -> Quoridor:
        """The position in `observation`; `before`, or one or two moves from it, where `before` is given.

        A picture with the pawns exchanged counts as the same picture then. Without `before`, the first player's pawn
        is the one that goes up; steps and walls tell whose turn it is where one side must have made a move more, else
        `seat` does; and both placed as many walls where ``left_1`` and ``left_2`` do not tell; ``walls`` is how many
        each had at first.
        Raises UnreadableError for unread places, parts of walls, and positions no game leads to.
        """
        return reading.read(observation, before, seat)

    def refute(self, grid: NDArray[np.int8]) -> str:
        """Why they are not two pawns, each with a way to its goal; grid: int8[rows, cols] as of an Observation."""
        return reading.refute(grid)

    def gestures(self, state: Quoridor, move: Move, how: str = "") -> Sequence[Gesture]:
        """Taps: the cell, or the control ``wall:WAY,ROW,COL`` in the groove where the wall begins (left or upper).

        tap: just that; where a pawn jumps straight, the rival's pawn may be what is tapped.  modes: a wall is laid
        there, or by a cell beside its middle, where that shows it before.  twice, enter, confirm: a wall is only shown
        at first, and is laid by another tap, by Return, or by the control ``confirm``.  swipe: it is laid by dragging
        along its groove.  select: a pawn is tapped before the cell it goes to; also with one of these.  drag: a pawn is
        dragged to the cell.
        """
        words = chosen_way(self.ways, how).split("+")
        if not isinstance(move, Wall):
            here, rival = state.pawns[state.player], state.pawns[1 - state.player]
            jumps = (2 * rival.row - here.row, 2 * rival.col - here.col) == move
            if words == ["drag"]:
                return (Drag(here, move),)
            return (*[Tap(here)] * ("select" in words), Tap(move, (move, rival) if jumps else ()))
        place = Tap(f"wall:{move.way},{move.row},{move.col}")
        end = f"wall:{move.way},{move.row + (move.way == 'v')},{move.col + (move.way == 'h')}"
        beside = (Cell(move.row + down, move.col + right) for down in (0, 1) for right in (0, 1))
        ways: dict[str, Sequence[Gesture]] = {
            MODES: (Tap(place.target, (place.target, *beside)),),
            "swipe": (Drag(place.target, end),),
            "twice": (place, place),
            "enter": (place, Press("enter")),
            CONFIRM: (place, Wait(SHOWN), Tap(CONFIRM)),
        }
        return ways.get(words[-1], (place,))

    def without(self, state: Quoridor, move: Move) -> Quoridor:
        """`state` without walls in the hand of its side, if `move` is one: the other side has its own still."""
        if not isinstance(move, Wall):
            return state
        return replace(state, left=(0, state.left[1]) if state.player == 0 else (state.left[0], 0))

    def ruled_wider(self, before: Quoridor) -> Sequence[Quoridor]:
        """The position in which each player had a wall more, where one has none left."""
        return () if all(before.left) else [replace(before, left=(before.left[0] + 1, before.left[1] + 1))]

    def rare(self, state: Quoridor, move: Move) -> bool:
        """Whether it is a jump."""
        here = state.pawns[state.player]
        return not isinstance(move, Wall) and abs(move.row - here.row) + abs(move.col - here.col) > 1

    def marks(self, state: Quoridor) -> dict[str, Any]:
        """``steps``: where the pawn can go.  ``paths``: a shortest path of each player.  ``left``: walls."""
        over = state.outcome() is not None
        return {"steps": [] if over else state.steps(), "paths": list(state.paths()), "left": list(state.left)}

    def numbers(self, options: Options) -> dict[str, int]:
        """``walls``, where it is told how many each player had at first."""
        return {} if options.walls is None else {"walls": options.walls}

    def estimate(self, state: Quoridor) -> float:
        """The steps that the side to move is ahead, and a third of a step for each wall, against those of the board."""
        own, rival = (len(path) for path in state.paths()[:: 1 - 2 * state.player])
        walls = state.left[state.player] - state.left[1 - state.player]
        return (rival - own + 0.5 + WALL * walls) / (state.size.rows * state.size.cols)

    def options(self, state: Quoridor) -> Options:
        """The size, the walls each player had, and what may draw the game."""
        return Options(
            rows=state.size.rows,
            cols=state.size.cols,
            walls=(sum(state.left) + len(state.walls)) // 2,
            limit=None if state.plies_left is None else state.plies_left + len(state.moves),
            variant=None if state.seen is None else "repetition",
        )

    def parse(self, text: str, options: Options = Options()) -> Quoridor:
        """The position after the moves of a text, separated by spaces, were made from the start; raises PositionError.

        >>> GAME.parse("e2 e8 e3h").left
        (9, 10)
        """
        state = start(options)
        for number, word in enumerate(text.split()):
            try:
                state = state.play(parse_place(word, state.size))
            except (PositionError, IllegalMoveError) as error:
                raise PositionError(f"move {number + 1}, {word!r}: {error}") from error
        return state

    def format(self, state: Quoridor) -> str:
        """The moves played, in one order that leads to the position."""
        return " ".join(self.format_move(move, state) for move in state.moves)

    def parse_move(self, text: str, state: Quoridor) -> Move:
        """The cell or wall a text names, if it may be played; raises PositionError or IllegalMoveError."""
        move = parse_place(text.strip(), state.size)
        if not state.allows(move):
            raise IllegalMoveError(state.why_illegal(move))
        return move

    def format_move(self, move: Move, state: Quoridor) -> str:
        """The name of a cell, such as ``e2``, or of a wall, such as ``e3h``."""
        return format_wall(move, state.size) if isinstance(move, Wall) else format_cell(move, state.size)


GAME = QuoridorGame()

__all__ = ["GAME", "Move", "Quoridor", "QuoridorGame", "Wall"]
