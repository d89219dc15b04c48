"""Find the best move of a position, of every position in a file, or of the board in a screenshot."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.commands.options import (
    add_game,
    add_limit,
    add_solver,
    add_workers,
    game_of,
    limit_of,
    lines_of,
    load_screenshot,
    options_of,
    solver_of,
    worker_spec,
    workers_of,
)
from bot.commands.positions import add_positions, answer_each, answered, parsed, parsed_positions, print_each
from bot.commands.table import table
from bot.progress import INTERRUPTED, ProgressLine
from bot.protocol.answer import decide, verdict

if TYPE_CHECKING:
    from bot.protocol.answer import Answer
    from games.core import Game, Options
    from solvers.core import Decision, Limit, Progress

SEATS = ("first", "second")

BATCH = 64
"""Positions that go to a worker at once: enough that to make their solver takes little beside them."""

SHOWN = 10
"""Candidates that a person is shown; JSON has them all."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``boardsight solve``."""
    add_game(parser, required=False)
    add_solver(parser)
    add_limit(parser).add_argument(
        "--lines",
        type=int,
        metavar="N",
        help="the best N moves with an exact score and a line each; 4 take 1.6 to 8 times as long as one",
    )
    add_positions(parser)
    add_workers(parser)
    parser.add_argument(
        "--seat", choices=SEATS, help="who is to move where a screenshot cannot tell (default: the likelier)"
    )
    parser.add_argument("--png", metavar="FILE", help="also draw the boards of the line as one picture")


def run(args: argparse.Namespace) -> int:
    """Print what the solver decides in each position; status 1 where a line of a file had no answer."""
    from games.core import SettingsError

    many = args.positions is not None
    if many and args.png:
        raise SettingsError("--positions answers many positions: --png draws the line of one")
    limit = limit_of(args)
    seen = None if many else _look(args)
    if args.game is None:
        raise SettingsError("which game? name it with --game (a screenshot tells it by itself)")
    game = game_of(args)
    solver, spread = solver_of(args, game), worker_spec(args)
    if spread:
        if not many:
            raise SettingsError("--workers and --cluster share the positions of a file: name it with --positions")
        return _shared(args, limit)

    def answer(state: Any) -> Answer:
        told = decide(game, solver, state, limit, progress=_progress(line, game, state) if line.live else None)
        line.clear()
        if seen is not None:
            told["position"] = game.format(seen)
        if args.png:
            _draw(args.png, game, state, told)
        return told

    positions = parsed_positions(args, game) if seen is None else iter([lambda: seen])
    with ProgressLine(listens=True) as line:
        left = takewhile(lambda _: not line.interrupted, positions)
        status = answer_each(args, left, answer, partial(_lines, brief=many))
    return INTERRUPTED if line.interrupted else status


@dataclass(frozen=True, slots=True)
class Batch:
    """Some lines of a file of positions, as work for workers, with all that their answers depend on."""

    game: str
    solver: str
    options: Options
    limit: Limit
    texts: tuple[str, ...]


def answer_batch(batch: Batch) -> list[Answer]:
    """The answers to the positions of a batch, by a solver made for it alone."""
    from games import find_game
    from solvers import find_solver

    game = find_game(batch.game)
    solver = find_solver(batch.solver, batch.game)
    positions = (partial(parsed, text, game, batch.options) for text in batch.texts)
    return [answered(each, lambda state: decide(game, solver, state, batch.limit)) for each in positions]


def _shared(args: argparse.Namespace, limit: Limit) -> int:
    """Prints the answers to the positions of a file, which workers look for."""
    from solvers.training.cluster import in_order

    texts, solver = list(lines_of(args.positions)), args.solver or game_of(args).solver
    batches = [
        Batch(args.game, solver, options_of(args), limit, tuple(texts[at : at + BATCH]))
        for at in range(0, len(texts), BATCH)
    ]
    with closing(workers_of(args)) as workers, ProgressLine() as line:

        def told() -> Iterator[Answer]:
            done = 0
            for answers in in_order(workers, answer_batch, batches):
                line.clear()
                yield from answers
                done += len(answers)
                line.show(f"{done:,} of {len(texts):,} positions")

        return print_each(args, told(), partial(_lines, brief=True))


def _progress(line: ProgressLine, game: Game[Any, Any], state: Any) -> Progress:
    """Shows how deep a search has come and what it thinks best; ends it where Ctrl-C was pressed."""

    def told(decision: Decision) -> bool:
        depth = f"depth {decision.depth}, " if decision.depth else ""
        worth = "" if decision.score is None else f", {verdict(state, decision)}"
        line.show(f"{depth}{decision.nodes:,} nodes: {game.format_move(decision.move, state)}{worth}")
        return line.interrupted

    return told


def _look(args: argparse.Namespace) -> Any:
    """The position a screenshot shows, None where the position is a text; sets the game where none is named.

    Raises SettingsError, BoardNotFoundError or UnreadableError.
    """
    from bot.storage.pictures import SUFFIXES

    path = " ".join(args.position)
    if not path.lower().endswith(SUFFIXES):
        return None
    from calibration.locate import locate
    from calibration.looks import reader_of

    frame = load_screenshot(Path(path))
    calibration = locate(frame, args.game)
    args.game = calibration.game
    seat = None if args.seat is None else SEATS.index(args.seat)
    return game_of(args).read(reader_of(calibration).read(frame), seat=seat)


def _lines(answer: Answer, *, brief: bool) -> Iterator[str]:
    """The answer for a person: in one line, or with its line of moves and its candidates."""
    if answer["move"] is None:
        yield f"no move: {answer['over']}"
        return
    if "position" in answer:
        yield f"seen: {answer['position']}"
    yield f"{answer['move']}  {_verdict(answer)}"
    if brief:
        return
    yield f"line: {' '.join(answer['line'])} ({len(answer['line'])} move{'s' * (len(answer['line']) != 1)})"
    if "beyond_limit" in answer:
        yield answer["beyond_limit"]
    if len(answer["best"]) > 1:
        yield f"as good: {' '.join(answer['best'])}"
    shown = answer["candidates"][:SHOWN]
    rows = [
        (each["move"], each.get("words"), each["visits"], " ".join(each["line"]) if "line" in each else None)
        for each in shown
    ]
    yield from table(("move", "score", "visits", "line"), rows)
    if len(answer["candidates"]) > SHOWN:
        yield f"... and {len(answer['candidates']) - SHOWN} more"


def _verdict(answer: Answer) -> str:
    proven = ", proven" if answer["proven"] else f" (bound {answer['bound']:g})" if "bound" in answer else ""
    return f"{answer.get('words', 'no score')}{proven}; {answer['nodes']:,} nodes, {1e3 * answer['seconds']:,.0f} ms"


def _draw(path: str, game: Game[Any, Any], state: Any, answer: Answer) -> None:
    """Save the boards from `state` to the end of the answer's line."""
    from bot.commands.storyboard import storyboard
    from bot.storage.pictures import save_image

    states, captions = [state], ["start"]
    for number, text in enumerate(answer["line"], 1):
        states.append(states[-1].play(game.parse_move(text, states[-1])))
        captions.append(f"{number}: {text}")
    save_image(path, storyboard([game.show(each) for each in states], captions))
