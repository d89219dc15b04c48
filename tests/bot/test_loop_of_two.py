"""The loop against another player on the drawn screen: whose turn it is, what was answered, and how it ended."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bot.play.belief import UnresponsiveError
from bot.play.seen import ForeignMoveError
from bot.ports import FakeClock
from bot.runs.replay import replay
from bot.runs.report import write_report
from bot.screens.drawn.screen import DrawnScreen
from bot.settings import Settings
from calibration.board import Calibration
from calibration.frame import Frame, Rect
from calibration.locate import BoardNotFoundError
from games import find_game
from games.core import Cell, Options, SettingsError
from games.quoridor import Wall
from solvers import find_solver
from solvers.core import Decision, Limit

SMALL = (Rect(0, 0, 1280, 800),)
SIZES = {
    "filler": Options(rows=6, cols=6, colours=5),
    "quoridor": Options(rows=5, cols=5),
}
SOLVERS = {"quoridor": "alphabeta:depth=3"}  # two random pawns walk about for a hundred moves
Play = Callable[..., Any]


def mover(seed: int) -> Callable[[Any], Any]:
    """A player of random moves."""
    rng = np.random.default_rng(seed)
    return lambda state: state.legal_moves()[rng.integers(len(state.legal_moves()))]


def against(play_drawn: Play, folder: Path, name: str, *, seed: int = 4, settings: Any = None, **faults: Any) -> Any:
    game = find_game(name)
    state = game.deal(np.random.default_rng(seed), SIZES.get(name, Options()))
    settings = settings or Settings(solver=SOLVERS.get(name, "random:seed=7"), lost=3.0)
    monitors = faults.pop("monitors", SMALL)
    return play_drawn(
        folder, state, game=game, settings=settings, rival=mover(seed), thinking=0.3, monitors=monitors, **faults
    )


def assert_agrees(played: Any) -> None:
    """The journal holds exactly the moves of the game, in order, and the game ended."""
    assert played.error is None
    assert played.screen.state.outcome() is not None
    game, run = played.screen.game, played.run
    told = {turn.number: turn.played for turn in run.turns}
    line = [move for answer in run.answers if answer.after == 0 for move in answer.moves]
    for number in sorted(told):
        line.append(told[number])
        line += [move for answer in run.answers if answer.after == number for move in answer.moves]
    # Colours are numbered as they were found: what must agree is how the boards changed.
    assert len(line) == len(played.screen.moves)
    if game.name != "filler":
        state = game.deal(np.random.default_rng(0), SIZES.get(game.name, Options()))
        for text, move in zip(line, played.screen.moves, strict=True):
            assert text == game.format_move(move, state)
            state = state.play(move)


@pytest.mark.parametrize(
    ("name", "rival_begins"),
    [
        *((name, begins) for name in ("filler", "connect_four") for begins in (False, True)),
        pytest.param("quoridor", True, marks=pytest.mark.slow),
        pytest.param("blokus", False, marks=pytest.mark.slow),
    ],
)
def test_a_game_is_played_to_its_end_from_either_seat(
    play_drawn: Play, tmp_path: Path, name: str, rival_begins: bool
) -> None:
    played = against(play_drawn, tmp_path, name, rival_begins=rival_begins, animation=0.2)
    assert_agrees(played)
    winner = played.screen.state.outcome().winner
    ours = int(rival_begins)
    assert played.result.seat == ours
    assert played.result.cause == ("drawn" if winner is None else "won" if winner == ours else "lost")
    assert (played.result.retries, played.result.misreads) == (0, 0)
    assert {click.place for click in played.screen.clicks} <= {"cell", "control"}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["filler", "connect_four", "quoridor"])
def test_lag_animation_noise_and_a_lost_click_are_survived_against_a_player(
    play_drawn: Play, tmp_path: Path, name: str
) -> None:
    played = against(play_drawn, tmp_path, name, lag=0.2, animation=0.5, noise=3.0, drops={1})
    assert_agrees(played)
    assert played.result.retries == 1


@pytest.mark.slow
@pytest.mark.parametrize("lost", [0, 1])
def test_a_piece_is_laid_though_the_click_that_takes_or_lays_it_is_lost(
    play_drawn: Play, tmp_path: Path, lost: int
) -> None:
    settings = Settings(solver="random:seed=7", max_moves=2)
    played = against(play_drawn, tmp_path, "blokus", settings=settings, lag=0.2, noise=2.0, drops={lost})
    assert (played.error, played.result.cause, played.result.misreads) == (None, "asked", 0)
    game, run = played.screen.game, played.run
    state, ours = game.deal(np.random.default_rng(0)), []
    for move in played.screen.moves:
        ours += [game.format_move(move, state)] * (state.player == 0)
        state = state.play(move)
    assert [turn.played for turn in run.turns] == ours
    assert run.turns[0].tries == 1 + lost  # a piece that does not come is taken again at once
    assert len(played.screen.clicks) <= 6


def test_an_answer_that_comes_at_once_is_told_from_the_move_made(play_drawn: Play, tmp_path: Path) -> None:
    for name in ("filler", "connect_four"):
        game = find_game(name)
        state = game.deal(np.random.default_rng(9), SIZES.get(name, Options()))
        settings = Settings(solver="random:seed=3", lost=3.0)
        played = play_drawn(
            tmp_path / name, state, game=game, settings=settings, rival=mover(2), thinking=0.0, monitors=SMALL
        )
        assert_agrees(played)


def idle_at_first(seed: int) -> Callable[[Any], Any]:
    """A player of random moves whose first one captures nothing, so that the board still looks new."""
    choose = mover(seed)
    return lambda state: next(
        (
            move
            for move in state.legal_moves()
            if state.idle == 0 and max(state.cells) == 1 and not state.captured(move)
        ),
        choose(state),
    )


@pytest.mark.parametrize(
    ("thinking", "seat", "clicks_in_vain"),
    [(0.1, "auto", 0), (9.0, "auto", 4), (9.0, "second", 0), (0.1, "second", 0)],
)
def test_filler_is_played_from_the_second_seat_though_the_board_looks_new(
    play_drawn: Play, tmp_path: Path, thinking: float, seat: str, clicks_in_vain: int
) -> None:
    game = find_game("filler")
    state = game.deal(np.random.default_rng(4), SIZES["filler"])
    played = play_drawn(
        tmp_path,
        state,
        game=game,
        settings=Settings(solver="random:seed=8", seat=seat, patience=1.0),
        rival=idle_at_first(3),
        rival_begins=True,
        thinking=thinking,
        monitors=SMALL,
    )
    assert_agrees(played)
    assert (played.result.seat, played.result.misreads) == (1, 0)
    assert played.result.retries == clicks_in_vain


@pytest.mark.parametrize("begins", ["with the same colour", "with another", "after all not"])
def test_filler_is_played_on_whatever_a_slow_other_side_does_after_a_press_that_may_be_out_of_turn(
    play_drawn: Play, tmp_path: Path, begins: str
) -> None:
    """A press out of turn does nothing; the same colour by the other side, a moment later, looks like its effect."""
    game = find_game("filler")
    begun = game.deal(np.random.default_rng(4), SIZES["filler"])
    pressed = find_solver("random:seed=8", "filler").decide(begun, Limit()).move
    other = next(move for move in begun.legal_moves() if move != pressed)
    first = {"with the same colour": pressed, "with another": other}
    choose = mover(3)
    played = play_drawn(
        tmp_path,
        begun,
        game=game,
        settings=Settings(solver="random:seed=8", patience=3.0),
        rival=lambda state: first[begins] if state == begun else choose(state),
        rival_begins=begins in first,
        thinking=4.0 if begins in first else 14.0,
        lag=0.0 if begins in first else 1.5,
        monitors=SMALL,
        calibrated="colour",
    )
    assert_agrees(played)
    assert (played.result.seat, played.result.misreads) == (int(begins in first), 0)


@pytest.mark.parametrize(("name", "seat"), [("connect_four", "first"), ("filler", "first")])
def test_a_side_that_begins_in_the_seat_that_was_said_to_be_ours_stops_the_run(
    play_drawn: Play, tmp_path: Path, name: str, seat: str
) -> None:
    settings = Settings(solver="random:seed=7", seat=seat, delay=1.5)
    played = against(play_drawn, tmp_path, name, settings=settings, rival_begins=True)
    assert isinstance(played.error, SettingsError)
    assert "seat 1 has moved, and it was not us" in str(played.error)
    assert played.screen.clicks == []


def test_a_side_that_begins_just_before_our_first_press_has_its_seat(play_drawn: Play, tmp_path: Path) -> None:
    settings = Settings(solver="random:seed=7", wait=2.0, delay=1.5, max_moves=3)
    game = find_game("filler")
    state = game.deal(np.random.default_rng(4), SIZES["filler"])
    played = play_drawn(
        *(tmp_path, state),
        game=game,
        settings=settings,
        rival=mover(4),
        rival_begins=True,
        thinking=2.8,
        monitors=SMALL,
    )
    assert played.error is None
    assert (played.result.seat, played.result.moves, played.result.retries) == (1, 3, 0)


@pytest.mark.parametrize("plies", [5, 8])
def test_connect_four_is_joined_in_mid_game_by_counting_discs(play_drawn: Play, tmp_path: Path, plies: int) -> None:
    game, choose = find_game("connect_four"), mover(1)
    state = game.deal(np.random.default_rng(0))
    for _ in range(plies):
        state = state.play(choose(state))
    settings = Settings(solver="random:seed=7", lost=3.0)
    played = play_drawn(tmp_path, state, game=game, settings=settings, rival=choose, thinking=0.3, monitors=SMALL)
    assert played.error is None
    assert played.result.seat == plies % 2
    assert played.screen.state.outcome() is not None


@pytest.mark.parametrize("how", ["hole", "key", "hover"])
def test_the_way_a_screen_wants_its_moves_made_is_found_and_kept(play_drawn: Play, tmp_path: Path, how: str) -> None:
    played = against(play_drawn, tmp_path, "connect_four", how=how)
    assert_agrees(played)
    tries = [turn.tries for turn in played.run.turns]
    assert max(tries[1:], default=1) == 1
    kept = {"hole": "hole", "key": "key", "hover": "column"}
    assert played.calibration.how == kept[how]


@pytest.mark.slow
@pytest.mark.parametrize("how", ["twice", "enter", "select", "select+twice"])
def test_the_way_walls_and_pawns_want_to_be_moved_is_found(play_drawn: Play, tmp_path: Path, how: str) -> None:
    settings = Settings(solver="random:seed=7", max_moves=5)
    played = against(play_drawn, tmp_path, "quoridor", settings=settings, how=how)
    assert (played.error, played.result.cause, played.result.misreads) == (None, "asked", 0)
    assert {isinstance(move, Wall) for move in played.screen.moves} == {True, False}
    assert sum(turn.tries > 1 for turn in played.run.turns) <= 3  # the first pawn's move, and two walls


class BrieflyCovered(DrawnScreen):
    """A screen on which something covers everything for a second once a wall was tapped for the first time."""

    until: float | None = None

    def _hear(self, gesture: Any) -> None:
        super()._hear(gesture)
        if self.until is None and str(gesture.target).startswith("wall:"):
            self.until = self.clock.now() + 1.0

    def grab(self, region: Rect | None = None) -> Frame:
        frame = super().grab(region)
        covered = self.until is not None and self.clock.now() < self.until
        return replace(frame, pixels=np.full_like(frame.pixels, 40)) if covered else frame


def test_a_move_in_the_middle_of_which_something_covers_the_board_is_made_anew(
    play_drawn: Play, tmp_path: Path
) -> None:
    settings = Settings(solver="random:seed=7", max_moves=5, how="twice")
    played = against(play_drawn, tmp_path, "quoridor", settings=settings, how="twice", lag=0.1, drawn=BrieflyCovered)
    assert played.screen.until is not None
    assert any("in the middle of a move" in str(note) for _, note in played.run.notes)
    assert (played.error, played.result.cause) == (None, "asked")


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("connect_four", "column+confirm"),
        ("filler", "colour+confirm"),
        *(pytest.param("quoridor", how, marks=pytest.mark.slow) for how in ("confirm", "tap+confirm")),
    ],
)
def test_moves_are_confirmed_by_a_button_that_a_person_named(
    play_drawn: Play, tmp_path: Path, name: str, how: str
) -> None:
    game = find_game(name)
    start = game.deal(np.random.default_rng(4), SIZES.get(name, Options()))
    button = DrawnScreen(game, start, how=how, monitors=SMALL).calibration().controls["confirm"]
    settings = Settings(solver="random:seed=7", max_moves=5, controls=f"confirm={button.x},{button.y}", patience=1.0)
    played = against(play_drawn, tmp_path, name, settings=settings, how=how, lag=0.1)
    assert (played.error, played.result.cause, played.result.misreads) == (None, "asked", 0)
    assert played.calibration.how == {"confirm": "tap+confirm"}.get(how, how)
    assert played.result.retries == 0


@pytest.mark.parametrize("how", ["cell", "drag", "cell+twice", "drag+enter"])
def test_moves_from_one_cell_to_another_are_made_as_the_page_wants(
    play_drawn: Play, tmp_path: Path, from_the_docs: str, how: str
) -> None:
    settings = Settings(solver="random:seed=7", patience=1.0)
    played = against(play_drawn, tmp_path, from_the_docs, settings=settings, how=how, lag=0.1)
    assert_agrees(played)
    assert played.calibration.how == how


@pytest.mark.slow
@pytest.mark.parametrize(("how", "shown"), [("twice", 0.8), ("enter", 1.0)])
def test_a_wall_that_shows_though_it_is_not_laid_yet_is_laid_by_the_way_that_is_missing(
    play_drawn: Play, tmp_path: Path, how: str, shown: float
) -> None:
    settings = Settings(solver="random:seed=7", max_moves=5, patience=1.0)
    played = against(play_drawn, tmp_path, "quoridor", settings=settings, how=how, shown=shown)
    assert (played.error, played.result.cause, played.result.misreads) == (None, "asked", 0)
    assert sum(isinstance(move, Wall) for move in played.screen.moves[::2]) >= 2
    assert played.calibration.how == how
    assert played.result.retries == 0


@pytest.mark.parametrize("how", ["column+twice", "column+enter"])
def test_a_disc_that_shows_though_it_is_not_dropped_yet_is_dropped_by_the_stage_that_is_missing(
    play_drawn: Play, tmp_path: Path, how: str
) -> None:
    settings = Settings(solver="random:seed=7", max_moves=4, patience=1.0)
    played = against(play_drawn, tmp_path, "connect_four", settings=settings, how=how, shown=1.0)
    assert (played.error, played.result.cause, played.result.misreads) == (None, "asked", 0)
    assert played.calibration.how == how
    assert played.result.retries == 0


@pytest.mark.slow
def test_a_person_is_asked_once_for_the_button_that_lays_walls(play_drawn: Play, tmp_path: Path) -> None:
    game, asked = find_game("quoridor"), []
    start = game.deal(np.random.default_rng(4), SIZES["quoridor"])
    button = DrawnScreen(game, start, how="confirm", monitors=SMALL).calibration().controls["confirm"]

    def ask(question: str) -> str:
        asked.append(question)
        return f"{button.x},{button.y}"

    settings = Settings(solver="random:seed=7", max_moves=4, patience=1.0)
    played = against(play_drawn, tmp_path, "quoridor", settings=settings, how="confirm", ask=ask)
    assert (played.error, played.result.cause, played.result.misreads) == (None, "asked", 0)
    assert sum(isinstance(move, Wall) for move in played.screen.moves[::2]) >= 2
    assert len(asked) == 1


def test_a_way_that_no_game_has_is_refused_by_name(play_drawn: Play, tmp_path: Path) -> None:
    settings = Settings(solver="random:seed=7", how="thinking+confirm")
    played = against(play_drawn, tmp_path, "connect_four", settings=settings)
    assert isinstance(played.error, SettingsError)
    assert "choose one of: column, hole" in str(played.error)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "clear"), [("connect_four", 0.3), ("connect_four", 0.8), ("quoridor", 0.3), ("quoridor", 0.8)]
)
def test_a_preview_of_the_move_under_the_pointer_is_no_move(
    play_drawn: Play, tmp_path: Path, name: str, clear: float
) -> None:
    settings = Settings(solver="random:seed=7", max_moves=4)
    played = against(play_drawn, tmp_path, name, settings=settings, preview=clear)
    assert (played.error, played.result.cause, played.result.misreads) == (None, "asked", 0)
    assert [turn.outcome for turn in played.run.turns] == ["confirmed"] * 4


@pytest.mark.slow
def test_pieces_are_dragged_from_the_tray_where_a_calibration_says_so(play_drawn: Play, tmp_path: Path) -> None:
    settings = Settings(solver="random:seed=7", max_moves=3)
    played = against(play_drawn, tmp_path, "blokus", settings=settings, calibrated="drag")
    assert (played.error, played.result.retries) == (None, 0)
    assert [click.kind for click in played.screen.clicks][-2:] == ["down", "up"]


@pytest.mark.parametrize("name", ["filler", "connect_four", "quoridor", "blokus"])
def test_a_run_against_a_player_is_replayed_without_a_difference_and_reported(
    play_drawn: Play, tmp_path: Path, name: str
) -> None:
    settings = Settings(solver="random:seed=7", max_moves=3)
    run = against(play_drawn, tmp_path, name, settings=settings, rival_begins=True).run
    steps = list(replay(run))
    assert [str(difference) for _, differences in steps for difference in differences] == []
    assert len(steps) >= 1 + len(run.turns) == 4
    page = write_report(run.folder).read_text(encoding="utf-8")
    assert all(f'"number":{turn.number},' in page for turn in run.turns)
    assert page.count('"kind":"answer","seats":[0') >= len(run.answers) > 2


def test_a_position_that_no_move_leads_to_stops_the_run_with_its_picture(play_drawn: Play, tmp_path: Path) -> None:
    def other(screen: DrawnScreen) -> None:
        screen.after(1.0, lambda screen: screen.deal(screen.game.parse("1122")))

    settings = Settings(solver="random:seed=7", lost=3.0, repaint=1.0)
    played = against(play_drawn, tmp_path, "connect_four", settings=settings, events={3: other})
    assert isinstance(played.error, ForeignMoveError)
    assert re.match(
        r"no legal move explains that \d of 42 cells changed \(nearest is \d, but for \d of them, the first at row",
        str(played.error),
    )
    assert played.run.end["cause"] == "ForeignMoveError"
    assert played.run.picture("end.png").ndim == 3


def test_a_side_that_never_moves_stops_the_run(play_drawn: Play, tmp_path: Path) -> None:
    game = find_game("connect_four")
    settings = Settings(solver="random:seed=7", answer=5.0, seat="second")
    played = play_drawn(tmp_path, game.deal(np.random.default_rng(0)), game=game, settings=settings, monitors=SMALL)
    assert isinstance(played.error, UnresponsiveError)
    assert "nobody moved for 5 s" in str(played.error)
    assert played.screen.clicks == []


def test_a_move_is_thought_of_while_the_other_side_may_begin(
    play_drawn: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, clocks = find_game("connect_four"), list[FakeClock]()

    class Slow:
        def decide(self, state: Any, limit: Limit) -> Decision:
            clocks[0].sleep(1.5)
            return Decision(state.legal_moves()[0])

    class Timed(DrawnScreen):
        def __init__(self, *args: Any, **more: Any) -> None:
            super().__init__(*args, **more)
            clocks.append(more["clock"])

    monkeypatch.setattr("bot.play.loop.find_solver", lambda spec, name: Slow())
    played = play_drawn(
        tmp_path, game.deal(np.random.default_rng(0)), game=game, settings=Settings(wait=2.0, max_moves=1), drawn=Timed
    )
    assert played.error is None
    assert played.screen.clicks[0].time < 2.5


def test_a_person_is_told_that_no_board_was_found_yet_where_looking_for_one_takes_long(
    play_drawn: Play, tmp_path: Path
) -> None:
    class Blank(DrawnScreen):
        def grab(self, region: Rect | None = None) -> Frame:
            frame = super().grab(region)
            self.clock.sleep(1.5)  # a busy machine
            return replace(frame, pixels=np.full_like(frame.pixels, 250))

    lines: list[str] = []
    played = play_drawn(tmp_path, drawn=Blank, waits=lines.append)
    assert isinstance(played.error, BoardNotFoundError)
    assert [line.split(":")[0].strip() for line in lines] == ["looking for a board"] * len(lines)
    assert len(lines) >= 2


def test_a_person_is_told_every_five_seconds_what_is_waited_for(play_drawn: Play, tmp_path: Path) -> None:
    four, lines = find_game("connect_four"), list[str]()
    settings = Settings(solver="alphabeta:depth=1", seat="first", answer=12.0, wait=0.5, patience=1.0)
    slow = {"rival": lambda state: state.legal_moves()[0], "thinking": 1e6}
    played = play_drawn(tmp_path, four.parse("44"), game=four, settings=settings, waits=lines.append, **slow)
    assert "nobody moved for 12 s" in str(played.error)
    assert [line.strip().partition(":")[0] for line in lines] == ["waiting for the other side's move, at most 8 s"]


@pytest.mark.parametrize(
    ("name", "options", "plays", "refused"),
    [
        ("filler", Options(rows=9, cols=8, colours=5), "lookahead:depth=3", "do not fit into 64 bits"),
        ("connect_four", Options(rows=7, cols=8), "alphabeta:depth=12", "the exact solver plays 6 rows"),
        ("connect_four", Options(rows=8, cols=9), "mcts-readable", "the exact solver plays 6 rows"),
    ],
)
def test_a_solver_that_does_not_fit_the_board_hands_over_where_the_user_named_none(
    name: str, options: Options, plays: str, refused: str, play_drawn: Play, tmp_path: Path
) -> None:
    game = find_game(name)
    state = game.deal(np.random.default_rng(1), options)
    settings = Settings(seat="first", max_moves=1)
    played = play_drawn(tmp_path, state, game=game, settings=settings, rival=lambda state: state.legal_moves()[0])
    assert (played.result.cause, played.result.moves) == ("asked", 1)
    assert played.run.stated("solver").startswith(plays)
    named = play_drawn(tmp_path / "named", state, game=game, settings=replace(settings, solver="exact"))
    assert refused in str(named.error)


def test_a_move_that_is_only_shown_in_the_other_seats_corner_is_made_final(play_drawn: Play, tmp_path: Path) -> None:
    """The other side moved before the first look, captured nothing, and so seems to be still to begin."""
    game = find_game("filler")
    state = game.parse("130134/345213/232402/321521/042354/351241/423424 2 +1", Options(colours=6))
    settings = Settings(solver="random:seed=7", max_moves=2, lost=3.0)
    faults: dict[str, Any] = {"game": game, "settings": settings, "monitors": SMALL, "rival": mover(4), "thinking": 0.3}
    played = play_drawn(tmp_path, state, how="colour+enter", **faults)
    assert played.error is None
    assert [seat for answer in played.run.answers for seat in answer.seats] == [0]


class ByCells(DrawnScreen):
    """A page played by cells, of whose buttons none was seen."""

    def calibration(self) -> Calibration:
        return replace(super().calibration(), controls={})


def test_buttons_are_looked_for_where_no_cell_is_left_that_may_be_pressed(play_drawn: Play, tmp_path: Path) -> None:
    state = find_game("filler").parse("000000/000010/000011/100111 1", Options(colours=6))
    played = play_drawn(
        *(tmp_path, state),
        game=find_game("filler"),
        settings=Settings(solver="greedy", seat="first"),
        drawn=ByCells,
        calibrated="colour",
        rival=lambda state: state.legal_moves()[0],
    )
    assert played.error is None
    assert (played.result.outcome, played.result.retries) == (played.screen.state.outcome(), 0)


@pytest.mark.parametrize("variant", [None, "patient"])
def test_a_game_in_which_nothing_is_captured_for_long_goes_on_where_the_page_does(
    variant: str | None, play_drawn: Play, tmp_path: Path
) -> None:
    game = find_game("filler")
    state = game.parse("0123/1233/2332/4331 1", Options(colours=5, variant=variant))
    settings = Settings(solver="random:seed=0", seat="first", lost=3.0)
    played = play_drawn(tmp_path, state, game=game, settings=settings, rival=mover(3), thinking=0.3, monitors=SMALL)
    assert_agrees(played)
    assert ("captured nothing" in played.result.message) is (variant is None)


def test_a_hint_that_stays_over_some_cells_of_a_fresh_board_does_not_hide_that_it_is_one(
    play_drawn: Play, tmp_path: Path
) -> None:
    def cover(screen: DrawnScreen) -> None:
        assert screen.layout is not None
        one = screen.layout.square(Cell(2, 1))
        screen.cover(Rect(one.x, one.y + one.height / 4, 2 * one.width, one.height / 2), seconds=1e6)

    settings = Settings(solver="random:seed=7", lost=3.0, max_moves=2)
    played = against(play_drawn, tmp_path, "connect_four", settings=settings, events={0: cover})
    assert (played.error, played.result.moves) == (None, 2)
