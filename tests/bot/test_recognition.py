"""What a board is played by is told by how it changes: where players start, for how many it floods, by whose rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bot.play.belief import Belief
from bot.play.changes import Change
from bot.play.kept import as_vivid, passing_kinds, without_kinds
from bot.play.recognition import OtherGameError, SeenStep, first_guess, likeliest_right, recognise, told_by_controls
from bot.play.series import play_games
from bot.play.terminal import Terminal
from bot.ports import FakeClock
from bot.runs.journal import open_run
from bot.runs.replay import replay
from bot.runs.report import write_report
from bot.screens.drawn.screen import DrawnScreen
from bot.settings import Settings
from bot.storage.files import write_calibration
from calibration.board import Calibration, Lattice
from calibration.frame import Pixel
from games import find_game
from games.core import Cell, Observation, Options
from games.flood import as_grid, paint
from solvers import find_solver
from solvers.core import Limit

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


def test_a_board_for_two_who_may_name_each_others_colours_is_recognised_as_one_where_nothing_else_is() -> None:
    start = FILLER.deal(np.random.default_rng(4), Options(rows=6, cols=7))
    made = start.legal_moves()[0]
    state = replace(start, rules=replace(start.rules, shared=True))
    steps = [SeenStep(seen(start, FILLER))]
    for ours, theirs in ((made, made), (2, 2), (1, 3)):
        state = state.play(ours).play(theirs)
        steps.append(SeenStep(seen(state, FILLER), ours))
    found = recognise(FLOOD_IT, steps)
    assert (found.game, found.position, found.seat) == (FILLER, state, 0)
    assert recognise(FLOOD_IT, steps[:3]) is None  # either may be our corner


@pytest.mark.parametrize(
    ("board", "decided", "made"),
    [
        ("02221/03211/31330/00020/33223", 3, 2),  # in Filler, 3 would be the rival's
        ("33201/00012/21123/02113/33110", 0, 2),
        ("03210/21312/02030/23132/32300", 3, 2),  # or of a rival that starts in another corner
        ("02013/02113/03203/01133/11201", 1, 1),  # no other move ends Flood-It as soon
    ],
)
def test_the_first_press_is_one_that_is_right_in_both_games_where_one_is_as_good(
    board: str, decided: int, made: int
) -> None:
    state, solver = FLOOD_IT.parse(board), find_solver("anytime", "flood_it")
    decision = solver.decide(state, Limit(seconds=5.0))
    assert (decision.move, decision.proven) == (decided, True)
    assert likeliest_right(FLOOD_IT, state, decision, lambda: solver) == made
    assert solver.decide(state.play(made), Limit(seconds=5.0)).score == (decision.score or 0) - 1


def test_our_move_and_its_answer_in_one_picture_are_told_in_their_order() -> None:
    start = FILLER.parse("0312/1203/2031/0124 2")
    ours = start.play(2)
    theirs = ours.play(3)
    found = recognise(FLOOD_IT, [SeenStep(seen(start, FILLER)), SeenStep(seen(theirs, FILLER), 2)])
    assert (found.game, found.position.player, found.seat) == (FILLER, 1, 1)


def test_our_seat_is_told_though_an_answer_was_not_seen_before_the_next_one_came() -> None:
    dealt = FILLER.read(Observation.certain([[*map(int, row)] for row in ("040102", "214323", "121402", "315030")]))
    start = next(each for each in FILLER.starts(dealt) if each.starts == (Cell(0, 5), Cell(3, 0)))
    ours = start.play(1)
    late = ours.play(5).play(0)
    theirs = late.play(1)
    steps = [SeenStep(seen(start, FILLER)), SeenStep(seen(ours, FILLER), 1), SeenStep(seen(theirs, FILLER), 0)]
    found = recognise(FLOOD_IT, steps)
    assert found is not None
    assert found.position.player == found.seat
    assert found.position.starts[found.seat] == Cell(0, 5)


def test_one_who_takes_our_colour_plays_filler_by_the_rules_that_allow_it() -> None:
    dealt = FILLER.read(Observation.certain([[*map(int, row)] for row in ("0312", "1203", "2031", "5124")]))
    start = replace(dealt, rules=replace(dealt.rules, shared=True))
    ours = start.play(2)
    theirs = ours.play(2)
    steps = [SeenStep(seen(start, FILLER)), SeenStep(seen(ours, FILLER), 2), SeenStep(seen(theirs, FILLER), 1)]
    found = recognise(FLOOD_IT, steps)
    assert found is not None
    assert (found.game, found.position.rules.shared) == (FILLER, True)
    assert found.position.starts[found.seat] == start.starts[start.player]
    assert recognise(FLOOD_IT, steps[:2]).position.rules.shared is False


def test_our_first_move_takes_the_others_colour_by_the_rules_that_allow_it_rather_than_as_an_answer() -> None:
    rows = ("02424350", "14502131", "50441153", "00333101", "10102240", "25253543", "12443022")
    dealt = FILLER.read(Observation.certain([[*map(int, row)] for row in rows]))
    state = next(each for each in FILLER.starts(dealt) if each.starts == (Cell(0, 0), Cell(6, 7)))
    wide = replace(state, rules=replace(state.rules, shared=True))
    shows = Observation.certain(FILLER.show(dealt).grid.tolist())
    shows.grid[0, 0], shows.grid[6, 7] = 2, 5  # each owns one cell at first: ours took the colour of the other's
    found = recognise(FLOOD_IT, [SeenStep(seen(wide, FILLER)), SeenStep(shows, 2)])
    assert found is not None
    assert (found.position.rules.shared, found.position.player == found.seat) == (True, True)
    assert found.position.starts[found.seat] == Cell(0, 0)


def test_another_move_than_the_one_made_was_that_of_a_side_that_began() -> None:
    board = ("314422", "013233", "140005", "342525", "100520", "012032", "411341")
    dealt = Observation.certain([[*map(int, row)] for row in board])
    start = next(each for each in FILLER.starts(FILLER.read(dealt)) if each.starts == (Cell(0, 0), Cell(6, 5)))
    theirs = start.play(0)
    shows = Observation.certain(dealt.grid.tolist())
    shows.grid[0, 0] = 0
    belief = Belief(Settings(), FLOOD_IT, ("filler",))
    belief.see([FLOOD_IT.read(dealt)], players=1)
    belief.understood(dealt, None)
    belief.understood(shows, 1)
    change = Change(belief.position, (0,), belief.position.play(0))
    with pytest.raises(OtherGameError) as told:
        belief.showed((belief.position, 1, "colour"), change, as_made=False)
    found = told.value.recognised
    assert found is not None
    assert (found.game, found.seat, found.position.player) == (FILLER, 1, 1)
    assert found.position.territories[0] == theirs.territories[0]


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


@pytest.mark.parametrize("rival_begins", [False, True])
def test_players_of_filler_may_begin_with_one_cell_of_a_larger_region(
    play_drawn: Play, tmp_path: Path, rival_begins: bool
) -> None:
    state = FILLER.parse("00123/01230/13421/20114/34144 1 =1..../...../...../...../....2", Options(colours=5))
    played = play_drawn(
        *(tmp_path, state),
        game=FILLER,
        settings=Settings(solver="greedy", lost=3.0),
        rival=lambda state: state.legal_moves()[0],
        rival_begins=rival_begins,
        thinking=0.3,
    )
    assert played.error is None
    assert (played.result.outcome, played.result.misreads) == (played.screen.state.outcome(), 0)


class Leaping(DrawnScreen):
    """Flood-It on a page that floods every cell of the region's colour that is two away from it, too."""

    def play(self, move: Any) -> None:
        grid = np.array(self.state.grid)
        flooded = {(cell.row, cell.col) for cell in self.state.flooded()}
        kind = grid[self.state.start]
        super().play(move)
        for row, col in np.argwhere(grid == kind):
            if any(abs(row - r) + abs(col - c) <= 2 for r, c in flooded):
                grid[row, col] = move
        self.deal(replace(self.state, grid=as_grid(grid)))


@pytest.mark.parametrize("variant", ["wraps", "corners", "wraps+corners"])
def test_a_page_that_floods_over_the_edge_or_over_corners_is_played_by_its_rules(
    play_drawn: Play, tmp_path: Path, variant: str
) -> None:
    state = FLOOD_IT.deal(np.random.default_rng(8), Options(rows=8, cols=8, colours=4, variant=variant))
    settings = Settings(lost=3.0)
    played = play_drawn(tmp_path, state, settings=settings)
    assert played.error is None
    assert (played.result.cause, played.result.misreads) == ("won", 0)
    assert played.run.turns[-1].options["variant"] == variant
    assert {turn.tries for turn in played.run.turns} == {1}


def test_a_page_with_rules_of_its_own_is_followed_to_its_end(play_drawn: Play, tmp_path: Path) -> None:
    settings = Settings(solver="greedy", lost=3.0)
    played = play_drawn(tmp_path, hidden_start(Cell(0, 0)), settings=settings, drawn=Leaping)
    assert played.error is None
    assert played.result.cause == "won"
    assert any("rules of its own" in note["text"] for _, note in played.run.notes)
    assert not [difference for _, differences in replay(played.run) for difference in differences]
    write_report(played.run.folder)


class Leaving(DrawnScreen):
    """Flood-It on a page that once leaves the last cell of a board as it was when all of it should be flooded."""

    left = False

    def play(self, move: Any) -> None:
        last = self.state.grid[-1][-1]
        super().play(move)
        grid = np.array(self.state.grid)
        if not self.left and (grid == move).all():
            self.left, grid[-1, -1] = True, last
            self.deal(replace(self.state, grid=as_grid(grid)))


def test_a_board_of_which_the_page_leaves_a_cell_is_not_won_yet(play_drawn: Play, tmp_path: Path) -> None:
    state = FLOOD_IT.deal(np.random.default_rng(9), Options(rows=6, cols=6, colours=4))
    played = play_drawn(tmp_path, state, settings=Settings(lost=3.0), drawn=Leaving)
    assert (played.error, played.result.cause) == (None, "won")
    assert len(np.unique(played.screen.state.grid)) == 1
    assert played.screen.left


class Refusing(DrawnScreen):
    """Flood-It on a page where the first colour that is pressed may not be played: what it takes shows in another."""

    barred: Any = None
    refuses = False

    def play(self, move: Any) -> None:
        self.barred = move if self.barred is None else self.barred
        self.refuses = move == self.barred and not self.moves
        if self.refuses:
            self._picture = None
        else:
            super().play(move)

    def _paint(self, state: Any) -> Any:
        if self.refuses:
            other = next(kind for kind in state.legal_moves() if kind != self.barred)
            state = replace(state, grid=paint(state.grid, state.play(self.barred).flooded(), other))
        return super()._paint(state)


def test_a_move_that_a_page_shows_to_be_none_is_left_for_another(play_drawn: Play, tmp_path: Path) -> None:
    state = FLOOD_IT.deal(np.random.default_rng(5), Options(rows=6, cols=6, colours=4))
    played = play_drawn(tmp_path, state, settings=Settings(solver="greedy", lost=3.0), drawn=Refusing)
    assert played.error is None
    assert played.result.cause == "won"
    assert played.result.retries > 0  # it was pressed, and seen to be none
    assert not any("rules of its own" in note["text"] for _, note in played.run.notes)


@pytest.mark.parametrize("thinking", [0.3, 1.5, 3.0])
def test_a_board_taken_for_another_game_is_played_on_as_what_it_is(tmp_path: Path, thinking: float) -> None:
    state = FILLER.deal(np.random.default_rng(4), Options(rows=6, cols=7, colours=5))
    clock, lines = FakeClock(), list[str]()
    screen = DrawnScreen(FILLER, state, clock=clock, rival=lambda state: state.legal_moves()[0], thinking=thinking)
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


def test_a_board_that_has_to_be_found_anew_is_looked_for_as_the_game_that_it_is(tmp_path: Path) -> None:
    state = FILLER.deal(np.random.default_rng(4), Options(rows=6, cols=7, colours=5))
    clock = FakeClock()
    screen = DrawnScreen(FILLER, state, clock=clock, rival=lambda state: state.legal_moves()[0], thinking=0.3)
    write_calibration(tmp_path / "taken.toml", replace(screen.calibration(), game="flood_it", how="colour"))
    settings = Settings(calibration=str(tmp_path / "taken.toml"), runs=str(tmp_path / "runs"), answer=20.0)

    def say(line: str) -> None:
        if line == "this is Filler: going on":
            screen.resize_window(50)  # so that nothing lies where it was

    announce = Terminal(colours=False).announce
    (played,) = play_games(screen, screen.pointer, settings, about={}, say=say, announce=announce, clock=clock)
    assert played.result.outcome == screen.state.outcome()
    assert played.result.cause == "won"


def found(game: Any, state: Any, *barred: int) -> tuple[Calibration, Observation]:
    """The calibration of a page that shows `state`, where these colours have no button, and what it shows."""
    screen = DrawnScreen(game, state)
    controls = {name: at for name, at in screen.calibration().controls.items() if int(name[7:]) not in barred}
    return replace(screen.calibration(), game="flood_it", controls=controls), replace(
        seen(state, game), numbers={"colours": state.colours}
    )


@pytest.mark.parametrize(
    ("text", "barred", "name", "start"),
    [
        ("0312/1203/2031/0124 1", (0, 4), "filler", "@0,0 @3,3"),
        ("0312/1203/2031/5124 1", (5, 2), "filler", "@3,0 @0,3"),
        ("3312/1203/2031/5124 1", (5, 3), "filler", "@0,0 @3,0"),
        ("0312/1203/2031/5124 1", (2,), "flood_it", "@0,3"),
    ],
)
def test_colours_without_a_button_tell_the_game_and_where_its_players_start(
    text: str, barred: tuple[int, ...], name: str, start: str
) -> None:
    state = FILLER.parse(text, Options(colours=6))
    told = told_by_controls(*found(FILLER, state, *barred))
    assert told is not None
    game, position = told
    assert game.name == name
    places = [(position.start,)] if name == "flood_it" else [position.starts]
    assert " ".join(f"@{row},{col}" for row, col in places[0]) in (start, " ".join(reversed(start.split())))


@pytest.mark.parametrize(
    ("game", "options", "name"),
    [
        (FILLER, Options(rows=7, cols=8, colours=6), "filler"),
        (FILLER, Options(rows=7, cols=8, colours=6, variant="uniform"), None),
        (FILLER, Options(rows=4, cols=4, colours=10), None),
        (FLOOD_IT, Options(rows=7, cols=8, colours=6), None),
    ],
)
def test_a_board_that_was_dealt_without_like_neighbours_is_likely_to_be_one_for_two(
    game: Any, options: Options, name: str | None
) -> None:
    guess = first_guess(*found(game, game.deal(np.random.default_rng(6), options)))
    assert (guess and guess[0].name) == name


@pytest.mark.parametrize("barred", [(), (1,), (1, 3), (0, 4, 2)])
def test_buttons_that_fit_no_start_tell_nothing(barred: tuple[int, ...]) -> None:
    state = FILLER.parse("0312/1203/2031/0124 1", Options(colours=6))
    assert told_by_controls(*found(FILLER, state, *barred)) is None


def test_a_board_taken_for_one_for_two_on_which_nobody_answers_is_played_on_alone(tmp_path: Path) -> None:
    state = FLOOD_IT.deal(np.random.default_rng(4), Options(rows=6, cols=7, colours=5))
    clock, lines = FakeClock(), list[str]()
    screen = DrawnScreen(FLOOD_IT, state, clock=clock)
    write_calibration(tmp_path / "taken.toml", replace(screen.calibration(), game="filler", how="colour"))
    settings = Settings(calibration=str(tmp_path / "taken.toml"), runs=str(tmp_path / "runs"), answer=20.0)
    announce = Terminal(colours=False).announce
    (played,) = play_games(screen, screen.pointer, settings, about={}, say=lines.append, announce=announce, clock=clock)
    assert any(line.startswith("found Filler, or less likely Flood-It") for line in lines)
    assert "this is Flood-It: going on" in lines
    assert played.result.cause == "won"


def test_cells_that_breathe_tell_the_game_and_where_its_players_start() -> None:
    grid = [[0, 1, 2, 0], [1, 2, 0, 1], [2, 0, 1, 2], [0, 1, 2, 1]]
    lattice = Lattice(Pixel(10, 10), (20, 20), 4, 4)
    board = Calibration(FLOOD_IT.name, lattice, ((255, 0, 0), (0, 255, 0), (0, 0, 255)), (100, 100))
    shown = Observation.certain(grid)
    told = first_guess(board, shown, {Cell(3, 0)})
    assert told is not None
    assert (told[0].name, told[1].start) == ("flood_it", Cell(3, 0))
    told = first_guess(board, shown, {Cell(3, 0), Cell(0, 3)})
    assert told is not None
    assert told[0].name == "filler"


def test_a_colour_that_only_cells_on_their_way_show_is_none_of_the_boards() -> None:
    lattice, buttons = Lattice(Pixel(10, 10), (20, 20), 2, 2), {"colour:0": Pixel(5, 90), "colour:2": Pixel(25, 90)}
    palette = ((255, 0, 0), (255, 128, 128), (0, 0, 255))
    board = Calibration("flood_it", lattice, palette, (100, 100), buttons, frozenset({"colour:1"}))
    passing = passing_kinds(board, np.array([[1, 0], [2, 0]], dtype=np.int8), {Cell(0, 0)})
    assert passing == {1}
    left = without_kinds(board, passing)
    assert left.palette == (palette[0], palette[2])
    assert left.controls == {"colour:0": Pixel(5, 90), "colour:1": Pixel(25, 90)}
    assert not left.disabled
    assert not passing_kinds(board, np.array([[1, 0], [2, 1]], dtype=np.int8), {Cell(0, 0)})
    owned = replace(board, palette=((255, 0, 0), (240, 130, 40), (0, 0, 255)))
    grid = np.array([[1, 0], [2, 0]], dtype=np.int8)
    assert not passing_kinds(owned, grid, {Cell(0, 0)})
    looks = [np.full((2, 2, 3), colour, dtype=np.float32) for colour in ((200, 120, 50), (250, 130, 30))]
    assert as_vivid(owned, grid, {Cell(0, 0), Cell(0, 1)}, looks).palette == ((255, 0, 0), (250, 130, 30), (0, 0, 255))
