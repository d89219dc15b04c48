"""What a table points out on a board: where a move is to be seen."""

from __future__ import annotations


def changed(before: list[list[int]], after: list[list[int]]) -> list[tuple[int, int]]:
    """The cells that show something else than they did, and not nothing: where a move is to be seen."""
    return [
        (row, col)
        for row, (olds, news) in enumerate(zip(before, after, strict=True))
        for col, (old, new) in enumerate(zip(olds, news, strict=True))
        if old != new and new
    ]
