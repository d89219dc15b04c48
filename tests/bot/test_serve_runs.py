"""The page of the runs: trainings with their curves, and their players at the table; nothing else of the disk."""

import json
import os
import shutil
import urllib.error
import urllib.parse
import urllib.request

import pytest

from bot.cli import main
from bot.web import checkpoints
from bot.web.checkpoints import PLAYERS, CheckpointPlayer
from bot.web.server import ViewerServer
from bot.web.trainings import MOST_LOG, MOST_POINTS, MOST_RUNS, PLAYER, Shelf, curves_of, list_runs
from games import find_game
from games.core import Options, SettingsError

TINY = (
    *("train", "--game", "connect_four", "--method", "supervised", "--budget", "2000", "--quiet", "--set", "epochs=3"),
    *("--set", "teacher=games", "--set", "network=mlp", "--set", "layers=8", "--set", "outputs=value"),
)

ON_A_SMALL_BOARD = (
    *("train", "--game", "connect_four", "--size", "4x5", "--method", "dqn", "--budget", "256", "--quiet"),
    *("--set", "network=mlp", "--set", "layers=8", "--set", "room=1000"),
)


@pytest.fixture(scope="module")
def runs(tmp_path_factory, finished_run):
    """A folder with a training that has ended, one that was stopped, one that has just begun, and a game."""
    folder = tmp_path_factory.mktemp("runs")
    assert main([*TINY, "--out", str(folder / "tiny <b>")]) == 0
    shutil.copytree(folder / "tiny <b>", folder / "stopped", ignore=shutil.ignore_patterns("model.*"))
    (folder / "begun").mkdir()
    (folder / "begun" / "run.toml").write_text('game = "filler"\nmethod = "dqn"\n')
    shutil.copytree(finished_run, folder / "played")
    (folder / "no run").mkdir()
    return folder


@pytest.fixture(scope="module")
def server(runs):
    with ViewerServer(runs=runs) as running:
        yield running


def told(server, path):
    with urllib.request.urlopen(server.address(path), timeout=240) as answer:
        return json.load(answer)


def test_trainings_and_games_that_were_played_are_listed_the_latest_first(server, runs):
    listed = {run["name"]: run for run in told(server, "runs")}
    assert set(listed) == {"tiny <b>", "stopped", "begun", "played"}
    assert listed["tiny <b>"]["player"] == f"{PLAYER}tiny <b>"
    assert (listed["tiny <b>"]["game"], listed["tiny <b>"]["method"]) == ("connect_four", "supervised")
    assert (listed["stopped"]["player"], listed["stopped"]["learning"]) == (f"{PLAYER}stopped", True)
    assert (listed["begun"]["player"], listed["begun"]["trained"]) == ("", True)
    assert (listed["played"]["game"], listed["played"]["trained"]) == ("flood_it", False)
    os.utime(runs / "begun" / "run.toml", (4e9, 4e9))
    assert list_runs(runs)[0].name == "begun"


def test_the_curves_are_what_the_training_logged(server, runs):
    records = [json.loads(line) for line in (runs / "tiny <b>" / "log.jsonl").read_text().splitlines()]
    curves = told(server, "runs/tiny%20%3Cb%3E")
    assert curves["step"] == records[-1]["step"]
    assert curves["figures"]["loss"] == [[record["step"], record["loss"]] for record in records]
    assert told(server, "runs/begun")["figures"] == {}


@pytest.mark.parametrize("name", ["played", "no%20run", "nobody", "..", ".", "%2e%2e", "tiny%20%3Cb%3E%2f"])
def test_nothing_but_a_training_has_curves(server, name):
    with pytest.raises(urllib.error.HTTPError) as refused:
        told(server, f"runs/{name}")
    assert refused.value.code == 404
    refused.value.close()


def test_without_a_folder_of_runs_the_servers_own_folder_is_none(runs, monkeypatch):
    monkeypatch.chdir(runs)
    (name, *_) = [run.name for run in list_runs(runs) if run.trained]
    with ViewerServer(runs=None) as server, pytest.raises(urllib.error.HTTPError) as refused:
        told(server, f"runs/{urllib.parse.quote(name)}")
    assert refused.value.code == 404
    refused.value.close()


def test_a_huge_log_is_read_in_a_few_places_from_its_first_to_its_last_line(tmp_path):
    (tmp_path / "long").mkdir()
    (tmp_path / "long" / "run.toml").write_text("")
    lines = [json.dumps({"step": step, "seconds": 0.1, "loss": 1 / (1 + step)}) for step in range(100_000)]
    (tmp_path / "long" / "log.jsonl").write_text("\n".join(lines) + "\n")
    assert (tmp_path / "long" / "log.jsonl").stat().st_size > 10 * MOST_LOG
    points = curves_of(tmp_path, "long").figures["loss"]
    assert MOST_POINTS / 2 < len(points) <= MOST_POINTS + 1
    assert (points[0][0], points[-1][0]) == (0, 99_999)
    steps = [step for step, _ in points]
    assert steps == sorted(set(steps))


def test_what_is_no_number_in_a_log_is_left_out(tmp_path):
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "run.toml").write_text("")
    lines = ["", "[]", "[" * 5000, '{"loss": 1}', '{"step": 1, "loss": NaN}', '{"step": 2, "loss": 1e999}', "\0\xff"]
    lines += ['{"step": 3, "loss": "<script>", "elo": true}', '{"step": 4, "loss": 1' + "0" * 400 + "}"]
    lines += ['{"step": 5, "loss": 7}', '{"step": 5, "loss": 8}', '{"step": 6, "lo']
    (tmp_path / "odd" / "log.jsonl").write_text("\n".join(lines))
    curves = curves_of(tmp_path, "odd")
    assert (curves.step, curves.figures) == (5, {"loss": [(5, 8)]})


def test_so_many_runs_are_told_of_and_no_more(tmp_path):
    for number in range(MOST_RUNS + 20):
        (tmp_path / f"run {number}").mkdir()
        (tmp_path / f"run {number}" / "run.toml").write_text(f'game = "{number}"\nmethod = [{number}]')
    assert len(list_runs(tmp_path)) == MOST_RUNS


def test_links_are_not_followed(runs, tmp_path):
    shutil.copytree(runs / "tiny <b>", tmp_path / "true")
    (tmp_path / "linked").symlink_to(runs / "tiny <b>")
    files = ("weights", "model.onnx"), ("card", "model.toml"), ("log", "log.jsonl"), ("state", "checkpoint.pt")
    for name, linked in files:
        shutil.copytree(runs / "tiny <b>", tmp_path / name)
        (tmp_path / name / linked).unlink()
        (tmp_path / name / linked).symlink_to(runs / "tiny <b>" / linked)
    (tmp_path / "state" / "model.toml").unlink()
    players = {run.name: (run.player, run.learning) for run in list_runs(tmp_path)}
    whole = {name: (f"{PLAYER}{name}", False) for name in ("true", "log")}
    assert players == {
        **whole,
        **{name: (f"{PLAYER}{name}", True) for name in ("weights", "card")},
        "state": ("", False),
    }
    for name in ("linked", "log"):
        with pytest.raises(SettingsError):
            curves_of(tmp_path, name)


def test_no_player_is_made_where_a_link_leads(runs, tmp_path):
    run, elsewhere = tmp_path / "state", tmp_path / "elsewhere"
    shutil.copytree(runs / "tiny <b>", run)
    elsewhere.mkdir()
    (run / PLAYERS).symlink_to(elsewhere)
    with pytest.raises(SettingsError, match="is a link"):
        CheckpointPlayer("connect_four", run).decide(find_game("connect_four").parse(""))
    assert list(elsewhere.iterdir()) == []


@pytest.mark.parametrize(
    "name", ["begun", "nobody", "../tiny", ".", "..", "", "tiny <b>/model.toml", "/etc/passwd", "played"]
)
def test_only_players_of_trainings_take_a_seat(runs, name):
    with pytest.raises(SettingsError, match="no training"):
        Shelf(runs).find(f"{PLAYER}{name}", "connect_four")


START = find_game("connect_four").parse("", Options())


def test_the_player_of_a_checkpoint_is_made_when_it_is_first_asked_and_again_of_a_newer_one(runs, tmp_path):
    run = tmp_path / "learning"
    shutil.copytree(runs / "stopped", run)
    player = Shelf(tmp_path).find(f"{PLAYER}learning", "connect_four")
    assert not (run / PLAYERS).exists()
    decision = player.decide(START)
    ended = Shelf(runs).find(f"{PLAYER}tiny <b>", "connect_four").decide(START)
    assert [each.score for each in decision.candidates] == [each.score for each in ended.candidates]
    (made,) = (run / PLAYERS).iterdir()
    os.utime(run / "checkpoint.pt", (4e9, 4e9))
    player.decide(START)
    assert list((run / PLAYERS).iterdir()) == [made]  # plays on
    os.utime(made / "model.toml", (1e9, 1e9))
    player.decide(START)
    assert {path.name for path in (run / PLAYERS).iterdir()} == {made.name, "4000000000000"}


def test_a_checkpoint_of_which_no_player_can_be_made_says_why(runs, tmp_path):
    (tmp_path / "broken").mkdir()
    shutil.copy(runs / "stopped" / "run.toml", tmp_path / "broken")
    (tmp_path / "broken" / "checkpoint.pt").write_bytes(b"no checkpoint")
    with pytest.raises(SettingsError, match=r"no player could be made of the checkpoint of broken: .+"):
        Shelf(tmp_path).find(f"{PLAYER}broken", "connect_four").decide(START)
    with pytest.raises(SettingsError, match="no training"):
        Shelf(tmp_path).find(f"{PLAYER}broken", "filler")


def test_without_torch_a_checkpoint_says_what_makes_its_player_and_plays_by_it(runs, tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoints, "find_spec", lambda name: None)
    with pytest.raises(SettingsError, match=r"boardsight\[train\].*boardsight models export .*stopped"):
        Shelf(runs).find(f"{PLAYER}stopped", "connect_four")
    shutil.copytree(runs / "stopped", tmp_path / "moved")
    for left in ("model.onnx", "model.toml"):
        (tmp_path / "moved" / PLAYERS / "1").mkdir(parents=True, exist_ok=True)
        shutil.copy(runs / "tiny <b>" / left, tmp_path / "moved" / PLAYERS / "1")
    assert Shelf(tmp_path).find(f"{PLAYER}moved", "connect_four").decide(START).move in range(7)


@pytest.mark.browser
def test_the_page_shows_the_curve_and_its_player_makes_a_move(browser, server, serious_findings):
    page = browser.page
    page.set_default_timeout(240_000)
    page.goto(server.address("runs.html"))
    card = page.locator('.card[data-run="tiny <b>"]')
    card.locator('[data-figure="loss"] path.curve').wait_for()
    assert card.locator('[data-figure="loss"] path.curve').get_attribute("d").count("L") == 2
    assert "tiny <b>" in card.inner_text()
    assert not serious_findings(page)
    card.locator("a.button").click()
    page.wait_for_selector('[data-mode="play"] board-view[data-game="connect_four"][data-awaits="true"]')
    assert page.locator(".seat b").all_inner_texts() == ["You", "tiny <b>"]
    page.locator('.places button[aria-disabled="false"]').nth(3).click()
    page.wait_for_selector('board-view[data-ply="2"]')
    page.goto("about:blank")


@pytest.mark.browser
def test_what_has_the_focus_keeps_it_while_the_list_is_asked_for_again(open_page, server):
    page = open_page()
    page.clock.install()
    page.goto(server.address("runs.html"))
    link = page.locator('.card[data-run="tiny <b>"] a.button')
    link.focus()
    for _ in range(2):  # by the second answer the first one is drawn
        with page.expect_response("**/runs"):
            page.clock.fast_forward(6000)
    assert link.evaluate("link => link === document.activeElement")


@pytest.mark.browser
def test_a_game_is_begun_against_a_checkpoint_on_its_board(browser, tmp_path):
    assert main([*ON_A_SMALL_BOARD, "--out", str(tmp_path / "small")]) == 0
    for left in (tmp_path / "small").glob("model.*"):
        left.unlink()
    page = browser.page
    page.set_default_timeout(240_000)
    with ViewerServer(runs=tmp_path) as server:
        page.goto(server.address("runs.html"))
        card = page.locator(".card[data-run=small]")
        assert "latest checkpoint" in card.inner_text()
        card.locator("a.button").click()
        page.wait_for_selector('[data-mode="play"] board-view[data-game="connect_four"][data-awaits="true"]')
        assert page.locator(".places button").count() == 5  # a column each
        page.locator('.places button[aria-disabled="false"]').nth(3).click()
        page.wait_for_selector('board-view[data-ply="2"]')
        assert len(list((tmp_path / "small" / PLAYERS).iterdir())) == 1
        page.goto("about:blank")
