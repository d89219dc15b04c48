import numpy as np
import pytest

from bot.ports import FakeClock, ScreenError
from bot.screens.drawn.desktop import SKINS
from bot.screens.drawn.screen import DESKTOP, DrawnScreen
from calibration.frame import Rect, Spot
from calibration.looks import reader_of
from games import GAMES, find_game
from games.core import BLOCKED, Cell, Options, SettingsError
from games.flood_it import GAME, FloodIt

SCALES = (1.0, 1.25, 1.5, 2.0)
LEFT_OF_IT = (DESKTOP, Rect(-1024, -200, 1024, 768))


SMALL = (Rect(0, 0, 640, 700),)
"""A monitor that is quickly painted."""


def drawn(*, options=Options(limit=25), monitors=SMALL, **arguments):
    state = GAME.deal(np.random.default_rng(3), options)
    return DrawnScreen(GAME, state, clock=FakeClock(), monitors=monitors, **arguments)


def read(screen):
    """The grid the picture shows, by an eye of its own: the nearest palette colour at each cell's centre."""
    layout, frame = screen.layout, screen.grab(screen.layout.window)
    palette = np.array(screen.calibration().palette, int)

    def kind(row, col):
        x, y = map(int, frame.pixel(layout.square(Cell(row, col)).centre))
        patch = frame.pixels[y - 1 : y + 2, x - 1 : x + 2].reshape(-1, 3).astype(int)
        return int(np.abs(palette - np.median(patch, axis=0)).sum(axis=1).argmin())

    return tuple(tuple(kind(row, col) for col in range(layout.cols)) for row in range(layout.rows))


def button(screen, colour):
    return screen.layout.controls[f"colour:{colour}"].centre


def centre(screen, row, col):
    return screen.layout.square(Cell(row, col)).centre


def other_colour(screen):
    return screen.state.legal_moves()[0]


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("skin", SKINS)
def test_the_picture_shows_the_position_in_every_skin_at_every_scale(skin, scale):
    screen = drawn(skin=skin, scale=scale, noise=4.0)
    assert read(screen) == screen.state.grid
    assert screen.grab().scale == (scale, scale)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("corner", [Spot(50, 60), Spot(-800, -150)])
def test_the_true_calibration_leads_from_pixels_to_every_cell_and_button_also_at_negative_origins(scale, corner):
    screen = drawn(scale=scale, monitors=LEFT_OF_IT, corner=corner, options=Options(rows=9, cols=13))
    calibration, whole = screen.calibration(), screen.grab()
    assert calibration.size == (whole.width, whole.height)
    cells = [Cell(row, col) for row in range(9) for col in range(13)]
    for target in (*cells, *calibration.controls):
        screen.pointer.tap(whole.spot(calibration.find(target)))
    assert [click.target for click in screen.clicks] == [*cells, *calibration.controls]
    assert [click.place for click in screen.clicks] == ["cell"] * len(cells) + ["control"] * 6
    assert screen.moves[-1] == 5


def test_where_there_are_buttons_a_cell_does_nothing():
    screen = drawn()
    move = other_colour(screen)
    row, col = next(zip(*np.nonzero(np.array(screen.state.grid) == move), strict=True))
    screen.pointer.tap(centre(screen, row, col))
    assert screen.moves == []


def test_without_buttons_any_cell_of_a_colour_plays_it():
    screen = drawn(skin="cells")
    assert screen.calibration().controls == {}
    move = other_colour(screen)
    row, col = list(zip(*np.nonzero(np.array(screen.state.grid) == move), strict=True))[-1]
    screen.pointer.tap(centre(screen, row, col))
    assert screen.moves == [move]


def test_a_grab_of_a_region_is_that_part_of_the_whole():
    screen = drawn(scale=1.25, monitors=LEFT_OF_IT)
    whole, part = screen.grab(), screen.grab(Rect(-10.3, 20.2, 100.5, 50.1))
    left, top = whole.pixel(Spot(part.region.x, part.region.y))
    assert (left, top) == (round(left), round(top))
    cut = whole.pixels[round(top) : round(top) + part.height, round(left) : round(left) + part.width]
    np.testing.assert_array_equal(part.pixels, cut)
    assert part.region.x <= -10.3
    assert part.region.x + part.region.width >= 90.2
    assert part.width <= 100.5 * 1.25 + 2
    assert part.scale == (1.25, 1.25)


def test_a_grab_may_be_written_on_without_touching_the_next_one():
    screen = drawn()
    first = screen.grab(screen.layout.board)
    kept = first.pixels.copy()
    first.pixels[:] = 0
    np.testing.assert_array_equal(screen.grab(screen.layout.board).pixels, kept)


def test_a_region_beyond_the_desktop_cannot_be_grabbed():
    with pytest.raises(ScreenError, match="lies outside"):
        drawn().grab(Rect(5000, 0, 10, 10))


def test_lag_keeps_the_move_from_the_game_and_the_picture_until_it_is_over():
    screen = drawn(lag=0.3)
    before = screen.state
    screen.pointer.tap(button(screen, other_colour(screen)))
    screen.clock.sleep(0.29)
    assert read(screen) == before.grid
    screen.clock.sleep(0.02)
    assert read(screen) == screen.state.grid != before.grid


def test_an_animation_repaints_the_cells_one_after_another():
    screen = drawn(animation=0.4)
    before = screen.grab().pixels
    move = other_colour(screen)
    changed = len(screen.state.flooded())
    screen.pointer.tap(button(screen, move))
    pictures = []
    for _ in range(4):
        pictures.append(screen.grab().pixels)
        screen.clock.sleep(0.11)
    pictures.append(screen.grab().pixels)
    board = screen.layout.board
    rows, cols = slice(int(board.y), int(board.y + board.height)), slice(int(board.x), int(board.x + board.width))
    np.testing.assert_array_equal(pictures[0][rows, cols], before[rows, cols])
    differing = [int((picture[rows, cols] != pictures[-1][rows, cols]).any(axis=2).sum()) for picture in pictures]
    assert changed >= 1
    assert differing == sorted(differing, reverse=True)
    assert differing[0] > differing[2] >= differing[-1] == 0
    assert read(screen) == screen.state.grid


def test_a_dropped_click_is_seen_by_nobody_and_the_next_one_works():
    screen = drawn(drops={0})
    move = other_colour(screen)
    screen.pointer.tap(button(screen, move))
    assert screen.moves == []
    assert [click.heard for click in screen.clicks] == [False]
    screen.pointer.tap(button(screen, move))
    assert screen.moves == [move]


def test_a_window_moved_after_a_move_is_read_and_clicked_in_its_new_place():
    screen = drawn(events={1: lambda screen: screen.move_window(-90, 12)})
    old = screen.calibration()
    screen.pointer.tap(button(screen, other_colour(screen)))
    new = screen.calibration()
    assert new.lattice.origin.x == old.lattice.origin.x - 90
    assert new.lattice.origin.y == old.lattice.origin.y + 12
    assert read(screen) == screen.state.grid
    screen.pointer.tap(Spot(*old.controls["colour:5"]))
    assert screen.clicks[-1].place == "window"


def test_a_resized_window_has_another_pitch():
    screen = drawn()
    screen.resize_window(23.5)
    assert screen.calibration().lattice.pitch == (23.5, 23.5)
    assert read(screen) == screen.state.grid


def test_a_window_in_front_takes_the_clicks_until_it_goes():
    screen = drawn()
    screen.cover(screen.layout.window, seconds=2.0)
    covered = screen.grab().pixels
    screen.pointer.tap(button(screen, other_colour(screen)))
    assert (screen.clicks[-1].place, screen.moves) == ("cover", [])
    screen.clock.sleep(2.0)
    assert read(screen) == screen.state.grid
    assert (screen.grab().pixels != covered).any()


def test_what_was_due_before_anybody_looked_happened_in_its_own_time():
    screen = drawn(lag=0.1, animation=0.4)
    screen.pointer.tap(button(screen, other_colour(screen)))
    screen.clock.sleep(0.51)
    settled = screen.grab(screen.layout.board).pixels
    screen.clock.sleep(1.0)
    np.testing.assert_array_equal(screen.grab(screen.layout.board).pixels, settled)
    screen.cover(screen.layout.board, seconds=1.0)
    screen.clock.sleep(0.9)
    assert (screen.grab(screen.layout.board).pixels != settled).any()
    screen.clock.sleep(0.1)
    np.testing.assert_array_equal(screen.grab(screen.layout.board).pixels, settled)


def test_a_window_partly_beyond_the_edge_of_the_desktop_is_cut_off_there():
    corner = Spot(-97.5, -33)
    cut, whole = (drawn(corner=corner, skin="glossy", monitors=monitors) for monitors in ((DESKTOP,), LEFT_OF_IT))
    seen = Rect(0, 0, 300, 500)
    np.testing.assert_array_equal(cut.grab(seen).pixels, whole.grab(seen).pixels)


def test_a_closed_window_leaves_the_desktop_and_comes_back_as_it_was():
    screen = drawn()
    before, spot = screen.grab().pixels, button(screen, other_colour(screen))
    screen.close_window()
    assert screen.layout is None
    screen.pointer.tap(spot)
    assert (screen.clicks[-1].place, screen.moves) == ("desktop", [])
    with pytest.raises(ScreenError, match="closed"):
        screen.calibration()
    screen.open_window()
    np.testing.assert_array_equal(screen.grab().pixels, before)


def test_a_gap_between_two_cells_is_the_board_but_no_cell():
    screen = drawn(skin="rounded")
    square = screen.layout.square(Cell(2, 3))
    screen.pointer.tap(Spot(square.x, square.centre.y))
    assert (screen.clicks[-1].place, screen.clicks[-1].target) == ("board", None)


def test_walls_show_the_page_and_cannot_be_hit():
    grid = ((0, 1, BLOCKED), (1, 0, 1), (BLOCKED, 1, 0))
    screen = DrawnScreen(GAME, FloodIt(grid, Cell(1, 1), 2), clock=FakeClock(), skin="cells")
    calibration = screen.calibration()
    assert calibration.blocked == {Cell(0, 2), Cell(2, 0)}
    assert calibration.start == Cell(1, 1)
    x, y = calibration.lattice.centre(Cell(0, 2))
    assert tuple(screen.grab().pixels[int(y), int(x)]) == SKINS["cells"].page


def test_two_runs_of_the_same_screen_are_the_same():
    def run():
        screen = drawn(lag=0.1, animation=0.2, noise=3.0)
        pictures = []
        for _ in range(3):
            screen.pointer.tap(button(screen, other_colour(screen)))
            screen.clock.sleep(0.17)
            pictures.append(screen.grab(screen.layout.board).pixels)
            screen.clock.sleep(1.0)
        return pictures, screen.moves, screen.clicks

    one, other = run(), run()
    np.testing.assert_array_equal(one[0], other[0])
    assert one[1:] == other[1:]


def test_a_game_is_played_to_its_end_and_then_hears_nothing_more():
    screen = drawn(options=Options(rows=4, cols=4, colours=3))
    for _ in range(16):  # each round of the three colours floods one ring of cells more
        for colour in screen.state.legal_moves():
            screen.pointer.tap(button(screen, colour))
    played = len(screen.moves)
    screen.pointer.tap(button(screen, 0))
    screen.pointer.tap(button(screen, 1))
    assert screen.state.outcome().winner == 0
    assert len(screen.moves) == played


@pytest.mark.parametrize("size", [(2, 2, 2), (64, 64, 10), (2, 64, 3), (31, 7, 10)])
def test_boards_of_every_size_fit_their_window_and_the_desktop(size):
    rows, cols, colours = size
    screen = drawn(options=Options(rows=rows, cols=cols, colours=colours), monitors=(DESKTOP,))
    window = screen.layout.window
    assert DESKTOP.contains(Spot(window.x, window.y))
    assert DESKTOP.contains(Spot(window.x + window.width, window.y + window.height))
    assert read(screen) == screen.state.grid
    assert len(screen.calibration().controls) == colours


@pytest.mark.parametrize("name", GAMES)
def test_every_game_with_a_look_is_shown_and_played_by_its_own_gestures(name):
    game, rng = find_game(name), np.random.default_rng(5)
    screen = DrawnScreen(game, game.deal(rng), clock=FakeClock())
    how = "controls" if "controls" in game.ways else screen.how
    while screen.state.outcome() is None and len(screen.moves) < 12:
        moves = screen.state.legal_moves()
        move = moves[rng.integers(len(moves))]
        expected = screen.state.play(move)
        frame, calibration = screen.grab(), screen.calibration()
        for tap in game.gestures(screen.state, move, how):
            column = isinstance(tap.target, str) and tap.target.startswith("column:")
            screen.pointer.tap(frame.spot(calibration.find(tap.alternatives[0] if column else tap.target)))
        assert screen.state == expected
        assert np.array_equal(reader_of(calibration).read(screen.grab()).grid, game.show(screen.state).grid)
    assert len(screen.moves) > 3  # a random game of Filler may end when nobody captures anything


def test_a_piece_follows_the_pointer_turns_by_keys_and_lies_only_where_it_may():
    game = find_game("blokus")
    screen = DrawnScreen(game, game.deal(np.random.default_rng(0)), clock=FakeClock())
    bare = screen.grab(screen.layout.board).pixels
    screen.pointer.tap(screen.layout.controls["piece:2,V3"].centre)
    screen.pointer.move(centre(screen, 4, 4))
    assert np.array_equal(screen.grab(screen.layout.board).pixels, bare)  # it is the other colour's
    screen.pointer.tap(screen.layout.controls["piece:1,V3"].centre)
    screen.pointer.move(centre(screen, 4, 4))
    ghosts = [screen.grab(screen.layout.board).pixels]
    for key in ("f", "r"):
        screen.pointer.press(key)
        ghosts.append(screen.grab(screen.layout.board).pixels)
    changed = [int((ghost != bare).any(axis=2).sum()) for ghost in ghosts]
    assert len(set(changed)) == 1
    assert changed[0] > 0
    assert not np.array_equal(ghosts[0], ghosts[1])
    screen.pointer.tap(centre(screen, 9, 9))
    assert screen.moves == []
    screen.pointer.tap(centre(screen, 4, 4))
    ((laid,),) = (screen.moves,)
    assert Cell(4, 4) in laid
    assert len(laid) == 3
    assert np.array_equal(screen.grab().pixels, screen.grab().pixels)


@pytest.mark.parametrize("how", ["tray", "keys"])
def test_a_window_in_front_of_the_game_hides_a_piece_in_hand(how: str) -> None:
    game = find_game("blokus")
    screen = DrawnScreen(game, game.deal(np.random.default_rng(0)), clock=FakeClock(), how=how)
    screen.pointer.move(centre(screen, 7, 7))
    screen.cover(screen.layout.board)
    covered = screen.grab(screen.layout.board).pixels
    screen.uncover()
    bare = screen.grab(screen.layout.board).pixels
    if how == "tray":
        screen.pointer.tap(screen.layout.controls["piece:1,V3"].centre)
        screen.pointer.move(centre(screen, 7, 7))
    else:
        screen.pointer.press("v")
    assert not np.array_equal(screen.grab(screen.layout.board).pixels, bare)
    screen.cover(screen.layout.board)
    assert np.array_equal(screen.grab(screen.layout.board).pixels, covered)


@pytest.mark.parametrize(
    ("place", "target"),
    [
        ((0, 0), Cell(0, 0)),
        ((16, 16), Cell(8, 8)),
        ((1, 4), "wall:h,0,2"),
        ((4, 1), "wall:v,2,0"),
        ((3, 16), "wall:h,1,7"),
        ((16, 3), "wall:v,7,1"),
        ((3, 3), "wall:h,1,1"),
    ],
)
def test_a_groove_is_the_wall_that_begins_there(place, target):
    game = find_game("quoridor")
    layout = DrawnScreen(game, game.parse(""), clock=FakeClock(), scale=1.5).layout
    assert layout.target(layout.place(*place).centre) == target
    assert layout.target(Spot(layout.board.x + 1, layout.board.y + 1)) is None


def test_a_rival_answers_in_its_time_and_only_then_may_the_hand_play_again():
    game = find_game("connect_four")
    screen = DrawnScreen(
        game,
        game.deal(np.random.default_rng(0)),
        clock=FakeClock(),
        monitors=SMALL,
        rival=lambda state: 6,
        thinking=0.5,
    )
    screen.pointer.tap(centre(screen, 0, 3))
    screen.pointer.tap(centre(screen, 0, 2))
    assert screen.moves == [3]
    screen.clock.sleep(0.5)
    screen.pointer.tap(centre(screen, 0, 2))
    assert screen.moves == [3, 6, 2]


def test_an_unknown_skin_is_refused_with_the_names_there_are():
    with pytest.raises(SettingsError, match="classic, rounded"):
        drawn(skin="paisley")
