"""Compiled code is kept from one process to the next, under the text it was made of, and its making is announced."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from solvers.kernels.cache import ROOT, cache_folder, sweep
from solvers.kernels.jit import jit

SOLVE = (
    "from games.flood_it import GAME; from solvers.flood_it.players import Greedy; Greedy().decide(GAME.parse('01/10'))"
)

KERNELS = {
    "search": """
from solvers.kernels.bits import mixed
from solvers.kernels.jit import jit
from solvers.kernels.rules import evaluate, likely


@jit
def leaf(rules, positions):
    return evaluate(rules, positions, 0) * likely(rules, 1)


@jit
def search(rules, positions):
    return leaf(rules, positions) + np.int64(mixed(positions[0, 0]) & np.uint64(0))
""",
    "red": """
from solvers.kernels.jit import jit
from solvers.kernels.rules import evaluate, offers


class Red(NamedTuple):
    factor: int


@jit
def times(rules, word):
    return rules.factor * np.int64(word)


@offers(evaluate, Red)
def _evaluate(rules, positions, ply):
    return times(rules, positions[ply, 0])
""",
    "red_moves": """
from solvers.kernels.red import Red
from solvers.kernels.rules import likely, offers


@offers(likely, Red)
def _likely(rules, weight):
    return 10.0
""",
    "blue": """
from solvers.kernels.rules import evaluate, offers


class Blue(NamedTuple):
    constant: int


@offers(evaluate, Blue)
def _evaluate(rules, positions, ply):
    return rules.constant
""",
}
"""A search and two games: one file each, but what one game offers stands in two."""

RUN = """
import json
import numpy as np
from numba.core import event
from solvers.kernels import search, red, red_moves, blue

class Count(event.Listener):
    def on_start(self, event):
        compiled.append(event.data["dispatcher"].py_func.__name__ + "".join(
            " " + kind.instance_class.__name__ for kind in event.data["args"] if hasattr(kind, "instance_class")
        ))
    def on_end(self, event):
        pass

compiled = []
event.register("numba:compile", Count())
positions = np.array([[3]], np.uint64)
scores = [search.search(red.Red(2), positions), search.search(blue.Blue(7), positions)]
print(json.dumps([sorted(name for name in compiled if name[0] not in "_<"), scores]))
"""

RED = ["leaf Red", "search Red"]
ALL = ["leaf Blue", "leaf Red", "mixed", "search Blue", "search Red", "times Red"]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of what compiles and keeps kernels, with a search and two games of a few lines."""
    kernels = tmp_path / "tree" / "solvers" / "kernels"
    kernels.mkdir(parents=True)
    kernels.with_name("__init__.py").touch()
    for name in ("__init__", "bits", "cache", "jit", "rules"):
        shutil.copy(ROOT / "solvers" / "kernels" / f"{name}.py", kernels)
    for name, text in KERNELS.items():
        (kernels / f"{name}.py").write_text(f"from typing import NamedTuple\n\nimport numpy as np\n{text}")
    return tmp_path / "tree"


def started(tree: Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(tree), "NUMBA_CACHE_DIR": str(tree.parent / "cache")}
    command = [sys.executable, "-c", RUN]
    return subprocess.Popen(command, env=environment, cwd=tree, stdout=subprocess.PIPE, text=True)


def compiled(tree: Path) -> tuple[list[str], list[float]]:
    """What a process in that tree compiles, but for what games offer (compiled with its callers); and the scores."""
    said = started(tree).communicate()[0]
    names, scores = json.loads(said)
    return names, scores


def edit(name: str, old: str, new: str) -> Callable[[Path], None]:
    def change(tree: Path) -> None:
        path = tree / "solvers" / "kernels" / f"{name}.py"
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))

    return change


def touch(tree: Path) -> None:
    for path in tree.rglob("*.py"):
        os.utime(path, (1, 1))


EDITS = {
    "the times of all files": (touch, [], [60, 7]),
    "what a game offers": (edit("red", "times(rules, positions[ply, 0])", "-1"), RED, [-10, 7]),
    "what a game offers in another file": (edit("red_moves", "10.0", "100.0"), [*RED, "times Red"], [600, 7]),
    "what a game's function calls": (edit("red", "rules.factor *", "3 *"), [*RED, "times Red"], [90, 7]),
    "the search": (edit("search", "likely(rules, 1)", "2"), [n for n in ALL if n[:4] in ("leaf", "sear")], [12, 14]),
    "what all import": (edit("jit", "nogil=True", "nogil=False"), ALL, [60, 7]),
}


@pytest.mark.slow
def test_an_edit_compiles_again_what_depends_on_it_and_nothing_else(tree: Path, tmp_path: Path) -> None:
    assert compiled(tree) == (ALL, [60, 7])
    for what, (change, names, scores) in EDITS.items():
        edited = tmp_path / "another place"
        shutil.copytree(tree, edited)
        change(edited)
        assert compiled(edited) == (names, scores), what
        shutil.rmtree(edited)
    assert compiled(tree) == ([], [60, 7])


@pytest.mark.slow
def test_processes_may_compile_the_same_at_once_and_a_broken_entry_is_made_again(tree: Path, tmp_path: Path) -> None:
    together = [started(tree) for _ in range(2)]
    assert [process.communicate()[0].endswith("[60.0, 7.0]]\n") for process in together] == [True, True]
    assert compiled(tree) == ([], [60, 7])
    entries = sorted((tmp_path / "cache" / "kernels-by-text").iterdir())
    assert len(entries) == len(ALL)
    for entry in entries:
        entry.write_bytes(entry.read_bytes()[:-1])
    assert compiled(tree) == (ALL, [60, 7])


def test_the_entries_used_longest_ago_make_room(tmp_path: Path) -> None:
    for age in range(5):
        (tmp_path / str(age)).write_bytes(bytes(100))
        os.utime(tmp_path / str(age), (1000 - age, 1000 - age))
    sweep(tmp_path, most_bytes=500)
    assert len(list(tmp_path.iterdir())) == 5
    sweep(tmp_path, most_bytes=250)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0", "1"]


@pytest.mark.slow
def test_only_the_first_process_compiles_and_it_says_so_once(tmp_path: Path) -> None:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    said = [
        subprocess.run([sys.executable, "-c", SOLVE], env=environment, capture_output=True, text=True, check=True)
        for _ in range(2)
    ]
    assert said[0].stderr.count("compiling the solvers, once") == 1
    assert said[1].stderr == ""
    assert [folder.name.startswith("kernels-") for folder in tmp_path.iterdir()] == [True]


@jit
def one_more(number: int) -> int:
    return number + 1


@jit
def two_more(number: int) -> int:
    return one_more(one_more(number))


def test_what_another_kernel_called_first_can_be_called_from_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert (two_more(5), one_more(5), two_more(6), one_more(6)) == (7, 6, 8, 7)
    names = sorted(path.name.rpartition("-")[0].rpartition(".")[2] for path in cache_folder().iterdir())
    assert names == ["one_more", "one_more", "two_more"]
