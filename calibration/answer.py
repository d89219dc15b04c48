"""The answer of ``boardsight read``: what a picture shows, as the words and numbers of a JSON object."""

from __future__ import annotations

import time
from typing import Any

from calibration.board import Calibration
from calibration.frame import Frame
from calibration.locate import locate
from calibration.observe import Reader
from games.core import Cell


def answer(frame: Frame, game: str | None = None) -> dict[str, Any]:
    """The board in `frame`: game, size, grid (-1 = unread or not playable), cells, controls, confidence and seconds.

    Raises BoardNotFoundError.
    """
    began = time.perf_counter()
    calibration = locate(frame, game)
    observation = Reader(calibration).read(frame)
    lattice = calibration.lattice
    return {
        "game": calibration.game,
        "rows": lattice.rows,
        "cols": lattice.cols,
        "grid": [[max(-1, int(kind)) for kind in row] for row in observation.grid],
        "cells": _cells(calibration),
        "controls": {name: [round(at.x, 1), round(at.y, 1)] for name, at in calibration.controls.items()},
        "confidence": round(calibration.confidence, 4),
        "seconds": round(time.perf_counter() - began, 4),
    }


def _cells(calibration: Calibration) -> list[list[list[float]]]:
    """The centre of each cell, [x, y], row by row."""
    lattice = calibration.lattice
    return [
        [[round(value, 1) for value in lattice.centre(Cell(row, col))] for col in range(lattice.cols)]
        for row in range(lattice.rows)
    ]
