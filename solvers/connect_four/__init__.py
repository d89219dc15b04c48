"""Connect Four: its players and its opening book."""

from solvers.levels import EVERY, Level
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

LEVELS = (
    Level(1_000, "alphabeta:megabytes=1", depth=1, lines=EVERY, temperature=1.0),
    Level(1_000, "alphabeta:megabytes=1", depth=2, lines=EVERY, temperature=1.0),
    Level(2_000, "alphabeta:megabytes=1", depth=3, lines=EVERY, temperature=0.7),
    Level(5_000, "alphabeta:megabytes=1", depth=4, lines=EVERY, temperature=0.5),
    Level(20_000, "alphabeta:megabytes=1", depth=6, lines=EVERY, temperature=0.4),
    Level(50_000, "alphabeta:megabytes=1", depth=8, lines=EVERY, temperature=0.3),
    Level(200_000, "alphabeta:megabytes=1", depth=12, lines=EVERY, temperature=0.2),
    Level(3_000_000, "exact:varied=true"),
)
"""From the weakest; their temperatures are not measured yet."""
