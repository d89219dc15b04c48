"""A run on disk: one JSON line and one PNG for each turn, written so that a kill loses nothing but the turn in flight.

A run is a folder:

- ``journal.jsonl``: the lines, each an object with a ``kind``: first ``run`` (what was asked for), then ``playing``
  (the game found and the solver), ``calibrated``, ``turn``, ``answer`` and ``note`` as they come, last ``end``.  A line
  is written after the picture it names, and flushed.
- ``calibration-N.toml`` and ``calibration-N.png``: each calibration with the full picture it was made on.
- ``turn-NNN.png``: the board as it was when turn NNN was decided.  ``end.png``: the last picture of all.
"""

from __future__ import annotations

import json
import os
import queue
import threading
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from bot.pictures import load_picture, save_picture
from calibration.board import Calibration, dump_calibration, load_calibration
from calibration.frame import Frame, Pixel, Pixels, Rect, Spot
from games.core import SettingsError

VERSION = 2
LINES = "journal.jsonl"


class JournalError(SettingsError):
    """A run's folder cannot be read as one, or cannot be written."""


@dataclass(frozen=True, slots=True)
class Click:
    """One gesture that was made: what it meant, the pixel of the full picture, the spot of the desktop."""

    target: str
    pixel: Pixel
    spot: Spot


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn as it happened; positions and moves as texts of the game.

    number: from 1.  calibration: which calibration was in force.  picture: file name of the board's picture.
    offset: the picture's top left corner in pixels of the full picture.  region: what it shows of the desktop.
    state, options: the position decided on, and its variant.  grid, confidence: the reading, row by row.
    decision: the solver's answer as `boardsight solve` prints it.  played: the move made, its first choice unless
    the screen offered no way to make that.
    clicks: the gestures, of the last try.  tries: how often they were made.
    after: the position the screen showed afterwards.  outcome: "confirmed", "suggested" or "other move".
    milliseconds: by stage: grab and read of this look; decide; wait (for the game's repaint, and delays asked for);
    own (everything else but wait).
    """

    number: int
    calibration: int
    picture: str
    offset: Pixel
    region: Rect
    state: str
    options: dict[str, Any]
    grid: list[list[int]]
    confidence: list[list[float]]
    decision: dict[str, Any]
    played: str
    clicks: list[Click]
    tries: int
    after: str
    outcome: str
    milliseconds: dict[str, float]


@dataclass(frozen=True, slots=True)
class Answer:
    """What other sides played between two turns, as the board showed it.

    after: the number of the turn before, 0 for none.  seats: who made each of the `moves`, 0 for the first.
    state, follows: the positions before and after.
    """

    after: int
    seats: list[int]
    moves: list[str]
    state: str
    follows: str


class JournalWriter:
    """Writes a run; pictures are compressed in a thread of its own, in order, off the turn's time.

    Raises JournalError from the next call, or from `close`, when the disk refuses.
    """

    def __init__(self, folder: Path, about: Mapping[str, Any]) -> None:
        """Makes `folder` and writes the ``run`` line; `about` says what was asked for."""
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            raise JournalError(f"{folder} exists already: name a new folder for the run") from None
        except OSError as problem:
            raise JournalError(
                f"{folder} cannot be made ({problem.strerror}): name a folder you may write to"
            ) from None
        self.folder = folder
        self._calibrations = 0
        self._problem: Exception | None = None
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._lines = (folder / LINES).open("a", encoding="utf-8")
        self._thread = threading.Thread(target=self._work, name="journal", daemon=True)
        self._thread.start()
        self._append({"kind": "run", "version": VERSION, **about})

    def playing(self, game: str, solver: str) -> None:
        """Keeps which game was found, and the solver with all it takes to make it again."""
        self._append({"kind": "playing", "game": game, "solver": solver})

    def calibrated(self, calibration: Calibration, frame: Frame) -> int:
        """Keeps a calibration with its picture; gives its number, from 1."""
        self._calibrations += 1
        number = self._calibrations
        name = f"calibration-{number}"
        text = dump_calibration(calibration)
        self._do(lambda: (self.folder / f"{name}.toml").write_text(text, encoding="utf-8"))
        self._picture(f"{name}.png", frame.pixels)
        self._append({"kind": "calibrated", "number": number, "region": list(frame.region)})
        return number

    def turn(self, picture: str, frame: Frame, describe: Callable[[], Turn]) -> None:
        """Keeps a turn with the picture of its board; `describe` is called in the journal's thread."""
        self._picture(picture, frame.pixels)
        self._append(lambda: {"kind": "turn", **asdict(describe())})

    def answer(self, answer: Answer) -> None:
        """Keeps what other sides played."""
        self._append({"kind": "answer", **asdict(answer)})

    def note(self, text: str, **evidence: Any) -> None:
        """Keeps a remark about what happened between two turns."""
        self._append({"kind": "note", "text": text, **evidence})

    def end(self, cause: str, message: str, frame: Frame | None) -> None:
        """Keeps why the run ended: `cause` is as in a Result, or an error's name; `frame` is the last picture."""
        if frame is not None:
            self._picture("end.png", frame.pixels)
        self._append(
            {
                "kind": "end",
                "cause": cause,
                "message": message,
                "picture": None if frame is None else "end.png",
                "region": None if frame is None else list(frame.region),
            }
        )

    def close(self) -> None:
        """Waits until everything is on the disk; may be called twice."""
        if self._thread.is_alive():
            self._jobs.put(None)
            self._thread.join()
        self._lines.close()
        self._refuse()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _picture(self, name: str, pixels: Pixels) -> None:
        self._do(lambda: save_picture(self.folder / name, pixels))

    def _append(self, line: Mapping[str, Any] | Callable[[], Mapping[str, Any]]) -> None:
        def write() -> None:
            text = json.dumps(line() if callable(line) else line, separators=(",", ":"))
            self._lines.write(text + "\n")
            self._lines.flush()
            os.fsync(self._lines.fileno())

        self._do(write)

    def _do(self, job: Callable[[], object]) -> None:
        self._refuse()
        self._jobs.put(lambda: (job(), None)[1])

    def _refuse(self) -> None:
        if self._problem is not None:
            raise JournalError(f"the run cannot be kept in {self.folder}: {self._problem}") from self._problem

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            try:
                if self._problem is None:
                    job()
            except Exception as problem:  # kept, and raised in the thread that plays
                self._problem = problem


@dataclass(frozen=True, slots=True)
class Run:
    """A run as its folder holds it.

    about: the ``run`` and ``playing`` lines.  turns: in order.
    answers: of the other sides, in order.  notes: each with the number of turns before it, and its line.
    end: the ``end`` line, or None where the run was interrupted.
    regions: what each calibration's picture shows of the desktop.
    """

    folder: Path
    about: dict[str, Any]
    turns: list[Turn]
    answers: list[Answer] = field(default_factory=list)
    notes: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    end: dict[str, Any] | None = None
    regions: dict[int, Rect] = field(default_factory=dict)

    def calibration(self, number: int) -> Calibration:
        """Calibration `number`, from 1; raises JournalError."""
        try:
            return load_calibration((self.folder / f"calibration-{number}.toml").read_text(encoding="utf-8"))
        except OSError as problem:
            raise JournalError(f"{self.folder} has lost its calibration {number}: {problem.strerror}") from None

    def picture(self, name: str) -> Pixels:
        """One of the run's pictures; raises SettingsError."""
        return load_picture(self.folder / Path(name).name)

    def file(self, name: str) -> bytes:
        """One of the run's pictures as the PNG file it is; raises JournalError."""
        try:
            return (self.folder / Path(name).name).read_bytes()
        except OSError as problem:
            raise JournalError(f"{self.folder} has lost its picture {name}: {problem.strerror}") from None


def open_run(folder: Path) -> Run:
    """The run in `folder`, up to its last whole line; raises JournalError with the line at fault."""
    path = folder / LINES
    try:
        lines = path.read_text(encoding="utf-8", errors="strict").split("\n")
    except (OSError, UnicodeDecodeError) as problem:
        raise JournalError(f"{folder} is no run: {LINES} cannot be read ({problem})") from None
    whole = [_parse_line(text, f"{path}, line {number}") for number, text in enumerate(lines[:-1], 1)]
    if not whole or whole[0].get("kind") != "run":
        raise JournalError(f"{path} does not begin with a 'run' line: it is no journal")
    if whole[0].get("version") != VERSION:
        raise JournalError(f"{path} is of version {whole[0].get('version')}, this program reads version {VERSION}")
    run = Run(folder, whole[0], [])
    for number, line in enumerate(whole[1:], 2):
        run = _with_line(run, line, f"{path}, line {number}")
    return run


def _with_line(run: Run, line: dict[str, Any], where: str) -> Run:
    kind = line.pop("kind", None)
    if kind == "turn":
        run.turns.append(_parse_turn(line, where))
    elif kind == "answer":
        run.answers.append(_parse_answer(line, where))
    elif kind == "playing":
        run.about.update(line)
    elif kind == "note":
        run.notes.append((len(run.turns), line))
    elif kind == "calibrated":
        try:
            run.regions[int(line["number"])] = Rect(*map(float, line["region"]))
        except (KeyError, TypeError, ValueError):
            raise JournalError(f"{where}: a calibrated line needs a number and a region of four numbers") from None
    elif kind == "end":
        return replace(run, end=line)
    else:
        raise JournalError(f"{where}: unknown kind {kind!r}")
    return run


def _parse_answer(line: dict[str, Any], where: str) -> Answer:
    wanted = {field.name for field in fields(Answer)}
    if set(line) != wanted or not all(isinstance(line[name], list) for name in ("seats", "moves")):
        keys = ", ".join(sorted(wanted))
        raise JournalError(f"{where}: an answer has the keys {keys}; seats and moves are lists")
    return Answer(**line)


def _parse_line(text: str, where: str) -> dict[str, Any]:
    try:
        line = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise JournalError(f"{where}: no JSON ({problem})") from None
    if not isinstance(line, dict):
        raise JournalError(f"{where}: a line must be an object")
    return line


def _parse_turn(line: dict[str, Any], where: str) -> Turn:
    wanted = {field.name for field in fields(Turn)}
    if set(line) != wanted:
        odd = ", ".join(sorted(wanted ^ set(line)))
        raise JournalError(f"{where}: a turn's keys are missing or unknown: {odd}")
    try:
        clicks = [Click(str(c["target"]), Pixel(*c["pixel"]), Spot(*c["spot"])) for c in line["clicks"]]
        number, calibration = int(line["number"]), int(line["calibration"])
        shaped = {"offset": Pixel(*line["offset"]), "region": Rect(*line["region"]), "clicks": clicks}
        return Turn(**{**line, **shaped, "number": number, "calibration": calibration})
    except (KeyError, TypeError, ValueError) as problem:
        raise JournalError(f"{where}: a turn's value is malformed ({problem})") from None
