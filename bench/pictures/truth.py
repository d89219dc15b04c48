"""What a drawn board is: the facts a reader has to find, in pixels of the picture."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot.screens.drawn.painter import Extent
from calibration.board import Colour
from calibration.canvas import Canvas
from calibration.frame import Box, Pixel
from calibration.looks.grooves.walls import Wall
from games import find_game


@dataclass(slots=True)
class TrueButton:
    """A colour button: the palette index it stands for, its rectangle in pixels, and whether it is there and works."""

    colour: int
    box: Box
    enabled: bool = True
    visible: bool = True


@dataclass(slots=True)
class TrueBoard:
    """A drawn board.

    origin: the centre of cell (0, 0), pitch: from centre to centre, cell: the drawn size; all in pixels of the picture.
    grid: int8[rows, cols] as its game numbers them; Quoridor's is all 0.  skin: a word for how the board looks.
    """

    game: str
    origin: Pixel
    pitch: tuple[float, float]
    cell: tuple[float, float]
    grid: NDArray[np.int8]
    palette: list[Colour] = field(default_factory=list)
    buttons: list[TrueButton] = field(default_factory=list)
    owner: NDArray[np.int8] | None = None
    pawns: list[tuple[int, int]] = field(default_factory=list)
    walls: list[Wall] = field(default_factory=list)
    hidden: set[tuple[int, int]] = field(default_factory=set)
    tags: list[str] = field(default_factory=list)
    skin: str = ""

    def centres(self) -> NDArray[np.float64]:
        """float64[rows, cols, 2]: the centre (x, y) of each cell."""
        rows, cols = self.grid.shape
        x = self.origin.x + np.arange(cols) * self.pitch[0]
        y = self.origin.y + np.arange(rows) * self.pitch[1]
        return np.stack(np.broadcast_arrays(x[None, :], y[:, None]), axis=-1)

    def hide(self, box: Box, *, inside: bool = True) -> None:
        """Count the cells as hidden whose centre lies in `box` of the picture, or with `inside=False` beside it."""
        reach_x, reach_y = 0.2 * self.pitch[0], 0.2 * self.pitch[1]
        x, y = np.moveaxis(self.centres(), -1, 0)
        sign = 1 if inside else -1
        within = (x > box.x - sign * reach_x) & (x < box.x + box.width + sign * reach_x)
        within &= (y > box.y - sign * reach_y) & (y < box.y + box.height + sign * reach_y)
        self.hidden |= {(int(row), int(col)) for row, col in np.argwhere(within == inside)}

    def covered(self, over: NDArray[np.bool_]) -> set[tuple[int, int]]:
        """The cells of whose middle more than half lies under `over`, a mask of the picture.

        What is told by a mark in the very middle is covered with less.
        """
        reach, most = (0.1, 0.0) if "same-rgb" in self.tags else (0.3, 0.5)
        found = set()
        for (row, col), (x, y) in zip(np.ndindex(*self.grid.shape), self.centres().reshape(-1, 2), strict=True):
            wide, high = reach * self.pitch[0], reach * self.pitch[1]
            part = over[max(0, int(y - high)) : int(y + high) + 1, max(0, int(x - wide)) : int(x + wide) + 1]
            if part.size and part.mean() > most:
                found.add((row, col))
        return found

    def resized(self, factor: float) -> None:
        """Follow a resizing of the whole picture."""

        def times(box: Box) -> Box:
            return Box(*(value * factor for value in box))

        self.origin = Pixel(self.origin.x * factor, self.origin.y * factor)
        self.pitch = (self.pitch[0] * factor, self.pitch[1] * factor)
        self.cell = (self.cell[0] * factor, self.cell[1] * factor)
        for button in self.buttons:
            button.box = times(button.box)

    def truth(self, scale: float) -> dict[str, Any]:
        """The facts as plain lists, in the form of the scored galleries."""
        rows, cols = self.grid.shape
        return {
            "game": self.game,
            "rows": rows,
            "cols": cols,
            "scale": scale,
            "grid": None if find_game(self.game).drawn == "grooves" else self.grid.tolist(),
            "cells": self.centres().round(2).tolist(),
            "pitch": list(self.pitch),
            "cell_size": list(self.cell),
            "hidden_cells": sorted(map(list, self.hidden)),
            "palette": [{"index": index, "rgb": list(colour)} for index, colour in enumerate(self.palette)],
            "buttons": [
                {
                    "colour": button.colour,
                    "rect": list(button.box),
                    "centre": list(button.box.centre),
                    "enabled": button.enabled,
                    "visible": button.visible,
                }
                for button in self.buttons
            ],
            "owner": None if self.owner is None else self.owner.tolist(),
            "pawns": [{"player": player, "cell": list(cell)} for player, cell in enumerate(self.pawns, 1)],
            "walls": [{"o": way, "row": row, "col": col} for way, row, col in self.walls],
            "occluded": False,
            "tags": self.tags,
            "skin": self.skin,
        }


def board_on(canvas: Canvas, game: str, extent: Extent, grid: NDArray[np.int8]) -> TrueBoard:
    """The truth of a board whose cells lie on `canvas` as `extent` says."""
    pitch = (extent.across * canvas.scale, extent.down * canvas.scale)
    return TrueBoard(game, canvas.place(*extent.centre(0, 0)), pitch, pitch, grid)


def pixel_box(canvas: Canvas, box: Box) -> Box:
    """A box of `canvas` in pixels of the whole picture."""
    corner = canvas.place(box.x, box.y)
    return Box(corner.x, corner.y, box.width * canvas.scale, box.height * canvas.scale)
