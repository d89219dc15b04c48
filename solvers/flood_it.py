"""Flood-It's solvers: greedy and lookahead."""
