import numpy as np
import pytest
from PIL import Image

from bot.ports import ScreenError
from bot.screens.folder import FolderScreen
from calibration.frame import Pixel, Rect, Spot


@pytest.fixture
def folder(tmp_path):
    for name, red in (("turn-10.png", 10), ("turn-2.PNG", 2), ("turn-1.png", 1)):
        Image.fromarray(np.full((30, 40, 3), (red, 0, 200), np.uint8)).save(tmp_path / name)
    (tmp_path / "journal.jsonl").write_text("{}")
    return tmp_path


def red(frame):
    return int(frame.pixels[0, 0, 0])


def test_pictures_come_in_the_order_of_their_numbers_and_stay_until_told_to_advance(folder):
    screen = FolderScreen(folder)
    seen = [red(screen.grab()), red(screen.grab())]
    screen.advance()
    seen.append(red(screen.grab()))
    screen.advance()
    seen.append(red(screen.grab()))
    assert seen == [1, 1, 2, 10]
    assert screen.picture.name == "turn-10.png"
    with pytest.raises(ScreenError, match=r"turn-10\.png was the last of 3"):
        screen.advance()


def test_without_hold_each_look_at_the_whole_screen_shows_the_next_picture(folder):
    screen = FolderScreen(folder, hold=False)
    assert red(screen.grab()) == 1
    assert red(screen.grab(Rect(0, 0, 5, 5))) == 1
    assert [red(screen.grab()), red(screen.grab())] == [2, 10]
    with pytest.raises(ScreenError, match="no more to see"):
        screen.grab()


def test_pictures_keep_the_place_and_scale_they_were_taken_at(folder):
    frame = FolderScreen(folder, origin=Spot(-100, 50), scale=2.0).grab()
    assert frame.region == Rect(-100, 50, 20, 15)
    assert frame.spot(Pixel(10, 10)) == Spot(-95, 55)


def test_a_single_picture_is_a_screen_too(folder):
    assert red(FolderScreen(folder / "turn-2.PNG").grab()) == 2


def test_what_is_no_picture_is_named(tmp_path):
    with pytest.raises(ScreenError, match="holds no picture"):
        FolderScreen(tmp_path)
    with pytest.raises(ScreenError, match="neither a folder nor a picture"):
        FolderScreen(tmp_path / "away")
    (tmp_path / "torn.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    with pytest.raises(ScreenError, match=r"torn\.png is no picture"):
        FolderScreen(tmp_path).grab()
