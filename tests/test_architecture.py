"""The rooms keep to themselves, nothing imports in a circle, and the command line starts light."""

import ast
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from itertools import islice
from pathlib import Path

import pytest

from bot.cli import COMMANDS
from games import GAMES

ROOT = Path(__file__).parents[1]
SLOW_IMPORTS = {"cv2", "numba", "torch", "PIL", "playwright", "mss", "pyautogui"}
"""Libraries that take a noticeable time, need a display, or are not installed everywhere."""

SHOW_HELP = """
import sys
from bot.cli import main
for words in {lines!r}:
    try:
        main(words)
    except SystemExit as stop:
        assert stop.code == 0
print(*(name for name in sys.modules if "." not in name))
"""


def imported_by(*lines):
    """The top-level modules that a new interpreter has imported after these commands."""
    run = python(SHOW_HELP.format(lines=lines))
    assert run.returncode == 0, run.stderr
    return set(run.stdout.splitlines()[-1].split())


def python(script):
    """A new interpreter's run of `script` in the project's folder."""
    words = [sys.executable, "-c", script]
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120)


def test_the_help_imports_no_library_at_all():
    imported = imported_by(["--help"])
    assert "argparse" in imported
    assert not imported & {*SLOW_IMPORTS, "numpy", "games", "calibration", "solvers"}


def test_the_help_of_a_command_imports_no_slow_library():
    assert not imported_by(*([name, "--help"] for name in COMMANDS)) & SLOW_IMPORTS


def test_importing_the_front_door_imports_no_library_and_no_room():
    run = python("import boardsight, sys; print(*(name for name in sys.modules if '.' not in name))")
    assert run.returncode == 0, run.stderr
    imported = set(run.stdout.split())
    assert "boardsight" in imported
    assert not imported & {*SLOW_IMPORTS, "numpy", "bot", "games", "calibration", "solvers"}


def test_every_room_imports_only_what_it_may():
    script = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"
    run = python(script)
    assert run.returncode == 0, run.stdout
    assert "0 broken" in run.stdout


SHIPPED = ("bot", "calibration", "games", "solvers")


def modules_of(room: str) -> dict[str, Path]:
    """Dotted name of each module of a room -> its file."""
    paths = {path.relative_to(ROOT).with_suffix(""): path for path in (ROOT / room).rglob("*.py")}
    return {".".join(name.parts).removesuffix(".__init__"): path for name, path in paths.items()}


@cache
def syntax_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def imports_of(path: Path, known: dict[str, Path]) -> Iterator[str]:
    """The modules among `known` that a file names in an import: at its top, inside a function, for a type checker."""
    for node in ast.walk(syntax_of(path)):
        if isinstance(node, ast.Import):
            named = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports are not followed here"
            named = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for words in (name.split(".") for name in named):
            parents = (".".join(words[:end]) for end in range(len(words), 0, -1))
            yield from islice((name for name in parents if name in known), 1)


@pytest.mark.parametrize("room", ["bench", *SHIPPED])
def test_no_module_of_a_room_imports_itself_by_way_of_others(room):
    known = modules_of(room)
    graph = {name: {*imports_of(path, known)} - {name} for name, path in known.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as circle:
        pytest.fail(" <- ".join(circle.args[1]))


def test_a_circle_of_imports_inside_functions_is_found(tmp_path):
    one, other = tmp_path / "one.py", tmp_path / "other.py"
    one.write_text("def f():\n    from room.other import g\n")
    other.write_text("import room.one\n")
    known = {"room.one": one, "room.other": other}
    with pytest.raises(CycleError):
        TopologicalSorter({name: {*imports_of(path, known)} for name, path in known.items()}).prepare()


def test_no_module_that_ships_imports_the_laboratory():
    laboratory = modules_of("bench")
    for room in SHIPPED:
        for name, path in {**modules_of(room), "boardsight": ROOT / "boardsight.py"}.items():
            assert not {*imports_of(path, laboratory)}, f"{name} imports of bench, which is not installed"


@pytest.mark.parametrize("package", SHIPPED)
def test_a_room_says_what_it_is_for(package):
    for path in sorted((ROOT / package).rglob("*.py")):
        assert path.read_text().startswith(('"""', 'r"""')), f"{path.relative_to(ROOT)} opens with no sentence"


PARTS_OF_A_GAME = {"AlphaBeta", "Exact", "Greedy", "Mcts", "Packing"}
"""What each game's solvers call by the same name, because it is the same part."""


def test_no_two_classes_share_a_name():
    homes = defaultdict(set)
    for path in (path for room in ("bench", *SHIPPED) for path in modules_of(room).values()):
        for node in syntax_of(path).body:
            if isinstance(node, ast.ClassDef):
                homes[node.name].add(str(path.relative_to(ROOT)))
    titles = {name.title().replace("_", "") for name in GAMES}  # rules, and the same rules packed
    shared = {
        name: places for name, places in homes.items() if len(places) > 1 and name not in PARTS_OF_A_GAME | titles
    }
    assert shared == {}


LONGEST_FILE = 600
"""Lines."""


@pytest.mark.parametrize("room", ["bench", *SHIPPED])
def test_no_file_is_too_long_to_be_read_at_once(room):
    long = {
        name: lines
        for name, path in modules_of(room).items()
        if (lines := len(path.read_text().splitlines())) > LONGEST_FILE
    }
    assert long == {}
