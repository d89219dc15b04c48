"""Moves and what each is worth, as a Decision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from solvers.core import Candidate, Decision, Move
from solvers.units import VALUE, Unit


def ranked(
    moves: Sequence[Move], worths: NDArray[np.float64], value: float | None, seconds: float, *, ranking: Unit = VALUE
) -> Decision:
    """The Decision for the move of the highest worth, float64[moves]; its score is `value`, or else that worth.

    ranking: what the worths count.
    """
    order = np.argsort(-worths, kind="stable")
    candidates = tuple(Candidate(moves[at], float(worths[at])) for at in order)
    score = float(worths[order[0]]) if value is None else value
    move = candidates[0].move
    told = Decision(move, score, line=(move,), nodes=1, seconds=seconds, candidates=candidates)
    return replace(told, unit=ranking if value is None else VALUE, ranking=ranking)
