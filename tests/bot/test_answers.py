"""What is done for a move of ours that nobody answers."""

from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import numpy as np

from bot.play.answers import Answers
from bot.play.seen import BoardLostError
from bot.settings import Settings


def test_a_move_whose_button_may_not_be_pressed_any_more_is_final_and_no_other_button_is_tried() -> None:
    pressed: list[str] = []
    executor = MagicMock()
    executor.further.return_value = ["colour+twice"]
    executor.observer.read.return_value.frame.pixels = np.zeros((8, 8, 3), np.uint8)
    executor.stages.by_buttons.return_value = iter(["colour+confirm"])
    executor.go_on = lambda before, move, how, way: pressed.append(way)

    def insist(act: Any) -> None:
        act()
        raise BoardLostError("nothing can be pressed here: the control colour:2 has another colour than it had")

    monitor = MagicMock(hidden=0.0)
    monitor.change.return_value = None
    maker = SimpleNamespace(executor=executor, monitor=monitor, insist=insist)
    belief = SimpleNamespace(world=SimpleNamespace(positions=()))
    answers = Answers(maker, belief, Settings(), MagicMock())  # type: ignore[arg-type]
    made = object(), 2, "colour"
    assert answers.to(made, frozenset()) is None
    assert answers.by_buttons(made, frozenset()) is None
    assert pressed == ["colour+twice"]


def test_of_a_move_that_is_asked_about_again_buttons_alone_are_left_to_try() -> None:
    executor, monitor = MagicMock(), MagicMock(hidden=0.0)
    executor.further.return_value = []
    executor.stages.by_buttons.side_effect = lambda how, gestures: iter(["colour+confirm"])
    monitor.change.return_value = None
    belief = SimpleNamespace(world=SimpleNamespace(positions=()), explained=lambda observation, before: None)
    maker = SimpleNamespace(executor=executor, monitor=monitor, insist=lambda act: act())
    answers = Answers(maker, belief, Settings(), MagicMock())  # type: ignore[arg-type]
    made = object(), 2, "colour"
    executor.observer.read.return_value.frame.pixels = np.zeros((8, 8, 3), np.uint8)
    answers.to(made, frozenset())
    assert answers.tried == []
    answers.to(made, frozenset())
    assert answers.tried == ["colour+confirm"]
