"""The analyst's table in a real browser: what is shown of a decision, sizes, keys, accessibility."""

import json
import re

import numpy as np
import pytest

from bot.protocol.answer import describe
from bot.web.server import ViewerServer
from games import GAMES, find_game
from games.core import Options
from solvers import find_solver
from solvers.core import Limit
from tests.pages import until

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def server():
    with ViewerServer() as running:
        yield running


@pytest.fixture
def table(browser):
    """The browser's page; an error that its console tells fails the test, but for sockets that were cut off."""
    page, wrong = browser.page, []

    def note(line):
        if line.type == "error" and "WebSocket" not in line.text:
            wrong.append(line.text)

    def fail(error):
        wrong.append(str(error))

    page.set_default_timeout(240_000)  # a solver may have to be compiled first
    page.on("console", note)
    page.on("pageerror", fail)
    yield page
    page.goto("about:blank")
    page.remove_listener("console", note)
    page.remove_listener("pageerror", fail)
    assert not wrong


MATCH = "document.querySelector('board-view').board.match"
"""The match that is shown, new with each game; the board of the game before may be drawn once more meanwhile."""


def open_game(page, server, game, *, seats=(), analyst="", **options):
    """A new game of so many options; seats from the second on, or the first where there is one."""
    page.goto(f"{server.url}#{game}")
    page.wait_for_selector(f'board-view[data-game="{game}"] .places button')
    page.select_option("[name=analyst]", analyst)
    for seat, who in enumerate(seats):
        page.wait_for_selector(f"[name=seat-{seat}]")
        page.select_option(f"[name=seat-{seat}]", who)
    if "variant" in options:
        page.select_option("[name=variant]", options.pop("variant"))
    for name, value in options.items():
        page.fill(f"[name={name}]", str(value))
    before = page.evaluate(MATCH)
    page.click("setup-form [type=submit]")
    until(page, f"before => {MATCH} !== before", before)
    return page


def text_of(page):
    """The game as its export says it: word -> value."""
    page.click("[data-do=export]")
    text = page.input_value(".paper textarea")
    page.keyboard.press("Escape")
    return text


def position_of(text):
    """The game and the position that an exported text leads to."""
    words = dict(line.partition(" ")[::2] for line in text.splitlines())
    game = find_game(words["game"])
    state = game.parse(words.get("start", ""), Options(**json.loads(words["options"])))
    for move in words.get("moves", "").split():
        state = state.play(game.parse_move(move, state))
    return game, state


def settle(page):
    """Waits until a person may move, or the game is over; whether it goes on."""
    page.wait_for_selector('board-view[data-over="true"], board-view[data-awaits="true"]')
    return page.get_attribute("board-view", "data-over") == "false"


def click_a_place(page, pick=0):
    """Plays one of the places or colours that may be clicked, and then one to which it goes."""
    ply = page.get_attribute("board-view", "data-ply")
    places = page.locator('.places button[aria-disabled="false"], .colour:enabled')
    places.nth(pick % places.count()).click()
    if page.locator('.places [aria-label$=", in hand"]').count():
        page.locator('.places [aria-label$=", fits"]').first.click()
    page.wait_for_selector(f'board-view:not([data-ply="{ply}"])')


SIZES = {
    "flood_it": {"rows": 6, "cols": 6, "colours": 4},
    "filler": {"rows": 5, "cols": 5},
    "blokus": {"variant": "corners", "rows": 5, "cols": 5},
    "quoridor": {"rows": 5, "cols": 5},
    "reversi": {"rows": 4, "cols": 4},
}
"""Small boards: the table draws them as it draws large ones, and a game on them takes few clicks."""


def played_out(page, *, step):
    """The last position of a small game, played by clicks against chance, whose end the page must tell."""
    page.select_option("[name=seat-1]", "random")
    clicks = 0
    while settle(page):
        click_a_place(page, step * clicks)
        clicks += 1
        assert clicks < 10
    _, end = position_of(text_of(page))
    assert end.outcome().reason in page.inner_text(".say")
    return end


def test_a_game_without_a_drawing_of_its_own_is_played_by_clicks_too(table, hedge):
    with ViewerServer() as server:  # begun once the game is registered
        page = open_game(table, server, hedge, rows=3, cols=3)
        end = played_out(page, step=7)
        assert page.locator("board-view .pieces .disc").count() == sum(end.outcome().scores)
        page.goto("about:blank")


def test_a_move_from_one_cell_to_another_is_made_by_two_clicks(table, from_the_docs):
    with ViewerServer() as server:
        page = open_game(table, server, from_the_docs, rows=3, cols=4)
        labels = '.places [aria-label$=", {}"]'
        assert page.locator(".beside button").count() == 0
        page.click('[data-place="r0c0"]')
        taken = page.locator(labels.format("fits"))
        assert [place.get_attribute("data-place") for place in taken.all()] == ["r0c1", "r1c0"]
        page.keyboard.press("Escape")
        assert taken.count() == page.locator(labels.format("in hand")).count() == 0
        page.click('[data-place="r2c2"]')
        page.click('[data-place="r0c0"]')  # another one is taken in hand
        page.click('[data-place="r0c1"]')
        page.wait_for_selector('board-view[data-ply="1"]')
        assert "moves a3-b3" in text_of(page)
        played_out(page, step=3)
        page.goto("about:blank")


def test_a_move_from_one_cell_to_another_is_made_by_a_drag_too(table, from_the_docs):
    with ViewerServer() as server:
        page = open_game(table, server, from_the_docs, rows=3, cols=4)
        page.drag_and_drop('[data-place="r0c0"]', '[data-place="r2c3"]')
        assert page.locator('.places [aria-label$=", in hand"]').get_attribute("data-place") == "r0c0"
        page.drag_and_drop('[data-place="r2c2"]', '[data-place="r2c1"]')
        page.wait_for_selector('board-view[data-ply="1"]')
        assert "moves c1-b1" in text_of(page)
        page.goto("about:blank")


@pytest.mark.parametrize(
    ("game", "solver"), [("connect_four", "exact"), ("filler", "greedy"), ("flood_it", "lookahead")]
)
def test_the_bars_are_what_the_solver_returns(table, server, game, solver):
    size = SIZES.get(game, {})
    start = find_game(game).deal(np.random.default_rng(0), Options(**size))
    find_solver(solver, game).decide(start, Limit(nodes=1))  # compiled here, for as long as it takes
    page = open_game(table, server, game, analyst=solver, **size)
    page.wait_for_selector('.bars [data-state="chosen"]')
    page.wait_for_selector('[data-do="think"][aria-pressed="false"]')
    shown = page.eval_on_selector_all(
        ".bars li[data-score]", "rows => rows.map(row => [row.dataset.move, row.dataset.score])"
    )
    rules, state = position_of(text_of(page))
    asked = describe(rules, state, find_solver(solver, game).decide(state, Limit(seconds=60), progress=lambda _: False))
    assert [(move, float(score)) for move, score in shown] == [(c["move"], c["score"]) for c in asked["candidates"]]
    chosen = page.get_attribute('.bars [data-state="chosen"]', "data-move")
    assert chosen == asked["move"]
    forbidden = page.eval_on_selector_all('.bars [data-state="illegal"]', "rows => rows.map(row => row.dataset.move)")
    every = set(page.eval_on_selector_all(".bars li", "rows => rows.map(row => row.dataset.move)"))
    legal = {rules.format_move(move, state) for move in state.legal_moves()}
    assert every - set(forbidden) == legal
    drawn = page.eval_on_selector_all(".step-number", "texts => texts.map(text => text.dataset.step)")
    assert drawn == asked["line"][: len(drawn)]
    before, after = (rules.marks(at).get("owner") for at in (state, state.play(rules.parse_move(asked["move"], state))))
    assert drawn or before == after is not None  # a move that wins no cell, as 3 of 100 first ones, is not drawn
    assert ("proven" in page.inner_text(".verdict")) == asked["proven"]


def test_undo_stepping_and_another_variation(table, server):
    page = open_game(table, server, "connect_four", seats=["person", "person"])
    for column in (3, 3, 2):
        ply = int(page.get_attribute("board-view", "data-ply"))
        page.click(f'[data-place="c{column}"]')
        page.wait_for_selector(f'board-view[data-ply="{ply + 1}"]')
    page.click("[data-do=undo]")
    page.wait_for_selector('board-view[data-ply="2"]')
    page.focus("h1 ~ nav a")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector('board-view[data-ply="1"]')
    assert page.inner_text(".ply") == "1 of 2"
    page.keyboard.press("End")
    page.wait_for_selector('board-view[data-ply="2"]')
    page.click('.log [data-ply="1"]')
    page.wait_for_selector('board-view[data-ply="1"]')
    page.click('[data-place="c0"]')
    page.wait_for_selector('board-view[data-ply="2"]')
    assert re.search(r"^moves 4 1$", text_of(page), re.MULTILINE)


def test_wishes_for_the_next_game_outlive_a_change_of_seats(table, server):
    page = open_game(table, server, "blokus", seats=["person", "person"])
    page.select_option("[name=variant]", "classic")
    page.fill("[name=players]", "3")
    page.select_option("[name=seat-1]", "heuristic")
    page.wait_for_selector('board-view[data-ply="0"]')
    page.focus("[name=analyst]")
    page.select_option("[name=analyst]", "random")
    page.wait_for_selector(".bars li")
    assert page.evaluate("document.activeElement.name") == "analyst"
    page.click("setup-form [type=submit]")
    page.wait_for_selector("[name=seat-2]")
    assert page.input_value("[name=variant]") == "classic"
    assert page.locator("[name^=seat-]").count() == 3
    assert (page.input_value("[name=rows]"), page.input_value("[name=players]")) == ("20", "3")


CHOSEN_SOON = """
async () => {
  const [form, view] = [document.querySelector("setup-form"), document.querySelector("board-view")];
  const shown = [];
  const note = () => shown.push(form.querySelector("[name=seat-0]").value);
  new MutationObserver(note).observe(form, { childList: true, subtree: true });
  for (const name of ["analyst", "seat-1", "seat-0"]) {
    const field = form.querySelector(`[name=${name}]`);
    field.value = "random";
    field.dispatchEvent(new Event("change", { bubbles: true }));
    await new Promise(requestAnimationFrame);
  }
  await new Promise((over) => new MutationObserver(over).observe(view, { attributeFilter: ["data-over"] }));
  return shown;
}
"""
"""Chooses who plays faster than the server answers; what stood in the first field while the answers came."""


def test_what_was_chosen_stands_while_the_answer_to_an_earlier_choice_comes(table, server):
    page = open_game(table, server, "mnk", seats=["person", "person"])
    assert set(page.evaluate(CHOSEN_SOON)) <= {"random"}
    assert [page.input_value(f"[name={name}]") for name in ("seat-0", "seat-1", "analyst")] == ["random"] * 3


THINKS_LONG = """
async () => {
  const { open } = await import("/asking.js");
  open({ type: "INIT", game: "connect_four", options: { size: "7x7" }, analyst: "alphabeta", seconds: 60 });
}
"""
ANOTHER_THOUGHT = """
async (seen) => {
  const { table } = await import("/state.js");
  window.first ??= table.thought;
  return table.thought !== window.first;
}
"""


def test_what_is_pressed_while_a_solver_thinks_is_clicked(table, server):
    page = open_game(table, server, "connect_four")
    page.evaluate(THINKS_LONG)
    page.wait_for_selector('board-view .places [data-place="c6"]')
    page.wait_for_selector('.bars [data-state="chosen"]')
    page.hover('.bars li[data-move="2"] button')
    page.mouse.down()
    until(page, ANOTHER_THOUGHT)
    page.evaluate("new Promise(requestAnimationFrame).then(() => new Promise(requestAnimationFrame))")
    page.mouse.up()
    page.wait_for_selector('board-view[data-ply="1"]')
    assert "moves 2" in text_of(page)


def test_a_game_is_exported_and_imported(table, server):
    page = open_game(table, server, "filler", seats=["person", "person"], rows=5, cols=6)
    for _ in range(3):
        click_a_place(page)
    kept = text_of(page)
    page.click("setup-form [type=submit]")
    page.wait_for_selector('board-view[data-ply="0"]')
    page.click("[data-do=import]")
    page.fill(".paper textarea", "nonsense")
    page.click("[data-do=load]")
    assert "does not begin" in page.inner_text(".wrong")
    page.fill(".paper textarea", kept)
    page.click("[data-do=load]")
    page.wait_for_selector('board-view[data-ply="3"]')
    assert text_of(page) == kept


def test_a_lost_connection_is_made_again_and_the_game_goes_on(table):
    with ViewerServer() as first:
        port, token = first.port, first.token
        page = open_game(table, first, "quoridor", seats=["person", "person"])
        page.click('[data-place="e2"]')
        page.wait_for_selector('board-view[data-ply="1"]')
        page.click('[data-place="e3h"]')
        page.wait_for_selector('board-view[data-ply="2"]')
        before = text_of(page)
    page.wait_for_selector('html[data-link="not connected"]')
    with ViewerServer(port=port, token=token):
        page.wait_for_selector('html[data-link="connected"] board-view[data-awaits="true"]')
        assert text_of(page) == before
        page.click('[data-place="d2"]')
        page.wait_for_selector('board-view[data-ply="3"]')
        page.goto("about:blank")


BREAKS_ON_A_MOVE = """() => {
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (text) {
    if (!text.includes('"MOVE"')) return send.call(this, text);
    WebSocket.prototype.send = send;
    this.close();
  };
}"""
"""The connection is lost with the next move that is sent over it."""


def test_a_move_that_the_connection_was_lost_with_is_made_on_the_next_one(table, server):
    page = open_game(table, server, "quoridor", seats=["person", "person"])
    page.evaluate(BREAKS_ON_A_MOVE)
    page.click('[data-place="e2"]')
    page.wait_for_selector('board-view[data-ply="1"][data-awaits="true"]')
    page.click('[data-place="e8"]')
    page.wait_for_selector('board-view[data-ply="2"]')
    page.click("[data-do=undo]")
    page.wait_for_selector('board-view[data-ply="1"]')
    assert "\nmoves e2\n" in text_of(page)


def test_a_piece_is_turned_by_key_wheel_and_button_and_shows_where_it_fits(table, server):
    page = open_game(table, server, "blokus", seats=["person", "person"])
    held = '.piece[aria-pressed="true"] svg'
    page.click('[data-piece="L4"]')
    shapes = [page.inner_html(held)]
    page.keyboard.press("r")
    shapes.append(page.inner_html(held))
    page.click("[data-turn=flip]")
    shapes.append(page.inner_html(held))
    page.hover('[data-place="e10"]')
    page.mouse.wheel(0, 100)
    until(page, f"document.querySelector('{held}').innerHTML !== {shapes[-1]!r}")
    shapes.append(page.inner_html(held))
    assert len(set(shapes)) == 4
    fits = page.locator('.places button[aria-disabled="false"]').count()
    assert fits == page.locator(".marks .hint").count() == 4
    page.wait_for_selector(".ghost-shape", state="attached")
    assert page.locator(".ghost-shape").count() == 1
    page.keyboard.press("Escape")
    assert page.locator(held).count() == 0


def test_a_game_is_played_by_the_keyboard_alone(table, server):
    page = open_game(table, server, "quoridor", seats=["person", "person"])
    page.focus('[data-place="e1"]')
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.dataset.place") in ("e1v", "e1h", "d1h", "e2")
    for _ in range(4):
        if page.evaluate("document.activeElement.dataset.place") == "e2":
            break
        page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.wait_for_selector('board-view[data-ply="1"]')
    page.fill("[name=move]", "e8")
    page.keyboard.press("Enter")
    page.wait_for_selector('board-view[data-ply="2"]')
    page.fill("[name=move]", "a1")
    page.keyboard.press("Enter")
    page.wait_for_selector(".say[data-wrong]")
    assert "can only go to" in page.inner_text(".say")


@pytest.mark.parametrize("window", [(360, 740), (1440, 900), (3840, 2160)], ids=["phone", "desktop", "4k"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits_its_window_by_day_and_by_night(table, browser, server, window, scheme):
    metrics = {"width": window[0], "height": window[1], "deviceScaleFactor": 1, "mobile": False}
    browser.send("Emulation.setDeviceMetricsOverride", metrics)
    table.emulate_media(color_scheme=scheme)
    try:
        page = open_game(table, server, "blokus")
        assert page.evaluate("innerWidth") == window[0]
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        board = page.locator("board-view").bounding_box()
        assert board["width"] > 0.5 * min(window)
        assert board["height"] <= window[1]
        paper = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
        assert (sum(map(int, re.findall(r"\d+", paper)[:3])) > 384) == (scheme == "light")
    finally:
        browser.send("Emulation.clearDeviceMetricsOverride", {})
        table.emulate_media(color_scheme="light")


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_axe_has_no_serious_finding_by_day_and_by_night(table, server, game, serious_findings):
    page = open_game(table, server, game, analyst="random", **SIZES.get(game, {}))
    page.click("setup-form [name=letters]")
    page.wait_for_selector('.bars [data-state="chosen"]')
    said = serious_findings(page)
    page.click("setup-form [name=letters]")
    assert not said


def test_nothing_is_asked_of_another_host_and_little_of_this_one(table, server):
    asked, weight = [], 0

    def count(response):
        nonlocal weight
        asked.append(response.url)
        weight += len(response.body())

    table.on("response", count)
    open_game(table, server, "filler")
    table.remove_listener("response", count)
    assert asked
    assert all(url.startswith(server.origin) for url in asked)
    assert weight < 300_000
