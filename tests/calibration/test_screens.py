"""Every screenshot among the fixtures is found and read as its truth says, whether or not its game is named."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import pytest

from bench.pictures.judge import judge
from bot.storage.pictures import load_frame
from calibration.answer import described
from calibration.locate import locate
from games import GAMES

FIXTURES = Path(__file__).parents[2] / "fixtures"
SCREENS = sorted((FIXTURES / "screens").rglob("*.json"))
SOURCES = dict(re.findall(r"^\| (screens/\S+) \|.*\| ([0-9a-f]{64}) \|$", (FIXTURES / "SOURCES.md").read_text(), re.M))


@pytest.mark.parametrize("named", [True, False], ids=["named", "unnamed"])
@pytest.mark.parametrize("truth", SCREENS, ids=[f"{path.parent.name}-{path.stem}" for path in SCREENS])
def test_a_screen_is_found_and_read_as_its_truth_says(truth: Path, named: bool) -> None:
    facts = json.loads(truth.read_text())
    frame = load_frame(truth.with_suffix(".png"))
    stage, why = judge(facts, described(frame, locate(frame, facts["game"] if named else None)))
    assert stage == 3, why


def test_every_screen_stands_in_the_sources_with_its_sum() -> None:
    sums = {
        str(path.relative_to(FIXTURES)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in (FIXTURES / "screens").rglob("*.png")
    }
    assert sums == SOURCES


def test_every_game_has_two_screens_or_more() -> None:
    folders = [path.parent.name for path in SCREENS]
    assert {game for game in folders if folders.count(game) >= 2} >= {
        "flood_it",
        "filler",
        "connect_four",
        "blokus",
        "quoridor",
    }
    assert set(folders) <= set(GAMES)
