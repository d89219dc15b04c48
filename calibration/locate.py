"""Find the board in a picture: every look proposes proposals, the most certain one wins or is not enough."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import ceil, sqrt

import cv2
import numpy as np

from calibration.assist import Corners, Size, check_pointed, pointed
from calibration.board import Calibration
from calibration.dialog import REMEDY, has_dialog
from calibration.dropped import dropped, leads, verdict
from calibration.faint import as_it_is, raised
from calibration.frame import Frame, Pixel, Pixels, Rect
from calibration.look import ELSEWHERE, HOPED, KIND, Look, Proposal
from calibration.looks import look_named, looks_of
from calibration.refind import find_again
from calibration.scene import Scene
from calibration.verify import begins, claimed, finished, furnished, same_reading, told_apart, weighed
from games.core import BoardsightError, Cell, SettingsError

ENOUGH = 0.5
"""The confidence from which a proposal counts as a board."""

HARDLY = 0.03
"""The confidence from which one does beside which the controls of its game lie."""

STARTED = 0.8
"""The confidence, were a game named, from which one does on which pieces lie as its game begins."""

SURE = 0.95
"""The confidence from which no further proposals are looked for."""

SMALLEST = 8
"""Pixels a picture must have across and down: no look finds cells of less than 6 pixels, and a board has two."""


EDGE = 24
"""Pixels from a picture's lower edge within which what may be a board goes on below, where its cells are not known."""

AT_ONCE = 4_096 * 4_096
"""Pixels that are looked at in full; of larger pictures first a copy of a whole part of their size.

Screens of 5120x2880 are looked at in full. What is computed of a picture takes 14 bytes a pixel and more.
"""


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
    hoped: bool = False,
) -> Calibration:
    """The calibration of the board in `frame`.

    Raises BoardNotFoundError where none is likely enough, SettingsError where no look of `game` is known or no board
    can lie between `corners`.

    game: the board to look for; None: any game's.
    near: the board as it was before. If it is seen unchanged in size and colours, at its old place or anywhere else,
        its calibration is moved there, which is many times quicker than a search; a won board is found so, too.
    corners: a place in the top left and one in the bottom right cell, given by a person: the board between them is
        taken, however little speaks for it.  size: its rows and columns, where the person gave them, too.
    hoped: whether there is to be a board, so that a small one is taken, too, for which too little speaks elsewhere.
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
    if corners is None and frame.width * frame.height > AT_ONCE:
        return _located_in_part(frame, game)
    scene = Scene(frame)
    if corners is not None:
        return finished(_pointed(scene, looks, game, corners, size), scene)
    best, proposals = _searched(scene, looks, game)
    best = best or _faint(scene, looks, game)
    if best is None and (game is not None or hoped):  # small cells, if each has a colour: else lines would do
        best, _ = _searched(Scene(frame, closer=True), [look for look in looks if look.filled], game)
    if best is None and hoped and not has_dialog(frame.pixels):
        hopes = (each for each in proposals if each.features.get(HOPED) and each.features[KIND] > ENOUGH)
        sound = (proposal for proposal, why in (claimed(each, frame, game, pointed=True) for each in hopes) if not why)
        best = max(sound, key=lambda each: each.confidence, default=None)
    best = best or _furnished(proposals, scene, game) or (None if game else _begun(scene, looks))
    if best is None:
        proposals = [_refuted(proposal, frame, game) for proposal in proposals]
        raise _not_found(scene, game, proposals)
    return finished(best, scene)


def _furnished(proposals: Sequence[Proposal], scene: Scene, game: str | None) -> Proposal | None:
    """The likeliest of those that are hardly likely by themselves beside which the controls of their game lie."""
    likely = (each for each in proposals if each.calibration is not None and each.confidence >= HARDLY)
    hopes = (each for each in likely if not each.features.get(ELSEWHERE))  # else its buttons may be cells
    for proposal in sorted(hopes, key=lambda each: -each.confidence):
        board, why = claimed(proposal, scene.frame, game)
        if not why and furnished(board, scene):
            return board
    return None


def _begun(scene: Scene, looks: Sequence[Look]) -> Proposal | None:
    """The likeliest of those of any look, however unlike it to the network, on which pieces lie as a game begins."""
    named = (proposal for look in looks for proposal in look.proposals(scene, look.games[0]))
    likely = (each for each in named if each.confidence >= STARTED)
    sound = (board for board, why in (claimed(each, scene.frame, None) for each in likely) if not why)
    return max((each for each in sound if begins(each, scene.frame)), key=lambda each: each.confidence, default=None)


def _located_in_part(frame: Frame, game: str | None) -> Calibration:
    """The board of a picture larger than AT_ONCE: found in a smaller copy, and then in full in the part round it.

    Where that part is larger than AT_ONCE itself, the board is taken as the copy shows it: its cells are large.
    Raises BoardNotFoundError.
    """
    by = ceil(sqrt(frame.width * frame.height / AT_ONCE))
    width, height = frame.width // by, frame.height // by
    copy = cv2.resize(frame.pixels[: height * by, : width * by], (width, height), interpolation=cv2.INTER_AREA)
    try:
        seen = locate(Frame(copy.astype(np.uint8, copy=False), frame.region), game)
    except BoardNotFoundError as missing:
        raise BoardNotFoundError(
            f"{missing}. The picture has {frame.width}x{frame.height} pixels: only a copy of 1/{by} its size was "
            f"looked at, in which cells of less than {6 * by} pixels are lost. Save only the part with the board",
            missing.picture,
        ) from None
    found = seen.enlarged(by, (frame.width, frame.height))
    left, top, right, bottom = _surroundings(frame, found)
    if (right - left) * (bottom - top) > AT_ONCE:
        return found
    part = frame.pixels[top:bottom, left:right]
    try:
        exact = locate(Frame(part, Rect(left, top, right - left, bottom - top)), game)
    except BoardNotFoundError:
        return found
    return replace(exact.moved(Pixel(left, top)), size=found.size)


def _surroundings(frame: Frame, calibration: Calibration) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of the pixels with a board, as much again on each side, and all its controls."""
    x, y, width, height = calibration.lattice.box
    across, down = (2 * side for side in calibration.lattice.pitch)
    xs = [
        x - width,
        x + 2 * width,
        *(at.x + side for at in calibration.controls.values() for side in (-across, across)),
    ]
    ys = [y - height, y + 2 * height, *(at.y + side for at in calibration.controls.values() for side in (-down, down))]
    return max(0, int(min(xs))), max(0, int(min(ys))), min(frame.width, ceil(max(xs))), min(frame.height, ceil(max(ys)))


def find_controls(frame: Frame, calibration: Calibration) -> dict[str, Pixel]:
    """The controls that `frame` shows now beside the board of `calibration`, named by its kinds and no others."""
    seen = look_named(calibration.look).finish(Scene(frame), calibration)
    strangers = {f"colour:{kind}" for kind in range(len(calibration.palette), len(seen.palette))}
    return {name: at for name, at in seen.controls.items() if name not in strangers}


def other_controls(frame: Frame, calibration: Calibration) -> Mapping[str, Pixel]:
    """The same controls elsewhere in `frame`, where another player has as many; none where there are none."""
    return look_named(calibration.look).other_controls(Scene(frame), calibration)


def _searched(
    scene: Scene, looks: Sequence[Look], game: str | None, between: tuple[Corners, Size | None] | None = None
) -> tuple[Proposal | None, list[Proposal]]:
    """The proposal to take for the board, None where there is too little to speak for any; and all proposals.

    The look comes first that the network thinks likeliest; a certain board of it ends the search.
    between: the corners, and the size, that it must have.
    """
    proposals: list[Proposal] = []
    best: Proposal | None = None
    first = [look for look in looks if look.name == scene.kind]
    for some in (first, [look for look in looks if look not in first]):
        fresh = [proposal for look in some for proposal in look.proposals(scene, game)]
        proposals += fresh if between is None else [proposal for proposal in fresh if _between(proposal, *between)]
        best = _likeliest(proposals, scene, game)
        if best is not None and best.confidence >= SURE:
            break
    return best, proposals


def _likeliest(proposals: list[Proposal], scene: Scene, game: str | None) -> Proposal | None:
    """The likeliest proposal that is likely enough and not doubted."""
    sound: list[Proposal] = []
    for proposal in sorted(proposals, key=lambda each: -each.confidence):
        if proposal.confidence < ENOUGH:
            break
        if not any(same_reading(proposal, other) for other in sound):
            board, why = claimed(proposal, scene.frame, game)
            sound += [] if why else [board]
    return told_apart(weighed(sound), scene)


def _faint(scene: Scene, looks: Sequence[Look], game: str | None) -> Proposal | None:
    """A board that shows at a glance once the contrast of the field it lies on is raised."""
    for part, corner in raised(scene):
        shown = Scene(part)
        best = _likeliest([each for look in looks for each in look.proposals(shown, game)], shown, game)
        if best is not None and best.calibration is not None:
            calibration = as_it_is(best.calibration, part, corner, scene.frame)
            if calibration is not None:
                return replace(best, box=calibration.lattice.box, calibration=calibration)
    return None


def _refuted(proposal: Proposal, frame: Frame, game: str | None) -> Proposal:
    """A proposal with why it was not taken, if it was likely enough."""
    if proposal.confidence < ENOUGH:
        return proposal
    why = claimed(proposal, frame, game)[1] or "it is a part of another one"
    return replace(proposal, explanation=f"{proposal.explanation}; {why}")


def _pointed(scene: Scene, looks: Sequence[Look], game: str | None, corners: Corners, size: Size | None) -> Proposal:
    """The board between two corner cells: as it is found where nothing else is in view, or else by force."""
    check_pointed(corners, size)
    best, seen = _searched(Scene(_veiled(scene.frame, corners)), looks, game, (corners, size))
    if best is not None:
        return best
    doubts = []
    for each in pointed(scene, looks, game, corners, size):
        best, why = claimed(each, scene.frame, game, pointed=True)
        if not why:
            return best
        doubts.append(f"what lies there is no board of {game or 'any game'}: {why}")
    (left, top), (right, bottom) = corners
    strange = f"there are too many different things for a board of {game or 'any game'}"
    raise BoardNotFoundError(
        f"between ({left:.0f}, {top:.0f}) and ({right:.0f}, {bottom:.0f}): {(doubts or [strange])[0]}. "
        "Point at the middles of its top left and its bottom right cell",
        dropped(scene, seen, ENOUGH),
    )


def _between(proposal: Proposal, corners: Corners, size: Size | None) -> bool:
    """Whether the corner cells of a proposal are the ones a person pointed at."""
    if proposal.calibration is None:
        return False
    lattice = proposal.calibration.lattice
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


def _not_found(scene: Scene, game: str | None, proposals: list[Proposal]) -> BoardNotFoundError:
    """What was looked for, what came nearest and why it was dropped, and what to do."""
    places = [*proposals, *leads(scene, proposals)]
    nearest, remedy = "nothing in it repeats as the cells of a board do", "Bring the whole board into view"
    if places:
        best = max(places, key=lambda proposal: proposal.confidence)
        x, y, width, height = best.box
        nearest = f"nearest was {width:.0f}x{height:.0f} pixels at ({x:.0f}, {y:.0f}), {verdict(best, ENOUGH)}"
        cell = EDGE if best.calibration is None else best.calibration.lattice.pitch[1]
        if y + height > scene.height - cell:
            remedy = "The board goes on below the edge, it seems: scroll, or make the window larger"
    if has_dialog(scene.pixels):
        remedy = REMEDY.capitalize()
    return BoardNotFoundError(
        f"no {game or 'game'} board in the {scene.width}x{scene.height} picture; {nearest}. "
        f"{remedy}, or point at its corner cells: boardsight calibrate --assist",
        dropped(scene, places, ENOUGH),
    )
