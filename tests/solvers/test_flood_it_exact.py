"""The exact search against two witnesses that share nothing with it: brute force, and a readable A* over bit sets."""

from __future__ import annotations

from heapq import heappop, heappush

import numpy as np
import pytest

from games.core import Cell, Options, SettingsError
from games.flood import neighbours, reachable, region
from games.flood_it import GAME, FloodIt
from solvers import find_solver
from solvers.core import Decision, Limit
from solvers.flood_it.players import Anytime, Beam, Exact, positions


def deal(seed: int, options: Options, corner: bool = False) -> FloodIt:
    """A random board; with `corner` it starts somewhere else and has walls."""
    rng = np.random.default_rng(seed)
    state = GAME.deal(rng, options)
    if not corner:
        return state
    rows, cols = len(state.grid), len(state.grid[0])
    start = Cell(int(rng.integers(rows)), int(rng.integers(cols)))
    walls = rng.random((rows, cols)) < 0.2
    walls[start] = False
    grid = tuple(tuple(-2 if walls[row, col] else state.grid[row][col] for col in range(cols)) for row in range(rows))
    return FloodIt(grid, start, state.colours)


def breadth_first(state: FloodIt) -> int:
    """The fewest moves by trying them all, with nothing but the rules."""
    layer, moves = {state}, 0
    while all(one.outcome() is None for one in layer):
        layer = {one.play(move) for one in layer for move in one.legal_moves()}
        moves += 1
    return moves


@pytest.mark.parametrize("variant", ["wraps", "corners", "wraps+corners"])
def test_the_fewest_moves_are_found_where_a_page_joins_other_cells(variant: str) -> None:
    for seed in range(12):
        state = deal(seed, Options(4, 5, colours=4, variant=variant))
        decision = find_solver("exact", "flood_it").decide(state)
        assert (decision.proven, decision.score) == (True, breadth_first(state))


def a_star(state: FloodIt) -> int:
    """The fewest moves by A* over sets of components as Python integers.

    Its bound is the larger of the steps to the farthest component and the colours left, both plainly admissible.
    """
    regions: list[frozenset[Cell]] = []
    for cell in sorted(reachable(state.grid, state.start), key=lambda cell: cell != state.start):
        if not any(cell in one for one in regions):
            regions.append(region(state.grid, cell))
    where = {cell: index for index, cells in enumerate(regions) for cell in cells}
    links = [0] * len(regions)
    for cell, index in where.items():
        for other in neighbours(state.grid, cell):
            links[index] |= 1 << where[other]
    kinds = [state.grid[cell.row][cell.col] for cell in (next(iter(cells)) for cells in regions)]
    classes = [sum(1 << index for index, kind in enumerate(kinds) if kind == colour) for colour in range(state.colours)]
    every = (1 << len(regions)) - 1

    def widen(flooded: int, by: int) -> int:
        for index in range(len(regions)):
            if by >> index & 1:
                flooded |= links[index]
        return flooded

    def bound(flooded: int) -> int:
        colours_left = sum(1 for one in classes if one & ~flooded)
        steps, within = 0, flooded
        while within != every:
            within, steps = widen(within, within), steps + 1
        return max(colours_left, steps)

    best = {1: 0}
    queue = [(bound(1), 0, 1)]
    while queue:
        _, minus_moves, flooded = heappop(queue)
        moves = -minus_moves
        if flooded == every:
            return moves
        if moves > best[flooded]:
            continue
        frontier = widen(0, flooded) & ~flooded
        for one in classes:
            after = flooded | frontier & one
            if after != flooded and moves + 1 < best.get(after, len(regions)):
                best[after] = moves + 1
                heappush(queue, (moves + 1 + bound(after), -(moves + 1), after))
    raise AssertionError("every board can be flooded")


def assert_solution(state: FloodIt, decision: Decision, moves: int) -> None:
    assert decision.proven
    assert decision.score == len(decision.line) == moves
    assert decision.move == decision.line[0]
    assert positions(state, decision.line)[-1].outcome() is not None


@pytest.mark.parametrize("corner", [False, True], ids=["plain", "walls-and-any-start"])
@pytest.mark.parametrize(("size", "colours", "boards"), [(3, 4, 20), (4, 5, 8), (5, 3, 6), (5, 4, 2)])
def test_brute_force_finds_nothing_shorter(size: int, colours: int, boards: int, corner: bool) -> None:
    for seed in range(boards):
        state = deal(seed, Options(size, size, colours), corner)
        if state.outcome() is None:
            assert_solution(state, Exact().decide(state), breadth_first(state))


SHAPES = [Options(8, 8, 6), Options(8, 8, 4), Options(8, 8, 10), Options(8, 8, 2), Options(3, 20, 5)]


@pytest.mark.parametrize("corner", [False, True], ids=["plain", "walls-and-any-start"])
@pytest.mark.parametrize("options", SHAPES, ids=lambda one: f"{one.rows}x{one.cols}x{one.colours}")
def test_a_readable_a_star_agrees_board_by_board(options: Options, corner: bool) -> None:
    for seed in range(5):
        state = deal(1000 + seed, options, corner)
        if state.outcome() is None:
            assert_solution(state, Exact().decide(state), a_star(state))


@pytest.mark.slow
@pytest.mark.parametrize("corner", [False, True], ids=["plain", "walls-and-any-start"])
@pytest.mark.parametrize(("colours", "boards"), [(3, 60), (4, 50), (5, 40), (6, 30), (8, 8)])
def test_a_readable_a_star_agrees_on_hundreds_of_8x8_boards(colours: int, boards: int, corner: bool) -> None:
    for seed in range(boards):
        state = deal(seed, Options(8, 8, colours), corner)
        if state.outcome() is None:
            assert_solution(state, Exact().decide(state), a_star(state))


def test_a_search_with_fewer_distance_sets_in_less_memory_finds_the_same() -> None:
    for seed in range(20):
        state = deal(seed, Options(12, 12, 5))
        assert_solution(state, Exact(memory_mb=1).decide(state), len(Exact().decide(state).line))


def test_boards_of_more_words_than_the_usual_are_solved_too() -> None:
    state = deal(5, Options(17, 17, 6))
    assert_solution(state, Exact().decide(state), len(Anytime(seconds=240).decide(state).line))


@pytest.mark.parametrize("options", [Options(32, 32, 10), Options(64, 64, 6), Options(2, 64, 2), Options(64, 5, 3)])
def test_any_size_gets_a_line_that_floods_the_board(options: Options) -> None:
    state = deal(1, options, corner=True)
    decision = Anytime(seconds=0.3).decide(state)
    assert positions(state, decision.line)[-1].outcome() is not None
    assert decision.proven or 0 < decision.bound <= decision.score  # type: ignore[operator]


@pytest.mark.parametrize("solver", [Exact(), Anytime(), Beam()])
@pytest.mark.parametrize("limit", [Limit(nodes=1), Limit(seconds=0.0), Limit(nodes=300)])
def test_a_limit_too_small_for_a_proof_gives_a_whole_line(solver: Exact | Beam, limit: Limit) -> None:
    state = deal(2, Options(20, 20, 6))
    decision = solver.decide(state, limit)
    assert positions(state, decision.line)[-1].outcome() is not None
    assert not decision.proven
    assert decision.bound is not None
    assert decision.bound < decision.score  # type: ignore[operator]
    assert decision.nodes <= max(limit.nodes or 0, len(decision.line)) + len(decision.line)


def test_memory_that_runs_out_gives_the_best_line_unproven() -> None:
    state = deal(3, Options(24, 24, 6))
    decision = Exact(memory_mb=4).decide(state)
    assert not decision.proven
    assert positions(state, decision.line)[-1].outcome() is not None


def test_memory_too_small_for_the_board_says_how_much_it_needs() -> None:
    with pytest.raises(SettingsError, match=r"set memory_mb to \d+ or more"):
        Exact(memory_mb=1).decide(deal(3, Options(64, 64, 10)))


def test_progress_hears_lines_that_only_get_shorter_and_can_stop_the_proof() -> None:
    heard: list[Decision] = []

    def progress(decision: Decision) -> bool:
        heard.append(decision)
        return len(heard) == 5

    decision = Exact().decide(deal(4, Options(24, 24, 6)), progress=progress)
    assert len(heard) == 5
    assert [one.score for one in heard] == sorted((one.score for one in heard), reverse=True)
    assert decision.line == heard[-1].line
    assert not decision.proven


@pytest.mark.parametrize("spec", ["exact", "anytime", "beam:width=5"])
def test_a_board_that_is_won_has_no_move_and_one_colour_more_takes_one(spec: str) -> None:
    solver = find_solver(spec, "flood_it")
    with pytest.raises(ValueError, match="the game is over"):
        solver.decide(GAME.parse("0.0/00.", Options(colours=4)))
    decision = solver.decide(GAME.parse("01/01", Options(colours=4)))
    assert (decision.line, decision.proven, decision.score) == ((1,), True, 1)


def test_a_wider_beam_is_near_the_optimum() -> None:
    states = [deal(seed, Options(14, 14, 6)) for seed in range(30)]
    optimal = [len(Exact().decide(state).line) for state in states]
    beams = [len(Beam(100).decide(state).line) for state in states]
    assert all(found >= best for found, best in zip(beams, optimal, strict=True))
    assert sum(beams) - sum(optimal) <= 6
