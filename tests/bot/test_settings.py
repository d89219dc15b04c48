"""Where settings come from: a file that is named, the user's own, and the current folder's, perhaps a stranger's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.cli import main
from bot.settings import GUARDS, RESERVED, Settings, load_settings, own_file
from games.core import SettingsError
from solvers import files_named


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, and beside it the folder of the user's own settings, which are empty at first."""
    monkeypatch.setattr("bot.settings.user_config_dir", lambda *_, **__: str(tmp_path / "own"))
    (tmp_path / "own").mkdir()
    folder = tmp_path / "downloads"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


HOSTILE = {
    "controls": "'confirm=10,10'",
    "new_game": "'10,10'",
    "url": "'https://example.org/'",
    "before": "['press Enter']",
    "attach": "'http://127.0.0.1:9222'",
    "calibration": "'/home/somebody/.profile'",
    "runs": "'/home/somebody/.config/autostart'",
    "pictures": "'/home/somebody/Pictures'",
    "faults": "'/etc/passwd'",
    "solver": "'alphabeta:cache=/home/somebody/.bashrc'",
    "dry_run": "false",
    "suggest": "false",
}


def test_every_reserved_key_is_tried() -> None:
    assert set(HOSTILE) == {*RESERVED, *GUARDS, "solver"}


@pytest.mark.parametrize("key", HOSTILE)
def test_a_file_of_the_current_folder_is_refused_what_could_do_harm(here: Path, key: str) -> None:
    (here / "boardsight.toml").write_text(f"game = 'blokus'\nscreen = 'drawn'\n{key} = {HOSTILE[key]}\n")
    with pytest.raises(SettingsError, match=f"boardsight.toml: {key} .* may not: .*--settings boardsight.toml.*own"):
        load_settings(None, {})


@pytest.mark.parametrize("key", HOSTILE)
def test_a_file_that_is_named_and_the_users_own_may_say_everything(here: Path, key: str) -> None:
    page = "url = 'http://127.0.0.1'\n" if key == "before" else ""
    text = f"game = 'blokus'\nscreen = 'drawn'\n{page}{key} = {HOSTILE[key]}\n"
    (here / "boardsight.toml").write_text(text)
    named = load_settings(Path("boardsight.toml"), {})
    value = getattr(named, key)
    assert str(list(value) if key == "before" else value).strip("'").lower() == HOSTILE[key].strip("'").lower()
    (here / "boardsight.toml").rename(own_file())
    assert load_settings(None, {}) == named


@pytest.mark.parametrize(
    "solver",
    [
        "minimax:depth=2,cache=x",
        "network:model=./evil.toml",
        "mixed:agents=minimax:cache=x*1+random",
        "q-table:model=a",
    ],
)
def test_a_solver_that_names_a_file_is_known(solver: str) -> None:
    assert len(files_named(solver)) == 1


@pytest.mark.parametrize("solver", ["", "exact", "lookahead:depth=3,prefer=finish", "mixed:agents=heuristic*3+random"])
def test_a_solver_that_names_no_file_is_taken_from_the_current_folder(here: Path, solver: str) -> None:
    (here / "boardsight.toml").write_text(f"solver = '{solver}'\ngame = 'blokus'\ndry_run = true\n")
    assert load_settings(None, {}) == Settings(solver=solver, game="blokus", dry_run=True)


def test_flags_overrule_the_folder_and_the_folder_overrules_the_users_own(here: Path) -> None:
    own_file().write_text("delay = 1.0\nseconds = 1.0\nnodes = 1\nruns = '/mine'\n")
    (here / "boardsight.toml").write_text("delay = 2.0\nseconds = 2.0\n")
    settings = load_settings(None, {"delay": 3.0, "runs": None})
    assert (settings.delay, settings.seconds, settings.nodes, settings.runs) == (3.0, 2.0, 1, "/mine")


def test_in_the_folder_of_the_users_own_settings_they_are_read_once_and_trusted(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own_file().write_text("runs = '/mine'\n")
    monkeypatch.chdir(own_file().parent)
    said: list[str] = []
    assert load_settings(None, {}, say=said.append).runs == "/mine"
    assert len(said) == 1


def test_play_says_which_settings_are_read_and_presses_nothing_for_a_strangers(here: Path, capsys: Any) -> None:
    own_file().write_text("screen = 'drawn'\n")
    (here / "boardsight.toml").write_text("controls = 'confirm=10,10'\n")
    assert main(["play"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    said = err.splitlines()
    assert said[:2] == [f"settings: {own_file()}", f"settings: {here / 'boardsight.toml'}"]
    assert said[2].startswith("boardsight: boardsight.toml: controls says where to press")
    assert sorted(path.name for path in here.iterdir()) == ["boardsight.toml"]


def test_the_doctor_says_what_is_wrong_with_the_settings(here: Path) -> None:
    from bot.commands.doctor import MachineProbes

    (here / "boardsight.toml").write_text("runs = '/anywhere'\n")
    with pytest.raises(SettingsError, match="runs names a folder that is written to"):
        MachineProbes().runs()


@pytest.mark.parametrize(
    ("cores", "said", "threads"),
    [
        (8, {}, 7),
        (2, {}, None),
        (1, {}, None),
        (8, {"nodes": 100}, None),
        (8, {"depth": 4}, None),
        (8, {"threads": 3}, 3),
        (8, {"threads": 3, "nodes": 100}, 3),
    ],
)
def test_a_search_has_all_cores_but_one_unless_it_is_to_repeat(
    cores: int, said: dict[str, Any], threads: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.settings.usable_cores", lambda: cores)
    assert Settings(**said).search_limit.threads == threads
