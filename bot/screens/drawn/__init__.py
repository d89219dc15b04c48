"""A desktop in memory with a game drawn on it: the screen of demos, tests and fault drills."""
