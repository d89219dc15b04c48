"""The tables of the README that need a screen: each module's `tables()` yields its lines."""
