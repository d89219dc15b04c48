"""Games a network plays against itself, and what it learns from them: temporal differences over whole games.

Each placement is the one after which the network likes its own side best, with some noise (Tesauro, "Temporal
difference learning and TD-Gammon", 1995), or the one that a small search by the network likes best. What a position
should have been valued at is a mean of the values of those that followed and of the result, weighted by powers of
`trace`; the weights follow by Adam (Kingma and Ba, 2015).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.polyominoes import PIECES
from solvers.kernels.bits import ONE, mixed, popcount
from solvers.kernels.blokus.board import Blokus, colour_of, is_done, is_over, later, pass_on, put, set_up
from solvers.kernels.blokus.guided import GuidedBlokus
from solvers.kernels.blokus.moves import list_moves
from solvers.kernels.blokus.playouts import judge
from solvers.kernels.blokus.rules import promise_of
from solvers.kernels.blokus.value import (
    add_cells,
    add_pieces,
    add_status,
    chance,
    judged,
    odds,
    odds_after,
    pieces_left,
    stage_of,
    survey,
)
from solvers.kernels.jit import jit
from solvers.kernels.mcts import FULL, USED, Tree, grow
from solvers.kernels.rows import add_to_rows, sum_rows

PROMISES = 128
"""Promises are counted up to this."""

MARGIN_SHARE, MARGIN_SCALE = 0.5, 6.0
"""Of a result, see `solvers.kernels.blokus.playouts.judge`."""


class Samples(NamedTuple):
    """Positions after a placement, seen by the colour that made it, and where four play each for itself by all of them.

    planes: uint[n, 2 * colours, lanes].  left: uint32[n, colours], the pieces of each from the one that sees it on.
    views: int8[n, 3], the colour that sees it, after how many turns the next to move comes, and bits of the colours
    that are done, from the one that sees it on.  targets: float32[n], the result of its seat, 0 to 1.
    """

    planes: NDArray[Any]
    left: NDArray[np.uint32]
    views: NDArray[np.int8]
    targets: NDArray[np.float32]


class SelfPlayer(NamedTuple):
    """Who plays against itself: the rules with the network, and the room and the dice it needs.

    tree: the game's position stands in row 0 of its positions.  dice: uint64[1].
    """

    guided: GuidedBlokus
    tree: Tree
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
def _preferred(player: SelfPlayer, counts: NDArray[np.int64], count: int, noise: float, width: int) -> int:
    """Of about `width` to twice as many promising placements, the one the network likes best, give or take noise.

    width 0: the most promising, give or take; what the network says is not asked.
    """
    rules, net, workspace = player.guided.board, player.guided.net, player.guided.workspace
    positions, legal = player.tree.positions, player.tree.legal
    mover = colour_of(rules, positions, 0)
    least = _most_promising(rules, positions, legal, counts, count, np.int64(width * (1.0 + _even(player.dice))))
    best, chosen = -1e9, np.int64(legal[0, 0])
    laid = survey(rules, net, workspace, positions, 0, mover)
    for at in range(count):
        if width and legal[1, at] < least:
            continue
        move = np.int64(legal[0, at])
        worth = -noise * np.log(-np.log(_even(player.dice)))
        if width:
            worth += odds_after(rules, net, workspace, positions, 0, mover, move, laid)
        else:
            worth += np.float64(legal[1, at])
        if worth > best:
            best, chosen = worth, move
    return chosen


@jit
def _searched(player: SelfPlayer, visits: int, exploration: float, draw: int) -> tuple[int, float]:
    """The placement that a search of so many visits went to most often, or one drawn by how often; and its result."""
    tree, dice = player.tree, player.dice
    tree.control[USED], tree.control[FULL] = 1, 0
    tree.counts[0], tree.visits[0], tree.won[0] = -1, 0, 0.0
    grow(player.guided, tree, visits, exploration, 1.0, 0.0)
    best, most = np.int64(tree.firsts[0]), -np.inf
    for child in range(tree.firsts[0], tree.firsts[0] + tree.counts[0]):
        weight = np.log(max(np.float64(tree.visits[child]), 1e-9))
        if draw:
            weight -= np.log(-np.log(_even(dice)))
        if weight > most:
            best, most = child, weight
    return np.int64(tree.moves[best]), tree.won[best] / max(np.float64(tree.visits[best]), 1.0)


@jit
def play_games(
    player: SelfPlayer,
    counts: NDArray[np.int64],
    samples: Samples,
    games: int,
    noise: float,
    trace: float,
    width: int,
    visits: int,
    exploration: float,
) -> int:
    """Plays `games` games, as long as there is room; returns how many samples they gave.

    counts: int64[PROMISES].  noise: of a placement, in the unit of the odds; thrice that in the first two of each
    colour.  In half the games the first one of each colour is drawn at random, in some more of them, and no value
    learns from what came of a random one.  visits, exploration: of a search for each placement, 0 for none.
    """
    rules, dice, positions, legal = player.guided.board, player.dice, player.tree.positions, player.tree.legal
    views = rules.colours if rules.colours > 2 and rules.seats[2] != rules.seats[0] else 1
    filled = 0
    for _ in range(games):
        if filled + views * rules.colours * len(PIECES) > samples.targets.size:
            break
        set_up(rules, positions, 0)
        wild = rules.colours * np.int64(_even(dice) < 0.5)
        if _even(dice) < 0.15:
            wild = np.int64(4 * rules.colours * _even(dice))
        first, placed = filled, 0
        while not is_over(rules, positions, 0):
            mover = colour_of(rules, positions, 0)
            count = 0
            if not is_done(rules, positions, 0, mover):
                count = list_moves(rules, positions, 0, legal)
            if count == 0:
                pass_on(rules, positions, 0)
                continue
            early, said = placed < 2 * rules.colours, -1.0
            if placed < wild:
                move = _random_large(player, count)
            elif visits:
                move, said = _searched(player, visits, exploration, np.int64(early))
            else:
                move = _preferred(player, counts, count, noise * (3.0 if early else 1.0), width)
            put(rules, positions, 0, move)
            placed += 1
            for view in range(views):
                _note(player, samples, filled, mover, view)
                if view == 0 and said >= 0.0:
                    samples.targets[filled] = said
                filled += 1
        judge(rules, positions, 0, player.guided.results, MARGIN_SHARE, MARGIN_SCALE)
        _set_targets(player.guided, samples, first, filled, views, wild, trace)
    return filled


@jit
def _random_large(player: SelfPlayer, count: int) -> int:
    """A listed placement drawn at random, with five squares if one is drawn in time."""
    rules, legal = player.guided.board, player.tree.legal
    move = np.int64(legal[0, 0])
    for _ in range(8):
        move = np.int64(legal[0, np.int64(_even(player.dice) * count)])
        if rules.size_of[move // rules.cells] == 5:
            break
    return move


@jit
def _note(player: SelfPlayer, samples: Samples, at: int, mover: int, view: int) -> None:
    """Writes sample `at`: row 0 after a placement of `mover`, as the colour `view` turns after it sees it.

    What the network says of it is its target for now.
    """
    rules, workspace, positions = player.guided.board, player.guided.workspace, player.tree.positions
    colours = rules.colours
    sees = later(rules, mover, view)
    turn = (1 - view) % colours
    samples.targets[at] = chance(odds(rules, player.guided.net, workspace, positions, 0, sees, turn))
    for plane in range(2 * colours):
        for lane in range(workspace.planes.shape[1]):
            samples.planes[at, plane, lane] = workspace.planes[plane, lane]
    done = 0
    for step in range(colours):
        colour = later(rules, sees, step)
        samples.left[at, step] = pieces_left(rules, positions, 0, colour)
        done |= np.int64(is_done(rules, positions, 0, colour)) << step
    samples.views[at, 0], samples.views[at, 1], samples.views[at, 2] = sees, turn, done


@jit
def _set_targets(
    guided: GuidedBlokus, samples: Samples, first: int, last: int, views: int, wild: int, trace: float
) -> None:
    """Writes the targets of a game, whose results stand in ``guided.results``, from its end to its beginning."""
    results, seats = guided.results, guided.board.seats
    for at in range(last - 1, first - 1, -1):
        seat = seats[samples.views[at, 0]]
        value = np.float64(samples.targets[at])
        samples.targets[at] = results[seat]
        results[seat] = value if at - first < wild * views else trace * results[seat] + (1.0 - trace) * value
        if views == 1:
            results[1 - seat] = 1.0 - results[seat]


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

    slope: float32[units], room.  steps: batches that were learnt from before.  A rate of 0 only measures.
    """
    loss = 0.0
    for first in range(0, order.size, batch):
        last = min(first + batch, order.size)
        for at in range(first, last):
            mirrored = player.guided.board.colours == 2 and _even(player.dice) < 0.5
            loss += _learn_from(player, slope, first_layer, second_layer, samples, order[at], mirrored)
        if rate > 0.0:
            steps += 1
            _step(player.guided.net.rows, first_layer, steps, last - first, rate, 3e-4)
            _step(player.guided.net.heads, second_layer, steps, last - first, rate, 0.0)
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
    rules, net, workspace = player.guided.board, player.guided.net, player.guided.workspace
    colours, sees = rules.colours, np.int64(samples.views[at, 0])
    for plane in range(2 * colours):
        for lane in range(workspace.planes.shape[1]):
            workspace.planes[plane, lane] = samples.planes[at, plane, lane]
    count, laid = add_cells(rules, workspace, sees + colours * np.int64(mirrored)), 0
    for view in range(colours):
        left = np.uint64(samples.left[at, view])
        laid += len(PIECES) - popcount(left)
        count = add_pieces(workspace, view, left, count)
    turn, done = np.int64(samples.views[at, 1]), np.int64(samples.views[at, 2])
    count, stage = add_status(workspace, colours, done, turn, count), stage_of(laid, colours)
    sum_rows(net.rows, workspace.chosen, count, workspace.hidden)
    value = chance(judged(net, workspace, stage))
    target = np.float64(samples.targets[at])
    miss = np.float32(value - target)
    second_layer.gradient[stage, slope.size] += miss
    for unit in range(slope.size):
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
