"""Where clicks go."""
