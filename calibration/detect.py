"""The board network: where boards lie in a picture, how they are drawn, and a heat of their cells' middles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.frame import Box, Pixel, Pixels

WEIGHTS = Path(__file__).parent / "models" / "detector.onnx"
"""What ``python -m bench.vision.detector`` fitted."""

KINDS = ("", "coloured", "discs", "squares", "grooves", "stones")
"""What a place may be: no board, or a board drawn as one of the looks draws it."""

CELLS, PLANS = 4, 8
"""Pixels, across and down, to one place of the heat and of the plan of boards."""

LONGEST = 640
"""Pixels of the longer side of the copy of a picture that is looked at first."""

SHARPEST, CLEAR = 24.0, (10.0, 50.0)
"""The pitch in pixels at which a board is seen best, and those at which it is seen well enough."""

JOINED = {"squares": 12.0}
"""The same pitch from which on a board of squares is seen well enough: those of a piece run together, so that small
ones seem up to twice as large.  Three of 160 drawn boards, of 5 and 6 pixels a square, seemed to have 10.7 to 11.8.
"""

MOST = 3
"""Boards that are looked into; hardly ever there is more than one."""

LIKELY, FEWEST = 0.5, 6
"""The chance from which a place belongs to a board, and the places that make one."""

SEEN = 0.8
"""The chance of a board from which a place is one to the network: of drawn boards 35 of 39 were seen so surely, of what
had been seen on pages without a board 6 of 26."""

POSSIBLE = 0.02
"""The chance of a look from which a board that the network sees is read where no game was asked for."""

AROUND = 2.0
"""Pitches round a board that are looked at again with it."""

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Glance:
    """What the network says of a part of a picture.

    heat: float32[h, w], the chance of a cell's middle.  kinds: float32[6, h', w'], that of each of KINDS.  pitch:
    float32[2, h', w'], from middle to middle across and down, in pixels of the picture.
    factor: pixels of the picture, across and down, to a pixel that the network saw; corner: the part's top left one.
    """

    heat: Floats
    kinds: Floats
    pitch: Floats
    factor: tuple[float, float]
    corner: Pixel

    @property
    def step(self) -> tuple[float, float]:
        """Pixels of the picture, across and down, from place to place of the heat."""
        return CELLS * self.factor[0], CELLS * self.factor[1]


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A board as the network sees it: its box, the usual pitch across and down, the chance of each of KINDS."""

    box: Box
    pitch: tuple[float, float]
    kinds: Floats
    glance: Glance

    @property
    def cell(self) -> float:
        """The shorter pitch, in pixels that the network saw."""
        return min(pitch / factor for pitch, factor in zip(self.pitch, self.glance.factor, strict=True))

    @property
    def board(self) -> float:
        """The chance that it is a board at all."""
        return float(1 - self.kinds[0])

    def chance(self, look: str) -> float:
        """The chance that it is drawn as that look draws boards, if it is a board."""
        return float(self.kinds[KINDS.index(look)] / self.kinds[1:].sum())

    @property
    def kind(self) -> str:
        """The likeliest way it is drawn."""
        return max(KINDS[1:], key=self.chance)


class Detector:
    """The network in the file `path`, read when it is first asked."""

    def __init__(self, path: Path = WEIGHTS) -> None:
        self.path = path

    @cached_property
    def _network(self) -> Any:
        import onnxruntime  # that takes as long as asking it once: a board that is only read need not wait for it

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        return onnxruntime.InferenceSession(str(self.path), options, providers=["CPUExecutionProvider"])

    def places(self, pixels: Pixels, *, closer: bool = False) -> list[Place]:
        """The boards in a picture, uint8[height, width, 3], the largest first.

        Those of large cells are looked for in half the size, too, and in less, and all where none is seen in full;
        small ones are looked at again, and where none is seen at all, it is looked for in twice the size.
        closer: whether all are, and no larger ones.
        """
        if closer:
            return sorted(self._enlarged(pixels), key=lambda each: -each.box.area)[:MOST]
        near = list(_places(self.overview(pixels)))
        far = list(_places(self.overview(pixels, coarser=2)))
        if not near or any(place.cell > CLEAR[1] for place in far):
            far = list(_places(self.overview(pixels, coarser=4))) + far
        if not near and not far:
            near = self._enlarged(pixels)
        apart: list[Place] = []
        for place in far:
            if (not near or place.cell > CLEAR[1] / 2) and not any(one.box.contains(place.box.centre) for one in apart):
                apart.append(place)
        apart += [place for place in near if not any(one.box.contains(place.box.centre) for one in apart)]
        apart = sorted(apart, key=lambda each: -each.box.area)[:MOST]
        clear = [JOINED.get(place.kind, CLEAR[0]) <= place.cell <= CLEAR[1] for place in apart]
        return [place if seen else self._again(pixels, place) for place, seen in zip(apart, clear, strict=True)]

    def _enlarged(self, pixels: Pixels) -> list[Place]:
        """The boards that are surely seen in twice the size."""
        return [place for place in _places(self.overview(pixels, coarser=0.5)) if place.board >= SEEN]

    def overview(self, pixels: Pixels, *, coarser: float = 1) -> Glance:
        """What the network says of a whole picture, in LONGEST pixels or in so many times fewer."""
        height, width = pixels.shape[:2]
        return self.glance(pixels, Box(0, 0, width, height), coarser * max(1.0, max(width, height) / LONGEST))

    def _again(self, pixels: Pixels, place: Place) -> Place:
        """The same board looked at with cells of SHARPEST pixels, or as it is where it is lost then."""
        height, width = pixels.shape[:2]
        (x, y, wide, high), (across, down) = place.box, place.pitch
        left, top = max(0.0, x - AROUND * across), max(0.0, y - AROUND * down)
        right, bottom = min(width, x + wide + AROUND * across), min(height, y + high + AROUND * down)
        part = Box(left, top, right - left, bottom - top)
        factor = max(0.5, min(across, down) / SHARPEST)
        found = list(_places(self.glance(pixels, part, factor)))
        return max(found, key=lambda each: each.box.area, default=place)

    def glance(self, pixels: Pixels, part: Box, factor: float) -> Glance:
        """What the network says of a part of a picture that is made smaller by about that factor."""
        left, top = int(part.x), int(part.y)
        cut = pixels[top : round(part.y + part.height), left : round(part.x + part.width)]
        wide, high = (max(1, round(side / factor / PLANS)) * PLANS for side in cut.shape[1::-1])
        way = cv2.INTER_AREA if factor > 1 else cv2.INTER_LINEAR
        small = cv2.resize(cut, (wide, high), interpolation=way)
        heat, plan = self._network.run(["heat", "plan"], {"pixels": cv2.dnn.blobFromImage(small, 1 / 255)})
        factors = cut.shape[1] / wide, cut.shape[0] / high
        pitch = np.exp2(plan[0, len(KINDS) :]) * np.array(factors, np.float32)[:, None, None]
        chances = np.asarray(plan[0, : len(KINDS)], np.float32)
        return Glance(np.asarray(heat[0, 0], np.float32), chances, np.asarray(pitch), factors, Pixel(left, top))


def _places(glance: Glance) -> Iterator[Place]:
    """The boards of a glance, the largest first."""
    board = (1 - glance.kinds[0] >= LIKELY).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(board, connectivity=4)
    for label in sorted(range(1, count), key=lambda each: -int(stats[each][4])):
        mine = labels == label
        if stats[label][4] < FEWEST:
            continue
        across, down = (float(np.median(axis[mine])) for axis in glance.pitch)
        chances = glance.kinds[:, mine].mean(axis=1)
        wide, high = (PLANS * by for by in glance.factor)
        x, y, cols, rows = (int(value) for value in stats[label][:4])
        box = Box(glance.corner.x + x * wide, glance.corner.y + y * high, cols * wide, rows * high)
        yield Place(box, (across, down), chances.astype(np.float32), glance)
