"""Filler compiled."""

COMPILE_SECONDS = 7
"""CPU seconds that the kernels of its usual solver took to compile."""
