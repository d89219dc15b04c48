"""Every way boards look that Boardsight knows: one module each, one line here."""

from __future__ import annotations

from calibration.look import Look
from calibration.looks import coloured

LOOKS: tuple[Look, ...] = (coloured.LOOK,)
"""In the order in which they are tried."""


def looks_of(game: str | None) -> tuple[Look, ...]:
    """The looks `game` can have; all of them where the game is not known."""
    return tuple(look for look in LOOKS if game is None or game in look.games)
