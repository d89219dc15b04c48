"""Connect Four's opening book: the score of every position of at most 10 stones, and the command that makes it.

``python -m solvers.connect_four.book`` takes the values of the positions of 10 stones from the books of ``bitbully``
(``pip install 'boardsight[book]'``), which are facts of the game, proves a random sample of them again by our own
search, derives all earlier positions from them, and writes the book with its card.
"""

from __future__ import annotations

import argparse
import json
import time
from functools import cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solvers.weights import read_verified

FOLDER = Path(__file__).parents[1] / "books"
BOOK, CARD = FOLDER / "connect_four.npz", FOLDER / "connect_four.json"

STONES = 10
HIGH = 7
BOTTOM = sum(1 << (HIGH * col) for col in range(7))
TOPS = BOTTOM << 5


@cache
def load() -> tuple[NDArray[np.uint64], NDArray[np.int8]]:
    """The keys ``uint64[n]`` in ascending order, and the score ``int8[n]`` of each position for its side to move.

    Raises SettingsError where the file is not the one its card describes.
    """
    remedy = "install boardsight again, or play without it: exact:book=false"
    steps, scores = read_verified(BOOK, CARD, "steps", "scores", remedy=remedy)
    return np.cumsum(steps, dtype=np.uint64), scores


def key_of(own: int, every: int) -> int:
    """The number a position and its mirror image have in the book.

    own, every: the stones of the side to move and all stones, as `solvers.kernels.connect_four.rules` packs them.
    """
    return min(own + every, mirrored(own) + mirrored(every)) + BOTTOM


def mirrored(word: int) -> int:
    """A word of columns with left and right exchanged."""
    return sum(((word >> (HIGH * col)) & 127) << (HIGH * (6 - col)) for col in range(7))


def look_up(own: int, every: int) -> int | None:
    """The score of a position that is not over, None where it has more than 10 stones."""
    if every.bit_count() > STONES:
        return None
    keys, scores = load()
    at = int(np.searchsorted(keys, np.uint64(key_of(own, every))))
    return int(scores[at])


def keys_of(positions: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """`key_of` of many positions, ``uint64[n, 2]``."""
    words = positions[:, 0] + positions[:, 1]  # seven bits a column, which tell whose each stone is
    shifts = [np.uint64(HIGH * col) for col in range(7)]
    turned = np.zeros_like(words)
    for left, right in zip(shifts, shifts[::-1], strict=True):
        turned |= (words >> left & np.uint64(127)) << right
    keys: NDArray[np.uint64] = np.minimum(words, turned) + np.uint64(BOTTOM)
    return keys


def look_up_all(positions: NDArray[np.uint64]) -> NDArray[np.int8]:
    """int8[n]: the scores of positions ``uint64[n, 2]`` that are not over and have at most 10 stones."""
    keys, scores = load()
    found: NDArray[np.int8] = scores[np.searchsorted(keys, keys_of(positions))]
    return found


Layer = dict[int, tuple[int, int]]
"""Key -> one of its positions, as the stones of the side to move and all stones."""


def won(stones: int) -> bool:
    """Whether `stones` hold four in a row."""
    return any((pair := stones & (stones >> step)) & (pair >> 2 * step) for step in (1, 6, 7, 8))


def children(own: int, every: int) -> list[tuple[int, int]]:
    """The positions one move later, for the other side; the side that moved may have won in them."""
    free = [every + (1 << (HIGH * col)) for col in range(7) if not every & (TOPS & (63 << (HIGH * col)))]
    return [(own ^ every, every | grown) for grown in free]


def layers() -> list[Layer]:
    """The positions that are not over, by their number of stones from 0 to 10."""
    found: list[Layer] = [{key_of(0, 0): (0, 0)}]
    for _ in range(STONES):
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
    solver = _bitbully()
    scores = {}
    for number, (key, (own, every)) in enumerate(layer.items()):
        scores[key] = int(solver.mtdf(_bitbully_board(own, every), 0))
        if number % 5000 == 0:
            print(f"{number} of {len(layer)} positions", flush=True)
    return scores


def scores_after(positions: NDArray[np.uint64]) -> NDArray[np.int16]:
    """int16[n, 7]: the score of each column of positions ``uint64[n, 2]`` by bitbully, anything where it is full.

    At once for 10 and 11 stones, whose moves lead to its book of 12. Raises ImportError where it is not installed.
    """
    solver = _bitbully()
    words = positions.tolist()
    return np.array([solver.scoreMoves(_bitbully_board(own, every)) for own, every in words], np.int16).reshape(-1, 7)


def _bitbully() -> Any:
    from bitbully import bitbully_core
    from bitbully_databases import BitBullyDatabases

    return bitbully_core.BitBullyCore(BitBullyDatabases.get_database_path("12-ply-dist"))


def _bitbully_board(own: int, every: int) -> Any:
    from bitbully import bitbully_core

    board = bitbully_core.BoardCore()
    first = own if every.bit_count() % 2 == 0 else own ^ every
    bits = [[1 << (HIGH * col + row) for row in range(6)] for col in range(7)]
    kinds = [[0 if not every & bit else 1 if first & bit else 2 for bit in column] for column in bits]
    if not board.setBoard(kinds):
        raise ValueError(f"bitbully refuses the position {own:#x} of {every:#x}")
    return board


def prove(layer: Layer, scores: dict[int, int], count: int) -> int:
    """How many of `count` random positions our own search gives the same score; each takes a good second at first."""
    from solvers.kernels.connect_four import exact

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
        "made by": "python -m solvers.connect_four.book",
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
