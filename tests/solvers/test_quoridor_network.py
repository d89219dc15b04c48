"""The network in Quoridor's search against its sums by definition, and its training on a small scale."""

import re

import numpy as np
import pytest
import torch

from bench.solvers.quoridor_evaluation import opening
from games.core import Cell, Options, SettingsError
from games.quoridor import GAME, Wall
from solvers.core import Limit
from solvers.kernels.jit import jit
from solvers.kernels.quoridor import board as packed
from solvers.kernels.quoridor import network as net
from solvers.kernels.quoridor.evaluation import threats
from solvers.kernels.rules import evaluate, generate, play, promise, refine
from solvers.kernels.whole_rows import UNITS
from solvers.quoridor.network import network_for
from solvers.quoridor.players import AlphaBeta
from solvers.training import quoridor_network as training
from solvers.training.kernels import quoridor as games

PACKING = AlphaBeta.packing


def random_weights(seed=0):
    rng = np.random.default_rng(seed)
    return training.RoundedWeights(
        rng.integers(-90, 90, (net.ROWS, UNITS)).astype(np.int16),
        rng.integers(-50, 50, (net.STAGES, UNITS)).astype(np.int16),
        np.stack([rng.integers(200, 300, net.STAGES), rng.integers(-20, 20, net.STAGES)], 1),
    )


@pytest.fixture(scope="module")
def states():
    """Positions of games of chance, each some moves on from the one before."""
    rng, found = np.random.default_rng(4), []
    for _ in range(12):
        state = opening(rng)
        for _ in range(int(rng.integers(1, 20))):
            if state.outcome() is None:
                moves = state.legal_moves()
                state = state.play(moves[rng.integers(len(moves))])
                found.append(state)
    return [state for state in found if state.outcome() is None]


@jit
def _judged(rules, positions, ply):
    guess = np.int64(evaluate(rules, positions, ply))
    return refine(rules, positions, ply, guess, guess, guess)


@jit
def _threats(rules, positions, ply, seat):
    return threats(rules.board, positions, ply, seat)


def rows_of(state, rules, positions):
    """The rows chosen, by the readable state; the walls that threaten by the kernel, which has a test of its own."""
    seat, last = state.player, 8

    def seen(cell, rows=9):
        return (cell.row if seat == 0 else rows - 1 - cell.row) * 9 + cell.col

    own, rival = state.pawns[seat], state.pawns[1 - seat]
    paths = [len(path) - 1 for path in state.paths()]
    costs = [_threats(rules, positions, 0, each) if state.left[1 - each] else (0, 0) for each in (seat, 1 - seat)]
    rows = [net.OWN + seen(own), net.RIVAL + seen(rival), net.LEFT + state.left[seat]]
    rows += [net.LEFT + net.MOST_LEFT + 1 + state.left[1 - seat], net.STEPS + min(paths[seat], net.MOST_STEPS)]
    rows += [net.STEPS + net.MOST_STEPS + 1 + min(paths[1 - seat], net.MOST_STEPS)]
    rows += [
        net.COSTS + number * (net.MOST_COST + 1) + min(cost, net.MOST_COST)
        for number, cost in enumerate([*costs[0], *costs[1]])
    ]
    bases = {"h": net.H_WALLS, "v": net.V_WALLS}
    return rows + [bases[wall.way] + seen(Cell(wall.row, wall.col), last) for wall in state.walls]


def test_what_is_kept_from_position_to_position_is_what_each_would_have_alone(states):
    weights = random_weights()
    for state in states:
        positions = PACKING.pack(state)[None].copy()
        plain = PACKING.rules(state)
        kept = plain._replace(network=net.network_of(*weights))
        break
    network = kept.network
    for state in states:
        positions = PACKING.pack(state)[None].copy()
        sums = weights.rows[rows_of(state, plain, positions)].astype(int).sum(axis=0)
        stage = min((sum(state.left) + 2) // 3, 7)
        found = int(np.maximum(sums, 0) @ weights.heads[stage].astype(int)) * net.ODDS // (256 * 256)
        score = _judged(plain, positions, 0)
        expected = found + weights.shares[stage, 1] + score * weights.shares[stage, 0] // 256
        assert _judged(kept, positions, 0) == np.clip(expected, -packed.WIN // 2, packed.WIN // 2)
        assert (network.sums[state.player] == sums).all()


def test_the_rounded_network_says_what_the_learned_one_says(states):
    torch.manual_seed(3)
    learner = training.PathsLearner()
    with torch.no_grad():
        learner.heads.normal_(0, 0.2)
        learner.constants.normal_(0, 0.1)
    rules = PACKING.rules(states[0])._replace(network=net.network_of(*learner.rounded()))
    positions = np.array([PACKING.pack(state) for state in states])
    asked = described(positions)
    said = training.answers(learner, asked) * net.ODDS
    kernel = [_judged(rules, positions, at) for at in range(len(positions))]
    assert np.abs(said - kernel).max() < 10  # a tenth of a step
    assert np.abs(said - asked.plain * net.ODDS).max() > 50


def described(positions):
    """Lessons that teach nothing."""
    n = len(positions)
    chosen, stages = np.zeros((n, net.FACTS + games.MOST_WALLS), np.int16), np.zeros(n, np.int8)
    plain = np.zeros(n, np.int32)
    blank = random_weights()
    games.describe(training._rules(None), training._rules(blank), positions, chosen, plain, stages)
    nothing = np.zeros(n, np.float32)
    return training.Lessons(chosen, stages, (plain / net.ODDS).astype(np.float32), nothing, nothing)


def test_a_mirrored_board_chooses_mirrored_rows(states):
    for state in states[::5]:
        other = GAME.deal(np.random.default_rng(0))
        for move in state.moves:
            other = other.play(move._replace(col=8 - (move.col + isinstance(move, Wall))))
        one, two = (described(PACKING.pack(each)[None].copy()).batch(np.array([0]))[0][0] for each in (state, other))
        kept = [0, 1, 2, 3, 4, 5, *range(net.FACTS, len(one))]  # ties between paths may threaten otherwise
        assert sorted(training.MIRRORED[one][kept].tolist()) == sorted(two[kept].tolist())


@jit
def _listed(rules, memory):
    return generate(rules, memory.positions, 0, memory.moves, memory.weights)


@jit
def _promised(rules, memory, move):
    play(rules, memory.positions, 0, move)
    return promise(rules, memory.positions, 1)


def test_walls_weigh_more_by_how_they_lie_to_the_pawns_and_moves_by_the_ways_they_make_longer(states):
    rng = np.random.default_rng(7)
    order = net.MoveOrder(
        rng.integers(-900, 900, net.AROUND).astype(np.int32),
        rng.integers(-900, 900, (net.LENGTHS, net.LENGTHS)).astype(np.int32),
    )
    plain, memory = PACKING.rules(states[0]), training._memory()
    ordered = plain._replace(network=net.network_of(*random_weights()[:3], order))
    for state in states[::9]:
        memory.positions[0] = PACKING.pack(state)
        count = _listed(plain, memory)
        kinds, moves = memory.weights[0, :count].copy(), memory.moves[0, :count].tolist()
        assert (_listed(ordered, memory), memory.moves[0, :count].tolist()) == (count, moves)
        seat, before = state.player, [len(path) for path in state.paths()]
        for weight, packed_move in zip(memory.weights[0, :count] - kinds, moves, strict=True):
            move, expected = PACKING.unpack_move(packed_move, state), 0
            if isinstance(move, Wall):
                for whose, pawn in enumerate((state.pawns[seat], state.pawns[1 - seat])):
                    ahead = pawn.row - move.row if seat == 0 else move.row + 1 - pawn.row  # rows of cells, 0: behind it
                    aside = move.col - pawn.col
                    row, col = net.SIDE - 1 - ahead, aside if aside >= 0 else -1 - aside
                    expected += order.around[whose, "hv".index(move.way), row, col]
            assert weight == expected
            after = [len(path) for path in state.play(move).paths()]
            own, rival = (min(after[each] - before[each] + net.SHORTER, net.LENGTHS - 1) for each in (seat, 1 - seat))
            assert _promised(ordered, memory, packed_move) == order.gains[own, rival]
            assert _promised(plain, memory, packed_move) == 0


def test_an_order_learned_from_few_games_has_more_of_their_moves_among_the_first(tmp_path, monkeypatch):
    monkeypatch.setattr(training, "PIECE", 3_000)
    monkeypatch.setattr(training, "ORDER_STEPS", 60)
    said: list[str] = []
    made = training.NetworkTraining(tmp_path, 2)
    made.play(0, 1, None, nodes=300)
    training.fitted_order(training.moves_of(sorted(tmp_path.glob("round-0-*.npz"))), 2, said.append)
    learned, by_kind = (float(share) for share in re.findall(r"([\d.]+)%", said[0]))
    assert learned > by_kind + 2


def test_a_training_goes_on_where_it_stood(tmp_path, monkeypatch):
    monkeypatch.setattr(training, "PIECE", 900)
    monkeypatch.setattr(training, "NODES", 60)
    monkeypatch.setattr(training, "MATCHED", 200)
    monkeypatch.setattr(training, "HELD_BACK", 1)
    made = training.NetworkTraining(tmp_path, 5)
    made.play(0, 2, None)
    first = tmp_path / "round-0-000.npz"
    was = first.stat().st_mtime_ns
    with np.load(first) as kept:
        results = kept["results"]
        assert {games.WON, games.LOST, games.OPEN} <= set(results.tolist())
    weights = made.learn(0)
    again = training.NetworkTraining(tmp_path, 5)
    again.play(0, 2, None)
    assert first.stat().st_mtime_ns == was
    assert all(
        (one == two).all() for one, two in zip(weights.arrays().values(), again.learn(0).arrays().values(), strict=True)
    )
    again.match(0, weights, 2)
    log = (tmp_path / "log.txt").read_text().splitlines()
    assert [line.split(":")[0] for line in log[:2]] == ["round-0-000.npz", "round-0-001.npz"]
    assert "of 4 against eval=paths" in log[-1]


def test_other_boards_and_eval_paths_have_no_network():
    state = GAME.parse("", Options(rows=5, cols=5, walls=3))
    assert len(network_for(state).rows) == 0
    assert len(network_for(GAME.parse("", Options(walls=11))).rows) == 0
    assert len(network_for(GAME.parse("e2 e8")).rows) == net.ROWS
    learned, plain = (AlphaBeta(eval=name).decide(state, Limit(nodes=3000)) for name in ("network", "paths"))
    assert (learned.score, learned.line) == (plain.score, plain.line)
    state = GAME.parse("e2 e8 e3 e7")
    learned, plain = (AlphaBeta(eval=name).decide(state, Limit(nodes=3000)) for name in ("network", "paths"))
    assert learned.score != plain.score
    with pytest.raises(SettingsError, match="choose network or paths"):
        AlphaBeta(eval="guess")
