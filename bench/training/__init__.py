"""What makes the books and weights that the solvers load."""
