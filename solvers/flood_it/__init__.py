"""Flood-It: its players."""

SOLVERS = {
    "greedy": "solvers.flood_it.players:Greedy",
    "lookahead": "solvers.flood_it.players:Lookahead",
    "beam": "solvers.flood_it.players:Beam",
    "exact": "solvers.flood_it.players:Exact",
    "anytime": "solvers.flood_it.players:Anytime",
}
"""Name of each solver -> where it stands."""
