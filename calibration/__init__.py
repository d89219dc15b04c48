"""Seeing: from a frame to a calibrated board and its observation."""
