"""Connect Four compiled."""

COMPILE_SECONDS = 10
"""About how long its searches take to compile, on one core."""
