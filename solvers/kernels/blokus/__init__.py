"""Blokus compiled."""
