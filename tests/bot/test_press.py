"""What is pressed is looked at with the pointer on it: things that come with the pointer are pressed by nobody."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from bot.play.aim import Aiming, WithheldError
from bot.play.executor import Executor
from bot.play.expected import Expected
from bot.play.faces import is_signed
from bot.play.observer import Observer
from bot.play.seen import BoardLostError
from bot.play.series import play_games
from bot.play.terminal import Terminal
from bot.pointers.dry_run import DryRunPointer
from bot.pointers.guard import GuardedPointer
from bot.ports import FakeClock
from bot.screens.drawn.desktop import find_skin
from bot.screens.drawn.screen import DrawnPointer, DrawnScreen
from bot.settings import Settings
from calibration.frame import Frame, Pixels, Rect, Spot
from calibration.targets import target_patch
from calibration.unchanged import slices_of
from games import find_game
from games.core import Cell, Drag, Options, Tap

Play = Callable[..., Any]
Answer = Callable[["AnsweringScreen", Spot], None]


class AnsweringPointer(DrawnPointer):
    """A hand that the page hears of when it moves."""

    def move(self, spot: Spot) -> None:
        super().move(spot)
        self._screen.arrived(spot)  # type: ignore[attr-defined]


class AnsweringScreen(DrawnScreen):
    """A page on which `answer` happens when the pointer arrives somewhere; `paint` is called for each picture."""

    answer: Answer = staticmethod(lambda screen, spot: None)
    paint: Callable[[AnsweringScreen, Pixels], None] = staticmethod(lambda screen, picture: None)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.pointer = AnsweringPointer(self)
        self.arrivals = 0

    def arrived(self, spot: Spot) -> None:
        self.arrivals += 1
        self.answer(self, spot)

    def under(self, spot: Spot) -> Any:
        """What lies there: a cell, a control's name, None."""
        return None if self.layout is None else self.layout.target(spot)

    def _whole_picture(self) -> Pixels:
        picture = super()._whole_picture().copy()
        type(self).paint(self, picture)
        return picture


def page(answer: Answer | None = None, paint: Callable[[AnsweringScreen, Pixels], None] | None = None) -> Any:
    """A kind of screen on which that happens."""
    told = {name: staticmethod(act) for name, act in (("answer", answer), ("paint", paint)) if act is not None}
    return type("Page", (AnsweringScreen,), told)


def places(played: Any) -> set[str]:
    return {click.place for click in played.screen.clicks}


SETTINGS = Settings(solver="greedy", lost=4.0, max_moves=4)


def around(spot: Spot, width: float = 70, height: float = 40) -> Rect:
    return Rect(spot.x - width / 2, spot.y - height / 2, width, height)


def pops_up(*, times: int, kinds: tuple[type, ...] = (str,)) -> Answer:
    """A window opens under the pointer where it comes to a control or a cell, and closes where it leaves."""
    left = [times]

    def answer(screen: AnsweringScreen, spot: Spot) -> None:
        screen.uncover()
        if left[0] > 0 and isinstance(screen.under(spot), kinds):
            left[0] -= 1
            screen.cover(around(spot), title="Buy now")

    return answer


@pytest.mark.parametrize("skin", ["classic", "cells"])
def test_a_window_that_opens_once_under_the_pointer_is_not_pressed(play_drawn: Play, tmp_path: Path, skin: str) -> None:
    kinds = (str,) if skin == "classic" else (tuple,)
    played = play_drawn(tmp_path, settings=SETTINGS, drawn=page(pops_up(times=2, kinds=kinds)), skin=skin)
    assert (played.error, played.result.cause, played.result.retries) == (None, "asked", 0)
    assert places(played) == ({"control"} if skin == "classic" else {"cell"})
    assert any("a press was not made" in note["text"] for _, note in played.run.notes)


@pytest.mark.parametrize("skin", ["classic", "cells"])
def test_a_window_that_opens_under_the_pointer_each_time_stops_the_run_by_name(
    play_drawn: Play, tmp_path: Path, skin: str
) -> None:
    kinds = (str,) if skin == "classic" else (tuple,)
    played = play_drawn(tmp_path, settings=SETTINGS, drawn=page(pops_up(times=10**6, kinds=kinds)), skin=skin)
    assert isinstance(played.error, BoardLostError)
    assert "nothing can be pressed here: " in str(played.error)
    assert played.screen.clicks == []


def test_a_window_that_opens_while_the_pictures_are_compared_is_not_pressed(play_drawn: Play, tmp_path: Path) -> None:
    class Busy(AnsweringScreen):
        """Where a picture is had long after it was taken, and a page repaints late."""

        def answer(self, screen: Any, spot: Spot) -> None:
            self.uncover()
            if isinstance(self.under(spot), str):
                self.after(0.1, lambda late: late.cover(around(spot), title="Buy now"))

        def grab(self, region: Rect | None = None) -> Frame:
            frame = super().grab(region)
            self.clock.sleep(0.2)
            return frame

    played = play_drawn(tmp_path, settings=SETTINGS, drawn=Busy)
    assert isinstance(played.error, BoardLostError)
    assert played.screen.clicks == []


@pytest.mark.parametrize("name", ["connect_four", "quoridor"])
def test_a_window_under_the_pointer_over_a_column_or_a_cell_is_not_pressed(
    play_drawn: Play, tmp_path: Path, name: str
) -> None:
    game = find_game(name)
    start = game.deal(np.random.default_rng(4), Options(rows=5, cols=5) if name == "quoridor" else Options())
    settings = Settings(solver="random:seed=7", lost=4.0, max_moves=3)
    drawn = page(pops_up(times=3, kinds=(tuple, str)))
    rival = {"rival": lambda state: state.legal_moves()[0]}
    played = play_drawn(tmp_path, start, game=game, settings=settings, drawn=drawn, **rival)
    assert (played.error, played.result.cause) == (None, "asked")
    assert "cover" not in places(played)


def test_a_window_smaller_than_a_cell_over_a_groove_is_not_pressed(play_drawn: Play, tmp_path: Path) -> None:
    opened: list[str] = []

    def answer(screen: AnsweringScreen, spot: Spot) -> None:
        screen.uncover()
        if str(screen.under(spot)).startswith("wall:") and len(opened) < 3:
            opened.append(screen.under(spot))
            screen.cover(around(spot, 36, 42), title="")

    game = find_game("quoridor")
    start = game.deal(np.random.default_rng(4), Options(rows=5, cols=5))
    settings = Settings(solver="random:seed=7", lost=4.0, max_moves=4)
    rival = {"rival": lambda state: state.legal_moves()[0]}
    played = play_drawn(tmp_path, start, game=game, settings=settings, drawn=page(answer), **rival)
    assert (played.error, played.result.cause) == (None, "asked")
    assert len(opened) == 3
    assert "cover" not in places(played)


def test_a_cell_of_which_half_lay_under_something_before_the_pointer_came_is_not_pressed(
    play_drawn: Play, tmp_path: Path
) -> None:
    """Something pale with no sign on it: the cell is read as empty."""

    def paint(screen: AnsweringScreen, picture: Pixels) -> None:
        if len(screen.clicks) == 1 and screen.arrivals < 9:
            for row, col in np.ndindex(5, 5):
                x, y, width, height = map(round, screen.layout.cell(Cell(row, col)))
                part = picture[y + 1 : y + height - 1, x + 1 : x + width // 2 + 3]
                part[:] = np.minimum(255, part.astype(int) + 40)

    game = find_game("quoridor")
    start = game.deal(np.random.default_rng(4), Options(rows=5, cols=5))
    settings = Settings(solver="alphabeta:depth=2", lost=4.0, max_moves=3)
    rival = {"rival": lambda state: state.legal_moves()[0]}
    played = play_drawn(tmp_path, start, game=game, settings=settings, drawn=page(paint=paint), **rival)
    assert (played.error, played.result.cause) == (None, "asked")
    assert [note["text"] for _, note in played.run.notes] == [
        "a press was not made: something covers a part of the place to press"
    ]
    assert played.screen.arrivals >= 9, "it was pressed while a part of it was covered"


def test_a_page_that_changes_its_scale_under_the_pointer_is_not_pressed_beside_its_buttons(
    play_drawn: Play, tmp_path: Path
) -> None:
    def grows(screen: AnsweringScreen, spot: Spot) -> None:
        if isinstance(screen.under(spot), str) and screen.arrivals < 6:
            screen.resize_window(24 if screen.arrivals % 2 else 34)

    played = play_drawn(tmp_path, settings=SETTINGS, drawn=page(grows))
    assert (played.error, played.result.cause) == (None, "asked")
    assert places(played) == {"control"}


def test_a_page_that_goes_elsewhere_under_the_pointer_is_not_pressed(play_drawn: Play, tmp_path: Path) -> None:
    def flees(screen: AnsweringScreen, spot: Spot) -> None:
        if isinstance(screen.under(spot), str) and screen.arrivals < 4:
            screen.move_window(60, 20)

    played = play_drawn(tmp_path, settings=SETTINGS, drawn=page(flees))
    assert (played.error, played.result.cause, played.result.retries) == (None, "asked", 0)
    assert places(played) == {"control"}


def signed(screen: AnsweringScreen, picture: Pixels, name: str, word: str, ink: int = 255) -> None:
    """Writes a word on a control."""
    assert screen.layout is not None
    part = picture[screen._desk(picture).slices(screen.layout.controls[name])]
    wide = cv2.getTextSize(word, cv2.FONT_HERSHEY_SIMPLEX, 0.5, 2)[0][0]
    sheet = np.ascontiguousarray(part)
    cv2.putText(sheet, word, ((part.shape[1] - wide) // 2, 25), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (ink, ink, ink), 2)
    part[:] = sheet


@pytest.mark.parametrize("hovered", [True, False])
def test_a_button_that_bears_another_sign_than_it_did_is_not_pressed(
    play_drawn: Play, tmp_path: Path, hovered: bool
) -> None:
    def turns(screen: AnsweringScreen, picture: Pixels) -> None:
        for name in screen.layout.controls if screen.layout is not None and screen.moves else ():
            if not hovered or screen.under(screen.pointer.position()) == name:
                signed(screen, picture, name, "$1")

    played = play_drawn(tmp_path, settings=SETTINGS, drawn=page(paint=turns))
    assert isinstance(played.error, BoardLostError)
    assert "bears another sign" in str(played.error)
    assert len(played.screen.clicks) == 1


def lit(part: Pixels) -> None:
    part[:] = part + (255 - part.astype(int)) * 0.2


def outlined(part: Pixels) -> None:
    for edge in (part[:3], part[-3:], part[:, :3], part[:, -3:]):
        edge[:] = (20, 20, 20)


def underlined(part: Pixels) -> None:
    part[-5:-3] = (20, 20, 20)


@pytest.mark.parametrize("change", [lit, outlined, underlined])
def test_a_button_that_is_marked_under_the_pointer_is_pressed(
    play_drawn: Play, tmp_path: Path, change: Callable[[Pixels], None]
) -> None:
    def marks(screen: AnsweringScreen, picture: Pixels) -> None:
        name = screen.under(screen.pointer.position())
        if isinstance(name, str) and screen.layout is not None:
            change(picture[screen._desk(picture).slices(screen.layout.controls[name])])

    played = play_drawn(tmp_path, settings=SETTINGS, drawn=page(paint=marks))
    assert (played.error, played.result.cause, played.result.retries) == (None, "asked", 0)
    assert not any("a press was not made" in note["text"] for _, note in played.run.notes)


def test_a_glow_that_pulses_round_the_board_keeps_nothing_from_being_pressed(play_drawn: Play, tmp_path: Path) -> None:
    pictures = count()

    def glows(screen: AnsweringScreen, picture: Pixels) -> None:
        if next(pictures) % 2 or screen.layout is None:
            return
        x, y, width, height = screen.layout.board
        for side in (Rect(x - 14, y - 14, width + 28, 10), Rect(x - 14, y + height + 4, width + 28, 10)):
            lit(picture[screen._desk(picture).slices(side)])
            picture[screen._desk(picture).slices(side)][..., 1:] //= 2

    played = play_drawn(tmp_path, settings=SETTINGS, drawn=page(paint=glows), skin="cells")
    assert (played.error, played.result.cause) == (None, "asked")


def test_buttons_that_change_places_are_pressed_where_they_are_now(play_drawn: Play, tmp_path: Path) -> None:
    class Shuffled(AnsweringScreen):
        def _arrange(self) -> None:
            super()._arrange()
            if self._layout is not None and len(self.moves) % 2:
                names, rects = [*self._layout.controls], [*self._layout.controls.values()]
                moved = dict(zip(names, rects[2:] + rects[:2], strict=True))
                self._layout = replace(self._layout, controls=moved)

        def _happen(self) -> None:
            super()._happen()
            self._arrange()

    played = play_drawn(tmp_path, settings=SETTINGS, drawn=Shuffled)
    assert (played.error, played.result.cause, played.result.retries) == (None, "asked", 0)
    assert [turn.outcome for turn in played.run.turns] == ["confirmed"] * 4


def test_a_press_without_effect_is_not_made_again_on_what_came_since(play_drawn: Play, tmp_path: Path) -> None:
    class Covered(AnsweringScreen):
        def _press(self, *args: Any, **options: Any) -> Any:
            pressed = super()._press(*args, **options)
            if len(self.clicks) == 1:
                self.after(0.3, lambda screen: screen.cover(around(self.pointer.position()), seconds=1.5))
            return pressed

    played = play_drawn(tmp_path, settings=SETTINGS, drawn=Covered, drops={0})
    assert (played.error, played.result.cause, played.result.retries) == (None, "asked", 1)
    assert places(played) == {"control"}


def ready(screen: DrawnScreen, name: str) -> Executor:
    """What makes moves on a drawn screen."""
    observer = Observer(screen, screen.clock, name, patience=1.0)
    if name == "blokus":
        observer.find()
    else:  # which controls there are no picture tells
        observer.adopt(screen.calibration(), screen.grab())
    executor = Executor(find_game(name), observer, GuardedPointer(screen.pointer), screen.clock)
    executor.adopt()
    return executor


def seen_with_a_piece() -> Observer:
    """What sees a drawn board of Blokus on which the first piece lies."""
    game = find_game("blokus")
    state = game.deal(np.random.default_rng(0), Options(variant="duo"))
    screen = DrawnScreen(game, state.play(state.legal_moves()[0]), clock=FakeClock())
    observer = Observer(screen, screen.clock, "blokus", patience=1.0)
    observer.find()
    return observer


def test_a_piece_that_was_only_shown_is_known_anew_on_a_board_of_squares() -> None:
    observer = seen_with_a_piece()
    (cell, *_) = (Cell(*place) for place in np.argwhere(observer.read().observation.grid == 1).tolist())
    palette = observer.calibration.palette
    observer.amend(replace(observer.calibration, palette=(*palette[:1], (250, 240, 230))))  # as it was shown at first
    observer.relearn(1, cell)
    assert np.abs(np.subtract(observer.calibration.palette[1], palette[1])).max() <= 2
    assert observer.read().observation.grid[cell] == 1


def test_no_colour_lacks_a_button_where_presses_on_cells_make_moves() -> None:
    game = find_game("filler")
    state = game.deal(np.random.default_rng(1), Options(rows=6, cols=6, colours=6))
    executor = ready(DrawnScreen(game, state, clock=FakeClock()), "filler")
    first, *_, move = state.legal_moves()
    seen = executor.observer.calibration
    some = {name: at for name, at in seen.controls.items() if name != f"colour:{move}"}
    executor.observer.amend(replace(seen, controls=some))
    assert executor.lacks_button(state, move)
    executor.worked(state, first, "colour", 0)  # by its button
    assert executor.lacks_button(state, move)
    executor.worked(state, move, "colour", 0)  # on a cell
    assert not executor.lacks_button(state, move)


def test_a_colour_that_was_met_while_it_faded_in_is_its_players_for_good() -> None:
    observer = seen_with_a_piece()
    bare, final = (np.array(colour) for colour in observer.calibration.palette)
    faint = (bare + 0.7 * (final - bare)).round().astype(int).tolist()
    observer.amend(replace(observer.calibration, palette=(tuple(bare), tuple(faint))))
    observer.learn(observer.read())
    assert set(np.unique(observer.read().observation.grid)) == {0, 1}
    assert observer.calibration.marked == {2}


@pytest.mark.parametrize("moves", ["34", "43"])
def test_pieces_that_show_first_in_one_picture_are_numbered_by_who_laid_them(moves: str) -> None:
    game = find_game("connect_four")
    screen = DrawnScreen(game, game.deal(np.random.default_rng(1), Options()), clock=FakeClock())
    observer = Observer(screen, screen.clock, "connect_four", patience=1.0)
    observer.find()
    state = game.parse(moves)
    screen.deal(state)
    observer.learn(observer.read(), game.show(state).grid)
    assert (observer.read().observation.grid == game.show(state).grid).all()


def test_a_column_whose_face_is_lit_between_its_holes_under_the_pointer_is_pressed() -> None:
    game = find_game("connect_four")
    state = game.deal(np.random.default_rng(1), Options())

    def lights(screen: AnsweringScreen, picture: Pixels) -> None:
        cell = screen.under(screen.pointer.position())
        if isinstance(cell, Cell):
            column = screen.calibration().lattice.part(0, cell.col, 6, 1)
            lit(picture[slices_of(column.box)])

    screen = page(paint=lights)(game, state, clock=FakeClock())
    executor = ready(screen, "connect_four")
    known = executor.observer.calibration
    across, down = known.lattice.pitch
    executor.observer.amend(replace(known, lattice=replace(known.lattice, gap=(across / 4, down / 4))))
    executor.adopt()
    move = state.legal_moves()[2]
    executor.make(state, move, executor.ways(state, move)[0], 0)
    assert len(screen.clicks) == 1


@pytest.mark.parametrize("end", ["start", "end"])
def test_neither_end_of_a_drag_may_be_covered(end: str) -> None:
    game = find_game("blokus")
    state = game.deal(np.random.default_rng(1), Options())
    move = state.legal_moves()[0]
    drag = next(each for each in game.gestures(state, move, "drag") if isinstance(each, Drag))

    def opens(screen: AnsweringScreen, spot: Spot) -> None:
        screen.uncover()
        if screen.under(spot) == (drag.start if end == "start" else drag.end):
            screen.cover(around(spot, 160, 90))

    screen = page(opens)(game, state, clock=FakeClock(), how="drag")
    with pytest.raises(WithheldError):
        ready(screen, "blokus").make(state, move, "drag", 0)
    assert screen.clicks == []


def test_a_piece_is_not_taken_from_a_tray_that_something_opens_over() -> None:
    game = find_game("blokus")
    state = game.deal(np.random.default_rng(1), Options())
    screen = page(pops_up(times=9))(game, state, clock=FakeClock())
    with pytest.raises(WithheldError, match="piece:1"):
        ready(screen, "blokus").make(state, state.legal_moves()[0], "tray", 0)
    assert screen.clicks == []


@pytest.mark.parametrize("times", [0, 1])
def test_what_begins_another_game_is_pressed_only_where_nothing_opens_over_it(times: int) -> None:
    game = find_game("filler")
    state = game.deal(np.random.default_rng(1), Options(rows=6, cols=6, colours=5))
    screen = page(pops_up(times=times))(game, state, clock=FakeClock(), how="colour+confirm")
    executor = ready(screen, "filler")
    if times:
        with pytest.raises(WithheldError, match="confirm"):
            executor.act(Tap("confirm"))
    else:
        executor.act(Tap("confirm"))
    assert len(screen.clicks) == 1 - times


def test_a_control_of_a_number_without_end_is_no_colour_of_the_board() -> None:
    game = find_game("flood_it")
    state = game.deal(np.random.default_rng(1), Options(rows=6, cols=6, colours=5))
    screen = DrawnScreen(game, state, clock=FakeClock())
    known = screen.calibration()
    observer = Observer(screen, screen.clock, "flood_it")
    name = "colour:" + "9" * 5000
    observer.adopt(known, screen.grab())
    known.controls[name] = known.controls["colour:0"]  # type: ignore[index]
    executor = ready(screen, "flood_it")
    executor.observer.amend(known)
    executor.act(Tap(name))
    assert [click.target for click in screen.clicks] == ["colour:0"]


def test_a_button_first_seen_with_a_letter_round_its_middle_that_others_lacked_is_not_pressed() -> None:
    def writes(screen: AnsweringScreen, picture: Pixels) -> None:
        for name in screen.layout.controls if screen.layout is not None and screen.arrivals else ():
            part = picture[screen._desk(picture).slices(screen.layout.controls[name])]
            letter = np.ascontiguousarray(part)
            cv2.circle(letter, (part.shape[1] // 2, part.shape[0] // 2), 9, (255, 255, 255), 4)
            part[:] = letter

    game = find_game("flood_it")
    state = game.deal(np.random.default_rng(1), Options(colours=5))
    screen = page(paint=writes)(game, state, clock=FakeClock())
    executor = ready(screen, "flood_it")
    del executor.observer.patches["colour:0"]
    screen.arrived(Spot(0, 0))
    with pytest.raises(WithheldError, match="as most other colours do not"):
        executor.act(Tap("colour:0"))
    assert screen.clicks == []


def test_a_button_of_which_little_is_seen_beside_its_neighbour_is_no_letter() -> None:
    blank = np.full((60, 60, 3), 255, dtype=np.uint8)
    blank[10:50, 10:50] = (0, 200, 220)
    letter = blank.copy()
    cv2.circle(letter, (30, 30), 9, (255, 255, 255), 4)
    whole, part, inside = map(target_patch, (blank, np.ascontiguousarray(blank[20:41, 20:41]), letter))
    assert (part.bare, inside.bare, part.area < whole.area / 2 > inside.area) == (True, True, True)
    assert [is_signed(patch, [whole.area] * 3) for patch in (whole, part, inside)] == [False, False, True]


def test_a_word_at_the_edge_of_a_wide_button_is_no_sign_on_it() -> None:
    button = np.full((82, 82, 3), (213, 82, 82), dtype=np.uint8)
    worded, signed = button.copy(), button.copy()
    cv2.putText(worded, "ON", (-4, 70), cv2.FONT_HERSHEY_DUPLEX, 0.5, (255, 255, 255), 1, cv2.LINE_AA)
    cv2.putText(signed, "+", (30, 52), cv2.FONT_HERSHEY_DUPLEX, 1.0, (255, 255, 255), 2, cv2.LINE_AA)
    patches = [target_patch(each) for each in (button, worded, signed)]
    assert [patch.bare for patch in patches] == [True, False, False]
    assert [is_signed(patch, [patches[0].area] * 3) for patch in patches] == [False, False, True]


def test_nothing_is_pressed_outside_of_the_screen() -> None:
    game = find_game("flood_it")
    screen = DrawnScreen(game, game.deal(np.random.default_rng(1), Options(colours=5)), clock=FakeClock())
    executor = ready(screen, "flood_it")
    controls = executor.observer.calibration.controls
    above = controls["colour:0"]._replace(y=-2)  # the board was moved, and its buttons with it
    executor.observer.amend(replace(executor.observer.calibration, controls={**controls, "colour:0": above}))
    executor.adopt()
    with pytest.raises(WithheldError, match="outside of the screen"):
        executor.act(Tap("colour:0"))
    assert screen.clicks == []


def test_a_button_whose_place_another_has_taken_is_known_no_more() -> None:
    def fades(screen: AnsweringScreen, picture: Pixels) -> None:
        assert screen.layout is not None
        part = picture[screen._desk(picture).slices(screen.layout.controls["colour:0"])]
        part[:] = part * 0.2 + 0.8 * np.array(find_skin("classic").page)

    game = find_game("filler")
    state = game.parse("012345/123450/234501/345012 1", Options(colours=6))
    screen = page(paint=fades)(game, state, clock=FakeClock())
    observer = ready(screen, "filler").observer
    controls = observer.calibration.controls
    observer.amend(replace(observer.calibration, controls={**controls, "colour:0": controls["colour:3"]}))
    observer.find_controls()
    assert observer.calibration.controls.keys() == controls.keys() - {"colour:0"}


def test_a_move_shows_also_on_cells_that_have_been_taken_for_breathing_since() -> None:
    shown: list[Rect] = []

    def shows(screen: AnsweringScreen, picture: Pixels) -> None:
        for square in shown:
            lit(picture[screen._desk(picture).slices(square)])

    game = find_game("filler")
    screen = page(paint=shows)(
        game, game.parse("012345/123450/234501/345012 1", Options(colours=6)), clock=FakeClock(), skin="cells"
    )
    observer = ready(screen, "filler").observer
    aim, before = Aiming(observer, GuardedPointer(screen.pointer), FakeClock()), observer.read()
    aim.expect(before, Expected(frozenset({Cell(0, 0), Cell(1, 0)})))
    assert screen.layout is not None
    shown.append(screen.layout.square(Cell(1, 0)))
    observer.breathing = frozenset({Cell(0, 0), Cell(1, 0)})
    assert aim.shown(before) is True
    observer.breathing = frozenset({Cell(1, 0)})
    assert aim.shown(observer.read()) is False


def test_the_witness_looks_before_each_press_and_may_prevent_it() -> None:
    pointer, seen = DryRunPointer(), []
    guard = GuardedPointer(pointer)
    guard.allow([Rect(0, 0, 100, 100)])

    def witness(spot: Spot) -> None:
        seen.append(spot)
        if spot.x > 50:
            raise WithheldError("somebody stands there")

    guard.witness = witness
    guard.tap(Spot(10, 10))
    guard.confirmed()
    for press in (lambda: guard.tap(Spot(60, 10)), lambda: guard.drag(Spot(10, 10), Spot(60, 20))):
        with pytest.raises(WithheldError):
            press()
    guard.drag(Spot(20, 20), Spot(30, 30))
    assert [stroke.kind for stroke in pointer.strokes] == ["tap", "drag"]
    assert seen == [Spot(10, 10), Spot(60, 10), Spot(60, 20), Spot(30, 30), Spot(20, 20)]


class Restarting(AnsweringScreen):
    """A page with a place in its corner that deals the board of the next game, over which a window may open."""

    dealt = 0
    opened = 0

    def answer(self, screen: Any, spot: Spot) -> None:  # type: ignore[override]
        self.uncover()
        if self.corner.contains(spot) and self.opened:
            self.opened -= 1
            self.cover(around(spot))

    @property
    def corner(self) -> Rect:
        assert self.layout is not None
        return Rect(self.layout.window.x + 4, self.layout.window.y + self.layout.window.height - 40, 36, 36)

    def _press(self, *args: Any, **options: Any) -> Any:
        pressed = super()._press(*args, **options)
        if self.corner.contains(self.clicks[-1].spot) and self.clicks[-1].place == "window":
            self.dealt += 1
            self.moves.clear()
            self.deal(self.game.deal(np.random.default_rng(self.dealt), Options(rows=6, cols=6, colours=4, limit=30)))
        return pressed


@pytest.mark.parametrize("times", [2, 10**6])
def test_a_window_over_what_begins_another_game_is_waited_for_and_not_pressed(tmp_path: Path, times: int) -> None:
    game = find_game("flood_it")
    state = game.deal(np.random.default_rng(1), Options(rows=6, cols=6, colours=4, limit=30))
    screen = type("Page", (Restarting,), {"paint": staticmethod(lambda screen, picture: None)})(
        game, state, clock=FakeClock(), skin="cells"
    )
    screen.opened = times
    at = screen.corner.centre
    settings = Settings(game="flood_it", solver="greedy", games=2, runs=str(tmp_path), lost=4.0)
    settings = replace(settings, new_game=f"{at.x},{at.y}")
    announce = Terminal(colours=False).announce
    games = play_games(
        screen, screen.pointer, settings, about={}, say=lambda line: None, announce=announce, clock=screen.clock
    )
    if times == 2:
        assert len(list(games)) == 2
        assert screen.dealt == 1
    else:
        with pytest.raises(BoardLostError, match="no other game can be begun"):
            list(games)
        assert screen.dealt == 0
    assert "cover" not in {click.place for click in screen.clicks}
