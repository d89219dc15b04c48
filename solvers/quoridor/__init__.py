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
    Level(1_000, "alphabeta:megabytes=1", depth=1, lines=EVERY, temperature=2.0),
    Level(1_000, "alphabeta:megabytes=1", depth=1, lines=EVERY, temperature=1.0),
    Level(1_000, "alphabeta:megabytes=1", depth=1, lines=EVERY, temperature=0.4),
    Level(400, "alphabeta:megabytes=1"),
    Level(1_200, "alphabeta:megabytes=1"),
    Level(3_500, "alphabeta:megabytes=1"),
    Level(10_000, "alphabeta:megabytes=1"),
    Level(30_000, "alphabeta:megabytes=1"),
)
"""From the weakest; their temperatures are not measured yet."""
