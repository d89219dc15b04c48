"""Everything that is read is taken, or refused with an error of ours that says what to do: no traceback, no hang."""

from __future__ import annotations

import io
import json
import os
import shlex
import struct
import sys
import tracemalloc
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from bench.fuzz.damage import damaged
from bench.fuzz.targets import TARGETS
from bot.cli import main
from bot.protocol import process as engine_process
from bot.protocol.process import EngineProcess
from bot.runs.fixtures import keep
from bot.runs.journal import LINES, JournalError, open_run
from bot.runs.replay import replay
from bot.runs.report import report
from bot.settings import load_settings
from bot.storage.files import read_calibration, read_file, read_text, write_text
from bot.storage.pictures import LARGEST, decode_picture, load_frame, load_picture
from calibration.board import dump_calibration, load_calibration
from calibration.frame import Frame, Rect
from calibration.locate import BoardNotFoundError, locate
from games import GAMES, find_game
from games.core import BoardsightError, SettingsError
from solvers.action_cache import ActionCache
from solvers.connect_four import book as connect_four_book

# Pictures.


def png(image: Image.Image) -> bytes:
    with io.BytesIO() as file:
        image.save(file, "PNG")
        return file.getvalue()


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def bomb(width: int, height: int) -> bytes:
    """A PNG that claims to be so large and holds a row of nothing."""
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    row_of_nothing = zlib.compress(b"\0" * (1 + 3 * min(width, 1_000)))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", row_of_nothing) + chunk(b"IEND", b"")


RED = Image.new("RGB", (16, 12), (200, 10, 20))
NOISE = Image.fromarray(np.random.default_rng(3).integers(0, 256, (12, 16, 3), dtype=np.uint8))
LEGIBLE = {
    "one pixel": Image.new("RGB", (1, 1), (200, 10, 20)),
    "grey": Image.new("L", (16, 12), 90),
    "16-bit grey": Image.fromarray(np.full((12, 16), 90 * 257, np.uint16)),
    "grey and clear": Image.new("LA", (16, 12), (90, 255)),
    "palette": RED.convert("P"),
    "black and white": RED.convert("1"),
    "half transparent": Image.new("RGBA", (16, 12), (200, 10, 20, 128)),
}


@pytest.mark.parametrize("kind", LEGIBLE)
def test_a_picture_of_any_mode_is_read_as_red_green_and_blue(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(png(LEGIBLE[kind]))
    pixels = load_picture(path)
    assert pixels.dtype == np.uint8
    assert pixels.shape == (LEGIBLE[kind].height, LEGIBLE[kind].width, 3)
    wanted = {"half transparent": (227, 132, 137)}.get(kind)
    if "grey" in kind:
        assert (pixels == 90).all()
    elif wanted:
        assert np.abs(pixels.astype(int) - wanted).max() <= 1


def test_the_name_of_a_picture_says_nothing_of_what_is_in_it(tmp_path: Path) -> None:
    path = tmp_path / "picture.jpg"
    path.write_bytes(png(RED))
    assert (load_picture(path) == (200, 10, 20)).all()


def test_of_a_film_the_first_picture_is_read() -> None:
    with io.BytesIO() as file:
        RED.save(file, "GIF", save_all=True, append_images=[Image.new("RGB", (16, 12), (0, 0, 255))])
        assert (decode_picture(file.getvalue(), "film") == (200, 10, 20)).all()


def test_a_jpeg_for_printers_is_read() -> None:
    with io.BytesIO() as file:
        RED.convert("CMYK").save(file, "JPEG")
        assert np.abs(decode_picture(file.getvalue(), "print").astype(int) - (200, 10, 20)).max() <= 12


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "no picture"),
        (b"no picture at all", "of no kind that is known"),
        (png(NOISE)[:600], "no picture"),
        (bomb(16_384, 16_384), "more pixels than any screen"),
        (bomb(100_000, 100_000), "more pixels than any screen"),
        (bomb(2**31 - 1, 2**31 - 1), "more pixels than any screen"),
        (bomb(9_000, 9_000), "more pixels than any screen"),
        (bomb(8_000, 8_000), "or than its bytes hold"),
        (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n%%EndComments\n%%EOF\n", "of no kind that is known"),
    ],
)
def test_what_is_no_picture_is_refused_with_the_reason(tmp_path: Path, data: bytes, words: str) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(data)
    with pytest.raises(SettingsError, match=words):
        load_frame(path)


def test_a_picture_that_is_too_large_is_refused_before_it_is_unpacked() -> None:
    data = bomb(16_384, 16_384)
    tracemalloc.start()
    with pytest.raises(SettingsError):
        decode_picture(data, "bomb")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10_000_000
    assert LARGEST >= 2 * 7680 * 4320


@pytest.mark.parametrize("size", [(1, 1), (1, 2000), (2000, 1), (3, 3), (8, 8), (17, 9)])
@pytest.mark.parametrize("game", [None, *GAMES])
def test_no_board_is_found_in_a_picture_too_small_for_one(size: tuple[int, int], game: str | None) -> None:
    width, height = size
    for pixels in (
        np.zeros((height, width, 3), np.uint8),
        np.random.default_rng(1).integers(0, 256, (height, width, 3)),
    ):
        frame = Frame(pixels.astype(np.uint8), Rect(0, 0, width, height))
        with pytest.raises(BoardNotFoundError, match="picture"):
            locate(frame, game)


# Files.


def test_what_is_no_file_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    (tmp_path / "large").write_bytes(b"x" * 101)
    (tmp_path / "latin").write_bytes(b"delay = \xe9")
    for path, words in (
        (pipe, "no file that can hold"),
        (tmp_path, "a folder|no file"),
        (Path("/dev/zero"), "no file that can hold"),
        (tmp_path / "large", "101 bytes, settings at most 100"),
        (tmp_path / "missing", "there is no file"),
        (tmp_path / ("n" * 300), "cannot be read"),
        (Path("a\0b"), "cannot be read"),
        (tmp_path / "latin" / "deeper", "cannot be read"),
    ):
        with pytest.raises(SettingsError, match=words):
            read_file(path, most=100, what="settings")
    with pytest.raises(SettingsError, match="no UTF-8 text from byte 8"):
        read_text(tmp_path / "latin", most=100, what="settings")


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "calibration.toml"
    write_text(path, "old")
    with pytest.raises(UnicodeEncodeError):
        write_text(path, "new \ud800")
    assert path.read_text() == "old"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["play", "--settings", "/dev/zero"], "no file that can hold settings"),
        (["play", "--settings", "/nowhere.toml"], "there is no file"),
        (["play", "--screen", "drawn", "--delay", "nan"], "delay must be a number"),
        (["play", "--screen", "drawn", "--patience", "inf"], "patience must be a number"),
        (["play", "--screen", "folder", "--pictures", "/nowhere"], "neither a folder nor a picture"),
        (["play", "--screen", "drawn", "--calibration", "/dev/full"], "no file that can hold a calibration"),
        (["read", "/dev/zero", "--json"], ""),
        (["replay", "/nowhere"], "is no run"),
        (["report", "/"], "is no run"),
        (["keep", "/nowhere", "1"], "is no run"),
        (["analyse", "/dev/zero"], "no file that can hold a record"),
        (["moves", "--game", "quoridor", "--size", "9999x9999"], "9999"),
        (["perft", "--game", "blokus", "--depth", "1", "--size", "21x21"], "21"),
    ],
)
def test_a_command_refuses_a_bad_file_in_one_line(capsys: Any, words: list[str], said: str) -> None:
    status = main(words)
    out, err = capsys.readouterr()
    assert status in (1, 2)
    assert said in out + err
    assert "Traceback" not in err
    assert (out + err).count("\n") == 1


# Settings and calibrations.


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("delay = nan", "delay must be a number of at most"),
        ("lost = inf", "lost must be a number of at most"),
        (f"nodes = {10**30}", "nodes must be a number of at most"),
        (f"delay = {10**400}", "delay = .* must be of type float"),
        (f"nodes = {'9' * 5000}", "is no TOML"),
        ("a = " + "[" * 3000, "is no TOML"),
        ("games = true", "must be of type int"),
    ],
)
def test_settings_that_no_run_can_use_are_refused(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "boardsight.toml"
    path.write_text(text)
    with pytest.raises(SettingsError, match=words):
        load_settings(path, {})


def calibration_text() -> str:
    return TARGETS["calibrations"][0]()[0].decode()


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("rows = 6", "rows = 1000000000", "rows = 1000000000 .* from 1 to 200"),
        ("rows = 6", "rows = true", "rows = True"),
        ("tolerance = 40.0", "tolerance = nan", "tolerance = nan"),
        ("pitch = [", "pitch = [0.0, 3.0]\nother = [", "at least 1 pixel"),
        ("marked = []", "marked = [77]", "kinds from 0"),
        ("blocked = []", "blocked = [[3, 99]]", "a cell of the 6x6 board"),
        ("blocked = []", "blocked = [[-1, 0]]", "a cell of the 6x6 board"),
        ("faces = []", 'faces = ["zz"]', "hexadecimal"),
        ('look = "coloured"', 'look = "blurred"', "blurred"),
    ],
)
def test_a_calibration_that_reads_no_board_is_refused_with_the_key(
    tmp_path: Path, old: str, new: str, words: str
) -> None:
    from calibration.looks import reader_of

    text = calibration_text()
    assert old in text
    path = tmp_path / "calibration.toml"
    path.write_text(text.replace(old, new))
    with pytest.raises(SettingsError, match=words):
        reader_of(read_calibration(path))


def test_a_calibration_is_the_same_after_it_was_written_and_read() -> None:
    for data in TARGETS["calibrations"][0]():
        loaded = load_calibration(data.decode())
        assert load_calibration(dump_calibration(loaded)) == loaded


# Runs.


def copied(folder: Path, to: Path) -> Path:
    to.mkdir()
    for path in folder.iterdir():
        (to / path.name).write_bytes(path.read_bytes())
    return to


def walk(folder: Path) -> None:
    """Everything that can be done with a run."""
    run = open_run(folder)
    list(replay(run))
    report(run)
    keep(run, 1, folder / "kept")


def test_a_run_with_any_damaged_file_is_walked_or_refused_by_name(short_run: Path, tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    refused = 0
    for number in range(24):
        damage = copied(short_run, tmp_path / f"run-{number}")
        files = sorted(damage.iterdir())
        path = files[number % len(files)]
        path.write_bytes(damaged([path.read_bytes()], rng))
        try:
            walk(damage)
        except BoardsightError as error:
            refused += bool(str(error))
    assert refused >= 8


def test_a_run_that_lost_a_file_says_which(short_run: Path, tmp_path: Path) -> None:
    for name in ("turn-001.png", "calibration-1.toml", "calibration-1.png", LINES):
        damage = copied(short_run, tmp_path / name.replace(".", "-"))
        (damage / name).unlink()
        with pytest.raises(SettingsError, match=name):
            walk(damage)


def test_a_journal_that_grew_beyond_all_bounds_is_refused_unread(tmp_path: Path) -> None:
    with (tmp_path / LINES).open("wb") as file:
        file.truncate(1 << 40)  # a hole: it takes no room on the disk
    with pytest.raises(JournalError, match="at most"):
        open_run(tmp_path)


# Other programs.

ENGINES = {
    "says nothing and ends": "pass",
    "answers what is no JSON": "print('hello'); input()",
    "answers a score that is none": """print('{"ok": true}\\n{"ok": true, "move": "4", "score": "x"}'); input()""",
    "answers without end": "import sys\nwhile True: sys.stdout.write('x' * 100000)",
    "answers unasked": """import sys\nwhile True: print('{"ok": true, "move": "9"}', flush=True)""",
    "complains at length": "import sys; sys.stderr.write('no ' * 10**6); sys.exit(3)",
}


@pytest.mark.parametrize("habit", ENGINES)
def test_another_engine_that_behaves_badly_is_named_and_ended(
    tmp_path: Path, habit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_process, "FAREWELL", 0.2)
    script = tmp_path / "engine.py"
    script.write_text(ENGINES[habit])
    game = find_game("connect_four")
    command = shlex.join([sys.executable, str(script)])
    with EngineProcess(command, game, patience=2.0) as engine, pytest.raises(BoardsightError, match="engine"):
        engine.decide(game.parse(""))
    assert engine._process.returncode is not None


def test_kept_decisions_are_read_where_they_are_some_and_passed_over_where_not(tmp_path: Path) -> None:
    path = tmp_path / "kept.jsonl"
    path.write_bytes(
        b'["a", "4", 1]\n[["list"], 2]\n{"b": 1}\n7\n[\n' + b"[" * 3000 + b'\n\xff\xfe\n["c", "5", null]\n["d'
    )
    cache = ActionCache(path)
    assert (cache.get("a"), cache.get("c"), cache.get("d")) == (["4", 1], ["5", None], None)
    with pytest.raises(SettingsError, match="name a file"):
        ActionCache(tmp_path)


def test_a_book_that_is_not_the_one_of_its_card_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book = tmp_path / "book.npz"
    book.write_bytes(connect_four_book.BOOK.read_bytes()[:-1] + b"x")
    monkeypatch.setattr(connect_four_book, "BOOK", book)
    connect_four_book.load.cache_clear()
    try:
        with pytest.raises(SettingsError, match="book=false"):
            connect_four_book.load()
    finally:
        connect_four_book.load.cache_clear()


def test_a_page_that_says_nonsense_is_answered() -> None:
    from bot.web.session import parse

    for text in ("", "null", "[" * 60_000, json.dumps({"type": "INIT", "game": "x" * 300}), '{"type": "MOVE"}'):
        with pytest.raises(SettingsError):
            parse(text)
