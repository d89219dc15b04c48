"""Quoridor: its players, and small boards solved backwards."""
