import os
import signal
import threading
from collections.abc import Iterator
from math import dist

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from bot.pointers.dry_run import DryRunPointer, Stroke
from bot.pointers.guard import GuardedPointer, GuardError, StoppedError, stop_on_signals
from bot.ports import FakeClock
from bot.screens.drawn.screen import DESKTOP, DrawnScreen
from calibration.frame import Rect, Spot
from games.core import BoardsightError
from games.flood_it import GAME

BOARD = Rect(100, 100, 200, 200)
INSIDE, OUTSIDE = Spot(150, 150), Spot(301, 150)


@pytest.fixture
def screen():
    return DrawnScreen(GAME, GAME.deal(np.random.default_rng(3)), clock=FakeClock())


def guarded(pointer=None, **options):
    guard = GuardedPointer(pointer or DryRunPointer(), **options)
    guard.allow([BOARD])
    return guard


def test_nothing_may_be_clicked_before_a_picture_was_confirmed():
    pointer = DryRunPointer()
    with pytest.raises(GuardError, match="neither on the board nor on a control"):
        GuardedPointer(pointer).tap(INSIDE)
    assert pointer.strokes == []


def test_a_click_inside_is_made_and_one_outside_is_refused():
    pointer = DryRunPointer()
    guard = guarded(pointer)
    with pytest.raises(GuardError, match=r"\(301, 150\)"):
        guard.tap(OUTSIDE)
    with pytest.raises(GuardError):
        guard.drag(INSIDE, OUTSIDE)
    guard.tap(INSIDE)
    assert pointer.strokes == [Stroke("tap", INSIDE)]


def test_the_right_and_bottom_edges_of_a_rectangle_are_outside():
    guard = guarded()
    for spot in (Spot(300, 150), Spot(150, 300)):
        with pytest.raises(GuardError):
            guard.tap(spot)
    guard.tap(Spot(100, 100))


def test_a_new_permission_takes_the_old_one_away():
    guard = guarded()
    guard.allow([Rect(500, 500, 10, 10)])
    with pytest.raises(GuardError):
        guard.tap(INSIDE)
    guard.tap(Spot(505, 505))


def test_a_second_click_waits_until_the_first_is_confirmed():
    guard = guarded()
    guard.tap(INSIDE)
    with pytest.raises(GuardError, match="not confirmed"):
        guard.tap(INSIDE)
    guard.confirmed()
    guard.tap(INSIDE)


def test_announced_gestures_are_all_made_and_not_one_more():
    pointer = DryRunPointer()
    guard = guarded(pointer)
    guard.announce(3)
    guard.tap(INSIDE)
    guard.press("r")
    guard.drag(INSIDE, INSIDE)
    with pytest.raises(GuardError):
        guard.press("enter")
    assert [stroke.kind for stroke in pointer.strokes] == ["tap", "press", "drag"]


def test_nothing_can_be_announced_over_an_unconfirmed_click():
    guard = guarded()
    guard.tap(INSIDE)
    with pytest.raises(GuardError):
        guard.announce(5)


def test_an_announcement_lasts_for_one_move():
    guard = guarded()
    guard.announce(2)
    guard.tap(INSIDE)
    guard.confirmed()
    guard.tap(INSIDE)
    with pytest.raises(GuardError):
        guard.tap(INSIDE)


def test_a_gesture_that_fails_half_way_counts_as_made():
    class Jammed(DryRunPointer):
        def tap(self, spot):
            super().tap(spot)
            raise BoardsightError("the button is stuck")

    pointer = Jammed()
    guard = guarded(pointer)
    with pytest.raises(BoardsightError, match="stuck"):
        guard.tap(INSIDE)
    with pytest.raises(GuardError, match="not confirmed"):
        guard.tap(INSIDE)
    assert len(pointer.strokes) == 1


def test_the_users_hand_stops_the_bot(screen):
    guard = guarded(screen.pointer)
    guard.tap(INSIDE)
    guard.confirmed()
    screen.pointer.move(Spot(INSIDE.x + 20, INSIDE.y))
    with pytest.raises(StoppedError, match=r"from \(150, 150\) to \(170, 150\)") as stopped:
        guard.tap(INSIDE)
    assert stopped.value.cause == "hand"
    assert len(screen.clicks) == 1


def test_a_rounded_pointer_is_no_hand(screen):
    guard = guarded(screen.pointer)
    guard.tap(INSIDE)
    guard.confirmed()
    screen.pointer.move(Spot(INSIDE.x + 1, INSIDE.y - 1))
    guard.tap(INSIDE)


def test_a_pointer_the_guard_moved_itself_is_no_hand(screen):
    guard = guarded(screen.pointer)
    guard.move(Spot(600, 20))
    guard.tap(INSIDE)


def test_a_pointer_that_a_busy_window_manager_keeps_where_it_pressed_is_no_hand(screen):
    guard = guarded(screen.pointer)
    guard.tap(INSIDE)
    guard.confirmed()
    guard.move(Spot(600, 20))
    screen.pointer.move(INSIDE)  # as if it had never gone
    guard.check()
    screen.pointer.move(Spot(INSIDE.x + 20, INSIDE.y))
    with pytest.raises(StoppedError):
        guard.check()


@pytest.mark.parametrize("corner", [Spot(0, 0), Spot(1279, 0), Spot(0, 799), Spot(1279, 799)])
def test_the_corner_of_the_screen_stops_the_bot(screen, corner):
    guard = guarded(screen.pointer, desktop=DESKTOP)
    screen.pointer.move(corner)
    with pytest.raises(StoppedError) as stopped:
        guard.tap(INSIDE)
    assert stopped.value.cause == "corner"
    assert screen.clicks == []


def test_a_stop_lasts_even_when_its_reason_is_gone(screen):
    guard = guarded(screen.pointer, desktop=DESKTOP)
    screen.pointer.move(Spot(0, 0))
    with pytest.raises(StoppedError):
        guard.check()
    screen.pointer.move(Spot(640, 400))
    for act in (lambda: guard.tap(INSIDE), lambda: guard.press("r"), lambda: guard.move(INSIDE), guard.check):
        with pytest.raises(StoppedError) as stopped:
            act()
        assert stopped.value.cause == "corner"
    assert screen.pointer.position() == Spot(640, 400)


def test_the_pointers_own_fail_safe_is_a_stop_for_good():
    class Failsafe(DryRunPointer):
        def tap(self, spot):
            raise StoppedError("corner", "the fail-safe of the pointer itself")

    guard = guarded(Failsafe())
    with pytest.raises(StoppedError):
        guard.tap(INSIDE)
    with pytest.raises(StoppedError, match="fail-safe"):
        guard.check()


@pytest.fixture
def nobody_listens() -> Iterator[None]:
    """Leaves SIGTERM to the system: a library that another test uses may listen for it."""
    before = signal.signal(signal.SIGTERM, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGTERM, before)


@pytest.mark.usefixtures("nobody_listens")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_the_bot_before_its_next_click(number):
    stop, pointer = threading.Event(), DryRunPointer()
    guard = guarded(pointer, stop=stop)
    with stop_on_signals(stop):
        guard.tap(INSIDE)
        guard.confirmed()
        os.kill(os.getpid(), number)
        with pytest.raises(StoppedError) as stopped:
            guard.tap(INSIDE)
    assert stopped.value.cause == "asked"
    assert len(pointer.strokes) == 1


def test_a_second_ctrl_c_ends_a_bot_that_hangs():
    with stop_on_signals(threading.Event()):
        os.kill(os.getpid(), signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)


def test_who_heard_a_request_to_end_before_hears_it_once_the_game_is_over():
    heard = []
    before = signal.signal(signal.SIGTERM, lambda number, frame: heard.append(number))
    try:
        with stop_on_signals(threading.Event()):
            os.kill(os.getpid(), signal.SIGINT)  # stops this game alone
        with stop_on_signals(threading.Event()):
            os.kill(os.getpid(), signal.SIGTERM)
            assert heard == []
        assert heard == [signal.SIGTERM]
    finally:
        signal.signal(signal.SIGTERM, before)


def test_the_signal_handlers_are_put_back():
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    with stop_on_signals(threading.Event()):
        assert signal.getsignal(signal.SIGINT) is not before[0]
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before


class AnyUse(RuleBasedStateMachine):
    """However the guard is used, what reaches the pointer was allowed, announced and before any stop."""

    def __init__(self):
        super().__init__()
        self.pointer, self.stop = DryRunPointer(), threading.Event()
        self.guard = GuardedPointer(self.pointer, stop=self.stop)
        self.allowed, self.budget = [], 1
        self.frozen = None

    spots = st.builds(Spot, st.integers(-50, 50), st.integers(-50, 50))
    rects = st.builds(Rect, st.integers(-50, 50), st.integers(-50, 50), st.integers(0, 40), st.integers(0, 40))

    @rule(rects=st.lists(rects, max_size=3))
    def allow(self, rects):
        self.guard.allow(rects)
        self.allowed = rects

    @rule()
    def confirm(self):
        self.guard.confirmed()
        self.budget = 1

    @rule(gestures=st.integers(1, 4))
    def announce(self, gestures):
        try:
            self.guard.announce(gestures)
        except GuardError:
            return
        self.budget = gestures

    @rule(spot=spots, end=st.none() | spots)
    def act(self, spot, end):
        made = len(self.pointer.strokes)
        try:
            self.guard.tap(spot) if end is None else self.guard.drag(spot, end)
        except (GuardError, StoppedError):
            assert len(self.pointer.strokes) == made
            return
        assert all(any(rect.contains(at) for rect in self.allowed) for at in (spot, end) if at is not None)
        self.budget -= 1
        assert self.budget >= 0
        assert self.frozen is None

    @precondition(lambda self: self.frozen is None)
    @rule()
    def ask_to_stop(self):
        self.stop.set()
        self.frozen = len(self.pointer.strokes)


AnyUse.TestCase.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)
test_no_use_of_the_guard_gets_a_forbidden_click_through = AnyUse.TestCase


# Every order of calls.

SMALL_DESKTOP = Rect(0, 0, 800, 600)
SPOTS = st.builds(Spot, st.integers(0, 799), st.integers(0, 599)) | st.builds(
    Spot, st.integers(101, 299), st.integers(101, 299)
)


class _Seen(DryRunPointer):
    """A pointer that is where it was last used, or where a hand took it."""

    def __init__(self) -> None:
        super().__init__()
        self.at = Spot(400, 300)

    def tap(self, spot: Spot) -> None:
        super().tap(spot)
        self.at = spot

    def position(self) -> Spot | None:
        return self.at


class GuardedHand(RuleBasedStateMachine):
    """A guard against a model of it: what was pressed must have been allowed, alone, and before any stop."""

    def __init__(self) -> None:
        super().__init__()
        self.pointer = _Seen()
        self.before = self.last = self.pointer.at
        self.guard = GuardedPointer(self.pointer, desktop=SMALL_DESKTOP)
        self.allowed: list[Rect] = []
        self.free, self.open, self.stopped, self.pressed = 1, False, False, 0

    @rule(where=st.lists(st.sampled_from([BOARD, Rect(500, 50, 40, 40)]), max_size=2))
    def allow(self, where: list[Rect]) -> None:
        self.guard.allow(where)
        self.allowed = where

    @rule(spot=SPOTS)
    def tap(self, spot: Spot) -> None:
        may = not self.stopped and self.free > 0 and any(rect.contains(spot) for rect in self.allowed)
        try:
            self.guard.tap(spot)
        except StoppedError:
            assert self.stopped
        except GuardError:
            assert not may
            assert not self.stopped
        else:
            assert may
            self.free, self.open, self.pressed = self.free - 1, True, self.pressed + 1
            if spot != self.last:
                self.before, self.last = self.last, spot
            self.stopped = self.stopped or self._in_corner()

    @rule(gestures=st.integers(1, 3))
    def announce(self, gestures: int) -> None:
        if self.open:
            with pytest.raises(GuardError):
                self.guard.announce(gestures)
        else:
            self.guard.announce(gestures)
            self.free = gestures

    @rule()
    def confirm(self) -> None:
        self.guard.confirmed()
        self.free, self.open = 1, False

    @precondition(lambda self: not self.stopped)
    @rule(away=st.sampled_from([(30, 0), (0, -25), (90, 90)]))
    def take_the_mouse(self, away: tuple[int, int]) -> None:
        to = Spot(self.pointer.at.x + away[0], self.pointer.at.y + away[1])
        if self.pressed and dist(to, self.before) > 2:  # else it may not have gone yet
            self.pointer.at = to
            self.stopped = True

    @precondition(lambda self: not self.stopped)
    @rule()
    def ask_for_a_stop(self) -> None:
        self.guard.stop("asked", "stopped as asked")
        self.stopped = True

    @invariant()
    def nothing_was_pressed_but_what_may_be(self) -> None:
        assert len([stroke for stroke in self.pointer.strokes if stroke.kind == "tap"]) == self.pressed

    def _in_corner(self) -> bool:
        return any(max(abs(self.pointer.at.x - x), abs(self.pointer.at.y - y)) <= 2 for x in (0, 799) for y in (0, 599))


TestGuardedHand = GuardedHand.TestCase
TestGuardedHand.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)
