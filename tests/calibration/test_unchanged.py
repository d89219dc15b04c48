"""What counts as a board, a cell or a control that still shows what it did."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.board import Lattice
from calibration.frame import Box, Pixel, Pixels
from calibration.targets import TargetPatch, faded, same_outline, same_sign, same_tint, target_patch
from calibration.unchanged import BoardChange, board_change, changed_cells, is_veiled, lay_beside, place_at, taken_away
from games.core import Cell

BOARD = Lattice(Pixel(40, 40), (40.0, 40.0), 4, 4)
GROOVED = Lattice(Pixel(40, 40), (50.0, 50.0), 3, 3, gap=(10.0, 10.0))


def board(*changes: tuple[Box, int]) -> Pixels:
    """A grey board with a noise of 2, on which each box has a level of its own."""
    pixels = np.random.default_rng(1).normal(120, 2, (200, 200, 3))
    for (x, y, width, height), level in changes:
        pixels[int(y) : int(y + height), int(x) : int(x + width)] = level
    return np.clip(pixels, 0, 255).astype(np.uint8)


def changed(*changes: tuple[Box, int], cells: set[Cell] = frozenset(), free: tuple[Box, ...] = ()) -> BoardChange:  # type: ignore[assignment]
    return board_change(board(), board(*changes), BOARD, cells=cells, free=free)


CELL = Cell(1, 1)
WHOLE = Box(60, 60, 40, 40)


def test_a_board_that_is_the_same_but_for_noise_has_not_changed() -> None:
    noisy = np.clip(board() + np.random.default_rng(2).normal(0, 3, (200, 200, 3)), 0, 255).astype(np.uint8)
    assert board_change(board(), noisy, BOARD) == BoardChange(0.0, 0.0, ())


def test_a_cell_that_may_change_does_so_inside_or_as_a_whole() -> None:
    for box in (WHOLE, Box(70, 70, 20, 20)):
        assert changed((box, 200), cells={CELL}) == BoardChange(0.0, 0.0, ())
        assert changed((box, 200)).inside > 0.01


@pytest.mark.parametrize("box", [Box(60, 60, 20, 40), Box(60, 60, 40, 15), Box(85, 40, 60, 60), Box(30, 80, 60, 60)])
def test_a_cell_of_which_a_part_is_covered_has_not_changed_as_cells_do(box: Box) -> None:
    assert CELL in changed((box, 240), cells={CELL}).covered


@pytest.mark.parametrize(("left", "top"), [(1, 1), (2, 1), (1, 2), (2, 2)])
def test_a_small_cell_that_is_drawn_a_pixel_beside_where_it_seems_to_lie_is_not_covered(left: int, top: int) -> None:
    small = Lattice(Pixel(14, 14), (28.0, 28.0), 4, 4)
    then, now = (np.full((112, 112, 3), 40, dtype=np.uint8) for _ in range(2))
    now[28 + top : 54 + top, 28 + left : 54 + left] = 200
    assert board_change(then, now, small, cells={CELL}).covered == ()


def test_a_cell_that_the_picture_cuts_changes_as_a_whole_as_far_as_it_shows() -> None:
    cut = [pixels[:100] for pixels in (board(), board((Box(60, 80, 40, 40), 200)))]
    assert board_change(*cut, BOARD.moved(Pixel(0, 20)), cells={CELL}).covered == ()
    assert board_change(*cut, BOARD.moved(Pixel(20, 20)), cells={CELL}).covered == (CELL,)


def test_what_is_free_may_show_anything_and_a_mark_on_it_may_reach_over_the_next_cell() -> None:
    ring = Box(56, 56, 48, 48)
    every = {Cell(row, col) for row in range(4) for col in range(4)}
    assert changed((ring, 30), cells=every, free=(Box(54, 54, 52, 52),)) == BoardChange(0.0, 0.0, ())
    assert changed((Box(46, 46, 68, 68), 30), cells=every, free=(Box(54, 54, 52, 52),)).covered


@pytest.mark.parametrize(("went", "beside"), [((330, 20), False), ((20, 220), False), (None, True)])
def test_a_board_seen_beside_ours_before_is_not_ours(went: tuple[int, int] | None, beside: bool) -> None:
    def screen(*boards: tuple[int, int, int]) -> Pixels:
        pixels = np.full((400, 600, 3), 240, dtype=np.uint8)
        for x, y, side in boards:
            pixels[y : y + side, x : x + side] = cv2.resize(drawn, (side, side), interpolation=cv2.INTER_NEAREST)
        return pixels

    drawn = np.random.default_rng(1).integers(0, 255, (5, 5, 3)).astype(np.uint8)
    known, other = (20, 20, 160), (400, 200, 130)
    now = screen(other) if went is None else screen((*went, 160))
    found = other if went is None else (*went, 160)
    then, now_at = screen(known, other), Box(*found[:2], found[2], found[2])
    assert lay_beside(then, Box(20, 20, 160, 160), now, now_at) == beside


def test_what_is_beside_the_board_is_told_apart() -> None:
    found = changed((Box(0, 0, 200, 15), 30))
    assert found.inside == 0.0
    assert found.beside == pytest.approx(200 * 15 / (200 * 200 - 160 * 160), rel=0.1)


def test_a_cell_that_changes_out_to_its_edge_changes_none_of_its_neighbours() -> None:
    assert changed_cells(board(), board((WHOLE, 30)), BOARD) == {CELL}


def test_a_place_is_a_cell_or_a_groove() -> None:
    assert place_at(GROOVED, Pixel(92, 138)) == Box(70, 120, 40, 40)
    assert place_at(GROOVED, Pixel(65, 92)) == Box(60, 70, 10, 40)
    assert place_at(GROOVED, Pixel(92, 114)) == Box(70, 110, 40, 10)
    assert place_at(BOARD, Pixel(45, 2)) == Box(20, -20, 40, 40)


def button(word: str, *, ground: int = 225, ink: int = 40, size: float = 0.6, grown: float = 1.0) -> Pixels:
    """A button with a word on it, on a white page."""
    pixels = np.full((84, 130, 3), 250, dtype=np.uint8)
    wide, high = round(45 * grown), round(22 * grown)
    pixels[42 - high : 42 + high, 65 - wide : 65 + wide] = ground
    (width, height), _ = cv2.getTextSize(word, cv2.FONT_HERSHEY_DUPLEX, size * grown, 1)
    place = (65 - width // 2, 42 + height // 2)
    cv2.putText(pixels, word, place, cv2.FONT_HERSHEY_DUPLEX, size * grown, (ink, ink, ink), 1, cv2.LINE_AA)
    return pixels


WORDS = ("confirm", "Buy now", "PAY", "OK", "Undo", "New game", "Rotate", "7", "A")


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize(
    "change", [{"ground": 245}, {"ground": 200, "ink": 20}, {"ground": 60, "ink": 250}, {"grown": 1.05}]
)
def test_a_word_is_the_same_on_a_button_that_is_lit_dark_or_larger(word: str, change: dict[str, float]) -> None:
    assert same_sign(target_patch(button(word)), target_patch(button(word, **change)))  # type: ignore[arg-type]


@pytest.mark.parametrize("word", WORDS)
def test_another_word_or_none_is_not_the_same(word: str) -> None:
    then = target_patch(button(word))
    assert [other for other in (*WORDS, "") if other != word and same_sign(then, target_patch(button(other)))] == []
    assert not same_sign(target_patch(button("")), then)
    assert same_sign(target_patch(button("")), target_patch(button("", ground=200)))


def test_a_colour_may_become_lighter_or_darker_but_no_other() -> None:
    red, orange = np.array([216.0, 65, 47]), np.array([240.0, 140, 60])
    for now in (red * 0.85, red + (255 - red) * 0.2, red + 4):
        assert same_tint(red, now)
    assert same_tint(np.array([236.0, 193, 45]), np.array([255.0, 210, 49])), "brighter by a tenth: red is full"
    assert not same_tint(red, np.array([68.0, 166, 72]))
    assert not same_tint(red, red * 0.5)
    near = red + (orange - red) * 0.8
    assert not same_tint(red, near, [orange])


@pytest.mark.parametrize(("form", "mark"), [("disc", True), ("ring", True), ("cross", False), ("word", False)])
def test_a_disc_or_a_ring_in_the_middle_is_a_mark_and_a_word_is_none(form: str, mark: bool) -> None:
    pixels = np.full((60, 60, 3), 200, dtype=np.uint8)
    if form in ("disc", "ring"):
        cv2.circle(pixels, (30, 30), 12, (40, 40, 40), -1 if form == "disc" else 3, cv2.LINE_AA)
    elif form == "cross":
        cv2.line(pixels, (18, 18), (42, 42), (40, 40, 40), 4, cv2.LINE_AA)
        cv2.line(pixels, (42, 18), (18, 42), (40, 40, 40), 4, cv2.LINE_AA)
    else:
        cv2.putText(pixels, "GO", (14, 38), cv2.FONT_HERSHEY_DUPLEX, 0.8, (40, 40, 40), 2, cv2.LINE_AA)
    assert target_patch(pixels).marked == mark
    assert target_patch(pixels).plain <= mark


@pytest.mark.parametrize(("off", "radius"), [(0, 52), (2, 56), (4, 56)])
def test_a_translucent_disc_that_lies_between_pixels_is_a_mark(off: int, radius: int) -> None:
    fine = np.zeros((520, 520), dtype=np.float32)
    cv2.circle(fine, (256 + off, 256 + off), radius, 1.0, -1)
    share = cv2.resize(fine, (65, 65), interpolation=cv2.INTER_AREA)[..., None]
    assert target_patch((201 - 50 * share + np.zeros(3)).astype(np.uint8)).marked


@pytest.mark.parametrize(("at", "side", "mark"), [(25, 10, True), (8, 10, False), (12, 36, False)])
def test_a_small_square_in_the_very_middle_is_a_mark_and_another_one_is_none(at: int, side: int, mark: bool) -> None:
    pixels = np.full((60, 60, 3), (76, 154, 114), dtype=np.uint8)
    pixels[at : at + side, at : at + side] = (58, 125, 92)
    assert target_patch(pixels).marked == mark


@pytest.mark.parametrize(
    ("tips", "mark"),
    [
        ([(14, 18), (46, 18), (30, 46)], True),
        ([(14, 46), (46, 46), (30, 18)], False),
        ([(16, 14), (16, 46), (44, 30)], False),
        ([(4, 18), (36, 18), (20, 46)], False),
    ],
    ids=["down", "up", "play", "aside"],
)
def test_an_arrow_that_points_down_is_a_mark_and_other_triangles_are_none(
    tips: list[tuple[int, int]], mark: bool
) -> None:
    pixels = np.full((60, 60, 3), (13, 16, 23), dtype=np.uint8)
    then = target_patch(pixels.copy())
    cv2.fillPoly(pixels, [np.array(tips)], (20, 164, 77), cv2.LINE_AA)
    assert target_patch(pixels).marked_since(then) == mark


@pytest.mark.parametrize(("what", "mark"), [("stone", True), ("ring", True), ("word", False), ("half", False)])
def test_a_stone_shown_for_a_try_where_lines_cross_is_a_mark_and_a_word_there_is_none(what: str, mark: bool) -> None:
    then = np.full((40, 40, 3), (220, 179, 92), dtype=np.uint8)
    then[19:21] = then[:, 19:21] = (40, 30, 10)
    shown = then.copy()
    if what in ("stone", "ring"):
        cv2.circle(shown, (20, 20), 17, (51, 51, 51), -1 if what == "stone" else 3, cv2.LINE_AA)
    elif what == "half":
        shown[:, 20:] = 51
    else:
        cv2.putText(shown, "GO", (4, 30), cv2.FONT_HERSHEY_DUPLEX, 0.7, (51, 51, 51), 2, cv2.LINE_AA)
    now = np.round(then + 0.4 * (shown.astype(float) - then)).astype(np.uint8)
    assert target_patch(now).marked_since(target_patch(then)) == mark
    assert not target_patch(then).marked_since(target_patch(then))


VIOLET, BLUE, PAGE = (138, 75, 184), (47, 111, 208), (244, 241, 234)


def swatch(colour: tuple[int, int, int]) -> Pixels:
    pixels = np.full((60, 60, 3), PAGE, np.uint8)
    pixels[6:54, 6:54] = colour
    return pixels


def test_a_letter_whose_edge_runs_through_the_middle_of_a_button_is_a_sign() -> None:
    plain, lettered = swatch(VIOLET), swatch(VIOLET)
    lettered[14:46, 14:30] = 255
    lettered[14:46, 30] = np.mean([VIOLET, (255, 255, 255)], axis=0)  # smoothed, as letters are
    assert target_patch(plain).bare
    assert not target_patch(lettered).bare


@pytest.mark.parametrize("pixels", [swatch(VIOLET), button("Undo"), button("New game")])
@pytest.mark.parametrize("more", [12, 30, 31])
def test_a_control_is_the_same_where_more_of_what_is_round_it_is_looked_at(pixels: Pixels, more: int) -> None:
    """As where the button beside it is gone."""
    page = np.asarray(pixels[0, 0], dtype=np.uint8)
    wide = np.full((pixels.shape[0] + 2 * more, pixels.shape[1] + 2 * more, 3), page)
    wide[more:-more, more:-more] = pixels
    one, other = target_patch(pixels), target_patch(wide)
    assert same_sign(one, other)
    assert same_sign(other, one)
    assert same_outline(one, other)
    assert not same_sign(one, target_patch(cv2.circle(wide.copy(), (wide.shape[1] // 2, wide.shape[0] // 2), 9, 0, 3)))


def test_a_cell_that_is_lifted_under_the_pointer_is_what_it_was_and_one_that_is_half_covered_is_not() -> None:
    def hole(up: int) -> Pixels:
        pixels = np.full((80, 80, 3), (0, 87, 183), dtype=np.uint8)
        return cv2.circle(pixels, (40, 40 - up), 35, (240, 240, 240), -1)

    then, lifted, covered = hole(0), hole(7), hole(0)
    covered[50:] = 30
    assert target_patch(lifted).moved_since(target_patch(then))
    assert not target_patch(covered).moved_since(target_patch(then))
    assert not target_patch(hole(25)).moved_since(target_patch(then))


def test_a_square_of_a_glossy_piece_is_the_same_where_what_is_round_the_piece_lights_up() -> None:
    def piece(ground: tuple[int, int, int], colour: tuple[int, int, int]) -> Pixels:
        pixels = np.full((66, 66, 3), ground, dtype=np.uint8)
        light = np.hypot(*np.mgrid[-4:12, -5:11])[:, :, None]
        for row, col in ((0, 0), (1, 0), (1, 1), (2, 1), (2, 2)):
            pixels[8 + 17 * row : 24 + 17 * row, 8 + 17 * col : 24 + 17 * col] = np.clip(colour - 8 * light, 0, 255)
        return pixels

    then = target_patch(piece((244, 241, 234), (160, 190, 230)))
    assert not then.bare
    assert same_sign(then, target_patch(piece((207, 215, 227), (160, 190, 230))))


def test_a_button_that_may_not_be_used_is_paler_and_what_covers_it_has_a_colour_of_its_own() -> None:
    known = target_patch(swatch(BLUE))
    paler = np.round(np.average([BLUE, PAGE], axis=0, weights=[0.3, 0.7])).astype(int)
    pale = target_patch(swatch(tuple(paler.tolist())))
    assert faded(known, pale)
    assert faded(pale, known)
    covers = [swatch((255, 179, 0)), swatch((46, 125, 50)), np.full((60, 60, 3), (240, 241, 245), np.uint8)]
    assert not any(faded(known, target_patch(cover)) for cover in covers)


def test_a_sign_that_takes_another_colour_under_the_pointer_keeps_its_outline() -> None:
    arrow, other, window = (np.full((60, 60, 3), PAGE, np.uint8) for _ in range(3))
    for pixels, colour in ((arrow, (43, 45, 51)), (other, (37, 99, 201))):
        cv2.fillPoly(pixels, [np.array([(20, 24), (40, 24), (30, 40)])], colour)
    window[4:56, 2:58] = 230
    assert same_outline(target_patch(arrow), target_patch(other))
    assert not same_outline(target_patch(arrow), target_patch(window))


def in_shadow(pixels: Pixels) -> Pixels:
    """Under the soft edge of a window's shadow, which grows towards the right."""
    light = np.linspace(1.0, 0.65, pixels.shape[1])[None, :, None]
    return np.asarray(np.round(pixels * light), dtype=np.uint8)


@pytest.mark.parametrize("ground", [(222, 200, 160), (120, 120, 120), (40, 60, 110)])
@pytest.mark.parametrize("box", [(20, 0, 20, 40), (0, 0, 40, 20), (0, 0, 18, 40)])
@pytest.mark.parametrize("colour", [(255, 255, 255), (32, 35, 48), (211, 47, 47)])
def test_a_cell_of_which_half_lies_under_something_is_covered_but_not_one_in_a_shadow(
    ground: tuple[int, int, int], box: tuple[int, int, int, int], colour: tuple[int, int, int]
) -> None:
    then = np.full((40, 40, 3), ground, dtype=np.uint8)
    x, y, width, height = box
    now = then.copy()
    now[y : y + height, x : x + width] = colour
    known = target_patch(then)
    if not (ground == (40, 60, 110) and colour == (32, 35, 48)):  # there it is a shadow
        assert target_patch(now).covered_since(known)
    assert not target_patch(in_shadow(then)).covered_since(known)
    assert not target_patch(cv2.circle(then.copy(), (20, 20), 12, colour, -1)).covered_since(known), "a piece"
    assert not target_patch(np.full_like(then, colour)).covered_since(known), "another kind"


@pytest.mark.parametrize(
    ("shows", "gone"), [("page", True), ("card", True), ("black", False), ("board", False), ("half", False)]
)
def test_a_board_is_taken_away_where_the_pages_ground_shows_and_not_where_it_is_covered(
    shows: str, *, gone: bool
) -> None:
    then = np.full((300, 400, 3), 240, dtype=np.uint8)
    board = Box(100, 50, 200, 200)
    then[50:250, 100:300] = np.random.default_rng(1).integers(0, 255, (200, 200, 3))
    now = np.full_like(then, 240)
    now[90:140, 150:250] = (255, 255, 255) if shows == "card" else now[90:140, 150:250]
    if shows == "black":
        now[:] = 0
    if shows in ("board", "half"):
        now[50:250, 100:300] = then[50:250, 100:300]
    if shows == "half":
        now[50:150, 100:300] = 240
    assert taken_away(then, board, now[50:250, 100:300]) == gone


@pytest.mark.parametrize(
    ("over", "veiled"), [("veil", True), ("card", True), ("night", True), ("panel", False), ("window", False)]
)
@pytest.mark.parametrize("page", [235, 14])
def test_a_veil_over_a_whole_page_is_told_from_what_covers_a_part_of_it_or_another_page(
    over: str, page: int, *, veiled: bool
) -> None:
    dice = np.random.default_rng(1)
    board = Box(160, 80, 320, 320)
    then = np.full((480, 640, 3), page, dtype=np.uint8)
    then[80:400, 160:480] = np.kron(dice.integers(0, 255, (8, 8, 3)), np.ones((40, 40, 1))).astype(np.uint8)
    then[20:60, 40:600] = np.kron(dice.integers(40, 235, (5, 70, 1)), np.ones((8, 8, 3))).astype(np.uint8)
    now = then.copy()
    if over in ("veil", "card"):
        now = (0.4 * then + 0.6 * 60).astype(np.uint8)
    if over == "night":
        now = (0.2 * then).astype(np.uint8)
    if over == "window":
        now = np.kron(dice.integers(100, 160, (60, 80, 1)), np.ones((8, 8, 3))).astype(np.uint8)
    if over in ("card", "panel"):
        now[150:330, 220:420] = 250
    assert is_veiled(then, board, now) == veiled


@pytest.mark.parametrize("sides", [(60, 20), (20, 60)])
@pytest.mark.parametrize("body", [(0, 8), (50, 58)])
def test_a_control_that_lay_beside_the_middle_of_what_is_looked_at_now_is_another(
    sides: tuple[int, int], body: tuple[int, int]
) -> None:
    rng = np.random.default_rng(0)
    then, now = (
        TargetPatch(
            rng.integers(0, 255, (side, side, 3)).astype(np.uint8),
            (slice(*(body if side == 60 else (4, 12))),) * 2,
            np.zeros(3),
        )
        for side in sides
    )
    assert not same_sign(then, now)
