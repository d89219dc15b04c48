"""Where clicks land: every cell and control found by pixels alone, against the elements of the bundled pages.

A browser's zoom is emulated: to zoom a page by z on a display of scale s, a browser lays it out in a viewport of 1/z of
the size and paints s * z device pixels for each CSS pixel; the page sees the same `innerWidth` and
`devicePixelRatio`, and all elements lie where they do then, but for the rounding of line heights, half a CSS pixel.
(The CSS property `zoom` would not do: it leaves the viewport as it was.) tests/bot/test_browser_screen.py holds this
against browsers that are zoomed by their users' setting.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bot.screens.browser import BrowserScreen
from bot.web.pages import PageServer
from calibration.board import Calibration
from calibration.frame import Frame, Pixel
from calibration.locate import locate
from calibration.looks import reader_of
from games.core import BoardsightError, Cell

SCALES = (1.0, 1.25, 1.5, 2.0)
ZOOMS = (0.67, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5)
WINDOW = (1280, 900)
"""Width and height of the viewport in CSS pixels at zoom 1."""

FLOODING_SKINS = ("rounded", "gaps", "borders", "plain", "gradient", "dark", "pastel", "discs")
SKINS: Mapping[str, Sequence[str]] = {
    "flood_it": FLOODING_SKINS,
    "filler": FLOODING_SKINS,
    "connect_four": ("classic", "dark", "flat", "lines", "pastel", "marks"),
    "blokus": ("classic", "gaps", "dark", "stone", "gradient", "pastel"),
    "quoridor": ("wood", "blue", "dark", "paper", "pastel", "night"),
}

PLAYED = ("connect_four", "blokus", "quoridor")
"""Games whose boards are also shown as simple players leave them at the end: an empty board is not all there is."""

_THERE = """() => {
  const presses = [...new Set([...document.querySelectorAll("[data-press]")].map(({ dataset }) => dataset.press))];
  const [rows, cols] = [0, 1].map((axis) =>
    1 + Math.max(...presses.filter((name) => name.startsWith("cell:")).map((name) => +name.slice(5).split(",")[axis])));
  const shown = new Set(boardsightReferee.grid?.flat());
  const enabled = [...document.querySelectorAll(".colour:enabled")];
  const playable = enabled.filter(({ dataset }) => shown.has(+dataset.colour)).length;
  return { game: boardsightReferee.game, grid: boardsightReferee.grid ?? null, rows, cols, presses, playable,
    arrows: presses.includes("column:0") };
}"""
"""What the page holds: its board's size, everything that can be pressed, the colours that can be played."""

_HITS = """(places) => places.map(([name, x, y]) => {
  const hit = document.elementFromPoint(x, y)?.closest("[data-press]") ?? null;
  if (hit?.dataset.press !== name) return { hit: hit?.dataset.press ?? null, off: 1 };
  const box = hit.getBoundingClientRect();
  const across = (x - box.x) / box.width, down = (y - box.y) / box.height;
  return { hit: name, off: 2 * Math.max(Math.abs(across - 0.5), Math.abs(down - 0.5)) };
})"""
"""For each place: the name of the element a click there hits, and how far from its middle: 0, to 1 at its edge."""


@dataclass(frozen=True, slots=True)
class Aim:
    """How the clicks on one page would land.

    places: how many were tried.  missed: those that hit something else, "cell:0,3 hits colour:2".
    off: how far the farthest lies from its element's middle, as a share of the way to the edge.
    problem: why no place could be tried.
    """

    places: int = 0
    missed: tuple[str, ...] = ()
    off: float = 0.0
    problem: str = ""

    @property
    def good(self) -> bool:
        """Whether all clicks land where they should."""
        return not self.problem and not self.missed


def tables(games: Sequence[str] = tuple(SKINS)) -> Iterator[str]:
    """For each game and device scale, the boards on which all clicks land, by zoom; then what went wrong."""
    yield f"viewports of {WINDOW[0]}x{WINDOW[1]} CSS pixels at zoom 1, headless Chromium; boards whose clicks all land"
    yield ""
    yield f"| game | scale | {' | '.join(f'{zoom:.0%}' for zoom in ZOOMS)} | farthest from the middle |"
    yield f"|---|---:|{'---:|' * len(ZOOMS)}---:|"
    wrong: list[str] = []
    with PageServer() as pages:
        screen = BrowserScreen.launch(pages.url("index"))
        try:
            for game in games:
                for scale in SCALES:
                    yield _row(screen, pages, game, scale, wrong)
        finally:
            screen.close()
    yield ""
    yield from wrong


def _row(screen: BrowserScreen, pages: PageServer, game: str, scale: float, wrong: list[str]) -> str:
    """The counts of one game at one device scale."""
    counts, farthest = [], 0.0
    for zoom in ZOOMS:
        aims = {name: aim(screen, page, scale=scale, zoom=zoom) for name, page in boards(pages, game)}
        counts.append(f"{sum(each.good for each in aims.values())}/{len(aims)}")
        farthest = max(farthest, *(each.off for each in aims.values() if each.good))
        wrong += [
            f"{game} {name}, scale {scale:g}, zoom {zoom:.0%}: {each.problem or '; '.join(each.missed[:3])}"
            for name, each in aims.items()
            if not each.good
        ]
    return f"| {game} | {scale:g} | {' | '.join(counts)} | {farthest:.2f} |"


def boards(pages: PageServer, game: str) -> Iterator[tuple[str, str]]:
    """Name and address of every board of `game`."""
    for number, skin in enumerate(SKINS[game]):
        still = {"skin": skin, "seed": number + 1, "animation": 0, "pause": 0}
        yield skin, pages.url(game, **still)
        if game in PLAYED:
            yield f"{skin}, played", pages.url(game, **still, first="random", second="random")
        if game == "connect_four":
            yield f"{skin}, arrows", pages.url(game, **still, controls="arrows")


def aim(screen: BrowserScreen, page: str, *, scale: float = 1.0, zoom: float = 1.0) -> Aim:
    """Find the board of a page at a device scale and a browser zoom, and say what each click would hit."""
    metrics = {"width": round(WINDOW[0] / zoom), "height": round(WINDOW[1] / zoom), "mobile": False}
    screen.send("Emulation.setDeviceMetricsOverride", {**metrics, "deviceScaleFactor": scale * zoom})
    screen.page.goto(page)
    over = '[data-state="won"], [data-state="lost"]'  # two simple players play to the end first
    screen.page.locator(over if "first=random" in page else "[data-state]").wait_for(state="attached")
    return landed(screen)


def landed(screen: BrowserScreen) -> Aim:
    """What each click on the board that `screen` shows would hit."""
    frame = screen.grab()
    there = screen.page.evaluate(_THERE)
    try:
        calibration = locate(frame, there["game"])
    except BoardsightError as problem:
        return Aim(problem=f"{type(problem).__name__}: {problem}")
    lattice = calibration.lattice
    if (lattice.rows, lattice.cols) != (there["rows"], there["cols"]):
        return Aim(problem=f"{lattice.rows}x{lattice.cols} cells found, there are {there['rows']}x{there['cols']}")
    places = [
        (f"cell:{row},{col}", calibration.find(Cell(row, col))) for row, col in np.ndindex(lattice.rows, lattice.cols)
    ]
    places += _controls(frame, calibration, there)
    return _judged(screen, frame, places, missing=_missing(calibration, there))


def _judged(screen: BrowserScreen, frame: Frame, places: list[tuple[str, Pixel]], *, missing: list[str]) -> Aim:
    hits = screen.page.evaluate(_HITS, [[name, *frame.spot(at)] for name, at in places])
    missed = [f"{name} hits {hit['hit']}" for (name, _), hit in zip(places, hits, strict=True) if hit["hit"] != name]
    return Aim(len(places), (*missed, *missing), max(hit["off"] for hit in hits))


def _controls(frame: Frame, calibration: Calibration, there: dict[str, Any]) -> Iterator[tuple[str, Pixel]]:
    """The name of the element that each control should hit, and where the control is.

    Colours have the page's numbers there: those of the cells that are read as of that kind.
    """
    if calibration.lattice.gap != (0.0, 0.0):
        yield from ((name, calibration.find(name)) for name in there["presses"] if name.startswith("wall:"))
    numbers = _numbers(frame, calibration, there)
    for name, at in calibration.controls.items():
        what, _, number = name.partition(":")
        if what == "colour":
            yield f"colour:{numbers.get(int(number), 'of no cell')}", at
        elif what == "column":
            yield name if there["arrows"] else f"cell:0,{number}", at


def _numbers(frame: Frame, calibration: Calibration, there: dict[str, Any]) -> dict[int, int]:
    """The page's number of each kind of cell."""
    if there["grid"] is None:
        return {}
    seen = reader_of(calibration).read(frame).grid
    return {int(kind): int(number) for kind, number in zip(seen.ravel(), np.ravel(there["grid"]), strict=True)}


def _missing(calibration: Calibration, there: dict[str, Any]) -> list[str]:
    """Controls that the page has and the calibration has not: colours that may be played, columns."""
    kinds = {name.partition(":")[0] for name in there["presses"]}
    known = sum(name.startswith("colour:") for name in calibration.controls)
    due = there["playable"]
    return [f"{known} colour buttons were found, {due} can be pressed"] if "colour" in kinds and known < due else []
