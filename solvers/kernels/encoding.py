"""What a network sees of packed positions, and how its outputs number packed moves, for many positions a call.

Both are those of the readable encoders in `solvers.learned.registry`, which tests hold them against: seen from the side
to move, the board turned so that its own row or corner lies where the first player's does.

A game offers `encode` and `action` for its packed rules as it offers the hooks of `solvers.kernels.rules`. What the
encoder knows and the rules do not comes along as numbers (``facts: int64[n]``), named by the constants of each game.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from solvers.kernels.jit import jit

Words = NDArray[np.uint64]
Numbers = NDArray[np.int64]
Floats = NDArray[np.float32]


def encode(rules: Any, facts: Any, positions: Any, at: int, planes: Any, to: int) -> None:
    """Writes what is seen of ``positions[at]`` to ``planes[to]``, float32[planes, rows, cols] full of zeros."""
    raise NotImplementedError


def action(rules: Any, facts: Any, positions: Any, at: int, move: int) -> int:
    """The number a network has for a packed move in ``positions[at]``; -1 where it has none."""
    raise NotImplementedError


@jit
def encode_all(rules: Any, facts: Numbers, positions: Words, planes: Floats) -> None:
    """What is seen of each position of one board; planes: float32[n, planes, rows, cols]."""
    planes.fill(0.0)
    for at in range(positions.shape[0]):
        encode(rules, facts, positions, at, planes, at)


@jit
def write_priors(rules: Any, facts: Numbers, positions: Words, at: int, logits: Floats, priors: Floats) -> None:
    """Writes a policy's weights of packed moves to ``priors[at]``, from ``logits[at]``, those of the network's."""
    most = logits[at, 0]
    for number in range(logits.shape[1]):
        most = max(most, logits[at, number])
    for move in range(priors.shape[1]):
        number = action(rules, facts, positions, at, move)
        priors[at, move] = np.exp(logits[at, number] - most) if number >= 0 else np.float32(0.0)


@jit
def write_all_priors(rules: Any, facts: Numbers, positions: Words, logits: Floats, priors: Floats) -> None:
    """As `write_priors`, for each position: logits float32[n, actions], priors float32[n, packed moves]."""
    for at in range(positions.shape[0]):
        write_priors(rules, facts, positions, at, logits, priors)


@jit
def number_moves(
    rules: Any, facts: Numbers, positions: Words, at: int, moves: NDArray[np.int32], numbers: Numbers
) -> None:
    """The network's numbers of packed moves of one position: moves int32[n], numbers int64[n]."""
    for place in range(moves.size):
        numbers[place] = action(rules, facts, positions, at, moves[place])
