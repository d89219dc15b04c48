"""A step of a run as a fixture: the whole screen as it was, with what the rules later confirmed of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bot.protocol.values import options_from
from bot.runs.journal import JournalError, SavedRun, Turn
from bot.storage.files import write_text
from bot.storage.pictures import save_picture
from calibration.frame import Pixel, Pixels
from calibration.looks.grooves.walls import pawns_in, walls_in
from games import find_game
from games.core import Cell, SettingsError


def keep(run: SavedRun, step: int, folder: Path, *, name: str | None = None) -> tuple[Path, Path]:
    """Writes ``folder/GAME/NAME.png`` and ``.json`` of turn `step` and gives both paths.

    The truth has the keys of the other screens among the fixtures, and the position's text; what stands on the board is
    the position that the move made from it confirmed, not what was read.  A button is a point of it.
    Raises SettingsError for a step the run does not have, and for a name that is taken.
    """
    turn = next((turn for turn in run.turns if turn.number == step), None)
    if turn is None:
        raise SettingsError(f"{run.folder} has no turn {step}: it has turns 1 to {len(run.turns)}")
    game = find_game(run.stated("game"))
    calibration = run.calibration(turn.calibration)
    lattice = calibration.lattice
    state = game.parse(turn.state, options_from(turn.options))
    name = name or f"{run.folder.name}-{step:03}"
    picture, truth = folder / game.name / f"{name}.png", folder / game.name / f"{name}.json"
    if truth.exists():
        raise SettingsError(f"{truth} exists already: give another --name")
    try:
        picture.parent.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise SettingsError(f"{picture.parent} cannot be made ({problem.strerror}): name another with --to") from None
    centres = [[_rounded(lattice.centre(Cell(row, col))) for col in range(lattice.cols)] for row in range(lattice.rows)]
    grid = game.show(state).grid
    grooves = grid.shape != (lattice.rows, lattice.cols)
    colours = {f"colour:{kind}": kind for kind in range(len(calibration.palette))}
    buttons = [(colours[name], _rounded(at)) for name, at in calibration.controls.items() if name in colours]
    facts: dict[str, Any] = {
        "game": game.name,
        "rows": lattice.rows,
        "cols": lattice.cols,
        "scale": 1.0,
        "grid": None if grooves else grid.tolist(),
        "cells": centres,
        "pitch": lattice.pitch,
        "hidden_cells": [],
        "buttons": [
            {"colour": colour, "rect": [*at, 0, 0], "centre": at, "enabled": True, "visible": True}
            for colour, at in buttons
        ],
        "pawns": [{"player": number, "cell": cell} for number, cell in enumerate(pawns_in(grid), 1)] if grooves else [],
        "walls": [{"o": way, "row": row, "col": col} for way, row, col in walls_in(grid)] if grooves else [],
        "state": turn.state,
        "options": turn.options,
    }
    save_picture(picture, _screen(run, turn))
    write_text(truth, json.dumps(facts, indent=1) + "\n")
    return picture, truth


def _rounded(pixel: Pixel) -> list[float]:
    return [round(pixel.x, 2), round(pixel.y, 2)]


def _screen(run: SavedRun, turn: Turn) -> Pixels:
    """The calibration's picture of the whole screen, with the board as it was at `turn` laid in."""
    screen = run.picture(f"calibration-{turn.calibration}.png").copy()
    board = run.picture(turn.picture)
    left, top = round(turn.offset.x), round(turn.offset.y)
    height, width = board.shape[:2]
    if left < 0 or top < 0 or screen[top : top + height, left : left + width].shape != board.shape:
        raise JournalError(f"{run.folder}: the picture of turn {turn.number} does not lie in that of its calibration")
    screen[top : top + height, left : left + width] = board
    return screen
