"""The searches against brute force, and the compiled one against the readable one."""

from functools import reduce

import numpy as np
import pytest

from games import find_game
from games.core import Options
from solvers.compiled import Search
from solvers.connect_four import players as connect_four
from solvers.core import Limit
from solvers.kernels.alphabeta import ENTIRE, allocate
from solvers.kernels.jit import jit
from solvers.kernels.rules import SCORE_LIMIT, generate, play
from solvers.readable import alphabeta

GAME = find_game("connect_four")
SMALL = Options(rows=4, cols=4, length=3)


def minimax(state) -> float:
    """The value by the definition: no window, no order, no table."""
    ended = state.outcome()
    if ended is not None:
        return alphabeta.margin(ended, state)
    return max(-minimax(state.play(move)) for move in state.legal_moves())


def pons(state) -> int:
    """Connect Four's score by the definition: half the stones left at the win."""
    ended = state.outcome()
    cells = len(state.grid) * len(state.grid[0])
    if ended is not None:
        return 0 if ended.winner is None else -((cells + 2 - len(state.moves)) // 2)
    return max(-pons(state.play(move)) for move in state.legal_moves())


def endings(count: int, empty: int, options: Options, seed: int = 0):
    """Random positions with `empty` cells left that are not over."""
    rng = np.random.default_rng(seed)
    while count:
        state = GAME.deal(rng, options)
        cells = len(state.grid) * len(state.grid[0])
        while state.outcome() is None and len(state.moves) < cells - empty:
            state = state.play(int(rng.choice(state.legal_moves())))
        if state.outcome() is None:
            count -= 1
            yield state


@pytest.mark.parametrize("options", [SMALL, Options(rows=5, cols=4), Options(rows=3, cols=6, length=4)])
def test_the_readable_search_finds_the_value_by_definition(options):
    for state in endings(12, 8, options):
        score, line = alphabeta.search(state, 99)
        assert score == minimax(state)
        end = reduce(lambda at, move: at.play(move), line, state)
        assert alphabeta.margin(end.outcome(), end) == (score if len(line) % 2 == 0 else -score)


@pytest.mark.parametrize("options", [SMALL, Options(rows=5, cols=5), Options(rows=6, cols=5, length=5), Options()])
def test_the_compiled_search_proves_the_score_by_definition(options):
    solver = connect_four.AlphaBeta(megabytes=1)
    for state in endings(25, 8, options, seed=1):
        decision = solver.decide(state)
        assert decision.proven
        assert decision.score == pons(state)
        assert pons(state.play(decision.move)) == -decision.score


def test_narrow_windows_bound_the_score_that_a_full_window_proves():
    packing = connect_four.Packing()
    for state in endings(10, 14, Options(), seed=2):
        memory = allocate(**packing.sizes(state)._asdict(), table_bytes=1 << 20)
        value, proven = Search(packing, state, memory).value(ENTIRE, -SCORE_LIMIT, SCORE_LIMIT)
        assert proven
        for asked in range(-4, 5):
            memory = allocate(**packing.sizes(state)._asdict(), table_bytes=1 << 12)  # a table that forgets
            border = asked * packing.unit
            found, proven = Search(packing, state, memory).value(ENTIRE, border - 1, border)
            assert proven
            assert (found >= border) == (value >= border)
            assert value >= found if found >= border else value <= found


@jit
def perft(rules, memory, ply, depth):
    count = generate(rules, memory.positions, ply, memory.moves, memory.weights)
    if depth == 1:
        return count
    total = 0
    for at in range(count):
        play(rules, memory.positions, ply, memory.moves[ply, at])
        total += perft(rules, memory, ply + 1, depth - 1)
    return total


def test_packed_rules_count_as_many_games_as_published():
    packing = connect_four.Packing()
    state = GAME.parse("")
    memory = allocate(**packing.sizes(state)._asdict(), table_bytes=1 << 10)
    rules = packing.rules(state)
    assert [perft(rules, memory, 0, depth) for depth in (6, 7, 8)] == [117649, 823536, 5673234]


def test_limits_stop_the_search_and_leave_a_legal_move():
    state = GAME.parse("")
    solver = connect_four.AlphaBeta(megabytes=1)
    for limit in (Limit(nodes=1), Limit(nodes=5000), Limit(depth=3), Limit(seconds=0.05)):
        decision = solver.decide(state, limit)
        assert decision.move in state.legal_moves()
        assert not decision.proven
        assert limit.nodes is None or decision.nodes <= limit.nodes
        assert limit.depth is None or len(decision.line) <= 3


def test_progress_sees_deeper_lines_and_may_stop_the_search():
    seen = []
    solver = connect_four.AlphaBeta(megabytes=1)
    decision = solver.decide(GAME.parse(""), progress=lambda found: seen.append(found) or len(found.line) >= 6)
    assert len(decision.line) == 6
    assert decision == seen[-1]
    lengths = [len(found.line) for found in seen]
    assert lengths == sorted(lengths)


def test_a_game_that_is_over_has_no_move():
    for solver in (connect_four.AlphaBeta(), alphabeta.AlphaBeta()):
        with pytest.raises(ValueError, match="over"):
            solver.decide(GAME.parse("1212121"))
