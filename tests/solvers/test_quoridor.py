"""Quoridor's packed rules against the readable ones, and its solvers against positions whose answer is known."""

import itertools
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bench.solvers.random_games import quoridor_games
from games.core import Options
from games.quoridor import GAME, Wall
from solvers.core import Decision, Limit
from solvers.kernels import batch, mcts
from solvers.kernels.encoding import encode_all
from solvers.kernels.jit import jit
from solvers.kernels.quoridor import board as packed
from solvers.kernels.quoridor.evaluation import threats
from solvers.kernels.quoridor.moves import cut_by
from solvers.kernels.rules import bounds, generate, play, repeats
from solvers.learned.registry import encoder_of
from solvers.learned.view import view_of
from solvers.quoridor import players as quoridor
from solvers.quoridor import retrograde
from solvers.readable import alphabeta

PACKING = quoridor.AlphaBeta.packing
CASES = json.loads((Path(__file__).parents[2] / "fixtures" / "perft" / "quoridor.json").read_text())["cases"]


class Row:
    """One packed position and room to generate its moves and to play one."""

    def __init__(self, state, depth=1):
        self.state = state
        self.rules = PACKING.rules(state)
        width = PACKING.sizes(state).width
        self.positions = np.zeros((depth + 1, packed.WORDS), np.uint64)
        self.positions[0] = PACKING.pack(state)
        self.moves = np.zeros((depth + 1, width), np.int32)
        self.weights = np.zeros((depth + 1, width), np.int64)

    def generate(self):
        return self.moves[0, : _generate(self.rules, self.positions, 0, self.moves, self.weights)].tolist()

    def play(self, move):
        _play(self.rules, self.positions, 0, move)
        return self.positions[1]


@jit
def _generate(rules, positions, ply, moves, weights):
    return generate(rules, positions, ply, moves, weights)


@jit
def _play(rules, positions, ply, move):
    play(rules, positions, ply, move)


@jit
def _bounds(rules, positions, ply):
    return bounds(rules, positions, ply)


@jit
def perft(rules, positions, moves, weights, ply, depth):
    count = generate(rules, positions, ply, moves, weights)
    if depth == 1:
        return count
    total = 0
    for at in range(count):
        play(rules, positions, ply, moves[ply, at])
        total += perft(rules, positions, moves, weights, ply + 1, depth - 1)
    return total


def random_games(options, count, *, seed=1, walls=0.4):
    """Positions of random games in which a wall is preferred to a step with the chance `walls`."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        state = GAME.deal(rng, options)
        while state.outcome() is None and len(state.moves) < 70:
            yield state
            moves = state.legal_moves()
            kinds = [[move for move in moves if isinstance(move, Wall) == wall] for wall in (False, True)]
            chosen = kinds[1] if kinds[1] and rng.random() < walls else kinds[0]
            state = state.play(chosen[rng.integers(len(chosen))])


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.get('options', {})}{case['position'][:12]}")
def test_the_packed_rules_allow_as_many_sequences_as_counted_elsewhere(case):
    state = GAME.parse(case["position"], Options(**case.get("options", {})))
    depth = len(case["counts"])
    row = Row(state, depth)
    for plies, count in enumerate(case["counts"], start=1):
        assert perft(row.rules, row.positions, row.moves, row.weights, 0, plies) == count


@pytest.mark.parametrize(
    "options",
    [Options(), Options(rows=11, cols=11), Options(rows=4, cols=7, walls=5), Options(rows=3, cols=3)],
    ids=str,
)
def test_random_games_go_the_same_way_in_both_rules(options):
    rng = np.random.default_rng(2)
    for state in itertools.islice(random_games(options, 2), 0, None, 3):
        row = Row(state)
        moves = [PACKING.unpack_move(move, state) for move in row.generate()]
        assert set(moves) == set(state.legal_moves())
        assert len(moves) == len(set(moves))
        lengths = [packed.length_of(row.positions[0, packed.LENGTHS], seat) for seat in (0, 1)]
        assert lengths == [len(path) - 1 for path in state.paths()]
        move = moves[rng.integers(len(moves))]
        after = state.play(move)
        played, fresh = row.play(PACKING.pack_move(move, state)), PACKING.pack(after)
        assert (played[: packed.LENGTHS + 1] == fresh[: packed.LENGTHS + 1]).all()
        assert len(after.paths()[0]) - 1 == packed.length_of(played[packed.LENGTHS], 0)


def mirrored(move, cols):
    """A move with left and right exchanged."""
    return move._replace(col=cols - (2 if isinstance(move, Wall) else 1) - move.col)


def test_mirrored_positions_have_the_same_hash():
    options = Options(rows=5, cols=5, walls=4)
    for state in random_games(options, 4):
        other = GAME.deal(np.random.default_rng(0), options)
        for move in state.moves:
            other = other.play(mirrored(move, 5))
        one, two = PACKING.pack(state), PACKING.pack(other)
        assert (one[packed.KEY], one[packed.MIRROR_KEY]) == (two[packed.MIRROR_KEY], two[packed.KEY])


def test_the_history_holds_the_hashes_of_the_positions_since_the_last_wall():
    state = GAME.parse("e2 e8 a1h e7 e3 e6 e2 e7")
    rules = PACKING.rules(state)
    earlier = [GAME.parse(" ".join(["e2", "e8", "a1h", "e7", "e3", "e6", "e2", "e7"][:plies])) for plies in range(3, 8)]
    assert rules.history.tolist() == [int(PACKING.pack(each)[packed.KEY]) for each in earlier]


def test_what_walls_threaten_is_what_each_of_them_would_cost():
    """Against every legal wall tried in the readable rules; those through the rival's path are not meant."""
    longest = 0
    for state in itertools.islice(random_games(Options(rows=7, cols=7, walls=8), 4, seed=6), 3, None, 5):
        row = Row(state)
        for seat in (0, 1):
            cutting = _cut_by(row.rules, row.positions, 0, 1 - seat)
            here, costs = len(state.paths()[seat]), [0, 0]
            for wall in state.size.walls():
                place = wall.row * 7 + wall.col
                through = int(cutting[0 if wall.way == "h" else 2]) >> place & 1
                if not through and replace(state, left=(1, 1)).allows(wall):
                    costs.append(len(replace(state, walls=state.walls | {wall}).paths()[seat]) - here)
            assert list(_threats(row.rules, row.positions, 0, seat)) == sorted(costs)[:-3:-1]
            longest = max(longest, *costs)
    assert longest > 4


@jit
def _threats(rules, positions, ply, seat):
    return threats(rules.board, positions, ply, seat)


@jit
def _cut_by(rules, positions, ply, seat):
    return cut_by(rules.board, positions, ply, seat)


def walk_out(state, depth):
    """The value by the definition for a side without walls against one without: 1 won, -1 lost, 0 not decided."""
    ended = state.outcome()
    if ended is not None:
        return -1
    if depth == 0:
        return 0
    return max(-walk_out(state.play(move), depth - 1) for move in state.steps())


def test_a_race_that_is_called_decided_is_won_by_steps_alone():
    decided = 0
    for state in random_games(Options(rows=5, cols=5, walls=3), 25, seed=5, walls=0.8):
        if max(state.left):
            continue
        row = Row(state)
        low, high = _bounds(row.rules, row.positions, 0)
        plies = 2 * (packed.WIN - abs(low if low > 0 else high))
        if (low > 0 or high < 0) and plies <= 8:
            assert walk_out(state, plies) == (1 if low > 0 else -1)
            decided += 1
    assert decided > 5


def test_races_without_walls_left_end_as_the_board_solved_backwards_says():
    compared = {-1: 0, 1: 0}
    races = [
        state for state in random_games(Options(rows=5, cols=5, walls=3), 12, seed=6, walls=0.8) if not any(state.left)
    ]
    for state in races[::5]:
        race = quoridor.decide_race(state)
        solved = retrograde.decide(state, Decision(race.move))
        assert race.score == solved.score
        assert {*race.best} == {*solved.best}
        compared[np.sign(race.score)] += 1
    assert min(compared.values()) > 2


def test_a_race_is_won_by_the_shortest_way_and_lost_by_the_longest():
    races = [
        state for state in random_games(Options(rows=3, cols=3, walls=1), 9, seed=7, walls=0.8) if not any(state.left)
    ]
    assert len(races) > 5
    for state in races:
        plies, played = next(depth for depth in range(1, 14) if walk_out(state, depth)), state
        while played.outcome() is None:
            played, plies = played.play(quoridor.decide_race(played).move), plies - 1
        assert plies == 0


def test_the_search_knows_a_race_of_the_usual_board_without_looking_ahead():
    races = [state for state in random_games(Options(walls=2), 12, seed=8, walls=0.8) if not any(state.left)]
    for state in races[::9]:
        known = quoridor.AlphaBeta().decide(state, Limit(nodes=1))
        searched = quoridor.AlphaBeta(eval="paths").decide(state, Limit(nodes=20_000))
        assert known.proven
        assert not searched.proven or np.sign(searched.score) == np.sign(known.score)


def test_batched_boards_follow_the_rules():
    options, rng = Options(rows=5, cols=5, walls=2), np.random.default_rng(3)
    begin = GAME.deal(rng, options)
    rules, start = PACKING.rules(begin), PACKING.pack(begin)[None].copy()
    states, boards = [begin] * 20, np.repeat(start, 20, axis=0)
    encoder = encoder_of("quoridor", options)
    facts = view_of("quoridor", encoder, options).facts_of(begin)
    sizes = PACKING.sizes(begin)
    room = batch.room_for(sizes.words, sizes.width)
    actions, rewards, ended = np.zeros(20, np.int64), np.zeros(20, np.float32), np.zeros(20, bool)
    mask, planes = np.zeros((20, encoder.actions), bool), np.zeros((20, 6, 5, 5), np.float32)
    games = 0
    for _ in range(60):
        batch.legal(rules, room, facts, boards, mask)
        encode_all(rules, facts, boards, planes)
        for at, state in enumerate(states):
            legal = {encoder.action(move, state) for move in state.legal_moves()}
            assert set(np.flatnonzero(mask[at]).tolist()) == legal
            if state.player == 0:
                own, rival = (np.argwhere(planes[at, plane]).tolist() for plane in (0, 1))
                assert [own, rival] == [[list(state.pawns[seat])] for seat in (0, 1)]
                walls = [
                    Wall("hv"[kind], *map(int, spot)) for kind in (0, 1) for spot in np.argwhere(planes[at, 2 + kind])
                ]
                assert set(walls) == state.walls
                assert (planes[at, 4] * 2 == state.left[0]).all()
                assert (planes[at, 5] * 2 == state.left[1]).all()
            assert (planes[at] == encoder.planes(state)).all()
            actions[at] = rng.choice(sorted(legal))
        states = [state.play(encoder.move(int(move), state)) for state, move in zip(states, actions, strict=True)]
        batch.step(rules, room, facts, boards, actions, 1.0, rewards, ended)
        assert [bool(over) for over in ended] == [state.outcome() is not None for state in states]
        assert (rewards == ended).all()
        games += sum(ended)
        boards[ended] = start
        states = [begin if over else state for state, over in zip(states, ended, strict=True)]
    assert games > 10
    batch.legal(rules, room, facts, boards, mask)
    batch.step(rules, room, facts, boards, (~mask).argmax(axis=1), 1.0, rewards, ended)
    assert (rewards == batch.ILLEGAL).all()
    assert ended.all()


def test_random_games_of_the_kernel_last_as_long_as_those_of_the_rules():
    options, rng, plies = Options(rows=5, cols=5, walls=2), np.random.default_rng(0), 0
    begin = GAME.deal(rng, options)
    start = PACKING.pack(begin)[None].copy()
    boards = np.repeat(start, 500, axis=0)
    games = quoridor_games(PACKING.rules(begin).board, boards, start, 2000, 3)
    for _ in range(400):
        state = begin
        while state.outcome() is None:
            moves = state.legal_moves()
            state = state.play(moves[rng.integers(len(moves))])
        plies += len(state.moves)
    assert 500 * 2000 / games == pytest.approx(plies / 400, rel=0.12)  # the deviation of a game is its mean, 2.4 sigma


def value(state, depth, seen=()):
    """The value by the definition, a repeated position a draw: 1 won, -1 lost, 0 for all else within `depth` plies."""
    if state.outcome() is not None:
        return -1
    if depth == 0 or state in seen:
        return 0
    return max(-value(state.play(move), depth - 1, (*seen, state)) for move in state.legal_moves())


def test_a_proven_score_is_the_value_by_definition():
    proven = 0
    for played in random_games(Options(rows=3, cols=3, walls=1), 12, seed=3):
        if len(played.walls) == 0:
            continue
        state = replace(played, shuffled=())  # nothing stood before
        decision = quoridor.Exact().decide(state, Limit(depth=4))
        if decision.proven:  # races are known before they are run
            assert (value(state, 4) or value(state, 6)) == np.sign(decision.score)
            proven += 1
        else:
            assert value(state, 4) == 0
    assert proven > 10


@pytest.mark.parametrize(
    ("side", "walls"), [(3, 0), (3, 1), (3, 2), (3, 3), (3, 4), (3, 5), (5, 0), (5, 1), (5, 2)], ids=str
)
def test_the_second_player_wins_small_boards_with_few_walls(side, walls):
    decision = quoridor.Exact().decide(GAME.parse("", Options(rows=side, cols=side, walls=walls)))
    assert (decision.proven, np.sign(decision.score)) == (True, -1)


def test_what_is_solved_backwards_is_what_a_search_proves():
    proven = {-1: 0, 0: 0, 1: 0}
    for options in (
        Options(rows=4, cols=4, walls=2),
        Options(rows=5, cols=3, walls=2),
        Options(rows=3, cols=6, walls=3),
    ):
        for played in itertools.islice(random_games(options, 6, seed=4), 0, None, 4):
            state = replace(played, shuffled=())  # nothing stood before
            solved = quoridor.Exact().decide(state)
            searched = quoridor.Exact(megabytes=8).decide(state, Limit(nodes=20_000))
            assert solved.proven
            if searched.proven:
                assert np.sign(solved.score) == np.sign(searched.score)
                assert searched.move in solved.best
            proven[int(np.sign(solved.score))] += searched.proven
    assert min(proven[-1], proven[1]) > 10


def test_the_moves_that_keep_the_value_are_all_told():
    """Each move's value is that of the position it leads to, with the sides exchanged."""
    for state in itertools.islice(random_games(Options(rows=4, cols=3, walls=2), 5, seed=9), 1, None, 5):
        decision = quoridor.Exact().decide(state)
        for candidate in decision.candidates:
            after = state.play(candidate.move)
            value = 300 if after.outcome() else -quoridor.Exact().decide(after).score
            assert candidate.score == value
            assert (candidate.move in decision.best) == (value == decision.score)


@pytest.mark.parametrize("walls", [1, 3])
def test_a_game_won_by_proof_is_brought_to_its_end_whatever_the_rival_does(walls):
    rng, solver = np.random.default_rng(walls), quoridor.Exact()
    for _ in range(4):
        state = GAME.parse("", Options(rows=4, cols=4, walls=walls))
        winner = 0 if solver.decide(state).score > 0 else 1
        while state.outcome() is None and len(state.moves) < 120:
            moves = state.legal_moves()
            ours = state.player == winner
            state = state.play(solver.decide(state).move if ours else moves[rng.integers(len(moves))])
        assert state.outcome().winner == winner


def test_a_position_that_stood_before_counts_as_a_draw():
    shuffle = "e2 e8 e1 e9 e2 e8 e1"
    row = Row(GAME.parse(shuffle))
    row.play(PACKING.pack_move(GAME.parse_move("e9", row.state), row.state))
    assert _repeats(row.rules, row.positions, 1)
    row.play(PACKING.pack_move(GAME.parse_move("e7", row.state), row.state))
    assert not _repeats(row.rules, row.positions, 1)


@jit
def _repeats(rules, positions, ply):
    return repeats(rules, positions, ply)


@pytest.mark.parametrize(
    "solver", [quoridor.AlphaBeta(megabytes=16), quoridor.Mcts(nodes=200)], ids=["alphabeta", "mcts"]
)
def test_the_winning_side_makes_progress_against_a_rival_that_only_shuffles(solver):
    state = GAME.parse("e2 e8 e3 e7 e4 e6 e5", Options(variant="repetition", limit=90))
    while state.outcome() is None:
        if state.player == 0:
            state = state.play(solver.decide(state, Limit(nodes=3000)).move)
        else:
            steps = state.steps()
            state = state.play(min(steps, key=lambda cell: (len([c for c in state.shuffled if cell in c]), cell)))
    assert state.outcome().winner == 0


def test_the_searched_score_is_that_of_the_plain_search():
    """Every move looked at, against alpha-beta by the book with the same evaluation, where nobody wins yet."""

    def guess(state):
        own, rival = (len(path) - 1 for path in (state.paths() if state.player == 0 else state.paths()[::-1]))
        walls = state.left[state.player] - state.left[1 - state.player]
        return (packed.STEP * (rival - own) + 60 * walls + 40) / packed.STEP

    for text in ("", "c2 c4 c2h b3v"):
        state = GAME.parse(text, Options(rows=5, cols=5, walls=3))
        for depth in (1, 2):
            decision = quoridor.Exact(megabytes=1).decide(state, Limit(depth=depth))
            assert decision.score == alphabeta.search(state, depth, guess=guess)[0]


def test_the_yardstick_counts_steps_walls_and_the_move_alone():
    decision = quoridor.Draft(megabytes=1).decide(GAME.parse(""), Limit(depth=1))
    assert GAME.format_move(decision.move, GAME.parse("")) == "e2"
    assert decision.score == pytest.approx(1.0 - 0.4)  # a step ahead, the rival to move


def test_a_tree_is_kept_from_move_to_move():
    solver, state = quoridor.Mcts(), GAME.parse("", Options(rows=5, cols=5, walls=3))
    decision = solver.decide(state, Limit(nodes=2000))
    state = state.play(decision.line[0]).play(decision.line[1])
    again = solver.decide(state, Limit(nodes=100))
    fresh = quoridor.Mcts().decide(state, Limit(nodes=100))
    assert again.nodes == fresh.nodes == 100
    assert sum(candidate.visits for candidate in again.candidates) > 200
    assert {candidate.move for candidate in again.candidates} == {candidate.move for candidate in fresh.candidates}
    (tree,) = (search.tree for search in solver._kept)
    for node in range(1, int(tree.control[mcts.USED])):
        parent = tree.parents[node]
        assert 0 <= node - tree.firsts[parent] < tree.counts[parent]
    expanded = np.flatnonzero(tree.counts[: tree.control[mcts.USED]] > 0)
    below = [tree.visits[tree.firsts[node] :][: tree.counts[node]].sum() for node in expanded]
    assert (tree.visits[expanded] - below >= 0).all()
    assert (tree.visits[expanded] - below <= 1).all()


def test_noise_and_temperature_make_self_play_try_other_moves():
    state = GAME.parse("", Options(rows=5, cols=5, walls=3))
    plain = {quoridor.Mcts(seed=seed).decide(state, Limit(nodes=60)).move for seed in range(8)}
    varied = {
        quoridor.Mcts(seed=seed, noise=0.5, temperature=1.5).decide(state, Limit(nodes=60)).move for seed in range(8)
    }
    assert len(varied) > len(plain)


def test_leaves_can_be_judged_by_the_evaluation():
    state = GAME.parse("c2 c4 c3 d4", Options(rows=5, cols=5, walls=0))
    assert quoridor.Mcts(guess=3.0).decide(state, Limit(nodes=300)).score > 0.5


def test_a_search_that_nothing_limits_ends_though_nothing_is_proven():
    decision = quoridor.AlphaBeta(megabytes=1).decide(GAME.parse("e2 e8 e3h"))
    assert not decision.proven
    assert len(decision.candidates) > 5


def test_the_other_moves_are_shown_with_what_they_are_worth_at_most():
    state = GAME.parse("c2 c4 c3 d4", Options(rows=5, cols=5, walls=1))
    candidates = quoridor.AlphaBeta(megabytes=1).decide(state, Limit(depth=4)).candidates
    assert len(candidates) > 5
    assert [candidate.score for candidate in candidates] == sorted((c.score for c in candidates), reverse=True)
