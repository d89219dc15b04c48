"""The habits that the bundled pages have of real ones: each is seen to be there."""

from collections.abc import Callable
from typing import Any

import pytest

from bot.screens.browser import BrowserScreen

pytestmark = pytest.mark.browser

WON = "1212121"
"""The columns of a game of two people that the first one wins."""


def referee(screen: BrowserScreen) -> dict[str, Any]:
    return dict(screen.page.evaluate("({...boardsightReferee})"))


def box(screen: BrowserScreen, selector: str) -> dict[str, float]:
    found = screen.page.locator(selector).first.bounding_box()
    assert found is not None
    return dict(found)


def middle(screen: BrowserScreen, press: str) -> tuple[float, float]:
    found = box(screen, f'[data-press="{press}"]')
    return found["x"] + found["width"] / 2, found["y"] + found["height"] / 2


def until(screen: BrowserScreen, true: str) -> None:
    """Waits for what shall become true on the page."""
    for _ in range(500):
        if screen.page.evaluate(true):
            return
        screen.page.wait_for_timeout(20)
    pytest.fail(f"never true: {true}")


def end_of_game(show: Callable[..., BrowserScreen], end: str, **settings: Any) -> BrowserScreen:
    """The page of a game that the first of two people has just won."""
    screen = show("connect_four", second="person", end=end, **{"endAfter": 0, **settings})
    screen.page.keyboard.type(WON)
    return screen


@pytest.mark.parametrize(
    ("end", "looks"),
    [
        ("above", "board.top > message.bottom"),
        ("below", "message.top > board.bottom"),
        ("dialog", "document.elementFromPoint(board.left + 5, board.top + 5).className === 'backdrop'"),
        ("blur", "getComputedStyle(document.querySelector('.board')).filter === 'blur(5px)'"),
        ("veil", "document.elementFromPoint(board.left + 60, board.top + 60).className === 'veil'"),
        ("blink", "document.getAnimations().filter((each) => each.animationName === 'blink').length === 4"),
        ("recolour", "document.querySelectorAll('[data-winning] .disc').values().every((disc) => "
         "getComputedStyle(disc).backgroundColor === 'rgb(53, 224, 138)')"),
        ("result", "board.width === 0 && document.querySelector('.result h1').textContent === 'First wins'"),
    ],
)  # fmt: skip
def test_a_game_ends_as_the_address_says_and_another_one_begins_without_it(
    show: Callable[..., BrowserScreen], end: str, looks: str
) -> None:
    screen = end_of_game(show, end)
    there = """(() => {
      const [board, message] =
        [".board", ".message"].map((name) => document.querySelector(name).getBoundingClientRect());
      return %s;
    })()"""
    assert screen.page.evaluate(there % looks)
    screen.page.keyboard.press("n")
    assert screen.page.evaluate("document.documentElement.dataset.ended === undefined")
    assert screen.page.locator(".backdrop, .verdict, .veil, .result").count() == 0
    assert box(screen, ".board")["width"] > 100


def test_nothing_of_the_end_shows_before_the_last_move_is_drawn_and_the_time_is_over(
    show: Callable[..., BrowserScreen],
) -> None:
    screen = end_of_game(show, "dialog", endAfter=60000)
    assert (referee(screen)["over"], screen.page.locator(".verdict").count()) == (True, 0)


def test_an_alert_tells_who_won(show: Callable[..., BrowserScreen]) -> None:
    said: list[str] = []
    screen = show("connect_four", second="person", end="alert", endAfter=0)
    screen.page.once("dialog", lambda dialog: (said.append(dialog.message), dialog.accept()))
    screen.page.keyboard.type(WON)
    assert said == ["First wins"]


def test_a_board_is_set_up_anew_by_itself_and_the_referee_remembers_the_game(
    show: Callable[..., BrowserScreen],
) -> None:
    screen = end_of_game(show, "reset")
    until(screen, "boardsightReferee.moves.length === 0")
    told = referee(screen)
    assert [(game["winner"], len(game["moves"])) for game in told["ended"]] == [(0, 7)]
    assert (told["over"], screen.page.locator(".disc").count()) == (False, 0)


def test_a_player_that_lost_drops_one_more_disc(show: Callable[..., BrowserScreen]) -> None:
    screen = show("connect_four", end="more", length=3)  # three in a row against a player that moves anywhere
    for key in "1111122222333334444455555":
        if not referee(screen)["over"]:
            screen.page.keyboard.press(key)
            until(screen, "boardsightReferee.over || boardsightReferee.player === 0")
    told = referee(screen)
    assert told["winner"] == 0
    until(screen, f"document.querySelectorAll('.disc').length === {len(told['moves']) + 1}")


@pytest.mark.parametrize(("turn", "corner"), [("none", 0), ("half", 3), ("mirror", 1), ("flip", 2)])
@pytest.mark.parametrize("game", ["flood_it", "filler", "blokus", "quoridor"])
def test_boards_are_turned_and_mirrored(show: Callable[..., BrowserScreen], game: str, turn: str, corner: int) -> None:
    screen = show(game, turn=turn)
    here, board = middle(screen, "cell:0,0"), box(screen, ".board")
    right, low = here[0] > board["x"] + board["width"] / 2, here[1] > board["y"] + board["height"] / 2
    assert 2 * low + right == corner


@pytest.mark.parametrize("turn", ["none", "half", "mirror", "flip"])
def test_a_wall_lies_right_of_and_below_the_part_of_the_groove_that_was_pressed(
    show: Callable[..., BrowserScreen], turn: str
) -> None:
    screen = show("quoridor", second="person", turn=turn, size=5)
    cells = [middle(screen, f"cell:{row},{col}") for row, col in [(1, 1), (2, 2), (3, 3)]]
    side = abs(cells[1][0] - cells[0][0])
    x, y = min(x for x, _ in cells), min(y for _, y in cells)  # of the upper left of these
    screen.page.mouse.click(x, y + side / 2)
    screen.page.mouse.click(x + 1.5 * side, y + side)
    walls = [box(screen, f'.wall[data-kind="{kind}"][data-name]') for kind in "hv"]
    for wall, (left, top) in zip(walls, [(x, y + side / 2), (x + 1.5 * side, y + side)], strict=True):
        upright = wall["height"] > wall["width"]
        assert abs(wall["x"] + wall["width"] / 2 - left - (0 if upright else side / 2)) < 3
        assert abs(wall["y"] + wall["height"] / 2 - top - (side / 2 if upright else 0)) < 3


@pytest.mark.parametrize("turn", ["none", "half", "mirror", "flip"])
def test_a_piece_lies_as_it_looks_in_the_tray_however_the_board_lies(
    show: Callable[..., BrowserScreen], turn: str
) -> None:
    screen = show("blokus", second="person", turn=turn)
    screen.page.locator('[data-press="piece:1,F"]').click()
    screen.page.mouse.click(*middle(screen, "cell:4,4"))
    places = """(selector) => {
      const boxes = [...document.querySelectorAll(selector)].map((each) => each.getBoundingClientRect());
      const [left, top] = ["left", "top"].map((side) => Math.min(...boxes.map((box) => box[side])));
      const cells = (length) => Math.round(length / boxes[0].width);
      return boxes.map((box) => `${cells(box.top - top)},${cells(box.left - left)}`).sort();
    }"""
    assert screen.page.evaluate(places, '.cell[data-owner="1"]') == ["0,1", "0,2", "1,0", "1,1", "2,1"]


def test_both_moves_show_in_one_repaint(show: Callable[..., BrowserScreen]) -> None:
    screen = show("connect_four", answer="together", pause=60000)
    screen.page.keyboard.press("4")
    assert (referee(screen)["moves"], screen.page.locator(".disc").count()) == (["4"], 0)
    screen = show("connect_four", answer="together", pause=50)
    screen.page.keyboard.press("4")
    screen.page.wait_for_selector(".disc")
    assert screen.page.locator(".disc").count() == 2
