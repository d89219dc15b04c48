"""Quoridor compiled: importing it offers all that its packed rules know to the searches."""

from solvers.kernels.quoridor import evaluation, playouts, rules

__all__ = ["evaluation", "playouts", "rules"]
