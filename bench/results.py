"""What a bench found, saved as JSON: its tables and texts, and when, where and by which command they were made."""

from __future__ import annotations

import ast
import datetime
import json
import os
import platform
import re
import shlex
import subprocess
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from games import GAMES, find_game
from solvers.threads import usable_cores

ROOT = Path(__file__).parents[1]

FOLDER = ROOT / "docs" / "results"
"""Where results are kept: ``NAME.json`` each, the newest alone."""

Block = dict[str, Any]
"""``{"text": [line, ...]}`` or ``{"columns": [name, ...], "rows": [[cell, ...], ...]}``; all cells are texts."""


def left_out(brought: Collection[str], why: str) -> list[str]:
    """A sentence for each game of the registry that is not among those `brought` to a bench, which says `why`."""
    return [f"{find_game(name).title} is left out: {why}" for name in GAMES if name not in brought]


@dataclass(frozen=True, slots=True)
class Result:
    """One run of a bench.

    name, title: of the bench.  command: what makes it again.  arguments: all values it ran with, seeds included.
    commit: of the code, with "+" where it was changed since.  machine: processor, cores, system and Python.
    load: mean number of processes that wanted a core in the minute before the run began and before it ended; more than
    the machine has cores means that times are too long.  date: of the end.  seconds: of the whole run.
    blocks: what it found, in the order of the page.
    """

    name: str
    title: str
    command: str
    arguments: dict[str, Any]
    commit: str
    machine: str
    load: tuple[float, float]
    date: str
    seconds: float
    blocks: list[Block]

    def save(self, folder: Path) -> Path:
        """Write ``NAME.json`` whole and give its path."""
        folder.mkdir(parents=True, exist_ok=True)
        path = result_path(self.name, folder)
        partial = path.with_suffix(".part")
        text = _rows_on_lines(json.dumps(asdict(self), indent=1, ensure_ascii=False))
        partial.write_text(text + "\n", encoding="utf-8")
        partial.replace(path)
        return path

    def cell(self, row: str, column: str) -> str:
        """The cell of the first table that has such a row and column; raises KeyError.

        row: the first cells of the row, joined by " | ".
        """
        for block in self.blocks:
            if column in block.get("columns", ()):
                for cells in block["rows"]:
                    if f"{' | '.join(cells)} | ".startswith(f"{row} | "):
                        return str(cells[block["columns"].index(column)])
        raise KeyError(f"{self.name}: no table has a row {row!r} and a column {column!r}")


def _rows_on_lines(text: str) -> str:
    """Indented JSON with each innermost list on one line, so that a diff shows the rows that changed."""
    return re.sub(r"\[\n\s+([^][{}]*?)\n\s+\]", lambda found: "[" + re.sub(r",\n\s*", ", ", found[1]) + "]", text)


def result_path(name: str, folder: Path) -> Path:
    """Where the result of a bench is kept."""
    return folder / f"{name}.json"


def load(path: Path) -> Result:
    """A saved result."""
    saved = json.loads(path.read_text(encoding="utf-8"))
    return Result(**{**saved, "load": tuple(saved["load"])})


def blocks_of(lines: Iterable[str]) -> list[Block]:
    """The tables and texts in Markdown lines.

    >>> blocks_of(["100 boards", "", "| solver | won |", "|---|---:|", "| greedy | 40% |"])
    [{'text': ['100 boards']}, {'columns': ['solver', 'won'], 'rows': [['greedy', '40%']]}]
    """
    blocks: list[Block] = []
    open_block: Block | None = None
    for line in lines:
        kind = "rows" if line.startswith("|") else "text"
        if not line.strip():
            open_block = None
        elif open_block is None or kind not in open_block:
            open_block = {"columns": _cells(line), "rows": []} if kind == "rows" else {"text": [line]}
            blocks.append(open_block)
        elif kind == "text":
            open_block["text"].append(line)
        elif not _is_rule(line):
            open_block["rows"].append(_cells(line))
    return blocks


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _is_rule(line: str) -> bool:
    return not set(line) - set("|-: ")


def commit() -> str:
    """The commit that is checked out, with "+" where files other than results differ from it; "" without git."""
    try:
        head = _git("rev-parse", "--short=10", "HEAD")
        changed = _git("status", "--porcelain", "--", ".", ":!docs")
    except (OSError, subprocess.CalledProcessError):
        return ""
    return head + "+" * bool(changed)


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def machine() -> str:
    """Processor, cores this process may use, system and Python."""
    return f"{usable_cores()} cores of {_processor()}, {platform.system()}, Python {platform.python_version()}"


def _processor() -> str:
    described = Path("/proc/cpuinfo")
    for line in described.read_text().splitlines() if described.exists() else ():
        name, _, value = line.partition(":")
        if name.strip() == "model name":
            return value.strip()
    return platform.processor() or platform.machine()


def load_average() -> float:
    """Processes that wanted a core in the last minute, on average; 0 where the system does not tell (Windows)."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else 0.0


def plain(value: Any) -> Any:
    """The value as JSON has it: a tuple is a list there."""
    return json.loads(json.dumps(value, default=str))


def parse_argument(word: str) -> tuple[str, Any]:
    """The key and the value of a word such as ``games=200``.

    >>> parse_argument("games=200"), parse_argument("solver=exact"), parse_argument("sides=['red', 6]")
    (('games', 200), ('solver', 'exact'), ('sides', ['red', 6]))
    >>> parse_argument("classic=false")
    ('classic', False)
    """
    key, _, text = word.partition("=")
    try:
        return key, ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return key, {"true": True, "false": False}.get(text, text)


def format_argument(key: str, value: Any) -> str:
    """The word that `parse_argument` reads as these.

    >>> format_argument("command", "pentobi-gtp --quiet"), format_argument("solver", "8")
    ('command=pentobi-gtp --quiet', "solver='8'")
    >>> format_argument("sides", ["red", 6])
    'sides=["red", 6]'
    """
    word = f"{key}={value if isinstance(value, str) else json.dumps(value)}"
    return word if parse_argument(word) == (key, value) else f"{key}={value!r}"


def result_of(
    name: str,
    title: str,
    *,
    arguments: Mapping[str, Any],
    changed: Mapping[str, Any],
    lines: Iterable[str],
    seconds: float,
    load_before: float,
) -> Result:
    """The result of a run that ended now.

    arguments: all that it ran with; changed: those of them that are not the bench's own.
    """
    words = [shlex.quote(format_argument(key, value)) for key, value in changed.items()]
    return Result(
        name=name,
        title=title,
        command=" ".join(["python -m bench", name, *["--set"][: len(words)], *words]),
        arguments=plain(dict(arguments)),
        commit=commit(),
        machine=machine(),
        load=(load_before, load_average()),
        date=datetime.datetime.now(datetime.UTC).date().isoformat(),
        seconds=round(seconds, 1),
        blocks=blocks_of(lines),
    )
