"""The loop against the drawn screen: it finishes, or stops with the right error, and clicks nowhere else."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bot.play.belief import UnresponsiveError
from bot.play.loop import UnexpectedMoveError
from bot.play.result import RunResult
from bot.play.seen import BoardLostError
from bot.pointers.guard import StoppedError
from bot.screens.drawn.screen import DrawnScreen
from bot.settings import Settings
from calibration.frame import Frame, Rect, Spot
from calibration.locate import BoardNotFoundError
from games import find_game
from games.core import Cell, Options
from solvers import find_solver

FLOOD_IT = find_game("flood_it")
SMALL = Options(rows=8, cols=8, colours=5, limit=25)


Play = Callable[..., Any]


def deal(seed: int = 3, options: Options = SMALL) -> Any:
    return FLOOD_IT.deal(np.random.default_rng(seed), options)


def finished(played: Any) -> RunResult:
    assert played.error is None
    assert played.result is not None
    return played.result


def assert_no_click_beside(played: Any) -> None:
    assert played.screen.clicks
    assert {click.place for click in played.screen.clicks} <= {"cell", "control", "board"}


def offline(state: Any) -> list[int]:
    moves = []
    player = find_solver("greedy", "flood_it")
    while state.outcome() is None:
        moves.append(player.decide(state).move)
        state = state.play(moves[-1])
    return moves


@pytest.mark.parametrize("skin", ["classic", "cells"])
def test_a_game_is_played_to_the_end_as_the_offline_simulation_plays_it(
    play_drawn: Play, tmp_path: Path, skin: str
) -> None:
    played = play_drawn(tmp_path, skin=skin)
    assert finished(played).cause == "won"
    assert_no_click_beside(played)
    # Colours are numbered as they were found: the boards must have gone the same way, whatever their names.
    states = [deal()]
    for move in played.screen.moves:
        states.append(states[-1].play(move))
    assert states[-1].outcome() is not None
    assert len(played.screen.moves) == len(offline(FLOOD_IT.parse(played.run.turns[0].state, SMALL)))


@pytest.mark.parametrize("scale", [1.0, 1.25, 1.5, 2.0])
def test_every_click_lands_at_every_device_scale_on_a_second_monitor(
    play_drawn: Play, tmp_path: Path, scale: float
) -> None:
    monitors = (Rect(-1280, -200, 1280, 800), Rect(0, 0, 1280, 800))
    played = play_drawn(tmp_path, scale=scale, monitors=monitors)
    assert finished(played).retries == 0
    assert finished(played).cause == "won"
    assert_no_click_beside(played)


def test_a_swallowed_click_is_made_again(play_drawn: Play, tmp_path: Path) -> None:
    played = play_drawn(tmp_path, drops={0, 4})
    assert finished(played).retries == 2
    assert finished(played).cause == "won"


def test_lag_and_animation_are_waited_for(play_drawn: Play, tmp_path: Path) -> None:
    played = play_drawn(tmp_path, lag=0.3, animation=0.4, noise=2.0)
    assert finished(played).retries == 0
    assert finished(played).cause == "won"
    assert_no_click_beside(played)


@pytest.mark.parametrize(
    "disturb", [lambda screen: screen.move_window(-90, 40), lambda screen: screen.resize_window(42)]
)
def test_a_board_that_moves_or_grows_is_found_again(
    play_drawn: Play, tmp_path: Path, disturb: Callable[[DrawnScreen], None]
) -> None:
    played = play_drawn(tmp_path, events={3: disturb})
    assert finished(played).recalibrations >= 1
    assert finished(played).cause == "won"
    assert_no_click_beside(played)


def test_a_board_that_is_covered_for_a_while_is_waited_for(play_drawn: Play, tmp_path: Path) -> None:
    def cover(screen: DrawnScreen) -> None:
        assert screen.layout is not None
        screen.cover(screen.layout.window, seconds=4.0)

    played = play_drawn(tmp_path, events={3: cover})
    assert finished(played).cause == "won"
    assert_no_click_beside(played)


def test_a_bar_that_stays_over_some_cells_is_played_around(play_drawn: Play, tmp_path: Path) -> None:
    bars: list[Rect] = []

    def cover(screen: DrawnScreen) -> None:
        one, last = screen.layout.square(Cell(0, 0)), screen.layout.square(Cell(0, 7))
        bars.append(Rect(one.x, one.y, last.x + last.width - one.x, one.height))
        screen.cover(bars[0], seconds=1e6)

    played = play_drawn(tmp_path, skin="cells", events={3: cover})
    assert finished(played).cause == "won"
    after = [click.spot for click in played.screen.clicks[3:]]
    assert len(after) > 2
    assert not any(bars[0].contains(spot) for spot in after)


def test_a_closed_window_stops_the_run_with_the_last_picture(play_drawn: Play, tmp_path: Path) -> None:
    played = play_drawn(tmp_path, events={3: lambda screen: screen.close_window()})
    assert isinstance(played.error, BoardLostError)
    assert str(played.error).startswith("the board was found and is seen no more: no flood_it board in the ")
    assert played.run.end is not None
    assert played.run.end["cause"] == "BoardLostError"
    assert played.run.picture("end.png").shape[2] == 3
    assert len(played.screen.clicks) == 3


def test_where_no_board_is_found_the_annotated_picture_is_kept(play_drawn: Play, tmp_path: Path) -> None:
    played = play_drawn(tmp_path, events={0: lambda screen: screen.close_window()})
    assert isinstance(played.error, BoardNotFoundError)
    assert played.screen.clicks == []
    kept, shown = played.run.picture("end.png"), played.screen.grab().pixels
    assert kept.shape[1] == shown.shape[1]
    assert (kept[: len(shown)] != shown).any()


def test_a_game_that_ignores_clicks_stops_the_run(play_drawn: Play, tmp_path: Path) -> None:
    played = play_drawn(tmp_path, drops=range(2, 50))
    assert isinstance(played.error, UnresponsiveError)
    assert len(played.screen.clicks) == 2 + 4  # two that were heard, and a move tried four times


def test_nothing_is_clicked_after_a_hand_moved_the_mouse(play_drawn: Play, tmp_path: Path) -> None:
    played = play_drawn(tmp_path, events={4: lambda screen: screen.pointer.move(Spot(700, 420))})
    assert isinstance(played.error, StoppedError)
    assert played.error.cause == "hand"
    assert len(played.screen.clicks) == 4


def test_the_end_of_a_lost_game_is_recognised(play_drawn: Play, tmp_path: Path) -> None:
    played = play_drawn(tmp_path, deal(options=Options(rows=8, cols=8, colours=5, limit=4)))
    assert finished(played).cause == "lost"
    assert len(played.screen.moves) == 4


def test_as_many_moves_are_made_as_asked(play_drawn: Play, tmp_path: Path) -> None:
    played = play_drawn(tmp_path, settings=Settings(solver="greedy", max_moves=5))
    assert (finished(played).cause, len(played.screen.moves)) == ("asked", 5)


def test_a_dry_run_clicks_nothing(play_drawn: Play, tmp_path: Path) -> None:
    played = play_drawn(tmp_path, settings=Settings(solver="greedy", dry_run=True))
    assert "nothing was clicked" in finished(played).message
    assert played.screen.clicks == []


def test_moves_that_were_not_ours_are_followed_but_not_for_ever(play_drawn: Play, tmp_path: Path) -> None:
    played = play_drawn(tmp_path, mixed_up=True, settings=Settings(solver="random:seed=2"))
    assert isinstance(played.error, UnexpectedMoveError)
    assert [turn.outcome for turn in played.run.turns] == ["other move"] * 3
    assert_no_click_beside(played)


def test_the_journal_holds_every_turn_with_its_picture(play_drawn: Play, tmp_path: Path) -> None:
    played = play_drawn(tmp_path)
    turns = played.run.turns
    assert len(turns) == len(played.screen.moves)
    for turn, follows in itertools.pairwise(turns):
        assert turn.after == follows.state
        assert turn.outcome == "confirmed"
        assert played.run.picture(turn.picture).ndim == 3


def test_a_game_whose_limit_is_too_small_is_journalled_to_its_last_turn(play_drawn: Play, tmp_path: Path) -> None:
    state = deal(options=Options(rows=8, cols=8, colours=5, limit=4))
    played = play_drawn(tmp_path, state, settings=Settings(solver="exact", lost=3.0))
    assert finished(played).cause == "lost"
    assert len(played.run.turns) == 4
    assert "beyond_limit" in played.run.turns[0].decision


class FadingIn(DrawnScreen):
    """A page that fades in from black while it is looked at for the first five times."""

    grabs = 0

    def grab(self, region: Rect | None = None) -> Frame:
        frame = super().grab(region)
        self.grabs += 1
        return replace(frame, pixels=(frame.pixels * min(1.0, 0.2 * self.grabs)).astype(np.uint8))


def test_a_board_that_fades_in_is_calibrated_when_it_has_come(play_drawn: Play, tmp_path: Path) -> None:
    game = find_game("blokus")
    start = game.parse("", Options(variant="duo"))
    settings = Settings(game="blokus", solver="heuristic", max_moves=1)
    played = play_drawn(tmp_path, start, game=game, settings=settings, drawn=FadingIn)
    assert played.error is None
    seen, true = played.calibration.palette[0], played.screen.calibration().palette[0]
    assert np.abs(np.subtract(seen, true)).max() <= 3


class ComingBeside(DrawnScreen):
    """A desktop on which a copy of half the board's size lies from the first; the board itself fades in after it."""

    grabs = 0

    def grab(self, region: Rect | None = None) -> Frame:
        frame = super().grab()
        self.grabs += 1
        box = self.calibration().lattice.box
        top, left, bottom, right = (round(each) for each in (box.y, box.x, box.y + box.height, box.x + box.width))
        pixels = frame.pixels.copy()
        board = pixels[top - 8 : bottom + 8, left - 8 : right + 8]
        half = board[::2, ::2].copy()
        pixels[40 : 40 + half.shape[0], 40 : 40 + half.shape[1]] = half
        board[:] = (board * np.clip(0.15 * (self.grabs - 3), 0.0, 1.0)).astype(np.uint8)
        whole = replace(frame, pixels=pixels)
        return whole if region is None else whole.crop(region)


def test_a_board_that_comes_late_is_chosen_before_a_smaller_one_that_was_there_first(
    play_drawn: Play, tmp_path: Path
) -> None:
    game = find_game("quoridor")
    settings = Settings(game="quoridor", solver="random:seed=1", seat="first", max_moves=1)
    start = game.parse("", Options())
    played = play_drawn(tmp_path, start, game=game, settings=settings, drawn=ComingBeside)
    assert played.error is None
    assert_no_click_beside(played)
