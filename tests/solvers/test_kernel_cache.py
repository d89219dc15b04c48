"""The compiled code is kept from one process to the next, and its making is announced."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SOLVE = "from games.flood_it import GAME; from solvers.flood_it import Greedy; Greedy().decide(GAME.parse('01/10'))"


@pytest.mark.slow
def test_only_the_first_process_compiles_and_it_says_so_once(tmp_path: Path) -> None:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    said = [
        subprocess.run([sys.executable, "-c", SOLVE], env=environment, capture_output=True, text=True, check=True)
        for _ in range(2)
    ]
    assert said[0].stderr.count("compiling the solvers, once") == 1
    assert said[1].stderr == ""
    assert [folder.name.startswith("kernels-") for folder in tmp_path.iterdir()] == [True]
