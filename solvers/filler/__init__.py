"""Filler: its players."""

from solvers.levels import EVERY, Level
from solvers.readable import READABLE

SOLVERS = {
    **READABLE,
    "exact": "solvers.filler.players:Exact",
    "alphabeta": "solvers.filler.players:AlphaBeta",
    "mcts": "solvers.filler.players:Mcts",
    "alphazero": "solvers.learned.search:NetworkSearch",
    "network": "solvers.learned.player:NetworkPlayer",
    "greedy": "solvers.filler.players:Greedy",
    "lookahead": "solvers.any_game:AlphaBeta",
}
"""Name of each solver -> where it stands."""

LEVELS = (
    Level(1_000, "alphabeta:megabytes=1", depth=1, lines=EVERY, temperature=3.44),
    Level(1_000, "alphabeta:megabytes=1", depth=1, lines=EVERY, temperature=2.05),
    Level(1_000, "alphabeta:megabytes=1", depth=2, lines=EVERY, temperature=1.77),
    Level(1_500, "alphabeta:megabytes=1", depth=3, lines=EVERY, temperature=1.36),
    Level(3_000, "alphabeta:megabytes=1", depth=4, lines=EVERY, temperature=1.09),
    Level(6_000, "alphabeta:megabytes=1", depth=6, lines=EVERY, temperature=0.83),
    Level(12_000, "alphabeta:megabytes=1", depth=8, lines=EVERY, temperature=0.55),
    Level(60_000, "alphabeta:megabytes=4"),
)
"""From the weakest; `python -m bench.solvers.level_temperatures` found the temperatures."""
