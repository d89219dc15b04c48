"""The edge: screens, pointers, clocks, the loop that plays and the commands."""
