"""Pieces that wait beside a board: equal small squares that lie together as polyominoes do, or their silhouettes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import dist
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Calibration
from calibration.frame import Pixel
from calibration.scene import Scene
from games.polyominoes import PIECE_OF, PIECES

LARGEST = 5
"""Squares of the largest piece."""

FEWEST = 8
"""Pieces that make a tray; fewer equal squares beside a board are a legend or a score."""

LARGE = 1.5
"""How large a square of a tray that is known may be, in pitches of the board: one that fills the place of a piece."""

LEFT = 1
"""The same of a tray that is known: the last piece that is left in it."""

TOUCHING = 1.35
"""How far from one middle to the next squares of one piece are, in their own sizes: gaps are lines."""

OUTSIDE = 0.75
"""How far from the middle of a square, in its own sizes, what it lies on shows at its corner."""

SAME = 0.2
"""How far off its place a square may lie, in squares."""

SAME_COLOUR = 40.0
"""RGB distance within which two squares are of one colour; shading of a piece stays under it."""

Cells = tuple[tuple[int, int], ...]
"""The squares of a piece as (row, col), in order, from its top left corner."""


Piece = tuple[Cells, Pixel, NDArray[np.float64]]
"""A piece that waits: its form, the middle of one of its squares, its colour."""

COARSE, COLOURS, THIN = 16, 12, 6
"""Steps of a channel within which shades are of one colour, how many are tried, and the pixels of a square."""

GROUNDS = 3
"""Of the commonest colours beside a board so many may be what pieces lie on: the page's, a panel's, a frame's."""

FULL = 0.7
"""The part of a full set of pieces that must wait beside a bare field for it to be taken for a fresh board."""


def tray_pieces(scene: Scene, calibration: Calibration) -> Mapping[tuple[int, Cells], Pixel]:
    """The middle of a square of each piece that lies beside the board, by tray and by the form in which it lies.

    Trays are numbered from 1 by their colour, the one further left or above first.  Of one that is known few pieces may
    be left.
    """
    pieces = [piece for group in scene.groups for piece in _pieces(scene, group, calibration)]
    return _by_tray(pieces, calibration, FEWEST if len(pieces) >= FEWEST or not _has_tray(calibration) else LEFT)


def silhouettes(scene: Scene, calibration: Calibration) -> Mapping[tuple[int, Cells], Pixel]:
    """As `tray_pieces`, of pieces that show no squares, or small ones: what is nearer to one colour than to the page's.

    That has the form of a polyomino, or of the squares of one.
    """
    colours, pieces = _colours_beside(scene, calibration), list[Piece]()
    for colour in colours[1:]:  # none is beside a board that fills the picture
        half = np.abs(colour - colours[0]).max() / 2
        pieces += _shown(scene, cv2.inRange(scene.pixels, np.ceil(colour - half), np.floor(colour + half)), calibration)
    return _by_tray(pieces, calibration)


def glossy_pieces(scene: Scene, calibration: Calibration) -> Mapping[tuple[int, Cells], Pixel]:
    """As `tray_pieces`, of squares that are shaded so much that they have no one colour: what a plain ground is not.

    Or of several sizes, where pieces are as large as their places; or of such that touch, by the pieces' outlines, near
    a tray that is known.
    """
    known, most = _has_tray(calibration), list[Piece]()
    for ground in _colours_beside(scene, calibration)[:GROUNDS]:
        plain = cv2.inRange(scene.pixels, np.ceil(ground - SAME_COLOUR), np.floor(ground + SAME_COLOUR))
        pieces = _shown(scene, cv2.bitwise_not(plain), calibration)
        most = max(most, [piece for piece in pieces if _in_tray(piece[1], calibration)], key=_forms)
    return _by_tray(most, calibration, LEFT if known else FEWEST) if known or _forms(most) >= FULL * len(PIECES) else {}


def _shown(scene: Scene, mask: NDArray[Any], calibration: Calibration) -> list[Piece]:
    """The pieces whose squares `mask` shows, of one size or another; or what it outlines, where these have one form."""
    found = cv2.connectedComponentsWithStats(mask, connectivity=4)[2][1:].astype(np.float64)
    sides = found[:, 2:4]
    fits = (sides.min(axis=1) >= THIN) & (np.ptp(sides, axis=1) <= 1) & (found[:, 4] >= 0.9 * sides.prod(axis=1))
    squares = found[fits]
    squares = squares[np.argsort(squares[:, 2], kind="stable")]
    sizes = filter(len, np.split(squares, 1 + np.flatnonzero(np.diff(squares[:, 2]) > 1)))
    pieces = [piece for alike in sizes for piece in _pieces(scene, alike[:, :4], calibration)]
    if _forms(pieces) < 2:  # letters, or a score's
        pieces = max(pieces, _outlined(scene, mask, calibration), key=_forms)
    return pieces


def _forms(pieces: Sequence[Piece]) -> int:
    """How many different forms some pieces have."""
    return len({form for form, *_ in pieces})


def _has_tray(calibration: Calibration) -> bool:
    """Whether pieces are known to wait beside the board."""
    return any(name.startswith("piece:") for name in calibration.controls)


def _in_tray(at: Pixel, calibration: Calibration) -> bool:
    """Whether a place may be one of a tray: no farther from what is known of one than half as far as that goes."""
    known = np.array([place for name, place in calibration.controls.items() if name.startswith("piece:")])
    if len(known) < 2:
        return True
    low, high = known.min(axis=0), known.max(axis=0)
    return bool((np.maximum(low - at, at - high) <= (high - low).max() / 2).all())


def _colours_beside(scene: Scene, calibration: Calibration) -> list[NDArray[np.float64]]:
    """float64[3] each: the commonest colours beside the board, each a step from the others, the page's own first."""
    x, y, width, height = (round(side) for side in calibration.lattice.box)
    beside = np.ones(scene.pixels.shape[:2], dtype=bool)
    beside[max(0, y) : y + height, max(0, x) : x + width] = False
    packed = scene.pixels[beside].astype(np.int32) @ (1 << 16, 1 << 8, 1)
    every, counts = np.unique(packed, return_counts=True)
    often = every[np.argsort(-counts)]
    left = np.stack([often >> 16, often >> 8 & 255, often & 255], axis=1).astype(np.float64)
    found: list[NDArray[np.float64]] = []
    while len(left) and len(found) <= COLOURS:
        found.append(left[0])
        left = left[np.abs(left - left[0]).max(axis=1) > COARSE]  # a page may be shaded
    return found


def _outlined(scene: Scene, mask: NDArray[Any], calibration: Calibration) -> list[Piece]:
    """The pieces that `mask` shows, where there are many; the thinnest are a square thick, but words may be thinner."""
    x, y, wide, high = (round(side) for side in calibration.lattice.box)
    mask[max(0, y) : y + high, max(0, x) : x + wide] = 0  # the board's own cells look like squares, too
    _, found, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=4)
    labels = found.astype(np.int32)
    sides = stats[:, [cv2.CC_STAT_HEIGHT, cv2.CC_STAT_WIDTH]].astype(np.float64)
    areas = stats[:, cv2.CC_STAT_AREA]
    fits = (sides.min(axis=1) >= THIN) & (sides.max(axis=1) <= LARGEST * max(calibration.lattice.pitch))
    fits[0] = False
    best: list[Piece] = []
    for thick in np.unique(sides[fits].min(axis=1)):
        longer = sides[fits & (sides.min(axis=1) >= thick)].max(axis=1)
        size = float(np.median(longer / np.rint(longer / thick)))
        even = fits & (_off(sides, size) <= SAME).all(axis=1) & (areas <= LARGEST * (1 + SAME) * size**2)
        if even.sum() > len(best):
            outlines = (_outline(scene, stats[at].tolist(), labels, int(at), size) for at in np.flatnonzero(even))
            best = max(best, [piece for piece in outlines if piece is not None], key=len)
    return best if len(best) >= FEWEST / 2 else []


def _off(sides: NDArray[np.float64], size: float) -> NDArray[np.float64]:
    """How far off a whole number of squares lengths are, in squares."""
    squares = sides / size
    return np.abs(squares - np.maximum(1, np.rint(squares)))


def _outline(scene: Scene, box: list[int], labels: NDArray[np.int32], label: int, size: float) -> Piece | None:
    """The piece that fills its part of `box` (left, top, width, height, area); None where it is none."""
    left, top, width, height, area = box
    ys, xs = (np.arange(max(1, round(side / size))) * size + size / 2 for side in (height, width))
    part = labels[top : top + height, left : left + width] == label
    form = np.argwhere(part[np.ix_(np.minimum(ys, height - 1).astype(int), np.minimum(xs, width - 1).astype(int))])
    if not 0 < len(form) <= LARGEST or abs(area / size**2 - len(form)) > SAME * len(form):
        return None
    colour = np.median(scene.pixels[top : top + height, left : left + width][part], axis=0).astype(np.float64)
    row, col = min(form.tolist(), key=lambda cell: dist(cell, form.mean(axis=0)))
    return tuple((int(down), int(right)) for down, right in form), Pixel(left + xs[col], top + ys[row]), colour


def _pieces(scene: Scene, boxes: NDArray[np.float64], calibration: Calibration) -> Iterator[Piece]:
    """Each polyomino of equal squares, float64[n, 4]: its form, the middle of one of its squares, its colour."""
    left, top, width, height = calibration.lattice.box
    centres = boxes[:, :2] + boxes[:, 2:] / 2
    beside = (centres[:, 0] < left) | (centres[:, 0] > left + width)
    beside |= (centres[:, 1] < top) | (centres[:, 1] > top + height)
    centres = centres[beside]
    across, down = map(float, np.median(boxes[:, 2:], axis=0))
    fewest, most = (LEFT, LARGE) if _has_tray(calibration) else (FEWEST, 1.0)
    if len(centres) < fewest or not 0.8 <= across / down <= 1.25 or across > most * calibration.lattice.pitch[0]:
        return
    columns, rows = centres.astype(int).T
    colours = scene.pixels[rows, columns].astype(np.float64)
    for members in _together(centres, colours, TOUCHING * max(across, down)):
        form = _form(centres[members], max(across, down))
        left, top = np.maximum(centres[members].min(axis=0) - OUTSIDE * max(across, down), 0).astype(int)
        away = np.abs(colours[members].mean(axis=0) - scene.pixels[top, left]).max()
        if form is not None and away > SAME_COLOUR:  # else it is a place without a square, or what is used up
            nearest = min(members, key=lambda at: dist(centres[at], centres[members].mean(axis=0)))
            yield form, Pixel(*map(float, centres[nearest])), colours[members].mean(axis=0)


def _together(centres: NDArray[np.float64], colours: NDArray[np.float64], reach: float) -> Iterator[list[int]]:
    """The squares that touch each other by their edges and have one colour, piece by piece."""
    waiting, order = set(range(len(centres))), np.argsort(centres[:, 0], kind="stable")
    ends = np.searchsorted(centres[order, 0], np.stack([centres[:, 0] - reach, centres[:, 0] + reach]), side="left")
    while waiting:
        piece = [waiting.pop()]
        for member in piece:
            close = order[ends[0, member] : ends[1, member]]
            near = np.abs(centres[close] - centres[member]).sum(axis=1) <= reach
            near &= np.abs(colours[close] - colours[member]).max(axis=1) <= SAME_COLOUR
            more = waiting.intersection(close[near].tolist())
            waiting -= more
            piece += sorted(more)
        yield piece


def _form(centres: NDArray[np.float64], size: float) -> Cells | None:
    """The squares' rows and columns; None where they are too many or lie on no grid."""
    if len(centres) > LARGEST:
        return None
    steps = np.diff(np.sort(centres, axis=0), axis=0)
    pitch = min(steps[steps > size / 2], default=size)
    places = (centres - centres.min(axis=0)) / pitch
    if np.abs(places - np.rint(places)).max() > SAME:
        return None
    return tuple(sorted((int(row), int(col)) for col, row in np.rint(places)))


def _by_tray(pieces: list[Piece], calibration: Calibration, fewest: int = FEWEST) -> dict[tuple[int, Cells], Pixel]:
    """The pieces by their tray's number, unless they are too few; of two alike the one nearer to another one.

    Or to where it was, if that is known: a score has its square, too.
    """
    if len(pieces) < fewest:
        return {}
    trays: list[tuple[NDArray[np.float64], list[tuple[Cells, Pixel]]]] = []
    for form, at, colour in pieces:
        tray = next((tray for tray in trays if np.abs(tray[0] - colour).max() <= SAME_COLOUR), None)
        if tray is None:
            trays.append(tray := (colour, []))
        tray[1].append((form, at))
    forms = [len({form for form, _ in alike}) for _, alike in trays]
    least = max(fewest / 2, min(2, max(forms)))  # a score's square is no tray beside another one
    trays = [tray for tray, count in zip(trays, forms, strict=True) if count >= least]
    ordered = sorted((alike for _, alike in trays), key=lambda alike: np.median([at for _, at in alike], axis=0).sum())
    found: dict[tuple[int, Cells], Pixel] = {}
    for number, alike in enumerate(ordered, 1):
        places = {
            form: calibration.controls.get(f"piece:{number},{PIECES[PIECE_OF[form]].name}")
            for form, _ in alike
            if form in PIECE_OF
        }
        away = [
            (min((dist(at, each) for each in _others(form, places.get(form), alike)), default=0.0), form, at)
            for form, at in alike
        ]
        for _, form, at in sorted(away):
            found.setdefault((number, form), at)
    return found


def _others(form: Cells, known: Pixel | None, alike: Sequence[tuple[Cells, Pixel]]) -> list[Pixel]:
    """Where a piece of a form was, if that is known; else where those of other forms are."""
    return [at for other, at in alike if other != form] if known is None else [known]
