"""Write ``docs/figures.md`` and the README's table of figures from the saved results: ``make figures``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.results import FOLDER, ROOT, Block, Result, load

PAGE = ROOT / "docs" / "figures.md"
README = ROOT / "README.md"

BEGIN, END = "<!-- figures: written by `make figures` -->", "<!-- end of figures -->"
"""What stands around the README's table."""


INTRODUCTION = """\
# Figures

`make figures` writes this page from the results in `docs/results`, which `python -m bench NAME` saves; no figure is
typed by hand. `make bench` makes all of it again. Each section ends with the command that makes it again, the commit
and the machine that it was measured on, and the load there: how many processes wanted a core. Where they were more than
the cores, times are upper bounds.
Counts depend neither on the machine nor on its load. Figures measured before results were saved stand in
[history.md](history.md).
"""


@dataclass(frozen=True, slots=True)
class ReadmeRow:
    """A row of the README's table.

    what: is measured.  form: the figure, with ``{}`` for each of `cells`, which are rows and columns of the tables of
    the bench `name`, and ``{argument}`` for what it ran with.
    """

    what: str
    form: str
    name: str
    cells: Sequence[tuple[str, str]]


FIGURES = (
    ReadmeRow(
        "sgt-flood, a program nobody here wrote, played on the screen: 20 games, 5x5 to 30x20 cells",
        "{} read right, {} finished, {} its own limit",
        "sgt_flood",
        (("all 20", "read"), ("all 20", "finished"), ("all 20", "limit")),
    ),
    ReadmeRow(
        "to find a board of any game on a desktop of 1920x1080 pixels, CPU time",
        "{} ms",
        "seeing",
        (("find a board of any game", "median"),),
    ),
    ReadmeRow("to read a known board of 14x14 cells", "{} ms", "seeing", (("read it (14x14)", "median"),)),
    ReadmeRow(
        "drawn pictures: Flood-It boards found and read right, pictures without a board that were taken for one",
        "{} of {count}, {} of {empties}",
        "pictures",
        (("flood_it", "read"), ("no board", "found")),
    ),
    ReadmeRow(
        "Flood-It, 14x14 cells in 6 colours, in the fewest moves: boards proven, moves, CPU time (half within)",
        "{}, {} moves, {} ms",
        "flood_it",
        (("14x14 | exact", "proven"), ("14x14 | exact", "mean moves"), ("14x14 | exact", "p50")),
    ),
    ReadmeRow(
        "Filler as on phones, proven from the start: boards, CPU time (half within)",
        "{} of {boards}, {} s",
        "filler",
        (("phone", "proven"), ("phone", "median s")),
    ),
    ReadmeRow(
        "Blokus on 7x7 squares, proven: what the first player wins by, CPU time",
        "{} squares, {} s",
        "blokus_small",
        (("7x7", "first minus second, squares"), ("7x7", "CPU s")),
    ),
    ReadmeRow(
        "Blokus Duo at random, every placement known before each move",
        "{} million moves/s",
        "blokus",
        (("Duo", "counted and picked, M moves/s"),),
    ),
)
"""The README's, at most eight."""


def results(folder: Path = FOLDER) -> list[Result]:
    """All saved results, in the order of their names."""
    return [load(path) for path in sorted(folder.glob("*.json"))]


def page_of(found: Sequence[Result]) -> str:
    """The page of all results."""
    return "\n".join(_page_lines(found)) + "\n"


def _page_lines(found: Sequence[Result]) -> Iterator[str]:
    yield INTRODUCTION
    yield from (f"- [{result.title}](#{result.name})" for result in found)
    for result in found:
        yield ""
        yield f"## {result.name}"
        yield ""
        yield f"{result.title}."
        for block in result.blocks:
            yield ""
            yield from _block_lines(block)
        yield ""
        before, after = result.load
        yield f"Made by `{result.command}`{_arguments(result)} on {result.date} at commit {result.commit}, in"
        yield f"{result.seconds:,.0f} s on {result.machine}; load {before:.1f} before and {after:.1f} after."


def _block_lines(block: Block) -> Iterator[str]:
    if "text" in block:
        yield from block["text"]
        return
    yield f"| {' | '.join(block['columns'])} |"
    yield "|" + "---|" * len(block["columns"])
    yield from (f"| {' | '.join(cells)} |" for cells in block["rows"])


def _arguments(result: Result) -> str:
    said = ", ".join(f"{name} {value}" for name, value in result.arguments.items())
    return f" ({said})" if said else ""


def table_of(found: Sequence[Result], figures: Sequence[ReadmeRow] = FIGURES) -> str:
    """The README's table; raises KeyError where a result or a cell is missing."""
    named = {result.name: result for result in found}
    rows = ["| what | figure | command |", "|---|---|---|"]
    for figure in figures:
        result = named[figure.name]
        said = figure.form.format(*(result.cell(row, column) for row, column in figure.cells), **result.arguments)
        rows.append(f"| {figure.what} | {said} | `{result.command}` |")
    return "\n".join(rows)


def with_table(text: str, table: str) -> str:
    """`text` with `table` between its two marks, whatever stood there."""
    between = re.compile(f"{re.escape(BEGIN)}.*?{re.escape(END)}", re.DOTALL)
    return between.sub(lambda _: f"{BEGIN}\n{table}\n{END}", text)


def main() -> None:
    """Write both files."""
    found = results()
    PAGE.write_text(page_of(found), encoding="utf-8")
    README.write_text(with_table(README.read_text(encoding="utf-8"), table_of(found)), encoding="utf-8")


if __name__ == "__main__":
    main()
