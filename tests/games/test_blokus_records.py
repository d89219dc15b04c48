"""Records in .blksgf: what Pentobi writes is read, what is written is read back."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.blokus import GAME
from games.blokus.records import format_record, parse_record
from games.core import BoardsightError, Options, PositionError, SettingsError

PENTOBI = "(;GM[Blokus Duo];B[e8,d9,e9,f9,e10];W[i4,h5,i5,j5,i6])"
"""What Pentobi 22.1 saved after it had answered the first placement."""


def random_game(seed, **options):
    rng = np.random.default_rng(seed)
    state = GAME.deal(rng, Options(**options))
    while moves := state.legal_moves():
        state = state.play(moves[rng.integers(len(moves))])
    return state


def test_a_record_that_pentobi_saved_is_read():
    assert GAME.format(parse_record(PENTOBI)) == "e8,d9,e9,f9,e10 i4,h5,i5,j5,i6"


def test_the_first_line_of_play_is_read_and_comments_are_passed_over():
    text = "(;GM[Blokus Duo]PB[a \\] b]C[f1]\n;B[e10]C[why (not?)](;W[j5];B[d11,c12,d12])(;W[j5,j6]))"
    assert GAME.format(parse_record(text)) == "e10 j5 d11,c12,d12"


@pytest.mark.parametrize(
    "options",
    [{"variant": "duo"}, {"variant": "classic"}, {"variant": "classic-2"}, {"variant": "classic", "players": 3}],
    ids=str,
)
def test_a_written_record_is_read_back(options):
    final = random_game(4, **options)
    again = parse_record(format_record(final))
    assert (again, again.moves) == (final, final.moves)


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("", "no record"),
        ("(;GM[Go])", "is of 'Go'"),
        ("(;B[e10])", "does not say"),
        ("(;GM[Blokus Duo];B[a1])", "covers no start point"),
        ("(;GM[Blokus Duo];B[e10];W[zz])", "is no point"),
        ("(;GM[Blokus Duo];B[e10]", "no record"),
    ],
)
def test_what_is_no_record_is_refused_with_the_reason(text, match):
    with pytest.raises(PositionError, match=match):
        parse_record(text)


def test_a_variant_records_do_not_know_is_refused():
    with pytest.raises(SettingsError, match="corners"):
        format_record(GAME.parse("", Options(7, 7, variant="corners")))


@given(st.text("();[]BW1234GMBlokusDuo,ae10\\\n", max_size=60) | st.text(max_size=40))
@settings(derandomize=True, deadline=None, max_examples=80)
def test_any_text_is_a_record_or_refused_by_name(text):
    try:
        parse_record(text)
    except BoardsightError:
        return
    assert "GM[" in text
