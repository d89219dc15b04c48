"""A mouse that lies on the board at the start is put beside it: what follows it is no move."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from bot.compose import play_on
from bot.pointers.browser import BrowserPointer
from bot.runs.journal import open_run
from bot.screens.browser import BrowserScreen
from bot.settings import Settings
from games import find_game

pytestmark = pytest.mark.browser


def test_a_wall_that_only_follows_the_mouse_is_no_move(show: Callable[..., BrowserScreen], tmp_path: Path) -> None:
    screen = show("quoridor", seed=3, first="person", second="random")
    screen.page.locator("[data-state=playing]").wait_for()
    plain = screen.grab().pixels
    screen.page.mouse.move(520, 303)  # in a groove
    while (screen.grab().pixels == plain).all():
        pass
    settings = Settings(solver="random:seed=2", seat="first", max_moves=1, runs=str(tmp_path))
    _, folder = play_on(screen, BrowserPointer(screen), settings, name="browser", quiet=True)
    game = find_game("quoridor")
    assert open_run(folder).turns[0].state == game.format(game.deal(np.random.default_rng(0)))
