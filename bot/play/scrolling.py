"""What lies off the screen: where that can scroll, a board cut by its edge is brought into view, and so are buttons."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from bot.play.observer import Observer
from bot.ports import ScrollableScreen
from calibration.board import Calibration
from calibration.frame import Frame
from calibration.locate import BoardNotFoundError
from games import find_game
from games.core import Carry, Tap

FIND = 10
"""Times the board is looked for before there is none: a pawn on its way, a page that is still being painted."""

FEW = 3
"""Times it is looked for before it is looked for further down, and there."""

FURTHER = 4
"""Half screens that are looked at further down, and the places at which more of a board is looked for."""

Find = Callable[[int], Frame]
"""Finds the board in at most so many tries, and gives the picture it was found on; raises BoardNotFoundError."""


def find_in_view(find: Find, observer: Observer) -> Frame:
    """The picture on which `observer` found the board, which shows all of it, and its buttons, where the screen can.

    Raises BoardNotFoundError, once the screen shows again what it did.
    """
    screen = observer.screen
    if not isinstance(screen, ScrollableScreen):
        return find(FIND)
    frame = _attempt(find) or _further_down(find, screen) or find(FIND)
    for _ in range(FURTHER):
        before, lacking = _seen(observer.calibration), _lacking(observer.calibration)
        went = screen.scroll(lacking / frame.scale[1]) if lacking else 0.0
        if not went:
            break
        shown = _attempt(find)
        if shown is None or _seen(observer.calibration) <= before:
            screen.scroll(-went)
            return find(FIND)
        frame = shown
    return frame


def _attempt(find: Find) -> Frame | None:
    try:
        return find(FEW)
    except BoardNotFoundError:
        return None


def _further_down(find: Find, screen: ScrollableScreen) -> Frame | None:
    """The picture on which the board was found further down; None where it is not there, and the screen as it was."""
    gone = 0.0
    for _ in range(FURTHER):
        went = screen.scroll(screen.grab().region.height / 2)
        if not went:
            break
        gone += went
        frame = _attempt(find)
        if frame is not None:
            return frame
    screen.scroll(-gone)
    return None


def _seen(calibration: Calibration) -> tuple[int, int]:
    """How much shows of a board: cells, and controls."""
    return calibration.lattice.rows * calibration.lattice.cols, len(calibration.controls)


def _lacking(calibration: Calibration) -> float:
    """So many pixels further down more of the board, or its buttons, may show; 0 where nothing seems to lack."""
    lattice = calibration.lattice
    box, pitch = lattice.box, lattice.pitch[1]
    cut = box.y + box.height > calibration.size[1] - pitch / 2
    return max(0.0, box.y - pitch) if cut or _lacks_buttons(calibration) else 0.0


def _lacks_buttons(calibration: Calibration) -> bool:
    """Whether moves of the game have buttons, as a rule, and none shows."""
    game = find_game(calibration.game)
    state = game.deal(np.random.default_rng(0))
    gestures = game.gestures(state, next(iter(state.legal_moves())))
    places = (each.take if isinstance(each, Carry) else each for each in gestures)
    targets = [each.target for each in places if isinstance(each, Tap)]
    return any(isinstance(each, str) for each in targets) and not calibration.controls
