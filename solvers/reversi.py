"""Reversi: its levels; its players are those of any game."""

from solvers.levels import EVERY, Level

LEVELS = (
    Level(1_000, depth=1, lines=EVERY, temperature=1.85),
    Level(1_000, depth=1, lines=EVERY, temperature=1.0),
    Level(1_000, depth=2, lines=EVERY, temperature=1.72),
    Level(1_000, depth=2, lines=EVERY, temperature=1.2),
    Level(1_000, depth=3, lines=EVERY, temperature=1.12),
    Level(1_000, depth=3, lines=EVERY, temperature=0.48),
    Level(500),
    Level(1_000),
)
"""From the weakest; `python -m bench.solvers.level_temperatures` found the temperatures."""
