"""How long seeing takes on a 1920x1080 desktop, one core: to find a board, to find it again, to read it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from bot.ports import FakeClock
from bot.screens.drawn.desktop import SKINS
from bot.screens.drawn.screen import DrawnScreen
from calibration.assist import Corners
from calibration.frame import Frame, Pixel, Rect
from calibration.locate import locate
from calibration.looks import reader_of
from games import GAMES, find_game
from games.core import Cell

DESKTOP = Rect(0, 0, 1920, 1080)
TIMES = 5
"""How often each thing is timed on each of the drawn desktops."""

MOVES = 20
"""Moves after each of which their boards are read."""


def tables() -> Iterator[str]:
    """Median and 95th percentile of CPU milliseconds: desktops with a Flood-It in every drawn skin, then each game."""
    yield f"{len(SKINS)} drawn desktops of 1920x1080 pixels with a 14x14 board, {TIMES} times each, CPU ms of one core"
    yield ""
    yield "| what | median | p95 |"
    yield "|---|---:|---:|"
    spent: dict[str, list[float]] = {}
    for number, skin in enumerate(SKINS):
        for what, milliseconds in _one_desktop(skin, number):
            spent.setdefault(what, []).append(milliseconds)
    for name in GAMES:
        spent[f"read {name} after a move"] = list(_one_game(name))
    for what, all_spent in spent.items():
        yield f"| {what} | {np.median(all_spent):.2f} | {np.percentile(all_spent, 95):.2f} |"


def _one_game(name: str) -> Iterator[float]:
    """CPU milliseconds of each reading of a drawn board on which another random move was made."""
    game, rng = find_game(name), np.random.default_rng(3)
    state = game.deal(rng)
    screen = DrawnScreen(game, state, clock=FakeClock(), monitors=(DESKTOP,))
    calibration = locate(screen.grab(), name, corners=_corner_cells(screen))
    shown = [_board(screen.grab(), calibration.lattice.box)]
    for _ in range(MOVES):
        if screen.state.outcome() is None:
            moves = screen.state.legal_moves()
            screen.play(moves[rng.integers(len(moves))])
            screen.clock.sleep(5)
            shown.append(_board(screen.grab(), calibration.lattice.box))
    reader = reader_of(calibration, offset=Pixel(shown[0].region.x, shown[0].region.y))
    for before, after in pairwise(shown):
        reader.read(before)
        began = time.thread_time()
        reader.read(after)
        yield (time.thread_time() - began) * 1e3


def _corner_cells(screen: DrawnScreen) -> Corners:
    """The middles of the first and the last cell that a screen draws: a small board is not found at its size."""
    lattice = screen.calibration().lattice
    return lattice.centre(Cell(0, 0)), lattice.centre(Cell(lattice.rows - 1, lattice.cols - 1))


def _board(frame: Frame, box: Any) -> Frame:
    return frame.crop(Rect(box.x, box.y, box.width, box.height))


def _one_desktop(skin: str, seed: int) -> Iterator[tuple[str, float]]:
    game = find_game("flood_it")
    screen = DrawnScreen(
        game, game.deal(np.random.default_rng(seed)), clock=FakeClock(), skin=skin, monitors=(DESKTOP,)
    )
    frame = screen.grab()
    calibration = locate(frame, "flood_it")
    screen.move_window(-60, 35)
    moved = screen.grab()
    board = _board(frame, calibration.lattice.box)
    reader = reader_of(calibration, offset=Pixel(board.region.x, board.region.y))
    jobs: dict[str, Callable[[], Any]] = {
        "find a board, game known": lambda: locate(frame, "flood_it"),
        "find a board of any game": lambda: locate(frame),
        "find it again where it was": lambda: locate(frame, near=calibration),
        "find it again after it moved": lambda: locate(moved, near=calibration),
        "read it (14x14)": lambda: reader.read(board),
    }
    for what, job in jobs.items():
        for _ in range(TIMES):
            began = time.thread_time()
            job()
            yield what, (time.thread_time() - began) * 1e3
