"""The batched boards against the rules of their games, move by move."""

import numpy as np
import pytest

from bench.solvers.random_games import connect_four_games, observe, planes_for
from games import find_game
from games.core import Options
from solvers.connect_four import players as connect_four
from solvers.filler.players import Packing
from solvers.kernels import batch
from solvers.kernels.connect_four import rules as packed_four
from solvers.kernels.encoding import encode_all
from solvers.kernels.filler import deals
from solvers.learned.registry import encoder_of
from solvers.learned.view import view_of
from solvers.training.batches import batch_of

BOARDS = 40


def test_connect_fours_boards_follow_the_rules():
    game, rng = find_game("connect_four"), np.random.default_rng(1)
    rules, packing = packed_four.rules_of(6, 7, 4), connect_four.Packing()
    boards, columns = np.zeros((BOARDS, 2), np.uint64), np.zeros(BOARDS, np.int64)
    room = batch.room_for(2, 7)
    rewards, ended = np.zeros(BOARDS, np.float32), np.zeros(BOARDS, bool)
    mask, planes = np.zeros((BOARDS, 7), bool), np.zeros((BOARDS, 2, 6, 7), np.float32)
    facts = view_of("connect_four", encoder_of("connect_four", Options()), Options()).facts_of(game.parse(""))
    states, games = [game.parse("")] * BOARDS, 0
    for _ in range(60):
        batch.legal(rules, room, facts, boards, mask)
        encode_all(rules, facts, boards, planes)
        for at, state in enumerate(states):
            assert tuple(np.flatnonzero(mask[at])) == state.legal_moves()
            grid = np.array(state.grid)
            assert (planes[at] == np.stack([grid == state.player + 1, grid == 2 - state.player])).all()
            assert (boards[at] == packing.pack(state)).all()
            columns[at] = rng.choice(state.legal_moves())
        states = [state.play(int(move)) for state, move in zip(states, columns, strict=True)]
        batch.step(rules, room, facts, boards, columns, 1.0, rewards, ended)
        for at, state in enumerate(states):
            over = state.outcome()
            assert ended[at] == (over is not None)
            assert rewards[at] == (over is not None and over.winner is not None)
        games += sum(ended)
        boards[ended] = 0
        states = [game.parse("") if over else state for state, over in zip(states, ended, strict=True)]
    assert games > BOARDS


def test_a_full_column_loses():
    rules = packed_four.rules_of(6, 7, 4)
    boards = connect_four.Packing().pack(find_game("connect_four").parse("444444"))[None].copy()
    rewards, ended = np.zeros(1, np.float32), np.zeros(1, bool)
    facts, full = np.zeros(2, np.int64), boards.copy()
    batch.step(rules, batch.room_for(2, 7), facts, boards, np.array([3]), 1.0, rewards, ended)
    assert (rewards[0], ended[0], (boards == full).all()) == (-1.0, True, True)


def test_random_connect_four_games_last_as_long_as_those_of_the_rules():
    boards = np.zeros((2000, 2), np.uint64)
    games = connect_four_games(packed_four.rules_of(6, 7, 4), boards, 500, 3)
    game, rng, plies = find_game("connect_four"), np.random.default_rng(0), 0
    for _ in range(300):
        state = game.parse("")
        while state.outcome() is None:
            state = state.play(int(rng.choice(state.legal_moves())))
        plies += len(state.moves)
    assert 2000 * 500 / games == pytest.approx(plies / 300, abs=1.5)  # 8 plies of deviation over 300 games, 3 sigma


def filler_rules(rows, cols, colours):
    return Packing().rules(find_game("filler").deal(np.random.default_rng(0), Options(rows, cols, colours)))


def filler_state(rules, planes):
    """The readable position that an observation of the side to move shows."""
    kinds, owners = planes
    grid = tuple(tuple(int(kind) for kind in row) for row in kinds)
    first_moves = owners[0, 0] == 1
    text = "/".join("".join(map(str, row)) for row in grid) + (" 1" if first_moves else " 2")
    return find_game("filler").parse(text, Options(colours=rules.colours))


def test_fillers_boards_follow_the_rules():
    rng, size = np.random.default_rng(5), Options(rows=5, cols=6, colours=5)
    boards, encoder = batch_of("filler", size, BOARDS, 1), encoder_of("filler", size)
    states, games = [dealt(planes, 5) for planes in boards.planes()], 0
    for _ in range(70):
        masks, colours = boards.masks(), np.zeros(BOARDS, np.int64)
        for at, state in enumerate(states):
            assert tuple(np.flatnonzero(masks[at])) == state.legal_moves()
            colours[at] = rng.choice(state.legal_moves())
        states = [state.play(int(move)) for state, move in zip(states, colours, strict=True)]
        boards.step(colours)
        planes = boards.planes()
        for at, state in enumerate(states):
            over = state.outcome()
            assert boards.ended[at] == (over is not None)
            if over is not None:
                margin = over.scores[1 - state.player] - over.scores[state.player]
                assert boards.rewards[at] == pytest.approx(margin / 30)
                states[at] = dealt(planes[at], 5)
                games += 1
            else:
                assert np.allclose(planes[at], encoder.planes(state))
    assert games > BOARDS


def dealt(planes, colours):
    """The start position that `planes` show."""
    grid = planes[:colours].argmax(axis=0)
    return find_game("filler").parse("/".join("".join(map(str, row)) for row in grid) + " 1", Options(colours=colours))


def test_dealt_boards_have_no_two_like_neighbours():
    rules = filler_rules(7, 8, 6)
    boards = np.zeros((500, 9), np.uint64)
    words, planes = planes_for(rules, 500)
    deals.deal(rules, False, boards, 4)
    observe(rules, boards, words)
    grids = planes[:, 0]
    assert (grids[:, 1:] != grids[:, :-1]).all()
    assert (grids[:, :, 1:] != grids[:, :, :-1]).all()
    assert (grids[:, 0, 0] != grids[:, -1, -1]).all()
    assert len({grid.tobytes() for grid in grids}) == 500
    assert abs(np.bincount(grids.ravel(), minlength=6) / grids.size - 1 / 6).max() < 0.01


def test_uniform_boards_have_like_neighbours_and_corners_that_own_what_they_are_connected_to():
    rules = filler_rules(5, 6, 5)
    boards = np.zeros((200, 8), np.uint64)
    words, planes = planes_for(rules, 200)
    deals.deal(rules, True, boards, 4)
    observe(rules, boards, words)
    grids = planes[:, 0]
    assert 0.15 < (grids[:, 1:] == grids[:, :-1]).mean() < 0.25
    for grid, owners in planes:
        state = filler_state(rules, (grid, owners))
        owned = [{(int(row), int(col)) for row, col in zip(*np.nonzero(owners == who), strict=True)} for who in (1, -1)]
        assert owned == [set(territory) for territory in state.territories]


def test_a_barred_colour_loses():
    boards = batch_of("filler", Options(), 1, 0)
    boards.step((~boards.masks()).argmax(axis=1))
    assert (boards.rewards[0], boards.ended[0]) == (-1.0, True)
