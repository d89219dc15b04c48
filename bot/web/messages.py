"""What the page and the server say to each other: JSON objects, one a WebSocket message, version 1.

The server opens with INIT, the games and solvers there are.  The page asks for a game with INIT too, and then sends
MOVE, UNDO, LOOK, SEATS or THINK.  Every one of them is answered by UPDATE, GAME_OVER or ERROR; while a solver thinks,
an UPDATE without a `board` comes for each better decision.  Nothing is kept when a connection ends: the page has
all it needs (`start`, `moves`) to ask for the same game again.

Positions and moves are the texts of `boardsight solve`; `text` of them is stable.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

VERSION = 1
"""Of this schema; an INIT of another version is answered by ERROR."""

LONGEST_TEXT = 5_000
"""Characters of a text at most: the longest position (64x64 cells) takes 4.2 KB, the longest game 2 KB."""

MOST_MOVES = 2_000
"""Moves of a game that is taken up again, at most."""

LONGEST_THOUGHT = 60.0
"""Seconds a move at most, whatever the page asks for."""

PERSON = "person"
"""The word for a seat that a person takes; any other names a solver with its options."""

Text = Annotated[str, Field(max_length=LONGEST_TEXT)]
Name = Annotated[str, Field(max_length=200)]
Seconds = Annotated[float, Field(gt=0, le=LONGEST_THOUGHT, allow_inf_nan=False)]


class _Message(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class InitRequest(_Message):
    """Begin a game, or take one up again.

    options: the variant, as `boardsight solve` takes it: ``{"size": "7x8", "colours": 6}``.
    seats: who plays, "person" or a solver, one for each player.  analyst: the solver that looks over a person's
    shoulder, "" for none.  seconds: CPU seconds a move.  seed: of a board that is dealt, None for a fresh one.
    start: the position it begins with, None for the usual or a dealt one.  moves: those played since.
    at: how many of them the page is looking at, None for all.
    """

    type: Literal["INIT"]
    version: int = VERSION
    game: Name
    options: dict[Name, int | Name] = Field(default={}, max_length=10)
    seats: list[Name] = Field(default=[], max_length=4)
    analyst: Name = ""
    seconds: Seconds = 1.0
    seed: Annotated[int, Field(ge=0, lt=2**32)] | None = None
    start: Text | None = None
    moves: list[Name] = Field(default=[], max_length=MOST_MOVES)
    at: Annotated[int, Field(ge=0)] | None = None


class MoveRequest(_Message):
    """Play `move` in the position after `ply` moves; the moves that followed it are dropped."""

    type: Literal["MOVE"]
    move: Name
    ply: Annotated[int, Field(ge=0)]


class UndoRequest(_Message):
    """Take back the last move, and those of solvers before it up to a person's turn."""

    type: Literal["UNDO"]


class LookRequest(_Message):
    """Show the position after `ply` moves; solvers play on only from the last one."""

    type: Literal["LOOK"]
    ply: Annotated[int, Field(ge=0)]


class SeatsRequest(_Message):
    """Change who plays, who looks over the shoulder and how long a move may take; fields as of `InitRequest`."""

    type: Literal["SEATS"]
    seats: list[Name] = Field(max_length=4)
    analyst: Name = ""
    seconds: Seconds = 1.0


class ThinkRequest(_Message):
    """Stop the search that runs (it plays the best it has), or begin one in the position shown."""

    type: Literal["THINK"]
    on: bool


Request = Annotated[
    InitRequest | MoveRequest | UndoRequest | LookRequest | SeatsRequest | ThinkRequest, Field(discriminator="type")
]
REQUESTS: TypeAdapter[Request] = TypeAdapter(Request)
"""Parses what a page sends; ``REQUESTS.json_schema()`` is the schema."""


class GameInfo(_Message):
    """A game there is.  options: its usual variant.  solver: the one that plays when none is named.

    title: what people call it.  drawing: the module of the page that draws it.
    """

    name: str
    title: str
    drawing: str
    players: int
    solvers: list[str]
    solver: str
    options: dict[str, int | str]


class Catalogue(_Message):
    """The server's first message: the games, and its bounds."""

    type: Literal["INIT"] = "INIT"
    version: int = VERSION
    games: list[GameInfo]
    longest_thought: float = LONGEST_THOUGHT


class BoardMessage(_Message):
    """A position as the page draws it.

    ply: how many moves led to it.  moves: all moves of the game, also those after it.  start: the text of its first
    position.  grid, numbers: what `Game.show` says.  legal: the legal moves.  taps: what to press
    for each of them, as `bot.web.pages.taps_of` says, for games without a drawing of their own.  marks: what else the
    game's drawing needs, see `bot.web.marks`.  last: the cells the last move changed.
    seats, analyst, seconds, options: as in force.
    """

    ply: int
    player: int
    text: str
    start: str
    moves: list[str]
    grid: list[list[int]]
    numbers: dict[str, int]
    legal: list[str]
    taps: list[list[list[str]]]
    marks: dict[str, Any]
    last: list[tuple[int, int]]
    seats: list[str]
    analyst: str
    seconds: float
    options: dict[str, int | str]
    over: str | None = None


class LineStep(_Message):
    """One move of an expected line: who makes it, and the cells it changes."""

    move: str
    player: int
    cells: list[tuple[int, int]]


class OtherMove(_Message):
    """A legal move of which the decision tells no score: what the same solver thinks of the position after it.

    score: in the unit and from the view of the decision's own scores.
    """

    move: str
    score: float
    proven: bool


class Thought(_Message):
    """A decision, or what is known of it while the search goes on.

    solver: whose.  ply: of which position.  done: whether the search has ended.
    answer: the decision as `boardsight solve` prints it.  line: its moves as steps on the board.
    others: the moves it says nothing of, looked at one by one after the decision, where they are few.
    """

    solver: str
    ply: int
    done: bool
    answer: dict[str, Any]
    line: list[LineStep]
    others: list[OtherMove] = []


Value = tuple[float, bool] | None
"""A position's score from the first player's view (a game for one counts the moves to its end), and whether proven."""


class Update(_Message):
    """The position shown, a decision about it, or both.

    thinking: whether a search runs.  preparing: seconds that compiling the solver will take, in which a light one plays
    in its place; 0 where it can search.  values: for each ply of the game what a solver thought of it; None: as before.
    """

    type: Literal["UPDATE"] = "UPDATE"
    thinking: bool
    preparing: float = 0.0
    board: BoardMessage | None = None
    thought: Thought | None = None
    values: list[Value] | None = None


class GameOver(_Message):
    """The game ended: the last position, who won (None: nobody) and why."""

    type: Literal["GAME_OVER"] = "GAME_OVER"
    board: BoardMessage
    values: list[Value]
    winner: int | None
    scores: list[float]
    reason: str


class Error(_Message):
    """A message could not be followed; nothing has changed.

    error: the name of what went wrong, such as IllegalMoveError.  message: the evidence and the remedy.
    """

    type: Literal["ERROR"] = "ERROR"
    error: str
    message: str


Reply = Catalogue | Update | GameOver | Error
