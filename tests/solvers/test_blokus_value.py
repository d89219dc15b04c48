"""Blokus's networks: what they see, whom they favour, how they learn."""

import json
from hashlib import sha256

import numpy as np
import pytest

from bench.training import blokus_value as trainer
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
from solvers.kernels.rows import BLOCK, add_to_rows, sum_rows, weigh_row

RULES = rules_of(GAME.parse("").board)

FOUR = [Options(variant="classic-2"), Options(variant="classic")]


def small_net(colours, units=BLOCK):
    rng = np.random.default_rng(2)
    rows, heads = (kernel.rows_of(colours), units), (kernel.STAGES, units + 1)
    return kernel.Net(rng.normal(0, 0.05, rows).astype(np.float32), rng.normal(0, 0.1, heads).astype(np.float32))


def turn_after(mover, colour, colours):
    """After how many turns of `colour` the colour after `mover` comes."""
    return (mover + 1 - colour) % colours


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


@pytest.mark.parametrize("options", [Options(), Options(12, 12, variant="corners"), *FOUR])
def test_planes_mark_what_the_readable_rules_leave_open_to_each_colour(options):
    rules = rules_of(GAME.parse("", options).board)
    workspace = kernel.workspace_of(rules.side, rules.colours, BLOCK)
    for state in list(random_game(6, options))[::3]:
        board = state.board
        for mover in range(rules.colours):
            kernel.look(rules, workspace, pack(state, rules), 0, mover)
            for view in range(rules.colours):
                colour = (mover + view) % rules.colours
                planes = [
                    sum(
                        int(lane) >> 1 << ((board.side + 1) * row)
                        for row, lane in enumerate(workspace.planes[plane][1:])
                    )
                    for plane in (2 * view, 2 * view + 1)
                ]
                begins = state.corners(colour) if state.active[colour] else 0
                free = board.cells & ~state.locked(colour)
                assert planes == [near(state, colour), begins | (free & ~near(state, colour))]


@pytest.mark.parametrize("options", [Options(), *FOUR])
def test_the_board_turned_with_the_colours_moved_on_is_valued_alike(options):
    rules = rules_of(GAME.parse("", options).board)
    colours, last = rules.colours, rules.side - 1
    net, workspace = small_net(colours), kernel.workspace_of(rules.side, colours, BLOCK)
    for state in list(random_game(9, options))[1::9]:
        turned = np.zeros_like(pack(state, rules))
        packed.set_up(rules, turned, 0)
        for number, move in enumerate(state.moves):
            turned[0, rules.status] = (number + 1) % colours
            if move:
                cells = move
                for _ in range(4 // colours):
                    cells = tuple(Cell(col, last - row) for row, col in cells)
                packed.put(rules, turned, 0, pack_move(tuple(sorted(cells)), state.board))
        for colour in range(colours):
            turned[0, rules.status] |= np.uint64((not state.active[colour]) << (packed.DONE + (colour + 1) % colours))
        for colour in range(colours):
            turn = turn_after(state.colour - 1, colour, colours)
            said = kernel.odds(rules, net, workspace, pack(state, rules), 0, colour, turn)
            after = kernel.odds(rules, net, workspace, turned, 0, (colour + 1) % colours, turn)
            assert after == pytest.approx(said, abs=1e-4)


@pytest.mark.parametrize(
    ("options", "units"),
    [
        *((options, BLOCK) for options in (Options(), *FOUR)),
        *((Options(side, side, variant="corners"), 2 * BLOCK) for side in (12, 13, 14)),
    ],
)
def test_what_a_placement_changes_leads_to_the_same_odds_as_the_position_after_it(options, units):
    rules = rules_of(GAME.parse("", options).board)
    net = small_net(rules.colours, units)
    workspace, other = (kernel.workspace_of(rules.side, rules.colours, units) for _ in range(2))
    for state in list(random_game(12, options))[:: rules.colours // 2]:
        position = pack(state, rules)
        laid = kernel.survey(rules, net, workspace, position, 0, state.colour)
        for move in filter(None, state.legal_moves()[::9]):
            number = pack_move(move, state.board)
            after = position.copy()
            packed.put(rules, after, 0, number)
            expected = kernel.odds(rules, net, other, after, 0, state.colour, 1)
            said = kernel.odds_after(rules, net, workspace, position, 0, state.colour, number, laid)
            assert said == pytest.approx(expected, abs=1e-4)


def test_the_network_tells_the_winner_of_most_random_games_shortly_before_their_end():
    net, told = blokus_value.load("duo"), []
    workspace = kernel.workspace_of(RULES.side, RULES.colours, net.rows.shape[1])
    for seed in range(60):
        states = list(random_game(seed))
        margin = np.subtract(*states[-1].play(states[-1].legal_moves()[0]).scores)
        late = states[int(0.85 * len(states))]
        mover = 1 - late.colour
        said = kernel.odds(RULES, net, workspace, pack(late, RULES), 0, mover, 1)
        if margin:
            told.append((said > 0) == ((margin > 0) == (mover == 0)))
    assert np.mean(told) > 0.6


@pytest.mark.parametrize(("network", "colours"), [("duo", 2), ("classic-2", 4)])
def test_the_weights_are_those_of_their_card(network, colours):
    card = json.loads(blokus_value.card_of(network).read_text())
    assert sha256(blokus_value.weights_of(network).read_bytes()).hexdigest() == card["sha256"]
    assert len(blokus_value.load(network).rows) == kernel.rows_of(colours)


@pytest.mark.parametrize(
    "options",
    [
        *(Options(variant=variant) for variant in ("classic-2+lies1", "corners+lies1")),
        Options(10, 10, variant="corners"),
        Options(14, 14, variant="corners", players=4),
    ],
)
def test_other_boards_have_no_network(options):
    assert not len(blokus_value.net_for(GAME.parse("", options).board).rows)


@pytest.mark.parametrize(
    "options",
    [Options(variant="duo-either"), FOUR[0], *(Options(side, side, variant="corners") for side in (12, 14))],
)
def test_a_board_with_a_network_is_won_by_it(options):
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


@jit
def weigh(table, number, numbers):
    return weigh_row(table, number, numbers)


@pytest.mark.parametrize("units", [BLOCK, 3 * BLOCK])
def test_rows_are_summed_added_to_and_weighed_as_numpy_does(units):
    rng = np.random.default_rng(1)
    table = rng.normal(size=(40, units)).astype(np.float32)
    chosen = rng.choice(40, 25, replace=False).astype(np.int32)
    total = np.zeros(units, np.float32)
    work_on_rows(table, chosen, 20, total, False)
    assert total == pytest.approx(table[chosen[:20]].sum(axis=0), abs=1e-4)
    expected = table.copy()
    expected[chosen[:20]] += total
    work_on_rows(table, chosen, 20, total, True)
    assert np.array_equal(table, expected)
    weights = rng.normal(size=(3, units + 1)).astype(np.float32)
    assert weigh(weights, 1, total) == pytest.approx(np.maximum(total, 0) @ weights[1, :-1], abs=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("options", [Options(), FOUR[1]])
def test_a_training_learns_from_its_games_and_goes_on_where_it_was_kept(tmp_path, options, monkeypatch):
    rules, rng = rules_of(GAME.parse("", options).board), np.random.default_rng(4)
    made, games = trainer.begin(rules.colours, BLOCK, rng), 240 // rules.colours
    first, _ = made.round(rules, games, rng)
    for _ in range(3):
        made.round(rules, games, rng)
    trainer.write(made, tmp_path / "state.npz")
    again = trainer.read(tmp_path / "state.npz")
    assert np.array_equal(again.weights.net.rows, made.weights.net.rows)
    assert (again.rounds, again.steps) == (made.rounds, made.steps) == (4, made.steps)
    later, _ = again.round(rules, games, rng)
    assert later < first - 0.02
    monkeypatch.setattr(trainer, "NODES", 1 << 13)
    again.round(rules, 2, rng, visits=20)
    assert again.searched == 2
    assert len(again.samples) == 1
