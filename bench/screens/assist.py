"""How often two corner cells are enough: on drawn boards that the finder misses, and on all with the finder off."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from bench.pictures import Picture, draw_picture
from bench.pictures.judge import judge, seen_part
from bench.pictures.scene import BOARDS, UNDRAWN
from bench.results import left_out
from calibration.answer import described
from calibration.assist import Corners, pointed
from calibration.board import Calibration
from calibration.frame import Frame, Pixel, Rect
from calibration.locate import BoardNotFoundError, locate
from calibration.looks import looks_of
from calibration.scene import Scene
from calibration.verify import claimed, finished
from games.core import BoardsightError

COUNT = 100
"""Pictures of each game."""

SEED = 20_903
"""The seeds of these pictures are [SEED, number, game]; nothing was fitted on them."""

OFF = 0.2
"""How far, in pitches, the corners given lie beside the middles of their cells, at most."""


@dataclass(frozen=True, slots=True)
class AssistTrial:
    """How one picture was read (0 not found, 1 not read, 2 no click, 3 right) by three ways to its board.

    found: by the finder.  helped: by the finder with the two corners.  alone: by the corners, the finder off.
    seconds: CPU time of the last.
    """

    found: int
    helped: int
    alone: int
    seconds: float


def tables(games: Sequence[str] = tuple(BOARDS), count: int = COUNT) -> Iterator[str]:
    """For each game how many boards are READ, by the finder and from two corner cells."""
    yield f"{count} drawn pictures a game, corners up to {OFF:g} of a pitch off the middles of their cells; boards READ"
    yield "by the finder; of those it missed, with two corners; of all, by the corners alone (and of these FOUND)"
    yield from left_out(BOARDS, UNDRAWN)
    yield ""
    yield "| game | finder | missed, with corners | corners alone | FOUND | CPU s |"
    yield "|---|---:|---:|---:|---:|---:|"
    for game in games:
        trials = [attempt(game, number) for number in range(count)]
        missed = [trial.helped for trial in trials if trial.found == 0]
        alone = [trial.alone for trial in trials]
        yield (
            f"| {game} | {sum(trial.found >= 2 for trial in trials)}/{count} "
            f"| {sum(stage >= 2 for stage in missed)}/{len(missed)} "
            f"| {sum(stage >= 2 for stage in alone)}/{count} | {sum(stage >= 1 for stage in alone)}/{count} "
            f"| {np.median([trial.seconds for trial in trials]):.2f} |"
        )


def attempt(game: str, number: int) -> AssistTrial:
    """Find and read one picture's board in three ways."""
    rng = np.random.default_rng([SEED, number, list(BOARDS).index(game)])
    picture = draw_picture(game, rng)
    height, width = picture.pixels.shape[:2]
    frame = Frame(picture.pixels, Rect(0, 0, width, height))
    corners = near_corners(picture, rng)
    found = _stage(picture, frame, lambda: locate(frame, game))
    helped = found if found else _stage(picture, frame, lambda: locate(frame, game, corners=corners))
    began = time.thread_time()
    alone = _stage(picture, frame, lambda: _by_corners(frame, game, corners))
    return AssistTrial(found, helped, alone, time.thread_time() - began)


def near_corners(picture: Picture, rng: np.random.Generator) -> Corners:
    """The corner cells of the drawn board, each up to OFF beside its middle."""
    truth = seen_part(picture.truth)
    away = rng.uniform(-OFF, OFF, (2, 2)) * truth["pitch"]
    first, last = np.array(truth["cells"][0][0]) + away[0], np.array(truth["cells"][-1][-1]) + away[1]
    return Pixel(float(first[0]), float(first[1])), Pixel(float(last[0]), float(last[1]))


def _by_corners(frame: Frame, game: str, corners: Corners) -> Calibration:
    """The board between two corners as it is taken by force; raises BoardNotFoundError."""
    scene = Scene(frame)
    for each in pointed(scene, looks_of(game), game, corners):
        best, why = claimed(each, frame, game, pointed=True)
        if not why:
            return finished(best, scene)
    raise BoardNotFoundError("no board can be read between the corners", frame.pixels)


def _stage(picture: Picture, frame: Frame, find: Callable[[], Calibration]) -> int:
    """The stages that a reading passes."""
    try:
        return judge(picture.truth, described(frame, find()))[0]
    except BoardsightError:
        return 0
