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
    Level(1_000, "alphabeta:megabytes=1,eval=paths", depth=1, lines=EVERY, temperature=0.85),
    Level(1_000, "alphabeta:megabytes=1,eval=paths", depth=1, lines=EVERY, temperature=0.52),
    Level(1_000, "alphabeta:megabytes=1,eval=paths", depth=1, lines=EVERY, temperature=0.1),
    Level(140, "alphabeta:megabytes=1,eval=paths"),
    Level(500, "alphabeta:megabytes=1,eval=paths"),
    Level(1_750, "alphabeta:megabytes=1,eval=paths"),
    Level(5_600, "alphabeta:megabytes=1,eval=paths"),
    Level(30_000, "alphabeta:megabytes=1,eval=paths"),
)
"""From the weakest; `python -m bench.solvers.level_temperatures` found the temperatures and nodes."""
