"""What turns a piece is learned by what it did, and what no key leads to is known without pressing it."""

from __future__ import annotations

from collections.abc import Callable

from bot.drag.turning import MISSES, SURE, Turning
from games.polyominoes import PIECE_OF, PIECES, Shape, flipped, rotated

F = ((0, 1), (0, 2), (1, 0), (1, 1), (2, 1))
"""A piece that lies in eight forms."""

KEYS = ("a", "b", "c")


def shown(turning: Turning, key: str, turn: Callable[[Shape], Shape], times: int, form: Shape = F) -> Shape:
    """The form in which a piece shows after `key` turned it so often."""
    for _ in range(times):
        turning.showed(key, form, turn(form))
        form = turn(form)
    return form


def forms_of(form: Shape) -> set[Shape]:
    return set(PIECES[PIECE_OF[form]].forms)


def test_keys_that_turned_one_piece_turn_another_by_the_fewest_presses() -> None:
    turning = Turning()
    shown(turning, "a", rotated, 3)
    shown(turning, "b", flipped, 1)
    other = ((0, 0), (0, 1), (0, 2), (1, 0))
    assert turning.next(other, flipped(other), KEYS, iter(KEYS)) == "b"
    assert turning.next(other, rotated(other), KEYS, iter(KEYS)) == "a"


def test_a_form_that_no_key_leads_to_is_known_once_all_are() -> None:
    turning = Turning()
    last = shown(turning, "a", rotated, SURE)
    assert turning.next(last, flipped(F), KEYS, iter(KEYS)) == "a"  # what b and c do is not known
    for key in ("b", "c"):
        for _ in range(MISSES):
            turning.showed(key, F, F)
    assert turning.next(F, flipped(F), KEYS, iter(KEYS)) is None
    turning.give_up(F, [F], KEYS)
    assert turning.never == {form for form in forms_of(F) if form not in {F, *_rounds(F)}}


def test_a_part_of_a_piece_that_shows_after_a_key_tells_nothing_of_it() -> None:
    turning = Turning()
    shown(turning, "a", rotated, 2)
    turning.showed("a", F, ((0, 0), (1, 0), (2, 0)))
    assert turning.next(F, rotated(F), KEYS, iter(KEYS)) == "a"


def _rounds(form: Shape) -> list[Shape]:
    return [form := rotated(form) for _ in range(3)]


def test_a_key_that_shows_all_forms_in_turn_is_pressed_until_it_turns_a_piece_over() -> None:
    turning = Turning()
    last = shown(turning, "a", rotated, 3)
    assert turning.next(last, flipped(F), ("a",), iter(("a",))) == "a"
    turning.showed("a", last, flipped(F))
    assert turning.next(flipped(F), flipped(F), ("a",), iter(())) is None  # it lies so
    assert turning.next(flipped(F), F, ("a",), iter(("a",))) == "a"


def test_a_key_that_changes_no_form_of_a_piece_that_looks_the_same_was_not_lost() -> None:
    turning = Turning()
    shown(turning, "b", flipped, 1)
    straight = ((0, 0), (0, 1), (0, 2))
    assert all(turning.showed("b", straight, straight) for _ in range(MISSES))
    assert turning.worth("b")
    assert not any(turning.showed("b", F, F) for _ in range(MISSES))
    assert not turning.worth("b")
