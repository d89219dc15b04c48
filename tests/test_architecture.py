"""The rooms keep to themselves, and the command line starts light."""

import subprocess
import sys
from pathlib import Path

import pytest

from bot.cli import COMMANDS

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


def test_every_room_imports_only_what_it_may():
    script = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"
    run = python(script)
    assert run.returncode == 0, run.stdout
    assert "0 broken" in run.stdout


@pytest.mark.parametrize("package", ["bot", "calibration", "games", "solvers"])
def test_a_room_says_what_it_is_for(package):
    for path in sorted((ROOT / package).rglob("*.py")):
        assert path.read_text().startswith(('"""', 'r"""')), f"{path.relative_to(ROOT)} opens with no sentence"
