"""Blokus: its players and its networks."""
