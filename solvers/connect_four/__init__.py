"""Connect Four: its players and its opening book."""

from solvers.readable import READABLE

SOLVERS = {
    **READABLE,
    "exact": "solvers.connect_four.players:Exact",
    "alphabeta": "solvers.connect_four.players:AlphaBeta",
    "mcts": "solvers.connect_four.players:Mcts",
    "alphazero": "solvers.learned.search:NetworkSearch",
    "network": "solvers.learned.player:NetworkPlayer",
}
"""Name of each solver -> where it stands."""
