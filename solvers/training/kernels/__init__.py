"""What learning computes thousands of times a second, compiled; it plays by the packed rules of `solvers.kernels`."""

import solvers.kernels  # noqa: F401  (its cache folder is this package's too)
