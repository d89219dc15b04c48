"""Make the tables of figures again: ``python -m bench [NAME...]``."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path

TABLES: dict[str, tuple[str, str]] = {
    "seeing": ("How long it takes to find a board and to read it", "bench.screens.seeing"),
    "sgt_flood": ("Flood-It on the screen: twenty games of sgt-flood", "bench.screens.sgt_flood"),
    "page": ("Flood-It on the screen: the bundled page in every skin, at three scales", "bench.screens.page"),
    "pages": ("The games of two on the bundled pages, against their players", "bench.screens.pages"),
    "four_in_a_row": (
        "Connect Four on the screen: GNOME's program at its hardest level",
        "bench.screens.four_in_a_row",
    ),
    "pentobi": ("Blokus on the screen: Pentobi on Duo, either colour", "bench.screens.pentobi"),
    "clicks": ("Where clicks land on all bundled pages, at every scale and zoom", "bench.screens.clicks"),
    "assist": ("How often two corner cells are enough to find and read a board", "bench.screens.assist"),
    "refind": ("How surely and quickly a known board is found again, also where it moved", "bench.screens.refind"),
    "hostile": ("Hostile screens: games with random faults, every click judged", "bench.hostile.screens"),
    "hostile_pages": ("Pages that go wrong in Chromium: every press judged", "bench.hostile.pages"),
    "kills": ("Runs killed at random moments: what their journals hold", "bench.hostile.kills"),
    "fuzz": ("Bad input for everything that is read: taken, refused by name, faults", "bench.fuzz.targets"),
    "serve": ("The analyst's table: broken messages, 100 games at once, clicks, first paint", "bench.screens.serve"),
    "blokus": ("Blokus: random games a second, every placement known before each", "bench.solvers.blokus"),
    "blokus_small": ("Blokus: small boards proven, and their first moves", "bench.solvers.blokus_small"),
    "blokus_strength": ("Blokus Duo: the tree search against every other player", "bench.solvers.blokus_strength"),
    "flood_it": ("Flood-It: games won, moves and time of each solver", "bench.solvers.flood_it"),
    "connect_four": ("Connect Four: proofs beside bitbully's, the book, batched play", "bench.solvers.connect_four"),
    "filler": ("Filler: boards proven from the start, perfect play against greedy", "bench.solvers.filler"),
    "learned": ("Learned players: matches, and their moves beside perfect ones", "bench.solvers.learned"),
    "self_play": ("Self-play: simulations and games a second", "bench.solvers.self_play"),
    "quoridor": ("Quoridor: speed of the rules, small boards proven, matches", "bench.solvers.quoridor"),
}
"""Name of each table -> its line in the list, the module whose ``tables()`` yields its lines as they are found."""

SERIES = ("pages", "four_in_a_row", "pentobi")
"""Those made of long games, whose ``tables(keep=FOLDER)`` goes on with the games of a folder."""


def main(argv: Sequence[str] | None = None) -> int:
    """Print the tables line by line, or their names; exit status 2 for an unknown name."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="which tables (default: all)")
    parser.add_argument("--list", action="store_true", help="only list the tables")
    words = f"keep each game of {', '.join(SERIES)} as soon as it is over, and go on from those kept there"
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help=words)
    args = parser.parse_args(argv)
    unknown = [name for name in args.names if name not in TABLES]
    if unknown:
        parser.error(f"no table is called {unknown[0]!r}; choose from: {', '.join(TABLES)}")
    whole = [name for name in args.names if name not in SERIES]
    if args.keep is not None and whole:
        parser.error(f"{whole[0]} is made as a whole; --keep is for {', '.join(SERIES)}")
    if args.list:
        width = max(map(len, TABLES))
        for name, (line, _) in TABLES.items():
            print(f"{name:{width}}  {line}")
        return 0
    for name in args.names or TABLES:
        print(f"## {name}: {TABLES[name][0]}\n", flush=True)
        for line in lines_of(name, args.keep):
            print(line, flush=True)
        print(flush=True)
    return 0


def lines_of(name: str, keep: Path | None) -> Iterator[str]:
    """The lines of a table as they are found."""
    tables = import_module(TABLES[name][1]).tables
    lines: Iterator[str] = tables(keep=keep / name) if keep is not None and name in SERIES else tables()
    return lines


if __name__ == "__main__":
    raise SystemExit(main())
