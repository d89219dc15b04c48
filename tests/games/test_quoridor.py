"""Quoridor's rules against positions worked out by hand, and its texts and pictures in random games."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from games.core import Cell, IllegalMoveError, Observation, Options, PositionError, SettingsError, UnreadableError
from games.quoridor import GAME, Wall
from games.quoridor.rules import start

SMALL = Options(rows=5, cols=5, walls=3)


def after(text, options=SMALL):
    return GAME.parse(text, options)


def steps(text, options=SMALL):
    state = after(text, options)
    return {GAME.format_move(cell, state) for cell in state.steps()}


def random_games(options, count, *, seed=4, walls=0.5):
    """Every position of random games in which a wall is preferred to a step with the chance `walls`."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        state = GAME.deal(rng, options)
        while state.outcome() is None:
            yield state
            moves = state.legal_moves()
            kinds = [[move for move in moves if isinstance(move, Wall) == wall] for wall in (False, True)]
            chosen = kinds[1] if kinds[1] and rng.random() < walls else kinds[0]
            state = state.play(chosen[rng.integers(len(chosen))])
        yield state


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", {"c2", "b1", "d1"}),
        ("c2 c4 c3", {"c2", "b4", "d4", "c5"}),  # over the rival, straight
        ("c2 c4 c3 c2h", {"b3", "d3", "c5"}),
        ("c2 c4 c3 c4h", {"c2", "b3", "d3", "b4", "d4"}),  # a wall is behind the rival
        ("c2 c4 c3 c4h a1h b4v", {"c2", "b3", "d3", "d4"}),  # and another beside it
        ("c2 c4 c3 c3h", {"c2", "b3", "d3"}),  # a wall is between the pawns
        ("c2 c4 c3 c5 c4 a1h", {"c3", "b4", "d4", "b5", "d5"}),  # the edge is behind the rival
    ],
)
def test_a_pawn_steps_jumps_and_goes_round(text, expected):
    state = after(text)
    assert {GAME.format_move(cell, state) for cell in state.steps()} == expected


@pytest.mark.parametrize(
    ("text", "move", "words"),
    [
        ("", "c3", "the pawn on c1 can only go to c2 b1 d1"),
        ("c2", "c3", "the pawn on c5 can only go to b5 d5 c4"),
        ("c2h", "c2h", "c2h overlaps c2h"),
        ("c2h", "b2h", "b2h overlaps c2h"),
        ("c2h", "d2h", "d2h overlaps c2h"),
        ("c2v", "c3v", "c3v overlaps c2v"),
        ("c2h", "c2v", "c2v crosses c2h"),
        ("a1h a4h c1h", "d1v", "d1v would cut off the last path of player 1"),
        ("a1h a4h c1h c4h", "d4v", "d4v would cut off the last path of player 2"),
        ("a1h a4h c1h c4h d2h", "d3v", "cut off the last path of player 1 and player 2"),
        ("a1h a2h a3h a4h c1h c2h", "c4h", "player 1 has no wall left"),
        ("b1 c4 b2 c3 b3 c2 b4 c1", "b5", "the game is over: player 2 reached rank 1"),
    ],
)
def test_an_illegal_move_is_refused_with_its_reason(text, move, words):
    with pytest.raises(IllegalMoveError, match=words):
        GAME.parse_move(move, after(text))


@pytest.mark.parametrize("move", [Wall("h", 4, 0), Wall("v", -1, 2), Wall("d", 1, 1), Cell(7, 7)])
def test_no_move_can_be_made_beside_the_board(move):
    with pytest.raises(IllegalMoveError, match=r"not on the 5x5 board|can only go to"):
        after("").play(move)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("e1h", "no wall e1h: they go from a1 to d4"),
        ("a5v", "no wall a5v"),
        ("f1", "no cell f1: they go from a1 to e5"),
        ("c0", "write a cell such as e2"),
        ("c2 c4 c3 c3", "move 4, 'c3': the pawn on c4"),
    ],
)
def test_a_text_that_names_nothing_says_what_would(text, words):
    with pytest.raises(PositionError, match=words):
        after(text)


def test_a_player_wins_on_its_far_row():
    state = after("c2 b5 c3 a5 c4 b5 c5")
    assert state.outcome().winner == 0
    assert state.outcome().scores == (1.0, 0.0)
    assert state.legal_moves() == ()


def test_walls_that_cut_paths_off_are_exactly_those_left_out():
    """Every wall with room is tried against a plain search for cells that can be reached."""

    def reaches(state, wall):
        size, walls = state.size, state.walls | {wall}

        def blocked(one, other):
            (row, col), (r, _) = min(one, other), max(one, other)
            if row == r:
                return ("v", row, col) in walls or ("v", row - 1, col) in walls
            return ("h", row, col) in walls or ("h", row, col - 1) in walls

        for pawn, goal in zip(state.pawns, (0, size.rows - 1), strict=True):
            cells = {pawn}
            while True:
                more = {
                    (row + down, col + right)
                    for row, col in cells
                    for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0))
                    if row + down in range(size.rows)
                    and col + right in range(size.cols)
                    and not blocked((row, col), (row + down, col + right))
                }
                if more <= cells:
                    break
                cells |= more
            if all(row != goal for row, _ in cells):
                return False
        return True

    tried = 0
    for state in itertools.islice(random_games(Options(rows=5, cols=6, walls=7), 8, walls=0.9), 120):
        if state.outcome() is None and state.left[state.player]:
            legal = {move for move in state.legal_moves() if isinstance(move, Wall)}
            for row, col, way in itertools.product(range(4), range(5), "hv"):
                along = (0, 1) if way == "h" else (1, 0)
                near = {(way, row + step * along[0], col + step * along[1]) for step in (-1, 0, 1)}
                room = not (near | {("h", row, col), ("v", row, col)}) & state.walls
                assert (Wall(way, row, col) in legal) == (room and reaches(state, Wall(way, row, col)))
                tried += room
    assert tried > 500


def test_a_position_that_stands_for_the_third_time_is_a_draw_where_the_variant_says_so():
    shuffle = "c2 c4 c1 c5 c2 c4 c1 c5"
    assert after(shuffle).outcome() is None
    drawn = after(shuffle, Options(rows=5, cols=5, variant="repetition"))
    assert drawn.outcome().winner is None
    assert drawn.outcome().scores == (0.5, 0.5)
    walled = after("c2 c4 c1 c5 a1h a3h " + shuffle.removesuffix(" c5"), Options(rows=5, cols=5, variant="repetition"))
    assert walled.outcome() is None
    assert walled.play(Cell(0, 2)).outcome().reason == "the same position stood 3 times"


def test_a_game_that_is_not_decided_within_its_limit_is_a_draw():
    state = after("c2 c4 c1", Options(rows=5, cols=5, limit=4))
    assert state.plies_left == 1
    assert state.play(Cell(0, 2)).outcome().reason == "not decided in 4 moves"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (Options(rows=2, cols=9), "2x9 is no Quoridor board"),
        (Options(walls=100), "0 to 99 walls each, not 100"),
        (Options(players=4), "played by 2 here, not 4"),
        (Options(variant="turbo"), "no variant 'turbo'; choose from: repetition"),
        (Options(limit=0), "at least 1"),
    ],
)
def test_a_game_that_is_not_played_is_refused(options, words):
    with pytest.raises(SettingsError, match=words):
        start(options)


OPTIONS = [
    Options(rows=4, cols=4, walls=3),
    Options(rows=5, cols=5, walls=3, variant="repetition"),
    Options(rows=6, cols=7, walls=4, limit=60),
    Options(limit=200),
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_random_games_survive_texts_and_pictures(options):
    for state in itertools.islice(random_games(options, 3), 0, 900, 3):
        assert GAME.parse(GAME.format(state), GAME.options(state)) == state
        seen = GAME.read(GAME.show(state), seat=state.player)
        assert seen == state
        if state.seen is None:
            assert GAME.parse(GAME.format(seen), GAME.options(seen)) == state


def test_a_picture_without_numbers_splits_the_walls_evenly():
    state = after("c2 c4 a1h c3")
    bare = Observation.certain(GAME.show(state).grid.tolist(), {"walls": 3})
    seen = GAME.read(bare, seat=1)
    assert (seen.left, seen.player, seen.walls) == ((2, 3), 1, state.walls)


def bare(state):
    return Observation.certain(GAME.show(state).grid.tolist())


@pytest.mark.parametrize(
    ("text", "players"),
    [
        ("", (0, 1)),  # nothing tells who begins
        ("c2", (1, 1)),
        ("c2 c4", (0, 1)),
        ("a1h", (1, 0)),  # nor whose wall it is
        ("c2 a1h c3", (1, 1)),
    ],
)
def test_steps_tell_whose_turn_it_is_whoever_began(text, players):
    """players: the likeliest seat to move, and the one that is believed where seat 1 - that is named."""
    state = after(text, Options(5, 5))
    likely = GAME.read(bare(state))
    assert (likely.player, GAME.read(bare(state), seat=1 - likely.player).player) == players


def test_the_side_that_has_moved_alone_is_not_to_move_though_it_begins_above():
    state = start(Options(5, 5))
    begun = bare(replace(state, pawns=(state.pawns[0], Cell(1, 2))))
    assert {GAME.read(begun, seat=seat).player for seat in (None, 0, 1)} == {0}


@pytest.mark.parametrize(("rows", "cols"), [(3, 3), (3, 4), (4, 3), (5, 4), (9, 9), (19, 19)])
def test_either_side_may_begin_on_a_board_of_any_size(rows, cols):
    state = start(Options(rows, cols))
    for seat in (0, 1):
        seen = GAME.read(bare(state), seat=seat)
        assert seen.player == seat
        assert GAME.parse(GAME.format(seen), GAME.options(seen)).pawns == state.pawns


def test_a_jump_is_made_on_the_cell_behind_the_rival_or_on_its_pawn():
    state = after("c2 c4 c3")
    (jump,) = GAME.gestures(state, Cell(3, 2))
    assert (jump.target, jump.alternatives) == (Cell(3, 2), (Cell(3, 2), Cell(2, 2)))
    (step,) = GAME.gestures(state, Cell(1, 1))
    assert step.alternatives == ()


def test_a_reading_names_one_or_two_moves():
    before = after("c2 c4")
    one = before.play(Wall("h", 1, 1))
    two, ahead = one.play(Cell(1, 3)), one.play(Wall("v", 3, 3))
    for state in (before, one, two, ahead):
        assert GAME.read(GAME.show(state), before) == state
    with pytest.raises(UnreadableError, match="0 pawns walked, 3 walls appeared and 0 vanished"):
        GAME.read(GAME.show(ahead.play(Wall("h", 3, 0))), before)


def test_a_picture_with_the_pawns_exchanged_is_the_same_picture():
    before = after("c2 c4")
    grid = GAME.show(before.play(Cell(2, 2))).grid
    cells = grid[::2, ::2]
    cells[:] = np.where(cells > 0, 3 - cells, 0)
    assert GAME.read(Observation.certain(grid.tolist()), before) == before.play(Cell(2, 2))


@pytest.mark.parametrize(
    ("places", "words"),
    [
        ({(8, 4): 0}, "player 1 has 0 pawns"),
        ({(6, 4): 2}, "player 2 has 2 pawns"),
        ({(1, 0): 1}, "the first odd place is at row 1, col 1"),
        ({(1, 0): 1, (1, 2): 1}, "no whole walls"),
        ({(1, 1): 1}, "no whole walls"),
        ({(0, 0): -1}, "1 of 81 places could not be read"),
    ],
)
def test_a_picture_that_is_no_position_is_refused(places, words):
    grid = GAME.show(after("")).grid
    for place, kind in places.items():
        grid[place] = kind
    with pytest.raises(UnreadableError, match=words):
        GAME.read(Observation.certain(grid.tolist()))


def test_numbers_of_walls_that_do_not_add_up_are_refused():
    seen = GAME.show(after("a1h"))
    with pytest.raises(UnreadableError, match="1 walls lie on the board, 3 and 3 are left"):
        GAME.read(Observation.certain(seen.grid.tolist(), {"left_1": 3, "left_2": 3}))


def test_a_tap_goes_to_a_cell_or_to_the_control_of_the_groove_where_the_wall_begins():
    state = after("")
    targets = [GAME.gestures(state, GAME.parse_move(text, state))[0].target for text in ("c2", "a1h", "d4v")]
    assert targets == [Cell(3, 2), "wall:h,3,0", "wall:v,0,3"]


def test_where_no_wall_can_be_laid_a_side_decides_among_its_steps_and_the_other_has_its_walls() -> None:
    state = GAME.parse("e2 e8")
    wall = GAME.parse_move("e3h", state)
    within = GAME.without(state, wall)
    assert set(within.legal_moves()) == set(state.steps())
    assert (within.left, GAME.without(state, state.steps()[0])) == ((0, 10), state)


def test_a_deal_is_one_until_somebody_moves_and_opened_until_both_have() -> None:
    states = [GAME.parse(text) for text in ("", "e2", "e3h", "e3h e8")]
    assert [GAME.is_dealt(each) for each in states] == [True, False, False, False]
    assert [GAME.is_opened(each) for each in states] == [True, True, True, False]


def test_a_page_that_has_more_walls_than_most_lets_them_be_laid() -> None:
    out = replace(GAME.parse("e2 e8"), left=(0, 2))
    (wider,) = GAME.ruled_wider(out)
    assert (wider.left, GAME.options(wider).walls) == ((1, 3), GAME.options(out).walls + 1)
    assert GAME.ruled_wider(GAME.parse("e2 e8")) == ()
