"""The tables of figures, one module for each game; ``python -m bench`` prints them."""
