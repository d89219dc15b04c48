"""Takes the pictures of fixtures/screens again: our own pages and Debian's games, each with its truth.

usage: python -m bench.screens.photograph FOLDER

The truth of a page is what its referee and its document say, that of a program what it was given to play: a game id
whose board the program prints, the columns that were pressed, a record that it opened.  No reader of ours takes part.
Where the cells of a program's board lie was measured once in the picture, by eye; after taking them anew look again.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from bench.screens import four_in_a_row, iagno, pentobi, sgt_flood
from bench.screens.programs import running
from bench.screens.virtual import open_virtual_display
from bot.screens.browser import BrowserScreen
from bot.screens.desktop import DesktopScreen
from bot.web.pages import PageServer
from calibration.frame import Pixels, Rect

PAGES: tuple[tuple[str, str, float, tuple[int, int], dict[str, Any], int], ...] = (
    ("page-gradient", "flood_it", 1.0, (620, 640), {"skin": "gradient", "seed": 5, "size": 12}, 6),
    ("page-plain-cells", "flood_it", 1.5, (620, 560), {"skin": "plain", "seed": 8, "controls": "cells", "size": 10}, 4),
    ("page-discs", "filler", 1.0, (900, 760), {"skin": "discs", "seed": 4, "corners": "sides"}, 8),
    ("page-dark", "filler", 1.25, (760, 640), {"skin": "dark", "seed": 9, "rows": 9, "cols": 12}, 13),
    ("page-classic", "connect_four", 1.0, (900, 760), {"skin": "classic", "seed": 3}, 13),
    ("page-marks", "connect_four", 1.5, (640, 600), {"skin": "marks", "seed": 6}, 12),
    ("page-stone", "blokus", 1.0, (1180, 760), {"skin": "stone", "seed": 2}, 9),
    ("page-dark", "blokus", 1.25, (1000, 700), {"skin": "dark", "seed": 7, "variant": "corners", "size": 20}, 12),
    ("page-wood", "quoridor", 1.0, (900, 760), {"skin": "wood", "seed": 11}, 20),
    ("page-paper", "quoridor", 1.5, (640, 600), {"skin": "paper", "seed": 12}, 17),
)
"""Name, game, device pixels to a CSS pixel, viewport, the page's settings, and the moves after which it is taken."""

IDS = ("12x12c6m5#1", "9x13c5m3#11")
"""Game ids of sgt-flood."""

COLUMNS = {0: (4, 4, 3, 5, 4, 2, 3, 3, 6, 5, 2), 2: (4, 3, 4, 4, 5, 2, 1, 4, 6)}
"""Theme of four-in-a-row -> the columns pressed, from 1."""

RECORDS = {
    "duo": (
        "(;GM[Blokus Duo];B[f9,e10,f10,g10,f11];W[j4,i5,j5,k5,j6];B[g6,h6,h7,g8,h8];W[h4,g5,h3,g4,g3])",
        28,
        133,
        36,
    ),
    "classic_2": (
        "(;GM[Blokus Two-Player];1[a20,b20,c20,c19,c18];2[t20,s20,r20,r19,r18];3[t1,s1,r1,r2];4[a1,b1,c1,c2])",
        24.5,
        129.5,
        25,
    ),
}
"""Variant of Pentobi -> the record it opens, the middle of the first square in its window, and the pitch."""

RECTS = """() => ({
  cells: [...document.querySelectorAll(".cell, .square")].map((cell) => {
    const { x, y, width, height } = cell.getBoundingClientRect();
    const { row, col, press } = cell.dataset;
    return [...(row ? [row, col] : press.split(":")[1].split(",")).map(Number), x, y, width, height];
  }),
  buttons: [...document.querySelectorAll(".colour")].map((button) => {
    const { x, y, width, height } = button.getBoundingClientRect();
    return [Number(button.dataset.colour), x, y, width, height, !button.disabled];
  }),
})"""


def take_pages(folder: Path) -> Iterator[Path]:
    """The bundled pages, played by themselves for some moves."""
    with PageServer() as server, closing(BrowserScreen.launch(server.url("index"))) as screen:
        for name, game, scale, (width, height), settings, moves in PAGES:
            metrics = {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": False}
            screen.send("Emulation.setDeviceMetricsOverride", metrics)
            seats = {} if game == "flood_it" else {"first": "random", "second": "random", "pause": 700}
            screen.page.goto(server.url(game, animation=0, **seats, **settings))
            if game == "flood_it":
                _flood(screen, moves)
            else:
                while len(screen.page.evaluate("boardsightReferee.moves")) < moves:
                    time.sleep(0.05)
            told = screen.page.evaluate("({...boardsightReferee})")
            pixels = screen.grab().pixels
            after = screen.page.evaluate("({...boardsightReferee})")
            assert told["moves"] == after["moves"], "the page went on while its picture was taken"
            truth = _page_truth(game, told, screen.page.evaluate(RECTS), scale)
            yield keep(folder / game / name, pixels, truth)


def _flood(screen: BrowserScreen, moves: int) -> None:
    """Some moves on the page of Flood-It, each the next colour after that of its first cell."""
    for _ in range(moves):
        colour = (screen.page.evaluate("boardsightReferee.grid")[0][0] + 1) % 6
        screen.page.locator(f".colour[data-colour='{colour}'], .cell[data-colour='{colour}']").last.click()


def _page_truth(game: str, told: dict[str, Any], rects: dict[str, Any], scale: float) -> dict[str, Any]:
    cells = {(row, col): [scale * side for side in box] for row, col, *box in rects["cells"]}
    rows, cols = (1 + max(place[axis] for place in cells) for axis in (0, 1))
    middles = [[_centre(cells[row, col]) for col in range(cols)] for row in range(rows)]
    grid = None if game == "quoridor" else [list(row) for row in told["grid"]]
    buttons = [(colour, [scale * side for side in box], enabled) for colour, *box, enabled in rects["buttons"]]
    return facts(game, grid, middles, scale=scale) | {
        "buttons": [
            {"colour": colour, "rect": box, "centre": _centre(box), "enabled": enabled, "visible": True}
            for colour, box, enabled in buttons
        ],
        "pawns": [{"player": number, "cell": cell} for number, cell in enumerate(told.get("pawns", ()), 1)],
        "walls": [{"o": way, "row": row, "col": col} for way, row, col in told.get("walls", ())],
    }


def _centre(box: Sequence[float]) -> list[float]:
    x, y, width, height = box
    return [round(x + width / 2, 2), round(y + height / 2, 2)]


def take_programs(folder: Path) -> Iterator[Path]:
    """Debian's programs on a virtual screen, cut to their windows but for the last, which shows it all."""
    with open_virtual_display(size=(1280, 900)), closing(DesktopScreen()) as screen:
        for number, game in enumerate(IDS, 1):
            grid = [list(row) for row in sgt_flood.generate(game)[0]]
            with _run([sgt_flood.PROGRAM, game]) as window:
                truth = _program_truth("flood_it", grid, 32, 57, 32)
                yield keep(folder / "flood_it" / f"sgt-flood-{number}", screen.grab(window).pixels, truth)
        for theme, columns in COLUMNS.items():
            with (
                tempfile.TemporaryDirectory() as home,
                _run([four_in_a_row.PROGRAM], _two_people(Path(home), theme)) as window,
            ):
                for column in columns:
                    subprocess.run(["xdotool", "key", str(column)], check=True)
                    time.sleep(1.5)
                truth = _program_truth("connect_four", stacked(columns), 120.5, 178.5, 74)
                yield keep(folder / "connect_four" / f"four-in-a-row-{theme}", screen.grab(window).pixels, truth)
        for variant, (record, x, y, pitch) in RECORDS.items():
            with tempfile.TemporaryDirectory() as home, _pentobi(Path(home), variant, record) as window:
                subprocess.run(["xdotool", "key", "ctrl+End"], check=True)
                time.sleep(1.5)
                grid = recorded(record, 14 if variant == "duo" else 20)
                truth = _program_truth("blokus", grid, x, y, pitch)
                yield keep(folder / "blokus" / f"pentobi-{variant}", screen.grab(window).pixels, truth)
        with tempfile.TemporaryDirectory() as home, iagno.program("first", Path(home)):
            time.sleep(6)
            start = np.zeros((8, 8), dtype=int)
            start[3:5, 3:5] = [[2, 1], [1, 2]]
            truth = _program_truth("reversi", start.tolist(), 451, 260, 54)
            yield keep(folder / "reversi" / "iagno-start", screen.grab().pixels, truth)


def stacked(columns: Sequence[int]) -> list[list[int]]:
    """Six rows of seven in which the players, 1 and 2, dropped a disc in turn into each of `columns`, from 1."""
    grid = [[0] * 7 for _ in range(6)]
    for turn, column in enumerate(columns):
        row = max(row for row in range(6) if not grid[row][column - 1])
        grid[row][column - 1] = turn % 2 + 1
    return grid


def recorded(record: str, side: int) -> list[list[int]]:
    """The squares of a record of Pentobi: columns a.. from the left, rows 1.. from the bottom."""
    grid = [[0] * side for _ in range(side)]
    for colour, points in re.findall(r"([BW1-4])\[([a-t0-9,]+)\]", record):
        for point in points.split(","):
            grid[side - int(point[1:])][ord(point[0]) - ord("a")] = {"B": 1, "W": 2}.get(colour) or int(colour)
    return grid


def _program_truth(game: str, grid: list[list[int]], x: float, y: float, pitch: float) -> dict[str, Any]:
    """x, y: the middle of the first cell, in pixels of the picture."""
    middles = [[[x + pitch * col, y + pitch * row] for col in range(len(grid[0]))] for row in range(len(grid))]
    return facts(game, grid, middles)


def _two_people(home: Path, theme: int) -> dict[str, str]:
    """The environment in which four-in-a-row is played by two people in a theme."""
    return four_in_a_row.environment_of(home, {"num-players": 2, "theme-id": theme, "sound": "false"})


def _pentobi(home: Path, variant: str, record: str) -> AbstractContextManager[Rect]:
    (home / "record.blksgf").write_text(record, encoding="utf-8")
    configuration = home / ".config" / "Pentobi" / "Pentobi.conf"
    configuration.parent.mkdir(parents=True)
    configuration.write_text(f"[General]\nvariant={variant}\nthemeName=light\nwidth=1000\nheight=720\n")
    command = [pentobi.PROGRAM, "--nodelay", "--threads", "1", f"{home}/record.blksgf"]
    return _run(command, pentobi.environment_of(home))


@contextmanager
def _run(command: list[str], environment: dict[str, str] | None = None) -> Iterator[Rect]:
    """A program, and the rectangle of its window once it stands still."""
    with running(*command, environment=environment):
        time.sleep(6)
        told = subprocess.run(["xdotool", "getactivewindow"], capture_output=True, text=True, check=True).stdout
        asked = ["xwininfo", "-id", told.strip()]
        told = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
        sides = {name.strip(): value for name, _, value in (line.partition(":") for line in told.splitlines())}
        names = ("Absolute upper-left X", "Absolute upper-left Y", "Width", "Height")
        yield Rect(*(float(sides[name]) for name in names))


def facts(
    game: str, grid: list[list[int]] | None, middles: list[list[list[float]]], *, scale: float = 1.0
) -> dict[str, Any]:
    """The truth that every fixture has; the keys are those of a drawn picture's."""
    (x, y), (right, _), (_, down) = middles[0][0], middles[0][1], middles[1][0]
    return {
        "game": game, "rows": len(middles), "cols": len(middles[0]), "scale": scale, "grid": grid, "cells": middles,
        "pitch": [round(right - x, 2), round(down - y, 2)], "hidden_cells": [], "buttons": [], "pawns": [], "walls": [],
    }  # fmt: skip


def keep(at: Path, pixels: Pixels, truth: dict[str, Any]) -> Path:
    """Writes a picture, as small as a PNG can be, and its truth."""
    at.parent.mkdir(parents=True, exist_ok=True)
    picture = at.with_suffix(".png")
    Image.fromarray(pixels).save(picture, optimize=True)
    at.with_suffix(".json").write_text(json.dumps(truth) + "\n", encoding="utf-8")
    return picture


def main() -> None:
    """Takes every picture and prints its line of fixtures/SOURCES.md."""
    folder = Path(sys.argv[1])
    for take in (take_pages, take_programs):
        for picture in take(folder):
            print(f"| {picture.relative_to(folder)} | {hashlib.sha256(picture.read_bytes()).hexdigest()} |", flush=True)


if __name__ == "__main__":
    main()
