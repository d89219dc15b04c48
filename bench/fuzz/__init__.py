"""Bad input for everything that is read."""
