"""A piece in hand is told from rings, handles and pieces that lie there, also between cells and over its own colour."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from bot.drag.hypotheses import EVIDENCE, Hypothesis, exactly, hypotheses, open_places, strongest
from bot.drag.segmentation import segment_piece
from calibration.cell_patches import ZONES
from games.core import Cell
from games.polyominoes import PIECES, Shape

SIDE = 14
FORMS = tuple(form for piece in PIECES for form in piece.forms)
EMPTY, PURPLE, GREY = (174, 167, 172), (161, 44, 207), (136, 133, 135)


def board() -> NDArray[np.float32]:
    return np.full((SIDE * ZONES, SIDE * ZONES, 3), EMPTY, dtype=np.float32)


def laid(zones: NDArray[np.float32], form: Shape, top: float, left: float) -> NDArray[np.float32]:
    """The zones with a piece drawn over them, its top left corner at cells (top, left)."""
    shown = zones.copy()
    for row, col in form:
        y, x = round((row + top) * ZONES), round((col + left) * ZONES)
        shown[y : y + ZONES, x : x + ZONES] = PURPLE
    return shown


def held_as(found: list[Hypothesis]) -> list[tuple[Shape, float, float]]:
    return [(each.form, round(each.top, 2), round(each.left, 2)) for each in found]


def ringed(zones: NDArray[np.float32], row: float, col: float) -> NDArray[np.float32]:
    """The zones with a grey ring of the width of a cell round a place."""
    away = np.hypot(*(np.indices(zones.shape[:2]) / ZONES - np.array([row, col])[:, None, None]))
    shown = zones.copy()
    shown[(away > 2.6) & (away < 3.6)] = GREY
    return shown


@pytest.mark.parametrize("form", [form for piece in PIECES for form in piece.forms[:2]])
@pytest.mark.parametrize("corner", [(4.0, 5.0), (4.5, 5.0), (4 + 1 / 3, 5 + 2 / 3)])
def test_every_piece_is_seen_on_cells_and_between_them(form: Shape, corner: tuple[float, float]) -> None:
    segment = segment_piece(board(), laid(board(), form, *corner), len(form))
    assert segment is not None
    assert segment.form == form
    assert (segment.top, segment.left) == pytest.approx(corner, abs=0.1)


@pytest.mark.parametrize("form", [form for piece in PIECES if piece.size == 5 for form in piece.forms])
def test_an_opaque_piece_inside_a_ring_is_told_from_the_ring(form: Shape) -> None:
    shown = laid(ringed(board(), 7, 7), form, 5.5, 5.5)
    colour = strongest(board(), shown)
    assert colour is not None
    assert tuple(colour) == PURPLE
    assert held_as(hypotheses(board(), shown, colour, FORMS)) == [(form, 5.5, 5.5)]


@pytest.mark.parametrize("form", [form for piece in PIECES if piece.size == 5 for form in piece.forms[:2]])
@pytest.mark.parametrize(("top", "left"), [(-0.5, 4.0), (5.0, -0.5), (SIDE - 2.5, 4.5)])
def test_a_piece_cut_off_by_the_edge_of_the_board_is_among_those_that_explain_it(
    form: Shape, top: float, left: float
) -> None:
    whole = np.pad(board(), ((ZONES, ZONES), (ZONES, ZONES), (0, 0)), mode="edge")
    shown = laid(whole, form, top + 1, left + 1)[ZONES:-ZONES, ZONES:-ZONES]
    assert (form, top, left) in held_as(hypotheses(board(), shown, np.array(PURPLE, dtype=np.float32), FORMS))


@pytest.mark.parametrize("seed", range(20))
def test_a_piece_over_its_own_colour_is_among_those_that_explain_it_wherever_it_is_moved(seed: int) -> None:
    rng = np.random.default_rng(seed)
    own = rng.random((SIDE, SIDE)) < 0.35
    before = board()
    before[np.kron(own, np.ones((ZONES, ZONES), dtype=bool))] = PURPLE
    form = FORMS[rng.integers(len(FORMS))]
    top, left = (float(rng.integers(2, 2 * SIDE - 12)) / 2 for _ in range(2))
    for step in range(4):
        shown = laid(before, form, top + step / 2, left)
        found = hypotheses(before, shown, np.array(PURPLE, dtype=np.float32), FORMS)
        seen = (shown != before).any(axis=2).sum() / ZONES**2
        if seen > EVIDENCE:
            assert (form, top + step / 2, left) in held_as(found)


def test_where_a_piece_lies_is_seen_to_a_part_of_a_zone() -> None:
    form, (top, left) = PIECES[-1].forms[0], (5 + 1 / 4, 6 + 1 / 5)
    fine = np.kron(board(), np.ones((10, 10, 1), dtype=np.float32))
    for row, col in form:
        y, x = round((row + top) * ZONES * 10), round((col + left) * ZONES * 10)
        fine[y : y + ZONES * 10, x : x + ZONES * 10] = PURPLE
    shown = fine.reshape(SIDE * ZONES, 10, SIDE * ZONES, 10, 3).mean(axis=(1, 3))
    colour = np.array(PURPLE, dtype=np.float32)
    found = exactly(hypotheses(board(), shown, colour, FORMS)[0], board(), shown, colour)
    assert found.form == form
    assert (found.top, found.left) == pytest.approx((top, left), abs=0.02)


def test_a_board_without_a_piece_in_hand_shows_none() -> None:
    assert segment_piece(board(), board(), 5) is None
    assert strongest(board(), board()) is None


def test_a_piece_over_pieces_of_another_colour_is_seen_whole() -> None:
    form = ((0, 0), (0, 1), (1, 1), (1, 2))
    before = laid(board(), ((0, 0), (1, 0), (2, 0)), 4, 6)  # one column of another piece
    now, covered = before.copy(), (laid(board(), form, 4, 5) != board()).any(axis=2)
    now[covered] += (np.array(GREY, dtype=np.float32) - now[covered]) * 0.5
    segment = segment_piece(before, now, 4)
    assert segment is not None
    assert segment.form == form


def test_a_piece_in_hand_is_held_where_most_is_bare() -> None:
    bare = np.ones((SIDE, SIDE), dtype=bool)
    bare[:9] = False
    first, *_, last = open_places(bare, Cell(2, 3))
    assert first == Cell(11, 3)
    assert last == Cell(2, 3)


def test_what_changed_far_from_the_pointer_is_no_piece_in_hand() -> None:
    form = ((0, 0), (0, 1), (1, 1), (1, 2))
    shown = laid(board(), form, 1, 1)  # another side's piece, or the page was scrolled
    assert segment_piece(board(), shown, 4, held=(2.5, 3.5)) is not None
    assert segment_piece(board(), shown, 4, held=(10.5, 9.5)) is None


@pytest.mark.parametrize("lit", [True, False])
def test_a_cell_that_is_lit_under_the_pointer_beside_a_piece_is_none_of_it(*, lit: bool) -> None:
    form = ((0, 1), (1, 0), (1, 1), (2, 0), (3, 0))  # held by the corner of its box, where it has no cell
    shown = laid(board(), form, 2, 2)
    cell = np.s_[2 * ZONES : 3 * ZONES, 2 * ZONES : 3 * ZONES]
    shown[cell] = np.array(PURPLE, dtype=np.float32) + (12 if lit else 0)
    segment = segment_piece(board(), shown, 5, held=(2.5, 2.5))
    assert (segment is not None and segment.form == form) == lit


def test_a_piece_with_dark_rims_that_throws_a_shadow_is_seen_whole_and_alone() -> None:
    form = ((0, 1), (1, 1), (2, 0), (2, 1), (3, 0))
    shown, colour = board(), np.array(PURPLE, dtype=np.float32)
    for row, col in form:
        y, x = (4 + row) * ZONES, (5 + col) * ZONES
        shown[y : y + ZONES + 2, x : x + ZONES] -= 14  # its shadow
        shown[y : y + ZONES, x : x + ZONES] = colour
    for row, col in form:
        y, x = (4 + row) * ZONES, (5 + col) * ZONES
        for rim in (np.s_[y, x : x + ZONES], np.s_[y + ZONES - 1, x : x + ZONES], np.s_[y : y + ZONES, x]):
            shown[rim] = colour - 60
    segment = segment_piece(board(), shown, 5, held=(4.5, 6.5))
    assert segment is not None
    assert (segment.form, segment.top, segment.left) == (form, 4, 5)
