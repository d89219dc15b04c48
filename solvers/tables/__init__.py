"""The tables of figures, one module for each game; ``boardsight bench`` prints them."""
