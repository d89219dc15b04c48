"""Learned players: what a network sees of a position, its weights and their card, and the solver made of them."""
