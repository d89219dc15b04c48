"""The files that are read: good ones, made by the program itself, and what reads them.

What reads raises a BoardsightError for an input that it refuses.
"""

from __future__ import annotations

import io
import json
import tempfile
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import tomli_w

from games import find_game
from games.core import Options

FOLDER = Path("run")
"""Of the journals' pictures, which are never opened."""


def settings_seeds() -> list[bytes]:
    """Settings files."""
    from bot.settings import Settings

    every = asdict(Settings(game="flood_it", solver="greedy", calibration="x.toml", new_game="n", seconds=1.0))
    return [
        tomli_w.dumps(every).encode(),
        b"delay = 1\nsolver = 'greedy'\n",
        b"new_game = '612,40'\nscreen = 'drawn'\n",
    ]


def read_settings(text: str) -> None:
    """Settings, and what is made of them."""
    from bot.settings import parse_place, parse_settings

    settings = parse_settings(text, "boardsight.toml", {})
    _ = settings.search_limit, settings.options, parse_place(settings.new_game)


def plan_seeds() -> list[bytes]:
    """Fault plans."""
    from bot.faults.plans import draw_plan, format_plan

    return [format_plan(draw_plan(seed)).encode() for seed in range(6)]


def read_plan(text: str) -> None:
    """A plan, which must survive being written."""
    from bot.faults.plans import format_plan, parse_plan

    assert parse_plan(format_plan(plan := parse_plan(text))) == plan


@cache
def calibration_seeds() -> list[bytes]:
    """Saved calibrations."""
    from bot.screens.drawn.screen import DrawnScreen
    from calibration.board import dump_calibration
    from calibration.locate import locate

    found = []
    for name, options in {"flood_it": Options(rows=6, cols=6, colours=4), "connect_four": Options()}.items():
        game = find_game(name)
        screen = DrawnScreen(game, game.deal(np.random.default_rng(1), options))
        found += [dump_calibration(screen.calibration()), dump_calibration(locate(screen.grab(), name))]
    return [text.encode() for text in found]


def read_calibration(text: str) -> None:
    """A calibration that loads must also read a picture, however little of the board it shows."""
    from calibration.board import load_calibration
    from calibration.frame import Frame, Rect
    from calibration.looks import reader_of

    loaded = load_calibration(text)
    reader_of(loaded).read(Frame(_NOTHING, Rect(0, 0, 64, 48)))


_NOTHING = np.zeros((48, 64, 3), dtype=np.uint8)


@cache
def journal_seeds() -> list[bytes]:
    """Journals of a short run, whole and with one line."""
    from bot.runs.journal import Answer, Click, Turn
    from calibration.frame import Pixel, Rect, Spot

    click = Click("colour:1", Pixel(612.5, 40.0), Spot(612.5, 40.0))
    decision = {"move": "1", "line": ["1", "0"], "score": 3, "proven": False, "best": ["1"], "nodes": 12}
    decision |= {"seconds": 0.01, "candidates": [{"move": "1", "score": 2.5, "visits": None}]}
    turn = Turn(
        number=1,
        calibration=1,
        picture="turn-001.png",
        offset=Pixel(10, 20),
        region=Rect(0, 0, 64, 48),
        state="012/210/001",
        options={"rows": 3, "cols": 3},
        grid=[[0, 1, 2]] * 3,
        confidence=[[0.9, 0.8, 1.0]] * 3,
        decision=decision,
        played="1",
        clicks=[click],
        tries=1,
        after="112/210/001",
        outcome="confirmed",
        milliseconds={"own": 2.0},
    )
    answer = Answer(1, [1], ["4"], "44", "444")
    region = [0, 0, 64, 48]
    lines: list[dict[str, Any]] = [
        {"kind": "run", "version": 2, "settings": {"seconds": 1.0, "nodes": 10}},
        {"kind": "playing", "game": "flood_it", "solver": "greedy"},
        {"kind": "calibrated", "number": 1, "region": region},
        {"kind": "turn", **asdict(turn)},
        {"kind": "answer", **asdict(answer)},
        {"kind": "note", "text": "the click had no effect", "attempt": 1},
        {"kind": "end", "cause": "won", "message": "flooded", "picture": "end.png", "region": region},
    ]
    whole = "".join(json.dumps(line) + "\n" for line in lines)
    return [whole.encode(), *("".join(json.dumps(line) + "\n" for line in (lines[0], each)).encode() for each in lines)]


def read_journal(data: bytes) -> None:
    """A journal that opens must also be told: its head, its turns and its end."""
    from bot.runs.journal import parse_run
    from bot.runs.replay import _limit
    from bot.runs.report import _end, _head, _json
    from bot.runs.viewing import doubts, turn_told

    run = parse_run(data, FOLDER)
    list(_head(run))
    if run.end is None or not run.end["picture"]:
        list(_end(run))
    _limit(run)
    for turn in run.turns:
        _json([turn_told(turn), doubts(turn)])


@cache
def picture_seeds() -> list[bytes]:
    """Pictures of many kinds."""
    from PIL import Image

    rng = np.random.default_rng(2)
    colours = Image.fromarray(rng.integers(0, 256, (12, 16, 3), dtype=np.uint8))
    grey = Image.fromarray(rng.integers(0, 65_536, (12, 16)).astype(np.uint16))
    clear = colours.convert("RGBA")
    clear.putalpha(Image.fromarray(rng.integers(0, 256, (12, 16), dtype=np.uint8)))
    shapes = [
        ("PNG", colours),
        ("PNG", grey),
        ("PNG", clear),
        ("PNG", clear.convert("LA")),
        ("PNG", colours.convert("P")),
    ]
    shapes += [("PNG", colours.convert("1")), ("JPEG", colours), ("JPEG", colours.convert("CMYK")), ("GIF", colours)]
    shapes += [("WEBP", clear), ("BMP", colours), ("TIFF", clear), ("TIFF", grey), ("PPM", colours)]
    files = []
    for kind, image in shapes:
        with io.BytesIO() as file:
            image.save(file, kind)
            files.append(file.getvalue())
    with io.BytesIO() as file:
        colours.save(file, "GIF", save_all=True, append_images=[clear, colours.convert("L")])
        files.append(file.getvalue())
    return files


def read_picture(data: bytes) -> None:
    """A picture, which must come to RGB."""
    from bot.storage.pictures import decode_picture

    pixels = decode_picture(data, "picture")
    assert pixels.dtype == np.uint8
    assert pixels.ndim == 3
    assert pixels.shape[2] == 3


def read_cached_decisions(data: bytes) -> None:
    """The file of kept decisions: lines that are none are passed over."""
    from solvers.action_cache import parse_answer

    for line in data.split(b"\n"):
        parse_answer(line)


@cache
def card_seeds() -> list[bytes]:
    """Models' cards."""
    from solvers.learned.card import Card, Figure, format_card
    from solvers.models import FOLDER as MODELS

    figure = Figure("random", 20, 15, 2, 3, "boardsight models measure")
    board, made = (
        Options(rows=7, cols=7, variant="corners", players=2),
        ("c0ffee", "boardsight train", 3, "1 hour", "CPU"),
    )
    small = Card("one", "blokus", board, "by heart", "", "one.npz", "0" * 64, *made, figures=(figure,))
    return [format_card(small).encode(), *(path.read_bytes() for path in sorted(MODELS.glob("*.toml")))]


def read_card(text: str) -> None:
    """A card that is read must also be shown."""
    from solvers.learned.card import format_card, parse_card
    from solvers.learned.registry import describe

    card = parse_card(text)
    describe(card.board)
    assert parse_card(format_card(card)) == card


@cache
def table_seeds() -> list[bytes]:
    """Tables of values."""
    from solvers.learned.blokus_table import Entries, write_entries

    rng, found = np.random.default_rng(4), []
    for count in (0, 1, 40):
        keys = np.unique(rng.integers(1 << 63, size=count, dtype=np.uint64))
        with io.BytesIO() as file:
            write_entries(file, Entries(keys, rng.random(count, dtype=np.float32), 0.5))
            found.append(file.getvalue())
    with io.BytesIO() as file:
        np.savez(
            file, steps=np.arange(1, 5, dtype=np.uint64), values=np.arange(4, dtype=np.int16), factor=np.float64(1)
        )
        found.append(file.getvalue())
    return found


def read_table(data: bytes) -> None:
    """A table of values that is read must also be laid out."""
    from solvers.learned.blokus_table import parse_entries, spread

    spread(parse_entries(data), 128)


@cache
def network_seeds() -> list[bytes]:
    """The networks that come with Boardsight."""
    from solvers.models import FOLDER as MODELS

    return [path.read_bytes() for path in sorted(MODELS.glob("*.onnx"))]


def read_network(data: bytes) -> None:
    """A network that is loaded must also answer."""
    from solvers.learned.network import Network

    with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
        file.write(data)
        file.flush()
        Network(Path(file.name)).check(7)
