"""A page from a folder is opened, led to its board, played, and judged by what it shows itself."""

import shutil
from pathlib import Path

import pytest

from bench.screens.sites import do_act, tables
from bot.screens.browser import BrowserScreen
from bot.web.pages import PAGES

INDEX = """\
name\tgame\trepository\tcommit\tpage\tacts\ttruth\tnotes
own\tflood_it\t-\t-\tindex.html\tclick text=Start | select #level=hard; press Enter\t{truth}\t-
odd\tflood_it\t-\t-\tindex.html\tpush it\t\t-
"""

TRUTH = "new Set(boardsightReferee.grid.flat()).size > 1 ? '' : location.search.includes('size=5') ? 'lost' : 'won'"
"""Of the second game it is a lie."""

MENU = """\
<script src="http://elsewhere.example/start.js"></script>
<button onclick="start(4)">Start</button>
<select id="level"><option>easy<option>hard</select>
<script>onkeydown = () => start(level.value === "hard" ? 5 : 3)</script>
"""

START = "const start = (size) => location = `flood_it.html?seed=1&animation=0&limit=0&size=${size}`"


@pytest.mark.browser
def test_a_page_is_led_to_its_board_and_played_from_either_seat_and_judged(
    tmp_path: Path, only_browser: BrowserScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bench.screens.sites.WAIT", 1_000.0)
    shutil.copytree(PAGES, tmp_path / "own")
    (tmp_path / "own/index.html").write_text(MENU)
    (tmp_path / "INDEX.tsv").write_text(INDEX.format(truth=TRUTH))
    library = tmp_path / "elsewhere/elsewhere.example/start.js"
    library.parent.mkdir(parents=True)
    library.write_text(START)
    keep = tmp_path / "kept"
    keep.mkdir()
    lines = list(tables(str(tmp_path), keep=keep))
    told = [line.strip("| ").split(" | ")[:5] for line in lines if line.startswith("| own")]
    assert told == [["own", "flood_it", "1", "won", "yes"], ["own", "flood_it", "2", "won", "no"]]
    assert [line for line in lines if "no act: 'push it'" in line] == lines[-4:-2]  # an act that fails costs its game
    assert lines[-1] == "4 games: 2 ended, 1 told as their pages tell, 2 of pages that do not tell"
    assert {path.name for path in keep.iterdir()} >= {"own-1.png", "own-1.txt", "own-2.png", "own-2.txt"}


def test_no_pages_are_no_error(tmp_path: Path) -> None:
    assert list(tables(str(tmp_path))) == [f"no pages: {tmp_path / 'INDEX.tsv'} is not there"]


@pytest.mark.browser
def test_an_act_of_no_known_kind_is_refused(browser: BrowserScreen) -> None:
    with pytest.raises(ValueError, match="no act: 'push it'"):
        do_act(browser.page, "push it")
