"""Positions of Quoridor with what a search says of them, and how the games went that they are from."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.kernels.alphabeta import AGE, NODE_LIMIT, NODES, STOP, Memory, search
from solvers.kernels.bits import ONE, below, lowest, mixed, rolled
from solvers.kernels.jit import jit
from solvers.kernels.quoridor.board import (
    CELLS,
    KEY,
    LENGTHS,
    STATUS,
    WIN,
    WORDS,
    H,
    Quoridor,
    V,
    left_of,
    length_of,
    pawn_of,
    quiet_of,
    side_of,
    with_history,
)
from solvers.kernels.quoridor.network import CELLS as PLACES
from solvers.kernels.quoridor.network import FACTS, H_WALLS, ROWS, V_WALLS, stage_of
from solvers.kernels.quoridor.rules import CLOSING, CUT, NEAR, ON_PATH
from solvers.kernels.rules import SCORE_LIMIT, bounds, evaluate, generate, play, refine

LONGEST = 160
"""Plies after which a game is drawn."""

MOST_OPENING = 10
"""A game begins with 2 to that many plies drawn by chance."""

OFTEN_ASIDE = 160
"""The chance, in 256, that from a position of a game another is reached by 1 to 3 moves of chance and judged as well:
searches see many that no good game does."""

WINDOW = 60
"""Half the first window of a search."""

MOST_WALLS = 20
"""Walls that a network is shown."""

DECIDED = WIN // 2
"""Scores beyond are of games that are won."""

WON, DRAWN, LOST, OPEN, ASIDE = 1, 0, -1, 2, 3
"""How the game went for the side to move; open: the position is of no game, or the game is not over, unlike aside."""


class JudgedPositions(NamedTuple):
    """Room for what is found.

    positions: uint64[n, WORDS].  scores: int16[n], of searches, for the side to move.  results: int8[n].
    moves: int16[n], what the searches would play.
    history: uint64[LONGEST + 1], aside: uint64[1, WORDS], to work in.
    """

    positions: NDArray[np.uint64]
    scores: NDArray[np.int16]
    results: NDArray[np.int8]
    moves: NDArray[np.int16]
    history: NDArray[np.uint64]
    aside: NDArray[np.uint64]


def room_for(count: int) -> JudgedPositions:
    """Room for so many."""
    return JudgedPositions(
        np.zeros((count, WORDS), np.uint64),
        np.zeros(count, np.int16),
        np.zeros(count, np.int8),
        np.zeros(count, np.int16),
        np.zeros(LONGEST + 1, np.uint64),
        np.zeros((1, WORDS), np.uint64),
    )


@jit(arrays=True)
def judge(rules: Quoridor, memory: Memory, nodes: int) -> tuple[int, bool]:
    """The score of row 0 by the deepest search that `nodes` positions allow, and whether it is proven.

    The first of ``memory.lines[0]`` is the move; it is the one of the last search that was finished, or begun.
    """
    control = memory.control
    control[STOP], control[NODES], control[NODE_LIMIT] = 0, 0, nodes
    control[AGE] = (control[AGE] + 1) % 64
    for ply in range(memory.killers.shape[0]):
        memory.killers[ply, 0] = memory.killers[ply, 1] = -1
    score: int = np.int64(0)
    for depth in range(1, 60):
        low: int = np.int64(WINDOW)
        high: int = np.int64(WINDOW)
        while True:
            alpha: int = np.int64(max(score - low, -SCORE_LIMIT))
            beta: int = np.int64(min(score + high, SCORE_LIMIT))
            if depth == 1:
                alpha, beta = np.int64(-SCORE_LIMIT), np.int64(SCORE_LIMIT)
            found, proven = search(rules, memory, 0, depth, alpha, beta)
            if control[STOP] != 0 and depth > 1:
                return score, False
            if found <= alpha and alpha > -SCORE_LIMIT:
                low *= 4
            elif found >= beta and beta < SCORE_LIMIT:
                high *= 4
            else:
                break
        score = found
        if proven:
            return score, True
        if control[STOP] != 0:
            return score, False
    return score, False


@jit(arrays=True)
def _drawn_move(rules: Quoridor, memory: Memory, ply: int, dice: np.uint64) -> int:
    """A move of chance: half of them steps, the others mostly walls that matter; -1 where there is none."""
    count = generate(rules, memory.positions, ply, memory.moves, memory.weights)
    if count == 0:
        return -1
    kind = below(dice, 8)
    least = ON_PATH - CLOSING if kind < 3 else CUT - CLOSING if kind < 6 else NEAR - CLOSING if kind < 7 else 0
    dice = rolled(dice)
    chosen, seen = np.int64(-1), 0
    for at in range(count):
        if memory.weights[ply, at] >= least:
            seen += 1
            dice = rolled(dice)
            if below(dice, seen) == 0:
                chosen = np.int64(memory.moves[ply, at])
    if chosen < 0:
        chosen = np.int64(memory.moves[ply, below(dice, count)])
    return chosen


@jit(arrays=True)
def _rolled_on(dice: np.uint64) -> np.uint64:
    """Dice that share nothing with those that drew a move before."""
    for _ in range(8):
        dice = rolled(dice)
    return dice


@jit(arrays=True)
def _advance(rules: Quoridor, memory: Memory, move: int) -> None:
    """Makes row 0 the position after the move."""
    play(rules, memory.positions, 0, move)
    _copy(memory.positions, 1, memory.positions, 0)


@jit(arrays=True)
def _copy(positions: NDArray[np.uint64], row: int, others: NDArray[np.uint64], other: int) -> None:
    for word in range(WORDS):
        others[other, word] = positions[row, word]


@jit(arrays=True)
def _advance_game(rules: Quoridor, memory: Memory, history: NDArray[np.uint64], length: int, move: int) -> int:
    """As `_advance`; keeps the positions since the last wall, of which there were `length`, and returns how many."""
    history[length] = memory.positions[0, KEY]
    _advance(rules, memory, move)
    return 0 if quiet_of(memory.positions[0, STATUS]) == 0 else length + 1


@jit(arrays=True)
def _note(examples: JudgedPositions, count: int, memory: Memory, score: int, result: int) -> int:
    """Notes row 0, which was judged last, behind `count` examples; returns how many there are then."""
    _copy(memory.positions, 0, examples.positions, count)
    examples.scores[count], examples.results[count] = score, result
    examples.moves[count] = memory.lines[0, 0]
    return count + 1


@jit(arrays=True)
def _is_over(rules: Quoridor, memory: Memory) -> bool:
    low, high = bounds(rules, memory.positions, 0)
    return low == high or low > -WIN or high < WIN - 1


@jit(arrays=True)
def _winner(rules: Quoridor, memory: Memory) -> int:
    """Who has won where `_is_over`."""
    side = side_of(memory.positions[0, STATUS])
    return side if bounds(rules, memory.positions, 0)[0] > 0 else 1 - side


@jit(arrays=True)
def _judge_aside(
    rules: Quoridor, memory: Memory, examples: JudgedPositions, count: int, nodes: int, dice: np.uint64
) -> int:
    """Notes a position 1 to 3 moves of chance from row 0, which stays, unless the game is over there."""
    _copy(memory.positions, 0, examples.aside, 0)
    for _ in range(1 + below(dice, 3)):
        dice = rolled(dice)
        move = _drawn_move(rules, memory, 0, dice)
        dice = _rolled_on(dice)
        if move >= 0:
            _advance(rules, memory, move)
    if not _is_over(rules, memory):
        score = judge(rules, memory, nodes)[0]
        count = _note(examples, count, memory, score, ASIDE)
    _copy(examples.aside, 0, memory.positions, 0)
    return count


@jit
def play_games(
    rules: Quoridor, memory: Memory, start: NDArray[np.uint64], examples: JudgedPositions, nodes: int, seed: int
) -> int:
    """Plays games against itself from `start`, uint64[1, WORDS], while there is room; returns how many were noted.

    Each move is searched for `nodes` positions, between half and one and a half of it.
    """
    dice = mixed(np.uint64(seed))
    room, count, history = examples.scores.shape[0], 0, examples.history
    bare = with_history(rules, history[:0])
    while count + 2 * LONGEST < room:
        _copy(start, 0, memory.positions, 0)
        first, length, winner = count, 0, -1
        dice = rolled(dice)
        opening = 2 + below(dice, MOST_OPENING - 1)
        for ply in range(LONGEST):
            if _is_over(bare, memory):
                winner = _winner(bare, memory)
                break
            dice = rolled(dice)
            if ply < opening:
                move = _drawn_move(bare, memory, 0, dice)
                dice = _rolled_on(dice)
            else:
                asked = nodes // 2 + below(dice, nodes)
                score, proven = judge(with_history(rules, history[:length]), memory, asked)
                move = np.int64(memory.lines[0, 0])
                count = _note(examples, count, memory, score, OPEN)
                if proven and score != 0:
                    side = side_of(memory.positions[0, STATUS])
                    winner = side if score > 0 else 1 - side
                    break
                dice = rolled(dice)
                if below(dice, 256) < OFTEN_ASIDE:
                    dice = rolled(dice)
                    count = _judge_aside(bare, memory, examples, count, nodes, dice)
                    dice = _rolled_on(dice)
            length = _advance_game(bare, memory, history, length, move)
        for at in range(first, count):
            if examples.results[at] == ASIDE:
                examples.results[at] = OPEN
            elif winner < 0:
                examples.results[at] = DRAWN
            else:
                examples.results[at] = WON if side_of(examples.positions[at, STATUS]) == winner else LOST
    return count


@jit
def play_match(
    rules: tuple[Quoridor, Quoridor],
    memories: tuple[Memory, Memory],
    start: NDArray[np.uint64],
    examples: JudgedPositions,
    nodes: NDArray[np.int64],
    first: int,
    seed: int,
) -> int:
    """A game of two evaluations, which search ``nodes: int64[2]`` positions a move; returns who won, -1 for neither.

    first: which of them moves first, after an opening that depends on `seed` alone.
    """
    dice = mixed(np.uint64(seed))
    memory, history = memories[0], examples.history
    _copy(start, 0, memory.positions, 0)
    bare = with_history(rules[0], history[:0])
    opening, length = 2 + below(dice, MOST_OPENING - 1), 0
    for ply in range(LONGEST):
        if _is_over(bare, memory):
            return _winner(bare, memory) ^ first
        if ply < opening:
            dice = rolled(dice)
            move = _drawn_move(bare, memory, 0, dice)
            dice = _rolled_on(dice)
        else:
            who = side_of(memory.positions[0, STATUS]) ^ first
            own = memories[1] if who else memory
            if who:
                _copy(memory.positions, 0, own.positions, 0)
            mover = with_history(rules[1] if who else rules[0], history[:length])
            score, proven = judge(mover, own, nodes[who])
            if proven and score != 0:
                return who if score > 0 else 1 - who
            move = np.int64(own.lines[0, 0])
        length = _advance_game(bare, memory, history, length, move)
    return -1


@jit
def describe(
    plain: Quoridor,
    seeing: Quoridor,
    positions: NDArray[np.uint64],
    chosen: NDArray[np.int16],
    scores: NDArray[np.int32],
    stages: NDArray[np.int8],
) -> None:
    """What a network is shown of positions.

    plain, seeing: rules without a network, and with one, whatever it says.
    chosen: int16[n, FACTS + MOST_WALLS], the rows of its first layer, ROWS where there are less.
    scores: int32[n], what is to be corrected.  stages: int8[n], which second layer serves.
    """
    network = seeing.network
    for at in range(positions.shape[0]):
        guess = np.int64(evaluate(plain, positions, at))
        scores[at] = refine(plain, positions, at, guess, guess, guess)
        refine(seeing, positions, at, guess, guess, guess)
        status = positions[at, STATUS]
        side = side_of(status)
        stages[at] = stage_of(left_of(status, 0), left_of(status, 1))
        for fact in range(FACTS):
            chosen[at, fact] = network.facts[side, fact]
        count = FACTS
        for word in range(4):
            bits = network.walls[side, word]
            while bits and count < FACTS + MOST_WALLS:
                wall = network.flips[2 + side, 64 * (word % 2) + lowest(bits)]
                bits &= bits - ONE
                chosen[at, count] = (V_WALLS if word >= 2 else H_WALLS) + wall
                count += 1
        for rest in range(count, FACTS + MOST_WALLS):
            chosen[at, rest] = ROWS


class ListedMoves(NamedTuple):
    """The moves of positions, and what an order of moves sees of them.

    kinds: int64[n, width], what they weigh without an order; -1 << 62 behind the last.
    walls: int16[n, width], the wall's place in ``PathsNetwork.places``, -1 for a step.
    pawns: int16[n, 2], the mover's and the rival's, as the mover sees them.
    longer: int8[n, width, 2], by how much the mover's way and the rival's become longer.
    played: int16[n], which of them was played, -1 for none.
    """

    kinds: NDArray[np.int64]
    walls: NDArray[np.int16]
    pawns: NDArray[np.int16]
    longer: NDArray[np.int8]
    played: NDArray[np.int16]


NO_MOVE = -(1 << 62)


@jit
def list_moves(
    plain: Quoridor,
    seeing: Quoridor,
    memory: Memory,
    positions: NDArray[np.uint64],
    moves: NDArray[np.int16],
    listed: ListedMoves,
) -> None:
    """Fills `listed`; plain, seeing: as for `describe`; moves: what was played."""
    flips = seeing.network.flips
    for at in range(positions.shape[0]):
        _copy(positions, at, memory.positions, 0)
        status, lengths = positions[at, STATUS], positions[at, LENGTHS]
        side = side_of(status)
        for seat in range(2):
            listed.pawns[at, seat] = flips[side, pawn_of(status, side ^ seat)]
        listed.played[at] = -1
        for place in range(listed.kinds.shape[1]):
            listed.kinds[at, place] = NO_MOVE
        for place in range(generate(plain, memory.positions, 0, memory.moves, memory.weights)):
            move = np.int64(memory.moves[0, place])
            listed.kinds[at, place] = memory.weights[0, place]
            listed.walls[at, place] = -1
            if move >= H:
                listed.walls[at, place] = flips[2 + side, move % CELLS] + (PLACES if move >= V else 0)
            if move == moves[at]:
                listed.played[at] = place
            play(plain, memory.positions, 0, move)
            after = memory.positions[1, LENGTHS]
            for seat in range(2):
                listed.longer[at, place, seat] = length_of(after, side ^ seat) - length_of(lengths, side ^ seat)
