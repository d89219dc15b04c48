"""What networks know of each game, one module a game."""
