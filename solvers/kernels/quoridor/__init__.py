"""Quoridor compiled: importing it offers all that its packed rules know to the searches."""

from solvers.kernels.quoridor import evaluation, playouts, rules

__all__ = ["evaluation", "playouts", "rules"]

COMPILE_SECONDS = 20
"""About how long its searches take to compile, on one core."""
