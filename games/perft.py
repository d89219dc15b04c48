"""Perft: how many sequences of legal moves start in a position, the count that ties two sets of rules together."""

from __future__ import annotations

from typing import Any

from games.core import State


def perft(state: State[Any], depth: int) -> int:
    """The number of sequences of `depth` legal moves from `state`; games that end earlier do not count.

    Positions that are reached in several ways are counted each time but walked only once.

    >>> from games.flood_it import GAME
    >>> [perft(GAME.parse("012/210/001"), depth) for depth in (0, 1, 2)]
    [1, 2, 4]
    """
    layer = {state: 1}
    for _ in range(depth - 1):
        after: dict[State[Any], int] = {}
        for position, ways in layer.items():
            for move in position.legal_moves():
                child = position.play(move)
                after[child] = after.get(child, 0) + ways
        layer = after
    return sum(ways * len(position.legal_moves()) for position, ways in layer.items()) if depth else 1
