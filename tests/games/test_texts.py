"""Texts of every game under random attack: whatever they are, they are understood or refused by name."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games import GAMES, find_game
from games.core import BoardsightError, Options, PositionError, SettingsError

FIXTURES = Path(__file__).parents[2] / "fixtures" / "perft"

QUICKLY = settings(max_examples=60, derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""No deadline, because the machine may be busy; the same texts each time, so that a failure is nobody else's."""

LETTERS = "0123456789abcdefghij .,@/-+=hvnx\n\t\0²\u0661é"
"""What texts of positions are made of, and what only looks like a digit."""

OPTIONS = st.builds(
    Options,
    rows=st.none() | st.integers(-1, 12),
    cols=st.none() | st.integers(-1, 12),
    colours=st.none() | st.integers(-1, 20),
    walls=st.none() | st.integers(-1, 12),
    variant=st.none() | st.sampled_from(["", "duo", "corners", "phone", "majority+gain", "no such variant"]),
    players=st.none() | st.integers(-1, 5),
    length=st.none() | st.integers(-1, 12),
    limit=st.none() | st.integers(-1, 30),
)


def known_positions(game):
    """The texts of good positions, to be spoilt."""
    cases = json.loads((FIXTURES / f"{game}.json").read_text())["cases"]
    return [case["position"] for case in cases]


@st.composite
def spoilt(draw, game):
    """A good position with some letters exchanged, taken out or put in."""
    letters = list(draw(st.sampled_from(known_positions(game))))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(letters)))
        letters[at : at + draw(st.integers(0, 2))] = draw(st.text(LETTERS, max_size=2))
    return "".join(letters)


def parse_or_refuse(game, text, options):
    """The position, None where the text was refused."""
    try:
        return game.parse(text, options)
    except BoardsightError:
        return None


@pytest.mark.parametrize("name", GAMES)
@given(data=st.data())
@QUICKLY
def test_any_text_is_a_position_or_refused_by_name(name, data):
    game = find_game(name)
    text = data.draw(st.text(LETTERS, max_size=40) | st.text(max_size=40) | spoilt(name))
    state = parse_or_refuse(game, text, data.draw(OPTIONS | st.just(Options())))
    if state is not None:
        assert game.parse(game.format(state), game.options(state)) == state
        assert (state.outcome() is None) == bool(state.legal_moves())


@pytest.mark.parametrize("name", GAMES)
@given(data=st.data())
@QUICKLY
def test_any_text_is_a_legal_move_or_refused_by_name(name, data):
    game = find_game(name)
    state = game.deal(np.random.default_rng(0))
    text = data.draw(st.text(LETTERS, max_size=8) | st.text(max_size=8))
    try:
        move = game.parse_move(text, state)
    except BoardsightError:
        return
    assert move in state.legal_moves()


@pytest.mark.parametrize("name", GAMES)
@given(options=OPTIONS)
@QUICKLY
def test_any_options_deal_a_game_or_are_refused_by_name(name, options):
    game = find_game(name)
    try:
        state = game.deal(np.random.default_rng(0), options)
    except SettingsError:
        return
    assert game.parse(game.format(state), game.options(state)) == state


@pytest.mark.parametrize(("name", "start"), [("flood_it", "01/10 @{}"), ("filler", "01/10 1 @{} @1,1")])
@pytest.mark.parametrize("corner", [f"{'9' * 5_000},0", f"0,{'9' * 5_000}", "²,0", ",0"])
def test_a_start_of_any_length_is_refused_by_name(name, start, corner):
    with pytest.raises(PositionError, match="is no start: write '@' row") as refused:
        find_game(name).parse(start.format(corner), Options())
    assert len(str(refused.value)) < 200
