"""What became of a game in which things went wrong: how it ended, whether that was right, what its journal holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.faults.plans import KINDS
from bot.runs.journal import SavedRun

FINISHED = ("won", "lost", "drawn", "asked")
"""The causes of a game that was played to its end, or as far as it was to be."""


@dataclass(frozen=True)
class JudgedGame:
    """What became of one game.

    happened: the kinds of faults that took place.  ended: the result's cause, or the error's name; "crash: ..." for an
    error that is none of ours.  right: whether that was the right end after what happened.  offences: of clicks and
    moves.  kept: whether the journal tells the cause and the last picture.
    """

    name: str
    seed: int
    happened: tuple[str, ...]
    ended: str
    message: str
    right: bool
    offences: tuple[str, ...]
    kept: bool

    @property
    def finished(self) -> bool:
        """Whether the game was played to its end, or as far as it was to be."""
        return self.ended in FINISHED

    @property
    def passing(self) -> bool:
        """Whether nothing happened that a game does not survive."""
        return all(KINDS[kind].passes for kind in self.happened)

    @property
    def flawed(self) -> bool:
        """Whether anything about it has to be looked into."""
        return bool(self.offences) or not self.right or (self.passing and not self.finished)

    def told(self, *details: str) -> Iterator[str]:
        """What has to be looked into, in lines; details: what else is known of it."""
        yield f"{self.name} {self.seed}: {self.ended} after {', '.join(self.happened) or 'nothing'}"
        yield f"    {'; '.join([*details, self.message[:160]])}"
        yield from (f"    {offence}" for offence in self.offences[:4])


def keeps(run: SavedRun, *, seen: bool = True) -> bool:
    """Whether the journal of a run tells the cause of its end and, where anything was `seen`, the last picture."""
    return run.end is not None and bool(run.end["message"]) and (not seen or run.end["picture"] is not None)
