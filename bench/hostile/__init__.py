"""Screens and pages that go wrong, every press judged by a referee who knows the truth."""
