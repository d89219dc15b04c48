"""What was learned of a page is the first guess at the next visit, and no more than that."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bot.compose import page_memory, play_series
from bot.play.kept import as_known
from bot.pointers.browser import BrowserPointer
from bot.runs.journal import SavedRun, open_run
from bot.screens.browser import BrowserScreen
from bot.settings import Settings
from bot.storage.pages import MOST_PAGES, KnownPage, PageMemory
from calibration.board import Calibration, Lattice
from calibration.frame import Pixel

Show = Callable[..., BrowserScreen]

BOARD = Calibration(
    game="flood_it",
    lattice=Lattice(Pixel(100, 100), (50, 50), 6, 7),
    palette=((255, 0, 0), (0, 255, 0), (0, 0, 255)),
    size=(800, 600),
    controls={"colour:1": Pixel(100, 500), "confirm": Pixel(150, 520)},
    how="colour+confirm",
    park=True,
)
FACE = np.full((40, 40, 3), 90, dtype=np.uint8)
FACE[10:30, 14:18] = FACE[18:22, 10:30] = 255
KNOWN = KnownPage(BOARD, {"start_row": 5}, {"confirm": FACE})


def visit(screen: BrowserScreen, folder: Path, **settings: Any) -> tuple[SavedRun, int]:
    """Plays the page as it is; gives the run and how often the page was pressed."""
    wanted = Settings(**{"url": screen.address, "seconds": 0.2, "answer": 30.0, "patience": 1.0, **settings})
    wanted = replace(wanted, runs=str(folder / "runs"))
    memory = page_memory(screen, wanted, folder=folder / "pages")
    play_series(screen, BrowserPointer(screen), wanted, name="browser", quiet=True, memory=memory)
    return open_run(max((folder / "runs").iterdir())), len(screen.page.evaluate("boardsightReferee.clicks"))


@pytest.mark.browser
@pytest.mark.slow
def test_a_page_that_wants_two_presses_for_a_move_gets_them_at_once_at_the_second_visit(
    show: Show, tmp_path: Path
) -> None:
    tries = []
    for _ in range(2):
        screen = show("connect_four", stage="enter", second="random", seed=4, pause=50)
        run, presses = visit(screen, tmp_path, max_moves=2)
        assert len(run.turns) == 2
        tries.append((sum(note["text"].startswith("nobody answers") for _, note in run.notes), presses))
    assert tries[0][0] > tries[1][0] == 0
    assert screen.page.evaluate("boardsightReferee.clicks.every((click) => click.effect !== 'none')")


@pytest.mark.browser
@pytest.mark.slow
def test_a_board_is_known_again_for_the_game_that_it_turned_out_to_be(show: Show, tmp_path: Path) -> None:
    settings: dict[str, Any] = {"rows": 6, "cols": 6, "second": "greedy", "pause": 100, "corners": "sides"}
    settings |= {"seed": 3, "barred": "plain", "deal": "uniform"}  # so that nothing tells the game before a move
    first, _ = visit(show("filler", **settings), tmp_path, max_moves=2)
    assert len(list((tmp_path / "runs").iterdir())) == 2
    assert first.stated("game") == "filler"
    again, _ = visit(show("filler", **settings), tmp_path, max_moves=2)
    assert len(list((tmp_path / "runs").iterdir())) == 3
    assert again.stated("game") == "filler"
    assert {"@5,0", "@0,5"} <= set(again.turns[0].state.split())
    assert list((tmp_path / "pages").iterdir())
    page_memory(show("filler", **settings), Settings(forget=True), folder=tmp_path / "pages")
    assert list((tmp_path / "pages").iterdir()) == []  # as before the first visit


@pytest.mark.browser
@pytest.mark.slow
def test_what_is_known_of_a_page_and_holds_no_longer_is_learned_anew(show: Show, tmp_path: Path) -> None:
    screen = show("connect_four", second="random", seed=4, pause=50)
    visit(screen, tmp_path, max_moves=1)
    memory = PageMemory(screen.address, say=print, folder=tmp_path / "pages")
    known = memory.recall("discs")
    assert known is not None
    box = screen.page.locator('[data-press="new"]').bounding_box()
    assert box is not None
    place = Pixel(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    calibration = replace(known.calibration, how="column+confirm", controls={"confirm": place})
    memory.keep(KnownPage(calibration, {"start_row": 77}, {"confirm": FACE}))
    screen.page.reload()
    run, _ = visit(screen, tmp_path, max_moves=2)
    assert [turn.tries for turn in run.turns] == [1, 1]
    assert not any(
        "new" in click for click in screen.page.evaluate("boardsightReferee.clicks.map(({effect}) => effect)")
    )
    now = memory.recall("discs")
    assert now is not None
    assert (now.calibration.how, "confirm" in now.calibration.controls) == ("column", False)


def test_what_is_kept_is_read_again(tmp_path: Path) -> None:
    said: list[str] = []
    memory = PageMemory("https://play.example/?token=secret", say=said.append, folder=tmp_path / "pages")
    assert memory.recall("coloured") is None
    memory.keep(KNOWN)
    known = memory.recall("coloured")
    assert known is not None
    assert (known.calibration, known.numbers) == (BOARD, {"start_row": 5})
    assert np.array_equal(known.faces["confirm"], FACE)
    assert PageMemory("https://play.example/", say=said.append, folder=tmp_path / "pages").recall("coloured") is None
    (file,) = (tmp_path / "pages").iterdir()
    assert "secret" not in file.name + file.read_text()
    memory.forget()
    assert (memory.recall("coloured"), said) == (None, [])


@pytest.mark.parametrize(
    "text", ["", "version = 7", "\0", "version = 1\ncalibration = 3\nnumbers = 1", "a" * (1 << 21)]
)
def test_a_file_that_cannot_be_read_is_told_in_one_line_and_not_used(tmp_path: Path, text: str) -> None:
    said: list[str] = []
    memory = PageMemory("https://play.example/", say=said.append, folder=tmp_path)
    memory.keep(KNOWN)
    (file,) = tmp_path.iterdir()
    file.write_text(text)
    assert memory.recall("coloured") is None
    assert len(said) == 1
    assert "learned anew" in said[0]
    assert "\n" not in said[0]


def test_pages_that_were_not_used_for_longest_are_forgotten(tmp_path: Path) -> None:
    for number in range(MOST_PAGES):
        old = tmp_path / f"{number:032}-coloured.toml"
        old.write_text("")
        os.utime(old, (number, number))
    PageMemory("https://play.example/", say=print, folder=tmp_path).keep(KNOWN)
    assert len(list(tmp_path.iterdir())) == MOST_PAGES
    assert not (tmp_path / f"{0:032}-coloured.toml").exists()


def test_a_folder_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    said: list[str] = []
    (tmp_path / "file").write_text("")
    PageMemory("https://play.example/", say=said.append, folder=tmp_path / "file" / "pages").keep(KNOWN)
    assert len(said) == 1


def found(**changes: Any) -> Calibration:
    """A board of the same page, freshly found."""
    return replace(BOARD, **{"how": "", "park": False, "controls": {"colour:1": Pixel(1, 1)}, **changes})


def test_controls_are_looked_for_where_they_lay_beside_a_board_of_the_same_size() -> None:
    moved = as_known(found(lattice=replace(BOARD.lattice, origin=Pixel(130, 90))), KNOWN, None)
    assert moved.calibration.controls == {"colour:1": Pixel(1, 1), "confirm": Pixel(180, 510)}
    assert (moved.calibration.how, moved.calibration.park, moved.numbers) == ("colour+confirm", True, {"start_row": 5})
    larger = as_known(found(lattice=replace(BOARD.lattice, rows=8)), KNOWN, None)
    assert (dict(larger.calibration.controls), larger.numbers) == ({"colour:1": Pixel(1, 1)}, {})
    zoomed = as_known(found(lattice=replace(BOARD.lattice, pitch=(60, 60))), KNOWN, None)
    assert "confirm" not in zoomed.calibration.controls
    strange = replace(KNOWN, calibration=replace(BOARD, how="by magic"))
    assert as_known(found(), strange, None).calibration.how == ""
    assert "confirm" not in as_known(found(size=(140, 600)), KNOWN, None).calibration.controls


def test_what_is_known_of_another_game_than_the_user_named_is_not_used() -> None:
    assert as_known(found(game="filler"), KNOWN, "filler").calibration == found(game="filler")
    assert as_known(found(game="filler"), KNOWN, None).calibration.game == "flood_it"
