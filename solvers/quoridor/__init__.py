"""Quoridor: its players, and small boards solved backwards."""

from solvers.levels import EVERY, Level
from solvers.readable import READABLE

SOLVERS = {
    **READABLE,
    "alphabeta": "solvers.quoridor.players:AlphaBeta",
    "mcts": "solvers.quoridor.players:Mcts",
    "alphazero": "solvers.learned.search:NetworkSearch",
    "network": "solvers.learned.player:NetworkPlayer",
    "draft": "solvers.quoridor.players:Draft",
    "exact": "solvers.quoridor.players:Exact",
}
"""Name of each solver -> where it stands."""

LEVELS = (
    Level(1_000, "alphabeta:megabytes=1", depth=1, lines=EVERY, temperature=3.0),
    Level(1_000, "alphabeta:megabytes=1", depth=1, lines=EVERY, temperature=1.5),
    Level(500, "alphabeta:megabytes=1", lines=8, temperature=1.5),
    Level(1_000, "alphabeta:megabytes=1", lines=8, temperature=1.0),
    Level(3_000, "alphabeta:megabytes=1", lines=6, temperature=0.8),
    Level(10_000, "alphabeta:megabytes=1", lines=4, temperature=0.6),
    Level(30_000, "alphabeta:megabytes=1", lines=3, temperature=0.4),
    Level(100_000, "alphabeta:megabytes=1"),
)
"""From the weakest; their temperatures are not measured yet."""
