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
    Level(1_000, "alphabeta:megabytes=1", depth=1, lines=EVERY, temperature=8.0),
    Level(1_000, "alphabeta:megabytes=1", depth=1, lines=EVERY, temperature=4.0),
    Level(1_000, "alphabeta:megabytes=1", depth=2, lines=EVERY, temperature=3.0),
    Level(2_000, "alphabeta:megabytes=1", depth=3, lines=EVERY, temperature=2.5),
    Level(5_000, "alphabeta:megabytes=1", depth=4, lines=EVERY, temperature=2.0),
    Level(20_000, "alphabeta:megabytes=1", depth=6, lines=EVERY, temperature=1.5),
    Level(50_000, "alphabeta:megabytes=1", depth=8, lines=EVERY, temperature=1.0),
    Level(1_000_000, "exact"),
)
"""From the weakest; their temperatures are not measured yet."""
