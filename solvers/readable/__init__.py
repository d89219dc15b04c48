"""Searches as a textbook has them, over any game's State: the witnesses of the compiled ones."""
