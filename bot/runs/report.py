"""One self-contained HTML page of a run: what the bot saw, why it chose, what it pressed and how long it took.

The page is the viewer that also shows a run while it is played; here its turns stand in the page, a line each, and are
looked at by need.  It runs no script but its own and asks for nothing from elsewhere.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib import resources
from pathlib import Path
from typing import Any

from bot.runs.journal import SavedRun, Turn, open_run
from bot.runs.viewing import board_told, doubts, turn_told
from bot.storage.files import write_text
from bot.storage.pictures import data_url
from games import GAMES, find_game

SCRIPTS = ("words.js", "dom.js", "candidate-bars.js", "run-viewer.js", "report.js")
"""The page's modules, each after those it imports."""


def write_report(folder: Path, path: Path | None = None) -> Path:
    """Writes the page of the run in `folder` (default: as its ``report.html``) and gives the page's path.

    Raises JournalError where the run cannot be read, SettingsError where the page cannot be written.
    """
    path = path or folder / "report.html"
    write_text(path, report(open_run(folder)))
    return path


def report(run: SavedRun) -> str:
    """The page; raises JournalError where the run has lost a picture."""
    style = "".join(_static(name) for name in ("table.css", "viewer.css"))
    script = re.sub(r"^(import .*\n|export )", "", "".join(map(_static, SCRIPTS)), flags=re.MULTILINE)
    policy = f"default-src 'none'; img-src data:; script-src {_hash(script)}; style-src {_hash(style)}; base-uri 'none'"
    title = f"{_text(_game(run))} · {_text(run.folder.name)}"
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title} · Boardsight</title>",
            f'<style>{style}</style></head><body class="report">',
            *_head(run),
            "<main><run-viewer></run-viewer><noscript>The turns are shown by a script: allow it.</noscript></main>",
            *_end(run),
            f'<script type="application/json" id="words">{_json(_words())}</script>',
            f'<script type="application/json" id="run">{_json(_told(run))}</script>',
            '<script type="application/json" id="turns">' + "\n".join(_turns(run)) + "</script>",
            f'<script type="module">{script}</script></body></html>',
        ]
    )


def _static(name: str) -> str:
    return resources.files("bot.web").joinpath("static", name).read_text(encoding="utf-8")


def _words() -> dict[str, Any]:
    """What the page says, in each language that it may be read in."""
    with resources.as_file(resources.files("bot.web").joinpath("static", "words")) as folder:
        return {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in sorted(folder.glob("*.json"))}


def _hash(text: str) -> str:
    """How a page's policy names what it may run: by its bytes."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode('ascii')}'"


def _json(value: object) -> str:
    """A value as JSON that ends no element of a page."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")
    return text.encode("utf-8", "replace").decode()  # a folder's name may be no UTF-8


def _head(run: SavedRun) -> Iterator[str]:
    end = run.end or {"cause": "interrupted", "message": "the run was cut off: this is all up to its last whole turn"}
    own = sorted(turn.milliseconds.get("own", 0.0) for turn in run.turns)
    facts = {
        "solver": run.about.get("solver"),
        "screen": run.about.get("screen"),
        "started": run.about.get("started"),
        "moves": len(run.turns),
        "moves of the other side": sum(len(answer.moves) for answer in run.answers) or None,
        "clicks made again": sum(max(0, turn.tries - 1) for turn in run.turns),
        "own time a turn": f"{own[len(own) // 2]:.1f} ms (median)" if own else "-",
    }
    cause = _text(end["cause"])
    yield f"<header><h1>{_text(_game(run))}</h1>"
    yield f'<p class="ending" data-cause="{cause}"><strong>{cause}</strong> {_text(end["message"])}</p>'
    yield '<dl class="facts">'
    for name, value in facts.items():
        if value is not None:
            yield f"<div><dt>{_text(name)}</dt><dd>{_text(value)}</dd></div>"
    yield "</dl></header>"


def _game(run: SavedRun) -> str:
    """What people call the game of a run."""
    name = str(run.about.get("game", "run"))
    return find_game(name).title if name in GAMES else name


def _told(run: SavedRun) -> dict[str, Any]:
    """What the viewer must know before it shows a turn: the boards, a word on each turn, what stood between them."""
    boards = {}
    for number in sorted({*run.regions, *(turn.calibration for turn in run.turns)}):
        calibration = run.calibration(number)
        boards[number] = board_told(calibration)
        if number in run.regions:
            boards[number]["picture"] = data_url(run.file(f"calibration-{number}.png"))
    answers = [(each.after, {"kind": "answer", "seats": each.seats, "moves": each.moves}) for each in run.answers]
    notes = [(after, {"kind": "note", "text": str(note.get("text", ""))}) for after, note in run.notes]
    return {
        "boards": boards,
        "turns": [{"number": turn.number, "played": turn.played, "doubts": doubts(turn)} for turn in run.turns],
        "between": answers + notes,
    }


def _turns(run: SavedRun) -> Iterator[str]:
    """The turns with their pictures, as JSON without a line's end in it; pictures are packed side by side."""

    def told(turn: Turn) -> str:
        return _json(turn_told(turn) | {"picture": data_url(run.file(turn.picture))})

    with ThreadPoolExecutor() as pool:
        yield from pool.map(told, run.turns)


def _end(run: SavedRun) -> Iterator[str]:
    if run.end and run.end.get("picture"):
        picture = data_url(run.file(str(run.end["picture"])))
        yield f'<footer><h2>The last picture</h2><img alt="the screen when the run ended" src="{picture}"></footer>'


def _text(value: object) -> str:
    return html.escape(str(value).encode("utf-8", "replace").decode())  # a folder's name may be no UTF-8
