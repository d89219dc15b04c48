"""`boardsight train` and `boardsight models`: what they print and refuse."""

import json
import re
import shlex
import shutil
from dataclasses import replace

import pytest

from bench.solvers import learned
from bot.cli import main
from solvers.learned.card import read_card
from solvers.models import FOLDER, model_names
from solvers.training.methods import METHODS

TINY = (
    *("train", "--game", "connect_four", "--method", "supervised", "--budget", "20000", "--quiet"),
    *("--set", "teacher=games", "--set", "network=mlp", "--set", "layers=8", "--set", "outputs=value"),
    *("--set", "epochs=1"),
)


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "tiny"
    assert main([*TINY, "--out", str(folder)]) == 0
    return folder


def test_the_methods_are_listed_with_their_games_and_settings(capsys):
    assert main(["train", "--list"]) == 0
    said = capsys.readouterr().out
    for name, entry in METHODS.items():
        assert f"{name}: {entry.line}" in said
    assert "--set epochs=" in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["train"], "say --game and --method"),
        (["train", "--game", "connect_four", "--method", "magic"], "no method"),
        (["train", "--game", "connect_four", "--method", "supervised", "--set", "depth=3"], "no setting"),
        (["train", "--game", "connect_four", "--method", "supervised", "--budget", "0"], "at least 1"),
        (["models", "card", "nobody"], "no model is called"),
        (["models", "measure", "nobody", "random", "--games", "1"], "at least 2"),
        (["models", "measure", "nobody"], "name a solver"),
        (["models", "measure", "connect-four-mlp", "random", "--search", "second=1"], "no option 'second=1'"),
        (["models", "export", "nobody"], "holds no run"),
    ],
)
def test_what_cannot_be_done_is_refused_with_the_reason(words, said, capsys):
    assert main(words) == 2
    assert said in capsys.readouterr().err


def test_a_trained_player_is_verified_measured_and_shown(run_folder, capsys):
    assert main(["models", "verify", str(run_folder)]) == 0
    assert main(["models", "measure", str(run_folder), "random", "--games", "4"]) == 0
    capsys.readouterr()
    assert main(["models", "card", str(run_folder), "--json"]) == 0
    card = json.loads(capsys.readouterr().out)
    assert card["command"].startswith("boardsight train --game connect_four --method supervised")
    assert [figure["of"] for figure in card["figures"]] == [4, 2, 2]
    assert main(["models", "card", str(run_folder)]) == 0
    assert "random, moving first" in capsys.readouterr().out


def test_the_player_of_the_latest_checkpoint_is_made(run_folder, tmp_path, capsys):
    shutil.copytree(run_folder, tmp_path / "run")
    assert main(["models", "export", str(tmp_path / "run")]) == 0
    assert capsys.readouterr().out.strip() == str(tmp_path / "run" / "checkpoint" / "model.toml")
    assert (
        read_card(tmp_path / "run" / "checkpoint" / "model.toml").sha256 == read_card(run_folder / "model.toml").sha256
    )
    (tmp_path / "run" / "checkpoint.pt").unlink()
    assert main(["models", "export", str(tmp_path / "run")]) == 2
    assert "no checkpoint yet" in capsys.readouterr().err


def test_a_players_moves_are_judged_with_and_without_search(tmp_path, capsys):
    for suffix in (".toml", ".onnx"):
        shutil.copy(FOLDER / f"connect-four-mlp{suffix}", tmp_path)
    card = str(tmp_path / "connect-four-mlp.toml")
    assert main(["models", "measure", card, "--positions", "5"]) == 0
    assert main(["models", "measure", card, "random", "--games", "2", "--positions", "5", "--search", "nodes=4"]) == 0
    capsys.readouterr()
    assert main(["models", "card", card, "--json"]) == 0
    figures = {each["what"]: each for each in json.loads(capsys.readouterr().out)["figures"]}
    searched = figures["best moves, of 5 positions, searching with nodes=4"]
    assert searched["command"] == "boardsight models measure connect-four-mlp --positions 5 --search nodes=4"
    assert figures["best moves, of 5 positions"]["of"] == 5
    assert figures["random, both seats after 4 random moves, searching with nodes=4"]["of"] == 2


def test_weights_that_were_changed_are_reported(run_folder, capsys):
    weights = run_folder / "model.onnx"
    kept = weights.read_bytes()
    try:
        weights.write_bytes(kept + b"\0")
        assert main(["models", "verify", str(run_folder), "--json"]) == 1
        found = json.loads(capsys.readouterr().out)
        assert not found["ok"]
        assert "is not the file its card describes" in found["errors"][str(run_folder)]
    finally:
        weights.write_bytes(kept)


def test_the_models_that_come_with_boardsight_are_listed(capsys):
    assert main(["models", "list", "--json"]) == 0
    assert [card["name"] for card in json.loads(capsys.readouterr().out)] == model_names()


def test_the_same_seed_trains_the_same_player(run_folder, tmp_path):
    assert main([*TINY, "--out", str(tmp_path / "again")]) == 0
    assert (tmp_path / "again" / "model.onnx").read_bytes() == (run_folder / "model.onnx").read_bytes()


@pytest.mark.slow
def test_the_table_of_learned_players_says_how_each_match_is_played_again(capsys):
    for match in learned.MATCHES:
        few = match.player.replace("seconds=0.05,proof=0.7", "nodes=50,proof_nodes=20000")
        each = replace(match, player=re.sub(r"\bnodes=\d+", "nodes=8", few))
        assert "seconds" not in each.player  # which would not play the same again
        row = next(line for line in learned.match_table([each], 2) if "both seats" in line)
        *_, won, drawn, lost, _, command, _ = (cell.strip() for cell in row.split("|"))
        assert main([*shlex.split(command.strip("`"))[1:], "--json"]) == 0
        result = json.loads(capsys.readouterr().out)
        assert [result["wins"], result["draws"], result["losses"]] == [int(won), int(drawn), int(lost)]
