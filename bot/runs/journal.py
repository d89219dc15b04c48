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
import re
import shutil
import threading
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from bot.protocol.values import options_from
from bot.storage.files import NO_FOLLOW, read_calibration, read_file, write_text
from bot.storage.pictures import decode_picture, read_png, save_picture
from calibration.board import FARTHEST, Calibration, dump_calibration
from calibration.frame import Frame, Pixel, Pixels, Rect, Spot
from games.core import SettingsError

VERSION = 2
LINES = "journal.jsonl"

MOST_BYTES = 1 << 26
"""Bytes of a journal at most: a turn takes 3 KB, 60 KB on the largest boards and with every placement of Blokus."""

LONGEST_LINE = 1 << 22
"""Bytes of a line at most."""


class JournalError(SettingsError):
    """A run's folder cannot be read as one, or cannot be written."""


Check = Callable[[Any], bool]
"""Whether a value is what it should be."""


def is_anything(value: Any) -> bool:
    """Whatever JSON can say."""
    return True


def is_text(value: Any) -> bool:
    """A text."""
    return isinstance(value, str)


def is_name(value: Any) -> bool:
    """The name of a picture in the run's folder, or None."""
    return value is None or (isinstance(value, str) and re.fullmatch(r"[a-z]+(-[0-9]+)?\.png", value) is not None)


def is_number(value: Any, most: float = FARTHEST) -> bool:
    """A finite number of a size that can occur."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= most


def is_count(value: Any) -> bool:
    """A whole number from 0."""
    return type(value) is int and 0 <= value <= FARTHEST


def is_region(value: Any) -> bool:
    """A rectangle with an area: x, y, width, height."""
    return list_of(is_number, 4)(value) and min(value[2:]) > 0


def list_of(check: Check, length: int | None = None) -> Check:
    """A check of lists, of so many items, each of which passes `check`."""
    return lambda value: isinstance(value, list) and length in (None, len(value)) and all(map(check, value))


def _is_kind(value: Any) -> bool:
    return type(value) is int and -128 <= value <= 127


def _is_decision(value: Any) -> bool:
    """A decision as `boardsight solve` prints it."""
    if not isinstance(value, dict):
        return False
    moves = [value.get("line", []), value.get("best", [])]
    candidates = value.get("candidates", [])
    return (
        _is_scored(value, "score", "nodes", "seconds")
        and all(map(list_of(is_text), moves))
        and isinstance(candidates, list)
        and all(isinstance(each, dict) and _is_scored(each, "score", "visits") for each in candidates)
    )


def _is_scored(value: dict[str, Any], *numbers: str) -> bool:
    """Whether `value` has a move, and what it says under `numbers` is None or a number."""
    given = [value.get(name) for name in numbers]
    return is_text(value.get("move")) and all(number is None or is_number(number, 1e18) for number in given)


def _are_options(value: Any) -> bool:
    try:
        return isinstance(value, dict) and options_from(value) is not None
    except SettingsError:
        return False


def _are_milliseconds(value: Any) -> bool:
    return isinstance(value, dict) and all(map(is_number, value.values()))


def _of(check: Check) -> dict[str, Check]:
    """The metadata of a field that `check` must pass when it is read."""
    return {"check": check}


@dataclass(frozen=True, slots=True)
class Click:
    """One gesture that was made: what it meant, the pixel of the full picture, the spot of the desktop."""

    target: str = field(metadata=_of(is_text))
    pixel: Pixel = field(metadata=_of(list_of(is_number, 2)))
    spot: Spot = field(metadata=_of(list_of(is_number, 2)))


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

    number: int = field(metadata=_of(is_count))
    calibration: int = field(metadata=_of(is_count))
    picture: str = field(metadata=_of(lambda value: value is not None and is_name(value)))
    offset: Pixel = field(metadata=_of(list_of(is_number, 2)))
    region: Rect = field(metadata=_of(is_region))
    state: str = field(metadata=_of(is_text))
    options: dict[str, Any] = field(metadata=_of(_are_options))
    grid: list[list[int]] = field(metadata=_of(list_of(list_of(_is_kind))))
    confidence: list[list[float]] = field(metadata=_of(list_of(list_of(is_number))))
    decision: dict[str, Any] = field(metadata=_of(_is_decision))
    played: str = field(metadata=_of(is_text))
    clicks: list[Click] = field(metadata=_of(list_of(lambda value: isinstance(value, dict))))
    tries: int = field(metadata=_of(is_count))
    after: str = field(metadata=_of(is_text))
    outcome: str = field(metadata=_of(is_text))
    milliseconds: dict[str, float] = field(metadata=_of(_are_milliseconds))


@dataclass(frozen=True, slots=True)
class Answer:
    """What other sides played between two turns, as the board showed it.

    after: the number of the turn before, 0 for none.  seats: who made each of the `moves`, 0 for the first.
    state, follows: the positions before and after.
    """

    after: int = field(metadata=_of(is_count))
    seats: list[int] = field(metadata=_of(list_of(is_count)))
    moves: list[str] = field(metadata=_of(list_of(is_text)))
    state: str = field(metadata=_of(is_text))
    follows: str = field(metadata=_of(is_text))


class JournalWriter:
    """Writes a run; pictures are compressed in a thread of its own, in order, off the turn's time.

    Raises JournalError from the next call, or from `close`, when the disk refuses.
    """

    def __init__(self, folder: Path, about: Mapping[str, Any]) -> None:
        """Makes `folder` and writes the ``run`` line; `about` says what was asked for."""
        _begin(folder, {"kind": "run", "version": VERSION, **about})
        self.folder = folder
        self._calibrations = 0
        self._problem: Exception | None = None
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        flags = os.O_WRONLY | os.O_APPEND | NO_FOLLOW
        self._lines = open(os.open(folder / LINES, flags), "a", encoding="utf-8")  # noqa: SIM115
        self._thread = threading.Thread(target=self._work, name="journal", daemon=True)
        self._thread.start()

    def playing(self, game: str, solver: str) -> None:
        """Keeps which game was found, and the solver with all it takes to make it again."""
        self._append({"kind": "playing", "game": game, "solver": solver})

    def calibrated(self, calibration: Calibration, frame: Frame) -> int:
        """Keeps a calibration with its picture; gives its number, from 1."""
        self._calibrations += 1
        number = self._calibrations
        name = f"calibration-{number}"
        text = dump_calibration(calibration)
        self._do(lambda: write_text(self.folder / f"{name}.toml", text, synced=True))
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

    def flush(self) -> None:
        """Waits until all that was kept so far is on the disk: the loop does before each click; raises JournalError."""
        written = threading.Event()
        self._do(written.set)
        while not written.wait(0.05):
            self._refuse()

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
        self._do(lambda: save_picture(self.folder / name, pixels, synced=True))

    def _append(self, line: Mapping[str, Any] | Callable[[], Mapping[str, Any]]) -> None:
        def write() -> None:
            self._lines.write(_text_of(line() if callable(line) else line))
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


def _begin(folder: Path, line: Mapping[str, Any]) -> None:
    """Make the run's folder, which is there only with its first line: a kill leaves a journal or nothing."""
    unborn = folder.with_name(f".{folder.name}.{os.getpid()}")
    try:
        unborn.mkdir(parents=True)
        write_text(unborn / LINES, _text_of(line), synced=True)
        if folder.exists():
            raise FileExistsError(folder)
        unborn.rename(folder)
    except (OSError, SettingsError) as problem:
        shutil.rmtree(unborn, ignore_errors=True)
        if isinstance(problem, FileExistsError):
            raise JournalError(f"{folder} exists already: name a new folder for the run") from None
        reason = getattr(problem, "strerror", None) or problem
        raise JournalError(f"{folder} cannot be made ({reason}): name a folder you may write to") from None


def _text_of(line: Mapping[str, Any]) -> str:
    return json.dumps(line, separators=(",", ":")) + "\n"


@dataclass(frozen=True, slots=True)
class SavedRun:
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

    def stated(self, key: str) -> str:
        """The "game" or "solver" of the ``playing`` line; raises JournalError where there is none."""
        if key not in self.about:
            raise JournalError(f"{self.folder} does not say which {key} was played: its journal lacks that line")
        return str(self.about[key])

    def calibration(self, number: int) -> Calibration:
        """Calibration `number`, from 1; raises JournalError."""
        try:
            return read_calibration(self.folder / f"calibration-{number}.toml", links=False)
        except SettingsError as problem:
            raise JournalError(f"{self.folder} has lost its calibration {number}: {problem}") from None

    def picture(self, name: str) -> Pixels:
        """One of the run's pictures; raises SettingsError."""
        return decode_picture(self.file(name), str(self.folder / Path(name).name))

    def file(self, name: str) -> bytes:
        """One of the run's pictures as the PNG file it is; raises JournalError for a link and for what is no PNG."""
        try:
            return read_png(self.folder / Path(name).name)
        except SettingsError as problem:
            raise JournalError(f"{self.folder} has lost its picture {name}: {problem}") from None


def open_run(folder: Path) -> SavedRun:
    """The run in `folder`, up to its last whole line; raises JournalError with the line at fault."""
    path = folder / LINES
    try:
        data = read_file(path, most=MOST_BYTES, what="a journal", links=False)
    except SettingsError as problem:
        raise JournalError(f"{folder} is no run: {problem}") from None
    return parse_run(data, folder)


def parse_run(data: bytes, folder: Path) -> SavedRun:
    """The run that the lines in `data` tell of, as `open_run` gives it; what stands after the last line's end is cut.

    Raises JournalError.
    """
    path, run = folder / LINES, None
    for number, text in enumerate(data.split(b"\n")[:-1], 1):
        where = f"{path}, line {number}"
        line = parse_line(text, where)
        if run is not None:
            run = _with_line(run, line, where)
        elif line.get("kind") != "run":
            break
        elif line.get("version") != VERSION:
            raise JournalError(f"{path} is of version {line.get('version')}, this program reads version {VERSION}")
        else:
            run = SavedRun(folder, line, [])
    if run is None:
        raise JournalError(f"{path} does not begin with a 'run' line: it is no journal")
    return run


def parse_line(text: bytes, where: str) -> dict[str, Any]:
    """The JSON object in a line of a journal, "?" for half a character; raises JournalError that says `where` it is."""
    if len(text) > LONGEST_LINE:
        raise JournalError(f"{where}: it has {len(text)} bytes, a turn at most {LONGEST_LINE}")
    try:
        line = json.loads(text.decode("utf-8"))
        if b"\\ud" in text.lower():  # half a character, such as of a file's name that is no UTF-8: no page can hold it
            line = json.loads(json.dumps(line, ensure_ascii=False).encode("utf-8", "replace"))
    except (ValueError, RecursionError) as problem:
        raise JournalError(f"{where}: no JSON ({problem})") from None
    if not isinstance(line, dict):
        raise JournalError(f"{where}: a line must be an object")
    return line


def _with_line(run: SavedRun, line: dict[str, Any], where: str) -> SavedRun:
    """`run` with what one of its lines tells; raises JournalError with the key at fault."""
    kind = line.pop("kind", None)
    try:
        if kind == "turn":
            run.turns.append(parse_turn(line))
        elif kind == "answer":
            run.answers.append(Answer(**_keys(line, **_checks(Answer))))
        elif kind == "playing":
            run.about.update(_keys(line, game=is_text, solver=is_text))
        elif kind == "note":
            run.notes.append((len(run.turns), line))
        elif kind == "calibrated":
            number, region = _keys(line, number=is_count, region=is_region).values()
            run.regions[number] = Rect(*region)
        elif kind == "end":
            return replace(run, end=_keys(line, cause=is_text, message=is_text, picture=is_name, region=is_anything))
        else:
            raise JournalError("of no kind that is known")
    except JournalError as problem:
        raise JournalError(f"{where}, {repr(kind)[:40]}: {problem}") from None
    return run


def parse_turn(line: dict[str, Any]) -> Turn:
    """The turn that a line tells, without its kind; raises JournalError with the key at fault."""
    turn = _keys(line, **_checks(Turn))
    grid, confidence = turn["grid"], turn["confidence"]
    if not grid or {len(row) for row in [*grid, *confidence]} != {len(grid[0])} or len(grid) != len(confidence):
        raise JournalError("a turn's grid and confidence must have rows of the same length, as many of both")
    clicks = [_keys(click, **_checks(Click)) for click in turn["clicks"]]
    turn["clicks"] = [Click(each["target"], Pixel(*each["pixel"]), Spot(*each["spot"])) for each in clicks]
    return Turn(**{**turn, "offset": Pixel(*turn["offset"]), "region": Rect(*turn["region"])})


def _checks(kind: type) -> dict[str, Check]:
    """What each field of a Turn, Click or Answer must be when it is read."""
    return {each.name: each.metadata["check"] for each in fields(kind)}


def _keys(line: object, **wanted: Check) -> dict[str, Any]:
    """`line` with exactly the keys `wanted`, each of which passes its check; raises JournalError that names the key."""
    if not isinstance(line, dict) or set(line) != set(wanted):
        odd = set(wanted) ^ set(line) if isinstance(line, dict) else set(wanted)
        raise JournalError(f"keys are missing or unknown: {', '.join(sorted(odd))[:200]}")
    for name, check in wanted.items():
        if not check(line[name]):
            raise JournalError(f"{name} cannot be {repr(line[name])[:60]}: the line was not written by Boardsight")
    return {name: line[name] for name in wanted}
