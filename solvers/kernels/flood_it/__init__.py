"""Flood-It compiled: the walk over all sequences of colours, and the search for a shortest line."""

COMPILE_SECONDS = 7
"""CPU seconds that the kernels of its usual solver took to compile."""
