"""Blokus compiled: importing it offers all that its packed rules know to the searches."""

from solvers.kernels.blokus import mcts, rules

__all__ = ["mcts", "rules"]

COMPILE_SECONDS = 17
"""CPU seconds that the kernels of its usual solver took to compile."""
