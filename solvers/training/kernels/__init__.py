"""What learning computes thousands of times a second, compiled; it plays by the packed rules of `solvers.kernels`."""
