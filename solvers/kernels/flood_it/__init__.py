"""Flood-It compiled: the walk over all sequences of colours, and the search for a shortest line."""

COMPILE_SECONDS = 10
"""About how long its searches take to compile, on one core."""
