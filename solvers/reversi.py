"""Reversi: its levels; its players are those of any game."""

from solvers.levels import EVERY, Level

LEVELS = (
    Level(1_000, depth=1, lines=EVERY, temperature=10.0),
    Level(1_000, depth=1, lines=EVERY, temperature=3.5),
    Level(1_000, depth=1, lines=EVERY, temperature=1.9),
    Level(1_000, depth=2, lines=EVERY, temperature=2.5),
    Level(1_000, depth=2, lines=EVERY, temperature=1.6),
    Level(1_000, depth=3, lines=EVERY, temperature=0.9),
    Level(1_000, depth=3, lines=EVERY, temperature=0.45),
    Level(1_000),
)
"""From the weakest; `python -m bench.solvers.level_temperatures` found the temperatures."""
