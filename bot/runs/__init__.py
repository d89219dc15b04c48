"""The records of runs: written while playing, walked again, shown, kept as fixtures."""
