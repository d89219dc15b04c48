"""What the tests of the ways to learn ask of each."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from solvers.learned.card import Card, read_card
from solvers.learned.player import check_model
from solvers.training.run import Plan, TrainingRun


@pytest.fixture
def checkpoint_card(tmp_path: Path) -> Callable[..., Card]:
    """checkpoint_card(method, folder, plan, settings): the card of the player that a run's last checkpoint leaves."""

    def leave(method: Any, folder: Path, plan: Plan, settings: Any) -> Card:
        out = tmp_path / "of the checkpoint"
        out.mkdir()
        method.leave(TrainingRun(folder, plan, resume=True, out=out), settings)
        check_model(str(out))
        return read_card(out / "model.toml")

    return leave
