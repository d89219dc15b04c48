"""A page in Chromium as a screen: Playwright starts or finds it, the DevTools protocol takes its pictures.

The pointer's unit is the CSS pixel of the page's viewport, whose top left corner is (0, 0). Pictures are in device
pixels, so a page at scale 1.5 has frames of that scale. The screen and its pointer belong to the thread that made them.
"""

from __future__ import annotations

import asyncio
import base64
import io
import math
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from bot.ports import Clock, ScreenError, SystemClock
from bot.screens.chromium import NO_SANDBOX, VIEWPORT, chromium_flags, find_chromium, has_sandbox
from bot.screens.window import WindowView
from bot.steps import Step, parse_step
from calibration.frame import Frame, Pixels, Rect
from games.core import not_installed

if TYPE_CHECKING:
    from playwright.sync_api import Browser, CDPSession, Dialog, Page, Playwright

DEADLINE = 10.0
"""Seconds in which a page must be loaded again, and show what a step asks for."""

BUSY = 60.0
"""Seconds in which a page must answer: where its own player thinks in the script that answers, it may take half a
minute; an endless script never ends."""


TALLER = 1.9
"""How many times as high a window of our own may become: our display has room for twice its height, with its bars."""

REPAINT = 0.02
"""Seconds between two looks at whether a window has its new size."""

RECENT = 0.25
"""Seconds for which what a page told of its viewport is taken to hold while its window is seen on a display: to ask
takes five times as long as a picture, which shows itself what became of the page."""


class BrowserScreen:
    """What a Chromium page shows; make one with `launch` or `attach`."""

    def __init__(
        self,
        browser: Browser,
        page: Page,
        *,
        clock: Clock,
        before: Sequence[str] = (),
        view: WindowView | None = None,
    ) -> None:
        self._browser: Browser | None = browser
        self._window = view
        self._before = tuple(parse_step(step) for step in before)
        self._page = page
        self._clock = clock
        self._session: CDPSession = page.context.new_cdp_session(page)
        self._loop = asyncio.get_running_loop()  # Playwright's own; it runs while we wait for an answer
        page.on("crash", _give_up)
        self.dialogs = 0
        page.on("dialog", self._close_dialog)
        self._density = 1.0
        self._metrics: dict[str, Any] | None = None  # of a viewport that nobody sees, as it was at first
        self._told: tuple[float, dict[str, float]] = -math.inf, {}

    @classmethod
    def launch(
        cls,
        url: str,
        *,
        headless: bool = True,
        scale: float = 1.0,
        size: tuple[int, int] = VIEWPORT,
        executable: str | Path | None = None,
        extra: Sequence[str] = (),
        before: Sequence[str] = (),
        view: WindowView | None = None,
        clock: Clock = SystemClock(),
    ) -> Self:
        """Start a Chromium of our own, open `url` and take the steps `before`; raises ScreenError.

        It has a fresh profile, its sandbox (for all but root), blocks popups and takes no downloads.
        headless: without a window.
        size: the viewport's in CSS pixels; that of the whole window where it is on somebody's display.
        scale: device pixels to a CSS pixel.  extra: more flags for Chromium.
        view: where the window is put, and seen; closed with the screen.
        """
        headless = headless and view is None
        flags = [] if headless else [f"--window-size={size[0]},{size[1]}", f"--force-device-scale-factor={scale:g}"]
        remedy = "" if headless else " (a window needs a display: is DISPLAY right?  With --headless there is none)"
        surroundings = {} if view is None else view.environment
        if view is not None:
            flags += ["--ozone-platform=x11", *(["--window-position=0,0"] if view.own else [])]
        with _driver_for(lambda error: f"Chromium could not open {url}{remedy}: {error}") as driver:
            program = find_chromium(executable or _downloaded(driver))
            browser = driver.chromium.launch(
                executable_path=program,
                headless=headless,
                args=[*chromium_flags(), *flags, *extra],
                chromium_sandbox=has_sandbox(),  # else Playwright starts it without
                ignore_default_args=["--disable-popup-blocking"],
                env={**os.environ, **surroundings},  # else Playwright's own, as it was at its first browser's start
            )
            page = browser.new_context(no_viewport=True, accept_downloads=False).new_page()
            screen = cls(browser, page, clock=clock, before=before, view=view)
            if headless or (view is not None and view.own):
                screen._metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": scale, "mobile": False}
                screen._fit(screen._metrics)
            page.goto(url)
        screen._prepare()
        return screen

    @classmethod
    def attach(
        cls, endpoint: str, *, match: str = "", before: Sequence[str] = (), clock: Clock = SystemClock()
    ) -> Self:
        """Watch a page of a browser that runs already, once the steps `before` are taken; raises ScreenError.

        endpoint: where it listens, such as ``http://127.0.0.1:9222`` (start it with ``--remote-debugging-port=9222``).
        match: part of the page's address or title; the first page that is shown where several have it.
        """
        remedy = "start it with --remote-debugging-port=9222 and a --user-data-dir of its own"
        with _driver_for(lambda error: f"no browser answers at {endpoint} ({error}): {remedy}") as driver:
            browser = driver.chromium.connect_over_cdp(endpoint)
            page = _choose([page for context in browser.contexts for page in context.pages], match)
            screen = cls(browser, page, clock=clock, before=before)
            page.bring_to_front()  # a page in a background tab is never painted
        screen._prepare()
        return screen

    @property
    def page(self) -> Page:
        """The Playwright page, for a referee; the bot itself never asks it anything."""
        return self._page

    @property
    def address(self) -> str:
        """The page's URL."""
        return self._page.url

    def send(self, method: str, parameters: dict[str, Any] | None = None) -> dict[str, Any]:
        """Call a method of the DevTools protocol on this page; raises ScreenError when the page is gone or frozen."""
        late = self._loop.call_later(BUSY, _alarm(method))
        try:
            answer: dict[str, Any] = self._session.send(method, parameters)
        except _browser_errors() as error:
            raise ScreenError(f"the page does not answer to {method}: {_first_line(error)}") from error
        finally:
            late.cancel()
        return answer

    def grab(self, region: Rect | None = None) -> Frame:
        """The viewport, or the part of it that covers `region` (CSS pixels); raises ScreenError.

        A part costs less than the whole: over the protocol two frames of the browser (33 ms at 60 Hz) and its own
        encoding; of a window on a display a millisecond or two, as long as that shows what the last whole did.
        """
        if region is None:
            zoom = self._measure()
            taken = self._clock.now()
            pixels = self._capture()
            if self._window is not None:
                self._window.prove(pixels)
            density = self._density * zoom
            return Frame(pixels, Rect(0, 0, pixels.shape[1] / density, pixels.shape[0] / density), taken)
        return self._grab_part(region)

    def close(self) -> None:
        """Close the browser if it is ours, else only let go of it; may be called twice."""
        if self._browser is None:
            return
        browser, self._browser = self._browser, None
        try:
            browser.close()
        except _browser_errors():
            pass  # it was closed by somebody else
        finally:
            _return_driver()
            if self._window is not None:
                self._window.close()

    def reload(self) -> None:
        """Load the page again and take the steps that were taken before; raises ScreenError."""
        try:
            self._page.reload(timeout=DEADLINE * 1e3)
        except _browser_errors() as error:
            raise ScreenError(f"the page cannot be loaded again: {_first_line(error)}") from error
        self._prepare()

    def scroll(self, down: float) -> float:
        """Scroll the page, as far as it goes on, and give how far it went; raises ScreenError."""
        move = f"{{ const was = scrollY; scrollBy({{ top: {down}, behavior: 'instant' }}); scrollY - was }}"
        went: float = self.send("Runtime.evaluate", {"expression": move})["result"].get("value", 0.0)
        return went

    def scrolled(self) -> float:
        """How far down the page is scrolled; raises ScreenError."""
        return self._view()["pageY"]

    def enlarge(self) -> bool:
        """Make a window that nobody sees as high as its page, as far as that goes; whether it grew.

        Raises ScreenError.
        """
        if self._metrics is None:
            return False
        page = self.send("Runtime.evaluate", {"expression": "document.documentElement.scrollHeight"})["result"]["value"]
        high = min(page, int(TALLER * self._metrics["height"]))
        if high <= self._view()["clientHeight"]:
            return False
        self._fit({**self._metrics, "height": high})
        late = self._clock.now() + DEADLINE
        while self._view()["clientHeight"] < high - 1 and self._clock.now() < late:
            self._clock.sleep(REPAINT)
        return True

    def _close_dialog(self, dialog: Dialog) -> None:
        """Close what stops the page, and count it; where it asks whether to leave, leave."""
        self.dialogs += 1
        dialog.accept() if dialog.type == "beforeunload" else dialog.dismiss()

    def _prepare(self) -> None:
        """Take the steps before the board is there; raises ScreenError, and lets go of the browser, where one fails."""
        for step in self._before:
            try:
                _take(self._page, step)
            except _browser_errors() as error:
                self.close()
                words = " ".join(part for part in step if part)
                raise ScreenError(f"before the board: {words!r} cannot be done: {_first_line(error)}") from error
        self._measure()

    def _measure(self) -> float:
        """Learn the device pixels to a DIP (the unit of clips), and return the page's zoom: DIPs to a CSS pixel."""
        zoom = self._view()["zoom"]
        ratio = self.send("Runtime.evaluate", {"expression": "devicePixelRatio"})["result"]["value"]
        self._density = round(ratio, 6) / zoom
        return zoom

    def _view(self) -> dict[str, float]:
        """What the page shows of its document, in CSS pixels, and its zoom, rid of the noise of a short float."""
        view: dict[str, float] = self.send("Page.getLayoutMetrics")["cssVisualViewport"]
        self._told = self._clock.now(), view | {"zoom": round(view["zoom"], 6)}
        return self._told[1]

    def _grab_part(self, region: Rect) -> Frame:
        asked, view = self._told
        seen = self._window is not None and self._window.proven
        if not seen or self._clock.now() - asked > RECENT:
            view = self._view()
        zoom = view["zoom"]
        x, right = max(region.x, 0.0), min(region.x + region.width, view["clientWidth"])
        y, bottom = max(region.y, 0.0), min(region.y + region.height, view["clientHeight"])
        if right <= x or bottom <= y:
            raise ScreenError(
                f"{region} is not on the page, which shows {view['clientWidth']:g} x {view['clientHeight']:g} "
                "CSS pixels: calibrate anew"
            )
        step = _whole_step(self._density)
        left, width = _span(x * zoom, right * zoom, step)
        top, height = _span(y * zoom, bottom * zoom, step)
        shown = Rect(left / zoom, top / zoom, width / zoom, height / zoom)
        taken = self._clock.now()
        if self._window is not None and seen:
            pixels = self._window.grab(*(round(each * self._density) for each in (left, top, width, height)))
            if pixels is not None:
                return Frame(pixels, shown, taken)
        origin = {"x": left + view["pageX"] * zoom, "y": top + view["pageY"] * zoom}  # clips are places in the document
        return Frame(self._capture({**origin, "width": width, "height": height, "scale": 1}), shown, taken)

    def _fit(self, metrics: dict[str, Any]) -> None:
        """Has the viewport as large as `metrics` say: by the size of its window, where it has one."""
        if self._window is None:
            # Set through the session that grabs: a scale set through Playwright's own is lost at each grab.
            self.send("Emulation.setDeviceMetricsOverride", metrics)
            return
        window = self.send("Browser.getWindowForTarget")
        inner = self.send("Runtime.evaluate", {"expression": "[innerWidth, innerHeight]", "returnByValue": True})
        sides = zip(("width", "height"), inner["result"]["value"], strict=True)
        bounds = {name: window["bounds"][name] + metrics[name] - now for name, now in sides}
        self.send("Browser.setWindowBounds", {"windowId": window["windowId"], "bounds": bounds})

    def _capture(self, clip: dict[str, float] | None = None) -> Pixels:
        wish: dict[str, Any] = {"format": "png", "optimizeForSpeed": True}
        if clip is not None:
            wish["clip"] = clip
        return _decode(self.send("Page.captureScreenshot", wish)["data"])


def _alarm(method: str) -> Callable[[], None]:
    """What raises ScreenError in the caller while it waits for a page's answer, which is nobody's if it comes later."""
    import greenlet

    waiting = greenlet.getcurrent()
    message = f"the page has not answered to {method} for {BUSY:g} s: a script of it may never end; reload it"
    return lambda: waiting.throw(ScreenError(message))


def _take(page: Page, step: Step) -> None:
    verb, target, value = step
    late = DEADLINE * 1e3
    match verb:
        case "click":
            page.click(target, timeout=late)
        case "press":
            page.keyboard.press(target)
        case "select":
            page.select_option(target, value, timeout=late)
        case "fill":
            page.fill(target, value, timeout=late)


def _give_up(page: Page) -> None:
    """Close a page that crashed: what waits for its answer would wait for ever."""
    page.close()


def _decode(data: str) -> Pixels:
    from PIL import Image

    with Image.open(io.BytesIO(base64.b64decode(data))) as picture:
        return np.array(picture.convert("RGB"))


def _whole_step(density: float) -> int:
    """The fewest DIPs that are whole device pixels; a clip that begins or ends elsewhere is painted anew, and blurred.

    >>> [_whole_step(scale) for scale in (1, 1.25, 1.5, 2, 1.1)]
    [1, 4, 2, 1, 10]
    """
    return next((step for step in range(1, 20) if abs(step * density - round(step * density)) < 1e-3), 20)


def _span(low: float, high: float, step: int) -> tuple[int, int]:
    """Start and length, in multiples of `step`, of the smallest span that holds `low` to `high`."""
    start = math.floor(low / step + 1e-6) * step
    return start, math.ceil(high / step - 1e-6) * step - start


def _choose(pages: Sequence[Page], match: str) -> Page:
    fitting = [page for page in pages if match in page.url or match in page.title()]
    if not fitting:
        shown = "; ".join(f"{page.title()!r} {page.url}" for page in pages) or "none"
        raise ScreenError(f"no page of this browser has {match!r} in its address or title; its pages: {shown}")
    return next((page for page in fitting if page.evaluate("document.visibilityState") == "visible"), fitting[0])


class _Driver(threading.local):
    """Playwright's process, one for all screens of a thread: it refuses to be started twice in one."""

    playwright: Playwright | None = None
    users: int = 0


_driver = _Driver()


def _borrow_driver() -> Playwright:
    if _driver.playwright is None:
        try:
            from playwright.sync_api import sync_playwright
        except ImportError as error:
            raise ScreenError(not_installed("play", "playwright")) from error
        _driver.playwright = sync_playwright().start()
    _driver.users += 1
    return _driver.playwright


@contextmanager
def _driver_for(message: Callable[[str], str]) -> Iterator[Playwright]:
    """Playwright for a screen that is opened in the block, and given back where that fails.

    Raises ScreenError with the `message` of the first line of the browser's error.
    """
    driver = _borrow_driver()
    try:
        yield driver
    except _browser_errors() as error:
        _return_driver()
        reason = _first_line(error)
        if "sandboxing failed" in str(error):
            reason += f"; {NO_SANDBOX}"
        raise ScreenError(message(reason)) from error
    except BaseException:
        _return_driver()
        raise


def _return_driver() -> None:
    _driver.users -= 1
    if _driver.users == 0 and _driver.playwright is not None:
        _driver.playwright.stop()
        _driver.playwright = None


def _browser_errors() -> type[Exception]:
    from playwright.sync_api import Error

    return Error


def _downloaded(driver: Playwright) -> Path | None:
    """The Chromium that ``playwright install chromium`` brought, if it did."""
    path = Path(driver.chromium.executable_path)
    return path if path.is_file() else None


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0]
