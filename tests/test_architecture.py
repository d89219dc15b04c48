"""The rooms keep to themselves, nothing imports in a circle, and the command line starts light."""

import ast
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from itertools import islice
from pathlib import Path

import pytest

from bot.commands.parser import COMMANDS
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


@cache
def imported_names(path: Path) -> list[str]:
    """What a file names in its imports: at its top, inside a function, for a type checker."""
    named = []
    for node in ast.walk(syntax_of(path)):
        if isinstance(node, ast.Import):
            named += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports are not followed here"
            named += [f"{node.module}.{alias.name}" for alias in node.names]
    return named


def imports_of(path: Path, known: dict[str, Path]) -> Iterator[str]:
    """The modules among `known` that a file imports."""
    for words in (name.split(".") for name in imported_names(path)):
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


NAMES_OF_FILES = {
    "flood_it": ("flood_it", "flooding", "sgt_flood"),
    "filler": ("filler", "flooding"),
    "connect_four": ("connect_four", "four_in_a_row", "bitbully"),
    "blokus": ("blokus", "pentobi"),
    "quoridor": ("quoridor",),
}
"""What a file or a folder is called that is of one game, or of another program that plays it."""

NAMES_GAMES = {
    "bot/commands/analyse.py": "the command that reads records, which one game has",
    "bot/commands/demo.py": "the game of a demo where none is named, in a help that imports no game",
    "bot/commands/options.py": "an example in a help",
    "bot/settings.py": "an example in a help",
    "bot/web/page/index.html": "the cards of the pages that are bundled",
    "bot/web/pages.py": "examples",
    "bot/web/static/game-text.js": "an example",
    "solvers/__init__.py": "an example",
    "solvers/readable/alphabeta.py": "an example",
    "solvers/tree_size.py": "an example",
    "solvers/training/methods.py": "two methods stand in files of the game that they learn",
}
"""The files that rightly name a game, and why."""

MEASURES_GAMES = {
    "bench/__main__.py": "the list of tables",
    "bench/figures.py": "the tables that the front page quotes",
    "bench/fuzz/files.py": "examples that are damaged",
    "bench/fuzz/texts.py": "examples that are damaged",
    "bench/hostile/kills.py": "boards that are small enough",
    "bench/hostile/pages.py": "boards that are small enough",
    "bench/hostile/screens.py": "boards that are small enough",
    "bench/hostile/tricks.py": "boards that are small enough, and what can be done to each page",
    "bench/pictures/scene.py": "which games have a generator",
    "bench/pictures/stones.py": "the sizes and colours of the boards that are drawn",
    "bench/screens/clicks.py": "the skins of the bundled pages",
    "bench/screens/conventions.py": "the habits of each page",
    "bench/screens/iagno.py": "one program that plays one game",
    "bench/screens/page.py": "one page in full",
    "bench/screens/pages.py": "the pages for two players",
    "bench/screens/photograph.py": "photographs of boards of each kind",
    "bench/screens/presses.py": "three pages that are pressed",
    "bench/screens/seeing.py": "pictures that are looked at",
    "bench/screens/serve.py": "solvers that answer at once",
    "bench/solvers/learned.py": "the matches of the learned players",
    "bench/solvers/random_games.py": "kernels that play at random",
    "bench/solvers/threads.py": "positions whose proofs take long",
    "bench/solvers/scaling.py": "one game's matches, labels and self-play",
    "bench/solvers/self_play.py": "one game's self-play",
    "bench/vision/confidence.py": "how the weights that stand were fitted",
}
"""The benches that measure games by name, and what of them."""


def naming_games() -> set[str]:
    """The sources outside of `games` that name one, and are not named for it themselves."""
    found = set()
    rooms = [ROOT / room for room in ("bench", "bot", "calibration", "solvers")]
    for path in (path for room in rooms for kind in ("py", "js", "css", "html") for path in room.rglob(f"*.{kind}")):
        place = path.relative_to(ROOT).as_posix()
        own = {game for game in GAMES if any(word in place for word in NAMES_OF_FILES.get(game, (game,)))}
        named = {game for game in GAMES if re.search(rf"\b{game}\b|\b{game}_|_{game}\b", path.read_text())}
        if named - own:
            found.add(place)
    return found


def test_no_file_names_a_game_but_its_own_and_those_that_say_why():
    assert naming_games() == {*NAMES_GAMES, *MEASURES_GAMES}


def test_a_game_may_be_named_in_its_own_rules_and_files_alone():
    for path in (ROOT / "games").rglob("*.py"):
        place = path.relative_to(ROOT).as_posix()
        if place in ("games/__init__.py", "games/perft.py"):  # the registry, and an example
            continue
        own = {game for game in GAMES if game in place}
        imported = {name.split(".")[1] for name in imports_of(path, modules_of("games")) if "." in name}
        assert not (imported & {*GAMES}) - own, place


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
