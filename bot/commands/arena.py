"""Play a match between two players with the seats exchanged, and measure the difference in strength.

A and B are solvers with their options (alphabeta:depth=4), or engine:COMMAND, a program that speaks the line protocol
of `boardsight engine`.  Single-player games are raced: both play the same boards, fewer moves win.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from bot.commands.options import add_game, add_json, add_limit, add_workers, game_of, limit_of, options_of, workers_of
from bot.commands.positions import positions_in
from bot.commands.table import table
from bot.progress import INTERRUPTED, ProgressLine
from bot.protocol.answer import Answer

if TYPE_CHECKING:
    from solvers.arena import ArenaGame, Terms


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``boardsight arena``."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    add_game(parser)
    parser.add_argument("a", metavar="A", help="a solver, or engine:COMMAND")
    parser.add_argument("b", metavar="B", help="its opponent")
    parser.add_argument("--games", type=int, default=100, metavar="N", help="how many (default: %(default)s)")
    parser.add_argument(
        "--openings", type=int, metavar="K", help="random moves first (default: 4, where boards are dealt 0)"
    )
    parser.add_argument(
        "--seed", type=int, default=0, metavar="S", help="of boards and openings (default: %(default)s)"
    )
    parser.add_argument(
        "--sprt", metavar="ELO0,ELO1", help="stop as soon as one of these differences is likelier by far (p = 0.05)"
    )
    parser.add_argument("--book", metavar="FILE", help="positions to begin from, one a line, each from both sides")
    parser.add_argument(
        "--adjudicate",
        action="store_true",
        help="end a game once a solver proves its result (other programs may not)",
    )
    parser.add_argument("--records", metavar="FILE", help="write each game here as soon as it is over, as PGN does")
    parser.add_argument("--plies", type=int, default=2_000, metavar="N", help="then a draw (default: %(default)s)")
    add_limit(parser)
    add_workers(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Play the match and print its result; after Ctrl-C, with status 130, that of the games that were finished."""
    import numpy as np

    from bot.protocol.matches import play
    from games.core import SettingsError
    from solvers.arena import Contest, pairings
    from solvers.records import record
    from solvers.sprt import BOUND
    from solvers.training.cluster import in_order

    if min(args.games, args.plies) < 1 or min(args.seed, args.openings or 0) < 0:
        raise SettingsError("--games and --plies are at least 1, --seed and --openings at least 0")
    game, terms, hypotheses = game_of(args), _terms(args), _hypotheses(args.sprt)
    played: list[ArenaGame] = []
    starts = pairings(game, args.games, np.random.default_rng(args.seed), terms)
    contests = (Contest(start, (args.a, args.b), args.seed) for start in starts)
    with ExitStack() as stack:
        records = None if args.records is None else stack.enter_context(_writing(args.records))
        line, status, began = stack.enter_context(ProgressLine()), 0, time.monotonic()
        workers = stack.enter_context(closing(workers_of(args)))
        try:
            for each in chain.from_iterable(in_order(workers, play, contests)):
                played.append(each)
                if records is not None:
                    print(record(game, each, (args.a, args.b)), file=records, flush=True)
                line.show(_progress(played, args, time.monotonic() - began))
                if hypotheses and abs(_ratio(played, hypotheses)) >= BOUND and len(played) % 2 == 0:
                    break
        except KeyboardInterrupt:
            if not played:
                raise
            status = INTERRUPTED
    result = _result(args, terms, played)
    if hypotheses:
        result["sprt"] = _sprt(played, hypotheses)
    print(json.dumps(result) if args.json else "\n".join(_lines(result)))
    return status


def _hypotheses(text: str | None) -> tuple[float, float] | None:
    """The two differences in Elo of ``--sprt``, the smaller first; None without it.  Raises SettingsError."""
    from games.core import SettingsError

    if text is None:
        return None
    try:
        elo0, elo1 = map(float, text.split(","))
    except ValueError:
        elo0 = elo1 = 0.0
    if not -1000 < elo0 < elo1 < 1000:
        raise SettingsError(f"--sprt {text!r} is no ELO0,ELO1 with the smaller difference first, such as 0,10")
    return elo0, elo1


def _ratio(played: Sequence[ArenaGame], hypotheses: tuple[float, float]) -> float:
    from solvers.arena import standing
    from solvers.sprt import log_likelihood_ratio

    pairs = len({each.seat for each in played}) > 1  # both games of a start
    whole = played[: len(played) // 2 * 2] if pairs else played
    return log_likelihood_ratio(standing(whole).pairs, *hypotheses)


def _sprt(played: Sequence[ArenaGame], hypotheses: tuple[float, float]) -> Answer:
    """What the test says: ``accepted`` is the difference that is the likelier, None where it is not decided."""
    from solvers.sprt import BOUND

    ratio = _ratio(played, hypotheses)
    accepted = None if abs(ratio) < BOUND else hypotheses[ratio > 0]
    return {"elo0": hypotheses[0], "elo1": hypotheses[1], "llr": round(ratio, 3), "accepted": accepted}


def _terms(args: argparse.Namespace) -> Terms:
    from bot.protocol.matches import ENGINE
    from solvers.arena import Terms, usual_openings

    options, openings, book = options_of(args), args.openings, _book(args)
    if openings is None:
        openings = 0 if book else usual_openings(game_of(args), options)
    believed = [args.adjudicate and not spec.startswith(ENGINE) for spec in (args.a, args.b)]
    return Terms(options, openings, args.plies, limit_of(args), book=book, believed=(believed[0], believed[1]))


def _book(args: argparse.Namespace) -> tuple[Any, ...]:
    """The positions of ``--book``; raises SettingsError where there is none, or one is over, PositionError."""
    from games.core import SettingsError

    if args.book is None:
        return ()
    if args.openings:
        raise SettingsError("--book says where games begin: --openings would go on from there at random")
    book = tuple(position() for position in positions_in(args.book, game_of(args), options_of(args)))
    if not book or any(state.outcome() is not None for state in book):
        raise SettingsError(f"{args.book}: a book needs positions, one a line, in which there is a move to choose")
    return book


def _writing(path: str) -> TextIO:
    """The file opened; raises SettingsError where it cannot be written to."""
    from games.core import SettingsError

    try:
        return Path(path).open("w", encoding="utf-8")
    except OSError as error:
        raise SettingsError(f"{path} cannot be written: {error.strerror}") from error


def _progress(played: Sequence[ArenaGame], args: argparse.Namespace, seconds: float) -> str:
    """How many games, what they say of the strength, and how long the rest will take."""
    from solvers.arena import standing

    result, left = standing(played), seconds / len(played) * (args.games - len(played))
    low, high = result.interval
    share = sum(each.points for each in played) / len(played)
    strength = f"A scores {share:.0%}, {result.elo:+.0f} Elo ({low:+.0f} to {high:+.0f})"
    return f"{len(played)} of {args.games} games: {strength}, {left:.0f} s left"


def _result(args: argparse.Namespace, terms: Terms, played: Sequence[ArenaGame]) -> Answer:
    """The match as one JSON object, lists with A's figure first; an infinite Elo is null."""
    from solvers.arena import standing

    result, both = standing(played), (0, 1)
    moves = [sum(each.moves[player] for each in played) for player in both]
    seconds = [sum(each.seconds[player] for each in played) for player in both]
    answer: Answer = {
        "game": args.game,
        "a": args.a,
        "b": args.b,
        "games": len(played),
        "wins": result.wins,
        "draws": result.draws,
        "losses": result.losses,
        "share": (result.wins + result.draws / 2) / len(played),
        "elo": _finite(result.elo),
        "elo_interval": [_finite(bound) for bound in result.interval],
        "method": "pentanomial",
        "pairs": list(result.pairs),
    }
    if game_of(args).players == 1:
        answer |= {"method": "trinomial", "finished": [sum(each.won[player] for each in played) for player in both]}
    else:
        answer["seats"] = [_tally(each.points for each in played if each.seat == seat) for seat in both]
    return answer | {
        "moves": [count / len(played) for count in moves],
        "seconds": [spent / max(1, count) for spent, count in zip(seconds, moves, strict=True)],
        "forfeits": [sum(each.forfeit == player for each in played) for player in both],
        "openings": terms.openings,
        "seed": args.seed,
    }


def _tally(points: Iterable[float]) -> list[int]:
    """Wins, draws and losses."""
    counts = Counter(points)
    return [counts[1.0], counts[0.5], counts[0.0]]


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _lines(result: Answer) -> Iterator[str]:
    """The match for a person."""
    low, high = result["elo_interval"]
    elo = ("+inf" if result["share"] else "-inf") if result["elo"] is None else f"{result['elo']:+.0f}"
    bounds = f"{'-inf' if low is None else f'{low:+.0f}'} to {'+inf' if high is None else f'{high:+.0f}'}"
    yield f"A  {result['a']}"
    yield f"B  {result['b']}"
    yield f"{result['games']} games of {result['game']}, seed {result['seed']}, {result['openings']} random moves first"
    yield f"A scores {result['share']:.1%}: {elo} Elo, 95% interval {bounds} ({result['method']})"
    finished = result.get("finished", (None, None))
    rows = [
        ("A", result["wins"], result["draws"], result["losses"]),
        ("B", result["losses"], result["draws"], result["wins"]),
    ]
    extra = zip(finished, result["moves"], result["seconds"], result["forfeits"], strict=True)
    yield from table(
        ("player", "wins", "draws", "losses", "finished", "moves a game", "ms a move", "forfeits"),
        [
            (*row, done, float(moves), seconds * 1e3, forfeits or None)
            for row, (done, moves, seconds, forfeits) in zip(rows, extra, strict=True)
        ],
    )
    if "sprt" in result:
        test = result["sprt"]
        found = "not decided" if test["accepted"] is None else f"{test['accepted']:+g} Elo is accepted"
        yield f"SPRT of {test['elo0']:+g} against {test['elo1']:+g} Elo: likelihood ratio {test['llr']:+.2f}, {found}"
    if "seats" in result:
        for place, (wins, draws, losses) in zip(("first", "second"), result["seats"], strict=True):
            yield f"A moving {place}: {wins} wins, {draws} draws, {losses} losses"
        yield f"pairs in which A took 0, 0.5, 1, 1.5, 2 points: {', '.join(map(str, result['pairs']))}"
