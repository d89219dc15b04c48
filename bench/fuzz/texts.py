"""The texts and messages that are read: good ones, made by the program itself, and what reads them.

What reads raises a BoardsightError for an input that it refuses.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from functools import cache
from threading import Event
from typing import Any

import numpy as np

from bench.fuzz.attack import Target
from games import find_game
from games.core import BoardsightError, Options


def position_seeds_of(name: str) -> Callable[[], list[bytes]]:
    """Positions of a game with a move each, a line of options before them."""

    @cache
    def seeds() -> list[bytes]:
        game, rng, found = find_game(name), np.random.default_rng(5), []
        for options in (Options(), game.small, *game.variants):
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


def position_reader_of(name: str) -> Target:
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
def record_seeds() -> list[bytes]:
    """Records of Blokus games."""
    from games.blokus.records import format_record

    game, rng, found = find_game("blokus"), np.random.default_rng(6), []
    for options in (Options(variant="duo"), Options(variant="classic-2"), Options(variant="classic")):
        state = game.deal(rng, options)
        for _ in range(3):
            moves = state.legal_moves()
            state = state.play(moves[int(rng.integers(len(moves)))])
            found.append(format_record(state).encode())
    return [*found, b"(;GM[Blokus Duo]C[a \\] b]\n;B[e8,d9,e9,f9,e10](;W[i5,i6])(;W[j5]))"]


def read_record(text: str) -> None:
    """A record, which must be written again."""
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


def command_seeds() -> list[bytes]:
    """Lines for an engine."""
    lines = [json.dumps(command) for command in _COMMANDS]
    return [line.encode() for line in [*lines, "\n".join(lines), "\n".join(lines[2:6])]]


@cache
def _engine(name: str) -> Any:
    from bot.protocol.engine import EngineSession
    from solvers import find_solver
    from solvers.core import Limit

    return EngineSession(find_game(name), find_solver("random:seed=1", name), Options(), Limit())


def read_commands(data: bytes) -> None:
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


def reply_seeds() -> list[bytes]:
    """Answers of an engine."""
    answer = {"ok": True, "move": "4", "line": ["4"], "score": 2, "proven": True, "nodes": 10, "seconds": 0.1}
    return [
        json.dumps(answer).encode(),
        b'{"ok": false, "error": "IllegalMoveError", "message": "no"}',
        b'{"ok": true}',
    ]


def read_reply(data: bytes) -> None:
    """What another engine says when it is asked for a move."""
    from bot.protocol.process import decision_in, parse_answer

    answer = parse_answer(data)
    if answer is not None:
        game = find_game("connect_four")
        decision_in(answer, game, game.parse("44"), "another engine")


def message_seeds() -> list[bytes]:
    """Messages of the table's page."""
    from bot.web.messages import VERSION

    begin: dict[str, Any] = {
        "type": "INIT",
        "version": VERSION,
        "game": "connect_four",
        "options": {"rows": 6, "cols": 7},
    }
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
        {"type": "ASIDE", "what": "REVIEW"},
    ]
    return [json.dumps(message).encode() for message in (begin, flood, *others)]


def read_message(data: bytes) -> None:
    """A message of the table's page, followed on a match as a session does; nothing thinks."""
    from bot.web.match import Match
    from bot.web.messages import InitRequest, LookRequest, MoveRequest, SeatsRequest, UndoRequest
    from bot.web.session import parse

    asked, rng, left = parse(data.decode(errors="replace")), np.random.default_rng(1), Event()
    if isinstance(asked, InitRequest):
        Match.begin(asked, rng, left).board()
        return
    match = Match.begin(_example(), rng, left)
    if isinstance(asked, MoveRequest):
        match.check_turn(asked.move, asked.ply)
        match.play(*match.after(asked.move))
    elif isinstance(asked, UndoRequest):
        match.undo()
    elif isinstance(asked, LookRequest):
        match.look(asked.ply)
    elif isinstance(asked, SeatsRequest):
        match.seat(asked)


@cache
def _example() -> Any:
    from bot.web.messages import InitRequest

    return InitRequest(type="INIT", game="connect_four", moves=["4", "4", "5"])


def read_argument(text: str) -> None:
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
