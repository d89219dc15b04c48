"""Records of games in .blksgf, Pentobi's dialect of SGF: ``(;GM[Blokus Duo];B[e8,d9,e9,f9,e10];W[...])``.

The first line of play is read where a record has several; comments and what else it holds are passed over. Placements
name their colour, so turns that were skipped are not written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from games.blokus.board import PASS, board_of
from games.blokus.position import Blokus, empty
from games.blokus.texts import format_move, parse_points
from games.core import IllegalMoveError, Options, PositionError, SettingsError

GAMES = {
    "Blokus Duo": Options(variant="duo"),
    "Blokus Two-Player": Options(variant="classic-2"),
    "Blokus Three-Player": Options(variant="classic", players=3),
    "Blokus": Options(variant="classic"),
}
"""The games a record may be of, by the name it gives them."""

COLOURS = (
    {"B": 0, "1": 0, "BLUE": 0},
    {"W": 1, "2": 1, "YELLOW": 1},
    {"3": 2, "RED": 2},
    {"4": 3, "GREEN": 3},
)
COLOUR_OF = {name: colour for names in COLOURS for name, colour in names.items()}
"""What a placement of each colour is called: B and W with two colours, 1 to 4 with four; names in old records."""

TOKEN = re.compile(r"\s*(?:([();])|([A-Za-z0-9]+)|\[((?:[^\]\\]|\\.)*)\])", re.DOTALL)
"""A part of a record in SGF: a bracket or semicolon, a property's name, or a value in brackets."""

LONGEST = 1 << 20
"""Letters of the longest record that is read."""


def parse_record(text: str) -> Blokus:
    """The last position of a record; its `moves` hold the game.  Raises PositionError."""
    if len(text) > LONGEST:
        raise PositionError(f"a record has at most {LONGEST} letters")
    properties = list(_main_line(text))
    names = [value for name, value in properties if name == "GM"]
    if not names or names[0] not in GAMES:
        what = f"is of {names[0]!r}" if names else "does not say of which game it is (GM)"
        raise PositionError(f"the record {what}: Boardsight reads {', '.join(GAMES)}")
    state = empty(board_of(GAMES[names[0]]))
    for name, value in properties:
        colour = COLOUR_OF.get(name, len(state.cells))
        if colour >= len(state.cells) or not value.strip():
            continue
        try:
            state = state.placed(colour, parse_points(value, state.board))
        except (PositionError, IllegalMoveError) as error:
            raise PositionError(f"{name}[{value}]: {error}") from error
    return state


def format_record(state: Blokus) -> str:
    """The game as a record that Pentobi opens; raises SettingsError for variants it does not know."""
    board = state.board
    plain = Options(variant=board.variant, players=board.players)
    names = [name for name, options in GAMES.items() if board_of(options) == board_of(plain) and not board.lies]
    if not names:
        raise SettingsError(f"records know no variant {board.variant!r}: only {', '.join(GAMES)}")
    letters = "BW" if board.colours == 2 else "1234"
    turns = [
        f";{letters[turn % board.colours]}[{format_move(move, board)}]"
        for turn, move in enumerate(state.moves)
        if move != PASS
    ]
    return f"(;GM[{names[0]}]" + "".join(turns) + ")\n"


def _main_line(text: str) -> Iterator[tuple[str, str]]:
    """The properties of the first line of play, a pair for each value; raises PositionError."""
    at, name, depth = 0, "", 0
    while match := TOKEN.match(text, at):
        at = match.end()
        mark, word, value = match.groups()
        if mark == "(":
            depth += 1
        elif mark == ")":
            return
        elif word:
            name = word.upper()
        elif value is not None and depth:
            yield name, re.sub(r"\\(.)", r"\1", value, flags=re.DOTALL)
    raise PositionError(f"no record: what is not SGF begins with {text[at : at + 20]!r}")
