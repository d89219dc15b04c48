"""Blokus compiled: importing it offers all that its packed rules know to the searches."""

from solvers.kernels.blokus import mcts, rules

__all__ = ["mcts", "rules"]

COMPILE_SECONDS = 30
"""About how long its searches take to compile, on one core."""
