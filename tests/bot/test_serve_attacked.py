"""The table under attack: no client keeps others from their answers, and none chooses what is the host's."""

import asyncio
import contextlib
import json
import socket
import threading
import time
from contextlib import ExitStack
from dataclasses import fields
from importlib import import_module

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

import bot.web.match
from bot.web.fair import FairPool, Share
from bot.web.match import CHOSEN
from bot.web.server import ViewerServer
from games import GAMES, find_game
from games.core import SettingsError
from games.flood_it import FloodItGame
from games.quoridor import QuoridorGame
from solvers import find_solver, solvers_of
from solvers.core import Limit

PATIENCE = 120
"""Seconds after which a test fails: far more than any answer takes, on a busy machine, too."""


class Page:
    """A page's end of a connection."""

    def __init__(self, server, stack):
        address = server.address("play").replace("http", "ws")
        self.socket = stack.enter_context(connect(address, origin=server.origin, max_size=None))
        assert self.hear()["type"] == "INIT"

    def hear(self):
        return json.loads(self.socket.recv(timeout=PATIENCE))

    def say(self, **message):
        self.socket.send(json.dumps(message))

    def ask(self, **message):
        self.say(**message)
        return self.hear()

    def begin(self, game="connect_four", **wishes):
        return self.ask(type="INIT", game=game, **wishes)


@pytest.fixture
def table():
    """table(**settings): a server with what opens pages of it, until the test ends."""
    with ExitStack() as stack:

        def start(**settings):
            server = stack.enter_context(ViewerServer(**settings))
            return server, lambda: Page(server, stack)

        yield start


@pytest.fixture
def slow_marks(monkeypatch):
    """slow_marks(): from then on Flood-It's positions are drawn only when `go` is set; `drawn` names each asked for."""
    marks, go, drawn = FloodItGame.marks, threading.Event(), []

    def begin():
        monkeypatch.setattr(FloodItGame, "marks", wait)
        return go, drawn

    def wait(game, state):
        drawn.append(state)
        assert go.wait(PATIENCE)
        return marks(game, state)

    yield begin
    go.set()


def test_a_position_that_is_long_in_drawing_keeps_no_other_player_waiting(table, slow_marks):
    _, open_page = table()
    go, drawn = slow_marks()
    slow, quick = open_page(), open_page()
    slow.say(type="INIT", game="flood_it", options={"size": "4x4"})
    assert quick.begin()["type"] == "UPDATE"
    assert quick.ask(type="MOVE", move="4", ply=0)["board"]["moves"] == ["4"]
    go.set()
    assert slow.hear()["board"]["ply"] == 0
    assert drawn


def test_what_was_asked_is_not_worked_off_after_its_sender_has_gone(table, slow_marks):
    _, open_page = table()
    go, drawn = slow_marks()
    gone, other = open_page(), open_page()
    gone.say(type="INIT", game="flood_it", options={"size": "4x4"})
    for number in range(300):
        gone.say(type="INIT", game="flood_it", options={"size": "4x4"}, seed=number)
    gone.socket.close()
    assert other.begin()["type"] == "UPDATE"
    for number in range(6):
        if number == 3:
            go.set()
        assert other.ask(type="LOOK", ply=0)["type"] == "UPDATE"
    assert len(drawn) <= 2


def test_a_game_of_which_the_page_has_gone_is_not_played_on(table):
    left = threading.Event()
    left.set()
    asked = bot.web.match.InitRequest(type="INIT", game="connect_four", moves=["4"])
    with pytest.raises(SettingsError, match="has gone"):
        bot.web.match.Match.begin(asked, None, left)


def test_a_position_is_drawn_once_however_often_it_is_looked_at(table, monkeypatch):
    marks, drawn = QuoridorGame.marks, []
    monkeypatch.setattr(QuoridorGame, "marks", lambda *what: (drawn.append(what), marks(*what))[1])
    _, open_page = table()
    page = open_page()
    page.begin("quoridor", moves=["e2", "e8"])
    first = [page.ask(type="LOOK", ply=ply) for ply in (0, 1, 2)]
    asked = len(drawn)
    assert [page.ask(type="LOOK", ply=ply) for ply in (0, 1, 2)] == first
    assert len(drawn) == asked
    page.ask(type="LOOK", ply=1)
    other = page.ask(type="MOVE", move="d9", ply=1)["board"]
    assert (other["moves"], other["text"]) == (["e2", "d9"], "e2 d9")


def test_who_asked_for_little_comes_before_who_asked_for_much(result_of):
    async def ask():
        pool, greedy, modest, order = FairPool(1), Share(), Share(), []
        many = [asyncio.create_task(pool.run(greedy, lambda at=at: order.append(("greedy", at)))) for at in range(5)]
        await many[0]
        many += [
            asyncio.create_task(pool.run(greedy, lambda at=at: order.append(("greedy", at)))) for at in range(5, 9)
        ]
        await asyncio.gather(pool.run(modest, lambda: order.append("modest")), *many)
        given_up = asyncio.create_task(pool.run(modest, lambda: order.append("given up")))
        blocked = threading.Event()
        waits = asyncio.create_task(pool.run(greedy, lambda: blocked.wait(PATIENCE)))
        await asyncio.sleep(0)
        given_up.cancel()
        blocked.set()
        await waits
        pool.close()
        return order

    order = result_of(ask())
    assert order.index("modest") < len(order) - 1
    assert [at for who, at in (each for each in order if each[0] == "greedy")] == list(range(9))


TOO_LARGE = [
    {"game": "quoridor", "options": {"size": "19x19", "walls": 99}},
    {"game": "quoridor", "options": {"size": "19x19"}},
    {"game": "quoridor", "options": {"walls": 99}},
    {"game": "flood_it", "options": {"size": "65x64"}},
    {"game": "filler", "start": "/".join(["0" * 70] * 70) + " 1"},
]


def test_what_is_too_large_for_a_table_is_refused(table):
    _, open_page = table()
    page = open_page()
    for asked in TOO_LARGE:
        reply = page.begin(**asked)
        assert (reply["type"], reply["error"]) in (("ERROR", "SettingsError"), ("ERROR", "PositionError")), asked
    assert page.begin("quoridor", options={"size": "11x11", "walls": 20})["type"] == "UPDATE"


def every_option():
    """Each option of each solver of the registry: game, solver, option."""
    for game in GAMES:
        for solver, place in solvers_of(game).items():
            module, _, factory = place.partition(":")
            for option in fields(getattr(import_module(module), factory)):
                if option.init and option.name != "game":
                    yield game, solver, option.name


def test_a_page_chooses_no_memory_no_file_and_no_time_of_a_solver(table, tmp_path):
    _, open_page = table()
    page = open_page()
    refused = set()
    for game, solver, option in every_option():
        reply = page.begin(game, analyst=f"{solver}:{option}={tmp_path / 'made'}")
        assert reply["type"] == "ERROR", (game, solver, option)
        assert "is not for a page to choose" in reply["message"], (game, solver, option)
        refused.add(option)
        if option not in CHOSEN:
            reply = page.begin(game, analyst=f"{solver}:{option}=1")
            assert "is not for a page to choose" in reply["message"], (game, solver, option)
    assert refused >= {"megabytes", "memory_mb", "model", "cache", "seconds", "width", "nodes", "batch", "agents"}
    assert list(tmp_path.iterdir()) == []
    for spec in ("random:seed=9999999999999", "alphabeta:depth=100", "mcts:temperature=nan", "mcts:noise=1e9"):
        assert "is not for a page to choose" in page.begin("connect_four", analyst=spec)["message"]
    assert page.begin("connect_four", seats=["random:seed=3", "person"])["type"] == "UPDATE"


def slow_connection(server, stack, said=b"GET / HTTP/1.1\r\nHost: "):
    """A connection that has begun a request and says no more."""
    opened = stack.enter_context(socket.create_connection(("127.0.0.1", server.port)))
    opened.sendall(said)
    opened.settimeout(PATIENCE)
    return opened


def is_given_up(opened):
    """Whether the server ends a connection without an answer."""
    try:
        return opened.recv(1) == b""
    except ConnectionResetError:
        return True


def test_slow_connections_make_room_for_others(table, monkeypatch):
    monkeypatch.setattr("bot.web.gate.MOST_OF_ADDRESS", 20)
    server, open_page = table()
    with ExitStack() as stack:
        slow = [slow_connection(server, stack) for _ in range(50)]
        page = open_page()
        assert page.begin()["type"] == "UPDATE"
        assert all(is_given_up(each) for each in slow[:30])
        assert page.ask(type="LOOK", ply=0)["type"] == "UPDATE"


@pytest.mark.parametrize(
    "said", [b"", b"GET / HTTP/1.1\r\nHo", b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n"]
)
def test_a_request_that_never_ends_is_given_up(table, monkeypatch, said):
    monkeypatch.setattr("bot.web.gate.HEAD", 0.2)
    server, _ = table()
    with ExitStack() as stack:
        opened = slow_connection(server, stack, said)
        while opened.recv(4096):
            pass  # an answer is fine, if the connection ends after it


def test_silent_sockets_take_no_seat(table):
    _, open_page = table(connections=2)
    silent = [open_page() for _ in range(5)]
    assert open_page().begin()["type"] == "UPDATE"
    assert silent[0].begin()["type"] == "UPDATE"
    silent[1].say(type="INIT", game="connect_four")
    with pytest.raises(ConnectionClosed) as closed:
        silent[1].hear()
    assert closed.value.rcvd.code == 1013


def test_a_seat_that_is_idle_is_given_to_who_speaks(table):
    _, open_page = table(connections=1, idle=0)
    idle, next_one = open_page(), open_page()
    assert idle.begin()["type"] == "UPDATE"
    assert next_one.begin()["type"] == "UPDATE"
    with pytest.raises(ConnectionClosed) as closed:
        idle.hear()
    assert closed.value.rcvd.code == 1013


def test_the_eldest_of_many_silent_sockets_is_given_up(table, monkeypatch):
    monkeypatch.setattr("bot.web.lobby.SILENT", 3)
    _, open_page = table()
    silent = [open_page() for _ in range(4)]
    with pytest.raises(ConnectionClosed):
        silent[0].hear()
    assert silent[3].begin()["type"] == "UPDATE"


def test_a_socket_that_never_speaks_is_given_up(table, monkeypatch):
    monkeypatch.setattr("bot.web.lobby.SPEAKS", 0.2)
    _, open_page = table()
    page = open_page()
    with pytest.raises(ConnectionClosed):
        page.hear()


def test_one_address_does_not_take_every_seat(table, monkeypatch):
    monkeypatch.setattr("bot.web.lobby.OF_ADDRESS", 2)
    _, open_page = table(connections=9)
    first, second, third = (open_page() for _ in range(3))
    assert [page.begin()["type"] for page in (first, second)] == ["UPDATE"] * 2
    third.say(type="INIT", game="connect_four")
    with pytest.raises(ConnectionClosed):
        third.hear()


def test_more_messages_than_can_wait_end_their_connection_alone(table, slow_marks, monkeypatch):
    monkeypatch.setattr("bot.web.lobby.MOST_WAITING", 50)
    _, open_page = table()
    slow_marks()  # so that no message is followed before all of them have come
    page, other = open_page(), open_page()
    page.say(type="INIT", game="flood_it")
    with contextlib.suppress(ConnectionClosed):
        for _ in range(60):
            page.say(type="LOOK", ply=0)
    with pytest.raises(ConnectionClosed) as closed:
        page.hear()
    assert closed.value.rcvd.code == 1008
    assert other.begin()["type"] == "UPDATE"


def test_faults_that_a_client_brings_about_fill_no_log(table, monkeypatch, capfd, caplog):
    def fail(*_):
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(bot.web.match.Match, "begin", fail)
    server, open_page = table()
    page = open_page()
    for _ in range(100):
        assert page.begin()["error"] == "RuntimeError"
    with ExitStack() as stack:
        for _ in range(50):
            slow_connection(server, stack, b"\0\0 nonsense\r\n\r\n").recv(4096)
    told = capfd.readouterr().err + caplog.text
    assert "a fault of ours" in told
    assert len(told) < 10_000


def test_clients_that_use_much_leave_a_thread_to_others(result_of):
    async def ask():
        pool, heavy, light, go = FairPool(2), [Share(), Share()], Share(), threading.Event()
        for share in heavy:
            share.add(9.0, time.perf_counter())
        waits = [asyncio.create_task(pool.run(share, lambda: go.wait(PATIENCE))) for share in heavy]
        answer = await pool.run(light, lambda: "answered")
        go.set()
        assert await asyncio.gather(*waits) == [True, True]
        pool.close()
        return answer

    assert result_of(ask()) == "answered"


@pytest.mark.parametrize(("spec", "most"), [("alphabeta-readable:depth=9", 8 * 256), ("mcts-readable", 8)])
def test_a_search_in_python_ends_soon_after_it_is_wanted_no_more(monkeypatch, spec, most):
    monkeypatch.setattr("solvers.readable.mcts.TOLD_SECONDS", -1.0, raising=False)
    calls = []

    def progress(told):
        calls.append(told)
        return len(calls) == 8

    state = find_game("connect_four").parse("")
    assert find_solver(spec, "connect_four").decide(state, Limit(), progress=progress).nodes <= most
    assert len(calls) == 8
