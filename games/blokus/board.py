"""Boards of Blokus: their variants, whose colour starts where, and sets of cells as the bits of one whole number.

Cell (row, col) is bit ``row * (side + 1) + col``. The bit behind each row's last cell is never set, so a shape that is
shifted beyond the right edge always lays one square on a bit that is not on the board.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from games.core import Cell, Options, SettingsError
from games.polyominoes import Shape

VARIANTS = ("corners", "duo", "duo-either", "classic-2", "classic")
"""The rule sets by name; a number beside a picture names one by its place here."""

BONUS = "bonus"
"""The word that adds the official bonuses to a variant, as in ``duo+bonus``."""

LIES = "lies"
"""The word, with a number of `LYING`, of a variant whose board lies another way round, as in ``corners+lies2``."""

LYING = range(8)
"""The ways a board may lie: so many quarter turns to the right, from 4 on with left and right exchanged then."""

SIDES = range(1, 21)
"""Rows and columns that square boards may have: up to the largest that is sold."""

DUO_SIDE, CLASSIC_SIDE = 14, 20
"""The boards for two players and for four."""

DUO_STARTS = (Cell(4, 4), Cell(9, 9))
"""e10 and j5: the two start points of Duo."""

Cells = int
"""A set of cells of a board, a bit for each."""

Move = tuple[Cell, ...]
"""A placement: the cells it covers, in reading order; the empty tuple is a forced pass in a list of moves."""

PASS: Move = ()
"""The turn of a colour that cannot place anything."""


@dataclass(frozen=True, slots=True)
class BlokusBoard:
    """One board and its players; get it from `board_of`.

    side: cells of a row.  variant: one of VARIANTS.  players: seats.  bonus: whether the official bonuses count.
    colours: how many colours there are.  starts: for each colour the cells of which its first piece must cover one.
    cells: every cell.  lies: one of LYING; the first that gives these starts.
    """

    side: int
    variant: str
    players: int
    bonus: bool
    colours: int
    starts: tuple[Cells, ...]
    cells: Cells
    lies: int = 0

    @property
    def words(self) -> str:
        """The variant with all that is added to it."""
        return "+".join([self.variant, *[BONUS] * self.bonus, *[f"{LIES}{self.lies}"] * (self.lies > 0)])

    def bit(self, cell: tuple[int, int]) -> Cells:
        """The set of one cell."""
        return 1 << (cell[0] * (self.side + 1) + cell[1])

    def mask(self, cells: Iterable[tuple[int, int]]) -> Cells:
        """The set of `cells`."""
        found = 0
        for cell in cells:
            found |= self.bit(cell)
        return found

    def list(self, cells: Cells) -> Iterator[Cell]:
        """The cells of a set in reading order."""
        while cells:
            low = cells & -cells
            yield Cell(*divmod(low.bit_length() - 1, self.side + 1))
            cells ^= low

    def holds(self, cell: tuple[int, int]) -> bool:
        """Whether `cell` is on the board."""
        return 0 <= cell[0] < self.side and 0 <= cell[1] < self.side

    def beside(self, cells: Cells) -> Cells:
        """The cells that share an edge with one of `cells`."""
        stride = self.side + 1
        return (cells << 1 | cells >> 1 | cells << stride | cells >> stride) & self.cells

    def across(self, cells: Cells) -> Cells:
        """The cells that share a corner with one of `cells`."""
        stride = self.side + 1
        sides = cells << 1 | cells >> 1
        return (sides << stride | sides >> stride) & self.cells


def board_of(options: Options) -> BlokusBoard:
    """The board `options` ask for; raises SettingsError.

    Without a variant it is ``duo``, or ``corners`` where the size is not Duo's.
    """
    if (options.rows is None) != (options.cols is None) or options.rows != options.cols:
        raise SettingsError(
            f"Blokus is played on a square, not on {options.rows}x{options.cols} cells: set --size 14x14"
        )
    side = options.rows
    words = options.variant.split("+") if options.variant else ["corners" if side not in (None, DUO_SIDE) else "duo"]
    if side == 1 and not options.variant:
        raise SettingsError("a board of 1x1 holds one square: say --variant corners if you mean it")
    bonus = BONUS in words[1:2]
    variant, ways = words[0], [f"{LIES}{way}" for way in LYING]
    lies = ways.index(words.pop()) if words[-1] in ways else 0
    if variant not in VARIANTS or words[1:] not in ([], [BONUS]):
        raise SettingsError(
            f"Blokus has no variant {options.variant!r}: choose one of {', '.join(VARIANTS)}, or one with +{BONUS}"
        )
    usual = CLASSIC_SIDE if variant.startswith("classic") else DUO_SIDE
    side = usual if side is None else side
    if side not in SIDES:
        raise SettingsError(f"a board of {side}x{side} is no Blokus board: a side has 1 to 20 cells")
    if variant != "corners" and side != usual:
        raise SettingsError(
            f"{variant} is played on {usual}x{usual} cells, not {side}x{side}: or take --variant corners"
        )
    players = options.players or {"classic": 4}.get(variant, 2)
    if variant == "classic" and players == 2:
        variant = "classic-2"
    if players not in ((2, 3, 4) if variant in ("corners", "classic") else (2,)):
        raise SettingsError(f"{variant} has no seats for {players} players")
    return _board(side, variant, players, bonus, lies)


def lying(board: BlokusBoard) -> Sequence[BlokusBoard]:
    """`board` in every way that it may lie, `board` first; each with its own starts."""
    every = [_board(board.side, board.variant, board.players, board.bonus, way) for way in LYING]
    return tuple(dict.fromkeys((board, *every)))


@lru_cache(maxsize=64)
def _board(side: int, variant: str, players: int, bonus: bool, lies: int) -> BlokusBoard:
    colours = 4 if variant.startswith("classic") else players
    cells = sum(((1 << side) - 1) << (row * (side + 1)) for row in range(side))
    empty = BlokusBoard(side, variant, players, bonus, colours, (), cells)
    last = side - 1
    if variant == "duo":
        starts = tuple(empty.bit(start) for start in DUO_STARTS)
    elif variant == "duo-either":
        starts = (empty.mask(DUO_STARTS),) * 2
    else:
        corners = [Cell(0, 0), Cell(0, last), Cell(last, last), Cell(last, 0)]
        starts = tuple(map(empty.bit, corners[::2] if colours == 2 else corners[:colours]))
    every = [
        tuple(empty.mask(_lain(cell, side, way) for cell in empty.list(start)) for start in starts) for way in LYING
    ]
    return replace(empty, starts=every[lies], lies=every.index(every[lies]))


def _lain(cell: Cell, side: int, way: int) -> Cell:
    """Where a cell shows on a board that lies in one of the ways of LYING."""
    for _ in range(way % 4):
        cell = Cell(cell.col, side - 1 - cell.row)
    return cell if way < 4 else Cell(cell.row, side - 1 - cell.col)


@lru_cache(maxsize=1 << 16)
def laid(form: Shape, corner: Cell) -> Move:
    """The placement of `form` whose top left corner is `corner`, in Python's integers: the cache gives it to all."""
    return tuple(Cell(int(corner.row) + row, int(corner.col) + col) for row, col in form)
