"""Filler, the two-player flooding game: recolour your corner's territory to take in more cells than the rival.

Each player owns a territory that begins at an own corner.  A move names a colour, which must not be the present colour
of either territory; the whole territory takes it and absorbs every neutral cell of that colour connected to it, if
there is any.  The game ends when every cell is owned, or after four moves in a row that captured nothing; cells that
nobody owns then count for nobody.

What sites do otherwise are words of a variant, joined by ``+`` (``--variant phone+majority``):
``phone``: the board is dealt without two like neighbours, as on phones; ``uniform``: each cell's colour is drawn alone;
``open``: the first move may name the rival's colour; ``majority``: the game ends once a player owns more than half;
``ring``: a move absorbs only cells that touch the territory, not those behind them;
``gain``: only colours that capture something may be named while there are any;
``kept``: players keep their colours, which the cells that they take turn to: only colours that capture something may be
named, and a player who finds none is passed over; ``shared``: the rival's colour may be named, too; ``patient``: the
game goes on until twelve moves in a row captured nothing; ``passing``: a player who can capture nothing is passed
over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, permutations
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.core import (
    Cell,
    Game,
    Grid,
    IllegalMoveError,
    Observation,
    Options,
    PositionError,
    SettingsError,
    Tap,
    UnreadableError,
    chosen_way,
)
from games.filler.reading import alone_at, apart_on, exchanged, first_reading, keeping, moved_to, successor
from games.filler.rules import COLOURS, SIZES, WORDS, Filler, Rules, connected, owner_of, position, usual_starts
from games.filler.texts import format_owners, parse_words
from games.flood import (
    DIGITS,
    as_grid,
    cells_of,
    corners_of,
    format_grid,
    like_pairs,
    owners,
    paint,
    parse_colour,
    parse_grid,
    recoloured,
    start_in,
)

GROWN = 3
"""So many cells a player owns at least who has surely moved: one who has not may find nothing to capture, either."""

ROWS, COLS, COLOURS_DEALT = 7, 8, 6
"""The board of the game on phones."""

DEALS = ("phone", "uniform")
"""The words of a variant that say how boards are dealt."""


class FillerGame(Game[Filler, int]):
    """The rules of Filler, as every room of Boardsight uses them."""

    name = "filler"
    counted = ("cell", "cells")
    hidden = True
    ways = ("colour", "cell")
    drawn = "coloured"
    small = Options(5, 5, colours=5)
    demo_seconds = 0.0
    offered = ("phone", "uniform", "majority", "ring", "gain")
    variants = (Options(4, 4, colours=5), Options(3, 5, colours=4))
    solver = "exact"
    fallbacks = ("lookahead:depth=3",)

    def deal(self, rng: np.random.Generator, options: Options = Options()) -> Filler:
        """A random board, 7x8 with 6 colours and no two like neighbours unless `options` say otherwise.

        Raises SettingsError.

        Boards are dealt again until the two corners differ.
        """
        rows = ROWS if options.rows is None else options.rows
        cols = COLS if options.cols is None else options.cols
        colours = COLOURS_DEALT if options.colours is None else options.colours
        if rows not in SIZES or cols not in SIZES:
            raise SettingsError(f"a board of {rows}x{cols} is no Filler board: each side has 2 to 64 cells")
        if colours not in COLOURS:
            raise SettingsError(f"Filler is played with 3 to 10 colours, not {colours}")
        words = _words(options.variant)
        deal = _deal_uniform if "uniform" in words else _deal_phone
        while (grid := deal(rng, rows, cols, colours))[0][0] == grid[-1][-1]:
            pass
        rules = _rules(words)
        if rules.kept:
            for seat, owned in enumerate(connected(grid, usual_starts(grid))):
                grid = paint(grid, owned, colours + seat)
        return position(grid, colours=colours + 2 * rules.kept, rules=rules)

    def show(self, state: Filler) -> Observation:
        """The grid of colours, and as numbers what a picture of it does not tell.

        ``colours``, ``player``, ``start_row``, ``start_col``, ``rival_row``, ``rival_col``, ``idle``; 1 for each rule
        in force, such as ``majority``; ``owner_R_C`` for a cell whose owner its colour does not tell (0 nobody, 1, 2).
        """
        numbers = {"colours": state.colours, "player": state.player, "idle": state.idle, **self.habits(state)}
        numbers |= {word: 1 for word in WORDS if getattr(state.rules, word)}
        likely = connected(state.grid, state.starts)
        if likely != state.territories:
            for cell in set().union(*likely, *state.territories):
                if owner_of(cell, likely) != owner_of(cell, state.territories):
                    numbers[f"owner_{cell.row}_{cell.col}"] = owner_of(cell, state.territories)
        return Observation.certain(state.grid, numbers)

    def read(self, observation: Observation, before: Filler | None = None, seat: int | None = None) -> Filler:
        """The position in `observation`; `before`, or one or two moves from it, where `before` is given.

        Without `before`, territories are what is connected to the corners, the opposite ones that own more. `seat` is
        to move; if that is not told, it is likely to be one that has not grown, player 1 first: a first move seldom
        captures nothing.
        Raises UnreadableError for unread cells, connected territories, and a change that no moves explain.
        """
        unread = observation.unread()
        if unread:
            raise UnreadableError(
                f"{len(unread)} of {observation.grid.size} cells have no known colour, "
                f"the first at row {unread[0].row}, col {unread[0].col}"
            )
        grid = as_grid(observation.grid)
        if before is not None:
            return self.follow(observation, before) if before.rules.kept else successor(grid, before)
        return first_reading(grid, dict(observation.numbers), seat)

    def odds(self, state: Filler) -> float:
        """Large where no two like neighbours were dealt, as on phones, or players have colours of their own."""
        if state.rules.kept:
            return keeping(state.grid, state.starts)
        pairs, alike = like_pairs(state.grid, state.territories[0] | state.territories[1])
        return 0.0 if alike else pairs * log(state.colours / (state.colours - 1))

    def starts(self, state: Filler) -> Sequence[Filler]:
        """The players at each pair of corners, opposite ones first; where they keep their colours, at their own."""
        if state.rules.kept:
            return (state, exchanged(state))
        first, right, low, last = corners_of(state.grid)
        pairs = [(first, last), (low, right), *permutations((first, right, low, last), 2)]
        moved = (moved_to(state, pair) for pair in pairs if apart_on(state.grid, *pair))
        return tuple(dict.fromkeys((state, *moved)))

    def otherwise(self, before: Filler, observation: Observation) -> Sequence[Filler]:
        """The position with its players in the one or two regions that changed, or with one there and one opposite.

        Where they keep their colours, with the players exchanged; where nothing changed, with its players elsewhere.
        """
        if before.rules.kept:
            return [exchanged(before)]
        if np.array_equal(observation.grid, self.show(before).grid):
            return self.starts(before)[1:]
        rows, cols = len(before.grid), len(before.grid[0])
        changed = [start_in(before.grid, cells) for cells in recoloured(before.grid, as_grid(observation.grid))]
        pairs = list(permutations(changed)) if len(changed) == 2 else []
        if len(changed) == 1:
            (here,) = changed
            others = (Cell(rows - 1 - here.row, cols - 1 - here.col), *before.starts)
            pairs = [pair for other in others for pair in ((here, other), (other, here))]
        return [moved_to(before, (first, second)) for first, second in pairs if apart_on(before.grid, first, second)]

    def ruled_otherwise(self, before: Filler) -> Sequence[Filler]:
        """The position where each player owns but the start cell at first, whatever lies beside it.

        And where players keep their colours, if theirs show nowhere else, or do not, if that was believed; and where
        who can capture nothing was passed over, or is not, if that was believed.
        """
        alone, kept = alone_at(before.starts), before.rules.kept
        found = [] if kept or before.territories == alone else [replace(before, territories=alone)]
        if kept or keeping(before.grid, before.starts):
            found.append(replace(before, rules=replace(before.rules, kept=not kept)))
        passed = replace(
            before, player=1 - before.player, rules=replace(before.rules, passing=not before.rules.passing)
        )
        if min(before.cells) >= GROWN and not (passed if before.rules.passing else before).captures:
            found.append(passed)
        return found

    def ruled_wider(self, before: Filler) -> Sequence[Filler]:
        """The position where players may name each other's colours, and the one that goes on where this would end."""
        rules = before.rules
        wider = [] if rules.kept or rules.shared else [replace(rules, shared=True)]
        if not rules.patient and before.idle + 1 >= rules.idle_limit:
            wider.append(replace(rules, patient=True))
        return [replace(before, rules=each) for each in wider]

    def decided(self, state: Filler) -> Filler | None:
        """Over by the rule `majority`, where a player owns more than half of the cells, or without `patient`."""
        ended = replace(state, rules=replace(state.rules, majority=True, patient=False))
        return None if ended.outcome() is None else ended

    def reopened(self, state: Filler) -> Filler | None:
        """Going on by the rule `patient`."""
        longer = replace(state, rules=replace(state.rules, patient=True))
        return longer if longer.outcome() is None else None

    def refute(self, grid: NDArray[np.int8]) -> str:
        """Nothing: a deal may have any colour anywhere."""
        return ""

    def gestures(self, state: Filler, move: int, how: str = "") -> Sequence[Tap]:
        """One tap: the colour's button, or any neutral cell of that colour (those the move captures first).

        colour: the button, where the screen has one.  cell: a cell all the same.
        """
        captured = state.captured(move)
        owned = state.territories[0] | state.territories[1]
        wanted = [cell for cell in cells_of(state.grid, move) if cell not in owned]
        wanted.sort(key=lambda cell: cell not in captured)
        if chosen_way(self.ways, how) == "cell" and wanted:
            return (Tap(wanted[0], tuple(wanted)),)
        return (Tap(f"colour:{move}", tuple(wanted)),)

    def marks(self, state: Filler) -> dict[str, Any]:
        """``owner``: 1 or 2 for the players' cells.  ``current``: their colours.  ``cells``: how many.  ``starts``."""
        return {
            "owner": owners(state.grid, *state.territories),
            "current": list(state.current),
            "cells": list(state.cells),
            "starts": [list(start) for start in state.starts],
        }

    def numbers(self, options: Options) -> dict[str, int]:
        """The words of the variant that are rules."""
        return {word: 1 for word in _words(options.variant) if word in WORDS}

    def habits(self, state: Filler) -> dict[str, int]:
        """Where each player starts."""
        names = ("start_row", "start_col", "rival_row", "rival_col")
        return dict(zip(names, chain(*state.starts), strict=True))

    def estimate(self, state: Filler) -> float:
        """How many cells more than its rival the side to move owns."""
        return state.cells[state.player] - state.cells[1 - state.player]

    def options(self, state: Filler) -> Options:
        """The size, the colours and the rules that differ from the game's own."""
        words = [word for word in WORDS if getattr(state.rules, word)]
        size = Options(rows=len(state.grid), cols=len(state.grid[0]), colours=state.colours)
        return replace(size, variant="+".join(words) or None)

    def parse(self, text: str, options: Options = Options()) -> Filler:
        """The position of a text such as ``012/210/001 2 @2,0 @0,2``: rows, player to move, start of each player.

        Raises PositionError.

        Where they are needed, two more words follow: ``+N`` after N moves in a row without a capture, and ``=`` with
        rows of ``1``, ``2`` and ``.`` where the owners are not those of the connected cells.

        >>> GAME.parse("012/210/001 2").legal_moves()
        (2,)
        """
        words = text.split()
        if not words:
            raise PositionError("Filler has no fixed start position: write the board's rows of colour digits")
        grid = parse_grid(words[0])
        fields = parse_words(words[1:], grid)
        colours = max(3, max(map(max, grid)) + 1) if options.colours is None else options.colours
        return position(grid, colours=colours, rules=_rules(_words(options.variant)), **fields)

    def format(self, state: Filler) -> str:
        """The rows of colour digits, the player to move, and what else `parse` needs."""
        words = [format_grid(state.grid), str(state.player + 1)]
        if state.starts != usual_starts(state.grid):
            words += [f"@{row},{col}" for row, col in state.starts]
        if state.idle:
            words.append(f"+{state.idle}")
        if state.territories != connected(state.grid, state.starts):
            words.append("=" + format_owners(state))
        return " ".join(words)

    def parse_move(self, text: str, state: Filler) -> int:
        """The colour a digit names, if it may be played; raises PositionError or IllegalMoveError."""
        move = parse_colour(text.strip(), state.colours)
        if move not in state.legal_moves():
            raise IllegalMoveError(state.why_illegal(move))
        return move

    def format_move(self, move: int, state: Filler) -> str:
        """The digit of a colour."""
        return DIGITS[move]


def _deal_uniform(rng: np.random.Generator, rows: int, cols: int, colours: int) -> Grid:
    """Every cell's colour drawn alone, all with the same chance."""
    return tuple(tuple(int(kind) for kind in row) for row in rng.integers(0, colours, size=(rows, cols)))


def _deal_phone(rng: np.random.Generator, rows: int, cols: int, colours: int) -> Grid:
    """Cell after cell in reading order, each drawn from the colours that its upper and left neighbour do not have."""
    grid: list[list[int]] = []
    for row in range(rows):
        grid.append([])
        for col in range(cols):
            beside = {grid[row][col - 1]} if col else set()
            above = {grid[row - 1][col]} if row else set()
            choices = [colour for colour in range(colours) if colour not in beside | above]
            grid[row].append(choices[int(rng.integers(len(choices)))])
    return tuple(map(tuple, grid))


def _words(variant: str | None) -> list[str]:
    """The words of a variant; raises SettingsError for one that is not known."""
    words = [] if not variant else variant.split("+")
    for word in words:
        if word not in (*DEALS, *WORDS):
            raise SettingsError(f"Filler has no variant {word!r}; join words of: {', '.join((*DEALS, *WORDS))}")
    return words


def _rules(words: list[str]) -> Rules:
    return Rules(**{word: True for word in words if word in WORDS})


GAME = FillerGame()
