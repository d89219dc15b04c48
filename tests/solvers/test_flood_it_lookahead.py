"""Greedy and lookahead against a second, readable lookahead over the rules themselves."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from games.core import Options, SettingsError
from games.flood import reachable
from games.flood_it import GAME, FloodIt
from solvers import find_solver
from solvers.core import Limit
from solvers.flood_it.players import Greedy, Lookahead

BOARDS = [
    *((f"{size}x{size}", Options(size, size, colours)) for size, colours in ((3, 3), (5, 4), (6, 6), (9, 10))),
    ("2x7", Options(2, 7, 5)),
    ("12x3", Options(12, 3, 2)),
]


def boards(count: int) -> list[FloodIt]:
    return [GAME.deal(np.random.default_rng(seed), options) for _, options in BOARDS for seed in range(count)]


def after(state: FloodIt, colours: tuple[int, ...]) -> tuple[int, int]:
    """The cells flooded by a sequence, and how many of its moves that took (a repeated colour is no move)."""
    for count, colour in enumerate(colours):
        if state.outcome() is not None:
            return len(state.flooded()), count
        if colour != state.colour:
            state = state.play(colour)
    return len(state.flooded()), len(colours)


def every_sequence(state: FloodIt, depth: int) -> dict[int, tuple[int, int]]:
    """For each legal first colour the most cells, and the fewest moves of the sequences that flood so many."""
    best: dict[int, tuple[int, int]] = {}
    for colours in product(range(state.colours), repeat=depth):
        if colours[0] != state.colour:
            cells, moves = after(state, colours)
            best[colours[0]] = max(best.get(colours[0], (0, 0)), (cells, -moves))
    return best


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_the_candidates_score_the_best_of_all_sequences(depth: int) -> None:
    for state in boards(2):
        truth = every_sequence(state, depth)
        decision = Lookahead(depth, "finish").decide(state)
        assert {one.move: one.score for one in decision.candidates} == {move: top[0] for move, top in truth.items()}
        assert truth[decision.move][0] == max(truth.values())[0]
        if truth[decision.move][0] == len(reachable(state.grid, state.start)):
            assert truth[decision.move] == max(truth.values())


def test_the_old_article_s_lookahead_sees_four_moves_of_six_colours() -> None:
    state = GAME.deal(np.random.default_rng(8), Options(6, 6, 6))
    truth = every_sequence(state, 4)
    decision = Lookahead().decide(state)
    assert {one.move: one.score for one in decision.candidates} == {move: top[0] for move, top in truth.items()}
    assert decision.move == min(move for move, top in truth.items() if top[0] == max(truth.values())[0])


def test_greedy_makes_the_region_largest() -> None:
    for state in boards(5):
        sizes = {move: len(state.play(move).flooded()) for move in state.legal_moves()}
        decision = Greedy().decide(state)
        assert sizes[decision.move] == max(sizes.values())
        assert {one.move: one.score for one in decision.candidates} == sizes


@pytest.mark.parametrize("spec", ["greedy", "lookahead", "lookahead:prefer=finish", "lookahead:depth=2"])
@pytest.mark.parametrize("text", ["01.2/.1.2/0123 @2,3", "0.1/..1/011", "0123/3210/2.01 @0,3"])
def test_every_game_comes_to_its_end_round_walls_and_from_any_start(spec: str, text: str) -> None:
    state = GAME.parse(text, Options(colours=5))
    for _ in range(30):
        if state.outcome() is not None:
            break
        state = state.play(find_solver(spec, "flood_it").decide(state).move)
    assert state.outcome() is not None


def test_a_limit_gives_the_decision_of_the_deepest_lookahead_completed() -> None:
    state = GAME.deal(np.random.default_rng(3), Options(20, 20, 10))
    decision = Lookahead(12).decide(state, Limit(nodes=100_000))
    assert decision.move in state.legal_moves()
    assert decision.nodes < 200_000


def test_progress_hears_each_depth_and_can_stop_the_search() -> None:
    heard: list[int] = []
    Lookahead(12).decide(
        GAME.deal(np.random.default_rng(3)), progress=lambda decision: heard.append(decision.nodes) or len(heard) == 3
    )
    assert len(heard) == 3
    assert heard == sorted(heard)


@pytest.mark.parametrize("solver", [Greedy(), Lookahead()])
def test_a_board_that_is_flooded_has_no_move_to_choose(solver: Greedy | Lookahead) -> None:
    with pytest.raises(ValueError, match="the game is over: the board is flooded"):
        solver.decide(GAME.parse("11/11"))


@pytest.mark.parametrize("spec", ["lookahead:depth=0", "lookahead:depth=13", "lookahead:prefer=luck"])
def test_a_wrong_option_is_a_settings_error_that_names_the_right_ones(spec: str) -> None:
    with pytest.raises(SettingsError, match=r"1 to 12|cells or finish"):
        find_solver(spec, "flood_it")
