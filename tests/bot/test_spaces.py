"""Pixels, spots and cells are told apart by the type checker: a swapped one never reaches a screen."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

PROGRAM = """
from bot.ports import Pointer, Screen
from calibration.board import Calibration
from calibration.frame import Box, Frame, Pixel, Rect, Spot
from games.core import Cell


def play(screen: Screen, pointer: Pointer, calibration: Calibration, frame: Frame, cell: Cell) -> None:
    pixel = calibration.lattice.centre(cell)
    spot = frame.spot(pixel)
    pointer.tap(spot)
    pointer.drag(spot, frame.spot(calibration.find("colour:1")))
    screen.grab(frame.rect(Box(0, 0, 5, 5)))
    calibration.lattice.cell(frame.pixel(spot))
    pointer.tap(pixel)  # wrong
    pointer.tap(cell)  # wrong
    pointer.tap((3, 4))  # wrong
    pointer.move(calibration.find(cell))  # wrong
    pointer.drag(pixel, spot)  # wrong
    frame.spot(spot)  # wrong
    frame.spot(cell)  # wrong
    frame.pixel(pixel)  # wrong
    calibration.lattice.centre(pixel)  # wrong
    calibration.lattice.cell(spot)  # wrong
    calibration.find(pixel)  # wrong
    screen.grab(Box(0, 0, 5, 5))  # wrong
    Rect(0, 0, 5, 5).contains(pixel)  # wrong
    frame.rect(Rect(0, 0, 5, 5))  # wrong
"""


@pytest.mark.slow
def test_a_pixel_a_spot_and_a_cell_are_rejected_where_another_is_due(tmp_path):
    program = tmp_path / "swapped.py"
    program.write_text(PROGRAM)
    command = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"), str(program)]
    environment = {**os.environ, "MYPYPATH": str(ROOT)}
    answer = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False).stdout
    rejected = {int(line) for line in re.findall(r"swapped\.py:(\d+): error: (?:Argument|No overload)", answer)}
    wrong = {number for number, line in enumerate(PROGRAM.splitlines(), 1) if line.endswith("# wrong")}
    assert rejected == wrong, answer
    assert answer.count("error:") == len(wrong), answer
