"""Figures come from saved results: what a bench saves, and what is made of it."""

import json
import shlex
import sys
from types import ModuleType

import pytest

from bench.__main__ import TABLES, main, own_arguments
from bench.figures import BEGIN, END, FIGURES, PAGE, README, ReadmeRow, page_of, results, table_of, with_table
from bench.results import FOLDER, load, parse_argument
from bot.ports import ScreenError


@pytest.fixture
def bench_of_dice(monkeypatch):
    """A bench called "dice" that takes a moment."""

    def tables(throws=6, seed=1):
        yield f"{throws} throws"
        yield ""
        yield "| die | seed | mean |"
        yield "|---|---|---:|"
        yield f"| red | {seed} | 3.5 |"
        yield f"| blue | {seed} | 4.5 |"

    module = ModuleType("bench_of_dice")
    module.tables = tables
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(TABLES, "dice", ("Dice: the mean of their throws", module.__name__))


def test_a_bench_saves_its_tables_and_how_they_were_made(bench_of_dice, tmp_path, capsys):
    assert main(["dice", "--set", "throws=9", "--results", str(tmp_path)]) == 0
    assert "| blue | 1 | 4.5 |" in capsys.readouterr().out
    saved = json.loads((tmp_path / "dice.json").read_text())
    assert saved["command"] == "python -m bench dice --set throws=9"
    assert saved["arguments"] == {"throws": 9, "seed": 1}
    assert saved["blocks"] == [
        {"text": ["9 throws"]},
        {"columns": ["die", "seed", "mean"], "rows": [["red", "1", "3.5"], ["blue", "1", "4.5"]]},
    ]
    for key in ("title", "commit", "machine", "load", "date", "seconds"):
        assert saved[key] or saved[key] == 0


def test_an_argument_that_a_bench_does_not_take_is_refused(bench_of_dice, tmp_path, capsys):
    with pytest.raises(SystemExit) as stop:
        main(["dice", "--set", "sides=20", "--results", str(tmp_path)])
    assert stop.value.code == 2
    assert "dice takes throws, seed, not sides" in capsys.readouterr().err


def test_tables_are_made_again_with_the_arguments_they_were_saved_with(bench_of_dice, tmp_path):
    again = ["--again", "--results", str(tmp_path)]
    main(["dice", "--set", "throws=9", "seed=red die's", "--results", str(tmp_path)])
    saved = tmp_path / "dice.json"
    first = saved.read_text()
    saved.write_text(first.replace("9 throws", "8 throws"))
    assert main(again) == 0
    assert load(saved).blocks[0] == {"text": ["9 throws"]}
    main(["dice", *shlex.split(load(saved).command)[4:], "--results", str(tmp_path)])
    assert load(saved).arguments == json.loads(first)["arguments"]
    assert main(["dice", "--set", "seed=2", *again]) == 0
    assert load(saved).arguments == {"throws": 9, "seed": 2}


@pytest.mark.parametrize(
    "missing", [FileNotFoundError("no dice-cup"), ImportError("dice_cup"), ScreenError("no table")]
)
def test_the_other_tables_are_made_where_one_needs_what_is_missing(
    bench_of_dice, monkeypatch, tmp_path, capsys, missing
):
    def tables():
        raise missing
        yield

    module = ModuleType("bench_of_cups")
    module.tables = tables
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(TABLES, "cups", ("Cups", module.__name__))
    assert main(["cups", "dice", "--results", str(tmp_path)]) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["dice.json"]
    assert f"cups is not made: {missing}" in capsys.readouterr().err


def test_the_table_of_the_readme_holds_cells_of_results(bench_of_dice, tmp_path):
    main(["dice", "--results", str(tmp_path)])
    (result,) = results(tmp_path)
    table = table_of([result], [ReadmeRow("a blue die", "{} of 6", "dice", [("blue | 1", "mean")])])
    assert table.splitlines()[-1] == "| a blue die | 4.5 of 6 | `python -m bench dice` |"
    assert with_table(f"a\n{BEGIN}\nold\n{END}\nb", table) == f"a\n{BEGIN}\n{table}\n{END}\nb"
    with pytest.raises(KeyError, match="green"):
        result.cell("green", "mean")


def test_the_page_of_figures_is_what_the_saved_results_render_to():
    assert PAGE.read_text() == page_of(results()), "run `make figures`"


def test_the_figures_of_the_readme_are_those_of_the_saved_results():
    text = README.read_text()
    assert text == with_table(text, table_of(results())), "run `make figures`"
    assert text.count(BEGIN) == text.count(END) == 1
    assert len(FIGURES) <= 8


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_a_saved_result_is_of_a_bench_that_is_there_and_of_a_whole_commit(path):
    result = load(path)
    assert result.title == TABLES[result.name][0]
    assert path.stem == result.name
    assert result.commit.isalnum(), "measured on changed code: commit first"
    words = shlex.split(result.command)
    assert words[:4] == ["python", "-m", "bench", result.name]
    assert dict(map(parse_argument, words[5:])).items() <= result.arguments.items()
    assert set(result.arguments) <= set(own_arguments(result.name)), "it cannot be made again with its arguments"
