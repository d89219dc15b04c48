"""Filler compiled."""
