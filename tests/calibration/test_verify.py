"""Grids that flooding leads to are told from other games' grids."""

from __future__ import annotations

import numpy as np
import pytest

from bench.pictures.painted import frame_of, page
from calibration import verify
from calibration.board import Calibration, Lattice
from calibration.canvas import Canvas
from calibration.frame import Box, Pixel
from calibration.locate import BoardNotFoundError, locate
from calibration.look import Proposal
from calibration.looks.coloured.flooding import STREAKED, plausible_flood, refute
from calibration.scene import Scene
from games import find_game, flood_it
from games.core import Options
from games.polyominoes import PIECES

RNG = np.random.default_rng(8)
CHEQUER = np.add.outer(np.arange(8), np.arange(8)) % 2


def played(moves: int) -> np.ndarray:
    state = flood_it.GAME.deal(np.random.default_rng(moves), Options(rows=12, cols=12, colours=6))
    for _ in range(moves):
        legal = state.legal_moves()
        state = state.play(legal[moves % len(legal)]) if legal else state
    return np.array(state.grid, dtype=np.int8)


@pytest.mark.parametrize("moves", [0, 3, 8, 15])
def test_positions_of_flood_it_are_plausible(moves: int) -> None:
    assert plausible_flood(played(moves))


@pytest.mark.parametrize(
    ("what", "grid"),
    [
        ("a code of two colours", RNG.integers(0, 2, (21, 21))),
        ("a chequerboard with pieces", np.where(RNG.random((8, 8)) < 0.1, 2, CHEQUER)),
        ("a year of days", RNG.integers(0, 5, (7, 53))),
        ("five words of five letters", RNG.integers(0, 3, (6, 5))),
        ("a palette of forty colours", np.arange(40).reshape(5, 8)),
        ("discs in the middle of a cloth", np.pad(RNG.integers(1, 3, (4, 4)), 2)),
    ],
)
def test_other_lattices_of_colours_are_not(what: str, grid: np.ndarray) -> None:
    assert not plausible_flood(grid.astype(np.int8)), what


def grid_of(lines: list[str]) -> np.ndarray:
    return np.array([[".12".index(kind) for kind in line] for line in lines], dtype=np.int8)


def court(pawns: list[tuple[int, int]], walls: list[tuple[str, int, int]]) -> np.ndarray:
    grid = np.zeros((9, 9), dtype=np.int8)
    for player, (row, col) in enumerate(pawns, 1):
        grid[2 * row, 2 * col] = player
    for way, row, col in walls:
        for step in (-1, 0, 1):
            grid[(2 * row + 1, 2 * col + 1 + step) if way == "h" else (2 * row + 1 + step, 2 * col + 1)] = 1
    return grid


BOX = [("h", 1, 1), ("v", 2, 0), ("v", 2, 2), ("h", 3, 1)]


@pytest.mark.parametrize(
    ("game", "grid", "why"),
    [
        ("connect_four", grid_of([".......", "...1...", "..212..", ".12121."]), ""),
        ("connect_four", grid_of(["......", "......", "..12..", "..21..", "......"]), "2 discs hang in the air"),
        ("connect_four", grid_of([".......", "1111111", "1111111"]), "14 discs lie against 0"),
        ("blokus", grid_of(["11....", "1.....", ".11...", "....22"]), ""),
        (
            "blokus",
            grid_of(["111...", "111...", "......", "....22"]),
            "1 of 2 pieces are larger than five squares or none of the set",
        ),
        (
            "blokus",
            grid_of(["1.1.1.", "......", "2.22.2", "......"]),
            "3 of 6 pieces are larger than five squares or none of the set",
        ),
        ("quoridor", court([(0, 2), (4, 2)], BOX[:3]), ""),
        ("quoridor", court([(0, 2)], []), "1 pawns stand on it"),
        ("quoridor", court([(0, 2), (2, 1)], BOX), "its walls leave a pawn no way"),
    ],
)
def test_positions_that_the_rules_do_not_lead_to_are_refuted_by_the_game(game: str, grid: np.ndarray, why: str) -> None:
    assert find_game(game).refute(grid) == why


def test_three_colours_are_strewn_though_the_corners_are_of_one_and_pieces_on_a_ground_are_not() -> None:
    grid = np.random.default_rng(5).integers(0, 3, (14, 14)).astype(np.int8)
    grid[[0, 0, -1, -1], [0, -1, 0, -1]] = 0
    assert plausible_flood(grid)
    grid[np.random.default_rng(6).random((14, 14)) < 0.4] = 0
    assert not plausible_flood(grid)


@pytest.mark.parametrize(("less", "taken"), [(0.1, "quoridor"), (0.4, "connect_four")])
def test_a_board_on_which_pieces_lie_as_a_game_begins_is_taken_unless_it_is_far_less_likely(
    monkeypatch: pytest.MonkeyPatch, less: float, taken: str
) -> None:
    frame = frame_of(page(240))
    lattice = Lattice(Pixel(40, 40), (50.0, 50.0), 7, 7)
    one, other = (
        Proposal(
            lattice.box,
            "a lattice",
            Calibration(name, lattice, ((0, 0, 0),), (900, 700), look=look, confidence=confidence),
        )
        for name, look, confidence in (("connect_four", "discs", 0.95), ("quoridor", "grooves", 0.95 - less))
    )
    monkeypatch.setattr(verify, "begins", lambda proposal, _: proposal is other)
    monkeypatch.setattr(verify, "finished", lambda proposal, _: proposal.calibration)
    best = verify.told_apart([one, other], Scene(frame))
    assert best is not None
    assert best.calibration is not None
    assert best.calibration.game == taken


@pytest.mark.parametrize("tray", [True, False])
def test_what_is_hardly_a_board_by_itself_is_one_beside_the_pieces_of_its_game(*, tray: bool) -> None:
    canvas = Canvas(pixels := np.full((920, 1280, 3), (24, 29, 40), np.uint8))
    canvas.fill(Box(328, 100, 624, 600), (237, 234, 222))
    for line in range(1, 20):
        canvas.fill(Box(410 + 23 * line, 174, 1, 460), (216, 213, 199))
        canvas.fill(Box(410, 174 + 23 * line, 460, 1), (216, 213, 199))
    for number, piece in enumerate(PIECES if tray else ()):
        for row, col in piece.forms[0]:
            x, y = 200 + 90 * (number % 11) + 10 * col, 740 + 70 * (number // 11) + 10 * row
            canvas.fill(Box(x, y, 9, 9), (45, 108, 168))
    if tray:
        assert (found := locate(frame_of(pixels))).game == "blokus"
        assert len(found.controls) == len(PIECES)
    else:
        with pytest.raises(BoardNotFoundError):
            locate(frame_of(pixels))


def test_a_board_of_three_colours_is_none_of_pieces_where_each_colour_has_a_button() -> None:
    grid = np.zeros((10, 10), dtype=np.int8)
    grid[5:8, 5:8] = np.random.default_rng(5).integers(1, 3, (3, 3))
    colours = ((200, 60, 120), (20, 80, 160), (30, 20, 40))
    board = Calibration("flood_it", Lattice(Pixel(50, 50), (30, 30), 10, 10), colours, (400, 400), look="coloured")
    for buttons, why in ((1.0, ""), (0.0, STREAKED)):
        proposal = Proposal(board.lattice.box, "", board, {"buttons": buttons})
        assert refute(proposal, grid, named=False) == why
