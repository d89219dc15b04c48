"""Where the pointer waits beside a board: on plain page, where nothing is that it may make light up or open."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import dist

import numpy as np

from calibration.frame import Frame, Pixel, Rect, Spot

ROUND = 14
"""Pointer units round the pointer that are looked at: no button is twice as high and shows no edge."""

PLAIN = 24
"""By so much of 255 plain page differs there at most: it may slope."""


def place_beside(
    board: Rect, step: float, desktop: Rect, controls: Sequence[Spot], plain: Callable[[Spot], bool]
) -> Spot:
    """A place beside `board`, `step` from it: away from controls and on plain page where one is, with most room.

    plain: whether nothing is drawn at a place, as far as was seen.
    """
    rooms = {
        Spot(board.x + board.width + step, board.centre.y): desktop.x + desktop.width - board.x - board.width,
        Spot(board.x - step, board.centre.y): board.x - desktop.x,
        Spot(board.centre.x, board.y + board.height + step): desktop.y + desktop.height - board.y - board.height,
        Spot(board.centre.x, board.y - step): board.y - desktop.y,
    }
    free = [spot for spot in rooms if rooms[spot] > 2 * step and all(dist(spot, at) > step for at in controls)]
    best = sorted(free or rooms, key=lambda spot: -rooms[spot])
    return next(filter(plain, best), best[0])


def is_plain(frame: Frame, at: Pixel) -> bool:
    """Whether a picture shows nothing round a place of it."""
    across, down = (round(ROUND * scale) for scale in frame.scale)
    x, y = round(at.x), round(at.y)
    shown = frame.pixels[max(0, y - down) : y + down + 1, max(0, x - across) : x + across + 1]
    return bool(shown.size and np.ptp(shown, axis=(0, 1)).max() <= PLAIN)
