"""Packed rules and compiled searches."""
