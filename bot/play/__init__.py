"""Playing one game on one screen: the loop, what it observes, what it waits for and what it presses."""
