"""The browser as a screen and a pointer: what is seen at a place is what a click there meets."""

import json
import math
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np
import pytest

from bench.screens.clicks import landed
from bot.pointers.browser import BrowserPointer
from bot.pointers.mouse import MousePointer
from bot.ports import PointerError, ScreenError, dialogs_on
from bot.screens.browser import BrowserScreen
from bot.screens.chromium import find_chromium, open_chromium_window
from bot.screens.desktop import DesktopScreen
from bot.web.pages import PageServer
from calibration.frame import Pixel, Rect, Spot

SCALES = [1.0, 1.25, 1.5, 2.0]
RED = (216, 65, 47)
ONE_RED_CELL = "/".join("1" * 8 if row != 3 else "11111011" for row in range(7))
"""A board whose only cell of colour 0 is in row 3, column 5."""

EVENTS = """<body style="margin:0"><input><script>
window.seen = [];
for (const kind of ["mousedown", "mousemove", "mouseup", "click"])
  addEventListener(kind, (event) => seen.push([kind, event.clientX, event.clientY, event.buttons]));
addEventListener("keydown", (event) => seen.push([event.key]));
</script>"""


def board_rect(screen: BrowserScreen) -> Rect:
    x, y, width, height = screen.page.evaluate(
        "(({x, y, width, height}) => [x, y, width, height])(document.querySelector('.board').getBoundingClientRect())"
    )
    return Rect(x, y, width, height)


def assert_clicks_land_where_pixels_say(screen: BrowserScreen) -> None:
    """Find the red cell by its pixels alone, click there, and ask the page what was hit."""
    pointer = BrowserPointer(screen)
    for frame in (screen.grab(), screen.grab(board_rect(screen))):
        red = np.argwhere((frame.pixels[: 9 * frame.height // 10] == RED).all(axis=2))
        first = red[0]  # the cell's own top left pixel
        pointer.tap(frame.spot(Pixel(float(first[1]) + 0.5, float(first[0]) + 0.5)))
        assert screen.page.evaluate("boardsightReferee.clicks.at(-1).target") == "cell:3,5"


def assert_part_is_cut_from_whole(screen: BrowserScreen, region: Rect) -> None:
    whole, part = screen.grab(), screen.grab(region)
    assert part.scale == pytest.approx(whole.scale, rel=1e-6)
    assert part.region.contains(Spot(region.x, region.y))
    assert part.region.x + part.region.width >= region.x + region.width - 1e-6
    assert part.region.y + part.region.height >= region.y + region.height - 1e-6
    assert np.array_equal(part.pixels, whole.crop(part.region).pixels)


@pytest.mark.browser
@pytest.mark.parametrize("scale", SCALES)
def test_the_pixel_of_a_cell_is_the_spot_that_clicks_it(show: Callable[..., BrowserScreen], scale: float) -> None:
    screen = show("flood_it", scale=scale, board=ONE_RED_CELL, skin="plain")
    frame = screen.grab()
    assert (frame.width, frame.height) == (round(1280 * scale), round(900 * scale))
    assert frame.region == Rect(0, 0, 1280, 900)
    assert_clicks_land_where_pixels_say(screen)


@pytest.mark.browser
@pytest.mark.parametrize("scale", [*SCALES, 1.1])
def test_a_part_is_the_same_pixels_as_the_whole(show: Callable[..., BrowserScreen], scale: float) -> None:
    screen = show("flood_it", scale=scale, seed=8)
    for region in (board_rect(screen), Rect(301.3, 205.7, 99.9, 50.2), Rect(333, 217, 1, 1)):
        assert_part_is_cut_from_whole(screen, region)


@pytest.mark.browser
def test_a_launched_page_has_the_size_and_scale_it_was_given_and_keeps_them(
    page_server: PageServer, chromium: Path
) -> None:
    url = page_server.url("flood_it")
    with closing(BrowserScreen.launch(url, scale=1.5, size=(800, 600), executable=chromium)) as screen:
        for _ in range(2):
            frame = screen.grab()
            assert (frame.width, frame.height, frame.region) == (1200, 900, Rect(0, 0, 800, 600))
            screen.grab(Rect(10, 10, 30, 30))
            assert screen.page.evaluate("[innerWidth, innerHeight, devicePixelRatio]") == [800, 600, 1.5]
        screen.page.close()
        with pytest.raises(ScreenError, match="closed"):
            screen.grab()
        with pytest.raises(PointerError, match="closed"):
            BrowserPointer(screen).tap(Spot(1, 1))


@pytest.mark.browser
def test_a_scrolled_page_is_read_and_clicked_where_it_is_shown(show: Callable[..., BrowserScreen]) -> None:
    screen = show("flood_it", scale=1.5, window=(400, 300), board=ONE_RED_CELL, skin="plain", cell=60)
    screen.page.evaluate("scrollTo(71, 133)")
    assert_part_is_cut_from_whole(screen, Rect(20, 30, 200, 150))
    assert_clicks_land_where_pixels_say(screen)


@contextmanager
def running_chromium(
    profile: Path, url: str, *, scale: float, zoom: float = 1.0, position: tuple[int, int] = (0, 0), flag: str = ""
) -> Iterator[str]:
    """A Chromium that BrowserScreen did not start, at a browser zoom: where it listens."""
    (profile / "Default").mkdir(parents=True)
    preferences = {"partition": {"default_zoom_level": {"x": math.log(zoom, 1.2)}}}
    (profile / "Default" / "Preferences").write_text(json.dumps(preferences))
    extra = [*([flag] if flag else []), "--remote-debugging-port=0", f"--user-data-dir={profile}"]
    port_file, patience = profile / "DevToolsActivePort", time.monotonic() + 60
    with open_chromium_window(url, size=(1100, 900), position=position, scale=scale, extra=extra):
        while not port_file.exists() or "\n" not in port_file.read_text():
            assert time.monotonic() < patience, "Chromium does not start"
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port_file.read_text().split()[0]}"


@pytest.mark.browser
@pytest.mark.parametrize("zoom", [0.67, 1.25])
def test_an_attached_browser_is_read_and_clicked_at_its_own_scale_and_zoom(
    page_server: PageServer, tmp_path: Path, zoom: float
) -> None:
    url = page_server.url("flood_it", board=ONE_RED_CELL, skin="plain")
    with running_chromium(tmp_path / "profile", url, scale=1.5, zoom=zoom, flag="--headless=new") as endpoint:
        with closing(BrowserScreen.attach(endpoint, match="flood_it")) as screen:
            screen.page.locator("[data-state]").wait_for()
            assert screen.grab().scale[0] == pytest.approx(1.5 * zoom, rel=1e-3)
            assert_part_is_cut_from_whole(screen, board_rect(screen))
            assert_clicks_land_where_pixels_say(screen)
        with pytest.raises(ScreenError, match="Flood-It"):
            BrowserScreen.attach(endpoint, match="chess")
    with pytest.raises(ScreenError, match="--remote-debugging-port"):
        BrowserScreen.attach(endpoint)


@pytest.mark.browser
@pytest.mark.parametrize(("scale", "zoom"), [(1.0, 0.67), (1.25, 1.1), (2.0, 1.5)])
def test_a_page_zoomed_by_its_user_is_the_page_in_a_smaller_viewport_at_a_larger_scale(
    page_server: PageServer, tmp_path: Path, scale: float, zoom: float
) -> None:
    facts = """[innerWidth, innerHeight, devicePixelRatio, ...[...document.querySelectorAll(".cell, .colour")]
        .flatMap((each) => (({ x, y, width, height }) => [x, y, width, height])(each.getBoundingClientRect()))]"""
    url = page_server.url("flood_it", seed=4, skin="rounded")
    with running_chromium(tmp_path / "profile", url, scale=scale, zoom=zoom, flag="--headless=new") as endpoint:
        with closing(BrowserScreen.attach(endpoint, match="flood_it")) as zoomed:
            zoomed.page.locator("[data-state]").wait_for()
            told, aim = zoomed.page.evaluate(facts), landed(zoomed)
        size, ratio = (told[0], told[1]), told[2]
    assert ratio == pytest.approx(scale * zoom, rel=1e-3)
    assert aim.good
    with closing(BrowserScreen.launch(url, scale=ratio, size=size)) as emulated:
        emulated.page.locator("[data-state]").wait_for()
        assert emulated.page.evaluate(facts) == pytest.approx(told, abs=1.0)
        assert landed(emulated).off == pytest.approx(aim.off, abs=0.05)


@pytest.mark.browser
@pytest.mark.display
def test_a_browser_with_a_window_is_read_and_clicked_like_one_without(page_server: PageServer, x_display: str) -> None:
    url = page_server.url("flood_it", board=ONE_RED_CELL, skin="plain")
    with closing(BrowserScreen.launch(url, headless=False, scale=1.25, size=(1000, 700))) as screen:
        frame = screen.grab()
        assert frame.scale == pytest.approx((1.25, 1.25))
        assert frame.region.width == pytest.approx(1000, abs=10)  # less the window's border
        assert 500 < frame.region.height < 700
        assert_part_is_cut_from_whole(screen, board_rect(screen))
        assert_clicks_land_where_pixels_say(screen)


@pytest.mark.browser
@pytest.mark.display
@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_a_window_on_the_desktop_is_seen_and_clicked_like_any_other(
    page_server: PageServer, x_display: str, tmp_path: Path, scale: float
) -> None:
    url = page_server.url("flood_it", board=ONE_RED_CELL, skin="plain")
    with (
        running_chromium(tmp_path / "profile", url, scale=scale, position=(300, 60)) as endpoint,
        closing(BrowserScreen.attach(endpoint, match="flood_it")) as referee,
        closing(DesktopScreen()) as desktop,
    ):
        pointer = MousePointer()
        patience = time.monotonic() + 30
        while not (red := np.argwhere((desktop.grab().pixels == RED).all(axis=2))).size:
            assert time.monotonic() < patience, "the window does not show the board"
        cell = red[red[:, 0] < red[0][0] + 10]  # the upper edge of the cell; the colour's button lies further down
        y, x = cell.mean(axis=0)
        pointer.tap(desktop.grab().spot(Pixel(float(x), float(y))))
        while not (clicks := referee.page.evaluate("boardsightReferee.clicks")):
            assert time.monotonic() < patience, "the click does not arrive"
        assert [click["target"] for click in clicks] == ["cell:3,5"]


@pytest.mark.browser
def test_dialogs_of_the_browser_are_closed_and_counted(show: Callable[..., BrowserScreen]) -> None:
    screen = show("flood_it")
    before = dialogs_on(screen)
    assert screen.page.evaluate("[alert('over'), confirm('again?'), prompt('name?')]") == [None, False, None]
    assert dialogs_on(screen) == before + 3


@pytest.mark.browser
def test_a_region_beside_the_page_is_refused(show: Callable[..., BrowserScreen]) -> None:
    with pytest.raises(ScreenError, match="1280 x 900"):
        show("flood_it").grab(Rect(1280, 0, 10, 10))


@pytest.mark.browser
def test_a_window_without_a_display_is_told(
    page_server: PageServer, chromium: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISPLAY", ":4093")
    with pytest.raises(ScreenError, match="is DISPLAY right"):
        BrowserScreen.launch(page_server.url("flood_it"), headless=False, executable=chromium)


@pytest.mark.browser
def test_an_address_that_cannot_be_opened_is_told(chromium: Path) -> None:
    with pytest.raises(ScreenError, match=r"127\.0\.0\.1:1/"):
        BrowserScreen.launch("http://127.0.0.1:1/", executable=chromium)


@pytest.mark.browser
def test_a_frozen_page_is_not_waited_for_and_seen_again_when_it_answers(
    show: Callable[..., BrowserScreen], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.screens.browser.BUSY", 1.0)
    screen = show("flood_it")
    whole = screen.grab()
    screen.page.evaluate("setTimeout(() => { const began = Date.now(); while (Date.now() < began + 4000); })")
    with pytest.raises(ScreenError, match=r"not answered to .* for 1 s"):
        screen.grab()
    with pytest.raises(PointerError, match=r"not answered to .* for 1 s"):
        BrowserPointer(screen).move(Spot(10, 10))
    monkeypatch.setattr("bot.screens.browser.BUSY", 60.0)
    assert np.array_equal(screen.grab().pixels, whole.pixels)


@pytest.mark.browser
def test_the_pointer_moves_taps_drags_and_types(show: Callable[..., BrowserScreen]) -> None:
    screen = show("flood_it")
    screen.page.goto("about:blank")
    screen.page.set_content(EVENTS)
    pointer = BrowserPointer(screen)
    assert pointer.position() is None
    pointer.tap(Spot(50, 60))
    assert pointer.position() == Spot(50, 60)
    assert screen.page.evaluate("seen.splice(0)") == [
        ["mousemove", 50, 60, 0],
        ["mousedown", 50, 60, 1],
        ["mouseup", 50, 60, 0],
        ["click", 50, 60, 0],
    ]
    pointer.drag(Spot(50, 60), Spot(150, 100))
    kinds = [event[0] for event in screen.page.evaluate("seen")]
    assert screen.page.evaluate("seen.splice(0).filter(([kind, x, y, held]) => held && x === 150 && y === 100).length")
    assert kinds[-2:] in (["mouseup", "click"], ["mousemove", "mouseup"])
    screen.page.locator("input").focus()
    for key in ("r", "7", "enter", "left", "+"):
        pointer.press(key)
    assert screen.page.evaluate("seen.map(([key]) => key)") == ["r", "7", "Enter", "ArrowLeft", "+"]
    assert screen.page.locator("input").input_value() in ("r7+", "r+7")
    with pytest.raises(PointerError, match="no key is called 'hyper'"):
        pointer.press("hyper")


def test_a_browser_that_is_not_there_is_told_with_the_remedy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(ScreenError, match=r"/no/such is no program"):
        find_chromium("/no/such")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("BOARDSIGHT_CHROMIUM", raising=False)
    monkeypatch.setattr("bot.screens.chromium._PLACES", ())
    with pytest.raises(ScreenError, match="apt install chromium"):
        find_chromium()


@pytest.mark.parametrize("user", [0, 1000])
def test_only_root_plays_without_the_sandbox_and_popups_are_blocked(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, user: int
) -> None:
    pytest.importorskip("playwright")
    told, program = tmp_path / "told", tmp_path / "chromium"
    program.write_text(f"#!/bin/sh\nprintf '%s\\n' \"$@\" >{told}\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setattr("bot.screens.chromium.sys.platform", "linux")
    monkeypatch.setattr("bot.screens.chromium.os.geteuid", lambda: user)
    with pytest.raises(ScreenError, match="could not open about:blank"):
        BrowserScreen.launch("about:blank", executable=program)
    flags = told.read_text().splitlines()
    assert ("--no-sandbox" in flags) == (user == 0)
    assert "--disable-popup-blocking" not in flags
    (profile,) = (flag.partition("=")[2] for flag in flags if flag.startswith("--user-data-dir="))
    assert Path(profile) != Path.home()
    assert not Path(profile).exists()  # it was made for this browser, and is gone with it


def test_a_popup_that_nobody_clicked_for_is_blocked(browser: BrowserScreen) -> None:
    opening = "<script>onload = () => { document.title = `opened ${window.open('about:blank')}` }</script>"
    browser.page.goto(f"data:text/html,{opening}")
    assert browser.page.title() == "opened null"
    assert len(browser.page.context.pages) == 1
