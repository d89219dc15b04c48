"""The drawn screenshots show what their truth says."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from bench.pictures import Picture, draw_empty, draw_picture, flooding
from bench.pictures.judge import seen_part
from calibration.frame import Pixels

GAMES = ("flood_it", "filler", "connect_four", "blokus", "quoridor")
SEEDS = range(6)


@pytest.fixture(scope="module")
def drawn() -> dict[str, list[Picture]]:
    return {game: [draw_picture(game, np.random.default_rng([seed, 71])) for seed in SEEDS] for game in GAMES}


def seen_cells(picture: Picture) -> Iterator[tuple[int, int, float, float]]:
    hidden = {tuple(cell) for cell in picture.truth["hidden_cells"]}
    for row, line in enumerate(picture.truth["cells"]):
        for col, (x, y) in enumerate(line):
            if (row, col) not in hidden:
                yield row, col, x, y


def test_one_seed_draws_one_picture() -> None:
    one, two = (draw_picture("blokus", np.random.default_rng(5)) for _ in range(2))
    assert one.truth == two.truth
    assert np.array_equal(one.pixels, two.pixels)


@pytest.mark.parametrize("game", GAMES)
def test_cells_that_count_as_seen_lie_in_the_picture(drawn: dict[str, list[Picture]], game: str) -> None:
    for picture in drawn[game]:
        height, width = picture.pixels.shape[:2]
        cells = list(seen_cells(picture))
        assert len(cells) >= 0.2 * picture.truth["rows"] * picture.truth["cols"]
        assert all(0 <= x < width and 0 <= y < height for _, _, x, y in cells)


@pytest.mark.parametrize("game", ["flood_it", "filler"])
def test_cells_of_a_flooding_board_have_their_palette_colour(drawn: dict[str, list[Picture]], game: str) -> None:
    for picture in drawn[game]:
        truth = picture.truth
        size = 0.25 * min(truth["cell_size"])
        wrong = total = 0
        for row, col, x, y in seen_cells(picture):
            kind = truth["grid"][row][col]
            if kind < 0:
                continue
            corners = [(x + dx * size, y + dy * size) for dx in (-1, 1) for dy in (-1, 1)]
            patch = [picture.pixels[int(v), int(u)] for u, v in corners]
            away = np.abs(np.median(patch, axis=0) - truth["palette"][kind]["rgb"]).max()
            wrong, total = wrong + (away > 70), total + 1
        assert wrong <= 0.03 * total


def test_unusual_boards_show_the_cells_of_a_kind_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flooding, "UNUSUAL", 1.0)
    pictures = [draw_picture("filler", np.random.default_rng([seed, 73])) for seed in range(4)]
    across, down = np.array([picture.truth["pitch"] for picture in pictures]).T
    assert np.abs(np.log(across / down)).max() > 0.3
    for picture in pictures:
        wide, high = 0.3 * np.array(picture.truth["pitch"])
        shown: dict[int, list[Pixels]] = {}
        for row, col, x, y in seen_cells(picture):
            shown.setdefault(picture.truth["grid"][row][col], []).append(picture.pixels[int(y + high), int(x - wide)])
        away = [np.abs(np.median(each, axis=0) - each).max(axis=1) for each in shown.values()]
        assert np.median(np.concatenate(away)) <= 12


def test_few_boards_are_cut_off_by_the_window_and_few_buttons_lie_far_from_theirs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(flooding, "UNUSUAL", 1.0)
    truths = [draw_picture("flood_it", np.random.default_rng([seed, 74]), size=0.5).truth for seed in range(8)]
    lost = [seen_part(truth)["grid"] for truth in truths]
    assert any(np.shape(seen) != np.shape(truth["grid"]) for seen, truth in zip(lost, truths, strict=True))
    away = []
    for truth in truths:
        cells, buttons = np.array(truth["cells"]), np.array([button["rect"] for button in truth["buttons"]])
        if len(buttons):
            low, high = buttons[:, :2].min(axis=0), (buttons[:, :2] + buttons[:, 2:]).max(axis=0)
            off = np.maximum(low - cells[-1, -1], cells[0, 0] - high) / truth["pitch"]
            away.append(float(off.max()))
    assert max(away) > 2


def test_a_smaller_picture_shows_the_same_page_smaller() -> None:
    whole, half = (draw_empty(np.random.default_rng(3), "sudoku", size=size).pixels for size in (1.0, 0.5))
    assert half.shape[0] * 2 == whole.shape[0]
    shrunk = cv2.resize(whole, half.shape[1::-1], interpolation=cv2.INTER_AREA).astype(float)
    assert np.abs(shrunk - half).mean() < 12


@pytest.mark.parametrize("game", ["flood_it", "filler"])
def test_buttons_show_their_colour(drawn: dict[str, list[Picture]], game: str) -> None:
    buttons = [
        (picture, button)
        for picture in drawn[game]
        for button in picture.truth["buttons"]
        if button["visible"] and button["enabled"]
    ]
    assert buttons
    wrong = 0
    for picture, button in buttons:
        x, y, width, height = button["rect"]
        at = picture.pixels[int(y + 0.5 * height), int(x + 0.25 * width)]
        wrong += np.abs(at - np.array(picture.truth["palette"][button["colour"]]["rgb"], dtype=float)).max() > 40
    assert wrong <= 0.05 * len(buttons)


def test_discs_rest_on_discs(drawn: dict[str, list[Picture]]) -> None:
    for picture in drawn["connect_four"]:
        grid = np.array(picture.truth["grid"])
        assert not ((grid[:-1] > 0) & (grid[1:] == 0)).any()
        assert abs(int((grid == 1).sum()) - int((grid == 2).sum())) <= 1


def test_blokus_pieces_of_a_colour_have_at_most_five_squares_and_touch_at_corners_alone(
    drawn: dict[str, list[Picture]],
) -> None:
    for picture in drawn["blokus"]:
        grid = np.array(picture.truth["grid"])
        for player in range(1, int(grid.max()) + 1):
            mine = (grid == player).astype(np.uint8)
            count, labels = cv2.connectedComponents(mine, connectivity=4)
            assert all((labels == label).sum() <= 5 for label in range(1, count))
            assert cv2.connectedComponents(mine, connectivity=8)[0] == 2


def test_walls_neither_cross_nor_overlap(drawn: dict[str, list[Picture]]) -> None:
    for picture in drawn["quoridor"]:
        middles = set()
        halves = set()
        for wall in picture.truth["walls"]:
            way, row, col = wall["o"], wall["row"], wall["col"]
            assert (row, col) not in middles
            middles.add((row, col))
            for half in ((way, row, col), (way, row, col + 1) if way == "h" else (way, row + 1, col)):
                assert half not in halves
                halves.add(half)


def test_pictures_without_a_board_have_many_subjects() -> None:
    subjects = {draw_empty(np.random.default_rng([seed, 72])).truth["subject"] for seed in range(20)}
    assert len(subjects) >= 10
