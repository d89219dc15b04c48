"""Connect Four compiled."""

COMPILE_SECONDS = 2
"""CPU seconds that the kernels of its usual solver took to compile."""
