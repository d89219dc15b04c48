"""Playing and analysing at the table, in a real browser: the card, a whole game by touch, its review, sharing it."""

import json
import random
import re

import numpy as np
import pytest
from playwright.sync_api import expect

from bot.storage.pictures import decode_picture
from bot.web.server import ViewerServer
from games import find_game
from games.core import Options

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}


@pytest.fixture(scope="module")
def server():
    with ViewerServer() as running:
        yield running


def begin(page, server, game, *, tap=True, **wishes):
    """Begins a game by the card."""
    press = page.tap if tap else page.click
    page.goto(f"{server.url}#play")
    for name, value in {"game": game, **wishes}.items():
        press(f'start-card label:has([name={name}][value="{value}"])')
    press("start-card [type=submit]")
    page.wait_for_selector('[data-mode="play"] board-view[data-awaits="true"]')


REMATCH_AND_RESIGN = """
() => {
  document.querySelector(".review [data-do=rematch]").click();
  document.querySelector(".actions [data-do=resign]").click();
}
"""


def shown(page):
    """What of an analysis is to be seen."""
    every = ("setup-form", ".analysis", ".eval-bar", ".transport", ".review", ".games", ".watch")
    return [each for each in every if page.locator(each).first.is_visible()]


def settled(page):
    """Whether the game goes on, once a person may move or it is over."""
    page.wait_for_selector('board-view[data-awaits="true"], board-view[data-over="true"]')
    return page.get_attribute("board-view", "data-over") == "false"


def looked_at(page, ply):
    page.wait_for_selector(f'board-view[data-ply="{ply}"]')


def test_a_whole_game_is_played_by_touch_reviewed_shared_and_played_again(open_page, server):
    page, told, chance = open_page(**PHONE), [], random.Random(3)
    page.on("websocket", lambda socket: socket.on("framereceived", lambda text: told.append(json.loads(text))))
    begin(page, server, "connect_four", level=1)
    assert shown(page) == []
    assert page.locator(".seat b").all_inner_texts() == ["You", "Level 1"]
    page.tap("[data-do=hint]")
    page.wait_for_selector(".hinted:not(:empty)")
    assert page.locator(".step-number").count() == 1
    while settled(page):
        ply = page.get_attribute("board-view", "data-ply")
        columns = page.locator('.places button[aria-disabled="false"]')
        columns.nth(chance.randrange(columns.count())).tap()
        page.wait_for_selector(f'board-view:not([data-ply="{ply}"])')
        if settled(page):
            thoughts = [reply for reply in told if reply.get("thought") or reply.get("values")]
            assert thoughts == []  # nothing was sent to be seen

    page.wait_for_selector('[data-mode="analyse"] .review:not([hidden]):not(:has(progress)) .accuracy')
    assert page.locator(".accuracy").count() == 2
    review = page.evaluate("import('/state.js').then(({ table }) => table.review.reply)")
    costly = page.locator(".costly button")
    assert costly.count() == len(review["costly"]) > 0
    assert page.locator("value-curve .costs").count() == len({each["ply"] for each in review["costly"]})
    page.tap("[data-do=toreview]")
    for number, each in enumerate(review["costly"]):
        assert each["better"] in costly.nth(number).inner_text()
        costly.nth(number).tap()
        looked_at(page, each["ply"])
    page.locator("value-curve .costs").first.tap()
    ply = min(each["ply"] for each in review["costly"]) + 1
    looked_at(page, ply)

    page.tap(".review [data-do=share]")
    other = open_page()
    link = page.input_value(".share [name=link]")
    page.keyboard.press("Escape")
    other.goto(f"{server.url}{link[link.index('#') :]}")
    looked_at(other, ply)
    for each in (page, other):
        assert each.locator(".log li").count() == int(page.inner_text(".ply").split()[-1])
    assert other.locator(".pieces .disc").count() == ply

    page.tap(".review [data-do=rematch]")
    page.wait_for_selector('[data-mode="play"] board-view[data-ply="1"][data-awaits="true"]')  # the other side began
    assert shown(page) == []
    assert page.locator(".seat:not([data-far]) b").inner_text() == "You"
    page.tap(".actions [data-do=resign]")
    page.wait_for_selector("end-banner:not([hidden])")
    assert "You lose" in page.inner_text("end-banner")
    page.evaluate(REMATCH_AND_RESIGN)  # before the other game has come
    page.wait_for_selector('[data-mode="play"] board-view[data-ply="0"][data-awaits="true"]')
    assert page.locator("end-banner").is_hidden()


def test_alone_the_fewest_moves_are_told_and_the_shortest_way_is_walked(open_page, server):
    page = open_page()
    rules = find_game("flood_it")
    states, chance = [rules.deal(np.random.default_rng(2), Options(rows=5, cols=5, colours=4))], random.Random(1)
    moves = []
    while states[-1].outcome() is None:
        moves.append(chance.choice(states[-1].legal_moves()))
        states.append(states[-1].play(moves[-1]))
    texts = "+".join(rules.format_move(move, states[0]) for move in moves)
    start = rules.format(states[0])
    page.goto(f"{server.url}#flood_it?rows=5&cols=5&colours=4&start={start}&moves={texts}")
    looked_at(page, len(moves))
    page.click("[data-do=review]")
    page.wait_for_selector(".review .fewest [data-do=walk]:enabled")
    page.wait_for_selector(".review:not(:has(progress))")
    made, fewest = map(int, re.findall(r"\d+", page.inner_text(".fewest p")))
    assert made == len(moves) > fewest
    assert "proven" in page.inner_text(".fewest p")
    page.click("[data-do=walk]")
    looked_at(page, 0)
    page.click("[data-do=last]")
    looked_at(page, fewest)
    assert page.get_attribute("board-view", "data-over") == "true"


def test_the_board_is_turned_by_half_and_pressed_there(open_page, server):
    page = open_page()
    begin(page, server, "quoridor", tap=False, side="both")
    place = page.locator('[data-place="e2"]')
    before = place.bounding_box()["y"]
    page.keyboard.press("b")
    assert place.bounding_box()["y"] < before  # from below to above
    assert page.locator(".seat:not([data-far]) b").inner_text() == "Player 2"
    place.click()
    looked_at(page, 1)
    page.reload()  # the game goes on as it was
    looked_at(page, 1)
    assert page.get_attribute("board-view", "data-turned") is not None
    page.click(".actions [data-do=undo]")
    looked_at(page, 0)


def test_a_game_is_copied_as_text_and_as_a_picture(open_page, server):
    page = open_page(permissions=["clipboard-read", "clipboard-write"])
    page.goto(f"{server.url}#filler?start=012/345/012+1&rows=3&cols=3&moves=1")
    looked_at(page, 1)
    page.click(".transport [data-do=share]")
    page.click("[data-copy=text]")
    page.wait_for_selector(".share .told:not(:empty)")
    text = page.evaluate("navigator.clipboard.readText()")
    assert "game filler" in text
    assert text.splitlines()[-1] == "moves 1"
    page.click("[data-copy=picture]")
    page.wait_for_selector(".share .told:not(:empty)")
    picture = page.evaluate(
        """async () => {
            for (let tries = 0; tries < 600; tries++) {
                const [item] = await navigator.clipboard.read();
                if (!item.types.includes("image/png")) { await new Promise(requestAnimationFrame); continue; }
                return [...new Uint8Array(await (await item.getType("image/png")).arrayBuffer())];
            }
        }"""
    )
    image = decode_picture(bytes(picture), "clipboard")
    assert image.shape == (1272, 1272, 3)
    middles = {tuple(image[36 + 200 + 400 * row, 36 + 200 + 400 * col]) for row in range(3) for col in range(3)}
    assert len(middles) >= 5  # each colour of the board


SLOWEST = "range => { range.value = 0; range.dispatchEvent(new Event('change')); }"


def test_two_solvers_are_watched_step_by_step_and_at_a_pace(open_page, server):
    page = open_page()
    page.goto(f"{server.url}#connect_four")
    page.wait_for_selector("[name=seat-0]")
    assert page.locator(".watch").is_hidden()
    page.select_option("[name=analyst]", "")
    page.select_option("[name=seat-1]", "random")
    page.locator("[name=pace]").evaluate(SLOWEST)  # a game at the usual pace might end before it is paused
    page.select_option("[name=seat-0]", "random")
    page.wait_for_selector(".watch:not([hidden])")
    page.click("[data-do=pause]")
    page.wait_for_selector("[data-do=step]:enabled")  # a move that was on its way has come
    ply = int(page.get_attribute("board-view", "data-ply"))
    page.click("[data-do=step]")
    looked_at(page, ply + 1)
    page.click("[data-do=step]:enabled")
    looked_at(page, ply + 2)
    page.locator("[name=pace]").fill("5")
    page.wait_for_selector('board-view[data-over="true"]')


def test_several_lines_have_a_score_and_moves_each_and_values_stand_on_the_board(open_page, server):
    page = open_page()
    page.goto(f"{server.url}#connect_four?rows=5&cols=5&moves=3+3")
    looked_at(page, 2)
    page.evaluate(
        """() => {
            for (const [name, value] of [["analyst", "alphabeta"], ["lines", "3"]]) {  // before the first is answered
                const field = document.querySelector(`[name=${name}]`);
                field.value = value;
                field.dispatchEvent(new Event("change", { bubbles: true }));
            }
        }"""
    )
    expect(page.locator(".pv")).to_have_count(3, timeout=240_000)
    page.wait_for_selector('[data-do=think][aria-pressed="false"]')
    assert page.locator(".pv").count() == 3
    assert re.search(r"depth \d", page.inner_text(".cost"))
    assert re.search(r"\d+%", page.get_attribute(".eval-bar", "aria-label"))
    page.check("[name=worths]")
    page.wait_for_selector(".worth-number", state="attached")
    assert page.locator(".worth-number").count() == page.locator(".bars li[data-score]").count()


def test_the_card_begins_a_game_of_four_of_which_there_is_no_review(open_page, server):
    page = open_page(**PHONE)
    page.goto(f"{server.url}#play/blokus")
    page.tap("start-card summary")
    assert page.locator("start-card [type=submit]").evaluate(
        "button => button.getBoundingClientRect().bottom <= innerHeight"
    )
    page.select_option("start-card [name=variant]", "classic")
    page.tap('start-card label:has([name=level][value="1"])')
    page.tap("start-card [type=submit]")
    page.wait_for_selector('[data-mode="play"] board-view[data-awaits="true"]')
    assert page.locator(".seat b").all_inner_texts() == ["You", "Level 1", "Level 1", "Level 1"]
    page.tap(".actions [data-do=resign]")
    page.wait_for_selector("end-banner:not([hidden])")
    assert "more than two" in page.inner_text(".review")
    page.goto(f"{server.url}#play")
    assert page.input_value("start-card [name=variant]") == "classic"


def test_who_runs_out_of_time_loses(open_page, server):
    page = open_page()
    page.clock.install()
    begin(page, server, "connect_four", tap=False, side="both", clock=1)
    page.click('[data-place="c3"]')
    looked_at(page, 1)
    page.clock.fast_forward(61_000)
    page.wait_for_selector("end-banner:not([hidden])")
    assert "out of time" in page.inner_text("end-banner")
    assert "Player 1" in page.inner_text("end-banner")


def test_axe_has_no_serious_finding_on_the_card_in_play_and_in_the_review(open_page, server, serious_findings):
    page = open_page(**PHONE, bypass_csp=True)
    page.goto(f"{server.url}#play")
    page.wait_for_selector("start-card form")
    said = serious_findings(page)
    begin(page, server, "filler", clock=10)
    page.tap("[data-do=hint]")
    page.wait_for_selector(".hinted:not(:empty)")
    said += serious_findings(page)
    page.locator(".colour:enabled").first.tap()
    page.wait_for_selector('board-view[data-ply="2"]')
    page.tap(".actions [data-do=resign]")
    page.wait_for_selector(".review:not([hidden]):not(:has(progress)) .accuracy")
    said += serious_findings(page)
    assert not said
