"""A piece in hand is told from rings, handles and pieces that lie there, also between cells."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from bot.carry import find_ghost, open_places, strongest
from calibration.faces import ZONES
from games.blokus.pieces import PIECES
from games.core import Cell

SIDE = 14
EMPTY, PURPLE, GREY = (174, 167, 172), (161, 44, 207), (136, 133, 135)


def board() -> NDArray[np.float32]:
    return np.full((SIDE * ZONES, SIDE * ZONES, 3), EMPTY, dtype=np.float32)


def laid(zones: NDArray[np.float32], form: tuple[tuple[int, int], ...], top: float, left: float) -> NDArray[np.float32]:
    """The zones with a piece drawn over them, its top left corner at cells (top, left)."""
    shown = zones.copy()
    for row, col in form:
        y, x = round((row + top) * ZONES), round((col + left) * ZONES)
        shown[y : y + ZONES, x : x + ZONES] = PURPLE
    return shown


def ringed(zones: NDArray[np.float32], row: float, col: float) -> NDArray[np.float32]:
    """The zones with a grey ring of the width of a cell round a place."""
    away = np.hypot(*(np.indices(zones.shape[:2]) / ZONES - np.array([row, col])[:, None, None]))
    shown = zones.copy()
    shown[(away > 2.6) & (away < 3.6)] = GREY
    return shown


@pytest.mark.parametrize("form", [form for piece in PIECES for form in piece.forms[:2]])
@pytest.mark.parametrize("corner", [(4.0, 5.0), (4.5, 5.0), (4 + 1 / 3, 5 + 2 / 3)])
def test_every_piece_is_seen_on_cells_and_between_them(
    form: tuple[tuple[int, int], ...], corner: tuple[float, float]
) -> None:
    ghost = find_ghost(board(), laid(board(), form, *corner), len(form))
    assert ghost is not None
    assert ghost.form == form
    assert (ghost.top, ghost.left) == pytest.approx(corner, abs=0.1)


@pytest.mark.parametrize("form", [form for piece in PIECES if piece.size == 5 for form in piece.forms])
def test_a_piece_inside_a_ring_is_told_from_the_ring(form: tuple[tuple[int, int], ...]) -> None:
    shown = laid(ringed(board(), 7, 7), form, 5.5, 5.5)
    colour = strongest(board(), shown)
    assert colour is not None
    assert tuple(colour) == PURPLE
    ghost = find_ghost(board(), shown, 5, colour=colour)
    assert ghost is not None
    assert ghost.form == form


@pytest.mark.parametrize(
    "form", [form for piece in PIECES if piece.size == 5 for form in piece.forms[:2] if form[-1][0] in (1, 2)]
)
@pytest.mark.parametrize(("top", "left"), [(-0.5, 4.0), (5.0, -0.5), (SIDE - 2.5, 4.5)])
def test_a_piece_cut_off_by_the_edge_of_the_board_keeps_its_form(
    form: tuple[tuple[int, int], ...], top: float, left: float
) -> None:
    height = 1 + max(row for row, _ in form)
    if top > 6 and height != 3:
        top = SIDE - height + 0.5
    whole = np.pad(board(), ((ZONES, ZONES), (ZONES, ZONES), (0, 0)), mode="edge")
    shown = laid(whole, form, top + 1, left + 1)[ZONES:-ZONES, ZONES:-ZONES]
    ghost = find_ghost(board(), shown, len(form), colour=np.array(PURPLE, dtype=np.float32))
    assert ghost is not None
    assert ghost.form == form
    assert (ghost.top, ghost.left) == pytest.approx((top, left), abs=0.1)


def test_a_board_without_a_piece_in_hand_shows_none() -> None:
    assert find_ghost(board(), board(), 5) is None
    assert strongest(board(), board()) is None


def test_a_piece_over_pieces_of_another_colour_is_seen_whole() -> None:
    form = ((0, 0), (0, 1), (1, 1), (1, 2))
    before = laid(board(), ((0, 0), (1, 0), (2, 0)), 4, 6)  # one column of another piece
    now, covered = before.copy(), (laid(board(), form, 4, 5) != board()).any(axis=2)
    now[covered] += (np.array(GREY, dtype=np.float32) - now[covered]) * 0.5
    ghost = find_ghost(before, now, 4)
    assert ghost is not None
    assert ghost.form == form


def test_a_piece_in_hand_is_held_where_most_is_bare() -> None:
    bare = np.ones((SIDE, SIDE), dtype=bool)
    bare[:9] = False
    first, *_, last = open_places(bare, Cell(2, 3))
    assert first == Cell(11, 3)
    assert last == Cell(2, 3)
