"""Quoridor compiled: importing it offers all that its packed rules know to the searches."""

from solvers.kernels.quoridor import evaluation, playouts, rules

__all__ = ["evaluation", "playouts", "rules"]

COMPILE_SECONDS = 18
"""CPU seconds that the kernels of its usual solver took to compile."""
