"""What goes wrong on screens, on purpose: fault plans, the drawn screen under one, and the referee who judges it."""
