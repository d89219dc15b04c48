"""Blokus: lay pieces of one to five squares so that those of a colour touch at corners alone; cover the most squares.

Each colour has the 21 free polyominoes once. Its first piece covers its start point; every further one touches a
corner of a piece of its colour, and no edge. A colour that has no placement is skipped; the game ends when none has.

Variants: ``duo`` (14x14, the first player starts at e10, the second at j5), ``duo-either`` (each starts at whichever
of the two points is free), ``corners`` (any size from 1x1 to 20x20, 2 to 4 players; two start at the top left and the
bottom right, more at the corners clockwise from the top left), ``classic`` (20x20, four players, or three who share
the fourth colour), ``classic-2`` (20x20, two players with two colours each). ``+bonus`` adds the official bonuses: 15
points for placing every piece, 5 more for placing the single square last. ``+lies1`` to ``+lies7`` say how the board
lies where it is turned or mirrored: `board.LYING`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.blokus import reading
from games.blokus.board import BONUS, VARIANTS, BlokusBoard, Move, board_of, lying
from games.blokus.position import Blokus, empty
from games.blokus.records import GAMES as RECORDED
from games.blokus.texts import FORCED, format_game, format_move, parse_game, parse_points
from games.core import Carry, Cell, Drag, Game, Gesture, IllegalMoveError, Observation, Options, Press, Tap, chosen_way
from games.polyominoes import PIECE_OF, PIECES, Shape, flipped, middle, rotated, shape_of

CORNER = 0.2
"""Squares that a corner to build on is worth where nothing is searched."""


class BlokusGame(Game[Blokus, Move]):
    """The rules of Blokus, as every room of Boardsight uses them."""

    name = "blokus"
    counted = ("square", "squares")
    ways = ("tray", "keys", "controls", "drag")
    drawn = "squares"
    small = Options(7, 7, variant="corners")
    offered = VARIANTS
    variants = (Options(5, 5, variant="corners"), Options(variant="classic", players=3))
    solver = "mcts"
    remembers = True
    hidden = True
    known_as = RECORDED

    def colour(self, state: Blokus) -> int:
        """The colour to move."""
        return state.colour

    def deal(self, rng: np.random.Generator, options: Options = Options()) -> Blokus:
        """The empty board of the variant, Duo unless `options` say otherwise."""
        return empty(board_of(options))

    def show(self, state: Blokus) -> Observation:
        """The grid (0 empty, 1.. the colours), and as numbers what a picture of it does not tell.

        ``variant`` (a place in VARIANTS), ``players``, ``colours``, ``lies`` (one of LYING).
        With bonuses ``bonus``, and ``monomino_last_K`` for colour K.
        """
        board = state.board
        grid = np.zeros((board.side, board.side), dtype=np.int8)
        for colour, cells in enumerate(state.cells, 1):
            for cell in board.list(cells):
                grid[cell] = colour
        numbers = {"colours": board.colours, **self.habits(state)}
        if board.bonus:
            numbers |= {f"monomino_last_{colour}": int(was) for colour, was in enumerate(state.monomino_last)}
            numbers[BONUS] = 1
        return Observation(grid, np.ones(grid.shape, dtype=np.float32), numbers)

    def read(self, observation: Observation, before: Blokus | None = None, seat: int | None = None) -> Blokus:
        """The position in `observation`: of `before`'s game and later in it, where that is given.

        Colours may be numbered in any order. Without `before` the first player starts where ``start_row`` and
        ``start_col`` say, as far as the pieces agree. Whose turn it is follows from them, so `seat` is not needed.
        Raises UnreadableError for unread cells, groups that are no pieces, and what taking turns cannot lead to.
        """
        return reading.read(observation, before)

    def otherwise(self, before: Blokus, observation: Observation) -> Sequence[Blokus]:
        """The same pieces on boards that lie otherwise; those first on which the marked cell is a start."""
        alike = [each for each in reading.alike(before) if each.board in lying(before.board)]
        return sorted(alike, key=lambda each: not reading.is_marked(each.board, observation.numbers))

    def ruled_otherwise(self, before: Blokus) -> Sequence[Blokus]:
        """The same pieces by the rules of other variants, with other players."""
        return [each for each in reading.alike(before) if each.board not in lying(before.board)]

    def habits(self, state: Blokus) -> dict[str, int]:
        """The variant, the number of players, and how the board lies."""
        board = state.board
        return {"variant": VARIANTS.index(board.variant), "players": board.players, "lies": board.lies}

    def refute(self, grid: NDArray[np.int8]) -> str:
        """Why no sets of pieces are laid so; grid: int8[rows, cols] as of an Observation."""
        return reading.refute(grid)

    def gestures(self, state: Blokus, move: Move, how: str = "") -> Sequence[Gesture]:
        """What lays a piece.  The controls of a tray are ``piece:COLOUR,NAME``, with colours from 1.

        tray: take it there with the pointer, turn it with keys, lay it with a tap.
        keys: take it by the letter of its name, turn and move it with keys, lay it with Return.
        controls: take it there, tap ``flip`` and ``rotate`` as often as needed, and the cell for its middle; the pieces
        lie in the tray in the first of their forms, `PIECES` tells which.
        drag: turn it in the same way, where it must be turned, and drag it from the tray to that cell.
        """
        shape = shape_of(move)
        piece = PIECES[PIECE_OF[shape]]
        down, right = middle(shape)
        hold = Cell(move[0].row + down, min(col for _, col in move) + right)
        trays = [f"piece:{colour + 1},{piece.name}" for colour in range(state.board.colours)]
        mine = trays.pop(state.colour)
        take = Tap(mine, (mine, *trays))
        turned = [Tap(turn) for turn in turns(piece.forms[0], shape)]
        ways: dict[str, Sequence[Gesture]] = {
            "tray": (Carry(take, move, hold, "pointer", Tap(hold)),),
            "keys": (Carry(Press(piece.name[0].lower()), move, hold, "arrows", Press("enter")),),
            "controls": (take, *turned, Tap(hold)),
            "drag": (*([take, *turned] if turned else ()), Drag(mine, hold)),
        }
        return ways[chosen_way(self.ways, how)]

    def marks(self, state: Blokus) -> dict[str, Any]:
        """``corners``: cells of which the next piece covers one.  ``left``: the names of each colour's pieces.

        ``forms``: each piece's first form.  ``colour``: to move.  ``starts``: the start cells of each colour.
        ``covered``: how many squares each colour has laid.
        """
        board = state.board
        return {
            "corners": list(board.list(state.corners(state.colour))),
            "left": [[PIECES[number].name for number in left] for left in state.left],
            "forms": {piece.name: piece.forms[0] for piece in PIECES},
            "colour": state.colour,
            "starts": [list(board.list(start)) for start in board.starts],
            "covered": [cells.bit_count() for cells in state.cells],
        }

    def numbers(self, options: Options) -> dict[str, int]:
        """``players``, and with a named variant ``variant`` and ``bonus``, where these are told."""
        told = {} if options.players is None else {"players": options.players}
        if options.variant is not None:
            board = board_of(options)
            told |= {"variant": VARIANTS.index(board.variant), "players": board.players}
            told |= {BONUS: 1} if board.bonus else {}
        return told

    def estimate(self, state: Blokus) -> float:
        """The squares that the side to move is ahead, and a little for each corner that its pieces may touch."""
        worth = [float(points) for points in state.scores]
        for colour in range(state.board.colours):
            worth[colour % state.board.players] += CORNER * state.corners(colour).bit_count()
        own = worth.pop(state.player)
        return own - max(worth)

    def options(self, state: Blokus) -> Options:
        """The size, the variant and the number of players."""
        board = state.board
        return Options(board.side, board.side, variant=board.words, players=board.players)

    def parse(self, text: str, options: Options = Options()) -> Blokus:
        """The position after the placements of a text, ``-`` for a colour that was skipped.

        >>> GAME.parse("e10,f10,g10,h10,i10").player
        1
        """
        return parse_game(text, board_of(options))

    def format(self, state: Blokus) -> str:
        """The placements in one order that leads to the position."""
        return format_game(state)

    def parse_move(self, text: str, state: Blokus) -> Move:
        """The placement of a list of points in any order, if it is legal; raises PositionError or IllegalMoveError."""
        if text.strip() == FORCED:
            raise IllegalMoveError("colours without a placement are skipped by themselves: the one to move can place")
        move = parse_points(text, state.board)
        refusal = state.refusal(state.colour, move)
        if refusal:
            raise IllegalMoveError(refusal)
        return move

    def format_move(self, move: Move, state: Blokus) -> str:
        """The points of a placement, from the lowest rank up."""
        return format_move(move, state.board)


def turns(held: Shape, wanted: Shape) -> list[str]:
    """The fewest ``rotate`` (to the right) after at most one ``flip`` that make `wanted` of the form `held`.

    >>> turns(((0, 0), (0, 1), (1, 1), (1, 2)), ((0, 1), (0, 2), (1, 0), (1, 1)))
    ['flip']
    """
    ways = []
    for flips in (0, 1):
        shape = flipped(held) if flips else held
        for quarters in range(4):
            if shape == wanted:
                ways.append(["flip"] * flips + ["rotate"] * quarters)
            shape = rotated(shape)
    return min(ways, key=len)


GAME = BlokusGame()

__all__ = ["GAME", "Blokus", "BlokusBoard", "Move"]
