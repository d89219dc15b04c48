"""Blokus's players: proofs against known values, searches against each other, and who beats whom."""

import dataclasses

import numpy as np
import pytest

from games.blokus import GAME
from games.core import Cell, Options, SettingsError
from solvers import find_solver
from solvers.arena import Contest, Terms, pairings, play_contest
from solvers.blokus.mcts import PARAMETERS, Guidance, cost_of_proof
from solvers.blokus.players import MOST_MOVES, ORDERS, SmallPacking, count_all, pack, pack_move, packing_of, unpack_move
from solvers.core import Limit
from solvers.kernels.alphabeta import ENTIRE
from solvers.kernels.blokus import small as blokus_small
from solvers.kernels.blokus.glance import glance, glance_at_all
from solvers.kernels.blokus.moves import list_moves
from solvers.kernels.mcts import USED
from solvers.tree_search import TreeSearch

LATE = 50_000
"""Playouts, and positions of a proof, for late positions."""

VALUES = {4: 0, 5: 1, 6: 2}
"""First player's margin in squares with perfect play, opposite corners, as solvers of others found it."""


def corners(side, text=""):
    return GAME.parse(text, Options(side, side, variant="corners"))


def random_positions(options, seed):
    rng = np.random.default_rng(seed)
    state = GAME.deal(rng, options)
    while moves := state.legal_moves():
        yield state
        state = state.play(moves[rng.integers(len(moves))])


@pytest.mark.parametrize(("side", "value"), VALUES.items())
def test_small_boards_have_the_values_others_found(side, value):
    decision = find_solver("exact", "blokus").decide(corners(side))
    assert (decision.score, decision.proven) == (value, True)


def diagonally_mirrored(move):
    return frozenset(Cell(col, row) for row, col in move)


@pytest.mark.slow
def test_thirty_four_first_moves_win_on_seven_by_seven_and_five_draw():
    solver, start = find_solver("exact:megabytes=256", "blokus"), corners(7)
    moves = {frozenset(move): move for move in start.legal_moves()}
    assert {diagonally_mirrored(move) for move in moves} == {*moves}
    search, unit, values = solver.search(start, Limit(), None), solver.packing.unit, {}
    assert list(search.deepen(solver.guess_depth))
    for cells, move in moves.items():
        value, proven = values.get(diagonally_mirrored(cells)) or search.value_after(move, ENTIRE, -unit, unit)
        assert proven
        values[cells] = value, proven
    assert sum(value > 0 for value, _ in values.values()) == 34
    assert sum(value == 0 for value, _ in values.values()) == 5
    assert solver.decide(start).score == 3


def choices(state):
    """How many placements both players have."""
    return sum(places.bit_count() for colour in (0, 1) for _, places in state.placements(colour))


def brute_force(state):
    """The margin of the side to move with perfect play, by the readable rules alone."""
    if state.outcome() is not None:
        return state.scores[0] - state.scores[1]
    values = [brute_force(state.play(move)) for move in state.legal_moves()]
    return max(values) if state.player == 0 else min(values)


@pytest.mark.parametrize("options", [Options(3, 3, variant="corners"), Options(14, 14, variant="duo")], ids=str)
def test_proofs_agree_with_brute_force(options):
    states = list(random_positions(options, 5))
    tried = [state for state in states if options.rows == 3 or choices(state) <= 16]
    assert tried
    for state in tried:
        value = brute_force(state)
        decision = find_solver("exact", "blokus").decide(state)
        assert decision.proven
        assert decision.score == (value if state.player == 0 else -value)


@pytest.mark.parametrize("side", [4, 5])
def test_the_placements_named_as_equally_good_are_all_of_them_where_the_other_colour_is_skipped(side):
    skipped = 0
    for seed in range(30):
        for state in random_positions(Options(side, side, variant="corners"), seed):
            if choices(state) > 8:
                continue
            sign = 1 if state.player == 0 else -1
            values = {move: sign * brute_force(state.play(move)) for move in state.legal_moves()}
            skipped += any(state.play(move).player == state.player for move in values)
            decision = find_solver("exact:megabytes=1", "blokus").decide(state)
            assert {*decision.best} == {move for move, value in values.items() if value == max(values.values())}
    assert skipped > 10


def test_small_boards_are_packed_with_the_same_placements():
    for state in random_positions(Options(8, 8, variant="corners"), 3):
        packing = packing_of(state)
        rules = packing.rules(state)
        assert isinstance(rules, blokus_small.SmallBlokus)
        numbers = [packing.pack_move(move, state) for move in state.legal_moves()]
        assert [packing.unpack_move(number, state) for number in numbers] == list(state.legal_moves())


@pytest.mark.parametrize("options", [Options(7, 7, variant="corners"), Options(14, 14, variant="duo")], ids=str)
@pytest.mark.parametrize("depth", [1, 2])
def test_minimax_and_alpha_beta_agree_on_the_score(options, depth):
    states = [state for state in random_positions(options, 8) if len(state.legal_moves()) < 60]
    for state in states[1::3]:
        plain = find_solver(f"minimax:depth={depth}", "blokus").decide(state)
        pruned = find_solver(f"alphabeta:depth={depth}", "blokus").decide(state)
        assert pruned.proven or plain.score == pruned.score


@pytest.mark.parametrize("player", ["minimax", "alphabeta"])
def test_a_decision_is_kept_on_disk_for_the_next_run(player, tmp_path):
    path = tmp_path / "kept" / "actions.jsonl"
    state = corners(5)
    first = find_solver(f"{player}:depth=2,cache={path}", "blokus").decide(state)
    assert first.nodes > 0
    assert len(path.read_text().splitlines()) == 1
    path.write_text(path.read_text() + '["cut off, "')
    copy = path.rename(path.with_name("copied.jsonl"))  # read afresh, as another run would
    again = find_solver(f"{player}:depth=2,cache={copy}", "blokus").decide(state)
    assert (again.move, again.score, again.nodes) == (first.move, first.score, 0)


@pytest.mark.parametrize("order", ORDERS)
def test_every_ordering_prefers_what_it_is_named_for(order):
    state = list(random_positions(Options(), 2))[6]
    decision = find_solver(f"heuristic:order={order}", "blokus").decide(state)
    scores = [candidate.score for candidate in decision.candidates]
    assert {candidate.move for candidate in decision.candidates} == set(state.legal_moves())
    assert scores == sorted(scores, reverse=True)
    after = state.play(decision.move)
    mine, theirs = (after.corners(colour).bit_count() for colour in (state.colour, after.colour))
    known = {
        "size": len(decision.move),
        "mine": mine,
        "theirs": -theirs,
        "difference": mine - theirs,
        "mobility": -len(after.legal_moves()),
        "combined": len(decision.move),
    }
    assert decision.score == known.get(order, decision.score)


def test_a_mixed_player_plays_what_one_of_its_players_would():
    state = list(random_positions(Options(), 2))[4]
    chosen = {
        find_solver(f"mixed:agents=heuristic*1+random*1,seed={seed}", "blokus").decide(state).move for seed in range(8)
    }
    assert len(chosen) > 1
    with pytest.raises(SettingsError, match="NAME\\*CHANCE"):
        find_solver("mixed:agents=mixed*1", "blokus").decide(state)


@pytest.mark.parametrize(
    "options", [Options(), Options(variant="classic"), Options(variant="classic", players=3)], ids=str
)
def test_the_tree_search_wins_against_the_heuristic_player(options):
    strong, weak = find_solver("mcts", "blokus"), find_solver("heuristic", "blokus")
    state = GAME.deal(np.random.default_rng(0), options)
    while state.outcome() is None:
        player = strong if state.player == 0 else weak
        state = state.play(player.decide(state, Limit(nodes=600)).move)
    assert state.scores[0] > max(state.scores[1:])


def test_the_tree_is_kept_from_move_to_move():
    solver = find_solver("mcts", "blokus")
    state = GAME.parse("")
    first = solver.decide(state, Limit(nodes=2000))
    after = state.play(first.line[0]).play(first.line[1])
    visits = dict(visits_below(solver, state, first.line[:2]))
    kept = solver.decide(after, Limit(nodes=2))
    counted = {candidate.move: candidate.visits for candidate in kept.candidates}
    assert sum(visits.values()) > 2
    assert counted.keys() == visits.keys()
    assert sum(counted.values()) == sum(visits.values()) + 2
    assert all(0 <= counted[move] - visits[move] <= 2 for move in visits)


def visits_below(solver, state, line):
    """The moves that follow `line` in the solver's tree of `state`, with their visits."""
    tree = solver._kept[0].tree
    node = 0
    for move in line:
        children = range(tree.firsts[node], tree.firsts[node] + tree.counts[node])
        (node,) = (child for child in children if tree.moves[child] == pack_move(move, state.board))
    for child in range(tree.firsts[node], tree.firsts[node] + tree.counts[node]):
        yield unpack_move(tree.moves[child], state.board), tree.visits[child]


@pytest.mark.parametrize("options", [Options(), Options(variant="classic-2")], ids=str)
def test_the_tree_search_proves_how_a_game_ends_once_few_placements_are_left(options):
    solver, exact = find_solver("mcts", "blokus"), find_solver("exact", "blokus")
    states = [state for state in random_positions(options, 5) if cost_of_proof(count_all(state)) <= LATE]
    proven = 0
    for state in states:
        decision, proof = solver.decide(state, Limit(nodes=LATE)), exact.decide(state)
        if decision.proven:
            assert decision.score == proof.score
            assert decision.move in proof.best
        proven += decision.proven
    assert proven > len(states) / 2 > 1
    assert not find_solver("mcts:proof=0", "blokus").decide(states[-1], Limit(nodes=500)).proven


def test_what_is_left_to_place_is_counted_for_all_colours():
    for state in random_positions(Options(), 3):
        assert count_all(state) == choices(state)


def test_a_proof_that_does_not_end_in_time_leaves_the_decision_to_the_tree():
    exact, solver = find_solver("exact", "blokus"), find_solver("mcts", "blokus")
    late = (state for seed in range(20) for state in random_positions(Options(), seed) if count_all(state) < 60)
    asked = ((state, Limit(nodes=int(cost_of_proof(count_all(state))) + 1)) for state in late)
    state, limit = next(each for each in asked if not exact.end(*each).proven)
    decision = solver.decide(state, limit)
    assert not decision.proven
    assert decision.candidates[0].visits


def test_a_full_tree_goes_on_growing_where_it_was_visited_most():
    small = find_solver("mcts:megabytes=1", "blokus")
    decision = small.decide(GAME.parse(""), Limit(nodes=3000))
    tree = small._kept[0].tree
    assert tree.control[USED] <= tree.moves.size < 3000 * 80
    assert decision.nodes == 3000
    assert sum(candidate.visits for candidate in decision.candidates) == 3000
    assert len(decision.line) > 3


def test_a_tree_is_not_kept_for_another_game():
    solver = find_solver("mcts", "blokus")
    state = GAME.parse("")
    first = solver.decide(state, Limit(nodes=2000)).move
    other = next(move for move in state.legal_moves() if move != first)
    elsewhere = state.play(other).play(state.play(other).legal_moves()[0])
    fresh = dataclasses.replace(solver).decide(elsewhere, Limit(nodes=2))
    assert sum(candidate.visits for candidate in fresh.candidates) <= 2


def test_an_evaluator_judges_the_leaves_of_the_shared_tree_search():
    def material(positions):
        """Every placement alike, and who has covered more: the cells of the side to move stand in the first word."""
        own, rival = np.bitwise_count(positions[:, :2]).astype(np.float32).T
        priors = np.ones((len(positions), packing.sizes(state).actions), np.float32)
        return priors, np.tanh((own - rival) / 8)

    packing = SmallPacking()
    state = next(each for each in random_positions(Options(8, 8, variant="corners"), 5) if choices(each) <= 16)
    search = TreeSearch(packing, state, nodes=1 << 14)
    search.evaluate(material, 600, batch=16)
    decision = search.decision()
    assert decision.nodes == 600
    margin = brute_force(state)
    assert margin
    assert np.sign(brute_force(state.play(decision.move))) == np.sign(margin)
    assert np.sign(decision.score) == np.sign(margin) * (1 - 2 * state.player)


@pytest.mark.parametrize("varied", ["false", "true"])
def test_the_heuristic_player_plays_game_after_game_alike_unless_it_is_varied(varied):
    player = find_solver(f"heuristic:order=size,varied={varied}", "blokus")
    start = GAME.deal(np.random.default_rng(0), Options(rows=6, cols=6))
    assert (len({player.decide(start).move for _ in range(8)}) > 1) == (varied == "true")


def test_each_pair_of_games_of_a_match_is_another_one_for_the_varied_heuristic():
    name, terms = "heuristic:order=size,varied=true", Terms(Options(6, 6), 0)
    starts = pairings(GAME, 8, np.random.default_rng(0), terms)
    played = [play_contest(Contest(start, (name, name), 5)) for start in starts]
    assert len({game.lines for games in played for game in games}) == 8


@pytest.mark.parametrize("options", [Options(), Options(9, 9, variant="corners")], ids=str)
def test_windows_promise_of_placements_what_the_rows_of_a_board_do(options):
    states = list(random_positions(options, 4))
    guidance = Guidance(PARAMETERS, net=False, nodes=1 << 10)
    for state in states:
        guided = guidance.rules(state)
        rules, positions = guided.board, np.repeat(pack(state, guided.board), 2, axis=0)
        legal = np.zeros((2, MOST_MOVES), np.int32)
        count = list_moves(rules, positions, 1, legal)
        glance_at_all(rules, PARAMETERS, positions, legal, guided.worths, guided.windows, count)
        for move, worth in zip(legal[1, :count].tolist(), guided.worths[:count], strict=True):
            form, place = divmod(move, rules.cells)
            row, col = divmod(place, rules.side)
            wanted = glance(rules, PARAMETERS, positions, state.colour, form, row, col)
            if not state.cells[state.colour]:
                assert worth > np.float32(wanted)  # a first piece counts for its way to the middle besides
            else:
                assert worth == np.float32(wanted)
