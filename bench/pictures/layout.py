"""Where things stand on a page: the board, the strips beside it, and what is left for furniture."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from bot.screens.drawn.painter import Extent
from calibration.canvas import Canvas
from calibration.frame import Box

Side = Literal["above", "below", "left", "right"]


@dataclass(slots=True)
class Room:
    """A page cut round its board.

    board: the rectangle for the cells.  strips: the free rectangles beside it, by side; taken ones are gone.
    """

    board: Box
    strips: dict[Side, Box] = field(default_factory=dict)

    def take(self, side: Side, depth: float, away: float = 0.0) -> Box:
        """The part of the strip at `side` nearest to the board, `depth` deep and `away` from it; the rest is free."""
        strip, board = self.strips.pop(side), self.board
        if side == "above":
            taken = Box(board.x, board.y - away - depth, board.width, depth)
            rest = Box(strip.x, strip.y, strip.width, taken.y - strip.y)
        elif side == "below":
            taken = Box(board.x, board.y + board.height + away, board.width, depth)
            rest = Box(strip.x, taken.y + depth, strip.width, strip.y + strip.height - taken.y - depth)
        elif side == "left":
            taken = Box(board.x - away - depth, board.y, depth, board.height)
            rest = Box(strip.x, strip.y, taken.x - strip.x, strip.height)
        else:
            taken = Box(board.x + board.width + away, board.y, depth, board.height)
            rest = Box(taken.x + depth, strip.y, strip.x + strip.width - taken.x - depth, strip.height)
        self.strips[side] = rest
        return taken

    def space(self, side: Side) -> float:
        """How deep the strip at `side` is."""
        strip = self.strips[side]
        return max(0.0, strip.height if side in ("above", "below") else strip.width)

    def shrink(self, side: Side, by: float) -> None:
        """Keep furniture `by` points away from the board at `side`: something drawn with the board lies there."""
        if 0 < by < self.space(side):
            self.take(side, by)


def cut(
    page: Canvas,
    rng: np.random.Generator,
    rows: int,
    cols: int,
    *,
    stretch: float = 1.0,
    least: float = 14.0,
    reserve: dict[Side, float] | None = None,
) -> tuple[Room, Extent]:
    """Choose the place and the pitch of a board of `rows` x `cols` cells on `page`.

    stretch: the pitch across divided by the pitch down.  least: the smallest pitch, in pixels of the picture.
    reserve: strips to leave free for the board's own things, in pitches.
    Returns the room and where its cells lie; half of the pitches are whole points.
    """
    kept = dict.fromkeys(("above", "below", "left", "right"), 0.3) | (reserve or {})
    fit = min(
        page.width / (cols + kept["left"] + kept["right"]) / stretch,
        page.height / (rows + kept["above"] + kept["below"]),
    )
    smallest = max(least / page.scale, 0.28 * fit)
    down = float(rng.uniform(min(smallest, fit), fit))
    across = down * stretch
    if rng.random() < 0.5 and down > 8:
        down, across = float(int(down)), float(int(across))
    width, height = across * cols, down * rows
    low_x, high_x = kept["left"] * across, page.width - width - kept["right"] * across
    low_y, high_y = kept["above"] * down, page.height - height - kept["below"] * down
    x = _choose(rng, low_x, high_x, (page.width - width) / 2, 0.55)
    y = _choose(rng, low_y, high_y, (page.height - height) / 2, 0.25)
    return around(page, Extent(x, y, across, down, rows, cols))


def around(page: Canvas, extent: Extent) -> tuple[Room, Extent]:
    """The room that a board leaves on `page`, and where its cells lie."""
    x, y, width, height = board = extent.board
    strips: dict[Side, Box] = {
        "above": Box(0, 0, page.width, y),
        "below": Box(0, y + height, page.width, page.height - y - height),
        "left": Box(0, y, x, height),
        "right": Box(x + width, y, page.width - x - width, height),
    }
    return Room(board, strips), extent


def _choose(rng: np.random.Generator, low: float, high: float, middle: float, centred: float) -> float:
    if high <= low:
        return low
    place = middle if rng.random() < centred else rng.uniform(low, high)
    place = float(np.clip(place, low, high))
    return float(int(place)) if rng.random() < 0.6 and int(place) >= low else place
