"""Carrying a piece to its place: gestures, what they show under the pointer, and which hypotheses explain it."""
