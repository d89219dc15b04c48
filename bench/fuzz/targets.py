"""Bad input of every kind for everything Boardsight reads: it must be taken or refused by name, soon, in little memory.

``python -m bench.fuzz.targets --inputs 1000000 --seed 1`` makes the record; ``python -m bench fuzz`` a short run.
Good inputs are made by the program itself and then damaged: bytes, words and numbers are exchanged, cut, doubled and
spliced, and in JSON and TOML single values are replaced, so that what lies behind the first check is reached, too.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import resource
import signal
import tempfile
import threading
import time
import tomllib
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import tomli_w

from games import GAMES, find_game
from games.core import BoardsightError, Options

INPUTS = 20_000
"""Inputs of the short run."""

SLOW = 0.5
"""CPU seconds from which an input is an outlier: the usual one takes less than a millisecond."""

HANG = 20.0
"""Wall seconds after which an input is given up."""

GROWTH = 256
"""Megabytes by which one target may raise the process's peak."""

FOLDER = Path("run")

Target = Callable[[bytes], object]
"""What reads an input; it returns, or raises a BoardsightError."""


class HangError(Exception):
    """An input was given up after HANG seconds."""


@dataclass
class Tally:
    """What became of one target's inputs.

    faults: the text of each kind of error without a name of ours -> the first input that brought it about.
    slowest: CPU seconds, and the input.  grown: megabytes by which the process's peak rose.
    """

    inputs: int = 0
    taken: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    faults: dict[str, bytes] = field(default_factory=dict)
    slowest: tuple[float, bytes] = (0.0, b"")
    seconds: float = 0.0
    grown: int = 0


def tables() -> Iterator[str]:
    """A row for each thing that is read: taken, refused by name, faults, the slowest input."""
    yield from report(fuzz(INPUTS, seed=1))


def report(tallies: dict[str, Tally]) -> Iterator[str]:
    """The table of a run, and every fault with its input."""
    yield "| what is read | inputs | taken | refused by name | faults | inputs/s | slowest, ms | MB more |"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|"
    for name, tally in tallies.items():
        yield (
            f"| {name} | {tally.inputs} | {tally.taken} | {tally.refused.total()} | {len(tally.faults)} "
            f"| {tally.inputs / max(tally.seconds, 1e-9):.0f} | {1e3 * tally.slowest[0]:.0f} | {tally.grown} |"
        )
    yield ""
    yield f"{sum(tally.inputs for tally in tallies.values())} inputs, {len(faults(tallies))} kinds of faults"
    for name, said, data in faults(tallies):
        yield f"\n{name}: {said.strip()}\n  input: {data[:400]!r}"


def faults(tallies: dict[str, Tally]) -> list[tuple[str, str, bytes]]:
    """Every fault: its target, what was raised, the input; inputs that took too long or too much are faults, too."""
    found = [(name, said, data) for name, tally in tallies.items() for said, data in tally.faults.items()]
    for name, tally in tallies.items():
        if tally.slowest[0] > SLOW:
            found.append((name, f"an input took {tally.slowest[0]:.1f} s", tally.slowest[1]))
        if tally.grown > GROWTH:
            found.append((name, f"the process grew by {tally.grown} MB", b""))
    return found


def fuzz(inputs: int, *, seed: int, only: Sequence[str] = ()) -> dict[str, Tally]:
    """Give each target, or `only` those named, an equal share of so many damaged inputs."""
    chosen = {name: target for name, target in TARGETS.items() if not only or name in only}
    share = -(-inputs // len(chosen))
    tallies = {}
    for number, (name, (seeds, target)) in enumerate(chosen.items()):
        rng = np.random.default_rng([seed, number])
        tallies[name] = attack(target, seeds(), rng, share)
    return tallies


def attack(target: Target, seeds: Sequence[bytes], rng: np.random.Generator, count: int) -> Tally:
    """Give `target` so many damaged `seeds`, the sound ones first."""
    tally = Tally()
    with hang_told():
        for data in seeds:
            feed(target, data, Tally())  # compiles and imports what is lazy
        peak = _peak()
        for number in range(count):
            feed(target, seeds[number] if number < len(seeds) else damaged(seeds, rng), tally)
        tally.grown = _peak() - peak
    return tally


def feed(target: Target, data: bytes, tally: Tally) -> None:
    """Give `target` one input and write down what became of it."""
    began = time.thread_time()
    _watch(HANG)
    try:
        with contextlib.redirect_stderr(io.StringIO()):
            target(data)
        tally.taken += 1
    except BoardsightError as error:
        tally.refused[type(error).__name__] += 1
        if not str(error):
            tally.faults.setdefault("an error without a message", data)
    except Exception as error:  # what this is all about
        lines = traceback.extract_tb(error.__traceback__)
        where = f"{lines[-1].filename}:{lines[-1].lineno}"
        tally.faults.setdefault(f"{type(error).__name__} in {where}: {str(error)[:200]}", data)
    finally:
        _watch(0)
    spent = time.thread_time() - began
    tally.inputs += 1
    tally.seconds += spent
    if spent > tally.slowest[0]:
        tally.slowest = (spent, data)


@contextlib.contextmanager
def hang_told() -> Iterator[None]:
    """Inside, an input that takes too long raises HangError, in the main thread of systems that have such alarms."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def give_up(number: int, frame: FrameType | None) -> None:
        raise HangError(f"no answer after {HANG:g} s")

    before = signal.signal(signal.SIGALRM, give_up)
    try:
        yield
    finally:
        signal.signal(signal.SIGALRM, before)


def _watch(seconds: float) -> None:
    if hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread():
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


# The damage.

WORDS: tuple[bytes, ...] = tuple(
    word.encode()
    for word in (
        *("", " ", "\n", "\r\n", "\t", "\0", "0", "-1", "1", "9", "64", "65", "255", "256", "4294967296", "1e999"),
        *("-0.0", "NaN", "nan", "inf", "-inf", "Infinity", "null", "None", "true", "{}", "[]", '""', "[[[[", "}", "]"),
        *("/", "//", "@", " @0,0", " @-1,9", ",", ":", "-", "+", ".", "..", "../../etc/passwd", "\\", '"', "'", "é"),
        *("\u0661", "\u00b2", "\uff11", "\ud7ff", "\U0001f600", "a1", "e2", "e3h", "t20", "a0", "z9", "B[]", "(;"),
        *("GM[Blokus]", ";", ")", "9" * 400, "9" * 5000, "[" * 2000, "(" * 2000, "{" * 2000, "a" * 70_000),
        *("%n%s", "\x1b[31m"),
    )
)
"""Words that programs fall over."""

VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 255, 256, 10**6, 2**31, 2**63, 10**30, -(10**30), 0.5, -0.5, 1e-300, 1e300),
    *(float("inf"), float("nan"), "", "x", "0", "-1", "../x", "a\0b", "\ud7ff", "x" * 5000, [], [[]], [0], [1, 2], {}),
    *([None], [[1]], [0] * 300, ["a", "b"], {"x": 1}, [float("nan")] * 2, [10**30] * 2, [-1, -1], [1, 2, 3, 4]),
)
"""Values of the wrong kind, size or sign."""


def damaged(seeds: Sequence[bytes], rng: np.random.Generator) -> bytes:
    """One of `seeds`, damaged once or a few times."""
    data = seeds[int(rng.integers(len(seeds)))]
    for _ in range(1 + min(int(rng.geometric(0.6)), 6)):
        data = _HURTS[int(rng.integers(len(_HURTS)))](data, seeds, rng)
    return data


def _flip(data: bytes, seeds: Sequence[bytes], rng: np.random.Generator) -> bytes:
    if not data:
        return b"\x00"
    at, hurt = int(rng.integers(len(data))), bytearray(data)
    hurt[at] = int(rng.integers(256)) if rng.integers(2) else hurt[at] ^ (1 << int(rng.integers(8)))
    return bytes(hurt)


def _cut(data: bytes, seeds: Sequence[bytes], rng: np.random.Generator) -> bytes:
    first, last = sorted(rng.integers(len(data) + 1, size=2).tolist())
    return data[:first] if rng.integers(3) == 0 else data[:first] + data[last:]


def _double(data: bytes, seeds: Sequence[bytes], rng: np.random.Generator) -> bytes:
    first, last = sorted(rng.integers(len(data) + 1, size=2).tolist())
    times = int(rng.choice((2, 3, 40)))
    return data[:first] + data[first:last][:2_000] * times + data[last:]


def _insert(data: bytes, seeds: Sequence[bytes], rng: np.random.Generator) -> bytes:
    at, word = int(rng.integers(len(data) + 1)), WORDS[rng.integers(len(WORDS))]
    return data[:at] + word + data[at + int(rng.integers(2)) * len(word) :]


def _number(data: bytes, seeds: Sequence[bytes], rng: np.random.Generator) -> bytes:
    """One of its digits, with those that follow, becomes another number."""
    digits = [at for at, byte in enumerate(data[:4_000]) if 48 <= byte <= 57]
    if not digits:
        return data
    at = end = digits[rng.integers(len(digits))]
    while end < len(data) and 48 <= data[end] <= 57:
        end += 1
    number = str(rng.choice((0, -1, 1, 7, 99, 1000, 2**31, 2**63))).encode()
    return data[:at] + number + data[end:]


def _splice(data: bytes, seeds: Sequence[bytes], rng: np.random.Generator) -> bytes:
    other = seeds[int(rng.integers(len(seeds)))]
    return data[: int(rng.integers(len(data) + 1))] + other[int(rng.integers(len(other) + 1)) :]


def _value(data: bytes, seeds: Sequence[bytes], rng: np.random.Generator) -> bytes:
    """A value of JSON or TOML becomes another one, or goes, or gets company; other inputs stay."""
    lines = data.split(b"\n") if data[:1] == b"{" else [data]
    at = int(rng.integers(len(lines)))
    toml = data[:1] != b"{"
    try:
        content = tomllib.loads(lines[at].decode()) if toml else json.loads(lines[at])
    except (ValueError, RecursionError):
        return data
    if not isinstance(content, dict) or not content:
        return data
    _hurt_value(content, rng)
    with contextlib.suppress(TypeError, ValueError, AttributeError, OverflowError, RecursionError):
        lines[at] = tomli_w.dumps(content).encode() if toml else json.dumps(content).encode()
    return b"\n".join(lines)


def _hurt_value(content: Any, rng: np.random.Generator) -> None:
    """Changes one value somewhere in a table or list."""
    while True:
        keys = list(content) if isinstance(content, dict) else list(range(len(content)))
        key = keys[rng.integers(len(keys))]
        if not isinstance(content[key], dict | list) or not content[key] or rng.integers(4) == 0:
            break
        content = content[key]
    fate = rng.integers(6)
    if fate == 0:
        del content[key]
    elif fate == 1 and isinstance(content, dict):
        content[str(rng.choice(("x", "", "game", "kind", "size", "rows")))] = content[key]
    else:
        content[key] = VALUES[rng.integers(len(VALUES))]


_HURTS: tuple[Callable[[bytes, Sequence[bytes], np.random.Generator], bytes], ...] = (
    _flip,
    _cut,
    _double,
    _insert,
    _insert,
    _number,
    _splice,
    _value,
    _value,
    _value,
)
"""Each kind of damage as often as it stands here."""


# What is read, and good inputs for it.


def _text(read: Callable[[str], object]) -> Target:
    """A target that takes a text."""
    return lambda data: read(data.decode(errors="replace"))


def _settings_seeds() -> list[bytes]:
    from bot.settings import Settings

    every = asdict(Settings(game="flood_it", solver="greedy", calibration="x.toml", new_game="n", seconds=1.0))
    return [
        tomli_w.dumps(every).encode(),
        b"delay = 1\nsolver = 'greedy'\n",
        b"new_game = '612,40'\nscreen = 'drawn'\n",
    ]


def _settings(text: str) -> None:
    from bot.settings import parse_place, parse_settings

    settings = parse_settings(text, "boardsight.toml", {})
    _ = settings.search_limit, settings.options, parse_place(settings.new_game)


def _plan_seeds() -> list[bytes]:
    from bot.faults.plans import draw_plan, format_plan

    return [format_plan(draw_plan(seed)).encode() for seed in range(6)]


def _plan(text: str) -> None:
    from bot.faults.plans import format_plan, parse_plan

    assert parse_plan(format_plan(plan := parse_plan(text))) == plan


@cache
def _calibrations() -> list[bytes]:
    from bot.screens.drawn.screen import DrawnScreen
    from calibration.board import dump_calibration
    from calibration.locate import locate

    found = []
    for name, options in {"flood_it": Options(rows=6, cols=6, colours=4), "connect_four": Options()}.items():
        game = find_game(name)
        screen = DrawnScreen(game, game.deal(np.random.default_rng(1), options))
        found += [dump_calibration(screen.calibration()), dump_calibration(locate(screen.grab(), name))]
    return [text.encode() for text in found]


def _calibration(text: str) -> None:
    """A calibration that loads must also read a picture, however little of the board it shows."""
    from calibration.board import load_calibration
    from calibration.frame import Frame, Rect
    from calibration.read import Reader

    loaded = load_calibration(text)
    Reader(loaded).read(Frame(_NOTHING, Rect(0, 0, 64, 48)))


_NOTHING = np.zeros((48, 64, 3), dtype=np.uint8)


@cache
def _journals() -> list[bytes]:
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


def _journal(data: bytes) -> None:
    """A journal that opens must also be told: its candidates, its marks, its head."""
    from bot.runs.journal import parse_run
    from bot.runs.replay import _limit
    from bot.runs.report import _candidates, _end, _head, _marks, _stages
    from calibration.board import load_calibration

    run = parse_run(data, FOLDER)
    calibration = load_calibration(_calibrations()[0].decode())
    list(_head(run))
    if run.end is None or not run.end["picture"]:
        list(_end(run))
    _limit(run)
    for turn in run.turns:
        list(_candidates(calibration, turn)), list(_marks(calibration, turn, 64, 48)), list(_stages(turn))


@cache
def _pictures() -> list[bytes]:
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


def _picture(data: bytes) -> None:
    from bot.storage.pictures import decode_picture

    pixels = decode_picture(data, "picture")
    assert pixels.dtype == np.uint8
    assert pixels.ndim == 3
    assert pixels.shape[2] == 3


def _texts(name: str) -> Callable[[], list[bytes]]:
    """Positions of a game with a move each, a line of options before them."""

    @cache
    def seeds() -> list[bytes]:
        game, rng, found = find_game(name), np.random.default_rng(5), []
        for options in _OPTIONS[name]:
            state = game.deal(rng, options)
            for _ in range(4):
                moves = state.legal_moves()
                if not moves:
                    break
                move = moves[int(rng.integers(len(moves)))]
                given = {key: value for key, value in asdict(game.options(state)).items() if value is not None}
                lines = (json.dumps(given), game.format(state), game.format_move(move, state))
                found.append("\n".join(lines).encode())
                state = state.play(move)
        return found

    return seeds


_OPTIONS = {
    "flood_it": (Options(rows=4, cols=5, colours=4, limit=9), Options(rows=2, cols=2, colours=2)),
    "filler": (Options(rows=4, cols=4, colours=5), Options(rows=3, cols=5, colours=4)),
    "connect_four": (Options(), Options(rows=4, cols=5, length=3)),
    "blokus": (Options(), Options(rows=5, cols=5, variant="corners"), Options(variant="classic", players=3)),
    "quoridor": (Options(), Options(rows=3, cols=3, walls=2)),
}


def _position(name: str) -> Target:
    """Reads options, a position and a move as the commands do, shows and writes what it got."""

    def read(data: bytes) -> None:
        from bot.protocol.values import options_from

        first, _, rest = data.decode(errors="replace").partition("\n")
        text, _, word = rest.rpartition("\n")
        try:
            given = json.loads(first)
        except (ValueError, RecursionError):
            given = {}
        game = find_game(name)
        state = game.parse(text, options_from(given) if isinstance(given, dict) else Options())
        game.show(state)
        game.format(state)
        state.outcome()
        state.play(game.parse_move(word, state))

    return read


@cache
def _records() -> list[bytes]:
    from games.blokus.records import format_record

    game, rng, found = find_game("blokus"), np.random.default_rng(6), []
    for options in (Options(variant="duo"), Options(variant="classic-2"), Options(variant="classic")):
        state = game.deal(rng, options)
        for _ in range(3):
            moves = state.legal_moves()
            state = state.play(moves[int(rng.integers(len(moves)))])
            found.append(format_record(state).encode())
    return [*found, b"(;GM[Blokus Duo]C[a \\] b]\n;B[e8,d9,e9,f9,e10](;W[i5,i6])(;W[j5]))"]


def _record(text: str) -> None:
    from games.blokus.records import format_record, parse_record

    format_record(parse_record(text))


_COMMANDS: tuple[dict[str, Any], ...] = (
    {"cmd": "new", "size": "7x8", "colours": 6},
    {"cmd": "new", "rows": 6, "cols": 7, "length": 4, "variant": "x", "walls": 3, "players": 2, "limit": 20},
    {"cmd": "position", "text": "4453"},
    {"cmd": "position", "text": "012/210/001"},
    {"cmd": "play", "move": "4"},
    {"cmd": "go", "seconds": 0.001, "nodes": 10, "depth": 2},
    {"cmd": "stop"},
    {"cmd": "quit"},
)


def _command_seeds() -> list[bytes]:
    lines = [json.dumps(command) for command in _COMMANDS]
    return [line.encode() for line in [*lines, "\n".join(lines), "\n".join(lines[2:6])]]


@cache
def _engine(name: str) -> Any:
    from bot.protocol.engine import EngineSession
    from solvers import find_solver
    from solvers.core import Limit

    return EngineSession(find_game(name), find_solver("random:seed=1", name), Options(), Limit())


def _commands(data: bytes) -> None:
    """Lines for ``boardsight engine``: an answer that names an error must name one of ours, as JSON."""
    from bot.protocol.engine import parse_command

    for name in ("connect_four", "flood_it"):
        session = _engine(name)
        session.new({})
        for line in data.split(b"\n")[:20]:
            answer = session.answer(parse_command(line))
            json.dumps(answer, allow_nan=False)
            if not answer["ok"] and answer["error"] not in _names():
                raise RuntimeError(f"the engine answered {answer['error']}: {answer['message'][:150]}")


@cache
def _names() -> frozenset[str]:
    """The names of all errors of ours."""

    def names(error: type[BaseException]) -> set[str]:
        return {error.__name__}.union(*map(names, error.__subclasses__()))

    return frozenset(names(BoardsightError))


def _reply_seeds() -> list[bytes]:
    answer = {"ok": True, "move": "4", "line": ["4"], "score": 2, "proven": True, "nodes": 10, "seconds": 0.1}
    return [
        json.dumps(answer).encode(),
        b'{"ok": false, "error": "IllegalMoveError", "message": "no"}',
        b'{"ok": true}',
    ]


def _reply(data: bytes) -> None:
    """What another engine says when it is asked for a move."""
    from bot.protocol.process import decision_in, parse_answer

    answer = parse_answer(data)
    if answer is not None:
        game = find_game("connect_four")
        decision_in(answer, game, game.parse("44"), "another engine")


def _message_seeds() -> list[bytes]:
    begin: dict[str, Any] = {"type": "INIT", "version": 1, "game": "connect_four", "options": {"rows": 6, "cols": 7}}
    begin |= {"seats": ["person", "random"], "analyst": "", "seconds": 0.5, "seed": 3, "start": "44", "moves": ["1"]}
    flood = {"type": "INIT", "game": "flood_it", "options": {"size": "5x5", "colours": 4}, "seed": 7, "at": 0}
    others: list[dict[str, Any]] = [
        {"type": "MOVE", "move": "4", "ply": 3},
        {"type": "UNDO"},
        {"type": "LOOK", "ply": 1},
    ]
    others += [
        {"type": "SEATS", "seats": ["person"], "analyst": "random", "seconds": 1.0},
        {"type": "THINK", "on": True},
    ]
    return [json.dumps(message).encode() for message in (begin, flood, *others)]


def _message(data: bytes) -> None:
    """A message of the table's page, followed on a match as a session does; nothing thinks."""
    from bot.web.match import Match
    from bot.web.messages import InitRequest, LookRequest, MoveRequest, SeatsRequest, UndoRequest
    from bot.web.session import parse

    asked, rng = parse(data.decode(errors="replace")), np.random.default_rng(1)
    if isinstance(asked, InitRequest):
        Match.begin(asked, rng).board()
        return
    match = Match.begin(_example(), rng)
    if isinstance(asked, MoveRequest):
        match.check_turn(asked.move, asked.ply)
        match.play(asked.move)
    elif isinstance(asked, UndoRequest):
        match.undo()
    elif isinstance(asked, LookRequest):
        match.look(asked.ply)
    elif isinstance(asked, SeatsRequest):
        match.seat(asked.seats, asked.analyst, asked.seconds)


@cache
def _example() -> Any:
    from bot.web.messages import InitRequest

    return InitRequest(type="INIT", game="connect_four", moves=["4", "4", "5"])


def _cache_lines(data: bytes) -> None:
    """The file of kept decisions: lines that are none are passed over."""
    from solvers.action_cache import parse_answer

    for line in data.split(b"\n"):
        parse_answer(line)


@cache
def _cards() -> list[bytes]:
    from solvers.learned.card import Card, Figure, format_card
    from solvers.learned.store import FOLDER as MODELS

    figure = Figure("random", 20, 15, 2, 3, "boardsight models measure")
    board, made = (
        Options(rows=7, cols=7, variant="corners", players=2),
        ("c0ffee", "boardsight train", 3, "1 hour", "CPU"),
    )
    small = Card("one", "blokus", board, "by heart", "", "one.npz", "0" * 64, *made, figures=(figure,))
    return [format_card(small).encode(), *(path.read_bytes() for path in sorted(MODELS.glob("*.toml")))]


def _card(text: str) -> None:
    """A card that is read must also be shown."""
    from solvers.learned.card import format_card, parse_card
    from solvers.learned.registry import describe

    card = parse_card(text)
    describe(card.board)
    assert parse_card(format_card(card)) == card


@cache
def _tables() -> list[bytes]:
    from solvers.learned.q_table import Entries, write_entries

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


def _table(data: bytes) -> None:
    """A table of values that is read must also be laid out."""
    from solvers.learned.q_table import parse_entries, spread

    spread(parse_entries(data), 128)


@cache
def _networks() -> list[bytes]:
    from solvers.learned.store import FOLDER as MODELS

    return [path.read_bytes() for path in sorted(MODELS.glob("*.onnx"))]


def _network(data: bytes) -> None:
    """A network that is loaded must also answer."""
    from solvers.learned.network import Network

    with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
        file.write(data)
        file.flush()
        Network(Path(file.name)).check(7)


def _words(text: str) -> None:
    """What stands in arguments: sizes, places, solvers with options."""
    from bot.protocol.values import parse_size
    from bot.settings import parse_place
    from solvers import find_solver

    kind, _, word = text.partition(" ")
    if kind == "size":
        parse_size(word)
    elif kind == "place":
        parse_place(word)
    else:
        find_solver(word, "connect_four")


Entry = tuple[Callable[[], list[bytes]], Target]

TARGETS: dict[str, Entry] = {
    "settings": (_settings_seeds, _text(_settings)),
    "calibrations": (_calibrations, _text(_calibration)),
    "journals": (_journals, _journal),
    "pictures": (_pictures, _picture),
    **{f"positions of {name}": (_texts(name), _position(name)) for name in GAMES},
    "fault plans": (_plan_seeds, _text(_plan)),
    "records (.blksgf)": (_records, _text(_record)),
    "engine's commands": (_command_seeds, _commands),
    "other engines' answers": (_reply_seeds, _reply),
    "the table's messages": (_message_seeds, _message),
    "models' cards": (_cards, _text(_card)),
    "tables of values (.npz)": (_tables, _table),
    "networks (.onnx)": (_networks, _network),
    "kept decisions": (lambda: [b'["a1b2c3", "e8,d9", 4]\n["d4", "4", null]\n'], _cache_lines),
    "arguments": (
        lambda: [b"size 14x14", b"size 9", b"place 612,40", b"solver exact:book=true", b"solver random:seed=3"],
        _text(_words),
    ),
}
"""Everything that is read -> what makes good inputs for it, and what reads it."""


def main() -> None:
    """The long run; its exit status is 1 where anything was wrong."""
    parser = argparse.ArgumentParser(description="give everything that is read damaged inputs")
    parser.add_argument("--inputs", type=int, default=INPUTS, help=f"how many altogether (default: {INPUTS})")
    parser.add_argument("--seed", type=int, default=1, help="another number damages them otherwise")
    parser.add_argument("--only", nargs="*", default=(), choices=list(TARGETS), metavar="NAME", help="which targets")
    asked = parser.parse_args()
    tallies = fuzz(asked.inputs, seed=asked.seed, only=asked.only)
    print(*report(tallies), sep="\n")
    raise SystemExit(bool(faults(tallies)))


if __name__ == "__main__":
    main()
