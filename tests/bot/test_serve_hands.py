"""The table under a hand, in a real browser: whole games by touch and by mouse, in which no input does nothing."""

import re
from contextlib import contextmanager

import pytest

from bot.web.server import ViewerServer
from games import GAMES
from tests.pages import until

pytestmark = pytest.mark.browser

WINDOWS = PHONE, TABLET, DESK = (390, 844), (820, 1180), (1280, 800)


@pytest.fixture(scope="module")
def server():
    with ViewerServer() as running:
        yield running


BEGIN = """
async ([game, seats, options]) => {
  const { open } = await import("/asking.js");
  document.querySelector("board-view").dataset.ply = "";
  open({ type: "INIT", game, seats, options, seed: 5 });
}
"""
"""Asks for a new game as the page does."""

LOOKS = """
() => JSON.stringify([
  document.querySelector("board-view").dataset.ply,
  document.querySelector(".say").textContent,
  document.querySelector(".piece[aria-pressed=true]")?.innerHTML,
  [...document.querySelectorAll(".ghost path")].map((path) => path.getAttribute("d")),
  document.querySelector("board-view").hasAttribute("data-carries"),
])
"""
"""What an input may change: the position, what is said, what is in hand, the shadow."""


class Hand:
    """Somebody's hand on a page: each input must change something, and is counted."""

    def __init__(self, page, *, touch):
        self.page, self.touch, self.inputs = page, touch, 0
        self._session = page.context.new_cdp_session(page)

    def begin(self, game, *, seats=("person", "random:seed=1"), **options):
        """A new game."""
        self.inputs = 0
        self.page.evaluate(BEGIN, [game, seats, options])
        self.page.wait_for_selector(f'board-view[data-game="{game}"][data-ply="0"]')

    @contextmanager
    def input(self):
        before = self.page.evaluate(LOOKS)
        yield
        self.inputs += 1
        until(self.page, f"before => ({LOOKS})() !== before", before)  # else it did nothing

    def press(self, x, y):
        with self.input():
            self.page.touchscreen.tap(x, y) if self.touch else self.page.mouse.click(x, y)

    def press_on(self, locator):
        locator.scroll_into_view_if_needed()
        self.press(*middle(locator))

    def drag(self, *points):
        """Puts a finger down at the first point, and goes to each of the others before it is lifted."""
        with self.input():
            for number, (x, y) in enumerate(points):
                kind = "touchMove" if number else "touchStart"
                self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
            self._session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def middle(locator):
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.fixture
def table(open_page, server):
    """table(game, window, ...): a new game on a page of its own."""

    def sit(game, window, *, motion="no-preference", bypass_csp=False, **wishes):
        touch = window != DESK
        size = dict(zip(("width", "height"), window, strict=True))
        page = open_page(viewport=size, has_touch=touch, is_mobile=touch, reduced_motion=motion, bypass_csp=bypass_csp)
        page.goto(f"{server.url}#{game}")
        page.wait_for_selector(f'board-view[data-game="{game}"] .places button')
        hand = Hand(page, touch=touch)
        hand.begin(game, **wishes)
        return hand

    return sit


def awaited(page):
    """Waits until the person may move, or the game is over; whether it goes on."""
    page.wait_for_selector('board-view[data-over="true"], board-view[data-awaits="true"]')
    return page.get_attribute("board-view", "data-over") == "false"


def moved(page, ply):
    page.wait_for_selector(f'board-view:not([data-ply="{ply}"])')


def play_blokus(hand, number):
    """A piece that fits is taken, its shadow laid where it is marked, and tapped; by mouse it is dragged there."""
    page = hand.page
    piece = page.locator(".piece:not([aria-disabled])").nth(-1)  # a large one
    if not hand.touch:
        x, y = middle(page.locator('[data-place="e4"]'))
        with hand.input():
            page.mouse.move(*middle(piece))
            page.mouse.down()
            page.mouse.move(x, y, steps=3)
            page.mouse.move(*middle(page.locator('.places [aria-disabled="false"]').first), steps=3)
            page.mouse.up()
        return
    hand.press_on(piece)
    place = page.locator('.places [aria-disabled="false"]').first
    hand.press_on(place)
    hand.press_on(place)


def play_cells(hand, number):
    places = hand.page.locator('.places [aria-disabled="false"], .colour:enabled')  # a colour may be on no cell
    hand.press_on(places.nth((7 * number) % places.count()))


def play_quoridor(hand, number):
    """First a wall, whose shadow is laid beside its groove, moved by a drag and tapped; then steps ahead."""
    page = hand.page
    if number:
        hand.press_on(page.locator('.places [data-kind="cell"][aria-disabled="false"]').first)
        return
    if not hand.touch:
        hand.press_on(page.locator('[data-place="b3h"]'))
        return
    x, y = middle(page.locator('[data-place="b3h"]'))
    hand.press(x, y - 9)
    shadow = page.locator(".ghost-shape")
    before = shadow.bounding_box()
    hand.drag((x, y - 9), (x + 30, y - 9), middle(page.locator('[data-place="c2h"]')))
    after = shadow.bounding_box()
    assert after["y"] > before["y"]
    hand.press(*middle(shadow))


PLAY = {"blokus": play_blokus, "quoridor": play_quoridor}
SIZES = {
    "flood_it": {"rows": 5, "cols": 5, "colours": 4},
    "filler": {"rows": 5, "cols": 5},
    "connect_four": {"rows": 4, "cols": 5},
    "blokus": {"variant": "corners", "rows": 6, "cols": 6},
    "quoridor": {"rows": 5, "cols": 5},
    "reversi": {"rows": 4, "cols": 4},
}
"""Small boards: the table draws them as it draws large ones, and a game on them takes few inputs."""


SCHEMES = ("light", "dark")


def is_light(page):
    paper = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    return sum(map(int, re.findall(r"\d+", paper)[:3])) > 384


def play_out(hand, game, faint_texts):
    """Plays a game to its end, a move by day and a move by night; how many moves the person made."""
    moves = 0
    while awaited(hand.page):
        hand.page.emulate_media(color_scheme=SCHEMES[moves % 2])
        if moves < 2:
            assert is_light(hand.page) == (moves == 0)
            assert faint_texts(hand.page, ".stage") == []
        ply = hand.page.get_attribute("board-view", "data-ply")
        PLAY.get(game, play_cells)(hand, moves)
        moved(hand.page, ply)
        moves += 1
        assert moves < 80
    assert hand.page.is_visible("end-banner")
    assert moves > 1
    return moves


@pytest.mark.slow
@pytest.mark.parametrize("window", WINDOWS)
def test_a_whole_game_of_each_is_played_by_day_and_night_with_no_input_that_did_nothing(table, window, faint_texts):
    hand = table("mnk", window, bypass_csp=True)
    for game in GAMES:
        hand.begin(game, **SIZES.get(game, {}))
        moves = play_out(hand, game, faint_texts)
        assert hand.inputs <= (3 * moves if hand.touch and game in PLAY else moves), game


def test_a_finger_carries_a_piece_from_the_tray_and_turns_what_does_not_fit(table):
    hand = table("blokus", TABLET)
    page = hand.page
    hand.drag(middle(page.locator('[data-piece="L5"]')), (400, 700), middle(page.locator('[data-place="c3"]')))
    assert page.locator('.piece[aria-pressed="true"]').get_attribute("data-piece") == "L5"
    assert page.locator(".ghost-shape.no").count() == 1
    shadow = page.locator(".ghost-shape").get_attribute("d")
    hand.press(*middle(page.locator('[data-place="c3"]')))
    assert page.locator(".ghost-shape").get_attribute("d") != shadow
    place = page.locator('.places [aria-disabled="false"]').first
    for _ in range(2):
        hand.press_on(place)
    moved(page, 0)


def test_a_wall_is_built_where_its_shadow_was_on_a_board_that_is_turned(table):
    hand = table("quoridor", PHONE, seats=("person", "person"))
    hand.page.eval_on_selector("board-view", "view => view.toggleAttribute('data-turned', true)")
    x, y = middle(hand.page.locator('[data-place="c6v"]'))
    hand.press(x + 8, y)
    hand.press(x, y)
    moved(hand.page, 0)
    assert hand.page.inner_text(".log [data-ply='1']") == "c6v"


TARGETS = """
() => {
  const view = document.querySelector("board-view");
  view.holder.kind = "touch";
  const { left, top, width, height } = view.getBoundingClientRect();
  const found = {};
  for (let y = 0.5; y < height; y++) {
    for (let x = 0.5; x < width; x++) {
      const place = view.aim({ clientX: left + x, clientY: top + y });
      if (!place.can) continue;
      const target = (found[place.id] ??= { left: x, top: y, right: x, down: y, pixels: 0 });
      Object.assign(target, { right: Math.max(target.right, x), left: Math.min(target.left, x), down: y });
      target.pixels++;
    }
  }
  return Object.values(found).map(({ left, top, right, down, pixels }) => [right - left + 1, down - top + 1, pixels]);
}
"""
"""What a press on each pixel means: the width, the height and the pixels of each place that can be played."""


@pytest.mark.parametrize("game", ["flood_it", "filler", "connect_four", "quoridor", "reversi"])
def test_whatever_can_be_played_measures_24_pixels_on_a_phone(table, game):
    hand = table(game, PHONE)
    targets = hand.page.evaluate(TARGETS)
    assert len(targets) > 3
    assert min(min(wide, high) for wide, high, _ in targets) >= 24
    assert min(pixels for _, _, pixels in targets) >= 24 * 24 / 2  # no less than a triangle of that size


PRESSED = """
(place) => {
  document.querySelector(`[data-place="${place}"]`).click();
  const drawn = document.querySelectorAll(".pieces [data-at]").length;
  return [drawn, document.getAnimations().filter((each) => !each.animationName).length];
}
"""
"""What is drawn, and how much of it moves, when a press returns: before the server can have answered."""


@pytest.mark.parametrize(("motion", "moving"), [("no-preference", True), ("reduce", False)])
def test_a_move_is_painted_before_the_server_answers_and_moves_only_where_motion_is_wanted(table, motion, moving):
    hand = table("connect_four", DESK, seats=("person", "person"), motion=motion)
    drawn, animated = hand.page.evaluate(PRESSED, "c3")
    assert drawn > 0
    assert (animated > 0) == moving
    moved(hand.page, 0)
    again, animated = hand.page.evaluate(PRESSED, "c3")  # the first may fall still
    assert again == 2 * drawn
    assert (animated > 0) == moving


NOTES = """
() => {
  const { start } = OscillatorNode.prototype;
  window.notes = 0;
  OscillatorNode.prototype.start = function (when) {
    window.notes++;
    start.call(this, when);
  };
}
"""
"""Counts the notes that sound."""


def rung(page, count):
    """Waits for so many notes; whether there were no more."""
    until(page, "count => notes >= count", count)
    return page.evaluate("notes") == count


def test_moves_and_wrong_presses_sound_unless_it_is_mute_and_that_is_remembered(table):
    hand = table("connect_four", DESK, seats=("person", "person"), rows=4)
    page = hand.page
    page.evaluate(NOTES)
    for ply in range(4):
        page.keyboard.press("3")
        moved(page, ply)
        assert rung(page, 2 * ply + 2)  # a move is two notes
    page.keyboard.press("3")
    assert page.inner_text(".say") == "That column is full"
    assert rung(page, 9)
    page.keyboard.press("m")
    page.keyboard.press("4")
    moved(page, 4)
    page.keyboard.press("m")  # sounds as a move does
    assert rung(page, 11)
    page.keyboard.press("m")
    page.reload()
    assert page.get_attribute("[data-aid=mute]", "aria-pressed") == "false"


def test_the_sheet_of_keys_is_opened_by_its_key_and_its_button(table, serious_findings):
    hand = table("blokus", DESK)
    page = hand.page
    page.keyboard.press("?")
    assert page.inner_text(".sheet kbd >> nth=0") == "R"
    page.keyboard.press("Escape")
    page.click("[data-aid=keys]")
    assert page.is_visible(".sheet")
    assert not serious_findings(page)


def test_a_piece_that_fits_nowhere_is_dim_and_says_so(table):
    hand = table("blokus", PHONE, variant="corners", rows=4, cols=4)
    page = hand.page
    stuck = page.locator('.piece[aria-disabled="true"]')
    assert "I5" in [piece.get_attribute("data-piece") for piece in stuck.all()]
    hand.press_on(stuck.first)
    assert page.inner_text(".say") == "That piece fits nowhere"
