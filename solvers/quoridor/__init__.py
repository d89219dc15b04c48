"""Quoridor: its players, and small boards solved backwards."""

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
