"""How often the detector and the lattice fitted to what it sees are right, before any look is asked.

usage: python -m bench.vision.lattices --weights FILE [--gallery FOLDER] [--game NAME] [--count N] [--seed S] [-v]

Right is a board of so many rows and columns whose corner cells lie within a quarter of a cell; of several boards that
are seen in a picture the largest counts first, and any of them second.  Of pictures without a board it is told on how
many one is seen.  The pictures are those of a gallery, each with the JSON of what it shows, or N drawn ones a game.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from bench.pictures import Picture, draw_empty, draw_picture
from bench.pictures.__main__ import gallery
from bench.pictures.judge import seen_part
from bench.pictures.scene import BOARDS
from calibration.board import Lattice
from calibration.detect import Detector
from calibration.lattice import fitted
from games import find_game
from games.core import Cell

NEAR = 0.25
"""Cells that the middle of a corner cell may lie beside its place."""


def away(lattice: Lattice, picture: Picture) -> float:
    """How many cells the furthest corner cell lies beside its place; infinite for another size."""
    truth = seen_part(picture.truth)
    if (lattice.rows, lattice.cols) != (truth["rows"], truth["cols"]):
        return float("inf")
    corners = [(row, col) for row in (0, lattice.rows - 1) for col in (0, lattice.cols - 1)]
    gaps = [np.subtract(lattice.centre(Cell(row, col)), truth["cells"][row][col]) for row, col in corners]
    return float(np.max(np.abs(gaps) / truth["pitch"]))


def pictures(options: argparse.Namespace) -> Iterator[tuple[str, Picture]]:
    """The pictures that the options name, each with what is on it."""
    if options.gallery:
        for number, picture in enumerate(gallery(options.gallery)):
            if options.game in (None, picture.truth["game"]):
                yield f"{picture.truth['game']} {picture.truth.get('name', number)}", picture
        return
    for game in BOARDS if options.game is None else (options.game,):
        for number in range(options.count):
            yield (
                f"{game} {number}",
                draw_picture(game, np.random.default_rng([options.seed, number, list(BOARDS).index(game)])),
            )
    for number in range(options.count):
        picture = draw_empty(np.random.default_rng([options.seed, number, 99]))
        yield f"{picture.truth['subject']} {number}", picture


def main() -> None:
    """Looks at each picture and prints a row a game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, required=True, help="what bench.vision.detector wrote")
    parser.add_argument("--gallery", type=Path)
    parser.add_argument("--game", choices=BOARDS)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=90_103)
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    detector = Detector(options.weights)
    rows: dict[str, list[tuple[bool, bool, bool, float, float]]] = defaultdict(list)
    for name, picture in pictures(options):
        game, began = picture.truth["game"], time.thread_time()
        places = detector.places(picture.pixels)
        lattices = [(place, fitted(place, picture.pixels)) for place in places]
        seconds = time.thread_time() - began
        if game is None:
            seen = any(lattice is not None for _, lattice in lattices)
            rows["no board"].append((seen, seen, seen, 0.0, seconds))
            if seen and options.verbose:
                print(name, [(place.kind, lattice and (lattice.rows, lattice.cols)) for place, lattice in lattices])
            continue
        gaps = [float("inf") if lattice is None else away(lattice, picture) for _, lattice in lattices] or [
            float("inf")
        ]
        kind = bool(places) and places[0].kind == find_game(game).drawn
        rows[game].append((gaps[0] <= NEAR, min(gaps) <= NEAR, kind, min(gaps), seconds))
        if options.verbose and min(gaps) > NEAR:
            truth = seen_part(picture.truth)
            told = [(place.kind, lattice and (lattice.rows, lattice.cols)) for place, lattice in lattices]
            print(f"{name}: {truth['rows']}x{truth['cols']} at {truth['pitch']}, seen {told}")
    print("| game | pictures | first right | any right | kind right | median cells away | median ms |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for game, each in rows.items():
        first, some, of_kind = (sum(bool(row[at]) for row in each) for at in range(3))
        gap = np.median([row[3] for row in each if row[1]] or [np.nan])
        milliseconds = 1000 * np.median([row[4] for row in each])
        print(f"| {game} | {len(each)} | {first} | {some} | {of_kind} | {gap:.3f} | {milliseconds:.0f} |")


if __name__ == "__main__":
    main()
