"""Blokus: its players and its networks."""

from solvers.levels import EVERY, Level

SOLVERS = {
    "heuristic": "solvers.blokus.players:Heuristic",
    "minimax": "solvers.blokus.players:Minimax",
    "alphabeta": "solvers.blokus.players:AlphaBeta",
    "exact": "solvers.blokus.players:Exact",
    "mixed": "solvers.blokus.players:Mixed",
    "mcts": "solvers.blokus.mcts:Mcts",
    "alphazero": "solvers.learned.search:NetworkSearch",
    "network": "solvers.learned.pairs:PairPlayer",
    "q-table": "solvers.learned.blokus_table:QTablePlayer",
}
"""Name of each solver -> where it stands."""

TREE_SIZES = "solvers.blokus.players:sample_tree_sizes"
"""The compiled function that samples as `solvers.tree_size.sample_tree_sizes` does."""

LEVELS = (
    Level(4_000, "alphabeta:megabytes=1", depth=1, lines=EVERY, temperature=0.55),
    Level(4_000, "alphabeta:megabytes=1", depth=1, lines=EVERY, temperature=0.38),
    Level(4_000, "alphabeta:megabytes=1", depth=1, lines=EVERY, temperature=0.05),
    Level(20, "mcts:playout=0", temperature=8.0),
    Level(40, "mcts:playout=0", temperature=1.0),
    Level(80, "mcts:playout=0", temperature=0.55),
    Level(200, "mcts:playout=0", temperature=0.3),
    Level(600, "mcts:playout=0"),
)
"""From the weakest; `python -m bench.solvers.level_temperatures` found the temperatures."""
