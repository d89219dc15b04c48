"""A run: the folder in which one player is learned, with all it takes to go on where it stopped, and to make it again.

``run.toml`` holds what was asked for, ``log.jsonl`` and the TensorBoard files what was measured on the way,
``curve.png`` the same as a picture, ``checkpoint.pt`` the latest state, ``model.*`` the player and ``model.toml`` its
card; ``checkpoints`` holds the players of checkpoints that were played before.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import tomli_w

from games.core import Options, SettingsError
from solvers.learned.card import Card, write_card

if TYPE_CHECKING:
    from torch.utils.tensorboard import SummaryWriter

SAVE_SECONDS = 60.0
"""Between two checkpoints, so that a stopped run loses at most a minute."""

COLUMNS = 3
"""Panels side by side."""

FIGURES_SHOWN = 4
"""Figures that are told beside how far the run is."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run is to do.

    game, board: what is learned.  method, settings: how, as `solvers.training.methods` knows it.
    seed: of all chance.  budget: in the method's own unit (episodes, positions, steps), None for its usual one.
    command: what a person would type to do it again.
    """

    game: str
    method: str
    seed: int = 0
    budget: int | None = None
    board: Options = field(default=Options())
    settings: tuple[str, ...] = ()
    command: str = ""


@dataclass(frozen=True, slots=True)
class Course:
    """How far a run goes: so many `unit`s, of which `done` had been at the time `began`, in seconds."""

    total: int
    done: int
    unit: str
    began: float

    def at(self, step: int, now: float) -> str:
        """Where the run stands, and how long the rest will take at its pace so far.

        >>> Course(1_000, 0, "games", 0.0).at(250, 40.0)
        '250 of 1,000 games, 2 min left'
        """
        stands = f"{step:,} of {self.total:,} {self.unit}"
        if step <= self.done:
            return stands
        left = (now - self.began) * (self.total - step) / (step - self.done)
        return f"{stands}, {f'{left / 60:.0f} min' if left >= 100 else f'{left:.0f} s'} left"


class TrainingRun:
    """The folder of a run and what is written there; made new, or opened again to go on.

    out: the folder of the player that it leaves, the run's own if None.
    tell: gets a line on how far the run is, again and again.
    workers: who does the work, see `solvers.training.cluster.workers_for`; what is learned does not depend on it.
    Raises SettingsError where the folder holds another plan, or something else.
    """

    def __init__(
        self,
        folder: Path,
        plan: Plan,
        *,
        resume: bool = False,
        out: Path | None = None,
        tell: Callable[[str], None] | None = None,
        threads: int | None = None,
        workers: str = "",
    ) -> None:
        import torch

        torch.manual_seed(plan.seed)
        if threads is not None:
            torch.set_num_threads(threads)
        self.folder, self.plan, self.workers, self._tell = folder, plan, workers, tell
        self.out = out or folder
        self.rng = np.random.default_rng(plan.seed)
        self._saved = self._logged = time.monotonic()
        self._before = 0.0
        self._started = time.process_time()
        self._writer: SummaryWriter | None = None
        self._course: Course | None = None
        self._figures: dict[str, float] = {}
        self._prepare(resume)

    @property
    def resuming(self) -> bool:
        """Whether there is a checkpoint to go on from."""
        return self._checkpoint.is_file()

    @property
    def seconds(self) -> float:
        """CPU seconds spent so far, those before the last stop included."""
        return self._before + time.process_time() - self._started

    @property
    def _checkpoint(self) -> Path:
        return self.folder / "checkpoint.pt"

    def path(self, name: str) -> Path:
        """A file of the run."""
        return self.folder / name

    @contextmanager
    def progress(self, total: int, done: int, unit: str) -> Iterator[TrainingRun]:
        """Tells how far the run is while it lasts; `log` and `advance` move it."""
        self._course = Course(total, done, unit, time.monotonic())
        self.advance(done)
        try:
            yield self
        finally:
            self._course = None
            if self._writer is not None:
                self._writer.close()
                self._writer = None

    def advance(self, step: int) -> None:
        """Tell that the run is at a step, with the first of the figures that were logged last."""
        if self._course is not None and self._tell is not None:
            shown = ", ".join(f"{key} {value:.4g}" for key, value in [*self._figures.items()][:FIGURES_SHOWN])
            self._tell(f"{self._course.at(step, time.monotonic())}{'; ' * bool(shown)}{shown}")

    def log(self, step: int, **figures: float) -> None:
        """Note figures at a step: in the log, for TensorBoard, and the first few in what is told."""
        line = {"step": step, "seconds": round(self.seconds, 3)} | {key: float(figures[key]) for key in figures}
        with self.path("log.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        for key, value in figures.items():
            self._board_writer().add_scalar(key, float(value), step)
        self._figures = figures
        self.advance(step)

    def due(self) -> bool:
        """Whether it is time for a checkpoint."""
        return time.monotonic() - self._saved >= SAVE_SECONDS

    def save(self, **state: Any) -> None:
        """Keep a checkpoint: tensors, numbers, texts, lists and dictionaries of them; chance is kept by itself.

        A run that is stopped while it writes keeps the one before.
        """
        import torch

        chance = {"numpy": self.rng.bit_generator.state, "torch": torch.get_rng_state()}
        if torch.cuda.is_available():
            chance["cuda"] = torch.cuda.get_rng_state_all()
        fresh = self._checkpoint.with_suffix(".new")
        torch.save({"state": state, "chance": chance, "seconds": self.seconds}, fresh)
        os.replace(fresh, self._checkpoint)
        self._saved = time.monotonic()

    def load(self) -> dict[str, Any]:
        """The latest checkpoint's state; chance goes on from there.  Nothing in it can run code."""
        import torch

        kept = torch.load(self._checkpoint, map_location="cpu", weights_only=True)
        self.rng.bit_generator.state = kept["chance"]["numpy"]
        torch.set_rng_state(kept["chance"]["torch"])
        if "cuda" in kept["chance"] and torch.cuda.is_available():
            torch.cuda.set_rng_state_all(kept["chance"]["cuda"])
        self._before, self._started = float(kept["seconds"]), time.process_time()
        state: dict[str, Any] = kept["state"]
        return state

    def finish(self, weights: str, *, encoder: str = "", budget: str, note: str = "") -> Path:
        """Write the card beside the weights, and the learning curve of a whole run; returns the card's path."""
        plan, path = self.plan, self.out / "model.toml"
        beside = ", those of its workers not counted" if self.workers else ""
        card = Card(
            name=self.folder.name,
            game=plan.game,
            board=plan.board,
            method=plan.method,
            encoder=encoder,
            weights=weights,
            sha256="",
            commit=_commit(),
            command=plan.command,
            seed=plan.seed,
            budget=f"{budget}; {self.seconds / 60:.1f} minutes of CPU{beside}",
            hardware=hardware(),
            note=note,
        )
        write_card(card, path)
        if self.out == self.folder:
            self.draw()
        return path

    def draw(self) -> None:
        """Draw what was logged into ``curve.png``, one panel a figure."""
        draw_curves(self.records(), self.path("curve.png"), title=f"{self.plan.game}: {self.plan.method}")

    def records(self) -> list[dict[str, float]]:
        """What was logged, in order; of a step that was done again after a stop, the last."""
        if not self.path("log.jsonl").is_file():
            return []
        lines = self.path("log.jsonl").read_text(encoding="utf-8").splitlines()
        found: dict[float, dict[str, float]] = {}
        for line in lines:
            if line.endswith("}"):  # the last one may have been cut off
                record = json.loads(line)
                found[record["step"]] = found.pop(record["step"], {}) | record
        return sorted(found.values(), key=lambda record: record["step"])

    def _board_writer(self) -> Any:
        if self._writer is None:
            from torch.utils.tensorboard import SummaryWriter

            self._writer = SummaryWriter(str(self.folder / "tensorboard"))
        return self._writer

    def _prepare(self, resume: bool) -> None:
        """Makes the folder, or opens it again; raises SettingsError where it holds another plan, or something else."""
        asked = _plan_values(self.plan)
        stored = self.folder / "run.toml"
        if stored.is_file():
            kept = tomllib.loads(stored.read_text(encoding="utf-8"))
            differing = [key for key in asked | kept if asked.get(key) != kept.get(key) and key != "command"]
            if not resume:
                raise SettingsError(f"{self.folder} holds a run already: go on with --resume, or choose another --out")
            if differing:
                raise SettingsError(
                    f"{self.folder} was begun with another {', '.join(differing)}: leave that as it was"
                )
        elif self.folder.exists() and any(self.folder.iterdir()):
            raise SettingsError(f"{self.folder} is not empty and holds no run: choose another --out")
        else:
            self.folder.mkdir(parents=True, exist_ok=True)
            stored.write_text(tomli_w.dumps(asked), encoding="utf-8")


def read_plan(folder: Path) -> Plan:
    """What the run in `folder` was asked to do; raises SettingsError where there is no run."""
    stored = folder / "run.toml"
    try:
        values = tomllib.loads(stored.read_text(encoding="utf-8"))
        board, settings = Options(**values.pop("board", {})), tuple(values.pop("settings", ()))
        return Plan(**values, board=board, settings=settings)
    except (OSError, ValueError, TypeError) as error:
        raise SettingsError(f"{folder} holds no run: {error}") from error


def _plan_values(plan: Plan) -> dict[str, Any]:
    values: dict[str, Any] = {each.name: getattr(plan, each.name) for each in fields(plan)}
    values["board"] = {key: value for key, value in asdict(plan.board).items() if value is not None}
    values["settings"] = list(plan.settings)
    return {key: value for key, value in values.items() if value is not None}


def draw_curves(records: Sequence[dict[str, float]], path: Path, *, title: str) -> None:
    """Draw a panel for each figure of `records` into a PNG; nothing where there are none."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    names = list(dict.fromkeys(name for record in records for name in record if name not in ("step", "seconds")))
    if not names:
        return
    rows, columns = -(-len(names) // COLUMNS), min(COLUMNS, len(names))
    width, height = 4.2 * columns, 2.8 * rows  # inches
    figure = Figure(figsize=(width, height))
    figure.subplots_adjust(  # to be found out by matplotlib it would take three times as long
        0.8 / width, 0.4 / height, 1 - 0.2 / width, 1 - 0.7 / height, wspace=0.3, hspace=0.35
    )
    FigureCanvasAgg(figure)
    figure.suptitle(title)
    for number, name in enumerate(names, start=1):
        panel = figure.add_subplot(rows, columns, number)
        points = [(record["step"], record[name]) for record in records if name in record]
        panel.plot(*zip(*points, strict=True), marker="." if len(points) < 30 else "")
        panel.set_title(name)
        panel.grid(alpha=0.3)
    figure.savefig(path, dpi=110)


def hardware() -> str:
    """The processor and the GPU, in words."""
    import torch

    names = [f"{os.cpu_count()} cores, {_processor()}"]
    if torch.cuda.is_available():
        names.append(torch.cuda.get_device_name(0))
    return "; ".join(names)


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def _commit() -> str:
    """The commit of this code, with a ``+`` where files differ from it; "" where git does not know."""
    here = Path(__file__).parent
    try:
        found = subprocess.run(
            ["git", "describe", "--always", "--abbrev=12", "--dirty=+", "--exclude=*"],
            cwd=here,
            capture_output=True,
            text=True,
            check=True,
            timeout=10,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return found.stdout.strip()
