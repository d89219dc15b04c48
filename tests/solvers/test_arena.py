"""Matches: what is played, in which order, and what the result is said to mean."""

import itertools
import math
from dataclasses import dataclass, field

import numpy as np
import pytest

from games import find_game
from games.core import Options, SettingsError
from solvers.arena import ArenaGame, Terms, elo, match, seeded, standing
from solvers.baseline import Random
from solvers.core import Decision, Limit


@dataclass(frozen=True)
class Chooser:
    """Plays the legal move at `place`, or `illegal`; remembers the positions it was asked about."""

    place: int = 0
    illegal: int | None = None
    asked: list = field(default_factory=list)

    def decide(self, state, limit=Limit(), *, progress=None):
        self.asked.append(state)
        move = state.legal_moves()[self.place] if self.illegal is None else self.illegal
        return Decision(move, seconds=0.25)


@dataclass(frozen=True)
class Listener:
    """Another solver, and the positions it was asked about."""

    solver: object
    asked: list

    def decide(self, state, limit=Limit(), *, progress=None):
        self.asked.append(state)
        return self.solver.decide(state, limit)


def play(name, players, games, *, seed=5, **terms):
    return list(match(find_game(name), players, games, np.random.default_rng(seed), Terms(**terms)))


@pytest.mark.parametrize("name", ["connect_four", "filler"])
def test_each_start_is_played_from_both_sides(name):
    asked = []
    played = play(name, (Chooser(0, asked=asked), Chooser(-1, asked=asked)), 6, openings=3)
    assert [(each.start, each.seat) for each in played] == [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)]
    ends = [0, *itertools.accumulate(sum(each.moves) for each in played)]
    first = [asked[end] for end in ends[:-1]]
    assert first[0] == first[1] != first[2] == first[3] != first[4] == first[5]
    assert {state.player for state in first} == {1}  # who moves after three random moves
    assert [each.moves[each.seat] <= each.moves[1 - each.seat] for each in played] == [True] * 6


def test_a_seat_alone_is_played_from_another_start_each_time():
    played = play("connect_four", (Random(1), Random(2)), 3, openings=2, seats=(1,))
    assert [(each.start, each.seat) for each in played] == [(0, 1), (1, 1), (2, 1)]


def test_an_odd_match_ends_with_half_a_pair():
    assert [each.seat for each in play("connect_four", (Random(1), Random(2)), 3, openings=2)] == [0, 1, 0]


def test_the_starts_differ_while_there_are_different_ones():
    watcher = Chooser()
    play("connect_four", (watcher, watcher), 14, openings=1)
    starts = {state for state in watcher.asked if len(state.moves) == 1}
    assert len(starts) == 7


def test_a_player_wins_by_its_own_seat():
    """Column 0 against column 1: whoever moves first has four in a column first."""
    played = play("connect_four", (Chooser(0), Chooser(-1)), 2)
    assert [(each.points, each.won) for each in played] == [(1.0, (True, False)), (0.0, (False, True))]
    assert [each.moves for each in played] == [(4, 3), (3, 4)]


def test_an_illegal_move_loses_the_game():
    played = play("connect_four", (Chooser(), Chooser(illegal=99)), 2)
    assert [(each.points, each.forfeit) for each in played] == [(1.0, 1), (1.0, 1)]
    assert "99" in played[0].reason


def test_a_game_without_end_is_drawn():
    played = play("connect_four", (Random(1), Random(2)), 2, plies=3)
    assert [(each.points, each.reason) for each in played] == [(0.5, "not finished in 3 moves")] * 2


def test_a_race_gives_both_the_same_boards_and_the_point_to_the_shorter_game():
    asked = []
    players = Listener(Random(1), asked), Listener(Random(2), asked)
    played = play("flood_it", players, 8, options=Options(rows=4, colours=3))
    turns = [0, *itertools.accumulate(itertools.chain.from_iterable(each.moves for each in played))]
    starts = [asked[turn] for turn in turns[:-1]]
    assert starts[::2] == starts[1::2]
    assert len(set(starts)) == 8
    for each in played:
        assert each.points == (each.moves[0] < each.moves[1]) + (each.moves[0] == each.moves[1]) / 2
        assert each.won == (True, True)
    assert {each.points for each in played} >= {0.0, 1.0}


def test_a_board_that_is_not_won_loses_the_race():
    played = play("flood_it", (Chooser(), Chooser(-1)), 2, options=Options(limit=1))
    assert [(each.points, each.won) for each in played] == [(0.5, (False, False))] * 2


def test_a_match_of_four_players_is_refused():
    with pytest.raises(SettingsError, match="two players"):
        play("connect_four", (Random(1), Random(2)), 2, options=Options(players=4))


def test_openings_longer_than_the_game_are_refused():
    with pytest.raises(SettingsError, match="over within 16"):
        play("connect_four", (Random(1), Random(2)), 2, openings=16, options=Options(rows=4, cols=4, length=3))


def pairs(*points):
    """Games by the points of their pairs."""
    return [
        ArenaGame(start, seat, each, (1, 1), (0, 0), "")
        for start, both in enumerate(points)
        for seat, each in enumerate(both)
    ]


def test_the_result_counts_games_and_pairs():
    result = standing(pairs((1.0, 1.0), (1.0, 0.5), (1.0, 0.0), (0.5, 0.5), (0.0, 0.0), (0.5, 0.0)))
    assert (result.wins, result.draws, result.losses) == (4, 4, 4)
    assert result.pairs == (1, 1, 2, 1, 1)
    assert result.elo == 0


def test_a_player_with_all_points_is_infinitely_stronger_but_not_certainly():
    result = standing(pairs(*[(1.0, 1.0)] * 10))
    low, high = result.interval
    assert (result.elo, high) == (math.inf, math.inf)
    assert 100 < low < 500


def test_pairs_that_cancel_out_make_the_interval_narrow():
    swapped = standing(pairs(*[(1.0, 0.0)] * 50)).interval
    lucky = standing(pairs(*[(1.0, 1.0), (0.0, 0.0)] * 25)).interval
    assert lucky[1] > 4 * swapped[1] > 0


@pytest.mark.parametrize("strength", [0, 150])
def test_95_of_100_intervals_hold_the_true_difference(strength):
    rng = np.random.default_rng(42)
    share = 1 / (1 + 10 ** (-strength / 400))
    chances = [share - 0.1, 0.2, 0.9 - share]
    held = 0
    for _ in range(500):
        points = rng.choice([1.0, 0.5, 0.0], p=chances, size=(60, 2))
        low, high = standing(pairs(*points.tolist())).interval
        held += low <= strength <= high
    assert 460 <= held <= 490


@pytest.mark.parametrize(("share", "difference"), [(0.5, 0), (0.75, 190.85), (0.9, 381.7), (0, -math.inf)])
def test_elo_is_the_logistic_of_the_share(share, difference):
    assert elo(share) == pytest.approx(difference, abs=0.01)


def test_a_player_left_to_chance_follows_the_seed_of_the_match():
    assert seeded(Random(), 7) == Random(7)
    assert seeded(Random(3), 7) == Random(3)
    assert isinstance(seeded(Chooser(), 7), Chooser)
