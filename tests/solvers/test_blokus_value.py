"""Blokus Duo's network: what it sees, whom it favours, how it learns."""

import json
from hashlib import sha256

import numpy as np
import pytest

from bench.training import blokus_value as trainer
from bench.training.blokus_sketch import odds, sketch
from games.blokus import GAME
from games.core import Cell, Options
from games.polyominoes import PIECES
from solvers import find_solver
from solvers.blokus import value_network as blokus_value
from solvers.blokus.players import pack, pack_move, rules_of
from solvers.core import Limit
from solvers.kernels.blokus import board as packed
from solvers.kernels.blokus import value as kernel
from solvers.kernels.jit import jit
from solvers.kernels.rows import UNITS, add_to_rows, sum_rows

RULES = rules_of(GAME.parse("").board)
WORDS = np.zeros(RULES.side * kernel.PLANES, np.uint64)


def random_game(seed, options=Options()):
    rng = np.random.default_rng(seed)
    state = GAME.parse("", options)
    while moves := state.legal_moves():
        yield state
        state = state.play(moves[rng.integers(len(moves))])


def near(state, colour):
    """The free cells that a next piece of `colour` may cover, by the number of steps alone."""
    if not state.active[colour]:
        return 0
    found = state.corners(colour)
    for _ in range(max(PIECES[number].size for number in state.left[colour]) - 1):
        found |= state.board.beside(found) & ~state.locked(colour)
    return found


def test_a_sketch_marks_what_the_readable_rules_leave_open_to_either_colour():
    for state in random_game(6):
        board = state.board
        for mover in (0, 1):
            sketch(RULES, pack(state, RULES), 0, mover, WORDS)
            for view, colour in enumerate((mover, 1 - mover)):
                planes = [
                    sum(int(word) << ((board.side + 1) * row) for row, word in enumerate(WORDS[2 * view + at :: 4]))
                    for at in (0, 1)
                ]
                begins = state.corners(colour) if state.active[colour] else 0
                free = board.cells & ~state.locked(colour)
                assert planes == [near(state, colour), begins | (free & ~near(state, colour))]


def test_the_board_turned_by_half_with_the_colours_exchanged_is_valued_alike():
    net, workspace = blokus_value.load(), kernel.workspace_of(RULES.side)
    for state in list(random_game(9))[1::5]:
        turned = np.zeros_like(pack(state, RULES))
        packed.set_up(RULES, turned, 0)
        for number, move in enumerate(state.moves):
            turned[0, RULES.status] = 1 - number % 2
            if move:
                cells = tuple(sorted(Cell(13 - row, 13 - col) for row, col in move))
                packed.put(RULES, turned, 0, pack_move(cells, state.board))
        for colour in (0, 1):
            turned[0, RULES.status] |= np.uint64((not state.active[colour]) << (packed.DONE + 1 - colour))
        for mover in (0, 1):
            said = odds(RULES, net, workspace, WORDS, pack(state, RULES), 0, mover)
            assert odds(RULES, net, workspace, WORDS, turned, 0, 1 - mover) == pytest.approx(said, abs=1e-4)


@pytest.mark.parametrize("options", [Options(), *(Options(side, side, variant="corners") for side in (12, 13, 14))])
def test_what_a_placement_changes_leads_to_the_same_odds_as_the_position_after_it(options):
    rules = rules_of(GAME.parse("", options).board)
    net, workspace, other = blokus_value.load(), kernel.workspace_of(rules.side), kernel.workspace_of(rules.side)
    for state in random_game(12, options):
        position = pack(state, rules)
        kernel.survey(rules, net, workspace, position, 0, state.colour)
        for move in state.legal_moves()[::9]:
            number = pack_move(move, state.board)
            after = position.copy()
            packed.put(rules, after, 0, number)
            expected = odds(rules, net, other, WORDS, after, 0, state.colour)
            assert kernel.odds_after(rules, net, workspace, position, 0, state.colour, number) == pytest.approx(
                expected, abs=1e-4
            )


def test_the_network_tells_the_winner_of_most_random_games_shortly_before_their_end():
    net, workspace, told = blokus_value.load(), kernel.workspace_of(RULES.side), []
    for seed in range(60):
        states = list(random_game(seed))
        margin = np.subtract(*states[-1].play(states[-1].legal_moves()[0]).scores)
        late = states[int(0.85 * len(states))]
        mover = 1 - late.colour
        said = odds(RULES, net, workspace, WORDS, pack(late, RULES), 0, mover)
        if margin:
            told.append((said > 0) == ((margin > 0) == (mover == 0)))
    assert np.mean(told) > 0.6


def test_the_weights_are_those_of_their_card():
    card = json.loads(blokus_value.CARD.read_text())
    assert sha256(blokus_value.WEIGHTS.read_bytes()).hexdigest() == card["sha256"]
    assert blokus_value.load().rows.shape == (kernel.ROWS, UNITS)


@pytest.mark.parametrize(
    "options",
    [
        *(Options(variant=variant) for variant in ("classic", "classic-2", "corners+lies1")),
        Options(10, 10, variant="corners"),
        Options(14, 14, variant="corners", players=4),
    ],
)
def test_other_boards_have_no_network(options):
    assert not len(blokus_value.net_for(GAME.parse("", options).board).rows)


@pytest.mark.parametrize(
    "options", [Options(variant="duo-either"), *(Options(side, side, variant="corners") for side in (12, 14))]
)
def test_a_board_like_duo_is_judged_by_its_network_and_won(options):
    strong, weak = find_solver("mcts", "blokus"), find_solver("mcts:net=false", "blokus")
    margin = 0
    for seat in (0, 1):
        state = GAME.parse("", options)
        while state.outcome() is None:
            state = state.play((strong if state.player == seat else weak).decide(state, Limit(nodes=200)).move)
        margin += state.scores[seat] - state.scores[1 - seat]
    assert margin > 0


@jit
def work_on_rows(table, chosen, count, numbers, adding):
    if adding:
        add_to_rows(table, chosen, count, numbers)
    else:
        sum_rows(table, chosen, count, numbers)


def test_rows_are_summed_and_added_to_as_numpy_does():
    rng = np.random.default_rng(1)
    table = rng.normal(size=(40, UNITS)).astype(np.float32)
    chosen = rng.choice(40, 25, replace=False).astype(np.int32)
    total = np.zeros(UNITS, np.float32)
    work_on_rows(table, chosen, 20, total, False)
    assert total == pytest.approx(table[chosen[:20]].sum(axis=0), abs=1e-4)
    expected = table.copy()
    expected[chosen[:20]] += total
    work_on_rows(table, chosen, 20, total, True)
    assert np.array_equal(table, expected)


@pytest.mark.slow
def test_a_training_learns_from_its_games_and_goes_on_where_it_was_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(trainer, "GAMES", 60)
    rng = np.random.default_rng(4)
    made = trainer.begin(rng)
    first, _ = made.round(RULES, rng)
    for _ in range(3):
        made.round(RULES, rng)
    trainer.write(made, tmp_path / "state.npz")
    again = trainer.read(tmp_path / "state.npz")
    assert np.array_equal(again.weights.net.rows, made.weights.net.rows)
    assert (again.rounds, again.steps) == (made.rounds, made.steps) == (4, made.steps)
    later, _ = again.round(RULES, rng)
    assert later < first - 0.02
