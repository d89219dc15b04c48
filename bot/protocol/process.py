"""Another program as a solver: a process that speaks the line protocol of `boardsight engine`."""

from __future__ import annotations

import json
import math
import os
import queue
import shlex
import shutil
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from bot.protocol.lines import bounded_lines
from bot.protocol.values import MOST, values_of
from games.core import BoardsightError, Game, IllegalMoveError, Options, PositionError
from solvers.core import Decision, Limit, Progress

PATIENCE = 120.0
"""Wall seconds an answer may take beyond five times the CPU seconds it was given: the first may have to compile."""

FAREWELL = 5.0
"""Wall seconds a process is given to end by itself."""

LONGEST_ANSWER = 1 << 22
"""Bytes of an answer at most: one with every placement of a Blokus board takes 100 KB."""

UNASKED = 8
"""Lines that are held of a process that says more than it was asked; the rest stays in the pipe."""

LAST_WORDS = 4_096
"""Bytes of its standard error that are held, the latest ones."""

LEASH = Path(__file__).with_name("leash.py")


class EngineError(BoardsightError):
    """The other program ended, hangs, or answered what is no answer."""


class EngineProcess:
    """A Solver that asks a process; end it with `close` or a ``with`` block.

    The process has a group of its own, which ends with this program however that ends. What it writes to either
    stream is held up to a bound. One that gives no answer in time is ended.
    """

    def __init__(self, command: str, game: Game[Any, Any], *, patience: float = PATIENCE) -> None:
        self.command = command
        self._game = game
        self._patience = patience
        self._options = Options()
        self._errors = b""
        self._process, self._lease = _start(command)
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._answers: queue.Queue[bytes] = queue.Queue(UNASKED)
        self._readers = [
            threading.Thread(target=self._read, args=(self._process.stdout,), name="engine answers", daemon=True),
            threading.Thread(target=self._hear, args=(self._process.stderr,), name="engine errors", daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def decide(self, state: Any, limit: Limit = Limit(), *, progress: Progress | None = None) -> Decision:
        """What the other program plays in `state`.

        Raises ValueError when the game is over, IllegalMoveError for a move that is none, EngineError otherwise.
        """
        if state.outcome() is not None:
            raise ValueError("the game is over: there is no move to choose")
        options = self._game.options(state)
        if options != self._options:
            self._ask({"cmd": "new", **values_of(options)})
            self._options = options
        self._ask({"cmd": "position", "text": self._game.format(state)})
        answer = self._ask({"cmd": "go", **values_of(limit)}, patience=self._patience + 5 * (limit.seconds or 0))
        return decision_in(answer, self._game, state, self.command)

    def close(self) -> None:
        """Ask the process to end, and end it where it does not; may be called twice."""
        process = self._process
        assert process.stdin is not None
        with suppress(OSError, ValueError):  # it has ended already, or was closed before
            process.stdin.write(b'{"cmd": "quit"}\n')
            process.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            process.wait(FAREWELL)
        self._end()

    def _end(self) -> None:
        """Ends the process and its group, whatever they do; may be called twice."""
        self._lease.close()
        with suppress(OSError):
            if os.name == "posix":
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        self._process.wait()
        for reader in self._readers:
            while reader.is_alive():
                with suppress(queue.Empty):  # make room for what it still has to hand over
                    self._answers.get(timeout=0.05)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            assert stream is not None
            with suppress(OSError):  # nobody reads what was still to be written
                stream.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _read(self, stream: IO[bytes]) -> None:
        """Hand over each line the process prints, and an empty one at its end."""
        for line in bounded_lines(stream, longest=LONGEST_ANSWER):
            self._answers.put(line + b"\n")  # waits where many are not asked for: they stay in the pipe
        self._answers.put(b"")

    def _hear(self, stream: IO[bytes]) -> None:
        """Hold the last of what the process says on its standard error."""
        while written := os.read(stream.fileno(), 1 << 16):
            self._errors = (self._errors + written)[-LAST_WORDS:]

    def _ask(self, command: dict[str, Any], *, patience: float | None = None) -> dict[str, Any]:
        """The answer to one command; raises EngineError."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(command).encode() + b"\n")
            self._process.stdin.flush()
            line = self._answers.get(timeout=self._patience if patience is None else patience)
        except (OSError, ValueError) as error:
            raise self._broken("takes no commands any more") from error
        except queue.Empty:
            raise self._broken(f"gave no answer to {command} in time") from None
        if not line:
            raise self._broken("ended")
        answer = parse_answer(line)
        if answer is None:
            raise self._fault(f"answered {line[:200]!r} to {command}")
        return answer

    def _fault(self, what: str) -> EngineError:
        """What happened, with the last the process said on its standard error."""
        lines = self._errors.decode(errors="replace").strip().splitlines()
        return EngineError(f"the engine {self.command!r} {what}" + (f"; it said: {lines[-1]}" if lines else ""))

    def _broken(self, what: str) -> EngineError:
        """The same of a process that is of no use any more, and is ended."""
        self._end()
        return self._fault(what)


def _start(command: str) -> tuple[subprocess.Popen[bytes], IO[bytes]]:
    """The process of `command`, and what has to stay open for it to go on; raises EngineError.

    On POSIX systems it runs on the leash of another process, which ends its group with us.
    """
    try:
        words = shlex.split(command)
        if not words or shutil.which(words[0]) is None:
            raise FileNotFoundError(f"there is no program {words[0]!r}" if words else "no program is named")
        watched, lease = os.pipe()
        leashed = os.name == "posix"
        process = subprocess.Popen(
            [sys.executable, "-I", str(LEASH), str(watched), *words] if leashed else words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=(watched,) if leashed else (),
            start_new_session=leashed,
        )
        os.close(watched)
    except (OSError, ValueError) as error:
        raise EngineError(f"cannot start the engine {command!r}: {error}") from error
    return process, os.fdopen(lease, "wb")


def decision_in(answer: dict[str, Any], game: Game[Any, Any], state: Any, command: str) -> Decision:
    """The decision in an answer of the engine `command`; raises IllegalMoveError for a move that is none."""
    text = answer.get("move")
    try:
        move = game.parse_move(str(text), state)
    except (PositionError, IllegalMoveError) as error:
        raise IllegalMoveError(f"the engine {command!r} plays {str(text)[:80]!r}: {error}") from error
    return Decision(
        move,
        score=answer.get("score"),
        proven=answer.get("proven") is True,
        line=(move,),
        nodes=int(answer.get("nodes") or 0),
        seconds=float(answer.get("seconds") or 0.0),
    )


def parse_answer(line: bytes) -> dict[str, Any] | None:
    """The answer in a line another program wrote; None where it is none, or one that nobody can use.

    >>> parse_answer(b'{"ok": true, "move": "4", "score": 2}')
    {'ok': True, 'move': '4', 'score': 2}
    """
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(answer, dict) or answer.get("ok") is not True:
        return None
    numbers = [answer[name] for name in ("score", "nodes", "seconds") if answer.get(name) is not None]
    return answer if all(map(_is_number, numbers)) else None


def _is_number(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return math.isfinite(value) if isinstance(value, float) else abs(value) <= MOST
