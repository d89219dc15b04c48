"""Pages that change under the pointer, and the witness that tells what each press met."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from bench.hostile.tricks import (
    BOARDS,
    DAWDLING,
    IMPOSSIBLE,
    TRICKS,
    Meant,
    Trick,
    TrickServer,
    draw_tricks,
    judge,
    open_screen,
    play_one,
)
from bot.screens.browser import BrowserScreen
from calibration.locate import locate
from tests.pages import until

PALETTE = ((216, 65, 47), (68, 166, 72), (47, 111, 208))


@pytest.fixture(scope="module")
def tricked() -> Iterator[TrickServer]:
    """The bundled pages as they are for tricks."""
    with TrickServer() as pages:
        yield pages


@pytest.fixture(scope="module")
def screen(tricked: TrickServer, only_browser: BrowserScreen) -> Iterator[BrowserScreen]:
    """A Chromium of its own, in whose pages tricks are played."""
    browser = open_screen(tricked)
    yield browser
    browser.close()


def press(**more: Any) -> dict[str, Any]:
    """What the witness tells of a press on the page's cell of row 1, col 2, where the pointer had rested for 80 ms."""
    usual = {"by": "mouse", "x": 3.0, "y": 4.0, "at": 5000.0, "arrived": 4920.0, "since": 4920.0}
    return {**usual, "name": "cell:1,2", "trick": "", "ground": "", **more}


def test_every_trick_is_drawn_for_every_game_it_can_be_played_in_and_the_same_for_a_seed() -> None:
    for number, name in enumerate(BOARDS):
        seeds = range(number, 48 * len(BOARDS), len(BOARDS))
        kinds = {trick.kind for seed in seeds for trick in draw_tricks(seed, name)}
        assert kinds == set(TRICKS) - set(IMPOSSIBLE[name])
        assert draw_tricks(number, name) == draw_tricks(number, name)


def test_a_press_is_wrong_where_it_meets_another_thing_than_what_was_meant() -> None:
    meant = [Meant(4000.0, frozenset({"cell:1,2", "colour:1"}), frozenset(), PALETTE)]
    green = {"name": "colour:4", "ground": "rgb(60, 170, 70)"}
    assert judge([press(), press(**green)], [4930.0], meant) == ([], [])
    wrong = [
        press(name="cell:1,3"),
        press(name=""),
        press(trick="pay"),
        press(name="new"),
        press(**green | {"ground": "rgb(47, 111, 208)"}),
    ]
    seen, unseen = judge(wrong, [4930.0], meant)
    assert [words.split(" at ")[0].partition("press on ")[2] for words in seen] == [
        *("cell:1,3", "the bare page", "pay", "new", "colour:4")
    ]
    assert unseen == []
    assert judge([press()], [4930.0], [])[0]  # nothing was meant yet
    assert judge([press(name="cell:4,2")], [4930.0], [Meant(0.0, frozenset(), frozenset({"2"}), PALETTE)]) == ([], [])


def test_what_came_after_the_last_look_could_not_be_seen_unless_that_was_long_ago() -> None:
    def counts(look: float, **more: Any) -> tuple[int, int]:
        seen, unseen = judge([press(trick="popup", **more)], [look], [])
        return len(seen), len(unseen)

    assert counts(4930.0, since=4940.0) == (0, 1)
    assert counts(4930.0, since=4925.0) == (1, 0)
    assert counts(4000.0, since=4920.0) == (1, 0), "what the pointer's arrival brings about is there to be looked at"
    assert counts(4000.0, since=4999.0) == (0, 1)
    assert counts(3000.0, since=4990.0 - 1e3 * DAWDLING, arrived=3100.0) == (1, 0), "who does not look is not excused"
    assert counts(4930.0, by="release", since=4920.0) == (0, 1)


def test_a_decoy_is_told_from_a_board_by_its_words_alone() -> None:
    seen, unseen = judge([press(trick="decoy"), press(trick="twin")], [4930.0], [])
    assert (len(seen), len(unseen)) == (1, 1)


@pytest.mark.browser
@pytest.mark.parametrize("framed", [False, True])
def test_the_witness_tells_what_a_press_met_in_frames_too(
    screen: BrowserScreen, tricked: TrickServer, framed: bool
) -> None:
    popup = Trick("pay", times=1, x=-0.5, y=-0.5, width=60, height=40, word="PAY")
    tricks = [popup, *[Trick("frame", on="press", x=30, y=20, after=1e4)] * framed]
    screen.page.goto(tricked.tricked("connect_four", tricks, seed=1, animation=0))
    page = next(frame for frame in screen.page.frames if "/connect_four.html" in frame.url)
    cell = page.locator('[data-press="cell:4,3"]').bounding_box()
    assert cell is not None
    x, y = cell["x"] + cell["width"] / 2, cell["y"] + cell["height"] / 2
    until(page, "boardsightReferee.moves.length === 0")
    for _ in range(2):
        screen.page.mouse.move(x, y)
        screen.page.mouse.down()
        screen.page.mouse.up()
        screen.page.mouse.move(5, 5)
    told = screen.page.evaluate("boardsightWitness.told")
    assert [(each["trick"], each["name"]) for each in told["presses"]] == [("pay", ""), ("", "cell:4,3")]
    first = told["presses"][0]
    assert (first["x"], first["y"]) == pytest.approx((x, y), abs=1)
    assert first["since"] == first["arrived"] <= first["at"]
    assert [each["kind"] for each in told["struck"]] == ["pay"]
    assert page.evaluate("boardsightReferee.moves[0]") == "4", "the press on the popup did not reach the game"


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "trick"),
    [
        ("flood_it", Trick("pay", times=2, x=-0.5, y=-0.5, width=120, height=50, word="PAY", ground="#ffb300")),
        ("filler", Trick("face", times=1, word="GO")),
        ("connect_four", Trick("faces", move=1, factor=0.6, word="BUY")),
        ("quoridor", Trick("shift", "board", times=2, x=60.0, y=30.0)),
        ("flood_it", Trick("rescale", "board", times=1, x=-1.0, factor=0.85)),
        ("filler", Trick("reorder", times=0)),
        ("quoridor", Trick("decoy", x=1.0, factor=0.8, word="BUY")),
    ],
)
def test_nothing_is_pressed_that_could_be_seen_to_be_wrong(
    screen: BrowserScreen, tricked: TrickServer, name: str, trick: Trick
) -> None:
    played = play_one(screen, tricked, name, 4, tricks=[trick])
    assert played.struck > 0
    assert played.seen == ()
    assert played.right, (played.ended, played.message)
    assert played.kept


@pytest.mark.browser
def test_a_dialog_that_covers_nothing_stops_no_game(screen: BrowserScreen, tricked: TrickServer) -> None:
    """Nor do arrows that change their colour when the pointer comes to them."""
    dialog = Trick("dialog", move=1, x=-1.0, y=0.3, width=160, height=90, word="PAY")
    played = play_one(screen, tricked, "connect_four", 4, tricks=[dialog])
    assert (played.struck, played.seen, played.ended) == (1, (), "asked")


@pytest.mark.browser
@pytest.mark.slow
def test_a_colour_button_first_seen_with_a_sign_that_others_lack_is_not_pressed(
    screen: BrowserScreen, tricked: TrickServer
) -> None:
    played = play_one(screen, tricked, "filler", 241)  # it was pale until then, and not taken for a button
    assert (played.struck, played.seen) == (1, ()), (played.ended, played.message)


def test_a_word_whose_letter_surrounds_the_middle_of_a_button_is_seen(
    screen: BrowserScreen, tricked: TrickServer
) -> None:
    played = play_one(screen, tricked, "flood_it", 1120)  # the middle of the button lies in the O of GO
    assert (played.struck, played.seen) == (1, ())


@pytest.mark.slow
def test_no_cell_is_pressed_where_the_buttons_of_colours_went_off_the_screen(
    screen: BrowserScreen, tricked: TrickServer
) -> None:
    played = play_one(screen, tricked, "flood_it", 29004)
    assert played.seen == ()


@pytest.mark.slow
def test_what_a_page_shows_at_a_pointer_under_which_it_grew_and_shrank_is_no_move(
    screen: BrowserScreen, tricked: TrickServer
) -> None:
    played = play_one(screen, tricked, "quoridor", 21259)
    assert (played.ended, played.seen) == ("asked", ())


@pytest.mark.slow
@pytest.mark.parametrize("lost", [3.0, 10.0])
def test_a_popup_that_goes_while_the_board_is_watched_is_seen_when_it_comes_again(
    screen: BrowserScreen, tricked: TrickServer, lost: float
) -> None:
    """However long is waited for it to go: no mode of the page is sought under it."""
    played = play_one(screen, tricked, "quoridor", 21251, lost=lost)
    assert (played.struck > 1, played.seen) == (True, ())


@pytest.mark.slow
def test_no_mode_is_sought_while_the_page_goes_elsewhere_under_the_pointer(
    screen: BrowserScreen, tricked: TrickServer
) -> None:
    played = play_one(screen, tricked, "quoridor", 21007, lost=10.0)
    assert (played.struck > 1, played.seen) == (True, ())


@pytest.mark.slow
def test_a_board_that_lay_beside_ours_is_not_taken_for_it_when_ours_goes_off_the_screen(
    screen: BrowserScreen, tricked: TrickServer
) -> None:
    played = play_one(screen, tricked, "quoridor", 1111)
    assert played.struck > 1
    assert played.seen == ()
    assert "lay beside" in played.message


def test_a_board_that_a_page_moved_is_found_again_to_a_fraction_of_its_grooves(
    screen: BrowserScreen, tricked: TrickServer
) -> None:
    screen.page.goto(tricked.url("quoridor", size=5, seed=1147, animation=0))
    screen.page.wait_for_selector(".board .cell, .board .square")
    known = locate(screen.grab(), "quoridor")
    screen.page.evaluate("() => { document.querySelector('main').style.translate = '40px 8px'; }")
    found = locate(screen.grab(), "quoridor", near=known).lattice.origin
    assert (found.x, found.y) == pytest.approx((known.lattice.origin.x + 40, known.lattice.origin.y + 8), abs=2)
