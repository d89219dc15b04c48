"""The languages that the page speaks: a file of words each."""

from __future__ import annotations

import re
from pathlib import Path

NAMED = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}")
"""How languages are named: by BCP 47, the main parts of it."""

MOST = 100
"""Languages that are offered."""


def languages_in(folder: Path) -> list[str]:
    """The languages whose files are in `folder`, by name; files called anything else are left out."""
    names = sorted(path.stem for path in folder.glob("*.json") if path.is_file())
    return [name for name in names if NAMED.fullmatch(name)][:MOST]
