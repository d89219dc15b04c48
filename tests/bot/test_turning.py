"""What turns a piece is learned by what it did, and what no key leads to is known without pressing it."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest

from bot.drag.carry import DOUBLE, PointerCarrier
from bot.drag.segmentation import PieceSegment
from bot.drag.turning import MISSES, Turning
from bot.ports import WHEEL, ScrollableScreen
from games.core import Tap
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
    last = shown(turning, "a", rotated, 4)
    assert turning.next(last, flipped(F), KEYS, iter(KEYS)) == "b"  # what b and c do is not known
    for key in ("b", "c"):
        for _ in range(MISSES):
            turning.showed(key, F, F)
    assert turning.next(F, flipped(F), KEYS, iter(KEYS)) is None
    turning.give_up(F, [F], KEYS)
    assert turning.never == {form for form in forms_of(F) if form not in {F, *_rounds(F)}}


def test_what_a_key_leads_to_is_known_where_all_habits_that_explain_it_agree() -> None:
    turning = Turning()
    assert turning.due("a", F) is None
    shown(turning, "a", rotated, 3)
    assert turning.due("a", F) is None  # it may go on so, or turn a piece over at its fourth press
    turning.taken()
    assert turning.due("a", F) == rotated(F)
    square = ((0, 0), (0, 1), (1, 0), (1, 1))
    assert turning.due("a", square) is None  # nothing comes of that


def test_a_part_of_a_piece_that_shows_after_a_key_tells_nothing_of_it() -> None:
    turning = Turning()
    shown(turning, "a", rotated, 2)
    turning.showed("a", F, ((0, 0), (1, 0), (2, 0)))
    assert turning.next(F, rotated(F), KEYS, iter(KEYS)) == "a"


def _rounds(form: Shape) -> list[Shape]:
    return [form := rotated(form) for _ in range(3)]


@pytest.mark.parametrize("wanted", sorted(forms_of(F)))
def test_a_key_that_shows_all_forms_in_turn_leads_to_each_of_every_piece(wanted: Shape) -> None:
    turning = Turning()
    for times, piece in ((3, ((0, 0), (0, 1), (0, 2), (1, 0))), (8, F)):
        form, target, presses = piece, flipped(piece) if times == 3 else wanted, 0
        turning.taken()
        while (key := turning.next(form, target, KEYS, iter("a"))) is not None:
            after = (flipped if presses % 4 == 3 else rotated)(form)
            turning.showed(key, form, after)
            form, presses = after, presses + 1
            assert (key, presses <= 8) == ("a", True)
        assert form == target
    assert turning.never == set()


def test_a_key_that_changes_no_form_of_a_piece_that_looks_the_same_was_not_lost() -> None:
    turning = Turning()
    shown(turning, "b", flipped, 1)
    straight = ((0, 0), (0, 1), (0, 2))
    assert all(turning.showed("b", straight, straight) for _ in range(MISSES))
    assert turning.worth("b")
    assert not any(turning.showed("b", F, F) for _ in range(2 * MISSES))
    assert not turning.worth("b")


@pytest.mark.parametrize("wanted", sorted(forms_of(F)))
def test_a_key_that_leads_through_a_list_of_forms_is_pressed_until_the_wanted_one_shows(wanted: Shape) -> None:
    """No turn is the same as another there; another key leads back."""
    turning, listed = Turning(), sorted(forms_of(F), key=lambda form: str(form)[::-1])
    for start in (F, rotated(F)):
        form, presses = start, 0
        turning.taken()
        while form != wanted and (key := turning.next(form, wanted, KEYS, iter("ab" * 20))) is not None:
            step = {"a": 1, "b": -1}.get(key, 0)
            after = listed[(listed.index(form) + step) % len(listed)]
            turning.showed(key, form, after)
            form, presses = after, presses + 1
        assert (form, presses <= 24) == (wanted, True)


def test_a_page_that_the_wheel_scrolls_shows_no_turned_piece() -> None:
    lies, upright = PIECES[PIECE_OF[((0, 0), (0, 1), (0, 2))]].forms
    screen, down = MagicMock(spec=ScrollableScreen), [0.0]

    def scroll(by: float) -> float:
        down[0] += by
        return by

    screen.scrolled, screen.scroll = lambda: down[0], scroll
    carrier = PointerCarrier(MagicMock(soon=0.1, patience=1.0), lambda: None, lays=())
    carrier._gestures.observer.screen = screen  # type: ignore[misc]
    carrier._press = lambda key, take: scroll(64.0)  # type: ignore[method-assign, assignment]

    def shown(*_: Any, **__: Any) -> PieceSegment:
        return PieceSegment(upright if down[0] else lies, 4.0, 4.0, 99.0)

    carrier._shown = shown  # type: ignore[method-assign]
    task = SimpleNamespace(wish=SimpleNamespace(take=Tap("piece:1,I3")), wanted=upright)
    seen = carrier._turn(WHEEL, task, PieceSegment(lies, 4.0, 4.0, 99.0))  # type: ignore[arg-type]
    assert seen is not None
    assert (seen.form, WHEEL in carrier.turning, down[0]) == (lies, False, 0.0)


def test_a_piece_that_two_taps_alone_turn_is_led_through_no_forms_by_keys() -> None:
    carrier = PointerCarrier(MagicMock(soon=0.1, patience=1.0), lambda: None, lays=())
    carrier.drags = True
    assert list(carrier._round()) == []
    assert carrier.turning.showed(DOUBLE, F, rotated(F))
    assert list(carrier._round())
    for key in carrier._keys():
        if key != DOUBLE:
            assert not any(carrier.turning.showed(key, F, F) for _ in range(MISSES))
    assert list(carrier._round()) == []
