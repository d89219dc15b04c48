"""`boardsight estimate` and `boardsight analyse`."""

import json

import numpy as np
import pytest
from PIL import Image

from bot.cli import main
from games.blokus import GAME
from games.blokus.records import format_record
from games.core import Options
from games.perft import perft
from solvers.tree_size import sample_tree_sizes, tree_sizes


def corners(side):
    return GAME.parse("", Options(side, side, variant="corners"))


@pytest.mark.parametrize("sample", [sample_tree_sizes, lambda *args: tree_sizes("blokus", *args)])
def test_random_paths_estimate_the_size_of_a_tree_that_can_be_counted(sample):
    state = corners(3)
    nodes = sum(perft(state, depth) for depth in range(20))
    sizes = sample(state, 4000, 1)
    assert sizes.mean() == pytest.approx(nodes, abs=5 * sizes.std() / np.sqrt(len(sizes)))


def test_the_estimate_is_printed_and_drawn(tmp_path, capsys):
    picture = tmp_path / "tree.png"
    words = ["estimate", "--game", "blokus", "--size", "10x10", "--variant", "corners", "--samples", "500"]
    assert main([*words, "--json", "--png", str(picture)]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert 1e15 < answer["nodes"] < 1e45
    assert answer["quantiles"]["0.05"] <= answer["quantiles"]["0.95"]
    with Image.open(picture) as drawn:
        assert len(drawn.getcolors(1 << 16)) > 3
    assert main(words) == 0
    assert "nodes (standard error" in capsys.readouterr().out
    assert main([*words[:-1], "0"]) == 2


def test_a_record_is_analysed_move_by_move(tmp_path, capsys):
    state = GAME.parse("e10 j5 d11,c12,d12 k4,l3,k3")
    path = tmp_path / "game.blksgf"
    path.write_text(format_record(state))
    assert main(["analyse", str(path), "--solver", "heuristic:order=size", "--json-lines"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["played"] for row in rows] == GAME.format(state).split()
    assert rows[0]["place"] == 414
    assert all(row["best_score"] == 5 for row in rows)
    assert main(["analyse", str(path), "--nodes", "50"]) == 0
    assert main(["analyse", str(tmp_path / "missing.blksgf")]) == 2
