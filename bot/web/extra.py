"""Whether what the pages' server stands on is installed."""

from __future__ import annotations

from importlib.util import find_spec

from games.core import SettingsError

NEEDED = ("starlette", "uvicorn", "websockets", "pydantic")


def require_web() -> None:
    """Raises SettingsError that says how to install what is missing."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise SettingsError(f"{' and '.join(missing)} not installed: pip install 'boardsight[web]'")
