"""What lies off the screen, of a board or its buttons, comes into view where that can grow, or else scroll."""

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

BELOW = "bottom"
"""The side at which a board lacks what scrolling brings into view."""

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
    frame = _attempt(find)
    if (frame is None or _lacks_any(observer.calibration)) and screen.enlarge():
        frame = _attempt(find)
    frame = frame or _further_down(find, screen) or find(FIND)
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
    box, pitch = calibration.lattice.box, calibration.lattice.pitch[1]
    lacks = BELOW in calibration.cut or (not calibration.controls and any(_buttons(calibration)))
    return max(0.0, box.y - pitch) if lacks else 0.0


def _lacks_any(calibration: Calibration) -> bool:
    """Whether a part of the board, or any button of its moves, seems to lie off the screen, or a part of a tray."""
    controls, buttons = calibration.controls.keys(), _buttons(calibration)
    trays = {name.partition(",")[0] for name in controls if "," in name}
    part = any(name not in controls for each in buttons for name in each if name.partition(",")[0] in trays)
    return part or BELOW in calibration.cut or any(controls.isdisjoint(each) for each in buttons)


def _buttons(calibration: Calibration) -> set[tuple[str, ...]]:
    """The buttons that moves have as a rule: one of each row is needed, each of which a piece may be taken by."""
    game = find_game(calibration.game)
    state = game.deal(np.random.default_rng(0))
    places = [next(iter(game.gestures(state, move))) for move in state.legal_moves()]
    if not isinstance(places[0], Carry):
        return {("",)} if isinstance(getattr(places[0], "target", None), str) else set()
    takes = [each.take for each in places if isinstance(each, Carry) and isinstance(each.take, Tap)]
    return {tuple(map(str, each.alternatives)) for each in takes}
