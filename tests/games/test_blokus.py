"""Blokus's rules against what is known of the pieces and against boards worked out by hand."""

from contextlib import suppress

import numpy as np
import pytest

from games.blokus import GAME
from games.blokus.board import laid
from games.core import (
    Cell,
    Drag,
    IllegalMoveError,
    Observation,
    Options,
    PositionError,
    SettingsError,
    Tap,
    UnreadableError,
)
from games.polyominoes import PIECE_OF, PIECES, flipped, rotated, shape_of

DRAWN = {
    "1": "#",
    "2": "##",
    "I3": "###",
    "V3": "#./##",
    "I4": "####",
    "L4": "###/#..",
    "T4": "###/.#.",
    "O": "##/##",
    "Z4": "##./.##",
    "F": ".##/##./.#.",
    "I5": "#####",
    "L5": "####/#...",
    "N": "##../.###",
    "P": "##/##/#.",
    "T5": "###/.#./.#.",
    "U": "#.#/###",
    "V5": "#../#../###",
    "W": "#../##./.##",
    "X": ".#./###/.#.",
    "Y": "####/.#..",
    "Z5": "##./.#./.##",
}
"""The pieces as the players' handbooks draw them."""

FORMS = {1: (1,), 2: (2,), 3: (2, 4), 4: (1, 2, 4, 4, 8), 5: (1, 2, 4, 4, 4, 4, 4, 8, 8, 8, 8, 8)}
"""How many forms the free polyominoes of each size have (the fixed polyominoes 1, 2, 6, 19, 63 of OEIS A001168)."""


def corners(size, text="", **options):
    return GAME.parse(text, Options(size, size, variant="corners", **options))


def random_game(seed, **options):
    rng = np.random.default_rng(seed)
    states = [GAME.deal(rng, Options(**options))]
    while moves := states[-1].legal_moves():
        states.append(states[-1].play(moves[rng.integers(len(moves))]))
    return states


def test_the_pieces_are_the_free_polyominoes_by_their_usual_names():
    assert {piece.name for piece in PIECES} == set(DRAWN)
    for piece in PIECES:
        rows = DRAWN[piece.name].split("/")
        drawn = [(row, col) for row, line in enumerate(rows) for col, mark in enumerate(line) if mark == "#"]
        assert shape_of(drawn) in piece.forms
    forms = {size: tuple(sorted(len(piece.forms) for piece in PIECES if piece.size == size)) for size in FORMS}
    assert forms == FORMS
    assert sum(len(piece.forms) for piece in PIECES) == 91


def test_a_piece_may_touch_its_colour_at_corners_alone():
    state = corners(5, "a5,b5 e1")
    with pytest.raises(IllegalMoveError, match="row 0, col 2 lies beside a piece of the same colour"):
        GAME.parse_move("c5", state)
    with pytest.raises(IllegalMoveError, match="touches no corner"):
        GAME.parse_move("e5", state)
    with pytest.raises(IllegalMoveError, match="row 4, col 4 is covered"):
        GAME.parse_move("e1,e2,e3,e4,e5", state)
    with pytest.raises(IllegalMoveError, match="piece 2 has been placed"):
        GAME.parse_move("c4,d4", state)
    assert state.play(GAME.parse_move("c4", state)).colour == 1


@pytest.mark.parametrize(
    ("variant", "first", "refused"),
    [("corners", "a14", "n1"), ("duo", "e10", "j5"), ("duo-either", "j5", "a1")],
)
def test_a_first_piece_covers_its_start_point(variant, first, refused):
    start = GAME.parse("", Options(14, 14, variant=variant))
    assert start.play(GAME.parse_move(first, start)).player == 1
    with pytest.raises(IllegalMoveError, match="covers no start point"):
        GAME.parse_move(refused, start)


def test_where_either_point_will_do_the_second_player_takes_the_other():
    state = GAME.parse("j5", Options(variant="duo-either"))
    cells = {cell for move in state.legal_moves() for cell in move}
    assert Cell(4, 4) in cells
    assert all(Cell(4, 4) in move for move in state.legal_moves())


def test_two_players_with_two_colours_each_move_alternately():
    state = GAME.parse("a20 t20 t1", Options(variant="classic-2"))
    assert (state.colour, state.player) == (3, 1)
    assert GAME.parse("a20 t20 t1 a1", Options(variant="classic-2")).player == 0


def test_three_players_lay_the_fourth_colour_in_turn_and_it_counts_for_nobody():
    states = random_game(4, variant="classic", players=3)
    shared = [state.player for state in states[:-1] if state.colour == 3]
    assert shared == [turn % 3 for turn in range(len(shared))]
    assert len(shared) > 3
    assert states[-1].outcome().scores == states[-1].areas[:3]


def lay_all(order, variant):
    """The position after the first colour alone laid its pieces in that order, each at random."""
    state, rng = GAME.parse("", Options(20, 20, variant=variant)), np.random.default_rng(1)
    for number in order:
        wanted = [(form, places) for form, places in state.placements(0) if PIECE_OF[form] == number]
        moves = [laid(form, corner) for form, places in wanted for corner in state.board.list(places)]
        state = state.placed(0, moves[rng.integers(len(moves))])
    return state


@pytest.mark.parametrize(("variant", "extra"), [("corners", (0, 0)), ("corners+bonus", (20, 15))])
def test_placing_every_piece_counts_fifteen_and_the_single_square_last_five_more(variant, extra):
    downwards = [19, 20, *range(18, -1, -1)]  # X, the largest by number, cannot cover a corner
    last, first = (lay_all(order, variant) for order in (downwards, downwards[::-1]))
    assert (last.scores[0], first.scores[0]) == (89 + extra[0], 89 + extra[1])


def test_a_pass_that_nothing_forces_is_no_position():
    with pytest.raises(PositionError, match="colour 2 passed, but it can still place"):
        corners(5, "a5 - b4,b3")
    assert corners(3, "b1,b2,a3,b3,c3 - c1", players=3) == corners(3, "b1,b2,a3,b3,c3 c1", players=3)


@pytest.mark.parametrize(
    ("options", "match"),
    [
        (Options(14, 15), "14x15"),
        (Options(10, 10, variant="duo"), "played on 14x14"),
        (Options(variant="duo", players=3), "3 players"),
        (Options(variant="blokus"), "choose one of"),
        (Options(21, 21, variant="corners"), "21x21"),
    ],
)
def test_a_variant_that_is_not_played_is_refused(options, match):
    with pytest.raises(SettingsError, match=match):
        GAME.deal(np.random.default_rng(0), options)


@pytest.mark.parametrize(
    "options",
    [
        {"rows": 7, "cols": 7, "variant": "corners"},
        {"variant": "corners", "rows": 20, "cols": 20, "players": 4},
        {"variant": "classic"},
        {"variant": "classic-2+bonus"},
        {"variant": "classic", "players": 3},
        {"variant": "duo-either"},
    ],
    ids=str,
)
def test_every_variant_is_read_and_written(options):
    states = random_game(3, **options)
    for state in states[:: max(1, len(states) // 12)] + states[-1:]:
        assert GAME.read(GAME.show(state)) == state
        assert GAME.parse(GAME.format(state), GAME.options(state)) == state
    for before, after in zip(states[:-3:7], states[3::7], strict=False):
        assert GAME.read(GAME.show(after), before=before) == after


def seen(state, exchange=(0, 1, 2, 3, 4)):
    """What a camera sees: no numbers, and the colours in the order in which they were learned."""
    return Observation.certain(np.asarray(exchange)[GAME.show(state).grid])


LYING = ["duo+lies2", "corners+bonus+lies1", "classic+lies6", "classic-2+lies3"]


@pytest.mark.parametrize("variant", LYING)
def test_a_board_that_lies_otherwise_is_known_as_soon_as_its_pieces_tell(variant):
    size = {} if variant.startswith("classic") else {"rows": 14, "cols": 14}
    states = random_game(4, variant=variant, **size)
    assert GAME.options(states[0]).variant == variant
    told = GAME.numbers(Options(variant=variant.split("+lies")[0], **size))
    believed = GAME.read(Observation.certain(GAME.show(states[0]).grid.tolist(), told))
    for state in states[1:8]:
        picture = seen(state)
        for before in (believed, *GAME.otherwise(believed, picture)):
            with suppress(UnreadableError):
                believed = GAME.read(picture, before)
                break
    assert (believed, believed.player) == (states[7], states[7].player)


@pytest.mark.parametrize(("start", "lies"), [((0, 0), 0), ((0, 19), 1), ((19, 19), 2), ((19, 0), 3)])
def test_the_first_player_starts_where_a_mark_says(start, lies):
    marked = {"start_row": start[0], "start_col": start[1]}
    assert GAME.read(Observation.certain(np.zeros((20, 20), int), marked)).board.lies == lies


def test_two_colours_each_are_other_rules_of_the_same_board():
    state = GAME.parse("a20,b20 t20", Options(variant="classic"))
    (two, *_) = (each for each in GAME.ruled_otherwise(state) if each.board.players == 2)
    assert two.player == 0 != state.player


def test_two_pieces_of_a_mirrored_board_are_of_the_colours_they_were_laid_as_by_other_rules():
    state = GAME.parse("t20,s20 a20", Options(variant="classic+lies4"))
    two = next(each for each in GAME.ruled_otherwise(state) if each.board.players == 2)
    assert (two.cells, two.corners(two.colour)) == (state.cells, two.board.bit((19, 0)))


@pytest.mark.parametrize("variant", ["duo", "corners"])
def test_whose_turn_it_is_follows_from_the_pieces_whatever_the_colours_are_called(variant):
    for state in random_game(6, rows=14, cols=14, variant=variant)[1:]:
        read = GAME.read(seen(state, (0, 2, 1)))
        assert (read.cells, read.player) == (state.cells, state.player)
        again = GAME.read(seen(state, (0, 2, 1)), before=state)
        assert again == state


def test_several_moves_of_the_others_are_understood():
    states = random_game(2, variant="classic")
    assert GAME.read(seen(states[11], (0, 3, 1, 4, 2)), before=states[7]) == states[11]


def test_a_picture_that_taking_turns_cannot_lead_to_is_refused():
    states = random_game(5, variant="duo")
    grid = GAME.show(states[6]).grid
    with pytest.raises(UnreadableError, match="places as many"):
        GAME.read(Observation.certain(np.where(grid == 2, 0, grid)))
    with pytest.raises(UnreadableError, match="6 connected squares of kind 1"):
        GAME.read(Observation.certain([[1, 1, 1], [1, 1, 1], [0, 0, 0]]))
    with pytest.raises(UnreadableError, match="start points"):
        GAME.read(Observation.certain(np.where(grid == 2, 0, grid)), before=states[6])


def test_a_hand_takes_the_piece_turns_it_and_lays_its_middle_down():
    start = GAME.parse("")
    for move in start.legal_moves():
        piece, *steps, target = GAME.gestures(start, move, "controls")
        shape = next(one for one in PIECES if f"piece:1,{one.name}" == piece.target).forms[0]
        for step in steps:
            shape = {"rotate": rotated, "flip": flipped}[step.target](shape)
        assert shape == shape_of(move)
        assert isinstance(target, Tap)
        assert target.target in move
        assert GAME.gestures(start, move, "drag")[-1] == Drag(piece.target, target.target)


def test_a_board_of_twenty_squares_is_read_for_as_many_players_as_is_told():
    state = GAME.parse("a20,b20", Options(variant="classic-2"))
    bare = Observation.certain(GAME.show(state).grid.tolist(), GAME.numbers(Options(players=2)))
    assert GAME.read(bare) == state
    assert GAME.options(GAME.read(Observation.certain(bare.grid))).players == 4
    duo = Options(variant="duo+bonus")
    assert {*GAME.numbers(duo).items()} <= {*GAME.show(GAME.parse("", duo)).numbers.items()}


def test_a_placement_asked_for_in_other_integers_is_remembered_in_pythons():
    form, corner = ((0, 0), (0, 1)), Cell(np.int32(19), np.int32(18))
    assert {type(number) for cell in laid(form, corner) for number in cell} == {int}
    assert {type(number) for cell in laid(form, Cell(19, 18)) for number in cell} == {int}
