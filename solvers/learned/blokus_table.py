"""A table of values as a player: Blokus on small boards."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.blokus.board import PASS
from games.blokus.position import Blokus
from games.core import Options
from solvers.blokus.players import SmallPacking
from solvers.core import Decision, Limit, Progress
from solvers.kernels.blokus import small
from solvers.kernels.blokus import table as kernel
from solvers.learned.card import Card, ModelError
from solvers.learned.ranking import ranked
from solvers.learned.registry import check_board
from solvers.learned.store import load_once, model_for
from solvers.weights import read_arrays, read_bounded

LOAD = 0.5
"""How full the table is at most when it is read: it is looked up in about 1.5 steps then."""


class Entries(NamedTuple):
    """A table as it is kept: keys uint64[n] in ascending order, values float32[n], and the factor of guesses."""

    keys: NDArray[np.uint64]
    values: NDArray[np.float32]
    factor: float


def write_entries(path: Path | BinaryIO, entries: Entries) -> None:
    """Keep a table: keys as the steps from one to the next, values to three digits."""
    steps = np.diff(entries.keys, prepend=np.uint64(0))
    values = np.round(entries.values * 1000).astype(np.int16)
    np.savez_compressed(path, steps=steps, values=values, factor=np.float64(entries.factor))


def read_entries(path: Path) -> Entries:
    """The table at `path`; raises ModelError where it is none."""
    try:
        data = read_bounded(path)
    except (OSError, ValueError) as error:
        raise ModelError(f"{path} cannot be read: {error}") from error
    return parse_entries(data, str(path))


def parse_entries(data: bytes, where: str = "the file") -> Entries:
    """The table that a file holds; raises ModelError where it holds none."""
    try:
        steps, values, factor = read_arrays(data, "steps", "values", "factor")
    except ValueError as error:
        raise ModelError(f"{where} is no table of values: {error}") from error
    kinds = steps.dtype.kind, values.dtype.kind, factor.dtype.kind
    if kinds != ("u", "i", "f") or steps.ndim != 1 or steps.shape != values.shape or factor.shape != ():
        raise ModelError(f"{where} is no table of values: its arrays have other types or sizes")
    if not np.isfinite(factor) or not steps[1:].all():
        raise ModelError(f"{where} is no table of values: a key stands there twice, or the factor is no number")
    worths = values.astype(np.float32) / np.float32(1000)
    return Entries(np.cumsum(steps, dtype=np.uint64), worths, float(factor))


def spread(entries: Entries, room: int) -> tuple[NDArray[np.uint64], NDArray[np.float32]]:
    """The entries laid out for the kernel: keys uint64[room] and values float32[room], room a power of two."""
    keys, values = np.zeros(room, np.uint64), np.zeros(room, np.float32)
    kernel.lay_out(entries.keys, entries.values, keys, values)
    return keys, values


class _Loaded(NamedTuple):
    board: Options
    keys: NDArray[np.uint64]
    values: NDArray[np.float32]
    factor: float


@dataclass(frozen=True)
class QTablePlayer:
    """Plays the move its table values most; the candidates' scores are those values, from -1, a loss, to 1.

    model: a model's name, or the path of its card or its run; "" for the one that comes with Boardsight for the board.
    """

    model: str = ""

    def decide(self, state: Blokus, limit: Limit = Limit(), *, progress: Progress | None = None) -> Decision:
        """The move of the highest value, the first of equals.

        Raises ValueError where the game is over, and SettingsError and ModelError where no table plays the board.
        """
        if not state.legal_moves():
            raise ValueError("the game is over: there is no move to choose")
        table, packing = self._load(state), SmallPacking()
        rules = packing.rules(state)
        started = time.thread_time()
        width = packing.sizes(state).width
        positions = np.zeros((2, small.WORDS), np.uint64)
        positions[0] = packing.pack(state)
        moves, weights = np.zeros((1, width), np.int32), np.zeros((1, width), np.int64)
        worths = np.zeros(width, np.float32)
        count = kernel.value_moves(rules, positions, 0, moves, weights, table.keys, table.values, table.factor, worths)
        found = [packing.unpack_move(int(move), state) for move in moves[0, :count]]
        assert PASS not in found
        return ranked(found, worths[:count].astype(np.float64), None, time.thread_time() - started)

    def _load(self, state: Any) -> _Loaded:
        from games import find_game

        name = self.model or model_for("blokus", find_game("blokus").options(state), (".npz",))
        loaded = load_once(name, "blokus", _load_table)
        check_board("blokus", loaded.board, state)
        return loaded


def _load_table(card: Card, path: Path) -> _Loaded:
    entries = read_entries(path)
    room = 1 << max(4, int(len(entries.keys) / LOAD).bit_length())
    return _Loaded(card.board, *spread(entries, room), entries.factor)
