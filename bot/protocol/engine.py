"""The line protocol's answering side: one game at a time, commands in order, a search that can be stopped."""

from __future__ import annotations

import json
import queue
import select
import sys
import threading
import traceback
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from bot.protocol.answer import Answer, decide, describe, error_answer
from bot.protocol.lines import LONGEST_LINE
from bot.protocol.values import LIMITS, NUMBERS, limit_from, options_from, values_of

if TYPE_CHECKING:
    from games.core import Game, Options
    from solvers.core import Decision, Limit, Solver

WAITING = 1_000
"""Commands that may wait for a search to end; reading goes on when one is done."""

LOOK_ROUND = 0.5
"""Seconds between two looks whether anybody still reads the answer of a search that goes on after the input's end."""


@dataclass
class EngineSession:
    """One game at a time: the commands that change its position or ask for a move.

    options, limit: what holds unless a command says otherwise.
    state: the position, None before the first one of a game without a fixed start.
    """

    game: Game[Any, Any]
    solver: Solver
    options: Options
    limit: Limit
    state: Any = field(init=False)

    def __post_init__(self) -> None:
        self._defaults = self.options
        self.new({})

    def answer(self, command: Command) -> Answer:
        """What `command` is answered; never raises."""
        from games.core import BoardsightError

        try:
            if command.error is not None:
                raise command.error
            act = {"new": self.new, "position": self.position, "play": self.play}.get(command.name)
            if act is not None:
                act(command.arguments)
                return {"ok": True, **self._describe()}
            if command.name == "go":
                return {"ok": True, **self.go(command.arguments, command.stopped)}
            if command.name == "options":
                return {"ok": True, **self.describe_options()}
            return {"ok": True}
        except Exception as error:
            if not isinstance(error, BoardsightError):  # a fault of ours must not end the other program's game
                traceback.print_exc(file=sys.stderr)
            return {"ok": False, **error_answer(error)}

    def new(self, arguments: Answer) -> None:
        """Start anew with other options."""
        from games.core import Options, PositionError

        options = Options(**{**asdict(self._defaults), **values_of(options_from(arguments))})
        try:
            self.state = self.game.parse("", options)
        except PositionError:
            self.state = None
        self.options = options

    def position(self, arguments: Answer) -> None:
        """Set the position."""
        self.state = self.game.parse(_only_text(arguments, "text"), self.options)

    def play(self, arguments: Answer) -> None:
        """Make a move."""
        text, state = _only_text(arguments, "move"), self._present()
        self.state = state.play(self.game.parse_move(text, state))

    def go(self, arguments: Answer, stopped: threading.Event) -> Answer:
        """The move to play; the best so far once `stopped` is set.  Raises SettingsError."""
        from games.core import SettingsError
        from solvers.core import Limit

        state, informed = self._present(), arguments.pop("info", False)
        if not isinstance(informed, bool):
            raise SettingsError(f"info cannot be {informed!r}: it is true or false")
        last: Answer = {}

        def progress(decision: Decision) -> bool:
            nonlocal last
            if informed and last != (found := _found(self.game, state, decision)):
                last = found
                with suppress(BrokenPipeError):  # which is heard when the answer is written
                    tell({"info": {**found, "nodes": decision.nodes, "seconds": decision.seconds}})
            return stopped.is_set()

        limit = Limit(**{**asdict(self.limit), **values_of(limit_from(arguments))})
        return decide(self.game, self.solver, state, limit, progress=progress)

    def describe_options(self) -> Answer:
        """What "new" and "go" may be told, and what holds where they are told nothing."""
        held = {"new": values_of(self._defaults), "go": values_of(self.limit)}
        return {"takes": {"new": ["size", "rows", "cols", "variant", *NUMBERS], "go": [*LIMITS, "info"]}, "holds": held}

    def _present(self) -> Any:
        from games.core import PositionError

        if self.state is None:
            raise PositionError(f"{self.game.name} has no fixed start position: send a position first")
        return self.state

    def _describe(self) -> Answer:
        if self.state is None:
            return {"position": None}
        outcome = self.state.outcome()
        return {
            "position": self.game.format(self.state),
            "player": self.state.player,
            "over": None if outcome is None else outcome.reason,
        }


@dataclass
class Command:
    """One line of the input: a command with its arguments, or what is wrong with it.

    stopped: set when a later line asks for the search to end.
    """

    name: str = ""
    arguments: Answer = field(default_factory=dict)
    error: Exception | None = None
    stopped: threading.Event = field(default_factory=threading.Event)


COMMANDS = ("new", "position", "play", "go", "stop", "options", "quit")


def parse_command(line: bytes) -> Command:
    """The command in a line, or one that holds a SettingsError; never raises."""
    from games.core import SettingsError, choices

    example = 'write one JSON object, such as {"cmd": "go", "seconds": 1.0}'
    if len(line) > LONGEST_LINE:
        return Command(error=SettingsError(f"the line has more than {LONGEST_LINE} bytes"))
    try:
        arguments = json.loads(line)
    except (ValueError, RecursionError) as error:
        return Command(error=SettingsError(f"the line is no JSON ({error}): {example}"))
    if not isinstance(arguments, dict):
        return Command(error=SettingsError(f"the line is no JSON object: {example}"))
    name = arguments.pop("cmd", None)
    if name not in COMMANDS:
        return Command(error=SettingsError(f"no command is called {name!r}; {choices(str(name), COMMANDS)}"))
    return Command(name, arguments)


def serve(session: EngineSession, lines: Iterable[bytes]) -> None:
    """Answer `lines` in order; a thread searches, so that ``stop`` is heard while it does.

    Raises BrokenPipeError when nobody reads the answers.
    """
    answering = _Answering(session)
    answering.start()
    asked: deque[Command] = deque(maxlen=WAITING + 2)  # those that wait, the one being answered and the one to come
    for command in map(parse_command, lines):
        asked.append(command)
        if command.name in ("stop", "quit"):
            _stop(asked)
        answering.commands.put(command)
        if command.name == "quit" or answering.unread:
            break
    answering.commands.put(None)
    while answering.is_alive():
        answering.join(LOOK_ROUND)
        if _nobody_reads():
            _stop(asked)
    if answering.unread:
        raise BrokenPipeError


class _Answering(threading.Thread):
    """Answers the commands it is given until None.

    unread: whether nobody reads the answers any more; the commands that follow are only taken away.
    """

    def __init__(self, session: EngineSession) -> None:
        super().__init__(name="answering", daemon=True)
        self.commands: queue.Queue[Command | None] = queue.Queue(WAITING)
        self.unread = False
        self._session = session

    def run(self) -> None:
        """Print one line for each command."""
        while (command := self.commands.get()) is not None:
            if self.unread:
                continue
            try:
                tell(self._session.answer(command))
            except BrokenPipeError:
                self.unread = True


def _stop(asked: deque[Command]) -> None:
    for command in asked:
        command.stopped.set()
    asked.clear()


def _nobody_reads() -> bool:
    """Whether the other end of standard output is closed; False where that cannot be told."""
    if not hasattr(select, "poll"):
        return False
    poll = select.poll()
    try:
        poll.register(sys.stdout.fileno(), 0)
    except OSError:  # standard output is no file at all
        return False
    return any(event & (select.POLLERR | select.POLLHUP) for _, event in poll.poll(0))


def _found(game: Game[Any, Any], state: Any, decision: Decision) -> Answer:
    """What a search has found so far, without what it cost."""
    told = describe(game, state, decision)
    return {"depth": decision.depth, **{key: told[key] for key in ("move", "score", "proven", "line", "candidates")}}


def tell(answer: Answer) -> None:
    """Writes a line to the other program; raises BrokenPipeError when nobody reads it."""
    print(json.dumps(answer), flush=True)


def _only_text(arguments: Answer, key: str) -> str:
    from games.core import SettingsError

    text = arguments.get(key)
    if len(arguments) != 1 or not isinstance(text, str):
        raise SettingsError(f"this command takes {key!r}, a text, and nothing else, not {arguments}")
    return text
