"""Blokus: its players and its networks."""

SOLVERS = {
    "heuristic": "solvers.blokus.players:Heuristic",
    "minimax": "solvers.blokus.players:Minimax",
    "alphabeta": "solvers.blokus.players:AlphaBeta",
    "exact": "solvers.blokus.players:Exact",
    "mixed": "solvers.blokus.players:Mixed",
    "mcts": "solvers.blokus.mcts:Mcts",
    "alphazero": "solvers.learned.search:NetworkSearch",
    "network": "solvers.learned.player:NetworkPlayer",
    "q-table": "solvers.learned.blokus_table:QTablePlayer",
}
"""Name of each solver -> where it stands."""

TREE_SIZES = "solvers.blokus.players:sample_tree_sizes"
"""The compiled function that samples as `solvers.tree_size.sample_tree_sizes` does."""
