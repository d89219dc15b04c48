"""A saved run walked again offline, with today's code: where does today's reading or decision differ?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.protocol.answer import describe
from bot.protocol.values import options_from
from bot.runs.journal import JournalError, SavedRun, Turn
from bot.settings import Settings, checked
from calibration.board import Calibration
from calibration.frame import Frame
from calibration.locate import BoardNotFoundError, locate
from calibration.looks import reader_of
from games import find_game
from games.core import BoardsightError, Cell
from solvers import LIGHT, files_named, find_solver
from solvers.core import Limit, Solver

NEAR = 0.3
"""Two lattices are the same when every centre lies within this share of a pitch: a click hits the same cell."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that today's code sees or decides otherwise than the run did.

    turn: its number, or 0 for a calibration.  what: "calibration", "reading" or "decision".
    """

    turn: int
    what: str
    then: str
    now: str

    def __str__(self) -> str:
        where = f"turn {self.turn}" if self.turn else "calibration"
        return f"{where}: {self.what} was {self.then}, is now {self.now}"


def replay(run: SavedRun, solver: str = "") -> Iterator[tuple[str, list[Difference]]]:
    """For each calibration and each turn of `run`: a line that names it, and its differences.

    solver: which decides now, the run's own by default.
    Raises JournalError where the run has lost a picture or a calibration that a turn needs, and where its own solver
    names files: the run may be a stranger's.
    """
    decider = _decider(run, solver) if run.turns else None
    for number, region in run.regions.items():
        then = run.calibration(number)
        frame = Frame(run.picture(f"calibration-{number}.png"), region)
        yield f"calibration {number}", _calibration_differences(then, frame)
    for turn in run.turns:
        assert decider is not None
        yield f"turn {turn.number}: {turn.played}", [*_differences(run, turn, decider)]


def _decider(run: SavedRun, solver: str) -> Solver:
    named = [] if solver else files_named(run.stated("solver"))
    if named:
        raise JournalError(
            f"the solver of {run.folder} names a file ({', '.join(named)}), which a run may not: if you trust it, say "
            f"--solver {run.stated('solver')!r}"
        )
    return find_solver(solver or run.stated("solver"), run.stated("game"))


def _calibration_differences(then: Calibration, frame: Frame) -> list[Difference]:
    try:
        now = locate(frame, then.game)
    except BoardNotFoundError as missing:
        return [Difference(0, "board", _size(then), f"not found ({missing})")]
    if (now.lattice.rows, now.lattice.cols) != (then.lattice.rows, then.lattice.cols):
        return [Difference(0, "board", _size(then), _size(now))]
    for corner in (Cell(0, 0), Cell(then.lattice.rows - 1, then.lattice.cols - 1)):
        old, new = then.lattice.centre(corner), now.lattice.centre(corner)
        across, down = then.lattice.pitch
        if abs(old.x - new.x) > NEAR * across or abs(old.y - new.y) > NEAR * down:
            places = (f"({at.x:.0f}, {at.y:.0f})" for at in (old, new))
            return [Difference(0, f"centre of row {corner.row}, col {corner.col}", *places)]
    if len(now.palette) != len(then.palette):
        return [Difference(0, "number of colours", str(len(then.palette)), str(len(now.palette)))]
    return []


def _size(calibration: Calibration) -> str:
    return f"{calibration.lattice.rows}x{calibration.lattice.cols}"


def _differences(run: SavedRun, turn: Turn, solver: Solver) -> Iterator[Difference]:
    game = find_game(run.stated("game"))
    before = game.parse(turn.state, options_from(turn.options))
    reader = reader_of(run.calibration(turn.calibration), offset=turn.offset)
    observation = reader.read(Frame(run.picture(turn.picture), turn.region))
    try:
        seen = game.format(game.read(observation, before))
    except BoardsightError as unreadable:
        yield Difference(turn.number, "reading", turn.state, f"unreadable ({unreadable})")
    else:
        if seen != turn.state:
            yield Difference(turn.number, "reading", turn.state, seen)
    if turn.decision.get("solver") == LIGHT:
        solver = find_solver(LIGHT, game.name)  # it played while the run's own was being compiled
    decision = describe(game, before, solver.decide(before, _limit(run)))
    if decision["move"] != turn.decision["move"]:
        then, now = (f"{d['move']} (score {d.get('score')})" for d in (turn.decision, decision))
        yield Difference(turn.number, "decision", then, now)


def _limit(run: SavedRun) -> Limit:
    settings = run.about.get("settings", {})
    given = settings if isinstance(settings, dict) else {}
    limits = {name: given[name] for name in ("seconds", "nodes", "depth") if name in given}
    return Settings(**checked(limits, f"the settings in {run.folder}")).search_limit
