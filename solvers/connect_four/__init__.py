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
    Level(1_000, "alphabeta:megabytes=1", depth=1, lines=EVERY, temperature=1.7),
    Level(1_000, "alphabeta:megabytes=1", depth=2, lines=EVERY, temperature=1.03),
    Level(2_000, "alphabeta:megabytes=1", depth=4, lines=EVERY, temperature=0.46),
    Level(6_000, "alphabeta:megabytes=1", depth=6, lines=EVERY, temperature=0.11),
    Level(20_000, "exact:every=true", temperature=0.40),
    Level(200_000, "exact:every=true", temperature=0.19),
    Level(1_100_000, "exact:every=true", temperature=0.055),
    Level(2_000_000, "exact:varied=true"),
)
"""From the weakest; `python -m bench.solvers.level_temperatures` found the temperatures. The last plays perfectly."""
