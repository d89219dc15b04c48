"""How a run went."""

from __future__ import annotations

from dataclasses import dataclass, field

from games.core import Outcome


@dataclass(frozen=True, slots=True)
class RunResult:
    """How a run went.

    cause: "won", "lost", "drawn", or "asked" (a limit the user set was reached).
    outcome: the game's, if it ended.  seat: the one played, 0 for the first.  moves: confirmed own ones.
    answers: moves of the other sides that were seen.  retries: clicks that had to be made again.
    misreads: looks that no legal move explained after the picture was still.  recalibrations: times the board was
    found anew.  overhead: per turn, milliseconds that were neither the solver's nor the game's repaint nor an asked-for
    delay.
    """

    cause: str
    message: str
    outcome: Outcome | None = None
    seat: int = 0
    moves: int = 0
    answers: int = 0
    retries: int = 0
    misreads: int = 0
    recalibrations: int = 0
    seconds: float = 0.0
    overhead: tuple[float, ...] = ()


@dataclass(slots=True)
class RunCounts:
    """What a RunResult counts, while the game is played."""

    moves: int = 0
    answers: int = 0
    recalibrations: int = 0
    overhead: list[float] = field(default_factory=list)
