"""Players of trainings that have not ended: each is made of the latest checkpoint when it is first asked for a move.

That takes torch and some seconds, so a process of its own does it: neither its memory nor its work is the server's.
"""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bot.storage.files import written_at
from games.core import SettingsError
from solvers.core import Decision, Limit, Progress

CHECKPOINT, PLAYERS, CARD = "checkpoint.pt", "checkpoints", "model.toml"
"""In the folder of a training: its latest state, and the folder of players made of such states, each with a card."""

KEEPS = 600.0
"""Seconds for which a player plays on though there is a newer checkpoint: there is one a minute."""

LONGEST = 300.0
"""Seconds that making a player may take; a small network takes 3 of CPU, most of them to load torch."""

_ONE_AT_A_TIME = threading.Lock()


def is_kept(run: Path) -> bool:
    """Whether the training in a folder has kept a checkpoint, in a file that is no link."""
    return not run.is_symlink() and written_at(run / CHECKPOINT) > 0


@dataclass(frozen=True)
class CheckpointPlayer:
    """Plays `game` as the latest checkpoint in the folder `run` does; raises SettingsError where none can be made."""

    game: str
    run: Path

    def __post_init__(self) -> None:
        if find_spec("torch") is None and _latest(self.run) is None:
            raise SettingsError(
                f"{self.run.name} has left a checkpoint, of which a player is made with torch: install it with: "
                f"pip install 'boardsight[train]', or run where it learns: boardsight models export {self.run}"
            )

    def decide(self, state: Any, limit: Limit = Limit(), *, progress: Progress | None = None) -> Decision:
        """The move that the checkpoint's player likes best; raises what that player raises."""
        from solvers.learned.player import player_for

        return player_for(self.game, str(self._player())).decide(state, limit, progress=progress)

    def _player(self) -> Path:
        """The folder of its player, which is made first where there is none, or an old one."""
        made = self._made_before()
        if made is not None:
            return made
        with _ONE_AT_A_TIME:
            return self._made_before() or _make(self.run)

    def _made_before(self) -> Path | None:
        latest = _latest(self.run)
        if latest is None or find_spec("torch") is None:
            return latest
        is_old = latest.name != _time_of(self.run) and time.time() - written_at(latest / CARD) > KEEPS
        return None if is_old else latest


def _latest(run: Path) -> Path | None:
    folder = run / PLAYERS
    found = [] if folder.is_symlink() else [path for path in folder.glob("*") if path.name.isdecimal()]
    whole = [path for path in found if not path.is_symlink() and written_at(path / CARD)]
    return max(whole, key=lambda path: int(path.name), default=None)


def _time_of(run: Path) -> str:
    """When the checkpoint was kept, in milliseconds since 1970: what the folder of its player is called."""
    return str(round(1000 * written_at(run / CHECKPOINT)))


def _make(run: Path) -> Path:
    """Have the player of the latest checkpoint made; returns its folder."""
    out = run / PLAYERS / _time_of(run)
    if out.parent.is_symlink():
        raise SettingsError(f"{out.parent} is a link, which is not followed: take it away")
    fresh = out.with_suffix(".new")
    command = [sys.executable, "-m", "boardsight", "models", "export", str(run), "--out", str(fresh)]
    try:
        done = subprocess.run(
            command, check=False, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LONGEST
        )
        if done.returncode:
            reason = (done.stderr.strip().splitlines() or ["it says nothing"])[-1]
            raise SettingsError(f"no player could be made of the checkpoint of {run.name}: {reason}")
        fresh.rename(out)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SettingsError(f"no player could be made of the checkpoint of {run.name}: {error}") from error
    return out
