"""The analyst's table under load: broken messages, a hundred games at once, attacks, a click's way to the answer."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import random
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

BROKEN, SENDERS = 10_000, 20
TABLES, MOVES = 100, 10
"""Games at once, and moves of the person in each."""

COMING = 5.0
"""Seconds in which they come, one after the other: only so many pages may be open at once that have not spoken yet."""

PERSON = (0.5, 1.5)
"""Seconds that a person takes for a move, evenly spread."""

FAST = {
    "filler": "greedy",
    "flood_it": "greedy",
    "connect_four": "alphabeta:depth=4",
    "quoridor": "alphabeta:depth=2",
    "blokus": "random",
}
"""The solver that answers in each game; a game for one has it look over the person's shoulder."""

SEARCHLESS = {"filler": "greedy", "connect_four": "network"}
"""Solvers that answer by a rule or by a network's first thought."""

Attack = Callable[[str], Coroutine[Any, Any, None]]

SHARES = {"p50": 0.5, "p95": 0.95, "longest": 1.0}

LOADS, CLICKS = 10, 30

PLAYERS = 20
"""Connections of another player under each attack, one after the other."""

CLICK_TO_PAINT = """
() => new Promise((done) => {
  const view = document.querySelector("board-view");
  const place = document.querySelector('.places [aria-disabled="false"], .colour:enabled');
  const ply = Number(view.dataset.ply);
  const seen = new MutationObserver(() => {
    if (view.dataset.over !== "true" && Number(view.dataset.ply) < ply + 2) return;
    seen.disconnect();
    new ResizeObserver((_, sizes) => {
      sizes.disconnect();
      setTimeout(() => done([performance.now() - clicked, view.dataset.over]), 0);
    }).observe(view);
  });
  seen.observe(view, { attributes: true });
  const clicked = performance.now();
  place.click();
})
"""
"""Milliseconds from a click to the frame in which the other side's answer is painted, and whether the game is over.

A ResizeObserver's first report comes once the frame is laid out, just before it is painted, whether the change was made
in a task or in the frame's own callback; the timer after it runs when the frame has been painted.
"""


def tables() -> Iterator[str]:
    """One table; each row says how it was measured."""
    yield "| what | figure |"
    yield "|---|---|"
    with server() as (address, memory):
        yield from _broken(address, memory)
        yield from _many(address, memory)
        yield from _attacks(address)
        yield from _page(address)


@contextmanager
def server() -> Iterator[tuple[str, Any]]:
    """A server in a process of its own: its address, and what tells its memory in MB."""
    words = [sys.executable, "-m", "bot.cli", "serve", "--port", "0"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found is not None
        yield found[0], lambda: _resident(process.pid)
    finally:
        process.terminate()
        process.wait(20)


def _resident(pid: int) -> float:
    try:
        text = Path(f"/proc/{pid}/status").read_text()
    except OSError:  # only Linux tells
        return float("nan")
    return int(text.split("VmRSS:")[1].split()[0]) / 1024


def broken_messages(chance: random.Random) -> Iterator[str]:
    """Requests with some characters replaced, lost or doubled: most of them mean nothing any more."""
    whole = [
        '{"type":"INIT","game":"connect_four","options":{"rows":6,"cols":7},"moves":["4","4"]}',
        '{"type":"MOVE","move":"4","ply":0}',
        '{"type":"SEATS","seats":["person","random"],"seconds":1.0}',
        '{"type":"LOOK","ply":3}',
    ]
    while True:
        text = list(chance.choice(whole))
        for _ in range(chance.randint(1, 8)):
            text[chance.randrange(len(text))] = chance.choice(
                ["", "{", "}", '"', "\\", "\x00", "9" * 40, "[" * 200, "é"]
            )
        yield "".join(text)


def _connect(address: str) -> Any:
    """A connection to the table at the printed address, which holds the token."""
    from websockets.asyncio.client import connect

    page = urlsplit(address)
    return connect(f"ws://{page.netloc}/play?{page.query}", origin=f"http://{page.netloc}", max_size=None)  # type: ignore[arg-type]


def _broken(address: str, memory: Any) -> Iterator[str]:
    async def send(seed: int) -> tuple[int, int]:
        errors = others = 0
        async with _connect(address) as socket:
            await socket.recv()
            messages = broken_messages(random.Random(seed))
            for _ in range(BROKEN // SENDERS):
                await socket.send(next(messages))
                told = json.loads(await socket.recv())["type"]
                errors += told == "ERROR"
                others += told != "ERROR"
        return errors, others

    async def every(first: int) -> tuple[int, int]:
        told = await asyncio.gather(*(send(first + number) for number in range(SENDERS)))
        return sum(errors for errors, _ in told), sum(others for _, others in told)

    asyncio.run(every(0))
    before = memory()
    errors, others = asyncio.run(every(SENDERS))
    kept = f"memory {before:.0f} MB after as many before, {memory():.0f} MB after these"
    yield f"| {BROKEN:,} broken messages over {SENDERS} connections | {errors:,} ERROR, {others} understood; {kept} |"


def _many(address: str, memory: Any) -> Iterator[str]:
    for number, game in enumerate(FAST):  # have the solvers compiled or loaded, which is not what is measured
        asyncio.run(_play(address, game, number, []))
    waits: list[tuple[str, float]] = []

    async def come(number: int) -> int:
        await asyncio.sleep(COMING * number / TABLES)
        return await _play(address, list(FAST)[number % len(FAST)], number, waits)

    async def every() -> int:
        return sum(await asyncio.gather(*map(come, range(TABLES))))

    errors = asyncio.run(every())
    times = sorted(wait for _, wait in waits)
    spread = ", ".join(f"{name} {_share(times, part):.0f} ms" for name, part in SHARES.items())
    told = f"{spread}; {errors} errors; {memory():.0f} MB"
    yield f"| {TABLES} games at once, a move every {PERSON[0]:g} to {PERSON[1]:g} s, {len(times)} answers | {told} |"
    for game, spec in FAST.items():
        own = sorted(wait for name, wait in waits if name == game)
        spread = ", ".join(f"{name} {_share(own, part):.0f} ms" for name, part in SHARES.items())
        yield f"| ... {game}, {spec} | {spread} |"


def _share(times: list[float], share: float) -> float:
    """The time in ms that so large a share of the sorted `times` does not exceed."""
    return 1000 * times[int(share * (len(times) - 1))]


async def _play(address: str, game: str, seed: int, waits: list[tuple[str, float]]) -> int:
    """One game by random moves; notes how long each answer took, and returns how many errors came."""
    chance, errors, spec = random.Random(seed), 0, FAST[game]
    alone = game == "flood_it"
    async with _connect(address) as socket:
        await socket.recv()
        wish = {"seats": ["person"] if alone else ["person", spec], "analyst": spec if alone else "", "seconds": 1.0}
        await socket.send(json.dumps({"type": "INIT", "game": game, "seed": seed, **wish}))
        board: dict[str, Any] = {}
        began = time.perf_counter()
        for turn in range(MOVES + 1):
            answered = False
            while not answered:
                reply = json.loads(await socket.recv())
                errors += reply["type"] == "ERROR"
                board = reply.get("board") or board
                over = reply["type"] == "GAME_OVER"
                thought = reply.get("thought") or {}
                judged = thought.get("done") and thought["ply"] == board["ply"]
                ours = board["player"] == 0 and bool(reply.get("board"))
                answered = over or reply["type"] == "ERROR" or bool(judged if alone else ours)
            if turn:
                waits.append((game, time.perf_counter() - began))
            if over or turn == MOVES:
                break
            await asyncio.sleep(chance.uniform(*PERSON))
            began = time.perf_counter()
            await socket.send(json.dumps({"type": "MOVE", "move": chance.choice(board["legal"]), "ply": board["ply"]}))
    return errors


def _attacks(address: str) -> Iterator[str]:
    """Under each attack, how long another player on the same machine waits for a connection, a board and a move."""
    for name, attack in ATTACKS.items():
        waits = sorted(_attacked(address, attack))
        told = f"{len(waits)} answers, p50 {_share(waits, 0.5):.0f} ms, longest {_share(waits, 1):.0f} ms"
        yield f"| another player while {name} | {told} |"


def _attacked(address: str, attack: Attack) -> list[float]:
    """The waits of another player while `attack` goes on in a process of its own."""
    attacking = multiprocessing.get_context("spawn").Process(target=_go_on, args=(attack, address), daemon=True)
    attacking.start()
    time.sleep(5)
    try:
        return asyncio.run(_others(address))
    finally:
        attacking.terminate()
        attacking.join()


def _go_on(attack: Attack, address: str) -> None:
    asyncio.run(attack(address))


async def _others(address: str) -> list[float]:
    waits: list[float] = []
    for _ in range(PLAYERS):
        waits += await _another(address)
        await asyncio.sleep(0.1)
    return waits


async def _another(address: str) -> list[float]:
    """The seconds to a table, to the board and to each of three moves on it."""
    waits, began = [], time.perf_counter()
    async with _connect(address) as socket:
        messages: list[dict[str, Any]] = [{"type": "INIT", "game": "connect_four", "options": {"size": "6x7"}}]
        messages += [{"type": "MOVE", "move": "4", "ply": ply} for ply in range(3)]
        told = json.loads(await socket.recv())
        for message in messages:
            waits.append(time.perf_counter() - began)
            began = time.perf_counter()
            await socket.send(json.dumps(message))
            told = json.loads(await socket.recv())
            assert told["type"] == "UPDATE", told
        waits.append(time.perf_counter() - began)
    return waits


WALLED = {"type": "INIT", "game": "quoridor", "options": {"size": "11x11", "walls": 20}}


async def _ask_and_leave(address: str) -> None:
    while True:
        async with _connect(address) as socket:
            await socket.send(json.dumps({**WALLED, "moves": ["f2", "f10", "a1h", "c1h", "e1h", "g1h"]}))
            for number in range(300):
                await socket.send(json.dumps({"type": "LOOK", "ply": number % 7}))


async def _ask_for_many_boards(address: str) -> None:
    """Twenty pages that ask for another board as soon as they have one, each with a search to follow."""

    async def ask() -> None:
        async with _connect(address) as socket:
            while True:
                await socket.send(json.dumps({**WALLED, "analyst": "mcts-readable", "seconds": 60.0}))
                await socket.recv()

    await asyncio.gather(*(ask() for _ in range(20)))


async def _keep_silent(address: str) -> None:
    async def sit() -> None:
        async with _connect(address) as socket:
            await socket.wait_closed()

    await asyncio.gather(*(sit() for _ in range(200)), return_exceptions=True)
    await asyncio.Event().wait()


async def _send_slowly(address: str) -> None:
    """1,500 connections that send a header a byte at a time, and come again when they are given up."""
    page = urlsplit(address)

    async def drip() -> None:
        while True:
            with suppress(OSError):
                _, writer = await asyncio.open_connection(page.hostname, page.port)
                writer.write(b"GET / HTTP/1.1\r\nX-Slow: ")
                while not writer.is_closing():
                    writer.write(b"a")
                    await writer.drain()
                    await asyncio.sleep(2)
            await asyncio.sleep(2)

    await asyncio.gather(*(drip() for _ in range(1_500)))


async def _talk_nonsense(address: str) -> None:
    page = urlsplit(address)

    async def talk() -> None:
        while True:
            with suppress(OSError):
                reader, writer = await asyncio.open_connection(page.hostname, page.port)
                writer.write(b"\0 nonsense\r\n\r\n")
                await reader.read()
                writer.close()

    await asyncio.gather(*(talk() for _ in range(10)))


ATTACKS: dict[str, Attack] = {
    "300 boards are asked for and left, again and again": _ask_and_leave,
    "20 pages ask for large boards and long thoughts without a pause": _ask_for_many_boards,
    "200 sockets keep silent": _keep_silent,
    "1,500 connections send a byte every 2 s": _send_slowly,
    "10 connections talk nonsense": _talk_nonsense,
}


def _page(address: str) -> Iterator[str]:
    from bot.screens.browser import BrowserScreen

    screen = BrowserScreen.launch("about:blank")
    try:
        page = screen.page
        paints, weights = [], []
        for _ in range(LOADS):
            page.goto("about:blank")
            page.goto(f"{address}#filler")
            page.wait_for_selector(".places button")
            paints.append(page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
            sizes = "performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))"
            kinds = ("encodedBodySize", "decodedBodySize")
            weights.append([page.evaluate(f"{sizes}.reduce((sum, entry) => sum + entry.{kind}, 0)") for kind in kinds])
        spread = f"{statistics.median(paints):.0f} ms median, {max(paints):.0f} ms longest"
        yield f"| first paint, {LOADS} loads | {spread} |"
        sent, unpacked = (weight / 1000 for weight in weights[0])  # later ones come from what the browser kept
        yield f"| page weight | {sent:.0f} kB as it is sent, {unpacked:.0f} kB unpacked |"
        for game, solver in SEARCHLESS.items():
            times = sorted(_clicks(page, address, game, solver))
            told = f"{statistics.median(times):.0f} ms median, {times[-1]:.0f} ms longest"
            yield f"| a click to the painted answer without search ({game}, {solver}), {CLICKS} clicks | {told} |"
    finally:
        screen.close()


def _clicks(page: Any, address: str, game: str, solver: str) -> Iterator[float]:
    """The milliseconds of each of CLICKS clicks, in as many games as it takes."""
    page.goto("about:blank")
    page.goto(f"{address}#{game}")
    page.wait_for_selector("[name=seat-1]")
    page.select_option("[name=analyst]", "")
    page.select_option("[name=seat-1]", solver)
    page.wait_for_selector(f".seat:has-text('{solver}')")
    done = 0
    while done < CLICKS:
        page.wait_for_selector('board-view[data-awaits="true"]')
        spent, over = page.evaluate(CLICK_TO_PAINT)
        if over == "true":
            page.click("[data-do=new]")
            page.wait_for_selector('board-view[data-ply="0"]')
        else:
            done += 1
            yield spent
