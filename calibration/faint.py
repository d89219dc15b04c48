"""Boards hardly darker or lighter than the field they lie on: found where its contrast is raised, read as they are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from calibration.board import Calibration
from calibration.frame import Frame, Pixel, Rect
from calibration.looks import look_named
from calibration.places import place_sampler, with_patches
from calibration.scene import Scene

FIELDS, LEAST = 2, 0.02
"""Even fields that are looked at so, the largest, and the share of a picture that they have at least."""

FAINT, ALL, SOME = 12, 0.95, 0.1
"""How far off its colour, of 255, all of a field is but a little, and the share that is 2 and more off: a pattern."""

RAISED = 8
"""How many times a field's contrast is raised: on real pages holes were 3 and 6 of 255 darker than the board."""

ABOUT = 0.1
"""How much of what is round a field is looked at with it, in its own size: a frame tells where a board ends."""


def raised(scene: Scene) -> Iterator[tuple[Frame, Pixel]]:
    """The parts of a picture about its largest even fields, these with their contrast raised; where each begins."""
    pixels = scene.pixels
    shares = scene.fields[:, 2:].prod(axis=1) / (scene.width * scene.height)
    likely = [at for at in np.argsort(-shares) if LEAST <= shares[at] < 1 - LEAST]
    for x, y, wide, high in np.maximum(0, scene.fields[likely[:FIELDS]]).astype(int).tolist():
        left, top = max(0, int(x - ABOUT * wide)), max(0, int(y - ABOUT * high))
        part = pixels[top : int(y + (1 + ABOUT) * high), left : int(x + (1 + ABOUT) * wide)].copy()
        field = part[y - top : y - top + high, x - left : x - left + wide]
        usual = np.median(field[::3, ::3].reshape(-1, 3), axis=0)
        off = np.abs(field[::3, ::3] - usual).max(axis=2)
        if (off <= FAINT).mean() < ALL or (off >= 2).mean() < SOME:
            continue
        field[:] = np.clip(usual + RAISED * (field - usual), 0, 255).astype(np.uint8)
        yield Frame(part, Rect(0, 0, part.shape[1], part.shape[0])), Pixel(left, top)


def as_it_is(calibration: Calibration, part: Frame, corner: Pixel, frame: Frame) -> Calibration | None:
    """The calibration of what was found in a raised `part` of `frame` that begins at `corner`, with its true faces.

    None where its look knows the kinds by their colours alone.
    """
    if not calibration.patches:
        return None
    grid = look_named(calibration.look).reader(calibration, Pixel(0, 0)).read(part).grid
    whole = replace(calibration.moved(corner), size=(frame.width, frame.height))
    cells = place_sampler(whole.lattice).take(frame.pixels)
    kinds = [cells[grid == kind] for kind in range(len(calibration.patches))]
    return with_patches(whole, np.stack([np.median(kind, axis=0) for kind in kinds])) if all(map(len, kinds)) else None
