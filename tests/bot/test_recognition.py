"""What a board is played by is told by how it changes: where players start, for how many it floods, by whose rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bot.play.recognition import SeenStep, recognise
from bot.play.series import play_games
from bot.play.terminal import Terminal
from bot.ports import FakeClock
from bot.runs.journal import open_run
from bot.runs.replay import replay
from bot.runs.report import write_report
from bot.screens.drawn.screen import DrawnScreen
from bot.settings import Settings
from bot.storage.files import write_calibration
from games import find_game
from games.core import Cell, Observation, Options
from games.flood import as_grid

Play = Callable[..., Any]

FLOOD_IT, FILLER, FOUR = map(find_game, ("flood_it", "filler", "connect_four"))


def seen(state: Any, game: Any) -> Observation:
    """What an eye sees of `state`."""
    return Observation.certain(game.show(state).grid.tolist())


def test_a_board_on_which_another_side_moves_is_recognised_as_one_for_two() -> None:
    start = FILLER.deal(np.random.default_rng(4), Options(rows=6, cols=7))
    made = start.legal_moves()[0]
    ours = start.play(made)
    theirs = ours.play(ours.legal_moves()[0])
    steps = [SeenStep(seen(start, FILLER)), SeenStep(seen(ours, FILLER), made), SeenStep(seen(theirs, FILLER))]
    found = recognise(FLOOD_IT, steps)
    assert (found.game, found.position, found.seat) == (FILLER, theirs, 0)
    both = [steps[0], SeenStep(steps[2].observation, made)]
    assert recognise(FLOOD_IT, both) == found
    assert recognise(FOUR, steps) is None


def test_our_move_and_its_answer_in_one_picture_are_told_in_their_order() -> None:
    start = FILLER.parse("0312/1203/2031/0124 2")
    ours = start.play(2)
    theirs = ours.play(3)
    found = recognise(FLOOD_IT, [SeenStep(seen(start, FILLER)), SeenStep(seen(theirs, FILLER), 2)])
    assert (found.game, found.position.player, found.seat) == (FILLER, 1, 1)


def test_flood_it_begins_at_no_wall() -> None:
    grid = FLOOD_IT.show(FLOOD_IT.parse("..1/.01/012 @2,0")).grid
    assert FLOOD_IT.read(Observation.certain(grid.tolist())).start == Cell(0, 2)


def test_a_change_that_no_game_explains_is_that_of_none() -> None:
    rng = np.random.default_rng(4)
    one, other = (FLOOD_IT.deal(rng, Options(rows=6, cols=6)) for _ in range(2))
    assert recognise(FLOOD_IT, [SeenStep(seen(one, FLOOD_IT)), SeenStep(seen(other, FLOOD_IT), 1)]) is None


def hidden_start(start: Cell) -> Any:
    """A position of Flood-It that begins at `start`."""
    state = FLOOD_IT.deal(np.random.default_rng(8), Options(rows=6, cols=6, colours=4))
    return FLOOD_IT.parse(f"{FLOOD_IT.format(state)} @{start.row},{start.col}")


@pytest.mark.parametrize("start", [Cell(2, 3), Cell(5, 2), Cell(0, 5)])
def test_flood_it_is_won_wherever_it_begins(play_drawn: Play, tmp_path: Path, start: Cell) -> None:
    played = play_drawn(tmp_path, hidden_start(start), settings=Settings(solver="greedy", lost=3.0, patience=1.0))
    assert played.error is None
    assert played.result.cause == "won"


class Wrapping(DrawnScreen):
    """Flood-It on a page that floods over the board's edges."""

    def play(self, move: Any) -> None:
        grid, flooded = np.array(self.state.grid), np.zeros(np.shape(self.state.grid), dtype=bool)
        flooded[self.state.start] = True
        kind = grid[self.state.start]
        while (more := _beside(flooded) & ~flooded & (grid == kind)).any():
            flooded |= more
        super().play(move)
        grid[flooded] = move
        self.deal(replace(self.state, grid=as_grid(grid)))


def _beside(cells: Any) -> Any:
    return np.any([np.roll(cells, by, axis) for by in (1, -1) for axis in (0, 1)], axis=0)


def test_a_page_with_rules_of_its_own_is_followed_to_its_end(play_drawn: Play, tmp_path: Path) -> None:
    settings = Settings(solver="greedy", lost=3.0)
    played = play_drawn(tmp_path, hidden_start(Cell(0, 0)), settings=settings, drawn=Wrapping)
    assert played.error is None
    assert played.result.cause == "won"
    assert any("rules of its own" in note["text"] for _, note in played.run.notes)
    assert not [difference for _, differences in replay(played.run) for difference in differences]
    write_report(played.run.folder)


def test_a_board_taken_for_another_game_is_played_on_as_what_it_is(tmp_path: Path) -> None:
    state = FILLER.deal(np.random.default_rng(4), Options(rows=6, cols=7, colours=5))
    clock, lines = FakeClock(), list[str]()
    screen = DrawnScreen(FILLER, state, clock=clock, rival=lambda state: state.legal_moves()[0], thinking=0.3)
    taken_for = replace(screen.calibration(), game="flood_it", how="colour")
    write_calibration(tmp_path / "taken.toml", taken_for)
    settings = Settings(calibration=str(tmp_path / "taken.toml"), runs=str(tmp_path / "runs"), answer=20.0)
    announce = Terminal(colours=False).announce
    (played,) = play_games(screen, screen.pointer, settings, about={}, say=lines.append, announce=announce, clock=clock)
    assert "this is Filler: going on" in lines
    assert played.result.outcome == screen.state.outcome()
    assert played.result.cause == "won"
    thought, recognised = sorted((tmp_path / "runs").iterdir())
    assert [open_run(run).stated("game") for run in (thought, recognised)] == ["flood_it", "filler"]
