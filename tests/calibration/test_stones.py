"""Stones and marks on a grid of lines: what counts as such a board, and what lies on it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from bench.pictures.marks import mark
from bench.pictures.painted import disc, frame_of, page, painted
from bot.ports import FakeClock
from bot.screens.drawn.painter import Lines
from bot.screens.drawn.screen import DrawnScreen
from calibration.board import Calibration, Lattice
from calibration.canvas import Canvas
from calibration.frame import Box, Pixel, Pixels
from calibration.locate import BoardNotFoundError, locate
from calibration.look import Proposal
from calibration.looks import look_named, reader_of
from games import find_game
from games.core import UNREAD, Options

INK, WOOD = (70, 70, 70), (220, 179, 92)


def crossed(pixels: Pixels, *, pitch: int = 110, width: int = 4) -> Pixels:
    """The four lines of tic-tac-toe, the board's corner at (200, 100)."""
    for at in (pitch, 2 * pitch):
        cv2.line(pixels, (200 + at, 100), (200 + at, 100 + 3 * pitch), INK, width)
        cv2.line(pixels, (200, 100 + at), (200 + 3 * pitch, 100 + at), INK, width)
    return pixels


@pytest.mark.parametrize(("pitch", "width"), [(110, 4), (240, 2), (60, 8)])
def test_four_lines_that_cross_make_the_nine_squares_of_tic_tac_toe(pitch: int, width: int) -> None:
    pixels = crossed(page(width=1000, height=860), pitch=pitch, width=width)
    found = locate(frame_of(pixels), "mnk").lattice
    assert (found.rows, found.cols) == (3, 3)
    assert found.box.x == pytest.approx(200, abs=3)
    assert found.pitch[0] == pytest.approx(pitch, rel=0.02)


def test_two_lines_in_each_direction_that_do_not_cut_each_other_in_thirds_are_no_board() -> None:
    pixels = page(width=1000, height=800)
    for left, top, wide, high in ((100, 100, 300, 300), (500, 120, 200, 400), (560, 600, 330, 110)):
        cv2.rectangle(pixels, (left, top), (left + wide, top + high), INK, 3)
    with pytest.raises(BoardNotFoundError):
        locate(frame_of(pixels), "mnk")


def test_a_thin_small_letter_on_a_bare_board_is_a_mark_that_is_learned() -> None:
    empty = crossed(page((34, 34, 34), width=1000, height=860), pitch=240)
    calibration = locate(frame_of(empty), "mnk")
    assert len(calibration.patches) == 1
    reader = look_named("stones").reader(calibration, Pixel(0, 0))
    marks = {"x": (mark("X", (32, 137, 205), 0.6),), "o": (mark("O", (255, 224, 60), 0.6),)}
    shown = painted(empty.copy(), ["o..", ".x.", "..."], marks, 240, corner=(200, 100))
    grid = reader.read(frame_of(shown)).grid
    assert {int(grid[0, 0]), int(grid[1, 1])} == {1, 2}
    assert not grid[2].any()


def test_a_stone_of_half_a_square_on_a_bare_board_of_crossings_is_learned() -> None:
    pixels = page(width=1000, height=900)
    Canvas(pixels).fill(Box(60, 20, 840, 840), WOOD)
    empty = painted(pixels, ["." * 12] * 12, {}, 60, corner=(90, 50), ruled=Lines((0, 0, 0), 2))
    calibration = locate(frame_of(empty), "mnk", corners=(Pixel(90, 50), Pixel(810, 770)))
    assert (calibration.lattice.rows, len(calibration.patches)) == (13, 1)
    reader = look_named("stones").reader(calibration, Pixel(0, 0))
    lines = ["." * 13] * 4 + ["....b........", "......w......"] + ["." * 13] * 7
    stones = {"b": disc((5, 5, 5), 15, 60), "w": disc((255, 255, 255), 15, 60)}
    grid = reader.read(frame_of(painted(empty.copy(), lines, stones, 60, corner=(60, 20)))).grid
    assert {int(grid[4, 4]), int(grid[5, 6])} == {1, 2}
    assert (grid > 0).sum() == 2


def unnamed(name: str, options: Options = Options(), *, plies: int = 0) -> str:
    """The game that a drawn board of stones is taken for where nobody says which it is."""
    game, rng = find_game(name), np.random.default_rng(2)
    state = game.deal(rng, options)
    for _ in range(plies):
        moves = state.legal_moves()
        state = state.play(moves[rng.integers(len(moves))])
    screen = DrawnScreen(game, state, clock=FakeClock())
    return locate(screen.grab()).game


def test_a_board_is_that_of_a_game_that_is_played_on_so_many_squares(from_the_docs: str) -> None:
    assert unnamed(from_the_docs) == unnamed(from_the_docs, plies=8) == from_the_docs
    assert unnamed("reversi", Options(rows=6), plies=5) == "reversi"
    assert unnamed("mnk", Options(rows=4), plies=5) == "mnk"


def test_a_board_on_which_pieces_lie_as_a_game_begins_is_that_games(
    from_the_docs: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(find_game(from_the_docs)), "variants", (Options(rows=8, cols=8),))
    assert unnamed(from_the_docs, Options(rows=8, cols=8)) == from_the_docs
    assert unnamed("reversi") == unnamed("reversi", plies=5) == "reversi"


def test_a_board_is_read_by_the_numbers_of_its_players_that_its_rules_allow(
    from_the_docs: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = find_game(from_the_docs)
    monkeypatch.setattr(type(game), "refute", lambda self, grid: "" if grid[0, 0] == 1 else "the first begins there")
    start = game.deal(np.random.default_rng(0))
    other = game.parse(game.format(start).translate(str.maketrans("12", "21")))
    frame = DrawnScreen(game, other, clock=FakeClock()).grab()
    for name in (from_the_docs, None):
        assert reader_of(locate(frame, name)).read(frame).grid.tolist() == game.show(start).grid.tolist()


@pytest.mark.parametrize("seed", range(4))
def test_a_small_board_in_a_broad_rim_is_found_in_the_middle_of_a_game(seed: int) -> None:
    game, rng = find_game("mnk"), np.random.default_rng(seed)
    state = game.deal(rng, Options(rows=3, cols=3, length=3))
    for _ in range(4 + seed % 2):
        moves = state.legal_moves()
        state = state.play(moves[rng.integers(len(moves))])
    frame = DrawnScreen(game, state, clock=FakeClock()).grab()
    calibration = locate(frame)
    assert calibration.game == "mnk"
    assert np.array_equal(reader_of(calibration).read(frame).grid, game.show(state).grid)


def test_places_of_more_kinds_than_two_sides_have_make_no_board_of_stones() -> None:
    lattice = Lattice(Pixel(40, 40), (72, 72), 5, 5)
    proposal = Proposal(lattice.box, "", Calibration("mnk", lattice, ((244, 241, 234),), (400, 400), look="stones"), {})
    frame, grid = frame_of(page(width=400, height=400)), np.arange(25, dtype=np.int8).reshape(5, 5) % 3
    grid[0, :2] = UNREAD  # as under a window
    assert not look_named("stones").refute(proposal, frame, grid, named=False)
    grid[2, 2:] = UNREAD
    assert look_named("stones").refute(proposal, frame, grid, named=False)
    assert not look_named("stones").refute(proposal, frame, grid, named=True)
