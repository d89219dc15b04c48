"""Find the board in a picture: every look proposes candidates, the most certain one wins or is not enough."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from calibration.assist import Corners, Size, check_pointed, pointed
from calibration.board import Calibration
from calibration.dropped import dropped, leads, verdict
from calibration.frame import Frame, Pixel, Pixels
from calibration.look import Candidate, Look
from calibration.looks import look_named, looks_of
from calibration.refind import find_again
from calibration.sight import Sight
from calibration.verify import doubt, weighed
from games.core import BoardsightError, Cell, SettingsError

ENOUGH = 0.5
"""The confidence from which a candidate counts as a board."""

SURE = 0.9
"""The confidence from which no further candidates are looked for."""

SMALLEST = 8
"""Pixels a picture must have across and down: no look finds cells of less than 6 pixels, and a board has two."""


class BoardNotFoundError(BoardsightError):
    """No board was found; `picture` (uint8[height, width, 3], RGB) shows what was considered and why it was dropped."""

    def __init__(self, message: str, picture: Pixels) -> None:
        super().__init__(message)
        self.picture = picture


def locate(
    frame: Frame,
    game: str | None = None,
    *,
    near: Calibration | None = None,
    corners: Corners | None = None,
    size: Size | None = None,
) -> Calibration:
    """The calibration of the board in `frame`; raises BoardNotFoundError.

    game: the board to look for; None: any game's.
    near: the board as it was before. If it is seen unchanged in size and colours, at its old place or anywhere else,
        its calibration is moved there, which is many times quicker than a search; a won board is found so, too.
    corners: a place in the top left and one in the bottom right cell, given by a person: the board between them is
        taken, however little speaks for it.  size: its rows and columns, where the person gave them, too.
    """
    looks = looks_of(game)
    if not looks:
        raise SettingsError(f"no look of {game!r} is known, so that its board cannot be found on a screen")
    if min(frame.width, frame.height) < SMALLEST:
        raise BoardNotFoundError(
            f"the picture has {frame.width}x{frame.height} pixels, too few for a board: save the whole screen",
            frame.pixels,
        )
    again = None if near is None else find_again(frame, near)
    if again is not None:
        return again
    sight = Sight(frame)
    if corners is not None:
        return _finished(sight, _pointed(sight, looks, game, corners, size))
    best, candidates = _searched(sight, looks, game)
    if best is None:
        candidates = [_doubted(candidate, frame, game) for candidate in candidates]
        raise _not_found(sight, game, candidates)
    return _finished(sight, best)


def find_controls(frame: Frame, calibration: Calibration) -> dict[str, Pixel]:
    """The controls that `frame` shows now beside the board of `calibration`, named by its kinds and no others."""
    seen = look_named(calibration.look).finish(Sight(frame), calibration)
    strangers = {f"colour:{kind}" for kind in range(len(calibration.palette), len(seen.palette))}
    return {name: at for name, at in seen.controls.items() if name not in strangers}


def _searched(
    sight: Sight, looks: Sequence[Look], game: str | None, between: tuple[Corners, Size | None] | None = None
) -> tuple[Candidate | None, list[Candidate]]:
    """The candidate to take for the board, None where there is too little to speak for any; and all candidates.

    between: the corners, and the size, that it must have.
    """
    candidates: list[Candidate] = []
    best: Candidate | None = None
    for enough, fresh in _rounds(sight, looks, game):
        candidates += fresh if between is None else [candidate for candidate in fresh if _between(candidate, *between)]
        best = _likeliest(candidates, sight.frame, game)
        if best is not None and best.confidence >= enough:
            break
    return best, candidates


def _rounds(sight: Sight, looks: Sequence[Look], game: str | None) -> Iterator[tuple[float, list[Candidate]]]:
    """What is seen at a glance, what is dearer to find, what half the step in colour shows; each with what ends it."""
    yield SURE, [candidate for look in looks for candidate in look.candidates(sight, game)]
    yield ENOUGH, [candidate for look in looks for candidate in look.further(sight, game)]
    ways = [way for look in looks for way in (look.candidates, look.further)]
    yield ENOUGH, [candidate for way in ways for candidate in way(sight.finer, game)]


def _likeliest(candidates: list[Candidate], frame: Frame, game: str | None) -> Candidate | None:
    """The likeliest candidate that is likely enough and not doubted."""
    likely = [candidate for candidate in candidates if candidate.confidence >= ENOUGH]
    sound = [candidate for candidate in likely if not doubt(candidate, frame, named=game is not None)]
    return next(iter(weighed(sound)), None)


def _doubted(candidate: Candidate, frame: Frame, game: str | None) -> Candidate:
    """A candidate with why it was not taken, if it was likely enough."""
    if candidate.confidence < ENOUGH:
        return candidate
    why = doubt(candidate, frame, named=game is not None) or "it is a part of another one"
    return replace(candidate, said=f"{candidate.said}; {why}")


def _finished(sight: Sight, candidate: Candidate) -> Calibration:
    """The calibration of a candidate, with its buttons and all else that is only worth looking for now."""
    assert candidate.calibration is not None
    return look_named(candidate.calibration.look).finish(sight, candidate.calibration)


def _pointed(sight: Sight, looks: Sequence[Look], game: str | None, corners: Corners, size: Size | None) -> Candidate:
    """The board between two corner cells: as it is found where nothing else is in view, or else by force."""
    check_pointed(corners, size)
    best, seen = _searched(Sight(_veiled(sight.frame, corners)), looks, game, (corners, size))
    if best is None:
        best = next(iter(pointed(sight, looks, game, corners, size)), None)
    if best is None:
        (left, top), (right, bottom) = corners
        raise BoardNotFoundError(
            f"between ({left:.0f}, {top:.0f}) and ({right:.0f}, {bottom:.0f}) there are too many different things for "
            f"a board of {game or 'any game'}. Point at the middles of its top left and its bottom right cell",
            dropped(sight.pixels, seen, ENOUGH),
        )
    return best


def _between(candidate: Candidate, corners: Corners, size: Size | None) -> bool:
    """Whether the corner cells of a candidate are the ones a person pointed at."""
    if candidate.calibration is None:
        return False
    lattice = candidate.calibration.lattice
    first, last = (lattice.cell(corner) for corner in corners)
    fits = size in (None, (lattice.rows, lattice.cols))
    return fits and first == Cell(0, 0) and last == Cell(lattice.rows - 1, lattice.cols - 1)


def _veiled(frame: Frame, corners: Corners) -> Frame:
    """`frame` with all covered that is certainly no board: what lies half the board's size and more beside it."""
    (left, top), (right, bottom) = corners
    across, down = (right - left) / 2, (bottom - top) / 2
    pixels = np.zeros_like(frame.pixels)
    part = np.s_[max(0, int(top - down)) : int(bottom + down), max(0, int(left - across)) : int(right + across)]
    pixels[part] = frame.pixels[part]
    return Frame(pixels, frame.region, frame.taken)


def _not_found(sight: Sight, game: str | None, candidates: list[Candidate]) -> BoardNotFoundError:
    """What was looked for, what came nearest and why it was dropped, and what to do."""
    places = [*candidates, *leads(sight, candidates)]
    nearest = "nothing in it repeats as the cells of a board do"
    if places:
        best = max(places, key=lambda candidate: candidate.confidence)
        x, y, width, height = best.box
        nearest = f"nearest was {width:.0f}x{height:.0f} pixels at ({x:.0f}, {y:.0f}), {verdict(best, ENOUGH)}"
    return BoardNotFoundError(
        f"no {game or 'game'} board in the {sight.width}x{sight.height} picture; {nearest}. "
        "Bring the whole board into view, or point at its corner cells: boardsight calibrate --assist",
        dropped(sight.pixels, places, ENOUGH),
    )
