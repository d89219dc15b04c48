"""The answer of ``boardsight read``: what a picture shows, as the words and numbers of a JSON object."""

from __future__ import annotations

import time
from typing import Any

from calibration.board import Calibration
from calibration.frame import Frame
from calibration.locate import locate
from calibration.looks import look_named, reader_of
from calibration.looks.grooves.walls import pawns_in, walls_in
from games.core import Cell, Observation


def answer(frame: Frame, game: str | None = None) -> dict[str, Any]:
    """The board in `frame`: game, size, grid (-1 = unread or not playable), cells, controls, confidence and seconds.

    Raises BoardNotFoundError.
    """
    began = time.perf_counter()
    found = described(frame, locate(frame, game))
    return found | {"seconds": round(time.perf_counter() - began, 4)}


def described(frame: Frame, calibration: Calibration) -> dict[str, Any]:
    """What `frame` shows of a calibrated board.

    A board with grooves has ``pawns`` ([row, col] each, in the order of the players) and ``walls`` (["h" or "v", row,
    col]: "h" lies under the row and spans the column and the next, "v" right of the column) in place of ``grid``.
    ``disabled`` names the controls that are seen but may not be pressed now; ``or``, where nobody named the game, the
    other games whose board it may be; ``cut`` the sides of the picture beyond which the board may go on.
    """
    observation = reader_of(calibration).read(frame)
    lattice = calibration.lattice
    if observation.grid.shape == (lattice.rows, lattice.cols):
        position: dict[str, Any] = {"grid": [[max(-1, int(kind)) for kind in row] for row in observation.grid]}
    else:
        position = {"pawns": pawns_in(observation.grid), "walls": [list(wall) for wall in walls_in(observation.grid)]}
    return {
        "game": calibration.game,
        "rows": lattice.rows,
        "cols": lattice.cols,
        **position,
        "cells": _cells(calibration),
        "controls": {name: [round(at.x, 1), round(at.y, 1)] for name, at in calibration.controls.items()},
        "disabled": sorted(calibration.disabled),
        "confidence": round(calibration.confidence, 4),
        **({"or": list(calibration.others)} if calibration.others else {}),
        **({"cut": list(calibration.cut)} if calibration.cut else {}),
    }


def size(calibration: Calibration) -> str:
    """Rows and columns of a board, and how many colours it has where cells differ by nothing else."""
    lattice, colours = calibration.lattice, len(calibration.palette)
    cells = f"{lattice.rows}x{lattice.cols} cells"
    return f"{cells}, {colours} colour{'s' * (colours != 1)}" if look_named(calibration.look).filled else cells


def summary(calibration: Calibration, observation: Observation) -> str:
    """Size and what stands on a board, in a few words."""
    lattice, grid, holds = calibration.lattice, observation.grid, ""
    if grid.shape != (lattice.rows, lattice.cols):
        holds = f", {len(pawns_in(grid))} pawns, {len(walls_in(grid))} walls"
    elif not look_named(calibration.look).filled:
        holds = f", {int((grid > 0).sum())} taken"
    return f"{calibration.game}: {size(calibration)}{holds}"


def _cells(calibration: Calibration) -> list[list[list[float]]]:
    """The centre of each cell, [x, y], row by row."""
    lattice = calibration.lattice
    return [
        [[round(value, 1) for value in lattice.centre(Cell(row, col))] for col in range(lattice.cols)]
        for row in range(lattice.rows)
    ]
