"""Tabular Q-learning of Blokus on small boards, against a random player or one that looks ahead and errs now and then.

A move's Q-value stands under the position the move leads to, so that moves which lead to the same one share it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from games import find_game
from games.core import Options, SettingsError
from solvers.blokus.players import SmallPacking
from solvers.kernels.alphabeta import allocate
from solvers.kernels.blokus import small
from solvers.learned.blokus_table import Entries, spread, write_entries
from solvers.learned.card import Figure, add_figures
from solvers.training.kernels import blokus as kernel
from solvers.training.networks import falling_chance
from solvers.training.run import TrainingRun

CHUNK = 5_000
"""Episodes between two looks at the clock: a few seconds."""

TRIALS = 2_000
"""Games without chance or learning that a logged win rate comes from: three points of 95% interval."""

GAMES = 10_000
"""Games for the card: half in each seat, half a point of 95% interval."""

KEPT = ("keys", "values", "visits", "rival_keys", "rival_moves")
"""The arrays of a checkpoint."""

USUAL_BUDGET = 500_000
"""Episodes, as in the dissertation."""


@dataclass(frozen=True, slots=True)
class QLearningSettings:
    """rival: "random", or "minimax", which looks `depth` plies ahead but plays by chance with `rival_chance`.

    first, last: chance of a random move, falling evenly over the share `decay` of the episodes.
    rate: of updates, at least; an entry's first ones average.  discount: of later results.
    factor: how much is thought of positions that are not in the table, by the static evaluation; 0 for nothing.
    seat: 0 or 1 to learn one side alone, 2 for both in turn.
    room: entries the table has room for, as a power of two.  keep: entries with fewer updates are not kept.
    """

    rival: str = "random"
    depth: int = 2
    rival_chance: float = 0.1
    first: float = 1.0
    last: float = 0.05
    decay: float = 0.8
    rate: float = 0.1
    discount: float = 1.0
    factor: float = 0.5
    seat: int = 2
    room: int = 22
    keep: int = 2


class Work(NamedTuple):
    """What the episodes need: the packed rules, the start, the table and the rival."""

    rules: small.SmallBlokus
    start: NDArray[np.uint64]
    table: kernel.Table
    rival: kernel.Rival


def learn(run: TrainingRun, settings: QLearningSettings) -> None:
    """Play the episodes, and leave the table and its card; raises SettingsError where the table is full."""
    episodes = run.plan.budget or USUAL_BUDGET
    work, done = _begin(run, settings)
    with run.progress(episodes, done, "episodes"):
        while done < episodes:
            count = min(CHUNK, episodes - done)
            shares = play(work, _lesson(settings, done / episodes), count, run.plan.seed * 1_000_003 + done)
            if sum(map(sum, shares)) < count:
                raise SettingsError(f"the table of 2^{settings.room} entries is full: set a larger room")
            done += count
            known = int((work.table.keys != 0).sum())
            run.log(done, learning=share_of(shares, 0, 1), entries=known)
            if run.due() or done == episodes:
                _log_trial(run, settings, work, done)
                run.save(done=done, **_tensors(work))
    add_figures(_finish(run, settings, work, episodes), list(_figures(run, settings, work)))


def leave(run: TrainingRun, settings: QLearningSettings) -> None:
    """Leave the table of the latest checkpoint and its card, without figures, which take 80,000 games."""
    _finish(run, settings, *_begin(run, settings))


def _finish(run: TrainingRun, settings: QLearningSettings, work: Work, episodes: int) -> Path:
    entries = _kept(work.table, settings)
    write_entries(run.out / "model.npz", entries)
    note = f"{len(entries.keys):,} positions updated at least {settings.keep} times"
    return run.finish("model.npz", budget=f"{episodes:,} episodes", note=note)


def prepare(board: Options, settings: QLearningSettings) -> Work:
    """An empty table and its rival; raises SettingsError for a board or a rival that there is none for."""
    if settings.rival not in ("random", "minimax"):
        raise SettingsError(f"no rival is called {settings.rival!r}: choose random or minimax")
    packing = SmallPacking()
    state = find_game("blokus").deal(np.random.default_rng(0), board)
    rules = packing.rules(state)
    room = 1 << settings.room
    rival = kernel.Rival(
        memory=allocate(**packing.sizes(state)._asdict(), table_bytes=1),
        keys=np.zeros(room, np.uint64),
        moves=np.zeros(room, np.int32),
        depth=settings.depth if settings.rival == "minimax" else 0,
        chance=settings.rival_chance,
    )
    table = kernel.Table(np.zeros(room, np.uint64), np.zeros(room, np.float32), np.zeros(room, np.int32))
    return Work(rules, packing.pack(state), table, rival)


def _begin(run: TrainingRun, settings: QLearningSettings) -> tuple[Work, int]:
    """The table as far as it was learned, and after how many episodes."""
    work = prepare(run.plan.board, settings)
    if not run.resuming:
        return work, 0
    kept, room = run.load(), 1 << settings.room
    keys, values, visits, met, moves = (kept[name].numpy() for name in KEPT)
    table = kernel.Table(*_spread(keys, values, room), _spread(keys, visits.view(np.float32), room)[1].view(np.int32))
    known, replies = _spread(met, moves.view(np.float32), room)
    rival = work.rival._replace(keys=known, moves=replies.view(np.int32))
    return work._replace(table=table, rival=rival), kept["done"]


def _spread(keys: NDArray[np.int64], values: NDArray[np.float32], room: int) -> tuple[Any, Any]:
    """Entries of a checkpoint, int64[n] and 32 bits each, laid out again: uint64[room] and those 32 bits as float32."""
    return spread(Entries(keys.view(np.uint64), values, 0.0), room)


def _lesson(settings: QLearningSettings, progress: float) -> kernel.Lesson:
    """How the learner plays once that share of the episodes is over."""
    chance = falling_chance(settings.first, settings.last, settings.decay, progress)
    return kernel.Lesson(chance, settings.rate, settings.discount, settings.factor, settings.seat)


def play(work: Work, lesson: kernel.Lesson, episodes: int, seed: int) -> list[list[int]]:
    """Play episodes; returns wins, draws and losses as the first and as the second player."""
    results = np.zeros((2, 3), np.int64)
    kernel.play_episodes(work.rules, work.start, work.table, work.rival, lesson, episodes, seed, results)
    found: list[list[int]] = results.tolist()
    return found


def share_of(results: list[list[int]], *seats: int) -> float:
    """The share of the points in those seats."""
    won = sum(results[seat][0] + results[seat][1] / 2 for seat in seats)
    return won / max(1, sum(sum(results[seat]) for seat in seats))


def _log_trial(run: TrainingRun, settings: QLearningSettings, work: Work, done: int) -> None:
    """How it does when it neither learns nor plays by chance, against the rival it learns from and a random one."""
    lesson = kernel.Lesson(0.0, 0.0, settings.discount, settings.factor, 2)
    figures: dict[str, float] = {}
    for name, rival in (("random", work.rival._replace(depth=0)), ("rival", work.rival)):
        results = play(work._replace(rival=rival), lesson, TRIALS, run.plan.seed * 1_000_003 + 500_000)
        figures |= {f"{name}_first": share_of(results, 0), f"{name}_second": share_of(results, 1)}
    run.log(done, **figures)


def _figures(run: TrainingRun, settings: QLearningSettings, work: Work) -> Iterator[Figure]:
    """Games without chance or learning for the card, beside those of an empty table, which plays by its guesses."""
    lesson = kernel.Lesson(0.0, 0.0, settings.discount, settings.factor, 2)
    nothing = kernel.Table(np.zeros(2, np.uint64), np.zeros(2, np.float32), np.zeros(2, np.int32))
    empty = work._replace(table=nothing)
    rivals = {"random": work.rival._replace(depth=0)}
    if settings.rival == "minimax":
        chance = f"{settings.rival_chance:.0%} of its moves by chance"
        rivals |= {f"alpha-beta of {settings.depth} plies, {chance}": work.rival}
    for player, played in (("", work), ("no table, guesses alone: ", empty)):
        for name, rival in rivals.items():
            results = play(played._replace(rival=rival), lesson, GAMES, run.plan.seed * 1_000_003 + 600_000)
            for (won, drawn, lost), seat in zip(results, ("first", "second"), strict=True):
                games = won + drawn + lost
                yield Figure(f"{player}{name}, moving {seat}", games, won, drawn, lost, run.plan.command)


def _tensors(work: Work) -> dict[str, Any]:
    """The entries in use, for a checkpoint."""
    table, rival = work.table, work.rival
    used, met = table.keys != 0, rival.keys != 0
    parts = (
        table.keys[used].view(np.int64),
        table.values[used],
        table.visits[used],
        rival.keys[met].view(np.int64),
        rival.moves[met],
    )
    return {name: torch.from_numpy(part) for name, part in zip(KEPT, parts, strict=True)}


def _kept(table: kernel.Table, settings: QLearningSettings) -> Entries:
    chosen = table.visits >= settings.keep
    order = np.argsort(table.keys[chosen])
    return Entries(table.keys[chosen][order], table.values[chosen][order], settings.factor)
