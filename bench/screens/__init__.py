"""The tables that need a screen: each module's `tables()` yields its lines."""
