"""Connect Four compiled."""
