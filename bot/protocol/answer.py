"""What a solver decided, in the texts that other programs read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from games.core import Game, Outcome
    from solvers.core import Candidate, Decision, Limit, Progress, Solver

Answer = dict[str, Any]
"""A JSON object with the keys move, line, score, proven, best, nodes, seconds and candidates."""

DECIDED = ("wins", "loses", "seems won", "seems lost")
"""What is said of games that are decided without the number of moves that this takes."""


def decide(
    game: Game[Any, Any], solver: Solver, state: Any, limit: Limit, *, progress: Progress | None = None
) -> Answer:
    """What `solver` plays in `state`; a game that is over is answered with no move and its outcome."""
    outcome = state.outcome()
    if outcome is not None:
        return _ended(outcome)
    return describe(game, state, solver.decide(state, limit, progress=progress))


def describe(game: Game[Any, Any], state: Any, decision: Decision) -> Answer:
    """The Decision with its moves as texts; ``bound`` is added where the score is not proven but bounded.

    Where there is a score, ``words`` tell it to a person, and ``unit`` what it counts.  A candidate that
    may be worse than its score has ``"at_most": true``, and one whose line was asked for its ``line``.

    ``beyond_limit`` says in words that the line needs more moves than the game allows.
    """
    answer = {
        "move": game.format_move(decision.move, state),
        "line": _format_line(game, state, decision.line),
        "score": _number(decision.score),
        "proven": decision.proven,
        "best": [game.format_move(move, state) for move in decision.best],
        "nodes": decision.nodes,
        "seconds": decision.seconds,
        "candidates": [_described(game, state, decision, candidate) for candidate in decision.candidates],
    }
    if decision.score is not None:
        answer |= {"unit": decision.unit.name, "words": verdict(state, decision)}
    if decision.bound is not None and not decision.proven:
        answer["bound"] = _number(decision.bound)
    limit = game.options(state).limit
    if limit is not None and len(decision.line) > limit and decision.score is not None:
        answer["beyond_limit"] = f"the limit of {limit} moves is too small: this line takes {len(decision.line)}"
    return answer


def verdict(state: Any, decision: Decision) -> str:
    """What the score of a decision that has one says; moves to a win are counted where the line leads there.

    They are those of the side that wins.
    """
    assert decision.score is not None
    words = decision.unit.words(decision.score, proven=decision.proven)
    if words not in DECIDED and not (len(decision.line) == 1 and math.isfinite(decision.unit.won)):
        return words
    movers, after = [], state
    for move in decision.line:
        movers.append(after.player)
        after = after.play(move)
    ended = after.outcome()
    if ended is None or ended.winner is None or not (decision.proven or len(movers) == 1):
        return words
    return f"{'wins' if ended.winner == state.player else 'loses'} in {movers.count(ended.winner)}"


def words_of(decision: Decision, candidate: Candidate) -> str:
    """What the score of a candidate that has one says."""
    unit = decision.ranking or decision.unit
    assert candidate.score is not None
    return unit.words(candidate.score, proven=decision.proven, at_most=candidate.at_most)


def _described(game: Game[Any, Any], state: Any, decision: Decision, candidate: Candidate) -> dict[str, Any]:
    told: dict[str, Any] = {
        "move": game.format_move(candidate.move, state),
        "score": _number(candidate.score),
        "visits": candidate.visits,
    }
    if candidate.score is not None:
        told["words"] = words_of(decision, candidate)
    if candidate.line:
        told["line"] = _format_line(game, state, candidate.line)
    return {**told, "at_most": True} if candidate.at_most else told


def error_answer(error: Exception) -> Answer:
    """The object that stands for an answer that could not be given."""
    return {"error": type(error).__name__, "message": str(error)}


def _ended(outcome: Outcome) -> Answer:
    """A single-player game that is won is 0 moves from its end; other ends have no score to search for."""
    won_alone = len(outcome.scores) == 1 and outcome.winner == 0
    nothing: Answer = {"move": None, "line": [], "score": 0 if won_alone else None, "proven": True, "best": []}
    return nothing | {"nodes": 0, "seconds": 0.0, "candidates": [], "over": outcome.reason}


def _format_line(game: Game[Any, Any], state: Any, line: Sequence[Any]) -> list[str]:
    """The line's moves; one that goes on beyond a limit of moves is written to its end."""
    from games.core import IllegalMoveError

    texts = []
    for move in line:
        texts.append(game.format_move(move, state))
        try:
            state = state.play(move)
        except IllegalMoveError:
            continue
    return texts


def _number(value: float | None) -> float | None:
    """A number that JSON can hold, whole where it is whole."""
    if value is None or not math.isfinite(value):
        return None
    return int(value) if value == int(value) else float(value)
