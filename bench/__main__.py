"""Make the tables of figures again and save them: ``python -m bench [NAME...]``, then ``make figures``."""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from importlib import import_module
from inspect import signature
from pathlib import Path
from types import FrameType
from typing import Any

from bench.results import FOLDER, load, load_average, parse_argument, plain, result_of, result_path
from bot.progress import INTERRUPTED, ProgressLine
from games.core import BoardsightError
from solvers.training.cluster import workers_for

TABLES: dict[str, tuple[str, str]] = {
    "seeing": ("How long it takes to find a board and to read it", "bench.screens.seeing"),
    "pictures": (
        "How often drawn boards are found and read, and boards seen where none are",
        "bench.pictures.__main__",
    ),
    "sgt_flood": ("Flood-It on the screen: twenty games of sgt-flood", "bench.screens.sgt_flood"),
    "page": ("Flood-It on the screen: the bundled page in every skin, at three scales", "bench.screens.page"),
    "pages": ("The games of two on the bundled pages, against their players", "bench.screens.pages"),
    "conventions": ("The bundled pages with the habits of real ones, drawn by chance", "bench.screens.conventions"),
    "four_in_a_row": (
        "Connect Four on the screen: GNOME's program at its hardest level",
        "bench.screens.four_in_a_row",
    ),
    "iagno": ("Reversi on the screen: GNOME's program at its hardest level", "bench.screens.iagno"),
    "pentobi": ("Blokus on the screen: Pentobi on Duo, either colour", "bench.screens.pentobi"),
    "sites": ("Pages that strangers wrote, from a folder of yours, played with no flag", "bench.screens.sites"),
    "clicks": ("Where clicks land on all bundled pages, at every scale and zoom", "bench.screens.clicks"),
    "presses": ("What it costs to look at a target again before each press", "bench.screens.presses"),
    "assist": ("How often two corner cells are enough to find and read a board", "bench.screens.assist"),
    "refind": ("How surely and quickly a known board is found again, also where it moved", "bench.screens.refind"),
    "hostile": ("Hostile screens: games with random faults, every click judged", "bench.hostile.screens"),
    "hostile_pages": ("Pages that go wrong in Chromium: every press judged", "bench.hostile.pages"),
    "tricks": ("Pages that change under the pointer in Chromium: every press judged", "bench.hostile.tricks"),
    "kills": ("Runs killed at random moments: what their journals hold", "bench.hostile.kills"),
    "fuzz": ("Bad input for everything that is read: taken, refused by name, faults", "bench.fuzz.targets"),
    "serve": ("The analyst's table: broken messages, 100 games at once, clicks, first paint", "bench.screens.serve"),
    "blokus": ("Blokus: random games a second, every placement known before each", "bench.solvers.blokus"),
    "blokus_small": ("Blokus: small boards proven, and their first moves", "bench.solvers.blokus_small"),
    "blokus_strength": ("Blokus Duo: the tree search against every other player", "bench.solvers.blokus_strength"),
    "blokus_ends": ("Blokus Duo: how early the tree search proves the result", "bench.solvers.blokus_ends"),
    "blokus_gtp": ("Blokus against Pentobi's engine, with the CPU time of both", "bench.solvers.blokus_gtp"),
    "flood_it": ("Flood-It: games won, moves and time of each solver", "bench.solvers.flood_it"),
    "connect_four": ("Connect Four: proofs beside bitbully's, the book, batched play", "bench.solvers.connect_four"),
    "filler": ("Filler: boards proven from the start, perfect play against greedy", "bench.solvers.filler"),
    "levels": ("Levels to play against: each beside the one below, in games of two", "bench.solvers.levels"),
    "learned": ("Learned players: matches, and their moves beside perfect ones", "bench.solvers.learned"),
    "reversi": ("Reversi: ends proven from the rules alone, matches against greedy", "bench.solvers.reversi"),
    "self_play": ("Self-play: simulations and games a second", "bench.solvers.self_play"),
    "scaling": ("Work shared by processes: matches, labels and self-play a second", "bench.solvers.scaling"),
    "threads": (
        "Several threads in one search: what they need, and that proofs stay",
        "bench.solvers.threads",
    ),
    "quoridor": ("Quoridor: speed of the rules, small boards proven, matches", "bench.solvers.quoridor"),
    "quoridor_qtp": ("Quoridor against a program that speaks its text protocol", "bench.solvers.quoridor_qtp"),
}
"""Name of each table -> its line in the list, the module whose ``tables()`` yields its lines as they are found."""

SERIES = ("pages", "four_in_a_row", "iagno", "pentobi", "sites", "tricks", "conventions", "levels")
"""Those made of long games, whose ``tables(keep=FOLDER)`` goes on with the games of a folder."""

UNSAVED = "nothing is saved but the games of a series in the folder of --keep"


def main(argv: Sequence[str] | None = None) -> int:
    """Print the tables line by line and save each when it is whole, or list their names.

    Status 1 where one could not be made for want of what it needs, 2 for bad arguments.
    """
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="which tables (default: all)")
    parser.add_argument("--list", action="store_true", help="only list the tables")
    words = "with the arguments that each was saved with (default: all that were saved)"
    parser.add_argument("--again", action="store_true", help=words)
    words = f"keep each game of {', '.join(SERIES)} as soon as it is over, and go on from those kept there"
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help=words)
    words = "of the one table named: another value for one of its arguments, such as games=200"
    words += "; also as --games 200"
    parser.add_argument("--set", nargs="+", default=[], metavar="KEY=VALUE", dest="changed", help=words)
    parser.add_argument("--results", type=Path, default=FOLDER, metavar="FOLDER", help="where results are saved")
    who = parser.add_mutually_exclusive_group()
    who.add_argument("--workers", default="", metavar="N", help="processes that play the matches of a table")
    who.add_argument(
        "--cluster", default="", metavar="ADDRESS", help="a Ray cluster that does, or auto for this machine's"
    )
    args, more = parser.parse_known_args(argv)
    if len(more) % 2 or not all(word.startswith("--") for word in more[::2]):
        parser.error(f"unrecognized arguments: {' '.join(more)}")
    args.changed += [f"{key[2:]}={value}" for key, value in zip(more[::2], more[1::2], strict=True)]
    unknown = [name for name in args.names if name not in TABLES]
    if unknown:
        parser.error(f"no table is called {unknown[0]!r}; choose from: {', '.join(TABLES)}")
    whole = [name for name in args.names if name not in SERIES]
    if args.keep is not None and whole:
        parser.error(f"{whole[0]} is made as a whole; --keep is for {', '.join(SERIES)}")
    if args.changed and len(args.names) != 1:
        parser.error("--set is for one table: name it")
    shared = args.cluster or args.workers
    names = args.names or [name for name in TABLES if not args.again or result_path(name, args.results).is_file()]
    alone = [name for name in names if shared and "workers" not in signature(tables_of(name)).parameters]
    if alone:
        parser.error(f"{alone[0]} is made by this process alone: --workers and --cluster are for matches")
    if args.list:
        width = max(map(len, TABLES))
        for name, (line, _) in TABLES.items():
            print(f"{name:{width}}  {line}")
        return 0
    not_made = []
    for name in names:
        own = own_arguments(name)
        changed = saved_arguments(name, args.results) if args.again else {}
        changed |= dict(parse_argument(word) for word in args.changed)
        if set(changed) - set(own):
            parser.error(f"{name} takes {', '.join(own) or 'no arguments'}, not {', '.join(set(changed) - set(own))}")
        kept: dict[str, Any] = {} if args.keep is None or name not in SERIES else {"keep": args.keep / name}
        try:
            with ended_by_signal(), closing(workers_for(shared)) as workers:
                if "workers" in signature(tables_of(name)).parameters:
                    kept["workers"] = workers
                make_table(name, arguments=own | changed, changed=changed, kept=kept, folder=args.results)
        except KeyboardInterrupt:
            print(f"ended by Ctrl-C: {UNSAVED}", file=sys.stderr)
            return INTERRUPTED
        except (OSError, ImportError, BoardsightError) as error:  # a program, a library or a screen that is missing
            not_made.append(name)
            print(f"{name} is not made: {error}\n", file=sys.stderr)
    if not_made:
        print(f"not made: {', '.join(not_made)}", file=sys.stderr)
    return int(bool(not_made))


@contextmanager
def ended_by_signal() -> Iterator[None]:
    """Let SIGTERM end the block in an orderly way: a game that is played is stopped first, and is not kept."""

    def end(number: int, frame: FrameType | None) -> None:
        raise SystemExit(f"ended by SIGTERM: {UNSAVED}")

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def make_table(
    name: str, *, arguments: dict[str, Any], changed: dict[str, Any], kept: dict[str, Any], folder: Path
) -> None:
    """Print a table line by line, and save it in `folder` when it is whole."""
    title = TABLES[name][0]
    print(f"## {name}: {title}\n", flush=True)
    lines: list[str] = []
    load, began, usual = load_average(), time.monotonic(), usual_seconds(name)
    with (
        ProgressLine() as progress,
        progress.ticking(lambda: f"{name}: {lasting(time.monotonic() - began)}{usual}, {len(lines)} lines"),
    ):
        for line in tables_of(name)(**changed, **kept):
            lines.append(line)
            progress.say(line)
    seconds = time.monotonic() - began
    result = result_of(
        name, title, arguments=arguments, changed=changed, lines=lines, seconds=seconds, load_before=load
    )
    print(f"\nsaved as {result.save(folder)}\n", flush=True)


def usual_seconds(name: str) -> str:
    """How long a table took when it was last saved, as words; "" where it never was."""
    path = result_path(name, FOLDER)
    return f" of some {lasting(load(path).seconds)}" if path.is_file() else ""


def lasting(seconds: float) -> str:
    """A time for people.

    >>> lasting(42.4), lasting(640)
    ('42 s', '11 min')
    """
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"


def tables_of(name: str) -> Callable[..., Iterator[str]]:
    """The function that yields a table's lines."""
    tables: Callable[..., Iterator[str]] = import_module(TABLES[name][1]).tables
    return tables


def own_arguments(name: str) -> dict[str, Any]:
    """What a table is made with unless told otherwise; where games are kept and who plays them is none of it."""
    parameters = signature(tables_of(name)).parameters.values()
    return {each.name: each.default for each in parameters if each.name not in ("keep", "workers")}


def saved_arguments(name: str, folder: Path) -> dict[str, Any]:
    """What a table was last saved with in `folder`, where that is not its own; nothing where it never was."""
    path, own = result_path(name, folder), own_arguments(name)
    arguments = load(path).arguments if path.is_file() else {}
    return {key: value for key, value in arguments.items() if key not in own or plain(own[key]) != value}


if __name__ == "__main__":
    raise SystemExit(main())
