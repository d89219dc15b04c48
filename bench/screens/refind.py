"""How surely and how quickly a known board is found again: where it was, and after its window moved."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from bench.pictures import draw_empty, draw_picture
from bench.pictures.judge import judge
from bench.pictures.scene import BOARDS, UNDRAWN
from bench.results import left_out
from calibration.answer import described
from calibration.board import Calibration
from calibration.frame import Frame, Pixels, Rect
from calibration.locate import locate
from calibration.looks import reader_of
from games.core import BoardsightError

COUNT = 60
"""Boards of each game."""

SEED = 77_411
DESKTOP = (1920, 1080)


@dataclass(frozen=True, slots=True)
class RefindTrial:
    """One known board looked for at its old place and at a new one.

    stayed, moved: whether it was found there, to a tenth of a pitch, and read as before.  CPU milliseconds.
    """

    stayed: bool
    moved: bool
    there: float
    elsewhere: float


def tables(games: Sequence[str] = tuple(BOARDS), count: int = COUNT) -> Iterator[str]:
    """For each game the share of boards found again and the CPU time it takes."""
    yield f"{count} drawn windows a game, desktops of {DESKTOP[0]}x{DESKTOP[1]} pixels; CPU ms, median / p95"
    yield from left_out(BOARDS, UNDRAWN)
    yield ""
    yield "| game | found where it was | ms | found where it moved to | ms |"
    yield "|---|---:|---:|---:|---:|"
    for game in games:
        trials = list(_trials(game, count))
        yield (
            f"| {game} | {sum(trial.stayed for trial in trials)}/{count} | {_times([t.there for t in trials])} "
            f"| {sum(trial.moved for trial in trials)}/{count} | {_times([t.elsewhere for t in trials])} |"
        )


def _times(spent: Sequence[float]) -> str:
    return f"{np.median(spent):.1f} / {np.percentile(spent, 95):.1f}"


def _trials(game: str, count: int) -> Iterator[RefindTrial]:
    """As many trials as wished, of boards that are found and read right at first: nothing else can be found again."""
    number = 0
    while count:
        rng = np.random.default_rng([SEED, number, list(BOARDS).index(game)])
        number += 1
        picture = draw_picture(game, rng)
        height, width = picture.pixels.shape[:2]
        if width > DESKTOP[0] - 100 or height > DESKTOP[1] - 60:
            continue
        wallpaper = _wallpaper(rng)
        places = [(int(rng.integers(DESKTOP[0] - width)), int(rng.integers(DESKTOP[1] - height))) for _ in range(2)]
        before, after = (_placed(wallpaper, picture.pixels, place) for place in places)
        try:
            known = locate(before, game)
        except BoardsightError:
            continue
        left, top = places[0]
        cells = np.array(picture.truth["cells"]) + np.array([left, top])
        truth = picture.truth | {"cells": cells.tolist()}
        if judge(truth, described(before, known))[0] >= 2:
            yield _trial(before, after, known, (places[1][0] - left, places[1][1] - top))
            count -= 1


def _wallpaper(rng: np.random.Generator) -> Pixels:
    """What lies round the window: another program, as large as the desktop."""
    pixels = draw_empty(rng).pixels
    return np.pad(pixels, ((0, DESKTOP[1]), (0, DESKTOP[0]), (0, 0)), mode="wrap")[: DESKTOP[1], : DESKTOP[0]]


def _placed(wallpaper: Pixels, window: Pixels, place: tuple[int, int]) -> Frame:
    pixels = wallpaper.copy()
    pixels[place[1] : place[1] + len(window), place[0] : place[0] + len(window[0])] = window
    return Frame(pixels, Rect(0, 0, *DESKTOP))


def _trial(before: Frame, after: Frame, known: Calibration, by: tuple[int, int]) -> RefindTrial:
    stayed, there = _again(before, before, known, (0, 0))
    moved, elsewhere = _again(before, after, known, by)
    return RefindTrial(stayed, moved, there, elsewhere)


def _again(before: Frame, after: Frame, known: Calibration, by: tuple[int, int]) -> tuple[bool, float]:
    """Whether the known board is found moved `by` pixels, with the same reading, and the CPU milliseconds it takes."""
    began = time.thread_time()
    try:
        found = locate(after, known.game, near=known)
    except BoardsightError:
        return False, (time.thread_time() - began) * 1e3
    spent = (time.thread_time() - began) * 1e3
    away = np.abs(np.subtract(found.lattice.origin, known.lattice.origin) - by) / known.lattice.pitch
    same = (found.lattice.rows, found.lattice.cols) == (known.lattice.rows, known.lattice.cols)
    if not same or away.max() > 0.1:
        return False, spent
    return bool(np.array_equal(reader_of(found).read(after).grid, reader_of(known).read(before).grid)), spent
