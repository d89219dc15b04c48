"""Work on one process, on many, and on a Ray cluster: the same answers, also when somebody dies."""

import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np
import pytest

from bench.__main__ import main as bench
from bot.cli import main
from games import find_game
from games.core import Options, SettingsError
from solvers.arena import Contest, Terms, pairings, play_contest
from solvers.core import Limit
from solvers.learned.card import read_card
from solvers.training import alphazero
from solvers.training.alphazero import AlphaZeroSettings
from solvers.training.cluster import ClusterError, Processes, RayCluster, ThisProcess, in_order, workers_for
from solvers.training.run import Plan, TrainingRun

WORK = """
import os, time
from pathlib import Path

def square(number):
    return number * number

def square_but_die_once(job):
    path, number = job
    if number == 2 and not Path(path).exists():
        Path(path).touch()
        os._exit(1)
    return number * number

def square_after_the_death(job):
    folder, number = Path(job[0]), job[1]
    (folder / f"begun-{number}").touch()
    while not (folder / "died").exists():
        time.sleep(0.01)
    return number * number

def count_threads(number):
    import torch
    return torch.get_num_threads()

def die(number):
    os._exit(1)

def who(number):
    return os.getpid()

def refuse(number):
    raise ValueError("no such number")
"""


@pytest.fixture
def work(tmp_path, monkeypatch):
    """A module of work that other processes find, too."""
    (tmp_path / "some_work.py").write_text(WORK)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *sys.path]))
    import some_work

    yield some_work
    del sys.modules["some_work"]


def test_a_process_alone_works_in_order(work):
    with closing(workers_for("")) as workers:
        assert isinstance(workers, ThisProcess)
        assert list(workers.map(work.square, [3, 4])) == [(0, 9), (1, 16)]


@pytest.mark.slow
def test_the_job_of_a_process_that_died_is_done_again(work, tmp_path):
    with closing(workers_for("2")) as workers:
        assert isinstance(workers, Processes)
        jobs = [(str(tmp_path / "died"), number) for number in range(5)]
        assert sorted(workers.map(work.square_but_die_once, jobs)) == [(at, at * at) for at in range(5)]
        assert (tmp_path / "died").exists()
        with pytest.raises(ValueError, match="no such number"):
            list(workers.map(work.refuse, [1]))
        assert list(workers.map(work.count_threads, [0])) == [(0, 1)]
        with pytest.raises(ClusterError, match="lost 4 times"):
            list(workers.map(work.die, [1]))


LEADER = """
import sys
import some_work
from solvers.training.cluster import Processes

if __name__ == "__main__":
    workers = Processes(1)
    for _, worker in workers.map(some_work.who, [0]):
        print(worker, flush=True)
        sys.stdin.read()
"""


@pytest.mark.slow
def test_processes_end_with_the_one_that_gave_them_work_however_it_ends(work, tmp_path):
    script = tmp_path / "leader.py"
    script.write_text(LEADER)
    with subprocess.Popen([sys.executable, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as leader:
        worker = Path(f"/proc/{int(leader.stdout.readline())}/cmdline")
        assert worker.read_text()
        leader.kill()
    until = time.monotonic() + 20
    while worker.exists() and worker.read_text() and time.monotonic() < until:  # one that nobody buries has no words
        time.sleep(0.02)
    assert not worker.exists() or not worker.read_text()


PLAN = Plan("connect_four", "alphazero", 2, 1, Options(rows=4, cols=4, length=3), command="boardsight train ...")
TINY = AlphaZeroSettings(
    channels=4, blocks=1, games=6, piece=2, visits=8, fast=4, share=0.5, gate_games=4, gate_visits=4, batch=8, warm=4
)


def learned(folder, workers):
    """The player that a run on the small board leaves."""
    alphazero.learn(TrainingRun(folder, PLAN, threads=1, workers=workers), TINY)
    assert read_card(folder / "model.toml").budget.endswith("of its workers not counted") == bool(workers)
    return (folder / "model.onnx").read_bytes()


@pytest.mark.slow
def test_many_processes_learn_what_one_does(tmp_path):
    assert learned(tmp_path / "one", "") == learned(tmp_path / "two", "2")


def played(workers):
    """How the games of a match went."""
    terms = Terms(openings=3, limit=Limit(nodes=20))
    starts = pairings(find_game("connect_four"), 8, np.random.default_rng(0), terms)
    contests = [Contest(start, ("random", "mcts-readable"), 0) for start in starts]
    return [(game.points, game.lines) for games in in_order(workers, play_contest, contests) for game in games]


@contextmanager
def two_nodes():
    """A Ray cluster of two nodes with a core each on the loopback: its address, and how to kill the second."""
    os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
    os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112 (else they wait for all others)
    pytest.importorskip("ray")
    import ray
    from ray.cluster_utils import Cluster

    node = {"num_cpus": 1, "node_ip_address": "127.0.0.1", "object_store_memory": 80 << 20}
    cluster = Cluster(initialize_head=True, head_node_args={**node, "include_dashboard": False})
    second = cluster.add_node(**node)
    try:
        yield cluster.address, lambda: cluster.remove_node(second, allow_graceful=False)
    finally:
        ray.shutdown()
        cluster.shutdown()


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.filterwarnings("ignore")  # Ray's own
def test_a_cluster_of_two_nodes_learns_what_one_process_does_and_survives_the_death_of_a_node(work, tmp_path):
    with two_nodes() as (address, kill):
        assert learned(tmp_path / "one", "") == learned(tmp_path / "cluster", address)
        with closing(workers_for(address)) as workers:
            assert isinstance(workers, RayCluster)
            assert sorted(workers.map(work.square, range(4))) == [(0, 0), (1, 1), (2, 4), (3, 9)]
            with pytest.raises(ValueError, match="no such number"):
                list(workers.map(work.refuse, [1]))

            assert played(workers) == played(ThisProcess())

            def kill_at_work():
                while len([*tmp_path.glob("begun-*")]) < 2:  # one on each node
                    time.sleep(0.01)
                kill()
                (tmp_path / "died").touch()

            with ThreadPoolExecutor(1) as thread:
                killed = thread.submit(kill_at_work)
                jobs = [(str(tmp_path), number) for number in range(6)]
                assert sorted(workers.map(work.square_after_the_death, jobs)) == [(at, at * at) for at in range(6)]
                killed.result()
        with closing(workers_for(address)) as workers:
            assert played(workers) == played(ThisProcess())  # by the node that is left


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.filterwarnings("ignore")  # Ray's own
def test_one_flag_shares_matches_tuning_and_tables_with_a_cluster_that_loses_a_node(capsys, tmp_path):
    small = ["--game", "connect_four", "--size", "4x4", "--length", "3", "--nodes", "40", "--games", "32", "--json"]
    tuned = ["tune", *small, "--solver", "mcts-readable", "exploration=0.1:9"]

    def said(begin, *words):
        """What is no time of it."""
        assert begin([*words]) == 0
        return [
            re.sub('"seconds".*', "", line)
            for line in capsys.readouterr().out.splitlines()
            if "won" in line or "{" in line
        ]

    with two_nodes() as (address, kill):
        match = ["arena", *small, "random", "mcts-readable"]
        assert said(main, *match) == said(main, *match, "--cluster", address) != []
        kill()
        assert said(main, *tuned) == said(main, *tuned, "--cluster", address) != []
        table = ["filler", "--boards", "1", "--results", str(tmp_path)]
        assert said(bench, *table) == said(bench, *table, "--cluster", address) != []


def test_a_cluster_that_is_not_there_is_a_setting_to_correct(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(SettingsError, match="boardsight\\[cluster\\]"):
        workers_for("auto")
