"""What is installed: a wheel with the front door and the shipped packages, and commands that run from it."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

ROOT = Path(__file__).parents[1]
PACKAGES = ("bot", "calibration", "games", "solvers")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built as pip builds it."""
    folder = tmp_path_factory.mktemp("wheel")
    return Path(next(WheelBuilder(str(ROOT)).build(directory=str(folder), versions=["standard"])))


def test_the_wheel_holds_the_front_door_and_the_four_packages_and_nothing_else(wheel):
    files = {"boardsight.py"} | {
        str(path.relative_to(ROOT))
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    held = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert held == files


def test_neither_the_laboratory_nor_the_tests_nor_the_fixtures_are_in_the_wheel(wheel):
    tops = {name.partition("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"boardsight.py", *PACKAGES}
    assert not tops & {"bench", "tests", "fixtures"}


def test_the_wheel_holds_the_pages_that_the_demo_plays(wheel):
    held = zipfile.ZipFile(wheel).namelist()
    suffixes = {Path(name).suffix for name in held if name.startswith("bot/web/page/")}
    assert {".html", ".js", ".css"} <= suffixes


def test_the_wheel_names_its_command_and_its_licence(wheel):
    archive = zipfile.ZipFile(wheel)
    (metadata,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
    folder = metadata.removesuffix("METADATA")
    assert "boardsight = bot.cli:main" in archive.read(f"{folder}entry_points.txt").decode()
    assert f"{folder}licenses/LICENSE" in archive.namelist()


@pytest.mark.parametrize("module", ["bot.cli", "boardsight"])
def test_a_command_runs_from_the_wheel_alone(wheel, tmp_path, module):
    zipfile.ZipFile(wheel).extractall(tmp_path)
    words = [sys.executable, "-m", module, "moves", "--game", "flood_it", "012/210/001"]
    run = subprocess.run(
        words, cwd=tmp_path, env={"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, check=True, timeout=60
    )
    assert run.stdout.split() == ["1", "2"]


def test_programs_import_the_front_door_from_the_wheel_alone(wheel, tmp_path):
    zipfile.ZipFile(wheel).extractall(tmp_path)
    script = (
        "import boardsight as front; print(front.__file__, front.__version__, front.position('connect_four').moves)"
    )
    run = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    file, version, _ = run.stdout.split(maxsplit=2)
    assert file == str(tmp_path / "boardsight.py")
    assert f"boardsight-{version}.dist-info/METADATA" in zipfile.ZipFile(wheel).namelist()


CORE_ALONE = """
import re, sys
from importlib.abc import MetaPathFinder
from importlib.metadata import packages_distributions, requires

def plain(name):
    return re.split(r"[^A-Za-z0-9_.-]", name)[0].lower().replace("_", "-")

core, left = set(), ["boardsight"]
while left:
    for wish in requires(left.pop()) or []:
        if "extra ==" not in wish and plain(wish) not in core:
            core.add(plain(wish))
            left.append(plain(wish))
strangers = {name for name, sources in packages_distributions().items() if not core & {plain(each) for each in sources}}

class Refusing(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in strangers - {"bot", "boardsight", "calibration", "games", "solvers"}:
            raise ModuleNotFoundError(f"{name} comes with no dependency of the core", name=name)

sys.meta_path.insert(0, Refusing())
from bot.cli import main
sys.exit(main(["demo", "--screen", "drawn", "--game", "connect_four", "--runs", "runs"]))
"""


@pytest.mark.slow
def test_the_drawn_demo_is_played_from_the_wheel_with_nothing_but_its_own_dependencies(wheel, tmp_path):
    zipfile.ZipFile(wheel).extractall(tmp_path)
    (tmp_path / "here").mkdir()
    run = subprocess.run(
        [sys.executable, "-P", "-c", CORE_ALONE],
        cwd=tmp_path / "here",
        env={"PYTHONPATH": str(tmp_path), "NUMBA_CACHE_DIR": str(tmp_path / "cache"), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.startswith("playing Connect Four, board ")
    assert (tmp_path / "here" / run.stdout.split("report: ")[1].strip()).is_file()
