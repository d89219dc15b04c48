"""Which seat is ours follows from what is seen: who moves, what has no effect, and what nobody answers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from bot.play.belief import GRACE, NOT_OURS, Belief, UnresponsiveError, World
from bot.play.changes import Change
from bot.play.recognition import OtherGameError, Recognised, SeenStep, recognise
from bot.settings import Settings
from games import find_game
from games.core import Observation, Options, SettingsError

FOUR = find_game("connect_four")
WAIT, ANSWER = 2.0, 600.0
RNG, SMALL = np.random.default_rng(0), Options(7, 7, variant="corners")


@dataclass(frozen=True)
class Position:
    """A position with a player and moves, and nothing else."""

    name: str
    player: int
    moves: tuple[str, ...] = ("both",)

    def legal_moves(self) -> tuple[str, ...]:
        return self.moves


FIRST = Position("first to move", 0, ("both", "only first"))
SECOND = Position("second to move", 1, ("both", "only second"))
AFTER_FIRST = Position("first has moved", 1)
AFTER_SECOND = Position("second has moved", 0)
OURS = "it is our turn: the first seat is ours"
THEIRS = "the other side began: the second seat is ours"
PASSES = "the other side lets its turn pass"
WAITING = "it seems not to be our turn: waiting for the other side"


def belief(seat: str = "auto", *positions: Position, players: int = 2) -> Belief:
    """What is believed of a board that shows one of `positions` at first."""
    found = Belief(Settings(seat=seat, wait=WAIT, answer=ANSWER), FOUR)
    found.see(positions or (FIRST, SECOND), players=players)
    return found


def quiet(move: str | None = None) -> UnresponsiveError:
    """Nothing happened; after our `move`, or while somebody else should have moved."""
    return UnresponsiveError("nothing", move)


def told(world: World) -> tuple[Any, ...]:
    return world.positions, world.seat, world.seconds


@pytest.mark.parametrize(
    ("seat", "positions", "players", "first"),
    [
        ("auto", (FIRST,), 1, ((FIRST,), 0, ANSWER)),
        ("auto", (FIRST,), 2, ((FIRST,), None, WAIT)),
        ("auto", (FIRST, SECOND), 2, ((FIRST, SECOND), None, WAIT)),
        ("first", (FIRST, SECOND), 2, ((FIRST,), 0, ANSWER)),
        ("second", (FIRST,), 2, ((FIRST,), 1, ANSWER)),
        ("second", (FIRST, SECOND), 2, ((FIRST, SECOND), None, GRACE * WAIT)),
    ],
)
def test_a_side_that_may_begin_is_waited_for_unless_the_settings_or_the_board_say_who_does(
    seat: str, positions: tuple[Position, ...], players: int, first: Any
) -> None:
    assert told(belief(seat, *positions, players=players).world) == first


@pytest.mark.parametrize(
    ("seat", "ours", "words"),
    [("auto", FIRST, OURS), ("second", SECOND, "it is our turn: the second seat is ours")],
)
def test_it_is_our_turn_where_nobody_begins(seat: str, ours: Position, words: str) -> None:
    world = belief(seat)
    assert world.belied(quiet()) == words
    assert world.world.ours
    assert (world.position, world.world.seat) == (ours, ours.player)


@pytest.mark.parametrize(
    ("seat", "before", "after", "words", "ours"),
    [
        ("auto", FIRST, AFTER_FIRST, THEIRS, 1),
        ("auto", SECOND, AFTER_SECOND, "the other side began: the first seat is ours", 0),
        ("second", FIRST, AFTER_FIRST, THEIRS, 1),
    ],
)
def test_the_seat_is_ours_that_does_not_begin(
    seat: str, before: Position, after: Position, words: str, ours: int
) -> None:
    world = belief(seat)
    assert world.moved(Change(before, (), after)) == words
    assert told(world.world) == ((after,), ours, ANSWER)
    assert not world.unsure
    assert world.world.ours
    assert world.moved(Change(after, (), FIRST)) == ""
    assert (world.position, world.world.seat) == (FIRST, ours)


@pytest.mark.parametrize(
    ("seat", "move", "words", "then"),
    [
        ("auto", "only first", "it is not the turn of seat 1: the second seat is ours", ((SECOND,), 1, ANSWER)),
        ("auto", "both", WAITING, ((FIRST, SECOND), None, ANSWER)),
        ("auto", None, "it is not the turn of seat 1: the second seat is ours", ((SECOND,), 1, ANSWER)),
        ("second", "both", "it is not the turn of seat 2: the second seat is ours", ((FIRST,), 1, ANSWER)),
    ],
)
def test_a_first_move_without_effect_was_not_ours_to_make(seat: str, move: str | None, words: str, then: Any) -> None:
    world = belief(seat)
    world.belied(quiet())
    assert world.belied(quiet(move)) == words
    assert told(world.world) == then
    assert len(world.worlds) == 1


def test_what_had_no_effect_stops_the_run_where_the_other_side_does_not_move_either() -> None:
    world, problem = belief(), quiet("both")
    world.belied(quiet())
    world.belied(problem)
    with pytest.raises(UnresponsiveError) as stopped:
        world.belied(quiet())
    assert stopped.value is problem


@pytest.mark.parametrize(
    ("seat", "positions", "said"),
    [
        ("first", (FIRST,), ""),
        ("second", (FIRST,), "by the board it is the turn of seat 1, which --seat second says is not ours"),
        ("second", (FIRST, SECOND), ""),
        ("auto", (FIRST,), ""),
    ],
)
def test_a_seat_that_the_board_contradicts_is_told_at_once(
    seat: str, positions: tuple[Position, ...], said: str
) -> None:
    assert Belief(Settings(seat=seat), FOUR).see(positions, players=2) == said


def test_a_second_seat_of_a_game_that_is_played_alone_is_refused() -> None:
    with pytest.raises(SettingsError, match="--seat second: Flood-It is played alone"):
        Belief(Settings(seat="second"), find_game("flood_it")).see((FIRST,), players=1)


@pytest.mark.parametrize("positions", [(FIRST,), (FIRST, SECOND)])
def test_the_seat_is_doubted_once(positions: tuple[Position, ...]) -> None:
    world = belief("auto", *positions)
    world.belied(quiet())
    for _ in positions[1:]:
        world.belied(quiet("only first"))
    problem = quiet("only second")
    if not positions[1:]:
        assert world.belied(problem) == WAITING
    with pytest.raises(UnresponsiveError) as stopped:
        world.belied(quiet() if not positions[1:] else problem)
    assert stopped.value is problem


def our_turn(seat: str = "auto") -> Belief:
    """Nobody began: it seems to be our turn."""
    world = belief(seat)
    if world.world.seat is None:
        world.belied(quiet())
    return world


MADE = (FIRST, "both", "tap")


@pytest.mark.parametrize(
    ("seat", "how", "seconds"),
    [
        ("auto", {"waited": 0.4, "tries": 1}, ANSWER),
        ("auto", {"waited": 1.1, "tries": 1}, GRACE * WAIT),
        ("auto", {"waited": 0.4, "tries": 2}, GRACE * WAIT),
        ("auto", {"waited": 7.0, "tries": 2}, GRACE * 7.0),
        ("auto", {"waited": 500.0, "tries": 2}, ANSWER),
        ("first", {"waited": 7.0, "tries": 2}, ANSWER),
        ("auto", {"waited": 7.0, "tries": 2, "answered": True}, ANSWER),
    ],
)
def test_a_first_move_that_shows_late_may_be_the_other_sides(seat: str, how: Any, seconds: float) -> None:
    world = our_turn(seat)
    assert world.showed(MADE, Change(FIRST, (), AFTER_FIRST), as_made=True, **how) == ""
    assert told(world.world) == ((AFTER_FIRST,), 0, seconds)
    assert (len(world.worlds) > 1) == (seat == "auto" and "answered" not in how)


def test_it_is_ours_to_move_where_nobody_answers_the_first_and_ours_after_all_where_that_has_no_effect() -> None:
    world = our_turn()
    world.showed(MADE, Change(FIRST, (), AFTER_FIRST), as_made=True, tries=2)
    assert world.belied(quiet()) == "nobody answers: that was the other side's move, the second seat is ours"
    assert (world.position, world.world.seat, world.world.ours, world.unsure) == (AFTER_FIRST, 1, True, True)
    assert world.other is None
    assert world.belied(quiet("both")) == "it was ours after all: the first seat is ours"
    assert told(world.world) == ((AFTER_FIRST,), 0, ANSWER)
    with pytest.raises(UnresponsiveError):
        world.belied(quiet())


def test_an_answer_settles_that_the_late_move_was_ours() -> None:
    world = our_turn()
    world.showed(MADE, Change(FIRST, (), AFTER_FIRST), as_made=True, tries=2)
    assert world.moved(Change(AFTER_FIRST, (), FIRST)) == ""
    assert (world.worlds, world.unsure) == ((World((FIRST,), 0, ANSWER),), False)


def test_a_move_of_ours_that_was_taken_back_tells_nothing_of_the_seats() -> None:
    world = our_turn()
    world.showed(MADE, Change(FIRST, (), AFTER_FIRST), as_made=True)
    assert world.moved(Change(FIRST, (), FIRST)) == ""
    assert (world.position, world.world.seat, world.world.ours, world.made) == (FIRST, 0, True, 0)


def test_a_board_that_shows_the_position_before_the_latest_moves_had_them_taken_back() -> None:
    states = [FOUR.parse(text) for text in ("", "4", "44")]
    world = belief("first", states[0])
    move, answer = states[1].moves[-1], states[2].moves[-1]
    world.showed((states[0], move, "column"), Change(states[0], (move,), states[1]), as_made=True)
    shown = FOUR.show(states[0])
    taken = world.played(shown, (states[1],), ours={0})
    assert taken == Change(states[0], (), states[0])
    world.moved(Change(states[1], (answer,), states[2]))
    assert world.played(FOUR.show(states[1]), (states[2],), ours={0}) == Change(states[1], (), states[1])
    assert world.played(FOUR.show(states[2]), (states[2],), ours={0}) == Change(states[2], (), states[2])


def test_a_move_is_explained_where_the_one_before_it_was_only_shown() -> None:
    start, shown, after = (FOUR.parse(text) for text in ("", "4", "32"))
    world = Belief(Settings(wait=WAIT, answer=ANSWER), FOUR)
    world.see((start,), players=2)
    world.belied(quiet())
    (first,), (made, answer) = FOUR.line(start, shown), FOUR.line(start, after)
    world.showed((start, first, "column"), Change(start, (first,), shown), as_made=True, tries=2)
    assert world.belied(quiet()) == "nobody answers: that was the other side's move, the second seat is ours"
    change = world.led_to(FOUR.show(after), shown, made)
    assert change == Change(start, (made, answer), after)
    world.showed((start, made, "column"), change, as_made=True, answered=True)
    assert (world.position, world.world.seat, world.made) == (after, 0, 1)


def test_each_side_is_moved_by_us_where_nobody_answers_moves_of_either_until_one_has_no_effect() -> None:
    states = [FOUR.parse(text) for text in ("", "4", "44", "443", "4433")]
    world = Belief(Settings(wait=WAIT, answer=ANSWER), FOUR)
    world.see((states[0],), players=2)
    words = []
    for before, after in pairwise(states):
        (move,) = FOUR.line(before, after)
        words += [] if world.world.ours else [world.belied(quiet())]
        world.showed((before, move, "column"), Change(before, (move,), after), as_made=True)
    theirs = "nobody answers: that was the other side's move, the second seat is ours"
    assert words == [OURS, theirs, "nobody answers: we move each side"]
    assert (world.world.ours, world.world.seat, world.position) == (True, 0, states[-1])
    assert world.belied(quiet(world.position.legal_moves()[0])) == NOT_OURS
    assert (world.world.ours, world.unsure) == (False, False)


def test_where_each_side_is_moved_by_us_it_is_told_of_the_one_that_began():
    game = find_game("quoridor")
    start, late = (game.parse(text) for text in ("", "e2 e8 e3 e7 e4 e6 e5 e4 d5 e5 d4 e6 e4 e7 e3 e8 e2 e9 e1"))
    world = Belief(Settings(wait=WAIT, answer=ANSWER), game)
    world.see((start, late), players=2)
    world.understood(game.show(start), None)
    world.belied(quiet())
    world.belied(quiet(game.parse_move("e2", start)))
    for text in ("e8", "e2"):
        before, move = world.position, game.parse_move(text, world.position)
        world.showed((before, move, "tap"), Change(before, (move,), before.play(move)), as_made=True)
        words = world.belied(quiet())
    assert words == "nobody answers: we move each side"
    assert (world.world.alone, world.world.seat) == (True, 1)


def test_a_move_of_ours_that_was_taken_back_leaves_open_what_was_open_before_it() -> None:
    before, after = FOUR.parse(""), FOUR.parse("4")
    world = Belief(Settings(wait=WAIT, answer=ANSWER), FOUR)
    world.see((before,), players=2)
    world.belied(quiet())
    (move,) = FOUR.line(before, after)
    words = []
    for _ in range(2):
        world.showed((before, move, "column"), Change(before, (move,), after), as_made=True)
        assert world.unsure
        if not words:
            world.moved(Change(before, (), before), prompted=True)
            assert (world.position, world.world.ours, world.made) == (before, True, 0)
        words.append(world.world.words)
    assert "the second seat is ours" in world.belied(quiet())


def test_a_side_that_shows_no_move_for_long_lets_its_turn_pass_and_is_not_waited_for_so_long_again() -> None:
    game = find_game("quoridor")
    before = game.parse("e2 e8 e3h")
    world = Belief(Settings(seat="first", wait=WAIT, answer=ANSWER), game)
    world.see((before,), players=2)
    step = game.parse_move("e7", before)
    world.moved(Change(before, (step,), before.play(step)))
    for text, seconds in (("e2v", ANSWER), ("d4h", GRACE * WAIT)):
        start, move = world.position, game.parse_move(text, world.position)
        world.showed((start, move, "tap"), Change(start, (move,), start.play(move)), as_made=True, answered=True)
        assert world.world.seconds == seconds
        assert PASSES in world.belied(quiet())
        assert (world.world.ours, world.position.walls) == (True, start.play(move).walls)
    with pytest.raises(UnresponsiveError):
        world.belied(quiet(world.position.legal_moves()[0]))


def test_our_side_is_passed_over_where_another_moves_twice() -> None:
    game = find_game("blokus")
    world = Belief(Settings(seat="first", game="blokus"), game)
    shut = "a5,b5,a6,a7,b7 f1,g1,g2,f3,g3 b2,a3,b3,c3,c4 e4,d5,e5,f5,g5 e1,d2,e2 c6,c7,d7,e7,f7 a1"
    before = reduce(lambda state, text: state.play(game.parse_move(text, state)), shut.split(), game.deal(RNG, SMALL))
    world.see((before,), players=2)
    assert not world.passed_over
    move = game.parse_move("d3", before)
    world.moved(Change(before, (move,), before.play(move)))
    assert world.passed_over


def test_walls_that_no_side_should_have_left_tell_that_the_page_has_more() -> None:
    game = find_game("quoridor")
    before = replace(game.parse("e2"), left=(0, 0))
    world = Belief(Settings(seat="first"), game)
    world.see((before,), players=2)
    (wider,) = game.ruled_wider(before)
    wall = game.parse_move("e5h", wider)
    change = world.played(game.show(wider.play(wall)), (before,), ours={0})
    assert change == Change(wider, (wall,), wider.play(wall))
    assert world.moved(change) == "this page has 1 walls a player: going on"


def test_of_a_move_that_shows_in_place_of_ours_it_is_kept_that_it_was_made() -> None:
    before, after = FOUR.parse(""), FOUR.parse("3")
    world = belief("first", before)
    (shown,) = FOUR.line(before, after)
    world.showed((before, before.legal_moves()[0], "column"), Change(before, (shown,), after), as_made=False)
    assert world.world.made == (before, shown, "column")


def test_a_first_move_was_the_other_sides_where_keys_brought_its_answer_and_another_move_than_ours_comes_next() -> None:
    states = [FOUR.parse(text) for text in ("", "4", "44", "442")]
    for prompted in (True, False):
        world = Belief(Settings(wait=WAIT, answer=ANSWER), FOUR)
        world.see(states[:1], players=2)
        world.belied(quiet())
        middle, corner = states[1].moves[-1], states[3].moves[-1]
        world.showed((states[0], middle, "column"), Change(states[0], (middle,), states[1]), as_made=True)
        assert world.moved(Change(states[1], (middle,), states[2]), prompted=prompted) == ""
        assert (world.world.ours, world.world.seat) == (True, 0)
        words = world.showed((states[2], middle, "column"), Change(states[2], (corner,), states[3]), as_made=False)
        assert words == ("it was the other side's: the second seat is ours" if prompted else "")
        assert world.world.seat == (1 if prompted else 0)


def test_where_nothing_is_heard_at_all_the_board_is_taken_for_that_of_the_next_game() -> None:
    mnk = find_game("mnk")
    for named in ("", "mnk"):
        found = Belief(Settings(seat="first", game=named, wait=WAIT, answer=ANSWER), mnk, ("quoridor",))
        found.see([mnk.deal(np.random.default_rng(0), Options(rows=5, cols=5))], players=2)
        with pytest.raises(UnresponsiveError if named else OtherGameError) as stopped:
            found.belied(quiet("c3"))
        if isinstance(stopped.value, OtherGameError):
            assert (stopped.value.game.name, stopped.value.recognised) == ("quoridor", None)


FLOOD = "0213/1320/2031/3102"
"""Four colours on a board of Flood-It, whose corners are 0, 3, 3 and 2."""


def flooded_once(vain: int) -> Belief:
    """A board thought to be Flood-It's on which a first move was made, and `vain`, the second, had no effect."""
    flood_it = find_game("flood_it")
    start = flood_it.parse(FLOOD, Options(colours=4))
    after = start.play(1)
    found = Belief(Settings(wait=WAIT, answer=ANSWER), flood_it, ("filler",))
    found.see([start], players=1)
    found.understood(Observation.certain(flood_it.show(start).grid.tolist()), None)
    found.showed((start, 1, "colour"), Change(start, (1,), after), as_made=True)
    found.understood(Observation.certain(flood_it.show(after).grid.tolist()), 1)
    with pytest.raises((OtherGameError, UnresponsiveError)) as stopped:
        found.belied(quiet(vain))
    if not isinstance(stopped.value, OtherGameError):
        return found
    assert stopped.value.recognised is not None
    other = Belief(Settings(wait=WAIT, answer=ANSWER), stopped.value.game)
    other.settle(stopped.value.recognised)
    return other


def test_a_second_colour_that_filler_bars_tells_that_it_is_filler_and_who_may_move_next() -> None:
    found = flooded_once(vain=2)  # the other player's
    assert (found.position.player, found.world.ours, found.world.seconds) == (1, False, GRACE * WAIT)
    assert found.belied(quiet()) == "nobody moves: the second seat is ours"
    before = found.position
    move = before.legal_moves()[0]
    found.showed((before, move, "colour"), Change(before, (move,), before.play(move)), as_made=True)
    assert found.belied(quiet()) == "nobody answers: we move each side"
    assert found.world.alone
    assert not hasattr(flooded_once(vain=0).position, "territories")  # Filler allows it: nothing tells


def test_nobody_else_moves_where_moves_of_both_seats_were_ours_while_another_game_was_thought_to_be_played() -> None:
    filler = find_game("filler")
    state = filler.parse(f"{FLOOD} 1", Options(colours=4))
    found = Belief(Settings(wait=WAIT, answer=ANSWER), filler)
    found.settle(Recognised(filler, state, 1, moves=2, moved=frozenset({0, 1}), pressed=(0, 1)))
    assert (found.world.alone, found.world.seat, found.world.ours) == (True, 0, True)


def test_a_move_that_shows_from_the_other_position_was_made_in_the_other_seat() -> None:
    world = our_turn()
    assert world.other == SECOND
    words = world.showed((SECOND, "both", "tap"), Change(SECOND, (), AFTER_SECOND), as_made=True)
    assert words == "that was a move of the other side: the second seat is ours"
    assert told(world.world) == ((AFTER_SECOND,), 1, ANSWER)


def test_another_move_than_ours_was_the_other_sides_while_the_seat_is_not_known() -> None:
    world = our_turn()
    words = world.showed(MADE, Change(FIRST, ("other",), AFTER_FIRST, lawful=False), as_made=False, tries=2)
    assert words == "it was the other side's: the second seat is ours"
    assert told(world.world) == ((AFTER_FIRST,), 1, ANSWER)
    assert world.showed((AFTER_FIRST, "both", "tap"), Change(AFTER_FIRST, (), FIRST), as_made=False) == ""
    assert world.world.seat == 1


@pytest.mark.parametrize(("told_seat", "ours"), [("auto", 1), ("first", 0)])
def test_a_first_move_that_shows_from_a_position_like_the_one_believed_was_made_in_its_seat(
    told_seat: str, ours: int
) -> None:
    filler = find_game("filler")
    state = filler.deal(np.random.default_rng(4), Options(rows=6, cols=6))
    world = Belief(Settings(seat=told_seat, wait=WAIT, answer=ANSWER), filler)
    world.see([state], players=2)
    if told_seat == "auto":
        world.belied(quiet())
    elsewhere = replace(filler.starts(state)[1], player=1)
    move = elsewhere.legal_moves()[0]
    world.showed((state, move, "cell"), Change(elsewhere, (move,), elsewhere.play(move)), as_made=True)
    assert world.world.seat == ours


@pytest.mark.parametrize(
    ("as_made", "answered", "made"), [(True, False, MADE), (True, True, None), (False, True, MADE)]
)
def test_our_move_is_kept_until_it_is_answered(as_made: bool, answered: bool, made: Any) -> None:
    world = our_turn("first")
    assert world.other is None
    world.showed(MADE, Change(FIRST, (), AFTER_FIRST), as_made=as_made, answered=answered)
    assert world.world.made == made
    world.moved(Change(AFTER_FIRST, (), FIRST))
    assert world.world.made is None


BLOKUS, FLOOD_IT = find_game("blokus"), find_game("flood_it")


def four(variant: str = "classic") -> tuple[Belief, list[Any]]:
    """What is believed of an empty board of four, and the positions of a game on it."""
    states = [BLOKUS.deal(np.random.default_rng(0), Options(variant=variant))]
    for _ in range(8):
        states.append(states[-1].play(states[-1].legal_moves()[-1]))
    found = Belief(Settings(wait=WAIT, answer=ANSWER), BLOKUS)
    found.see(states[:1], players=4)
    return found, states


def played(one: Any, other: Any) -> Change:
    """The moves that lead from one position to another."""
    return Change(one, BLOKUS.line(one, other), other)


def seat_and_seconds(world: Belief) -> tuple[int | None, float]:
    return world.world.seat, world.world.seconds


@pytest.mark.parametrize("ours", range(4))
def test_of_four_seats_the_one_is_ours_that_nobody_else_moves(ours: int) -> None:
    world, states = four()
    assert seat_and_seconds(world) == (None, WAIT)
    for number in range(ours):
        words = world.moved(played(states[number], states[number + 1]))
        assert words == ("the other side began: the fourth seat is ours" if number == 2 else "")
        assert seat_and_seconds(world) == ((None, WAIT) if number < 2 else (3, ANSWER))
    if world.world.seat is None:
        world.belied(quiet())
    assert (world.world.ours, world.world.seat, world.position) == (True, ours, states[ours])


def test_all_the_others_are_waited_for_between_two_moves_of_ours() -> None:
    world, states = four()
    world.belied(quiet())
    world.showed((states[0], states[1].moves[-1], "tray"), played(states[0], states[1]), as_made=True)
    for before, after in pairwise(states[1:5]):
        assert not world.world.ours
        world.moved(played(before, after))
    assert world.world.ours
    assert world.proven


def test_a_side_that_moves_while_its_turn_was_taken_for_ours_is_another_one() -> None:
    world, states = four()
    world.belied(quiet())
    assert world.world.seat == 0
    world.moved(played(states[0], states[1]))
    assert seat_and_seconds(world) == (None, WAIT)


def test_it_is_our_turn_by_rules_for_two_with_two_colours_each_where_nobody_plays_the_third() -> None:
    world, states = four()
    world.belied(quiet())
    world.showed((states[0], states[1].moves[-1], "tray"), played(states[0], states[1]), as_made=True)
    world.moved(played(states[1], states[2]))
    assert seat_and_seconds(world) == (0, GRACE * WAIT)
    assert world.belied(quiet()) == "this page plays the variant 'classic-2': going on"
    assert (world.world.ours, BLOKUS.options(world.position).players) == (True, 2)


def silent(variant: str) -> Belief:
    """What is believed of an empty board on which nobody began, and on which no press is heard."""
    world, states = four(variant)
    world.understood(Observation.certain(BLOKUS.show(states[0]).grid.tolist()), None)
    world.belied(quiet())
    return world


def test_once_a_move_of_ours_showed_no_other_start_is_tried() -> None:
    start = BLOKUS.deal(np.random.default_rng(0), Options(variant="corners"))
    world = Belief(Settings(seat="first", wait=WAIT, answer=ANSWER), BLOKUS)
    world.see((start,), players=2)
    world.understood(Observation.certain(BLOKUS.show(start).grid.tolist()), None)
    world.belied(quiet(start.legal_moves()[0]))
    begun = world.position
    move = begun.legal_moves()[0]
    then = begun.play(move)
    world.showed((begun, move, "tray"), Change(begun, (move,), then), as_made=True)
    world.moved(Change(then, then.legal_moves()[:1], then.play(then.legal_moves()[0])))
    with pytest.raises(UnresponsiveError):
        world.belied(quiet(world.position.legal_moves()[0]))


def doubted(world: Belief) -> tuple[Any, bool]:
    """A first move that has no effect, and whether it was given up early."""
    move = world.position.legal_moves()[-1]
    once = bool(world.doubts(move))
    world.belied(quiet(move))
    return move, once


def test_a_first_move_that_has_no_effect_may_be_made_elsewhere_on_a_board_that_lies_otherwise() -> None:
    world, states = four()
    world.understood(Observation.certain(BLOKUS.show(states[0]).grid.tolist()), None)
    world.belied(quiet())
    move = states[1].moves[-1]
    assert world.belied(UnresponsiveError("nothing", move)) == "the players may start elsewhere: trying that"
    assert world.world.ours
    assert move not in world.position.legal_moves()


def test_an_answer_of_which_a_part_was_drawn_at_first_is_taken_as_it_lies_in_the_end() -> None:
    state = BLOKUS.deal(np.random.default_rng(0), Options(variant="duo"))
    before = state.play(state.legal_moves()[0])
    part = next(move for move in before.legal_moves() if len(move) == 1)
    whole = next(move for move in before.legal_moves() if len(move) == 5 and part[0] in move)
    world = Belief(Settings(seat="first"), BLOKUS)
    world.see((state,), players=2)
    world.moved(Change(before, (part,), before.play(part)))
    observation = Observation.certain(BLOKUS.show(before.play(whole)).grid.tolist())
    change = world.played(observation, world.world.positions, ours={0})
    assert change == Change(before, (whole,), before.play(whole))
    world.moved(change)
    assert world.position == before.play(whole)


def test_a_flood_of_which_a_part_was_drawn_at_first_is_told_by_the_rules_of_the_page_in_the_end() -> None:
    before = FLOOD_IT.parse("012/101/210")
    part, whole = before.play(2), replace(before, joined="corners").play(2)
    world = Belief(Settings(), FLOOD_IT)
    world.see((before,), players=1)
    world.showed((before, 2, "button"), Change(before, (2,), part), as_made=True)
    change = world.played(FLOOD_IT.show(whole), (part,), ours={0})
    assert change is not None
    assert change.after == whole != part


@pytest.mark.parametrize("variant", ["duo", "classic"])
def test_no_start_is_tried_again_before_each_was_tried_once(variant: str) -> None:
    world = silent(variant)
    first, tried = world.position, list[Any]()
    while world.doubts(world.position.legal_moves()[-1]):
        assert set(world.position.legal_moves()).isdisjoint(tried)
        tried.append(doubted(world)[0])
    assert len(tried) >= 3
    assert set(world.position.legal_moves()).isdisjoint(tried)  # the last one
    doubted(world)
    assert (world.position, world.world.ours) == (first, True)


def test_a_page_that_hears_nothing_anywhere_is_not_hurried_and_then_waited_for() -> None:
    world = silent("classic")
    while doubted(world)[1]:
        pass
    while world.world.ours:
        assert not doubted(world)[1]
    assert told(world.world)[1:] == (None, ANSWER)


def test_of_boards_that_lie_otherwise_those_come_first_whose_marks_were_seen() -> None:
    world, states = four("duo")
    start = (9, 4)
    seen = Observation.certain(BLOKUS.show(states[0]).grid.tolist())
    numbers = {"start_row": start[0], "start_col": start[1]}
    world.understood(replace(seen, numbers=numbers), None)
    world.belied(quiet())
    for _ in range(2):
        doubted(world)
        assert any(start in move for move in world.position.legal_moves()) or any(
            (4, 9) in move for move in world.position.legal_moves()
        )


@pytest.mark.parametrize("answered", [False, True])
def test_moves_made_in_a_game_that_it_is_not_count_in_the_one_that_it_is(*, answered: bool) -> None:
    flood_it, filler = find_game("flood_it"), find_game("filler")
    start = flood_it.deal(np.random.default_rng(4), Options(rows=6, cols=6))
    move = start.legal_moves()[0]
    pictures = [Observation.certain(flood_it.show(each).grid.tolist()) for each in (start, start.play(move))]
    before, after = map(filler.read, pictures)
    after = before.play(move) if answered else after
    world = Belief(Settings(seat="first", wait=WAIT, answer=ANSWER), filler)
    world.see([before], players=2)
    world.understood(pictures[0], None)
    world.showed((before, move, "colour"), Change(before, (move,), after, lawful=answered), as_made=True)
    if answered:  # by the rules of the game that it is
        theirs = world.position.legal_moves()[0]
        world.moved(Change(world.position, (theirs,), world.position.play(theirs)))
        world.worlds = (replace(world.world, seat=1 - world.position.player),)
    world.understood(pictures[1], move)
    if answered:
        assert PASSES in world.belied(quiet())
        return
    with pytest.raises(OtherGameError) as found:
        world.belied(quiet())
    assert found.value.recognised is not None
    assert (found.value.game, found.value.recognised.moves) == (flood_it, 1)


@pytest.mark.parametrize("moved", [False, True])
def test_a_board_on_which_nobody_but_us_ever_moved_is_that_of_a_game_for_one(*, moved: bool) -> None:
    flood_it, filler = find_game("flood_it"), find_game("filler")
    state = filler.deal(np.random.default_rng(4), Options(rows=6, cols=6))
    seen = Observation.certain(filler.show(state).grid.tolist())
    world = Belief(Settings(game="filler", wait=WAIT, answer=ANSWER), filler)  # it was recognised as that before
    first = seen.grid.copy()
    first[5, 0] = (first[5, 0] + 1) % 6
    while first[5, 0] in (seen.grid[5, 0], seen.grid[4, 0], seen.grid[5, 1]):
        first[5, 0] = (first[5, 0] + 1) % 6
    steps = SeenStep(Observation.certain(first.tolist())), SeenStep(seen, int(seen.grid[5, 0]))
    world.settle(Recognised(filler, state, 1 - state.player, moves=1, steps=steps))
    world.understood(seen, None)
    if moved:
        for _ in range(2):
            after = world.position.play(world.position.legal_moves()[0])
            world.moved(Change(world.position, (world.position.legal_moves()[0],), after))
        world.worlds = (replace(world.world, seat=1 - world.position.player),)
    if moved:
        ours = world.position.player
        assert world.belied(quiet()) == f"nobody moves: the {('first', 'second')[ours]} seat is ours"
        assert world.world.seat == ours
        world.worlds = (replace(world.world, seat=1 - ours),)
        assert PASSES in world.belied(quiet())
        return
    with pytest.raises(OtherGameError) as found:
        world.belied(quiet())
    assert found.value.recognised is not None
    assert (found.value.game, found.value.recognised.moves) == (flood_it, 1)
    assert found.value.recognised.position.start == (5, 0)


def test_rules_that_allow_more_are_believed_once_both_moved_while_another_game_was_thought_to_be_played() -> None:
    flood_it, filler = find_game("flood_it"), find_game("filler")
    start = filler.deal(np.random.default_rng(4), Options(rows=6, cols=6))
    ours = start.legal_moves()[0]
    both = start.play(ours).play(start.play(ours).legal_moves()[0])
    pictures = [Observation.certain(filler.show(state).grid.tolist()) for state in (start, both)]
    known = recognise(flood_it, [SeenStep(pictures[0]), SeenStep(pictures[1], ours)])
    assert known is not None
    found = Belief(Settings(game="filler"), filler)
    found.settle(known)
    move = found.position.legal_moves()[0]
    after = replace(found.position, rules=replace(found.position.rules, shared=True)).play(move).play(move)
    change = found.led_to(Observation.certain(filler.show(after).grid.tolist()), found.position, move)
    assert change is not None
    assert change.moves == (move, move)


def test_a_game_whose_winner_is_certain_is_over_where_nobody_goes_on() -> None:
    filler = find_game("filler")
    start = filler.parse("00014/00014/00011/21324/43243 1", Options(colours=5))
    for move, over in ((1, True), (2, False)):
        found = Belief(Settings(seat="first", game="filler"), filler)
        found.see([start], players=2)
        after = start.play(move)
        found.showed((start, move, "colour"), Change(start, (move,), after), as_made=True)
        if not over:
            with pytest.raises(UnresponsiveError):
                found.belied(quiet())
        else:
            assert found.belied(quiet()) == ""
            assert found.position.outcome() is not None


def test_a_game_whose_winner_was_certain_before_is_over_where_nothing_goes_on_any_more() -> None:
    filler = find_game("filler")
    start = filler.parse("0001/0001/0002/2313 1", Options(colours=5))
    assert filler.decided(start) is not None
    found = Belief(Settings(seat="first", game="filler"), filler)
    found.see([start], players=2)
    after = start.play(4)
    found.showed((start, 4, "colour"), Change(start, (4,), after), as_made=True)
    assert after.outcome() is None
    found.belied(quiet())
    assert found.position.outcome().winner == 0


def test_a_game_is_over_after_as_many_moves_as_most_pages_allow_and_a_press_after_them_is_none() -> None:
    flood = find_game("flood_it")
    state = flood.deal(np.random.default_rng(0), Options(rows=5, cols=5, colours=4))
    found = Belief(Settings(), flood)
    found.see([state], players=1)
    (most,) = found.allowed
    for made, moves in ((most - 2, None), (most - 1, (3,)), (most, ()), (most + 1, None)):
        found.made = made
        end = found.allowed_all(state, 3 if state.colour != 3 else 2)
        assert (end and len(end.moves)) == (None if moves is None else len(moves))


def test_a_move_that_floods_the_board_wins_though_most_pages_allow_no_more_before_it() -> None:
    flood = find_game("flood_it")
    state = flood.parse("00000/00000/00000/00000/00001", Options(colours=4))
    found = Belief(Settings(), flood)
    found.see([state], players=1)
    found.made = min(found.allowed)
    ends = [found.unseen_end(state, made=made, ours=(0,)) for made in (1, 2)]
    assert [end and end.after.outcome() and (end.moves, end.after.outcome().winner) for end in ends] == [
        ((1,), 0),
        ((), None),
    ]


def test_the_other_pawn_may_be_ours_where_the_first_one_does_not_move() -> None:
    quoridor = find_game("quoridor")
    start = quoridor.deal(None, Options(rows=5, cols=5))
    other = replace(start, player=1)
    ours, theirs = start.legal_moves()[0], other.legal_moves()[0]
    found = Belief(Settings(), quoridor)
    found.see([start, other], players=2)
    found.understood(quoridor.show(start), None)
    found.belied(quiet())
    assert (found.position, found.doubts(ours)) == (start, [other])
    assert found.doubts(quoridor.parse_move("a1h", start)) == []
    found.belied(quiet(ours))
    assert (found.position, found.world.seat) == (other, 1)
    found.belied(quiet(theirs))
    assert (found.position, found.doubts(ours)) == (start, [])  # once more, patiently


def test_a_move_of_the_other_side_is_seen_though_one_of_ours_was_pressed_that_either_may_make() -> None:
    filler = find_game("filler")
    state = filler.deal(np.random.default_rng(0), Options(rows=4, cols=4, colours=5))
    late = replace(state, player=1)
    found = Belief(Settings(), filler)
    found.see([state, late], players=2)
    ours, theirs = late.legal_moves()[:2]
    change = found.led_to(filler.show(late.play(theirs)), state, ours)
    assert change is not None
    assert (change.before, change.moves) == (late, (theirs,))
