"""Make Connect Four's opening book: the score of every position of at most 10 stones.

``python -m bench.training.connect_four_book`` takes the values of the positions of 10 stones from the books of
``bitbully`` (``pip install 'boardsight[book]'``), which are facts of the game, proves a random sample of them again by
our own search, derives all earlier positions from them, and writes the book with its card.
"""

from __future__ import annotations

import argparse
import json
import time
from hashlib import sha256
from io import BytesIO

import numpy as np

from solvers.connect_four.book import BOOK, BOTTOM, CARD, FOLDER, HIGH, STONES, key_of
from solvers.kernels.connect_four import exact
from solvers.training.bitbully import board_of, solver_of_12_stones

TOPS = BOTTOM << 5

Layer = dict[int, tuple[int, int]]
"""Key -> one of its positions, as the stones of the side to move and all stones."""


def won(stones: int) -> bool:
    """Whether `stones` hold four in a row."""
    return any((pair := stones & (stones >> step)) & (pair >> 2 * step) for step in (1, 6, 7, 8))


def children(own: int, every: int) -> list[tuple[int, int]]:
    """The positions one move later, for the other side; the side that moved may have won in them."""
    free = [every + (1 << (HIGH * col)) for col in range(7) if not every & (TOPS & (63 << (HIGH * col)))]
    return [(own ^ every, every | grown) for grown in free]


def layers(most: int = STONES) -> list[Layer]:
    """The positions that are not over, by their number of stones from 0 to `most`."""
    found: list[Layer] = [{key_of(0, 0): (0, 0)}]
    for _ in range(most):
        after = (child for own, every in found[-1].values() for child in children(own, every))
        found.append({key_of(own, every): (own, every) for own, every in after if not won(own ^ every)})
    return found


def derive(layer: Layer, later: dict[int, int], stones: int) -> dict[int, int]:
    """The scores of the positions of `stones` stones from those of one stone more."""
    win = (43 - stones) // 2
    scores = {}
    for key, (own, every) in layer.items():
        after = children(own, every)
        scores[key] = max(win if won(b ^ a) else -later[key_of(a, b)] for a, b in after)
    return scores


def facts(layer: Layer) -> dict[int, int]:
    """The scores of positions by bitbully's search with its book of 12 stones."""
    solver = solver_of_12_stones()
    scores = {}
    for number, (key, (own, every)) in enumerate(layer.items()):
        scores[key] = int(solver.mtdf(board_of(own, every), 0))
        if number % 5000 == 0:
            print(f"{number} of {len(layer)} positions", flush=True)
    return scores


def prove(layer: Layer, scores: dict[int, int], count: int) -> int:
    """How many of `count` random positions our own search gives the same score; each takes a good second at first."""
    table, control = np.zeros(1 << 24, np.uint64), np.array([0, 0, 1 << 62, 0], np.int64)
    rng = np.random.default_rng(8)
    keys = sorted(layer)
    agreed = 0
    for number, at in enumerate(rng.choice(len(keys), count, replace=False)):
        own, every = layer[keys[at]]
        score = exact.score_of(table, control, np.uint64(own), np.uint64(every), exact.LEAST, exact.MOST)
        if score != scores[keys[at]]:
            raise ValueError(f"position {own:#x} of {every:#x}: {scores[keys[at]]} in the book, {score} proved")
        agreed += 1
        if number % 50 == 0:
            print(f"{number} of {count} proved", flush=True)
    return agreed


def write(scores: dict[int, int], *, proved: int) -> None:
    """Writes the book, as the steps from key to key and the scores, and its card."""
    keys = np.array(sorted(scores), np.uint64)
    values = np.array([scores[int(key)] for key in keys], np.int8)
    packed = BytesIO()
    np.savez_compressed(packed, steps=np.diff(keys, prepend=np.uint64(0)), scores=values)
    FOLDER.mkdir(exist_ok=True)
    BOOK.write_bytes(packed.getvalue())
    card = {
        "game": "connect_four, 6 rows, 7 columns, 4 in a row",
        "holds": f"the score (Pons) of all {len(keys)} positions of at most {STONES} stones that are not over; "
        "mirror images share an entry",
        "source": f"positions of {STONES} stones: bitbully 0.0.79 with the 12-ply book of bitbully-databases 0.0.2; "
        "earlier ones by minimax from those",
        "proved again": f"{proved} random positions of {STONES} stones by solvers.kernels.connect_four.exact, equal",
        "made by": "python -m bench.training.connect_four_book",
        "sha256": sha256(packed.getvalue()).hexdigest(),
    }
    CARD.write_text(json.dumps(card, indent=2) + "\n")


def main() -> None:
    """Makes the book."""
    parser = argparse.ArgumentParser(description="make Connect Four's opening book")
    parser.add_argument("--prove", type=int, default=1000, help="how many random entries our own search proves again")
    asked = parser.parse_args()
    started = time.monotonic()
    found = layers()
    scores = later = facts(found[STONES])
    for stones in reversed(range(STONES)):
        later = derive(found[stones], later, stones)
        scores = scores | later
    write(scores, proved=0)
    print(f"{len(scores)} positions after {time.monotonic() - started:.0f} s, {BOOK.stat().st_size} bytes", flush=True)
    proved = prove(found[STONES], scores, asked.prove)
    write(scores, proved=proved)


if __name__ == "__main__":
    main()
