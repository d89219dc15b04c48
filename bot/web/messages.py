"""What the page and the server say to each other: JSON objects, one a WebSocket message, version 2.

The server opens with INIT, the games and solvers there are.  The page asks for a game with INIT too, and then sends
MOVE, UNDO, LOOK, SEATS or THINK.  Every one of them is answered by UPDATE, GAME_OVER or ERROR; while a solver thinks,
an UPDATE without a `board` comes for each better decision.  ASIDE asks for what is worked out beside the game: a HINT,
a PAR or a REVIEW.  Nothing is kept when a connection ends: the page has
all it needs (`start`, `moves`) to ask for the same game again.

Positions and moves are the texts of `boardsight solve`; `text` of them is stable.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

VERSION = 2
"""Of this schema; an INIT of another version is answered by ERROR."""

LONGEST_TEXT = 5_000
"""Characters of a text at most: the longest position (64x64 cells) takes 4.2 KB, the longest game 2 KB."""

MOST_MOVES = 2_000
"""Moves of a game that is taken up again, at most."""

LONGEST_THOUGHT = 60.0
"""Seconds a move at most, whatever the page asks for."""

PERSON = "person"
"""The word for a seat that a person takes; any other names a solver with its options."""

MOST_LINES = 5
"""Lines that a page may ask for: 4 take 1.6 to 8 times as long as one."""

SLOWEST = 10.0
"""Seconds between the moves of two solvers, at most."""

Text = Annotated[str, Field(max_length=LONGEST_TEXT)]
Name = Annotated[str, Field(max_length=200)]
Seconds = Annotated[float, Field(gt=0, le=LONGEST_THOUGHT, allow_inf_nan=False)]


class _Message(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Seating(_Message):
    """Who plays, and what the page wants to be told.

    seats: "person" or a solver, one for each player.  analyst: the solver that looks over a person's shoulder, "" for
    none.  seconds: CPU seconds a move.  lines: of how many moves an exact score and a line are wanted.
    pace: seconds between the moves of two solvers, None where each waits for THINK.
    analysis: whether the page is told what solvers think; else nothing is thought but their own moves.
    """

    seats: list[Name] = Field(default=[], max_length=4)
    analyst: Name = ""
    seconds: Seconds = 1.0
    lines: Annotated[int, Field(ge=1, le=MOST_LINES)] = 1
    pace: Annotated[float, Field(ge=0, le=SLOWEST, allow_inf_nan=False)] | None = 0.35
    analysis: bool = True


class InitRequest(Seating):
    """Begin a game, or take one up again.

    options: the variant, as `boardsight solve` takes it: ``{"size": "7x8", "colours": 6}``.
    seed: of a board that is dealt, None for a fresh one.
    start: the position it begins with, None for the usual or a dealt one.  moves: those played since.
    at: how many of them the page is looking at, None for all.
    match: the page's number for this game, which its boards bear: what comes of an earlier game is told by it.
    """

    type: Literal["INIT"]
    version: int = VERSION
    game: Name
    options: dict[Name, int | Name] = Field(default={}, max_length=10)
    seed: Annotated[int, Field(ge=0, lt=2**32)] | None = None
    start: Text | None = None
    moves: list[Name] = Field(default=[], max_length=MOST_MOVES)
    at: Annotated[int, Field(ge=0)] | None = None
    match: Annotated[int, Field(ge=0)] = 0


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


class SeatsRequest(Seating):
    """Change who plays and what the page is told."""

    type: Literal["SEATS"]


class ThinkRequest(_Message):
    """Stop the search that runs (it plays the best it has), or begin one in the position shown."""

    type: Literal["THINK"]
    on: bool


class AsideRequest(_Message):
    """Have something worked out beside the game, instead of what was asked for before; None only ends that.

    HINT: a move for the person in the position shown.  PAR: how few moves a game for one can take.
    REVIEW: what each move of the game was worth.
    """

    type: Literal["ASIDE"]
    what: Literal["HINT", "PAR", "REVIEW"] | None


Request = Annotated[
    InitRequest | MoveRequest | UndoRequest | LookRequest | SeatsRequest | ThinkRequest | AsideRequest,
    Field(discriminator="type"),
]
REQUESTS: TypeAdapter[Request] = TypeAdapter(Request)
"""Parses what a page sends; ``REQUESTS.json_schema()`` is the schema."""


class GameInfo(_Message):
    """A game there is.  options: its usual variant.  solver: the one that plays when none is named.

    title: what people call it.  drawing: the module of the page that draws it.  drawn: what its board looks like, see
    `games.core.Game`.  falls: whether pieces fall.  models: the networks and tables that play it.
    levels: how many levels of play there are, named ``level:1`` and so on; 0 for none.
    fields: the options that a person may choose, by name; a list of them are the names of variants, "" for the usual.
    """

    name: str
    title: str
    drawing: str
    drawn: str
    falls: bool
    players: int
    solvers: list[str]
    models: list[str]
    levels: int
    solver: str
    options: dict[str, int | str]
    fields: list[str | list[str]]


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
    options, seats, analyst, seconds, lines, pace, analysis: as in force.  match: as the INIT of the game said.
    """

    match: int
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
    lines: int
    pace: float | None
    analysis: bool
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
    depth: the plies it looked ahead, where they are counted.  chance: see `Value`.
    """

    solver: str
    ply: int
    done: bool
    answer: dict[str, Any]
    line: list[LineStep]
    others: list[OtherMove] = []
    depth: int | None = None
    chance: float | None = None


Value = tuple[float, bool, float | None] | None
"""A position's score from the first player's view (a game for one counts the moves to its end), whether it is proven,
and the first player's chance to win (None in a game for one)."""


class Update(_Message):
    """The position shown, a decision about it, or both.

    thinking: whether a search runs.  preparing: seconds that compiling the solver will take, in which a light one plays
    in its place; 0 where it can search.  values: for each ply of the game what a solver thought of it; None: as before.
    None of it is told of a game without analysis.
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
    values: list[Value] | None
    winner: int | None
    scores: list[float]
    reason: str


class Hint(_Message):
    """A move for the person in the position after `ply` moves, and the cells it changes."""

    type: Literal["HINT"] = "HINT"
    ply: int
    step: LineStep


class Par(_Message):
    """How few moves a game for one can take from its start, as far as is known, and whether that is proven.

    line: those moves, once the game is over.
    """

    type: Literal["PAR"] = "PAR"
    moves: int
    proven: bool
    line: list[str] = []


class Costly(_Message):
    """A move that was worse than another one.

    ply: how many moves were made before it.  better: the other one, and `line` what it leads to.
    before, after: the mover's chance to win, or the moves to the end of a game for one, before the move and with it.
    cost: the difference.  proven: whether both are.
    """

    ply: int
    player: int
    move: str
    better: str
    line: list[str]
    before: float
    after: float
    cost: float
    proven: bool


class Review(_Message):
    """What the moves of a game were worth, as far as it was looked through.

    done, of: positions.  finished: whether no more comes.  accuracy: of each player, from 0 to 100, None where no move
    was judged.  costly: the moves that cost most, the worst first.  par: of a game for one.
    """

    type: Literal["REVIEW"] = "REVIEW"
    done: int
    of: int
    finished: bool
    values: list[Value]
    accuracy: list[float | None]
    costly: list[Costly]
    par: Par | None = None
    preparing: float = 0.0


class Error(_Message):
    """A message could not be followed; nothing has changed.

    error: the name of what went wrong, such as IllegalMoveError.  message: the evidence and the remedy.
    """

    type: Literal["ERROR"] = "ERROR"
    error: str
    message: str


Reply = Catalogue | Update | GameOver | Hint | Par | Review | Error
