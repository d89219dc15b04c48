"""The words every room of Boardsight shares: cells, observations, gestures, states, games and errors."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any, ClassVar, Generic, Literal, NamedTuple, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from games.lines import LONGEST, find_line, remembered

UNREAD = -1
"""An Observation's value for a cell that could not be read."""

BLOCKED = -2
"""An Observation's value for a place in the lattice that is no playable cell."""


class BoardsightError(Exception):
    """Anything Boardsight says instead of a traceback; the message holds the evidence and the remedy."""


class SettingsError(BoardsightError, ValueError):
    """A setting, an option or a file is wrong: correct it and start again."""


class PositionError(SettingsError):
    """A text is no position or no move of its game."""


class IllegalMoveError(BoardsightError, ValueError):
    """The rules do not allow this move here."""


class UnreadableError(BoardsightError):
    """This picture gives no legal position: grab again."""


def choices(name: str, known: Iterable[str]) -> str:
    """What a message about an unknown `name` ends with: the likeliest of those that are `known`, and all of them.

    >>> choices("filer", ["flood_it", "filler"])
    "did you mean 'filler'? choose one of: flood_it, filler"
    """
    known = list(known)
    meant = "".join(f"did you mean {each!r}? " for each in get_close_matches(name.lower(), known, 1))
    return f"{meant}choose one of: {', '.join(known) or '(none)'}"


def not_installed(extra: str, *names: str) -> str:
    """What is said where packages are missing, and which extra of ours brings them.

    >>> not_installed("play", "mss")
    "mss is not installed: pip install 'boardsight[play]'"
    """
    return (
        f"{' and '.join(names)} {'is' if len(names) == 1 else 'are'} not installed: pip install 'boardsight[{extra}]'"
    )


class Cell(NamedTuple):
    """A place in a board's grid; row 0 is the top row, column 0 the left column."""

    row: int
    col: int


Grid = tuple[tuple[int, ...], ...]
"""Rows of small integers from the top; hashable, so that states can be."""


@dataclass(frozen=True, slots=True)
class Observation:
    """What can be seen of a position, before any rule is applied to it.

    grid: int8[rows, cols], the kind of each cell (colour, owner, ...), UNREAD or BLOCKED.
    confidence: float32[rows, cols] in 0..1, how clearly each cell was told from the next likeliest kind.
    numbers: counters beside the board where a game shows them, such as ``{"limit": 25}``.
    """

    grid: NDArray[np.int8]
    confidence: NDArray[np.float32]
    numbers: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def certain(cls, grid: Sequence[Sequence[int]], numbers: Mapping[str, int] | None = None) -> Self:
        """The Observation of a board that is known: every confidence is 1."""
        cells = np.asarray(grid, dtype=np.int8)
        return cls(cells, np.ones(cells.shape, dtype=np.float32), dict(numbers or {}))

    def unread(self) -> list[Cell]:
        """The cells that could not be read, row by row."""
        return [Cell(int(row), int(col)) for row, col in np.argwhere(self.grid == UNREAD)]


Target = Cell | str
"""Where a gesture goes: a cell, or a named control such as ``"colour:3"``."""


@dataclass(frozen=True, slots=True)
class Tap:
    """Press and release the primary button at `target`; any one of `alternatives` does the same."""

    target: Target
    alternatives: tuple[Target, ...] = ()


@dataclass(frozen=True, slots=True)
class Drag:
    """Press at `start`, move to `end`, release."""

    start: Target
    end: Target


@dataclass(frozen=True, slots=True)
class Press:
    """Press one key, named as pyautogui and Playwright name it in lower case ("enter", "r")."""

    key: str


@dataclass(frozen=True, slots=True)
class Hover:
    """Rest the pointer at `target` without pressing."""

    target: Target


@dataclass(frozen=True, slots=True)
class Wait:
    """Do nothing for so many seconds."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Carry:
    """Take a piece in hand, turn it until it has the form of `cells`, bring it there, and lay it down.

    take: what picks it up.  cells: what it shall cover, in order.  hold: the one nearest to their middle.
    by: "pointer" where the piece follows the pointer, "arrows" where the arrow keys move it by a cell.
    lay: what lays it down where it is shown.
    """

    take: Tap | Press
    cells: tuple[Cell, ...]
    hold: Cell
    by: Literal["pointer", "arrows"]
    lay: Tap | Press


Gesture = Tap | Drag | Press | Hover | Wait | Carry


def target_of(gesture: Gesture) -> Target:
    """What a gesture is aimed at, "" where that has no name."""
    target: Target = getattr(gesture, "target", "")
    return target


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a finished game ended.

    scores: one number for each player, in the order of the seats.
    winner: the seat with the highest score, or None for a draw or a lost single-player game.
    reason: one clause for a person, such as "flooded in 21 of 25 moves".
    """

    scores: tuple[float, ...]
    winner: int | None
    reason: str


M = TypeVar("M")
S = TypeVar("S", bound="State[Any]")


class State(Protocol[M]):
    """A position: immutable, hashable, and its own successor function.

    Sides need not take turns. A value for the side to move in a position is one for the side to move after a move where
    `player` stayed the same, and its negative where `player` changed.
    """

    @property
    def player(self) -> int:
        """The seat to move, 0 for the first, also after a pass that the rules force; single-player games stay at 0."""
        ...

    def legal_moves(self) -> Sequence[M]:
        """Every move the rules allow, in the game's fixed order; empty when the game is over."""
        ...

    def play(self, move: M) -> Self:
        """The position after `move`; raises IllegalMoveError."""
        ...

    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        ...


@dataclass(frozen=True, slots=True)
class Options:
    """The variant of a game; None means the game's own default.

    rows, cols: board size.  colours: number of colours.  walls: walls of each player.
    variant: a rule set by name.  players: number of players.  limit: moves allowed.
    length: how many in a row win.
    """

    rows: int | None = None
    cols: int | None = None
    colours: int | None = None
    walls: int | None = None
    variant: str | None = None
    players: int | None = None
    limit: int | None = None
    length: int | None = None


class Game(ABC, Generic[S, M]):
    """Everything Boardsight must know of a game; one module each, ending in its ``GAME``.

    What is no abstract method has a default, which fits a board of cells whose moves are cells.
    """

    name: ClassVar[str]
    """The word that names the game in commands and files."""

    players: ClassVar[int] = 2
    """How many seats a usual game has."""

    ways: ClassVar[tuple[str, ...]] = ("cell",)
    """The ways in which screens want moves made, the usual one first; each is a `how` of `gestures`."""

    drawn: ClassVar[str] = "stones"
    """How its boards are drawn, one of the looks of `calibration`: "stones" on a grid of lines, "discs" in holes,
    "coloured" cells, "squares" that pieces cover, "grooves" between cells."""

    pieces_fall: ClassVar[bool] = False
    """Whether pieces fall to the lowest free place of their column, so that none lies above an empty one."""

    small: ClassVar[Options] = Options()
    """A variant on which searches that see every position to its end are quick."""

    variants: ClassVar[tuple[Options, ...]] = ()
    """Other variants that are worth a try where many texts and positions are."""

    offered: ClassVar[tuple[str, ...]] = ()
    """The names of variants, beside the usual one, that a person is offered."""

    demo: ClassVar[Options] = Options()
    """The variant that a demo plays."""

    demo_seconds: ClassVar[float] = 1.0
    """CPU seconds a move that a demo takes, 0 for as long as the solver likes: a demo is to be watched."""

    solver: ClassVar[str] = "mcts-readable"
    """The solver that plays when none is named, with its options."""

    fallbacks: ClassVar[tuple[str, ...]] = ("mcts-readable",)
    """Those that take over, in order, where that one refuses a position: a board too large for it, say."""

    hidden: ClassVar[bool] = False
    """Whether a picture leaves open what the moves depend on, such as where a player starts: see `otherwise`."""

    counted: ClassVar[tuple[str, str] | None] = None
    """What the scores of its outcomes count, one and several of it, such as ``("disc", "discs")``; None: who won."""

    remembers: ClassVar[bool] = False
    """Whether positions have `moves`: one order of them that leads there from the start, () for a forced pass."""

    known_as: ClassVar[Mapping[str, Options]] = {}
    """The names that other programs give its variants."""

    @property
    def title(self) -> str:
        """What people call it."""
        return self.name.replace("_", " ").title()

    @abstractmethod
    def deal(self, rng: np.random.Generator, options: Options = Options()) -> S:
        """A start position; games without chance ignore `rng`."""

    @abstractmethod
    def show(self, state: S) -> Observation:
        """What a perfect eye would see of `state`."""

    @abstractmethod
    def read(self, observation: Observation, before: S | None = None, seat: int | None = None) -> S:
        """The position `observation` shows; raises UnreadableError.

        before: the position last confirmed, which tells what a picture cannot (counters, the start corner); `follow`
        is all that a game needs to read a picture after it.
        seat: the player to move where neither the picture nor `before` tells.
        """

    @abstractmethod
    def parse(self, text: str, options: Options = Options()) -> S:
        """The position a text describes; raises PositionError.  ``parse(format(s), options(s)) == s``."""

    @abstractmethod
    def format(self, state: S) -> str:
        """The text of a position, as other programs rely on it."""

    def otherwise(self, before: S, observation: Observation) -> Sequence[S]:
        """Positions that look like `before` and from which moves may lead to `observation`, the likeliest first.

        For a board of which one picture was seen, so that what pictures leave open may be otherwise than it was taken.
        """
        return ()

    def odds(self, state: S) -> float:
        """How much likelier this game shows `state` than chance strews its cells, as a logarithm; 0 by default."""
        return 0.0

    def starts(self, state: S) -> Sequence[S]:
        """The start position `state`, then those that look like it, with players where they start on other pages."""
        return (state,)

    def ruled_otherwise(self, before: S) -> Sequence[S]:
        """Positions that look like `before` and go on by rules that some pages have instead, the likeliest first.

        Where no usual rule explains what a page made of a move, one of these may; of two players, until each has moved.
        """
        return ()

    def ruled_wider(self, before: S) -> Sequence[S]:
        """As `ruled_otherwise`, by rules that only allow more moves; where two play these may explain any of theirs."""
        return ()

    def turned_to(self, state: S, seat: int) -> S | None:
        """`state` with `seat` to move, as on pages whose players let a turn pass; None where its rules know no such."""
        seen = self.show(state)
        with suppress(UnreadableError):
            other = self.read(replace(seen, numbers={**seen.numbers, "player": seat}), seat=seat)
            return other if other.player == seat and other.outcome() is None else None
        return None

    def is_dealt(self, state: S) -> bool:
        """Whether `state` shows what every deal of its variant does: nobody has moved, and chance plays no part."""
        return np.array_equal(self._look(self.deal(np.random.default_rng(0), self.options(state))), self._look(state))

    def is_opened(self, state: S) -> bool:
        """Whether `state` shows such a deal, or what one move of it leads to."""
        dealt = self.deal(np.random.default_rng(0), self.options(state))
        moved = (dealt.play(move) for move in dealt.legal_moves())
        return any(np.array_equal(self._look(each), self._look(state)) for each in (dealt, *moved))

    def without(self, state: S, move: M) -> S:
        """`state` to decide in where its side cannot make moves like `move`, as on a screen that hears none of them."""
        return state

    def rare(self, state: S, move: M) -> bool:
        """Whether some pages know no such move, though they know others that are made alike."""
        return False

    def decided(self, state: S) -> S | None:
        """`state` as one that is over, where nothing that may still be played changes who wins; None elsewhere.

        Some pages end their games there.
        """
        return None

    def reopened(self, state: S) -> S | None:
        """`state`, which is over, as one that is not by the rules of pages that go on there; None elsewhere."""
        return None

    def refute(self, grid: NDArray[np.int8]) -> str:
        """Why no game comes to `grid`, as of an Observation, even with a few cells misread; "" where one may.

        By default what `read` refuses of a grid that was read in full.
        """
        if (grid == UNREAD).any():
            return ""
        try:
            self.read(Observation.certain(grid.tolist()))
        except UnreadableError as error:
            return str(error)
        return ""

    def usual_sizes(self) -> Mapping[tuple[int, int], float]:
        """How usual boards of so many rows and columns are, up to 1; by default a dealt one, and those of its variants.

        One of another size is taken for a board of this game only where the game is named.
        """
        rng = np.random.default_rng(0)
        variants = {**dict.fromkeys((*self.variants, self.small, self.demo), 0.3), Options(): 1.0}
        shapes = {self.show(self.deal(rng, options)).grid.shape: usual for options, usual in variants.items()}
        return {(rows, cols): usual for (rows, cols), usual in shapes.items()}

    def estimate(self, state: S) -> float:
        """The margin of scores that a position which goes on may be worth to its side to move; 0 by default.

        Where scores only tell who won, from -1 to 1: what seemed worth more would be played for before a win.
        """
        return 0.0

    def usual_limits(self, state: S) -> Collection[int]:
        """How many moves pages usually allow from a start like `state`; none for as many as it takes."""
        return ()

    def numbers(self, options: Options) -> Mapping[str, int]:
        """The numbers of an observation that are known from the variant: what no picture of it tells."""
        return {}

    def habits(self, state: S) -> Mapping[str, int]:
        """The numbers of `show` that hold for every game of a page: where players start; none by default."""
        return {}

    def colour(self, state: S) -> int:
        """Which colour is to move, from 0: the seat, unless one may have several."""
        return state.player

    def options(self, state: S) -> Options:
        """The variant `state` belongs to: what `parse` needs beside the text to give it back."""
        rows, cols = self.show(state).grid.shape
        return Options(rows=rows, cols=cols)

    def gestures(self, state: S, move: M, how: str = "") -> Sequence[Gesture]:
        """What a hand does to play `move`, in order.

        how: one of `ways`, "" for the usual one; raises SettingsError for another.
        """
        chosen_way(self.ways, how)
        if not isinstance(move, Cell):
            raise NotImplementedError(f"the moves of {self.name} are no cells: it must say how they are made")
        return (Tap(move),)

    def parse_move(self, text: str, state: S) -> M:
        """The move a text names in `state`; raises PositionError, or IllegalMoveError with the reason."""
        wanted = text.strip()
        named: dict[str, M] = {self.format_move(move, state): move for move in state.legal_moves()}
        if wanted in named:
            return named[wanted]
        rows, cols = self.show(state).grid.shape
        cell = parse_cell(wanted, rows)
        if cell.row not in range(rows) or cell.col not in range(cols):
            raise PositionError(f"{wanted[:10]!r} is not on the board of {rows}x{cols} cells")
        state.play(cell)  # says why not
        raise IllegalMoveError(f"{wanted} is no move here")

    def format_move(self, move: M, state: S) -> str:
        """The text of a move."""
        if not isinstance(move, Cell):
            raise NotImplementedError(f"the moves of {self.name} are no cells: it must say their texts")
        return format_cell(move, self.show(state).grid.shape[0])

    def marks(self, state: S) -> dict[str, Any]:
        """What the table's drawing of the game shows of `state` beside its cells: JSON values, cells as [row, col].

        ``owner``: rows of whose each cell is, 0 for nobody's, where moves win cells rather than change them.
        """
        return {}

    def line(self, before: S, after: S) -> tuple[M, ...]:
        """The fewest legal moves that lead from `before` to `after`; empty where they are equal, or none was found."""
        told = remembered(before, after) if self.remembers else ()
        return told or find_line(self._look, before, self._look(after), after) or ()

    def follow(self, observation: Observation, before: S) -> S:
        """`before`, or the position one or two turns later, that shows the cells of `observation`.

        Who is to move again after a move makes several in one turn, of which each must make the boards more alike.

        Raises UnreadableError for unread cells, another size, and where no such moves explain the change.
        """
        grid, shown = observation.grid, self._look(before)
        if unread := observation.unread():
            raise UnreadableError(
                f"{len(unread)} of {grid.size} cells could not be read, "
                f"the first at row {unread[0].row}, col {unread[0].col}"
            )
        if shown.shape != grid.shape:
            raise UnreadableError(
                f"the board has {grid.shape[0]}x{grid.shape[1]} cells, it had {shown.shape[0]}x{shown.shape[1]}"
            )
        line = find_line(self._look, before, grid, longest=LONGEST if self.players > 1 else 2, turns=2)
        if line is None:
            changed = int(np.count_nonzero(shown != grid))
            raise UnreadableError(f"{changed} of {grid.size} cells changed and no one or two moves explain that")
        for move in line:
            before = before.play(move)
        return before

    def _look(self, state: S) -> NDArray[np.int8]:
        """int8[rows, cols]: what its cells look like."""
        return self.show(state).grid


FILES = "abcdefghijklmnopqrstuvwxyz"
"""The letters of columns 0, 1, ... in the texts of cells."""


def format_cell(cell: Cell, rows: int) -> str:
    """The name of a cell: a letter for its column from the left, its row's number from the bottom.

    >>> format_cell(Cell(7, 3), 8)
    'd1'
    """
    return f"{FILES[cell.col]}{rows - cell.row}"


def parse_cell(text: str, rows: int) -> Cell:
    """The cell that `format_cell` names so, on the board or not; raises PositionError."""
    letter, number = text[:1], text[1:3]
    if not letter or letter not in FILES or text != letter + number or not (number.isascii() and number.isdecimal()):
        raise PositionError(f"{text[:10]!r} is no cell: write its column's letter and its row's number, such as d3")
    return Cell(rows - int(number), FILES.index(letter))


def chosen_way(ways: Sequence[str], how: str) -> str:
    """`how`, or the usual one of a game's `ways` for ""; raises SettingsError for one that is not among them."""
    if how and how not in ways:
        raise SettingsError(f"no move of this game is made by {how!r}; {choices(how, ways)}")
    return how or ways[0]


CONFIRM = "confirm"
"""The control that makes a move final on screens that only show it at first."""

PASS = "pass"
"""The control by which who cannot move says so on screens that pass over nobody by themselves."""

MODES = "modes"
"""The way of moves that pages hear in a mode of their own, and show under the pointer, then, before they are made."""

SHOWN = 0.25
"""Seconds a move gets to show, and such a button to appear: one of a page does after a picture or two."""

STAGES = ("twice", "enter", CONFIRM)
"""What screens want that only show a move at first: ``"WAY+STAGE"`` is `WAY`, and then its last gesture again (of a
piece that is carried, what lays it), Return, or the control ``confirm``."""


def gestures_of(game: Game[S, M], state: S, move: M, how: str) -> Sequence[Gesture]:
    """What a hand does to play `move` in one of the game's ways, or in one of these and a stage.

    Raises SettingsError for another `how`.
    """
    way, _, stage = how.rpartition("+")
    if how in game.ways or stage not in STAGES:
        return game.gestures(state, move, how)
    *_, end = made = game.gestures(state, move, way)
    last: dict[str, Sequence[Gesture]] = {
        "twice": (end.lay if isinstance(end, Carry) else end,),
        "enter": (Wait(SHOWN), Press("enter")),
        CONFIRM: (Wait(SHOWN), Tap(CONFIRM)),
    }
    return (*made, *last[stage])
