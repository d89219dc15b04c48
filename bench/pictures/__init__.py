"""Random screenshots with their truth: skins of all five games inside random pages, and pages without a board."""

from bench.pictures.scene import Picture, draw_empty, draw_picture

__all__ = ["Picture", "draw_empty", "draw_picture"]
