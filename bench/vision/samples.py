"""Small drawn pictures kept on disk for the detector's trainer, and what it is to answer for parts of them."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.pictures import Picture, draw_empty, draw_picture
from bench.pictures.judge import seen_part
from bench.pictures.scene import BOARDS
from calibration.detect import CELLS, KINDS, PLANS
from calibration.frame import Pixels
from games import find_game

LONGEST = 800
"""Pixels of the longer side of a kept picture at most."""

EMPTY = 0.25
"""The share of pictures without a board."""

SMALL = 0.6
"""The share of pictures that are drawn in half their size; the others are shrunk, as a screen is for the detector."""

PART = (384, 320)
"""Width and height in pixels of the part of a picture that is learned from at a time."""

FINEST = 6.5
"""Pixels. Cells of a smaller pitch are a board to the detector, but their middles are neither right nor wrong."""

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Truth:
    """Where a kept picture's board is.

    kind: as in KINDS, 0 for none.  origin: the middle of the first cell, and pitch, across and down, in pixels.
    hidden: the cells whose middle is covered.
    """

    kind: int
    origin: tuple[float, float]
    pitch: tuple[float, float]
    rows: int
    cols: int
    hidden: tuple[tuple[int, int], ...]

    def resized(self, across: float, down: float) -> Truth:
        """The truth of the picture made that many times as wide and as high."""
        (x, y), (wide, high) = self.origin, self.pitch
        return Truth(self.kind, (x * across, y * down), (wide * across, high * down), self.rows, self.cols, self.hidden)

    def moved(self, right: float, below: float) -> Truth:
        """The truth of a picture in which all lies further to the right and below."""
        x, y = self.origin
        return Truth(self.kind, (x + right, y + below), self.pitch, self.rows, self.cols, self.hidden)


NONE = Truth(0, (0.0, 0.0), (1.0, 1.0), 0, 0, ())


def truth_of(picture: Picture) -> Truth:
    """The part of a picture's truth that the detector learns; of a board that is cut off, what can be seen."""
    if picture.truth["game"] is None:
        return NONE
    told = seen_part(picture.truth)
    x, y = told["cells"][0][0]
    across, down = told["pitch"]
    hidden = tuple((int(row), int(col)) for row, col in told["hidden_cells"])
    kind = KINDS.index(find_game(told["game"]).drawn)
    return Truth(kind, (x, y), (across, down), told["rows"], told["cols"], hidden)


def drawn(number: int, seed: int, games: Sequence[str]) -> tuple[Pixels, Truth]:
    """The small picture of that number: pixels, uint8[height, width, 3], and its truth."""
    rng = np.random.default_rng([seed, number])
    size = 0.5 if rng.random() < SMALL else 1.0
    if rng.random() < EMPTY:
        picture = draw_empty(rng, size=size)
    else:
        picture = draw_picture(games[number % len(games)], rng, size=size)
    pixels, truth = picture.pixels, truth_of(picture)
    longest = float(rng.uniform(0.65, 1)) * LONGEST
    factor = min(1.0, longest / max(pixels.shape[:2]))
    if factor < 1:
        wide, high = (round(side * factor) for side in pixels.shape[1::-1])
        truth = truth.resized(wide / pixels.shape[1], high / pixels.shape[0])
        pixels = np.asarray(cv2.resize(pixels, (wide, high), interpolation=cv2.INTER_AREA), dtype=np.uint8)
    return pixels, truth


def keep(folder: Path, count: int, seed: int, *, processes: int = 1, games: Sequence[str] = tuple(BOARDS)) -> None:
    """Draw pictures into `folder`, in so many processes, until it holds `count` of that seed; what is there stays."""
    folder.mkdir(parents=True, exist_ok=True)
    began = time.perf_counter()
    work = partial(_keep_one, folder=folder, seed=seed, games=games)
    with ExitStack() as stack:
        every: Iterable[None] = map(work, range(count))
        if processes > 1:
            pool = stack.enter_context(get_context("spawn").Pool(processes, cv2.setNumThreads, [1]))
            every = pool.imap_unordered(work, range(count), chunksize=8)
        for number, _ in enumerate(every, start=1):
            if number % 1000 == 0:
                print(f"{number} of {count} pictures after {time.perf_counter() - began:.0f} s", flush=True)


def _keep_one(number: int, folder: Path, seed: int, games: Sequence[str]) -> None:
    path = folder / f"{seed}-{number}.npy"
    if not path.with_suffix(".json").exists():
        pixels, truth = drawn(number, seed, games)
        np.save(path, pixels)
        path.with_suffix(".json").write_text(json.dumps(asdict(truth)))


def kept(folder: Path) -> list[Path]:
    """The pictures in `folder`, in one order everywhere."""
    return sorted(path.with_suffix(".npy") for path in folder.glob("*.json"))


def load(path: Path) -> tuple[Pixels, Truth]:
    """A kept picture, read from disk where it is looked at, and its truth."""
    told = json.loads(path.with_suffix(".json").read_text())
    told |= {"hidden": tuple((row, col) for row, col in told["hidden"])}
    told |= {"origin": tuple(told["origin"]), "pitch": tuple(told["pitch"])}
    return np.load(path, mmap_mode="r"), Truth(**told)


def part_of(pixels: Pixels, truth: Truth, rng: np.random.Generator) -> tuple[Pixels, Truth]:
    """A part of a picture, uint8[PART[1], PART[0], 3], in other sizes and ways round than it was drawn."""
    wide, high = PART
    stretch = np.exp(rng.normal(0, 0.22, 2)) if rng.random() < 0.6 else np.ones(2)
    cut_wide, cut_high = (max(64, round(side / by)) for side, by in zip(PART, stretch, strict=True))
    left, top = (_start(rng, have, need) for have, need in zip(pixels.shape[1::-1], (cut_wide, cut_high), strict=True))
    cut = np.asarray(pixels[max(0, top) : top + cut_high, max(0, left) : left + cut_wide])
    if cut.shape[:2] != (cut_high, cut_wide):
        below, beside = cut_high - cut.shape[0] - max(0, -top), cut_wide - cut.shape[1] - max(0, -left)
        edges, colour = (max(0, -top), below, max(0, -left), beside), rng.integers(0, 256, 3).tolist()
        cut = np.asarray(cv2.copyMakeBorder(cut, *edges, cv2.BORDER_CONSTANT, value=colour), dtype=np.uint8)
    truth = truth.moved(-left, -top).resized(wide / cut_wide, high / cut_high)
    if cut.shape[:2] != (high, wide):
        way = cv2.INTER_AREA if cut_wide > wide else cv2.INTER_LINEAR
        cut = np.asarray(cv2.resize(cut, PART, interpolation=way), dtype=np.uint8)
    return _turned(cut, truth, rng)


def _start(rng: np.random.Generator, have: int, need: int) -> int:
    """Where a part begins: anywhere inside, or where the picture is smaller than it, before it."""
    return int(rng.integers(0, have - need + 1)) if have >= need else -int(rng.integers(0, need - have + 1))


def _turned(pixels: Pixels, truth: Truth, rng: np.random.Generator) -> tuple[Pixels, Truth]:
    """Mirrored or not, either way."""
    (x, y), (across, down) = truth.origin, truth.pitch
    hidden = list(truth.hidden)
    if rng.random() < 0.5:
        pixels, x = np.asarray(cv2.flip(pixels, 1), np.uint8), PART[0] - x - (truth.cols - 1) * across
        hidden = [(row, truth.cols - 1 - col) for row, col in hidden]
    if rng.random() < 0.3:
        pixels, y = np.asarray(cv2.flip(pixels, 0), np.uint8), PART[1] - y - (truth.rows - 1) * down
        hidden = [(truth.rows - 1 - row, col) for row, col in hidden]
    return pixels, Truth(truth.kind, (x, y), truth.pitch, truth.rows, truth.cols, tuple(hidden))


@dataclass(frozen=True, slots=True, eq=False)
class Wanted:
    """What the detector is to say of a part.

    heat: float32[h, w] at every CELLS-th pixel, 1 at the cells' middles.  heeded: float32[h, w], 0 where heat is not
    judged.  kind: int64[h', w'] at every PLANS-th pixel.  pitch: the two pitches' binary logarithms.
    """

    heat: Floats
    heeded: Floats
    kind: NDArray[np.int64]
    pitch: tuple[float, float]


def answer_of(truth: Truth, size: tuple[int, int] = PART) -> Wanted:
    """The answer for a picture of `size` (width, height) with that truth."""
    wide, high = size
    heat = np.zeros((high // CELLS, wide // CELLS), np.float32)
    heeded = np.ones_like(heat)
    kind = np.zeros((high // PLANS, wide // PLANS), np.int64)
    if not truth.kind:
        return Wanted(heat, heeded, kind, (0.0, 0.0))
    (x, y), (across, down) = truth.origin, truth.pitch
    rise_x = _rises(x, across, truth.cols, heat.shape[1])
    rise_y = _rises(y, down, truth.rows, heat.shape[0])
    heat = np.outer(rise_y, rise_x)
    inside_y, inside_x = _inside(y, down, truth.rows, high, PLANS), _inside(x, across, truth.cols, wide, PLANS)
    kind[np.ix_(inside_y, inside_x)] = truth.kind
    if min(across, down) < FINEST:
        fine = np.ix_(_inside(y, down, truth.rows, high, CELLS), _inside(x, across, truth.cols, wide, CELLS))
        heeded[fine] = 0
    for row, col in truth.hidden:
        cell = np.ix_(_inside(y + row * down, down, 1, high, CELLS), _inside(x + col * across, across, 1, wide, CELLS))
        heeded[cell] = 0
    return Wanted(heat, heeded, kind, (float(np.log2(across)), float(np.log2(down))))


def _rises(start: float, pitch: float, count: int, length: int) -> Floats:
    """float32[length]: 1 at the place of each middle along an axis, falling off round it."""
    places = (start + pitch * np.arange(count)) / CELLS - 0.5
    places = places[(places > -1) & (places < length)]
    if not len(places):
        return np.zeros(length, np.float32)
    broad = max(0.55, 0.1 * pitch / CELLS)
    away = np.abs(np.arange(length)[:, None] - places).min(axis=1)
    rises: Floats = np.exp(-(away**2) / (2 * broad**2)).astype(np.float32)
    nearest = np.rint(places).astype(int)
    rises[nearest[(nearest >= 0) & (nearest < length)]] = 1
    return rises


def _inside(start: float, pitch: float, count: int, length: int, step: int) -> NDArray[np.intp]:
    """intp[n]: the places, `step` pixels each, whose middle lies in a row of cells."""
    middles = step * (np.arange(length // step) + 0.5)
    return np.flatnonzero((middles > start - pitch / 2) & (middles < start + (count - 0.5) * pitch))
