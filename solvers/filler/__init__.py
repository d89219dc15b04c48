"""Filler: its players."""

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
