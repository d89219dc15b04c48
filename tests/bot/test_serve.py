"""The server of the analyst's table, spoken to over its WebSocket: games, refusals, bounds."""

import asyncio
import json
import random
import threading
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import numpy as np
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from bot.protocol.answer import describe
from bot.web import players
from bot.web.fair import FairPool
from bot.web.lobby import catalogue
from bot.web.messages import REQUESTS
from bot.web.server import STATIC, ViewerServer
from bot.web.session import LONGEST_MESSAGE, Session
from games import GAMES, find_game
from games.core import Options
from solvers import find_solver, solver_names
from solvers.core import Limit

FAST = "random:seed=1"


def sized(game):
    """The size of a game's small variant."""
    rows, cols = game.show(game.deal(np.random.default_rng(0), game.small)).grid.shape
    return f"{rows}x{cols}"


SMALL = {
    "flood_it": {"size": "4x4", "colours": 3},
    "filler": {"size": "4x4", "colours": 4},
    "connect_four": {"size": "3x3", "length": 3},
    "blokus": {"size": "5x5"},
    "quoridor": {"size": "3x3", "walls": 1, "limit": 8},
}
SMALL |= {name: {"size": sized(find_game(name))} for name in GAMES if name not in SMALL}


class Page:
    """A page's end of the connection."""

    def __init__(self, server, stack):
        address = server.address("play").replace("http", "ws")
        self.socket = stack.enter_context(connect(address, origin=server.origin, max_size=None))
        self.catalogue = self.hear()

    def hear(self):
        return json.loads(self.socket.recv(timeout=240))

    def say(self, **message):
        self.socket.send(json.dumps(message))

    def ask(self, **message):
        self.say(**message)
        return self.hear()

    def until(self, wanted):
        """The first reply that `wanted` accepts; an ERROR fails the test."""
        while True:
            reply = self.hear()
            assert reply["type"] != "ERROR", reply
            if wanted(reply):
                return reply

    def begin(self, game, **wishes):
        return self.ask(type="INIT", game=game, **wishes)


@pytest.fixture(scope="module")
def server():
    with ViewerServer() as running:
        yield running


@pytest.fixture
def open_page(server):
    with ExitStack() as stack:
        yield lambda: Page(server, stack)


@pytest.fixture
def page(open_page):
    return open_page()


def test_the_catalogue_names_every_game_and_every_solver(page):
    assert [game["name"] for game in page.catalogue["games"]] == list(GAMES)
    for game in page.catalogue["games"]:
        assert game["solvers"] == solver_names(game["name"])


@pytest.mark.parametrize("game", GAMES)
def test_solvers_play_each_game_of_the_registry_to_its_end(page, game):
    page.say(type="INIT", game=game, options=SMALL[game], seats=[FAST, FAST], seed=3, seconds=0.1)
    end = page.until(lambda reply: reply["type"] == "GAME_OVER")
    board, rules = end["board"], find_game(game)
    options = Options(**board["options"])
    state = rules.parse(board["start"], options)
    for move in board["moves"]:
        state = state.play(rules.parse_move(move, state))
    assert state.outcome().reason == end["reason"]
    assert board["grid"] == rules.show(state).grid.tolist()


@pytest.mark.parametrize("game", ["flood_it", "filler", "connect_four"])
def test_a_thought_is_what_the_solver_returns(page, game):
    spec = {"flood_it": "greedy", "filler": "greedy", "connect_four": "alphabeta:depth=4"}[game]
    first = page.begin(game, options=SMALL[game], seed=5, analyst=spec, seconds=60.0)["board"]
    thought = page.until(lambda reply: reply.get("thought") and reply["thought"]["done"])["thought"]
    rules = find_game(game)
    state = rules.parse(first["start"], Options(**first["options"]))
    asked = find_solver(spec, game).decide(state, Limit(), progress=lambda _: False)
    told = describe(rules, state, asked)
    assert {**thought["answer"], "seconds": 0} == {**told, "seconds": 0}
    assert [step["move"] for step in thought["line"]] == told["line"][:12]


def test_a_light_solver_plays_and_thinks_while_a_strong_one_is_compiled(monkeypatch):
    compiled, search_once = threading.Event(), players._search_once

    def compile_first(spec, *position):
        if spec == "alphabeta":
            assert compiled.wait(240)
        search_once(spec, *position)

    monkeypatch.setattr(players, "_search_once", compile_first)
    monkeypatch.setattr(players, "LOADING", 0.01)
    with ViewerServer() as running, ExitStack() as stack:
        page = Page(running, stack)
        page.say(type="INIT", game="connect_four", options=SMALL["connect_four"], seats=["alphabeta", "person"])
        assert page.until(lambda reply: reply["preparing"])["preparing"] >= 1
        moved = page.until(lambda reply: reply["board"] and reply["board"]["moves"])
        known = page.ask(type="LOOK", ply=0)["thought"]
        assert (len(moved["board"]["moves"]), known["solver"], known["done"]) == (1, "light", True)
        page.say(type="SEATS", seats=["person", "person"], analyst="alphabeta")
        first = page.until(lambda reply: reply["thought"] and not reply["board"])["thought"]
        assert (first["solver"], first["done"]) == ("light", False)
        compiled.set()
        assert (
            page.until(lambda reply: reply["thought"] and reply["thought"]["done"])["thought"]["solver"] == "alphabeta"
        )
        page.say(type="SEATS", seats=["alphabeta", "person"])
        page.until(lambda reply: not reply["preparing"] and reply["board"] and reply["board"]["moves"])


@pytest.mark.parametrize(("game", "spec"), [("flood_it", "exact"), ("flood_it", "beam")])
def test_moves_that_a_decision_says_nothing_of_are_looked_at_after_it(page, game, spec):
    first = page.begin(game, options=SMALL[game], seed=5, analyst=spec, seconds=20.0)["board"]
    page.until(lambda reply: not reply["thinking"])
    thought = page.ask(type="LOOK", ply=0)["thought"]
    told = {other["move"]: (other["score"], other["proven"]) for other in thought["others"]}
    rules = find_game(game)
    state = rules.parse(first["start"], Options(**first["options"]))
    silent = [move for move in state.legal_moves() if rules.format_move(move, state) in told]
    assert silent
    for move in silent:
        after = find_solver(spec, game).decide(state.play(move))
        score = -after.score if rules.players == 2 else after.score + 1
        assert told[rules.format_move(move, state)] == (score, True)


def test_a_search_tells_how_far_it_came_and_is_stopped(page):
    page.begin("connect_four", options={"size": "7x7"}, analyst="alphabeta", seconds=60.0)
    page.until(lambda reply: reply.get("thought") and not reply["thought"]["done"])
    page.say(type="THINK", on=False)
    last = page.until(lambda reply: reply.get("thought") and reply["thought"]["done"])
    assert last["thinking"] is False
    assert last["thought"]["answer"]["seconds"] < 60


def test_a_move_ends_the_search_of_the_position_before(page):
    page.begin("connect_four", options={"size": "7x7"}, analyst="alphabeta", seconds=60.0)
    page.say(type="MOVE", move="5", ply=0)
    after = page.until(lambda reply: reply.get("board") and reply["board"]["ply"] == 1)
    assert after["board"]["moves"] == ["5"]
    assert page.until(lambda reply: reply.get("thought"))["thought"]["ply"] == 1


def test_undo_looking_back_and_another_variation(page):
    page.begin("connect_four", moves=["4", "4", "3"])
    assert page.ask(type="UNDO")["board"]["moves"] == ["4", "4"]
    back = page.ask(type="LOOK", ply=1)["board"]
    assert (back["ply"], back["moves"]) == (1, ["4", "4"])
    other = page.ask(type="MOVE", move="1", ply=1)["board"]
    assert (other["ply"], other["moves"]) == (2, ["4", "1"])


def test_undo_goes_back_to_the_person_behind_a_solvers_answer(page):
    page.begin("connect_four", seats=["person", FAST])
    page.say(type="MOVE", move="4", ply=0)
    page.until(lambda reply: reply.get("board") and reply["board"]["ply"] == 2)
    assert page.ask(type="UNDO")["board"]["moves"] == []


def test_a_game_is_taken_up_again_after_the_connection_was_lost(open_page):
    page = open_page()
    page.begin("filler", seed=9)
    legal = page.ask(type="LOOK", ply=0)["board"]["legal"]
    board = page.ask(type="MOVE", move=legal[0], ply=0)["board"]
    page.socket.close()
    kept = {key: board[key] for key in ("options", "seats", "analyst", "seconds", "start", "moves")}
    assert open_page().begin("filler", at=board["ply"], **kept)["board"] == board


def test_who_is_told_that_nobody_thinks_may_have_the_next_move_thought_of_at_once():
    async def plies():
        answers, told = asyncio.Queue(), []

        async def answer(reply):
            if getattr(reply, "thinking", True):
                return
            if reply.board:
                told.append(reply.board.ply)
            if reply.board and len(told) < 4:
                await session.hear('{"type": "THINK", "on": true}')  # before the reply is known to have come
            await answers.put(reply)

        session = Session(answer, players.Players(), FairPool())
        watched = {"seats": [FAST, FAST], "pace": None}
        await session.hear(json.dumps({"type": "INIT", "game": "connect_four", **watched}))
        while len(told) < 4:
            await asyncio.wait_for(answers.get(), 240)
        await session.close()
        return told

    with ThreadPoolExecutor() as apart:  # of the loop that a browser of other tests has in this thread
        assert apart.submit(asyncio.run, plies()).result() == [0, 1, 2, 3]


WRONG = [
    ("{", "SettingsError"),
    ("", "SettingsError"),
    ("[]", "SettingsError"),
    ("null", "SettingsError"),
    ("[" * 30_000, "SettingsError"),
    ('{"type": "DANCE"}', "SettingsError"),
    ('{"type": "MOVE"}', "SettingsError"),
    ('{"type": "MOVE", "move": 4, "ply": 0}', "SettingsError"),
    ('{"type": "MOVE", "move": "4", "ply": -1}', "SettingsError"),
    ('{"type": "MOVE", "move": "4", "ply": 0, "more": 1}', "SettingsError"),
    ('{"type": "MOVE", "move": "9", "ply": 0}', "PositionError"),
    ('{"type": "MOVE", "move": "4", "ply": 7}', "OutOfTurnError"),
    ('{"type": "LOOK", "ply": 9}', "SettingsError"),
    ('{"type": "UNDO"}', "SettingsError"),
    ('{"type": "SEATS", "seats": ["person", "deep thought"]}', "SettingsError"),
    ('{"type": "SEATS", "seats": [], "seconds": 1e9}', "SettingsError"),
    ('{"type": "SEATS", "seats": [], "seconds": NaN}', "SettingsError"),
    ('{"type": "INIT", "game": "chess"}', "SettingsError"),
    ('{"type": "INIT", "game": "connect_four", "version": 3}', "SettingsError"),
    ('{"type": "INIT", "game": "connect_four", "options": {"rows": 10000000}}', "SettingsError"),
    ('{"type": "INIT", "game": "connect_four", "options": {"rows": -1}}', "SettingsError"),
    ('{"type": "INIT", "game": "connect_four", "moves": ["4", "x"]}', "PositionError"),
    ('{"type": "INIT", "game": "filler", "start": "nothing"}', "PositionError"),
    (json.dumps({"type": "INIT", "game": "x" * LONGEST_MESSAGE}), "SettingsError"),
]


def test_what_is_wrong_with_a_message_is_said_and_changes_nothing(page):
    before = page.begin("connect_four")["board"]
    for message, error in WRONG:
        page.socket.send(message)
        reply = page.hear()
        assert (reply["type"], reply["error"]) == ("ERROR", error), (message[:80], reply)
        assert reply["message"], message
    assert page.ask(type="LOOK", ply=0)["board"] == before


def test_a_move_out_of_turn_is_refused_while_a_solver_thinks(page):
    page.say(type="INIT", game="connect_four", options={"size": "7x7"}, seats=["alphabeta", "person"], seconds=60.0)
    page.until(lambda reply: reply["thinking"])
    page.say(type="MOVE", move="1", ply=0)
    reply = page.hear()
    while reply["type"] == "UPDATE":
        reply = page.hear()
    assert reply["error"] == "OutOfTurnError"


def test_hundreds_of_broken_messages_leave_another_game_as_it_was(open_page):
    quiet, noisy = open_page(), open_page()
    board = quiet.begin("quoridor", moves=["e2"])["board"]
    chance = random.Random(8)
    whole = json.dumps({"type": "INIT", "game": "quoridor", "options": {"rows": 9, "cols": 9}, "moves": ["e2", "e8"]})
    for _ in range(300):
        broken = list(whole)
        for _ in range(chance.randint(1, 6)):
            broken[chance.randrange(len(broken))] = chance.choice('{}[]",:0é\x00e')
        noisy.socket.send("".join(broken))
        assert noisy.hear()["type"] in ("ERROR", "UPDATE")
    assert quiet.ask(type="LOOK", ply=1)["board"] == board


def test_a_message_far_too_long_ends_its_connection_alone(open_page):
    page, other = open_page(), open_page()
    page.socket.send("x" * (17 * LONGEST_MESSAGE))
    with pytest.raises(ConnectionClosed):
        page.hear()
    assert other.begin("connect_four")["type"] == "UPDATE"


def test_a_text_that_is_no_utf_8_ends_its_connection_alone_and_is_told_in_one_line(open_page, caplog):
    page, broken = open_page(), open_page()
    broken.socket.send(b'{"type": "INIT", "game": "\xff"}', text=True)
    with pytest.raises(ConnectionClosed) as closed:
        broken.socket.recv(timeout=240)
    assert closed.value.rcvd.code == 1007
    assert page.begin("connect_four")["type"] == "UPDATE"
    assert "Invalid UTF-8 sequence received from client" in caplog.text
    assert "Traceback" not in caplog.text


@pytest.mark.parametrize("origin", [None, "https://example.org", "http://127.0.0.1:1", "null"])
def test_a_page_of_another_origin_is_refused(server, origin):
    with pytest.raises(InvalidStatus) as refused:
        connect(server.address("play").replace("http", "ws"), origin=origin)
    assert refused.value.response.status_code == 403


def test_another_host_name_is_refused(server):
    request = urllib.request.Request(server.url, headers={"Host": "rebound.example.org"})
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=240)
    assert refused.value.code == 421
    refused.value.close()


def test_every_answer_carries_the_policy(server):
    for path in ("", "table.js", "games/cells.js", "table.css"):
        with urllib.request.urlopen(server.address(path), timeout=240) as answer:
            policy = answer.headers["Content-Security-Policy"]
            assert "default-src 'none'" in policy
            assert "unsafe" not in policy
            assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_when_every_table_is_taken_another_connection_is_told_so():
    with ViewerServer(connections=1) as server, ExitStack() as stack:
        Page(server, stack).begin("connect_four")
        other = Page(server, stack)
        with pytest.raises(ConnectionClosed) as closed:
            other.begin("connect_four")
        assert closed.value.rcvd.code == 1013


def test_the_schema_describes_every_request():
    schema = REQUESTS.json_schema()
    assert set(schema["discriminator"]["mapping"]) == {"INIT", "MOVE", "UNDO", "LOOK", "SEATS", "THINK", "ASIDE"}


def test_all_pages_together_weigh_little_and_name_no_other_host():
    files = [path for path in STATIC.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 300_000
    for path in (path for path in files if path.suffix != ".png"):
        addresses = path.read_text().replace("http://www.w3.org/", "")  # the names of XML's languages
        assert "http:" not in addresses.replace('"http:"', "")
        assert "https:" not in addresses.replace('"https:"', "")


def test_every_game_of_the_registry_has_its_drawing():
    drawings = {path.stem for path in (STATIC / "games").glob("*.js")}
    for info in catalogue().games:
        assert info.drawing in drawings
        assert info.drawing == info.name or info.name not in drawings
