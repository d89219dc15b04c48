"""The habits that the bundled pages have of real ones: each is seen to be there."""

from collections.abc import Callable
from typing import Any

import pytest

from bot.screens.browser import BrowserScreen
from calibration.locate import locate
from tests.pages import until

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


def test_a_page_may_say_who_won_before_it_draws_the_last_move_and_deal_anew(
    show: Callable[..., BrowserScreen],
) -> None:
    before = show("connect_four").dialogs
    screen = end_of_game(show, "dealt", animation=0)
    assert screen.dialogs == before + 1
    assert len(referee(screen)["ended"]) == 1
    assert screen.page.evaluate("document.documentElement.dataset.ended === undefined")


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
    until(screen.page, "boardsightReferee.moves.length === 0")
    told = referee(screen)
    assert [(game["winner"], len(game["moves"])) for game in told["ended"]] == [(0, 7)]
    assert (told["over"], screen.page.locator(".disc").count()) == (False, 0)


def test_a_player_that_lost_drops_one_more_disc(show: Callable[..., BrowserScreen]) -> None:
    screen = show("connect_four", end="more", length=3, seed=1)  # three in a row against a player that moves anywhere
    for key in "1111122222333334444455555":
        if not referee(screen)["over"]:
            screen.page.keyboard.press(key)
            until(screen.page, "boardsightReferee.over || boardsightReferee.player === 0")
    told = referee(screen)
    assert told["winner"] == 0
    until(screen.page, f"document.querySelectorAll('.disc').length === {len(told['moves']) + 1}")


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


@pytest.mark.parametrize(
    ("barred", "looks"),
    [
        ("faded", "each.opacity === '0.3'"),
        ("crossed", "each.opacity === '1' && each.backgroundImage.includes('gradient')"),
        ("small", "each.opacity === '1' && each.width === '26px'"),
        ("missing", "each.visibility === 'hidden'"),
        ("gone", "each.display === 'none'"),
        ("plain", "each.opacity === '1' && each.backgroundImage === 'none'"),
    ],
)
def test_the_colours_that_may_not_be_played_look_as_the_address_says(
    show: Callable[..., BrowserScreen], barred: str, looks: str
) -> None:
    screen = show("filler", barred=barred)
    two = "[...document.querySelectorAll('.colour:disabled')].map((each) => getComputedStyle(each))"
    assert screen.page.evaluate(f"{two}.map((each) => {looks})") == [True, True]


def test_a_game_is_over_where_a_player_owns_more_than_half_if_the_address_says_so(
    show: Callable[..., BrowserScreen],
) -> None:
    for over in ("full", "majority"):
        screen = show("filler", second="person", over=over, board="0001/0001/0031/2323")
        screen.page.locator('[data-press="colour:1"]').click()
        until(screen.page, "boardsightReferee.moves.length === 1")
        assert referee(screen)["over"] is (over == "majority")


@pytest.mark.parametrize(("bars", "barred"), [("both", ["0", "3"]), ("own", ["0"])])
def test_ones_own_colour_alone_may_not_be_named_if_the_address_says_so(
    show: Callable[..., BrowserScreen], bars: str, barred: list[str]
) -> None:
    screen = show("filler", second="person", bars=bars, board="0001/0001/0031/2323")
    named = "[...document.querySelectorAll('.colour:disabled')].map((each) => each.dataset.colour)"
    assert screen.page.evaluate(named) == barred


def test_nothing_but_the_board_tells_of_a_game_on_a_bare_page(show: Callable[..., BrowserScreen]) -> None:
    page = show("filler", about="none", counter="none").page
    assert page.locator(".player:visible, .bracket:visible, .counter:visible").count() == 0
    board = box(show("filler", counter="below"), ".board")
    assert box(show("filler", counter="below"), ".counter")["y"] > board["y"] + board["height"]


@pytest.mark.parametrize(
    ("starts", "looks"), [("mark", [True, False]), ("tint", [False, True]), ("none", [False, False])]
)
def test_start_cells_are_marked_or_tinted(show: Callable[..., BrowserScreen], starts: str, looks: list[bool]) -> None:
    screen = show("blokus", starts=starts)
    assert (
        screen.page.evaluate("""(() => {
      const [start, other] = ["cell:9,9", "cell:9,8"].map((name) => document.querySelector(`[data-press="${name}"]`));
      const ground = (cell) => getComputedStyle(cell, "::before").backgroundColor;
      return [getComputedStyle(start, "::after").display !== "none", ground(start) !== ground(other)];
    })()""")
        == looks
    )


def test_start_cells_have_thick_rims(show: Callable[..., BrowserScreen]) -> None:
    rim = """getComputedStyle(document.querySelector("[data-press='cell:2,3']"), "::before").boxShadow"""
    assert "inset" in show("flood_it", starts="rim", start="2,3").page.evaluate(rim)
    assert "inset" not in show("flood_it", starts="rim").page.evaluate(rim)


def test_a_flood_goes_over_the_edge_where_the_page_says_so(show: Callable[..., BrowserScreen]) -> None:
    board = "011/111/101"
    screen = show("flood_it", board=board, edge="wraps")
    screen.page.keyboard.press("2")
    assert referee(screen)["won"] is False  # the middle of the last row was not reached
    assert referee(screen)["grid"] == [[1, 1, 1], [1, 1, 1], [1, 0, 1]]
    screen.page.keyboard.press("1")
    assert referee(screen)["won"]
    around = show("flood_it", board="010/111/010", edge="wraps", limit=9)
    around.page.keyboard.press("2")
    assert referee(around)["won"]  # all four corners are one region


def test_a_flood_goes_over_corners_where_the_page_says_so(show: Callable[..., BrowserScreen]) -> None:
    screen = show("flood_it", board="011/101/112", edge="corners", limit=9)
    screen.page.keyboard.press("3")
    assert referee(screen)["grid"] == [[2, 1, 1], [1, 2, 1], [1, 1, 2]]
    screen.page.keyboard.press("2")
    assert referee(screen)["won"]


def test_a_flood_begins_anywhere_and_with_one_cell(show: Callable[..., BrowserScreen]) -> None:
    screen = show("flood_it", board="000/001/222", start="0,1", patch="cell", colours=3, limit=9)
    screen.page.keyboard.press("2")
    assert referee(screen)["grid"] == [[0, 1, 0], [0, 0, 1], [2, 2, 2]]
    screen.page.keyboard.press("1")
    assert referee(screen)["grid"] == [[0, 0, 0], [0, 0, 1], [2, 2, 2]]
    screen.page.keyboard.press("3")
    assert referee(screen)["grid"] == [[2, 2, 2], [2, 2, 1], [2, 2, 2]]


def test_players_begin_with_one_cell(show: Callable[..., BrowserScreen]) -> None:
    board = "000/012/122"
    assert referee(show("filler", board=board))["owner"] == [[1, 1, 1], [1, 0, 2], [0, 2, 2]]
    assert referee(show("filler", board=board, patch="cell"))["owner"] == [[1, 0, 0], [0, 0, 0], [0, 0, 2]]


STAGED = {"connect_four": "cell:0,3", "filler": "colour:2", "quoridor": "cell:7,4"}
"""A first move that shows before it is made."""


@pytest.mark.parametrize("stage", ["twice", "enter", "confirm"])
@pytest.mark.parametrize("game", STAGED)
def test_a_move_is_shown_and_made_by_more_than_one_press(
    show: Callable[..., BrowserScreen], game: str, stage: str
) -> None:
    screen = show(game, stage=stage, lights="on", second="person", seed=5)
    press = screen.page.locator(f'[data-press="{STAGED[game]}"] >> nth=0')
    press.click()
    assert referee(screen)["moves"] == []
    assert screen.page.locator('[data-staged="1"]').count() > 0
    lit = screen.page.locator(".confirm:enabled").count()
    assert lit == (stage == "confirm")
    if lit:
        assert (
            screen.page.evaluate("getComputedStyle(document.querySelector('.confirm')).color") == "rgb(255, 255, 255)"
        )
    {"twice": press.click, "enter": lambda: screen.page.keyboard.press("Enter")}.get(
        stage, lambda: screen.page.locator(".confirm").click()
    )()
    told = referee(screen)
    assert (len(told["moves"]), screen.page.locator("[data-staged]").count()) == (1, 0)
    assert [click["effect"] for click in told["clicks"]] == ["shown", "move"]


def test_a_move_and_its_answer_are_taken_back_once_there_is_one(show: Callable[..., BrowserScreen]) -> None:
    screen = show("connect_four", undo="on", second="random", pause=20, animation=0, seed=5)
    undo = screen.page.locator('[data-press="undo"]')
    assert undo.is_disabled()
    screen.page.locator('[data-press="cell:0,3"]').click()
    until(screen.page, "boardsightReferee.moves.length === 2")
    undo.click()
    assert (referee(screen)["moves"], undo.is_disabled()) == ([], True)
    assert referee(screen)["clicks"][-1]["effect"] == "undone"


def test_a_move_that_is_only_shown_is_hidden_again(show: Callable[..., BrowserScreen]) -> None:
    screen = show("connect_four", undo="shown", stage="confirm", second="person")
    undo = screen.page.locator('[data-press="undo"]')
    assert undo.is_disabled()
    screen.page.locator('[data-press="cell:0,3"]').click()
    undo.click()
    assert (screen.page.locator("[data-staged]").count(), undo.is_disabled()) == (0, True)
    assert [click["effect"] for click in referee(screen)["clicks"]] == ["shown", "hidden"]


def test_what_may_not_be_played_shows_in_red_and_is_not_made(show: Callable[..., BrowserScreen]) -> None:
    screen = show("blokus", stage="confirm", second="person")
    screen.page.locator('[data-press="piece:1,F"]').click()
    screen.page.mouse.click(*middle(screen, "cell:1,1"))
    assert screen.page.locator('[data-staged="no"]').count() == 5
    assert screen.page.locator(".confirm:disabled").count() == 1
    assert referee(screen)["clicks"][-1]["effect"] == "illegal"


def test_a_piece_that_is_set_comes_where_the_board_is_pressed_and_lies_when_that_is_confirmed(
    show: Callable[..., BrowserScreen],
) -> None:
    screen = show("blokus", pieces="set", second="person")
    screen.page.locator('[data-press="piece:1,X"]').click()
    assert screen.page.locator('[data-staged="no"]').count() == 5
    screen.page.mouse.click(*middle(screen, "cell:4,4"))
    assert screen.page.locator('[data-staged="1"]').count() == 5
    assert referee(screen)["moves"] == []
    screen.page.locator(".confirm").click()
    assert [click["effect"] for click in referee(screen)["clicks"]] == ["picked", "set", "move"]


def test_a_press_is_swallowed_unless_the_pointer_rested_there(show: Callable[..., BrowserScreen]) -> None:
    screen = show("connect_four", hover="needed", second="person")
    sudden = """(() => {
      const cell = document.querySelector('[data-press="cell:0,3"]');
      cell.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
      cell.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 }));
    })()"""
    screen.page.evaluate(sudden)
    screen.page.mouse.move(*middle(screen, "cell:0,3"))
    screen.page.wait_for_timeout(100)  # more than it has to rest
    screen.page.mouse.down()
    screen.page.mouse.up()
    told = referee(screen)
    assert ([click["effect"] for click in told["clicks"]], told["moves"]) == (["swallowed", "move"], ["4"])


@pytest.mark.parametrize(("slot", "walls"), [("after", ["h,1,2", "v,1,2"]), ("before", ["h,1,1", "v,0,2"])])
def test_a_wall_lies_beyond_the_part_that_was_pressed_or_before_it_and_is_shown_there_first(
    show: Callable[..., BrowserScreen], slot: str, walls: list[str]
) -> None:
    screen = show("quoridor", slot=slot, size=5)
    for wall, (row, col) in zip(walls, [(1, 2), (1, 2)], strict=True):
        across = wall.startswith("h")
        first, second = (middle(screen, f"cell:{row + way * across},{col + way * (not across)}") for way in (0, 1))
        screen.page.mouse.move((first[0] + second[0]) / 2, (first[1] + second[1]) / 2)
        under = "[...document.querySelectorAll('.groove:hover')].map((each) => each.dataset.press)"
        assert screen.page.evaluate(under) == [f"wall:{wall}"]
        ghost = box(screen, ".ghost")
        shown = ghost["x"] + ghost["width"] / 2, ghost["y"] + ghost["height"] / 2
        assert (shown[0] > first[0] if across else shown[1] > first[1]) == (slot == "after")


@pytest.mark.parametrize("pieces", ["carried", "dragged"])
def test_a_piece_is_turned_where_it_waits_and_stays_so(show: Callable[..., BrowserScreen], pieces: str) -> None:
    page = show("blokus", turns="tray", pieces=pieces, second="person").page
    piece = page.locator('[data-press="piece:1,L4"]')
    lie = "[...document.querySelectorAll('[data-press=\"piece:1,L4\"] .bit')].map((bit) => bit.style.gridArea).join()"
    before = page.evaluate(lie)
    piece.dblclick()
    turned = page.evaluate(lie)
    page.locator('[data-press="piece:1,X"]').click()
    piece.hover()
    page.mouse.down()
    if pieces == "carried":
        page.mouse.up()
    held = page.evaluate("boardsightReferee.hand.cells.map(([row, col]) => `${row + 1} / ${col + 1}`).join()")
    assert before not in ("", turned)
    assert turned == held == page.evaluate(lie)


@pytest.mark.parametrize("turns", ["keys", "buttons", "wheel", "double"])
def test_a_piece_is_turned_in_one_way(show: Callable[..., BrowserScreen], turns: str) -> None:
    screen = show("blokus", turns=turns, tray="solid")
    page = screen.page
    piece = page.locator('[data-press="piece:1,L4"]')
    piece.click()
    shape = "[...document.querySelectorAll('.held .bit')].map((each) => each.style.gridArea).join()"
    fresh = page.evaluate(shape)
    page.keyboard.press("r")
    assert (page.evaluate(shape) != fresh) == (turns == "keys")
    page.mouse.wheel(0, 100)
    if turns == "wheel":
        until(screen.page, f"{shape} !== '{fresh}'")
    assert page.locator('[data-press="turn:rotate"]:visible').count() == (turns == "buttons")
    piece.dblclick()
    assert (page.evaluate(shape) != fresh) == (turns == "double")
    if turns == "double":
        once = page.evaluate(shape)
        piece.dblclick()
        assert page.evaluate(shape) not in (fresh, once)


def test_keys_lead_on_and_back_through_all_forms_of_a_piece_and_places_for_it_are_marked(
    show: Callable[..., BrowserScreen],
) -> None:
    page = show("blokus", turns="listed", offers="dots", second="person").page
    page.locator('[data-press="piece:1,F"]').click()
    shape = "[...document.querySelectorAll('.held .bit')].map((each) => each.style.gridArea).sort().join()"
    forms = [page.evaluate(shape)]
    for _ in range(8):
        page.keyboard.press("r")
        forms.append(page.evaluate(shape))
    assert (len(set(forms)), forms[8]) == (8, forms[0])
    page.keyboard.press("f")
    assert page.evaluate(shape) == forms[7]
    assert page.locator("[data-offer]").count() == 5  # each of its cells may cover the start
    page.keyboard.press("Escape")
    assert page.locator("[data-offer]").count() == 0


@pytest.mark.parametrize(("tells", "shown"), [("on", "no"), ("off", "1")])
def test_a_piece_in_hand_shows_where_it_may_not_lie_or_shows_alike_everywhere(
    show: Callable[..., BrowserScreen], tells: str, shown: str
) -> None:
    page = show("blokus", tells=tells, second="person").page
    page.locator('[data-press="piece:1,F"]').click()
    page.locator('[data-press="cell:10,3"]').hover()
    assert page.locator(f'[data-ghost="{shown}"]').count() == 5


def test_a_piece_in_hand_shows_late_where_the_page_follows_the_pointer_so(show: Callable[..., BrowserScreen]) -> None:
    screen = show("blokus", follow="late", second="person")
    screen.page.locator('[data-press="piece:1,X"]').click()
    at_once = """(() => {
      const cell = document.querySelector('[data-press="cell:4,4"]');
      cell.dispatchEvent(new PointerEvent("pointermove", { bubbles: true }));
      return document.querySelectorAll("[data-ghost]").length;
    })()"""
    assert screen.page.evaluate(at_once) == 0
    until(screen.page, "document.querySelectorAll('[data-ghost]').length === 5")


def test_the_wheel_turns_the_piece_in_hand_and_scrolls_the_page_without_one(show: Callable[..., BrowserScreen]) -> None:
    screen = show("blokus", turns="wheel", crop="board")
    screen.page.locator('[data-press="piece:1,L4"]').click()
    screen.page.mouse.wheel(0, 30)
    until(screen.page, "boardsightReferee.clicks.some(({ target }) => target === 'turn:rotate')")
    assert screen.page.evaluate("scrollY") == 0
    screen.page.evaluate("document.dispatchEvent(new Event('again'))")  # nothing is in hand in a new game
    screen.page.mouse.wheel(0, 30)
    until(screen.page, "scrollY > 0")


def test_a_player_shows_its_move_before_it_makes_it(show: Callable[..., BrowserScreen]) -> None:
    screen = show("connect_four", answer="twice", pause=50)
    screen.page.evaluate("""(() => {
      window.seen = [];
      const note = (changes) => seen.push(...changes.map(({ target }) => target.dataset.staged ?? "none"));
      new MutationObserver(note).observe(document.body, { attributeFilter: ["data-staged"], subtree: true });
    })()""")
    screen.page.keyboard.press("4")
    until(screen.page, "document.querySelectorAll('.disc').length === 2")
    assert screen.page.evaluate("seen") == ["2", "none"]
    assert screen.page.locator("[data-staged]").count() == 0


@pytest.mark.parametrize(
    ("settings", "moving"),
    [({}, 1), ({"start": "2,2"}, 1), ({"game": "quoridor"}, 1), ({"game": "filler"}, 2), ({"pulse": "off"}, 0)],
)
def test_own_cells_and_the_pawn_to_move_pulse(
    show: Callable[..., BrowserScreen], settings: dict[str, Any], moving: int
) -> None:
    screen = show(**{"game": "flood_it", "pulse": "on", **settings})
    named = "document.getAnimations().filter((each) => each.animationName === 'pulse').length"
    assert screen.page.evaluate(named) == moving


def test_obstacles_are_no_cells_and_bear_a_sign(show: Callable[..., BrowserScreen]) -> None:
    screen = show("flood_it", size=6, obstacles=5, icons="on", seed=4)
    grid = referee(screen)["grid"]
    assert sum(row.count(-2) for row in grid) == 5
    assert grid[0][0] >= 0
    sign = """getComputedStyle(document.querySelector('[data-colour="-2"]'), "::before")"""
    assert screen.page.evaluate(f"[{sign}.content, {sign}.visibility]") == ['"✖"', "visible"]
    assert "✖" not in show("flood_it", size=6, obstacles=5, seed=4).page.evaluate(f"{sign}.content")


def test_the_faces_of_the_colours_are_as_the_address_says(show: Callable[..., BrowserScreen]) -> None:
    ground = "getComputedStyle(document.querySelector('.colour')).backgroundImage"
    assert "gradient" in show("filler", faces="gradient", skin="plain").page.evaluate(ground)
    wide = show("filler", faces="wide", window=(1280, 700))
    first, last, board = (box(wide, name) for name in (".colour", ".colour:last-child", ".board"))
    assert first["x"] < board["x"] - 50
    assert last["x"] + last["width"] > board["x"] + board["width"] + 50


@pytest.mark.parametrize("crop", ["none", "buttons", "board"])
def test_the_windows_edge_cuts_the_buttons_or_the_board(show: Callable[..., BrowserScreen], crop: str) -> None:
    screen = show("filler", crop=crop)
    edge = {"none": [], "buttons": ['[data-press="colour:0"]'], "board": ['[data-press="cell:0,0"]', ".board"]}
    lower = {name: box(screen, name)["y"] + box(screen, name)["height"] for name in edge["buttons"] + edge["board"]}
    assert (lower[".board"] > 900) == (crop == "board")
    assert (lower['[data-press="colour:0"]'] > 900) == (crop != "none")
    assert lower['[data-press="cell:0,0"]'] < 900


@pytest.mark.parametrize(
    ("before", "hidden", "words"),
    [("start", True, "Play vs CPU"), ("level", True, "Go!"), ("cookies", False, "Accept"), ("rules", False, "Got it")],
)
def test_what_stands_before_the_board_goes_with_a_press_of_its_button(
    show: Callable[..., BrowserScreen], before: str, hidden: bool, words: str
) -> None:
    screen = show("flood_it", before=before)
    assert screen.page.locator(".board").is_hidden() == hidden
    screen.page.locator(f"text={words}").click()
    told = referee(screen)
    assert (screen.page.locator(".menu, .cookies, .rules").count(), told["clicks"]) == (0, [])
    assert box(screen, ".board") == box(show("flood_it"), ".board")


@pytest.mark.parametrize("modes", ["toggle", "right"])
def test_cells_build_walls_in_another_mode_and_grooves_do_nothing(
    show: Callable[..., BrowserScreen], modes: str
) -> None:
    screen = show("quoridor", size=5, modes=modes, second="person")
    page, cell = screen.page, middle(screen, "cell:1,1")
    page.locator('[data-press="wall:h,1,1"] >> nth=0').click()
    assert referee(screen)["moves"] == []
    for move in ["c2", "b3h", "b3v"]:  # rows from below: the second move crosses none, the third one does
        if move == "c2":
            page.mouse.click(*middle(screen, "cell:3,2"))
        else:
            page.mouse.click(*cell)
        assert (referee(screen)["moves"][-1:] == [move]) == (move != "b3v")
        if modes == "toggle":
            page.locator('[data-press="mode"]').click()
        else:
            page.mouse.click(*cell, button="right")
    assert [click["effect"] for click in referee(screen)["clicks"]] == [
        *("ignored", "move", "turned", "move", "turned", "illegal", "turned")
    ]


@pytest.mark.parametrize("modes", ["row", "list"])
def test_a_row_of_buttons_or_a_list_turns_to_each_mode(show: Callable[..., BrowserScreen], modes: str) -> None:
    screen = show("quoridor", size=5, modes=modes, second="person")
    page = screen.page
    for mode, move in (("walk", "b3"), ("v", "b3v"), ("h", "b3h")):
        if modes == "row":
            page.locator(f'[data-press="mode:{mode}"]').click()
            assert page.locator("[data-lit]").get_attribute("data-press") == f"mode:{mode}"
        else:
            page.locator("select.modes").select_option(mode)
        page.mouse.click(*middle(screen, "cell:1,1"))
        told = referee(screen)
        assert (told["moves"][-1:] == [move]) == (mode == "v")
    assert [click["effect"] for click in told["clicks"]] == ["turned", "illegal", "turned", "move", "turned", "illegal"]


@pytest.mark.parametrize("modes", ["wheel", "key"])
def test_grooves_build_walls_of_the_way_that_was_turned_last(show: Callable[..., BrowserScreen], modes: str) -> None:
    screen = show("quoridor", size=5, modes=modes, second="person")
    page, groove = screen.page, screen.page.locator('[data-press="wall:v,1,1"] >> nth=0')
    groove.click()
    assert referee(screen)["moves"] == ["b3h"]
    page.locator('[data-press="wall:v,3,3"] >> nth=0').hover()
    if modes == "wheel":
        page.mouse.wheel(0, 100)
        until(page, "boardsightReferee.clicks.at(-1).effect === 'turned'")
    else:
        page.keyboard.press("r")
    page.locator('[data-press="wall:h,3,3"] >> nth=0').click()
    assert referee(screen)["moves"] == ["b3h", "d1v"]


@pytest.mark.parametrize("turn", ["none", "mirror"])
def test_walls_are_swiped_along_their_groove_over_one_crossing(show: Callable[..., BrowserScreen], turn: str) -> None:
    screen = show("quoridor", size=5, lay="swipe", turn=turn, second="person")
    mouse, (x, y) = screen.page.mouse, middle(screen, "cell:1,1")
    right, down = middle(screen, f"cell:1,{2 if turn == 'none' else 0}")[0] - x, middle(screen, "cell:2,1")[1] - y

    def swipe(col: float, row: float, to_col: float, to_row: float) -> None:
        mouse.move(x + col * right, y + row * down)
        mouse.down()
        mouse.move(x + to_col * right, y + to_row * down, steps=3)
        mouse.up()

    swipe(0, 0.5, 1, 0.5)
    swipe(0.5, 1, 0.5, 2)
    swipe(0, 2.5, 0.5, 2.5)  # to the crossing: no wall
    swipe(0, 0.5, 0, 1.5)  # across
    assert referee(screen)["moves"] == (["b3h", "b2v"] if turn == "none" else ["a3h", "a2v"])


@pytest.mark.parametrize("turn", ["none", "half"])
def test_pawns_are_dragged_to_their_cell(show: Callable[..., BrowserScreen], turn: str) -> None:
    screen = show("quoridor", size=5, pieces="dragged", turn=turn, second="person")
    mouse = screen.page.mouse

    def drag(begin: str, end: str) -> None:
        mouse.move(*middle(screen, begin))
        mouse.down()
        mouse.move(*middle(screen, end), steps=3)
        mouse.up()

    mouse.click(*middle(screen, "cell:3,2"))
    drag("cell:0,2", "cell:1,2")  # the other side's
    assert referee(screen)["moves"] == []
    drag("cell:4,2", "cell:3,2")
    drag("cell:0,2", "cell:1,2")
    assert referee(screen)["moves"] == ["c2", "c4"]


def test_a_drag_that_a_page_does_not_hear_is_no_press_beside_everything(show: Callable[..., BrowserScreen]) -> None:
    screen = show("quoridor", size=5, modes="toggle", second="person")
    mouse, (x, y), (x2, y2) = screen.page.mouse, middle(screen, "cell:1,1"), middle(screen, "cell:2,2")
    for begin in ((x, (y + y2) / 2), (2, 2)):
        mouse.move(*begin)
        mouse.down()
        mouse.move(x2, (y + y2) / 2, steps=3)
        mouse.up()
    presses = [(click["hit"], click["effect"]) for click in referee(screen)["clicks"]]
    assert presses == [("drag", "ignored"), ("none", "none")]


def test_four_play_with_the_pieces_of_all_or_of_ours_alone(show: Callable[..., BrowserScreen]) -> None:
    rivals = {"first": "greedy", "second": "greedy", "third": "person", "fourth": "greedy"}
    screen = show("blokus", variant="classic", trays="own", pause=20, animation=0, **rivals)
    until(screen.page, "boardsightReferee.player === 2")
    assert len(screen.page.evaluate("boardsightReferee.moves")) == 2
    assert screen.page.locator(".tray").count() == 1
    for name in ("piece:3,1", "cell:19,19"):
        screen.page.locator(f'[data-press="{name}"]').click()
    until(screen.page, "boardsightReferee.moves.length === 6")
    assert screen.page.evaluate("boardsightReferee.moves[2]") == "t1"


def test_two_play_two_colours_each(show: Callable[..., BrowserScreen]) -> None:
    screen = show("blokus", variant="classic-2", second="person")
    assert screen.page.evaluate("boardsightReferee.seats") == ["person"] * 4
    assert screen.page.locator(".tray").count() == 4


@pytest.mark.parametrize(
    ("board", "seen"), [("000000-000010-000011-100111", True), ("000000-000010-000011-200111", False)]
)
def test_buttons_show_beside_a_board_that_is_pressed_where_none_of_its_cells_may_be(
    show: Callable[..., BrowserScreen], board: str, seen: bool
) -> None:
    screen = show("filler", second="person", controls="cells", board=board.replace("-", "/"))
    assert screen.page.locator(".colours").is_visible() == seen


@pytest.mark.parametrize("game", ["flood_it", "filler"])
def test_cells_may_be_wider_than_high(show: Callable[..., BrowserScreen], game: str) -> None:
    cell = box(show(game, cells="wide"), ".cell")
    assert cell["width"] == pytest.approx(1.5 * cell["height"], abs=1)


@pytest.mark.parametrize("skin", ["classic", "gaps", "dark", "stone", "gradient", "pastel"])
def test_a_fresh_board_of_blokus_is_found_in_each_look_of_the_page(
    show: Callable[..., BrowserScreen], skin: str
) -> None:
    found = locate(show("blokus", skin=skin, second="person").grab())
    assert (found.game, found.lattice.rows, found.lattice.cols) == ("blokus", 14, 14)
