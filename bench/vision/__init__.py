"""What fits the finder to drawn and real pictures."""
