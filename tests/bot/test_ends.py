"""How a game ended is told truly however the page shows it: dimmed, covered, taken away, dealt anew."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bot.play.belief import UnresponsiveError
from bot.play.changes import may_be_another, unseen_end
from bot.play.loop import UNSEEN
from bot.play.seen import BoardLostError, GameOverError
from bot.screens.drawn.screen import DrawnScreen
from bot.settings import Settings
from calibration.frame import Frame, Rect
from games import find_game
from games.core import Options

Play = Callable[..., Any]

FOUR, FLOOD_IT, FILLER = map(find_game, ("connect_four", "flood_it", "filler"))
SIX = Options(rows=6, cols=6, colours=6)
SETTINGS = Settings(solver="alphabeta:depth=2", lost=6.0, seat="first", wait=0.5)

WINS = "112233"
"""The first player, who is to move, wins by column 4."""

HALF = "00014/00014/00011/21324/43243 1"
"""The first player, who is to move, owns more than half of the cells by colour 1, and has won, but may go on."""

LOSES = "647372"
"""Whatever the first player does, who is to move, the second one wins with the next disc."""


class Veiled(DrawnScreen):
    """A screen that is dimmed from the moment the game on it is over."""

    def grab(self, region: Rect | None = None) -> Frame:
        frame = super().grab(region)
        if self.state.outcome() is not None:
            frame.pixels[:] = (frame.pixels * 0.4 + np.array([30.0, 20.0, 60.0])).astype(np.uint8)
        return frame


class Recoloured(DrawnScreen):
    """A screen that draws the winner's discs in a colour of their own from the moment the game on it is over."""

    def grab(self, region: Rect | None = None) -> Frame:
        frame = super().grab(region)
        if self.state.outcome() is not None:
            own = np.array(self._painter.palette(self.game.show(self.state), self._skin)[1], dtype=int)
            frame.pixels[(np.abs(frame.pixels - own) < 40).all(axis=2)] = (53, 224, 138)
        return frame


def dealt(screen: DrawnScreen) -> None:
    """The page deals another game at once."""
    screen.deal(FOUR.deal(np.random.default_rng(0)))


def covered(screen: DrawnScreen) -> None:
    """Something lies over the whole board from now on."""
    assert screen.layout is not None
    screen.cover(screen.layout.window, seconds=1e6)


def winning(state: Any) -> Any:
    """The move that wins at once."""
    return next(move for move in state.legal_moves() if state.play(move).outcome() is not None)


ENDS = pytest.mark.parametrize(
    ("drawn", "event", "shown"),
    [
        (Veiled, None, True),
        (Recoloured, None, False),
        (DrawnScreen, covered, False),
        (DrawnScreen, dealt, False),
        (DrawnScreen, DrawnScreen.close_window, False),
    ],
    ids=["dimmed", "recoloured", "covered", "dealt anew", "taken away"],
)


@ENDS
def test_a_game_that_our_move_ends_is_won_however_its_end_shows(
    play_drawn: Play, tmp_path: Path, drawn: Any, event: Any, shown: bool
) -> None:
    events = {} if event is None else {1: event}
    settings = replace(SETTINGS, lost=20.0)  # as it is by default: longer than a move that shows nothing is waited for
    played = play_drawn(tmp_path, FOUR.parse(WINS), game=FOUR, settings=settings, drawn=drawn, events=events)
    assert played.error is None
    assert (played.result.cause, played.result.moves) == ("won", 1)
    assert played.result.message.endswith(UNSEEN) is not shown
    assert len(played.screen.clicks) == 1


def test_a_game_that_the_other_side_ends_is_lost_though_its_end_is_dimmed(play_drawn: Play, tmp_path: Path) -> None:
    rival = {"rival": winning, "thinking": 0.5}
    played = play_drawn(tmp_path, FOUR.parse(LOSES), game=FOUR, settings=SETTINGS, drawn=Veiled, **rival)
    assert played.error is None
    assert (played.result.cause, played.result.moves) == ("lost", 1)
    assert played.result.message.endswith(UNSEEN) is False
    assert len(played.screen.clicks) == 1


@pytest.mark.parametrize("event", [covered, dealt, DrawnScreen.close_window])
def test_a_board_that_goes_while_the_other_side_may_win_tells_no_end(
    play_drawn: Play, tmp_path: Path, event: Any
) -> None:
    rival = {"rival": winning, "thinking": 1e6}
    played = play_drawn(tmp_path, FOUR.parse(LOSES), game=FOUR, settings=SETTINGS, events={1: event}, **rival)
    assert isinstance(played.error, BoardLostError)


class Speaking(DrawnScreen):
    """A page whose dialogs are the browser's own."""

    dialogs = 0


def said_and_dealt(screen: Speaking) -> None:
    """The page says who won, before it shows the last move, and deals another game."""
    screen.dialogs += 1
    dealt(screen)


@pytest.mark.parametrize(("text", "cause"), [(LOSES, "lost"), (WINS, "won")])
def test_a_game_after_which_the_page_speaks_and_deals_anew_is_told_where_one_side_alone_may_have_won(
    play_drawn: Play, tmp_path: Path, text: str, cause: str
) -> None:
    rival = {"rival": winning, "thinking": 1e6}
    drawn = {"drawn": Speaking, "events": {1: said_and_dealt}}
    played = play_drawn(tmp_path, FOUR.parse(text), game=FOUR, settings=SETTINGS, **drawn, **rival)
    assert played.error is None
    assert (played.result.cause, played.result.moves) == (cause, 1)
    assert played.result.message.endswith(UNSEEN)


def test_a_board_that_changed_as_by_a_move_was_not_dealt_anew() -> None:
    before = FILLER.parse(HALF, Options(colours=5))
    shown = FILLER.show(before)
    grid = shown.grid.copy()
    grid[grid == grid[0, 0]] = 4
    assert not may_be_another(FILLER, before, replace(shown, grid=grid))
    assert may_be_another(FILLER, before, FILLER.show(FILLER.deal(np.random.default_rng(0), FILLER.options(before))))


def test_a_game_whose_winner_is_certain_may_end_with_the_move_that_made_it_so(play_drawn: Play, tmp_path: Path) -> None:
    lines: list[str] = []
    played = play_drawn(
        *(tmp_path, FILLER.parse(HALF, Options(colours=5))),
        **{"game": FILLER, "settings": replace(SETTINGS, solver="greedy"), "waits": lines.append},
        events={1: DrawnScreen.close_window},
    )
    assert played.error is None
    assert (played.result.cause, played.result.moves) == ("won", 1)
    assert played.result.message.endswith("more than half of the cells" + UNSEEN)
    assert [line for line in lines if "no filler board" in line] == lines != []
    assert not any("calibrate" in line for line in lines)


def test_only_the_move_that_makes_the_winner_certain_ends_a_game_early() -> None:
    start = FILLER.parse(HALF, Options(colours=5))
    won = start.play(1)
    assert FILLER.decided(start) is None
    assert unseen_end(FILLER, start, made=2, ours=(0,)) is None
    later = won.play(won.legal_moves()[0])
    assert unseen_end(FILLER, later, made=later.legal_moves()[0], ours=(0,)) is None


def test_a_board_that_shows_no_colour_that_may_be_played_tells_who_won(play_drawn: Play, tmp_path: Path) -> None:
    start = FILLER.deal(np.random.default_rng(6), Options(rows=6, cols=6, colours=4))
    rival = {"rival": lambda state: state.legal_moves()[0]}
    played = play_drawn(tmp_path, start, game=FILLER, settings=SETTINGS, skin="cells", **rival)
    assert (played.error, played.result.cause) == (None, "won")
    assert played.screen.state.outcome() is None  # a cell is left that nobody can have


def test_no_end_is_told_by_rules_that_leave_it_open() -> None:
    start, lost = FOUR.parse(""), FOUR.parse(LOSES)
    assert unseen_end(FOUR, start, made=start.legal_moves()[0], ours=(0,)) is None
    assert unseen_end(FOUR, lost, ours=(0,)) is None  # our own move does not end it
    made = lost.legal_moves()[0]
    assert unseen_end(FOUR, lost, made=made, ours=(0,)) is None  # most of the other side's do not, either


def test_a_game_that_is_over_when_the_run_begins_is_not_won(play_drawn: Play, tmp_path: Path) -> None:
    played = play_drawn(tmp_path, FOUR.parse(WINS + "4"), game=FOUR, settings=SETTINGS)
    assert isinstance(played.error, GameOverError)
    assert "over already" in str(played.error)
    assert not played.screen.clicks


class Limited(DrawnScreen):
    """Flood-It on a page that hears no more than its usual number of moves."""

    usual = 0

    def play(self, move: Any) -> None:
        self.usual = self.usual or max(FLOOD_IT.usual_limits(self.state))
        if len(self.moves) < self.usual:
            super().play(move)


class DealtAnew(DrawnScreen):
    """Flood-It on a page that deals another board a while after the fourth move."""

    fourth: float | None = None

    def play(self, move: Any) -> None:
        super().play(move)
        if len(self.moves) == 4:
            self.fourth = self.clock.now()

    def grab(self, region: Rect | None = None) -> Frame:
        if self.fourth is not None and self.clock.now() > self.fourth + 0.5:
            self.fourth = None
            self.deal(FLOOD_IT.deal(np.random.default_rng(9), SIX))
        return super().grab(region)


class LimitedAndCovered(Limited):
    """The same, which covers its board after the last move."""

    late = 0.5
    over = np.inf

    def play(self, move: Any) -> None:
        super().play(move)
        if len(self.moves) == self.usual:
            self.over = self.clock.now()

    def grab(self, region: Rect | None = None) -> Frame:
        if self.clock.now() > self.over + self.late:
            self.over = np.inf
            self.end()
        return super().grab(region)

    def end(self) -> None:
        covered(self)


class CoveredAtOnce(LimitedAndCovered):
    """The same, which covers its board with the last move."""

    late = -1.0


class DealtAtOnce(CoveredAtOnce):
    """The same, which deals another board with the last move."""

    def end(self) -> None:
        self.deal(FLOOD_IT.deal(np.random.default_rng(9), SIX))


@pytest.mark.parametrize(
    ("drawn", "moves", "unseen"),
    [
        (Limited, 10, ""),
        (DealtAnew, 4, UNSEEN),
        (LimitedAndCovered, 10, UNSEEN),
        (CoveredAtOnce, 10, UNSEEN),
        (DealtAtOnce, 10, UNSEEN),
    ],
)
def test_a_page_that_allows_no_more_moves_has_ended_the_game(
    play_drawn: Play, tmp_path: Path, drawn: type[DrawnScreen], moves: int, unseen: str
) -> None:
    state = FLOOD_IT.deal(np.random.default_rng(3), SIX)
    settings = Settings(solver="random:seed=1", lost=20.0, delay=1.0)
    played = play_drawn(tmp_path, state, settings=settings, drawn=drawn)
    assert played.error is None
    assert (played.result.cause, played.result.message) == ("lost", f"no move is left{unseen}")
    assert (played.result.moves, played.result.retries) == (moves, 0)


class LimitedAndSaid(Limited):
    """The same, which says so beside its board."""

    def _status(self, state: Any) -> str:
        words = super()._status(state)
        return "you have lost: no moves left" if len(self.moves) == self.usual > 0 else words


class LimitedAndSpoken(Limited):
    """The same, which says so in a dialog of the browser's own."""

    @property
    def dialogs(self) -> int:
        return int(len(self.moves) == self.usual > 0)


@pytest.mark.parametrize(("drawn", "presses"), [(LimitedAndSaid, 10), (LimitedAndSpoken, 10), (Limited, 11)])
def test_a_page_that_says_something_after_its_last_move_is_not_pressed_any_more(
    play_drawn: Play, tmp_path: Path, drawn: type[DrawnScreen], presses: int
) -> None:
    state = FLOOD_IT.deal(np.random.default_rng(3), SIX)
    played = play_drawn(tmp_path, state, settings=Settings(solver="random:seed=1", lost=20.0), drawn=drawn)
    assert played.error is None
    assert (played.result.cause, len(played.screen.clicks)) == ("lost", presses)


def test_a_page_that_allows_no_more_moves_is_not_won_on_the_board_that_it_deals_then(
    play_drawn: Play, tmp_path: Path
) -> None:
    state = FLOOD_IT.deal(np.random.default_rng(6), SIX)  # greedy play floods it in 11 moves, 10 are allowed
    played = play_drawn(tmp_path, state, settings=Settings(solver="greedy", lost=20.0), drawn=DealtAtOnce)
    assert played.error is None
    assert (played.result.cause, played.result.message) == ("lost", f"no move is left{UNSEEN}")


def test_a_page_counts_the_moves_that_it_allows_by_its_buttons_where_a_small_board_lacks_a_colour(
    play_drawn: Play, tmp_path: Path
) -> None:
    state = FLOOD_IT.parse("10021/03023/14110/01204/20112", Options(rows=5, cols=5, colours=6))
    played = play_drawn(tmp_path, state, settings=Settings(solver="random:seed=1"), drawn=Limited)
    assert played.error is None
    assert (played.result.cause, played.result.moves, played.result.retries) == ("lost", 8, 0)


def test_a_page_that_hears_nothing_before_its_usual_number_of_moves_stops_the_run(
    play_drawn: Play, tmp_path: Path
) -> None:
    class Deaf(Limited):
        def play(self, move: Any) -> None:
            if len(self.moves) < 3:
                super().play(move)

    settings = Settings(solver="random:seed=1", lost=3.0)
    played = play_drawn(tmp_path, FLOOD_IT.deal(np.random.default_rng(3), SIX), settings=settings, drawn=Deaf)
    assert isinstance(played.error, UnresponsiveError)
