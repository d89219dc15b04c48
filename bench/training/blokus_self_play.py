"""Games a network plays against itself, and what it learns from them: temporal differences over whole games.

Each placement is the one after which the network likes its own side best, with some noise (Tesauro, "Temporal
difference learning and TD-Gammon", 1995). What a position should have been valued at is a mean of the values of those
that followed and of the result, weighted by powers of `trace`; the weights follow by Adam (Kingma and Ba, 2015).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.training.blokus_sketch import answer, choose_rows, odds
from solvers.kernels.bits import ONE, mixed
from solvers.kernels.blokus.board import Blokus, colour_of, is_done, is_over, pass_on, points_of, put, set_up
from solvers.kernels.blokus.moves import list_moves
from solvers.kernels.blokus.rules import promise_of
from solvers.kernels.blokus.value import (
    PLANES,
    Net,
    Workspace,
    chance,
    odds_after,
    pieces_left,
    stage_of,
    survey,
)
from solvers.kernels.jit import jit
from solvers.kernels.rows import UNITS, add_to_rows

MOST_PLACED = 42
"""Samples a game gives at most."""

PROMISES = 128
"""Promises are counted up to this."""

MARGIN_SCALE = 6.0
"""Squares of margin that count as much as the odds 1 to 2.7."""


class Samples(NamedTuple):
    """Positions after a placement, seen by the colour that made it.

    sketches: uint16[n, side * PLANES].  left: uint32[n, 2], the pieces of either.  flags: int8[n], 4 for the second
    colour, plus 1 if the mover is done and 2 if the other is.  targets: float32[n], the mover's results, 0 to 1.
    """

    sketches: NDArray[np.uint16]
    left: NDArray[np.uint32]
    flags: NDArray[np.int8]
    targets: NDArray[np.float32]


class SelfPlayer(NamedTuple):
    """Who plays against itself: the rules, the network, and the room and the dice it needs.

    words: uint64[side * PLANES], room for a sketch.  dice: uint64[1].
    """

    rules: Blokus
    net: Net
    workspace: Workspace
    words: NDArray[np.uint64]
    dice: NDArray[np.uint64]


class Slopes(NamedTuple):
    """What Adam keeps of each weight: the gradient of this batch, its running mean and the mean of its square."""

    gradient: NDArray[np.float32]
    mean: NDArray[np.float32]
    square: NDArray[np.float32]


@jit
def _even(dice: NDArray[np.uint64]) -> float:
    """Between 0 and 1."""
    dice[0] += ONE
    return (np.float64(mixed(dice[0]) >> np.uint64(11)) + 0.5) / 9007199254740992.0


@jit
def _result(margin: float) -> float:
    """What a margin is worth, from 0 to 1: who won, and by how much."""
    won = 1.0 if margin > 0.0 else 0.5 if margin == 0.0 else 0.0
    return 0.5 * won + 0.5 * chance(margin / MARGIN_SCALE)


@jit
def _most_promising(
    rules: Blokus,
    positions: NDArray[np.uint64],
    legal: NDArray[np.int32],
    counts: NDArray[np.int64],
    count: int,
    wanted: int,
) -> int:
    """Writes the promise of each listed placement to row 1 of `legal`; returns one that about `wanted` reach."""
    counts[:] = 0
    for at in range(count):
        promise = min(max(promise_of(rules, positions, 0, np.int64(legal[0, at])), 0), PROMISES - 1)
        legal[1, at] = promise
        counts[promise] += 1
    reached = 0
    for promise in range(PROMISES - 1, -1, -1):
        reached += counts[promise]
        if reached >= wanted:
            return promise
    return 0


@jit
def _preferred(
    player: SelfPlayer,
    positions: NDArray[np.uint64],
    legal: NDArray[np.int32],
    counts: NDArray[np.int64],
    count: int,
    noise: float,
    width: int,
) -> int:
    """Of about `width` to twice as many promising placements, the one the network likes best, give or take noise.

    width 0: the most promising, give or take; what the network says is not asked.
    """
    mover = colour_of(player.rules, positions, 0)
    least = _most_promising(player.rules, positions, legal, counts, count, np.int64(width * (1.0 + _even(player.dice))))
    best, chosen = -1e9, np.int64(legal[0, 0])
    survey(player.rules, player.net, player.workspace, positions, 0, mover)
    for at in range(count):
        if width and legal[1, at] < least:
            continue
        move = np.int64(legal[0, at])
        worth = -noise * np.log(-np.log(_even(player.dice)))
        if width:
            worth += odds_after(player.rules, player.net, player.workspace, positions, 0, mover, move)
        else:
            worth += np.float64(legal[1, at])
        if worth > best:
            best, chosen = worth, move
    return chosen


@jit
def play_games(
    player: SelfPlayer,
    positions: NDArray[np.uint64],
    legal: NDArray[np.int32],
    counts: NDArray[np.int64],
    samples: Samples,
    games: int,
    noise: float,
    trace: float,
    width: int,
) -> int:
    """Plays `games` games of two colours, as long as there is room; returns how many samples they gave.

    positions: uint64[1, words].  legal: int32[2, moves].  counts: int64[PROMISES].
    noise: of a placement, in the unit of the odds; thrice that in the first four.  In half the games the first two
    are drawn at random, in some more of them, and no value learns from what came of a random one.
    """
    rules, dice = player.rules, player.dice
    filled = 0
    for _ in range(games):
        if filled + MOST_PLACED > samples.targets.size:
            break
        set_up(rules, positions, 0)
        wild = np.int64(8 * _even(dice)) if _even(dice) < 0.15 else 2 * np.int64(_even(dice) < 0.5)
        first = filled
        while not is_over(rules, positions, 0):
            mover = colour_of(rules, positions, 0)
            count = 0
            if not is_done(rules, positions, 0, mover):
                count = list_moves(rules, positions, 0, legal)
            if count == 0:
                pass_on(rules, positions, 0)
                continue
            placed = filled - first
            if placed < wild:
                move = _random_large(player, legal, count)
            else:
                heat = noise * (3.0 if placed < 4 else 1.0)
                move = _preferred(player, positions, legal, counts, count, heat, width)
            put(rules, positions, 0, move)
            _note(player, positions, samples, filled, mover)
            filled += 1
        margin = np.float64(points_of(rules, positions, 0, 0) - points_of(rules, positions, 0, 1))
        _judge(samples, first, filled, wild, _result(margin), trace)
    return filled


@jit
def _random_large(player: SelfPlayer, legal: NDArray[np.int32], count: int) -> int:
    """A listed placement drawn at random, with five squares if one is drawn in time."""
    move = np.int64(legal[0, 0])
    for _ in range(8):
        move = np.int64(legal[0, np.int64(_even(player.dice) * count)])
        if player.rules.size_of[move // player.rules.cells] == 5:
            break
    return move


@jit
def _note(
    player: SelfPlayer,
    positions: NDArray[np.uint64],
    samples: Samples,
    at: int,
    mover: int,
) -> None:
    """Writes sample `at`: row 0 after a placement of `mover`, with what the network says of it for its target."""
    rules, words = player.rules, player.words
    samples.targets[at] = chance(odds(rules, player.net, player.workspace, words, positions, 0, mover))
    for place in range(PLANES * rules.side):
        samples.sketches[at, place] = words[place]
    samples.left[at, 0] = pieces_left(rules, positions, 0, mover)
    samples.left[at, 1] = pieces_left(rules, positions, 0, 1 - mover)
    done = np.int64(is_done(rules, positions, 0, mover)) + 2 * np.int64(is_done(rules, positions, 0, 1 - mover))
    samples.flags[at] = 4 * mover + done


@jit
def _judge(samples: Samples, first: int, last: int, wild: int, result: float, trace: float) -> None:
    """Writes the targets of a game whose `result` is that of colour 0, from its end to its beginning."""
    for at in range(last - 1, first - 1, -1):
        second = samples.flags[at] >= 4
        value = 1.0 - samples.targets[at] if second else np.float64(samples.targets[at])
        samples.targets[at] = 1.0 - result if second else result
        result = value if at - first < wild else trace * result + (1.0 - trace) * value


@jit
def learn(
    player: SelfPlayer,
    slope: NDArray[np.float32],
    first_layer: Slopes,
    second_layer: Slopes,
    samples: Samples,
    order: NDArray[np.int64],
    steps: int,
    batch: int,
    rate: float,
) -> float:
    """Goes through the samples in `order` once, mirrored or not by chance; returns the mean loss (cross entropy).

    slope: float32[UNITS], room.  steps: batches that were learnt from before.  A rate of 0 only measures.
    """
    loss = 0.0
    for first in range(0, order.size, batch):
        last = min(first + batch, order.size)
        for at in range(first, last):
            loss += _learn_from(player, slope, first_layer, second_layer, samples, order[at], _even(player.dice) < 0.5)
        if rate > 0.0:
            steps += 1
            _step(player.net.rows, first_layer, steps, last - first, rate, 3e-4)
            _step(player.net.heads, second_layer, steps, last - first, rate, 0.0)
    return loss / max(order.size, 1)


@jit
def _learn_from(
    player: SelfPlayer,
    slope: NDArray[np.float32],
    first_layer: Slopes,
    second_layer: Slopes,
    samples: Samples,
    at: int,
    mirrored: bool,
) -> float:
    """Adds the gradients of one sample; returns its loss."""
    rules, net, workspace, words = player.rules, player.net, player.workspace, player.words
    for place in range(PLANES * rules.side):
        words[place] = samples.sketches[at, place]
    own, other = np.uint64(samples.left[at, 0]), np.uint64(samples.left[at, 1])
    flags, stage = np.int64(samples.flags[at]), stage_of(own, other)
    count = choose_rows(rules, words, own, other, flags & 3, flags >= 4, mirrored, workspace.chosen)
    value = chance(answer(net, workspace, count, stage))
    target = np.float64(samples.targets[at])
    miss = np.float32(value - target)
    second_layer.gradient[stage, UNITS] += miss
    for unit in range(UNITS):
        slope[unit] = np.float32(0)
        if workspace.hidden[unit] > np.float32(0):
            slope[unit] = miss * net.heads[stage, unit]
            second_layer.gradient[stage, unit] += miss * workspace.hidden[unit]
    add_to_rows(first_layer.gradient, workspace.chosen, count, slope)
    return -target * np.log(max(value, 1e-9)) - (1.0 - target) * np.log(max(1.0 - value, 1e-9))


@jit
def _step(weights: NDArray[np.float32], slopes: Slopes, steps: int, batch: int, rate: float, decay: float) -> None:
    """One step of Adam with its usual constants, and a pull of `decay` towards 0; empties the gradient."""
    mean_scale = np.float32(1.0 / (1.0 - 0.9**steps))
    square_scale = np.float32(1.0 / (1.0 - 0.999**steps))
    scale, pace, pull = np.float32(1.0 / batch), np.float32(rate), np.float32(decay)
    for row in range(weights.shape[0]):
        for unit in range(weights.shape[1]):
            slope = slopes.gradient[row, unit] * scale
            slopes.gradient[row, unit] = np.float32(0)
            mean = np.float32(0.9) * slopes.mean[row, unit] + np.float32(0.1) * slope
            square = np.float32(0.999) * slopes.square[row, unit] + np.float32(0.001) * slope * slope
            slopes.mean[row, unit], slopes.square[row, unit] = mean, square
            going = mean * mean_scale / (np.sqrt(square * square_scale) + np.float32(1e-8))
            weights[row, unit] -= pace * (going + pull * weights[row, unit])
