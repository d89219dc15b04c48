"""Flood-It compiled: the walk over all sequences of colours, and the search for a shortest line."""
