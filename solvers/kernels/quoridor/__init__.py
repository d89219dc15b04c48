"""Quoridor compiled."""
