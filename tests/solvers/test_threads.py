"""Several threads in one search: what is proven stays what it is, and none outlives its search."""

import threading
import time
from functools import partial

import numpy as np
import pytest

from bench.solvers.threads import Task, positions_of
from games import find_game
from games.core import Options
from solvers import compiled, find_solver, threads
from solvers.core import Limit
from solvers.kernels import alphabeta
from solvers.threads import STOP, Helper, watched

SMALL = [
    Task("", "connect_four", "exact:book=false", 22),
    Task("", "connect_four", "alphabeta", 6, Options(rows=5, cols=5)),
    Task("", "filler", "exact", 0, Options(rows=5, cols=5)),
    Task("", "quoridor", "alphabeta", 4, Options(rows=5, walls=1)),
]


@pytest.fixture(autouse=True)
def helped_at_once(monkeypatch):
    """Helpers begin with the search itself, however short it is."""
    monkeypatch.setattr(threads, "TICK", 1e-6)


@pytest.mark.parametrize("task", SMALL, ids=lambda task: f"{task.game} {task.solver}")
def test_what_many_threads_prove_is_what_one_proves(task):
    running = threading.active_count()
    alone, together = find_solver(task.solver, task.game), find_solver(task.solver, task.game)
    for state in positions_of(task, 25):
        one, many = alone.decide(state), together.decide(state, Limit(threads=4))
        assert one.proven
        assert many.proven
        assert many.score == one.score
        assert many.move in (one.best or state.legal_moves())
    assert threading.active_count() == running


def test_the_halves_of_two_entries_are_no_entry():
    table = alphabeta.allocate(plies=2, words=1, width=1, actions=1, table_bytes=1 << 12).table
    first, second = np.uint64(1 << 20), np.uint64(1 << 20 | 1 << 40)  # of one bucket
    alphabeta._keep(table, first, np.uint64(77 << 9), 0)
    alphabeta._keep(table, second, np.uint64(99 << 9), 0)
    assert alphabeta.look_up(table, first) == 77 << 9
    table[0, alphabeta.WAYS], table[0, alphabeta.WAYS + 1] = table[0, alphabeta.WAYS + 1], table[0, alphabeta.WAYS]
    assert alphabeta.look_up(table, first) == alphabeta.look_up(table, second) == 0


def test_a_search_that_fails_stops_its_helpers():
    begun, control = threading.Event(), np.zeros(1, np.int64)

    def fail():
        begun.wait()
        raise ZeroDivisionError

    def help_until_stopped():
        begun.set()
        while not control[STOP]:
            pass

    helpers = partial(list, [Helper(help_until_stopped, control)])
    with pytest.raises(ZeroDivisionError):
        watched(fail, np.zeros(1, np.int64), None, None, helpers)
    assert control[STOP] == 1


def test_a_search_gets_helpers_at_once_where_the_ones_before_it_took_long(monkeypatch):
    monkeypatch.setattr(threads, "TICK", 3600.0)
    begun, control = threading.Event(), np.zeros(1, np.int64)
    helpers = partial(list, [Helper(begun.set, control)])
    assert watched(begun.wait, np.zeros(1, np.int64), None, None, helpers, at_once=True)

    told = []
    monkeypatch.setattr(compiled, "watched", lambda work, *_, at_once: (told.append(at_once), work())[1])
    (state,) = positions_of(SMALL[2], 1)
    search = find_solver("alphabeta", "filler").search(state, Limit(threads=2))
    for search._spent in (0.0, compiled.TICK):
        search.value(2, -9, 9)
    assert told == [False, True]


def test_a_move_that_another_thread_is_at_comes_last():
    (state,) = positions_of(SMALL[2], 1)

    def searched(busy=None, nodes=1 << 40):
        search = find_solver("alphabeta", "filler").search(state, Limit(nodes=nodes))
        search.memory.control[alphabeta.HELPED] = 1
        search.memory.busy[:] = 0 if busy is None else busy
        score = search.value(6, -30_000, 30_000)
        return score, search.memory.moves[0, : len(state.legal_moves())].tolist(), search.memory.busy

    score, order, busy = searched()
    assert not busy.any()
    put_off = set()
    for nodes in range(20, 400, 20):
        _, _, at = searched(nodes=nodes)  # stopped at one of its moves
        again, changed, _ = searched(at)
        assert again == score
        if changed != order:
            assert [move for move in order if move != changed[-1]] == changed[:-1]
            put_off.add(changed[-1])
    assert len(put_off) > 1


def test_the_positions_of_all_threads_are_counted():
    (state,) = positions_of(Task("", "connect_four", "alphabeta", 12), 1)
    one = find_solver("alphabeta", "connect_four").decide(state, Limit(depth=12))
    two = find_solver("alphabeta", "connect_four").decide(state, Limit(depth=12, threads=2))
    assert two.nodes > one.nodes / 2
    assert two.depth == one.depth


def test_searches_side_by_side_share_nothing_that_they_write_to():
    game = find_game("quoridor")
    search = find_solver("alphabeta", "quoridor").search(game.parse(""), Limit(threads=3))
    searches = [helper.work.args[:2] for helper in search._helpers(0, 3, -9, 9)] + [(search.rules, search.memory)]
    shared = alphabeta.Memory._fields.index("table"), alphabeta.Memory._fields.index("busy")
    written = [
        (rules.board.layers, *(array for at, array in enumerate(memory) if at not in shared))
        for rules, memory in searches
    ]
    for at, one in enumerate(written):
        for other in written[:at]:
            assert not any(np.shares_memory(mine, theirs) for mine in one for theirs in other)


@pytest.mark.parametrize(
    ("name", "options", "nodes"), [("connect_four", Options(), 100_000), ("blokus", Options(variant="duo"), 2000)]
)
def test_trees_that_share_a_root_are_counted_as_one(name, options, nodes):
    game, rng = find_game(name), np.random.default_rng(3)
    solver, state = find_solver("mcts", name), game.deal(rng, options)
    for _ in range(2):  # the second time with the trees of the first
        alone = find_solver("mcts", name).decide(state, Limit(nodes=nodes))
        together = solver.decide(state, Limit(nodes=nodes, threads=3))
        assert sum(candidate.visits for candidate in together.candidates) > alone.nodes
        assert together.nodes > alone.nodes
        assert together.candidates == tuple(sorted(together.candidates, key=lambda candidate: -candidate.visits))
        state = state.play(together.move)
    assert len(solver._kept) == 3
    solver.decide(state, Limit(nodes=100))
    assert len(solver._kept) == 1


def test_a_thread_alone_is_asked_for_its_clock_as_another_may_have_ended_by_then(monkeypatch):
    asked, ask = [], time.pthread_getcpuclockid
    monkeypatch.setattr(
        time, "pthread_getcpuclockid", lambda of: (asked.append(of == threading.get_ident()), ask(of))[1]
    )
    assert [watched(lambda: 1, np.zeros(1, np.int64), 1.0, None) for _ in range(20)] == [1] * 20
    assert asked == [True] * 20
