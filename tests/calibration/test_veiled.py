"""A move is told through whatever lies over the whole picture, and none where what tells it is hidden."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import pytest

from bot.play.changes import likely_changes
from bot.screens.drawn.screen import DrawnScreen
from calibration.frame import Pixels
from calibration.veiled import ClearView, place_colours
from games import find_game

Overlay = Callable[[Pixels, np.random.Generator], Any]


def dimmed(pixels: Pixels, rng: np.random.Generator) -> Any:
    """A veil of any colour over everything."""
    share = rng.uniform(0.25, 0.8)
    return pixels * share + (1 - share) * rng.integers(0, 256, 3)


def blurred(pixels: Pixels, rng: np.random.Generator) -> Any:
    """As behind frosted glass."""
    return cv2.GaussianBlur(dimmed(pixels, rng), (0, 0), 3)


def darkened(pixels: Pixels, rng: np.random.Generator) -> Any:
    """As behind all but black glass."""
    return cv2.GaussianBlur(0.14 * pixels + 0.86 * np.array((5, 7, 13), dtype=np.float32), (0, 0), 2)


def position(name: str, plies: int, rng: np.random.Generator) -> Any:
    """A position of a random game in which every kind of piece lies on the board."""
    game = find_game(name)
    state = game.deal(rng)
    for _ in range(plies):
        moves = [move for move in state.legal_moves() if state.play(move).outcome() is None]
        state = state.play(moves[rng.integers(len(moves))])
    return state


@pytest.mark.parametrize("overlay", [dimmed, blurred, darkened])
@pytest.mark.parametrize("name", ["flood_it", "filler", "connect_four", "quoridor", "blokus"])
def test_the_move_made_is_told_through_a_veil(name: str, overlay: Overlay) -> None:
    game, rng = find_game(name), np.random.default_rng(1)
    for _ in range(4):
        state = position(name, 6, rng)
        screen = DrawnScreen(game, state)
        lattice, grid = screen.calibration().lattice, game.show(state).grid
        view = ClearView(place_colours(screen.grab().pixels, lattice, grid), grid, lattice.grid_step(grid))
        moves = state.legal_moves()[:60]
        made = moves[rng.integers(len(moves))]
        grids = list({(each := game.show(state.play(move)).grid).tobytes(): each for move in moves}.values())
        screen.play(made)
        pixels = overlay(screen.grab().pixels.astype(np.float32), rng).astype(np.uint8)
        number = view.shows(place_colours(pixels, lattice, grid), grids)
        assert number is not None
        assert np.array_equal(grids[number], game.show(screen.state).grid)


def test_a_pawn_s_step_is_told_through_a_veil_though_most_of_what_its_player_has_are_walls() -> None:
    game = find_game("quoridor")
    state = game.parse("e2 e8 c3h f6h e3 e7 g3h d6v b5h h5v e4 e6")
    screen = DrawnScreen(game, state)
    lattice, grid = screen.calibration().lattice, game.show(state).grid
    view = ClearView(place_colours(screen.grab().pixels, lattice, grid), grid, lattice.grid_step(grid))
    grids = [game.show(state.play(move)).grid for move in state.legal_moves()]
    for step in state.steps():
        screen = DrawnScreen(game, state)
        screen.play(step)
        veiled = blurred(screen.grab().pixels.astype(np.float32), np.random.default_rng(3)).astype(np.uint8)
        number = view.shows(place_colours(veiled, lattice, grid), grids)
        assert number is not None
        assert np.array_equal(grids[number], game.show(state.play(step)).grid)


def test_no_move_is_told_where_a_dialog_hides_it_or_none_was_made() -> None:
    game, rng = find_game("connect_four"), np.random.default_rng(2)
    state = game.parse("4453")
    screen = DrawnScreen(game, state)
    lattice, grid = screen.calibration().lattice, game.show(state).grid
    clear = screen.grab().pixels
    view = ClearView(place_colours(clear, lattice, grid), grid, lattice.grid_step(grid))
    grids = [game.show(state.play(move)).grid for move in state.legal_moves()]
    unmoved = dimmed(clear.astype(np.float32), rng).astype(np.uint8)
    assert view.shows(place_colours(unmoved, lattice, grid), grids) is None
    screen.play(state.legal_moves()[3])
    hidden = dimmed(screen.grab().pixels.astype(np.float32), rng).astype(np.uint8)
    box = lattice.box
    hidden[
        round(box.y) : round(box.y + box.height), round(box.x + box.width / 3) : round(box.x + box.width / 2 + 60)
    ] = 255
    assert view.shows(place_colours(hidden, lattice, grid), grids) is None
    assert view.shows(np.full_like(view.colours, 255), grids) is None


def test_a_board_that_was_scrolled_by_a_row_shows_no_move() -> None:
    game = find_game("connect_four")
    state = game.parse("6676747454453516")
    screen = DrawnScreen(game, state)
    lattice, grid = screen.calibration().lattice, game.show(state).grid
    pixels = screen.grab().pixels
    scrolled = np.roll(pixels, -round(lattice.pitch[1]), axis=0)
    then, now = (place_colours(each, lattice, grid) for each in (pixels, scrolled))
    grids = [game.show(change.after).grid for change in likely_changes(state, made=6, ours=(0,))]
    assert ClearView(then, grid).shows(now, grids) is None
