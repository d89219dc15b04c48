"""Searches as a textbook has them, over any game's State: the witnesses of the compiled ones."""

READABLE = {
    "alphabeta-readable": "solvers.readable.alphabeta:AlphaBeta",
    "mcts-readable": "solvers.readable.mcts:Mcts",
}
"""The solvers of any game for one, or for two of whom one wins what the other loses."""
