"""The environments keep to their libraries' rules and to the games' own."""

from dataclasses import asdict

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from games import GAMES, find_game
from games.core import Cell, Drag, Options, SettingsError, Tap
from solvers.learned.encoder import CellPlanes, legal_actions
from solvers.learned.registry import encoder_names, encoder_of, network_game
from solvers.training.batches import BatchEnvironment, batch_of, random_policy
from solvers.training.environments import NAMES, AllSeats, BoardGame

VARIANTS = {
    "flood_it": {"rows": 5, "cols": 5, "colours": 4, "limit": 12},
    "filler": {"rows": 5, "cols": 6, "colours": 5},
    "connect_four": {},
    "quoridor": {"rows": 3, "cols": 3, "walls": 1, "limit": 60},
    "blokus": {"rows": 5, "cols": 5},
}
VARIANTS |= {
    name: {key: value for key, value in asdict(find_game(name).small).items() if value is not None}
    for name in GAMES
    if name not in VARIANTS
}
BLOKUS_SEATS = [{"rows": 6, "cols": 6, "players": players} for players in (2, 3, 4)]


def made(name, **settings):
    """The environment by its name, as a user makes it."""
    return gymnasium.make(name, **VARIANTS[NAMES[name]], **settings)


def try_out(environment, cycles):
    """Runs PettingZoo's own test, which is imported here because it takes each worker a second."""
    from pettingzoo.test import api_test

    api_test(environment, num_cycles=cycles, verbose_progress=False)


def test_every_game_has_an_environment():
    assert set(NAMES.values()) == set(GAMES)


@pytest.mark.filterwarnings("ignore:.*WARN.*:UserWarning")
@pytest.mark.parametrize("name", NAMES)
def test_gymnasiums_checker_is_content(name):
    check_env(made(name, render_mode="rgb_array").unwrapped)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("game", GAMES)
def test_pettingzoos_test_is_content(game):
    try_out(AllSeats(game, **VARIANTS[game]), 60)


@pytest.mark.filterwarnings("ignore:.*WARN.*:UserWarning")
def test_a_game_that_says_nothing_of_learning_has_an_environment_all_the_same(hedge):
    environment = BoardGame(hedge, opponent="mcts-readable", rows=3, cols=3)
    check_env(environment)
    planes, info = environment.reset(seed=5)
    state = environment.state
    for row, col in np.ndindex(3, 3):
        owners = [planes[0, row, col] and state.player + 1, planes[1, row, col] and 2 - state.player]
        assert sum(owners) == state.grid[row][col]
        assert planes[:, row, col].sum() == 1
    assert {*np.flatnonzero(info["action_mask"])} == {3 * row + col for row, col in state.legal_moves()}


@pytest.mark.filterwarnings("ignore:.*WARN.*:UserWarning")
def test_a_move_from_one_cell_to_another_has_the_same_number_in_every_position(from_the_docs):
    environment = BoardGame(from_the_docs, rows=3, cols=4)
    check_env(environment)
    environment.reset(seed=5)
    state, encoder = environment.state, environment.encoder
    assert encoder.actions == 12 * 12
    while moves := state.legal_moves():
        numbers = legal_actions(encoder, state).tolist()
        assert numbers == [12 * (4 * a.row + a.col) + 4 * b.row + b.col for a, b in moves]
        assert [encoder.move(number, state) for number in numbers] == list(moves)
        state = state.play(moves[-1])


def test_moves_made_in_several_ways_have_numbers_of_their_own(hedge, monkeypatch):
    game = find_game(hedge)
    state = game.parse("", Options(rows=2, cols=3))
    ways = [(Tap(Cell(1, 2)),), (Tap(Cell(0, 1)), Tap(Cell(1, 0))), (Drag(Cell(1, 1), Cell(0, 0)),), (Tap("pass"),)]
    monkeypatch.setattr(type(state), "legal_moves", lambda self: "abcd" if self == state else ())
    monkeypatch.setattr(type(state), "play", lambda self, move: game.parse("111/111 1"))
    monkeypatch.setattr(type(game), "gestures", lambda self, state, move, how="": ways["abcd".index(move)])
    encoder = CellPlanes(Options(rows=2, cols=3), hedge)
    assert encoder.actions == 6 + 6 * 6 + 6
    assert legal_actions(encoder, state).tolist() == [5, 6 + 6 * 1 + 3, 6 + 6 * 4 + 0, 42 + 3]
    assert [encoder.move(action, state) for action in (5, 15, 30, 45)] == list("abcd")


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_all_seats_of_such_a_game_are_agents_that_may_move_twice(hedge):
    try_out(AllSeats(hedge, rows=3, cols=3), 60)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_blokus_has_two_to_four_agents():
    for variant in BLOKUS_SEATS:
        environment = AllSeats("blokus", reward="margin", **variant)
        assert len(environment.possible_agents) == variant["players"]
        try_out(environment, 30)


@pytest.mark.parametrize("name", NAMES)
def test_the_mask_names_exactly_the_legal_moves_of_the_learner(name):
    environment = made(name).unwrapped
    for seed in range(3):
        _, info = environment.reset(seed=seed)
        over = False
        while not over:
            state = environment.state
            assert state.player == environment.seat
            moves = {environment.encoder.action(move, state) for move in state.legal_moves()}
            assert set(np.flatnonzero(info["action_mask"]).tolist()) == moves
            assert (environment.action_masks() == info["action_mask"]).all()
            action = environment.np_random.choice(sorted(moves))
            _, reward, over, _, info = environment.step(action)
            assert over or reward == 0
        outcome = environment.state.outcome()
        assert reward == (
            0
            if outcome.winner is None and name != "boardsight/FloodIt-v0"
            else 1
            if outcome.winner == environment.seat
            else -1
        )


def test_fillers_published_reward_counts_cells_bars_colours_and_ends_with_fifty():
    environment = made("boardsight/Filler-v0", reward="article", seat=0, opponent="greedy").unwrapped
    environment.reset(seed=4)
    before = environment.state
    barred = before.current[1]
    _, reward, over, _, _ = environment.step(barred)
    assert (reward, over, environment.state) == (-10.0, False, before)
    total, over = 0.0, False
    while not over:
        action = np.flatnonzero(environment.action_masks())[0]
        _, reward, over, _, _ = environment.step(action)
        total += reward
    ended = environment.state.outcome()
    gained = ended.scores[0] - before.cells[0]
    assert total == gained + (0 if ended.winner is None else 50 if ended.winner == 0 else -50)


def test_a_margin_is_the_own_cells_less_the_best_rivals():
    for variant in BLOKUS_SEATS:
        environment = gymnasium.make("boardsight/Blokus-v0", reward="margin", **variant).unwrapped
        environment.reset(seed=1)
        over = False
        while not over:
            _, reward, over, _, _ = environment.step(
                environment.np_random.choice(np.flatnonzero(environment.action_masks()))
            )
        scores = list(environment.state.outcome().scores)
        own = scores.pop(environment.seat)
        assert reward == own - max(scores)


def test_an_illegal_move_loses_at_once():
    environment = made("boardsight/ConnectFour-v0", seat=0).unwrapped
    environment.reset(seed=0)
    environment.state = find_game("connect_four").parse("444444")
    assert environment.step(3)[1:4] == (-1.0, True, False)


def test_the_same_seed_gives_the_same_game():
    def game(seed):
        environment, seen = made("boardsight/Blokus-v0").unwrapped, []
        environment.reset(seed=seed)
        over = False
        while not over:
            _, _, over, _, _ = environment.step(np.flatnonzero(environment.action_masks())[0])
            seen.append(environment.state)
        return seen

    assert game(3) == game(3) != game(4)


def test_pictures_and_texts_show_the_position():
    environment = made("boardsight/Filler-v0", render_mode="ansi").unwrapped
    environment.reset(seed=0)
    assert find_game("filler").parse(environment.render(), Options(colours=5)) == environment.state
    environment.render_mode = "rgb_array"
    picture = environment.render()
    assert picture.shape == (5 * 16, 6 * 16, 3)
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) == len(
        {kind for row in environment.state.grid for kind in row}
    )


def test_what_cannot_be_is_refused():
    with pytest.raises(SettingsError, match="no reward of blokus"):
        made("boardsight/Blokus-v0", reward="article")
    with pytest.raises(SettingsError, match="no seat 2"):
        made("boardsight/Filler-v0", seat=2)
    with pytest.raises(SettingsError, match="no batches of blokus"):
        batch_of("blokus", Options(), 2, 0)
    with pytest.raises(SettingsError, match="no opponent 'greedy'"):
        BatchEnvironment("filler", 2, opponent="greedy")


BATCH_BOARDS = {
    "connect_four": Options(),
    "connect_four-threats": Options(),
    "filler": Options(rows=5, cols=6, colours=5),
    "filler-reach": Options(rows=5, cols=6, colours=5, variant="uniform"),
    "quoridor": Options(rows=4, cols=5, walls=3),
}


def test_every_batch_is_tried():
    assert {*BATCH_BOARDS} == {name for name in encoder_names() if network_game(name.partition("-")[0]).batch}


@pytest.mark.parametrize("name", BATCH_BOARDS)
def test_a_batch_shows_and_plays_what_the_readable_rules_do(name):
    game, board = name.partition("-")[0], BATCH_BOARDS[name]
    batch, encoder, rules = batch_of(name, board, 12, 3), encoder_of(name, board), find_game(game)
    rng, states, ended = np.random.default_rng(2), [None] * 12, 0
    for _ in range(40):
        planes, masks, first = batch.planes(), batch.masks(), batch.first.copy()
        actions = random_policy(rng)(planes, masks)
        for at in range(12):
            if states[at] is None:
                states[at] = dealt(game, board, planes[at], rules)
            state = states[at]
            assert first[at] == (state.player == 0)
            assert np.allclose(planes[at], encoder.planes(state))
            moves = state.legal_moves()
            assert set(np.flatnonzero(masks[at]).tolist()) == {encoder.action(move, state) for move in moves}
            states[at] = state.play(encoder.move(int(actions[at]), state))
        batch.step(actions)
        for at, state in enumerate(states):
            assert batch.ended[at] == (state.outcome() is not None)
            if batch.ended[at]:
                mover = 1 - state.player
                scores = state.outcome().scores
                assert np.sign(batch.rewards[at]) == np.sign(scores[mover] - scores[1 - mover])
                ended, states[at] = ended + 1, None
    assert ended > 3


def dealt(game, board, planes, rules):
    """The start position that `planes` show."""
    if game != "filler":
        return rules.deal(np.random.default_rng(0), board)
    grid = planes[: board.colours].argmax(axis=0)
    return rules.parse("/".join("".join(map(str, row)) for row in grid) + " 1", Options(colours=board.colours))


@pytest.mark.parametrize("opponent", ["self", "random"])
def test_many_boards_are_one_environment(opponent):
    environment = BatchEnvironment("filler", 64, opponent=opponent, rows=5, cols=6, colours=5)
    planes, infos = environment.reset(seed=1)
    rng, rewards = np.random.default_rng(0), []
    for _ in range(60):
        assert environment.observation_space.contains(planes)
        actions = random_policy(rng)(planes, infos["action_mask"])
        assert environment.action_space.contains(actions)
        planes, reward, terminated, truncated, infos = environment.step(actions)
        assert not truncated.any()
        assert not reward[~terminated].any()
        rewards += reward[terminated].tolist()
    assert len(rewards) > 100
    assert abs(np.mean(rewards)) < 0.2


def test_a_batch_with_an_illegal_action_loses_that_game():
    batch = batch_of("filler", BATCH_BOARDS["filler"], 4, 0)
    batch.step((~batch.masks()).argmax(axis=1))
    assert (batch.rewards == -1).all()
    assert batch.ended.all()
