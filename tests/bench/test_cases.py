"""The bench of special cases finds those that something needs, and those that nothing does."""

from __future__ import annotations

import ast
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from bench.vision.cases import HOOK, CaseFinder, CaseImporter, CaseLoader, Switchboard, put_back, sight, within

SOURCE = """
def told(numbers: list | tuple):
    if len(numbers) > 3:
        numbers = numbers[:3]
    big = (numbers > 2) & (numbers != 7)
    big &= numbers < 9
    kinds = {1} | {2}
    return "all" if big.all() and len(kinds) == 2 else sum(int(n) for n in numbers if n > 0)
"""


@pytest.fixture
def board() -> Switchboard:
    return Switchboard()


@pytest.fixture
def told(board: Switchboard) -> Callable[[Any], Any]:
    space: dict[str, Any] = {HOOK: board}
    exec(compile(CaseFinder(board.cases, SOURCE, "told.py").visit(ast.parse(SOURCE)), "told.py", "exec"), space)
    return lambda *numbers: space["told"](np.array(numbers))


def number_of(board: Switchboard, text: str, *, neutral: bool) -> int:
    (number,) = [k for k, case in enumerate(board.cases) if (case.text, case.neutral) == (text, neutral)]
    return number


def test_with_all_cases_in_nothing_is_changed(told: Callable[[Any], Any]) -> None:
    assert told(3, 4) == "all"
    assert told(3, 7) == 10
    assert told(-1, 2) == 2
    assert told(5, 4, 3, 100) == "all"


def test_a_case_that_is_out_never_holds(board: Switchboard, told: Callable[[Any], Any]) -> None:
    for text, neutral, numbers, answer in (
        ("numbers != 7", True, (3, 7), "all"),
        ("numbers < 9", True, (3, 12), "all"),
        ("n > 0", True, (-1, 2), 1),
        ("big.all()", True, (1,), "all"),
        ("len(numbers) > 3", False, (1, 1, 1, 1), 4),
    ):
        before = told(*numbers)
        board.out = frozenset({number_of(board, text, neutral=neutral)})
        assert told(*numbers) == answer != before
        board.out = frozenset()


def test_sets_are_joined_as_ever(board: Switchboard, told: Callable[[Any], Any]) -> None:
    board.out = frozenset(k for k, case in enumerate(board.cases) if case.text in ("{1}", "{2}"))
    assert len(board.out) == 2
    assert told(3) == "all"


def test_what_something_needs_is_put_back_and_the_rest_stays_out(
    board: Switchboard, told: Callable[[Any], Any]
) -> None:
    def work() -> int:
        return int(told(3, 7) == 10 and told(5, 4, 3, 100) == "all")

    out = list(range(len(board.cases)))
    seen = sight(board, work)
    assert number_of(board, "numbers != 7", neutral=True) in seen.taken
    assert number_of(board, "n > 0", neutral=True) not in seen.taken
    needed = {board.cases[number].text for number in put_back(board, work, seen, out)}
    assert {"numbers != 7", "len(numbers) > 3"} <= needed
    assert "n > 0" not in needed
    assert needed.isdisjoint(board.cases[number].text for number in out if number in seen.taken)


def test_what_breaks_or_never_ends_is_worse_than_any_answer() -> None:
    def endless() -> int:
        while True:
            time.time()

    assert within(5.0, lambda: 3) == 3
    assert within(5.0, lambda: 1 // 0) == -1
    assert within(0.05, endless) == -1


def test_modules_of_the_room_are_compiled_with_their_cases(board: Switchboard) -> None:
    importer = CaseImporter(board, "calibration/samples")
    assert importer.find_spec("games") is None
    for name in ("calibration.samples", "calibration.palette"):
        spec = importer.find_spec(name, ["calibration"])
        assert spec is not None
        assert isinstance(spec.loader, CaseLoader)
        spec.loader.get_code(name)
    assert {case.place.split(":")[0] for case in board.cases} == {"calibration/samples.py"}
