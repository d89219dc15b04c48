"""The game that docs/add-a-game.md walks through, from the page's own text."""

import ast
import importlib
import re
from pathlib import Path

import pytest

from games import GAMES

PAGE = Path(__file__).parents[1] / "docs" / "add-a-game.md"


def register(patch: pytest.MonkeyPatch, folder: Path) -> str:
    """The name of the game, which is registered until `patch` is undone; its module is written to `folder`."""
    module, line = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    ((name, place),) = ast.literal_eval(f"{{{line}}}").items()
    assert place == f"games.{name}"
    stem = f"walked_{folder.name}"  # no other folder's module
    (folder / f"{stem}.py").write_text(module)
    patch.syspath_prepend(folder)
    patch.setitem(GAMES, name, stem)
    importlib.invalidate_caches()
    return str(name)
