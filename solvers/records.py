"""Games of a match as text, in the manner of chess's Portable Game Notation."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from textwrap import wrap
from typing import Any

from games.core import Game
from solvers.arena import ArenaGame

WIDTH = 80
"""Letters of a line of moves at most, as PGN has it."""


def record(game: Game[Any, Any], played: ArenaGame, names: tuple[str, str]) -> str:
    """One game, or one board of a race for each player: tags, an empty line, numbered moves and the result.

    names: of player A and player B.  Position is the text that `game.parse` takes with Options.
    """
    if len(played.lines) == 1:
        first, second = names[played.seat], names[1 - played.seat]
        points = played.points if played.seat == 0 else 1 - played.points
        result = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}[points]
        return _text(game, played, played.lines[0], {"First": first, "Second": second}, result)
    texts = []
    for name, line, won in zip(names, played.lines, played.won, strict=True):
        texts.append(_text(game, played, line, {"Player": name}, "1-0" if won else "0-1"))
    return "\n".join(texts)


def _text(game: Game[Any, Any], played: ArenaGame, line: tuple[Any, ...], players: dict[str, str], result: str) -> str:
    start = played.opening
    options = {name: value for name, value in asdict(game.options(start)).items() if value is not None}
    tags = {"Game": game.name, "Round": str(played.start + 1), **players, "Result": result}
    tags |= {"Options": json.dumps(options), "Position": game.format(start), "Termination": played.reason}
    head = "\n".join(f'[{name} "{_escaped(value)}"]' for name, value in tags.items())
    moves = "\n".join(wrap(" ".join([*_numbered(game, start, line), result]), WIDTH, break_long_words=False))
    return f"{head}\n\n{moves}\n"


def _numbered(game: Game[Any, Any], state: Any, line: tuple[Any, ...]) -> Iterator[str]:
    """The moves, each two of them after their number."""
    for ply, move in enumerate(line):
        if ply % 2 == 0:
            yield f"{ply // 2 + 1}."
        yield game.format_move(move, state)
        state = state.play(move)


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')
