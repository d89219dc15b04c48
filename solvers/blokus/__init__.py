"""Blokus: its players and its networks."""

from solvers.levels import Level

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

LEVELS = (
    Level(1, "heuristic:varied=true", temperature=2.0),
    Level(1, "heuristic:varied=true", temperature=1.0),
    Level(1, "heuristic:varied=true", temperature=0.3),
    Level(20, "mcts", temperature=2.0),
    Level(50, "mcts", temperature=1.5),
    Level(150, "mcts", temperature=1.0),
    Level(400, "mcts", temperature=0.7),
    Level(3_000, "mcts"),
)
"""From the weakest; their temperatures are not measured yet."""
