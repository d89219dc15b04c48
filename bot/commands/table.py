"""Plain tables for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    r"""Aligned lines, numbers to the right; columns that are None in every row are left out.

    >>> print(*table(("move", "score", "visits"), [("d3", 0.5, None), ("e2", -12.25, None)]), sep="\n")
    move   score
    d3       0.5
    e2    -12.25
    """
    body = list(rows)
    columns = [column for column in range(len(header)) if any(row[column] is not None for row in body)]
    if not columns:
        return
    texts = [[header[column] for column in columns], *([_format(row[column]) for column in columns] for row in body)]
    widths = [max(len(row[place]) for row in texts) for place in range(len(columns))]
    numeric = [all(isinstance(row[column], int | float | None) for row in body) for column in columns]
    for row in texts:
        cells = zip(row, widths, numeric, strict=True)
        yield "  ".join(text.rjust(width) if right else text.ljust(width) for text, width, right in cells).rstrip()


def _format(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
