"""The picture of a run: every figure that was logged, over the steps."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

COLUMNS = 3
"""Panels side by side."""


def draw_curves(records: Sequence[dict[str, float]], path: Path, *, title: str) -> None:
    """Draw a panel for each figure of `records` into a PNG; nothing where there are none."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    names = list(dict.fromkeys(name for record in records for name in record if name not in ("step", "seconds")))
    if not names:
        return
    rows = -(-len(names) // COLUMNS)
    figure = Figure(figsize=(4.2 * min(COLUMNS, len(names)), 2.8 * rows), layout="constrained")
    FigureCanvasAgg(figure)
    figure.suptitle(title)
    for number, name in enumerate(names, start=1):
        panel = figure.add_subplot(rows, min(COLUMNS, len(names)), number)
        points = [(record["step"], record[name]) for record in records if name in record]
        panel.plot(*zip(*points, strict=True), marker="." if len(points) < 30 else "")
        panel.set_title(name)
        panel.grid(alpha=0.3)
    figure.savefig(path, dpi=110)
