"""One self-contained HTML page of a run: what the bot saw, why it chose, where it clicked and how long it took."""

from __future__ import annotations

import html
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

from bot.runs.journal import SavedRun, Turn, open_run
from bot.storage.files import write_text
from bot.storage.pictures import data_url, encode_png
from calibration.answer import size
from calibration.board import Calibration
from calibration.frame import Frame, Pixel
from calibration.looks import look_named
from calibration.overlay import overlay
from games.core import UNREAD

DOUBTFUL = 0.5
"""Cells below this confidence get a mark of their own in the picture."""

COLOURS = "0123456789abcdef"
"""The moves that name a colour."""

MOST = 16
"""Candidates of a turn that are shown; games of Blokus have hundreds."""


def write_report(folder: Path, path: Path | None = None) -> Path:
    """Writes the page of the run in `folder` (default: as its ``report.html``) and gives the page's path.

    Raises JournalError where the run cannot be read, SettingsError where the page cannot be written.
    """
    path = path or folder / "report.html"
    write_text(path, report(open_run(folder)))
    return path


def report(run: SavedRun) -> str:
    """The page; raises JournalError where the run has lost a picture."""
    style = resources.files("bot.web").joinpath("report.css").read_text(encoding="utf-8")
    script = resources.files("bot.web").joinpath("report.js").read_text(encoding="utf-8")
    title = f"{_text(run.about.get('game', 'run'))} · {_text(run.folder.name)}"
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title} · Boardsight</title>",
            f"<style>{style}\n{_pictures(run)}</style></head><body>",
            *_head(run),
            *_calibrations(run),
            "<main>",
            *_answers(run, 0, 1),
            *(part for turn in run.turns for part in _turn(run, turn)),
            "</main>",
            *_end(run),
            f"<script>{script}</script></body></html>",
        ]
    )


def _pictures(run: SavedRun) -> str:
    """Every turn's picture once, as a custom property that two places can show."""
    lines = [f"--turn-{turn.number}: url({data_url(run.file(turn.picture))});" for turn in run.turns]
    return ":root {\n" + "\n".join(lines) + "\n}"


def _head(run: SavedRun) -> Iterator[str]:
    end = run.end or {"cause": "interrupted", "message": "the run was cut off: this is all up to its last whole turn"}
    own = sorted(turn.milliseconds.get("own", 0.0) for turn in run.turns)
    facts = {
        "game": run.about.get("game"),
        "solver": run.about.get("solver"),
        "screen": run.about.get("screen"),
        "started": run.about.get("started"),
        "moves": len(run.turns),
        "moves of the other side": sum(len(answer.moves) for answer in run.answers) or None,
        "clicks made again": sum(max(0, turn.tries - 1) for turn in run.turns),
        "own time a turn": f"{own[len(own) // 2]:.1f} ms (median)" if own else "-",
    }
    yield f'<header class="{_text(end["cause"])}"><h1>{_text(run.about.get("game", "run")).replace("_", " ")}</h1>'
    yield f'<p class="ending"><strong>{_text(end["cause"])}</strong> {_text(end["message"])}</p><dl>'
    for name, value in facts.items():
        if value is not None:
            yield f"<div><dt>{_text(name)}</dt><dd>{_text(value)}</dd></div>"
    yield "</dl><nav aria-label='turns'>"
    for turn in run.turns:
        yield f'<a href="#turn-{turn.number}">{turn.number}</a>'
    yield "</nav></header>"


def _calibrations(run: SavedRun) -> Iterator[str]:
    for number, region in run.regions.items():
        frame = Frame(run.picture(f"calibration-{number}.png"), region)
        calibration = run.calibration(number)
        across, down = calibration.lattice.pitch
        yield f"<details {'open' if number == 1 else ''}><summary>Calibration {number}: "
        yield f"{size(calibration)}, a cell {across:.2f}x{down:.2f} pixels, "
        yield f"confidence {calibration.confidence:.3f}</summary>"
        picture = data_url(encode_png(overlay(frame, calibration)))
        yield f'<img alt="the screen with the board found on it" src="{picture}">'
        yield "</details>"


def _turn(run: SavedRun, turn: Turn) -> Iterator[str]:
    calibration = run.calibration(turn.calibration)
    picture = run.picture(turn.picture)
    height, width = picture.shape[:2]
    yield f'<section id="turn-{turn.number}"><h2>Turn {turn.number}: {_swatch(calibration, turn.played)}'
    yield f'<small class="{_text(turn.outcome.replace(" ", "-"))}">{_text(turn.outcome)}'
    yield f"{f', {turn.tries} tries' if turn.tries > 1 else ''}</small></h2>"
    yield f'<div class="boards" style="--ratio: {width} / {height}">'
    yield f'<figure><div class="picture" style="background-image: var(--turn-{turn.number})">'
    yield from _marks(calibration, turn, width, height)
    yield "</div><figcaption>what it saw, and where it clicked</figcaption></figure>"
    if turn.number < len(run.turns):
        yield f'<figure><div class="picture" style="background-image: var(--turn-{turn.number + 1})"></div>'
        yield "<figcaption>what the board showed then</figcaption></figure>"
    clicks = ", ".join(f"{click.target} at ({click.spot.x:.1f}, {click.spot.y:.1f})" for click in turn.clicks)
    yield f'<p class="clicks">clicked {_text(clicks)}</p>' if clicks else ""
    yield "</div>"
    yield from _candidates(calibration, turn)
    yield from _stages(turn)
    yield from _answers(run, turn.number, turn.calibration)
    yield "</section>"


def _answers(run: SavedRun, after: int, number: int) -> Iterator[str]:
    """What the other side played after that turn, 0 for before our first one; `number` is the calibration's."""
    for answer in (each for each in run.answers if each.after == after):
        moves = " ".join(_swatch(run.calibration(number), move) for move in answer.moves)
        told = f"seat {answer.seats[0] + 1} played {moves}" if answer.seats else "the board was read anew"
        yield f'<p class="line">{"then" if after else "first"} {told}</p>'


def _marks(calibration: Calibration, turn: Turn, width: int, height: int) -> Iterator[str]:
    """The lattice, each cell as sure as it was read, and the clicks, over the board's picture."""
    lattice = calibration.lattice.moved(Pixel(-turn.offset.x, -turn.offset.y))
    across, down = lattice.pitch
    radius = min(across, down) / 8
    yield f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="reading of turn {turn.number}">'
    box = lattice.box
    for col in range(lattice.cols + 1):
        x = box.x + col * across
        yield f'<line x1="{x:.1f}" y1="{box.y:.1f}" x2="{x:.1f}" y2="{box.y + box.height:.1f}"/>'
    for row in range(lattice.rows + 1):
        y = box.y + row * down
        yield f'<line x1="{box.x:.1f}" y1="{y:.1f}" x2="{box.x + box.width:.1f}" y2="{y:.1f}"/>'
    cells = 2 if len(turn.grid) == 2 * lattice.rows - 1 else 1  # with grooves every other place is a cell
    for row, (kinds, sures) in enumerate(zip(turn.grid, turn.confidence, strict=True)):
        for col, (kind, sure) in enumerate(zip(kinds, sures, strict=True)):
            at = Pixel(lattice.origin.x + col * across / cells, lattice.origin.y + row * down / cells)
            name = "unread" if kind == UNREAD else "doubtful" if sure < DOUBTFUL else "sure"
            entry = kind if cells == 1 else _of_grooves(row, col, kind)
            fill = f' fill="{_colour(calibration, entry)}"' if 0 <= entry < len(calibration.palette) else ""
            yield f'<circle class="{name}" cx="{at.x:.1f}" cy="{at.y:.1f}" r="{radius:.1f}"{fill}>'
            yield f"<title>row {row}, col {col}: {kind}, confidence {sure:.2f}</title></circle>"
    for click in turn.clicks:
        x, y = click.pixel.x - turn.offset.x, click.pixel.y - turn.offset.y
        yield f'<g class="click" transform="translate({x:.1f} {y:.1f})"><circle r="{2 * radius:.1f}"/>'
        yield f"<title>{_text(click.target)} at ({click.spot.x:.1f}, {click.spot.y:.1f})</title></g>"
    yield "</svg>"


def _of_grooves(row: int, col: int, kind: int) -> int:
    """Where in a palette of cells, grooves and pawns the colour of a place with grooves stands, UNREAD for a wall."""
    if row % 2 or col % 2:
        return 1 if kind == 0 else UNREAD
    return kind + 1 if kind > 0 else kind


def _candidates(calibration: Calibration, turn: Turn) -> Iterator[str]:
    candidates: list[dict[str, Any]] = turn.decision.get("candidates", [])
    counted = any(candidate.get("visits") for candidate in candidates)  # visits and values have no scale in common
    numbers = [candidate.get("visits" if counted else "score") for candidate in candidates]
    largest = max((abs(number) for number in numbers if number is not None), default=0) or 1
    score = turn.decision.get("score")
    words = turn.decision.get("words", f"score {score}")  # runs of before have none
    verdict = "" if score is None else f" · {_text(words)}{', proven' if turn.decision.get('proven') else ''}"
    yield f'<div class="why"><h3>Why{verdict}</h3><table>'
    for candidate, number in [*zip(candidates, numbers, strict=True)][:MOST]:
        bound = candidate.get("at_most") is True and not counted
        share = 0 if number is None or bound else 100 * abs(number) / largest
        value = "-" if number is None else "at most " * bound + f"{number:.4g}" + " visits" * counted
        value = value if counted else _text(candidate.get("words") or value)
        chosen = ' class="chosen"' if candidate["move"] == turn.played else ""
        yield f"<tr{chosen}><th>{_swatch(calibration, candidate['move'])}</th>"
        yield f'<td><i style="width: {share:.1f}%"></i></td><td>{value}</td></tr>'
    line = turn.decision.get("line", [])
    yield "</table>"
    if len(candidates) > MOST:
        yield f'<p class="line">and {len(candidates) - MOST} more</p>'
    if len(line) > 1:
        yield f'<p class="line">expected: {" ".join(_swatch(calibration, move) for move in line)}</p>'
    yield "</div>"


def _stages(turn: Turn) -> Iterator[str]:
    yield '<dl class="stages">'
    for stage, spent in turn.milliseconds.items():
        yield f"<div><dt>{_text(stage)}</dt><dd>{spent:.1f} ms</dd></div>"
    yield "</dl>"


def _end(run: SavedRun) -> Iterator[str]:
    if run.end and run.end.get("picture"):
        picture = data_url(run.file(str(run.end["picture"])))
        yield f'<footer><h2>The last picture</h2><img alt="the screen when the run ended" src="{picture}"></footer>'


def _swatch(calibration: Calibration, move: str) -> str:
    """A move, with its colour where it names one."""
    named = look_named(calibration.look).filled and len(move) == 1 and move in COLOURS
    if named and int(move, 16) < len(calibration.palette):
        colour = _colour(calibration, int(move, 16))
        return f'<span class="swatch" style="--colour: {colour}">{_text(move)}</span>'
    return f'<span class="move">{_text(move)}</span>'


def _colour(calibration: Calibration, kind: int) -> str:
    return "#{:02x}{:02x}{:02x}".format(*calibration.palette[kind])


def _text(value: object) -> str:
    return html.escape(str(value).encode("utf-8", "replace").decode())  # a folder's name may be no UTF-8
