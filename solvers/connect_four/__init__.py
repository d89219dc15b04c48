"""Connect Four: its players and its opening book."""
