"""Another program as a solver: a process that speaks the line protocol of `boardsight engine`."""

from __future__ import annotations

import json
import queue
import shlex
import subprocess
import tempfile
import threading
from contextlib import suppress
from dataclasses import asdict
from types import TracebackType
from typing import Any, Self

from games.core import BoardsightError, Game, IllegalMoveError, Options, PositionError
from solvers.core import Decision, Limit, Progress

PATIENCE = 120.0
"""Wall seconds an answer may take beyond five times the CPU seconds it was given: the first may have to compile."""

FAREWELL = 5.0
"""Wall seconds a process is given to end by itself."""


class EngineError(BoardsightError):
    """The other program ended, hangs, or answered what is no answer."""


class EngineProcess:
    """A Solver that asks a process; end it with `close` or a ``with`` block."""

    def __init__(self, command: str, game: Game[Any, Any], *, patience: float = PATIENCE) -> None:
        self.command = command
        self._game = game
        self._patience = patience
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  (closed by `close`)
        self._options = Options()
        try:
            self._process = subprocess.Popen(
                shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors
            )
        except (OSError, ValueError, IndexError) as error:
            self._errors.close()
            raise EngineError(f"cannot start the engine {command!r}: {error}") from error
        self._answers: queue.Queue[bytes] = queue.Queue()
        self._reader = threading.Thread(target=self._read, name="engine answers", daemon=True)
        self._reader.start()

    def decide(self, state: Any, limit: Limit = Limit(), *, progress: Progress | None = None) -> Decision:
        """What the other program plays in `state`.

        Raises ValueError when the game is over, IllegalMoveError for a move that is none, EngineError otherwise.
        """
        if state.outcome() is not None:
            raise ValueError("the game is over: there is no move to choose")
        options = self._game.options(state)
        if options != self._options:
            self._ask({"cmd": "new", **_set(options)})
            self._options = options
        self._ask({"cmd": "position", "text": self._game.format(state)})
        answer = self._ask({"cmd": "go", **_set(limit)}, patience=self._patience + 5 * (limit.seconds or 0))
        return self._decision(answer, state)

    def close(self) -> None:
        """Ask the process to end, and end it where it does not; may be called twice."""
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(OSError, ValueError):  # it has ended already, or was closed before
            process.stdin.write(b'{"cmd": "quit"}\n')
            process.stdin.close()
        try:
            process.wait(FAREWELL)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        self._reader.join()
        process.stdout.close()
        self._errors.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _read(self) -> None:
        """Hand over each line the process prints, and an empty one at its end."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._answers.put(line)
        self._answers.put(b"")

    def _ask(self, command: dict[str, Any], *, patience: float | None = None) -> dict[str, Any]:
        """The answer to one command; raises EngineError."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(command).encode() + b"\n")
            self._process.stdin.flush()
            line = self._answers.get(timeout=self._patience if patience is None else patience)
        except (OSError, ValueError) as error:
            raise self._fault("takes no commands any more") from error
        except queue.Empty:
            raise self._fault(f"gave no answer to {command} in time") from None
        if not line:
            raise self._fault("ended")
        try:
            answer = json.loads(line)
        except ValueError:
            answer = None
        if not isinstance(answer, dict) or answer.get("ok") is not True:
            raise self._fault(f"answered {line[:200]!r} to {command}")
        return answer

    def _fault(self, what: str) -> EngineError:
        """What happened, with the last the process said on its standard error."""
        self._errors.seek(0)
        said = self._errors.read().decode(errors="replace").strip().splitlines()
        return EngineError(f"the engine {self.command!r} {what}" + (f"; it said: {said[-1]}" if said else ""))

    def _decision(self, answer: dict[str, Any], state: Any) -> Decision:
        text, score = answer.get("move"), answer.get("score")
        try:
            move = self._game.parse_move(str(text), state)
        except (PositionError, IllegalMoveError) as error:
            raise IllegalMoveError(f"the engine {self.command!r} plays {text!r}: {error}") from error
        return Decision(
            move,
            score=score,
            proven=answer.get("proven") is True,
            line=(move,),
            nodes=answer.get("nodes") or 0,
            seconds=answer.get("seconds") or 0.0,
        )


def _set(fields: Any) -> dict[str, Any]:
    """The fields of a dataclass that are not None."""
    return {name: value for name, value in asdict(fields).items() if value is not None}
