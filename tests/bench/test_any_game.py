"""A game that a bench knows nothing of is left out by name, and breaks none."""

from bench.fuzz import texts
from bench.pictures.__main__ import tables
from bench.pictures.scene import BOARDS, UNDRAWN
from bench.results import left_out


def test_pictures_of_a_game_that_nothing_draws_are_left_out_by_name(hedge):
    assert "Hedge is left out: nothing draws its boards" in left_out(BOARDS, UNDRAWN)
    lines = list(tables(1, 1))
    assert "Hedge is left out: nothing draws its boards" in lines
    assert not any(hedge in line for line in lines)


def test_the_texts_of_any_game_are_fuzzed(hedge):
    seeds = texts.position_seeds_of(hedge)()
    assert len(seeds) == 8
    for seed in seeds:
        texts.position_reader_of(hedge)(seed)
