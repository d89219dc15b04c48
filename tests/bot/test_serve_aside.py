"""What the table works out beside a game: hints, pars and reviews, and what it keeps from who plays."""

from contextlib import ExitStack

import numpy as np
import pytest

from bot.web import players
from bot.web.chances import accuracy, chance
from bot.web.review import Played
from bot.web.server import ViewerServer
from games import find_game
from games.core import Options
from solvers import find_solver
from solvers.core import Decision, Limit
from solvers.units import VALUE, Unit
from tests.bot import test_serve

FAST = "random:seed=1"


class Page(test_serve.Page):
    """A page's end of the connection."""

    def until(self, kind, wanted=lambda reply: True):
        """The replies up to the first of `kind` that `wanted` accepts; an ERROR fails the test."""
        heard = []
        while not heard or heard[-1]["type"] != kind or not wanted(heard[-1]):
            heard.append(self.hear())
            assert heard[-1]["type"] != "ERROR", heard[-1]
        return heard


@pytest.fixture(scope="module")
def server():
    with pytest.MonkeyPatch.context() as patch, ViewerServer() as running:
        patch.setattr(players, "LOADING", 240)  # no light solver moves first where the machine is busy
        yield running


@pytest.fixture
def page(server):
    with ExitStack() as stack:
        yield Page(server, stack)


def test_who_plays_without_analysis_is_told_nothing_that_a_solver_thinks(page):
    seats = ["person", "alphabeta:depth=3"]
    page.say(type="INIT", game="connect_four", seats=seats, analyst="alphabeta", analysis=False)
    page.say(type="MOVE", move="4", ply=0)
    heard = page.until("UPDATE", lambda reply: reply["board"] and reply["board"]["ply"] == 2)
    page.say(type="LOOK", ply=1)
    heard += page.until("UPDATE", lambda reply: reply["board"] and reply["board"]["ply"] == 1)
    assert all(reply["thought"] is None and reply["values"] is None for reply in heard)
    assert heard[-1]["thinking"] is False


def test_a_hint_is_a_legal_move_and_the_cells_it_changes(page):
    board = page.ask(type="INIT", game="filler", options={"size": "4x4"}, seed=2, analysis=False)["board"]
    page.say(type="ASIDE", what="HINT")
    hint = page.until("HINT")[-1]
    assert hint["ply"] == 0
    assert hint["step"]["move"] in board["legal"]
    assert hint["step"]["cells"]


def test_asking_for_what_there_is_none_of_is_refused(page):
    page.ask(type="INIT", game="connect_four")
    assert page.ask(type="ASIDE", what="PAR")["error"] == "SettingsError"
    assert page.ask(type="ASIDE", what="REVIEW")["error"] == "SettingsError"
    page.say(type="INIT", game="connect_four", seats=["alphabeta", "person"], options={"size": "7x7"}, seconds=60.0)
    page.until("UPDATE", lambda reply: reply["thinking"])
    page.say(type="ASIDE", what="HINT")
    reply = page.hear()
    while reply["type"] == "UPDATE":
        reply = page.hear()
    assert "wait for your turn" in reply["message"]


def test_the_par_of_a_board_is_its_shortest_game_and_outlives_moves(page):
    options = {"size": "4x4", "colours": 3}
    board = page.ask(type="INIT", game="flood_it", options=options, seed=5, analysis=False)["board"]
    page.say(type="ASIDE", what="PAR")
    page.say(type="MOVE", move=board["legal"][0], ply=0)
    par = page.until("PAR")[-1]
    game = find_game("flood_it")
    shortest = find_solver("exact", "flood_it").decide(game.parse(board["start"], Options(**board["options"])))
    assert (par["moves"], par["proven"], par["line"]) == (shortest.score, True, [])


def test_a_review_names_the_moves_that_threw_a_won_game_away(page):
    moves = ["4", "5", "1", "5", "3", "3", "4", "2", "5"]  # on a small board, for which another solver takes over
    page.ask(type="INIT", game="connect_four", options={"size": "4x5", "length": 3}, moves=moves, analysis=False)
    page.say(type="ASIDE", what="REVIEW")
    heard = page.until("REVIEW", lambda reply: reply["finished"])
    review = heard[-1]
    done = [reply["done"] for reply in heard if reply["type"] == "REVIEW" and not reply["preparing"]]
    assert done == list(range(1, review["of"] + 1))
    game = find_game("connect_four")
    state, solver, signs = game.deal(np.random.default_rng(0), Options(rows=4, cols=5, length=3)), "alphabeta", []
    for ply, move in enumerate([*moves, None]):
        outcome = state.outcome()
        score = find_solver(solver, "connect_four").decide(state).score if outcome is None else -1
        signs.append(np.sign(score) * (-1) ** ply)
        state = state.play(game.parse_move(move, state)) if move else state
    lost = {ply: abs(signs[ply] - signs[ply + 1]) / 2 for ply in range(len(moves)) if signs[ply] != signs[ply + 1]}
    assert lost
    assert {each["ply"]: each["cost"] for each in review["costly"]} == dict(list(lost.items())[:3])
    assert all(each["proven"] for each in review["costly"])
    assert [value[2] for value in review["values"]] == [0.5 + sign / 2 for sign in signs]


def test_a_review_can_be_stopped_and_ends_with_what_it_has(page):
    moves = ["e2", "e8", "e3", "e7", "e4", "e6"]
    page.ask(type="INIT", game="quoridor", moves=moves, analysis=False)
    page.say(type="ASIDE", what="REVIEW")
    page.until("REVIEW", lambda reply: reply["done"] > 0)
    page.say(type="ASIDE", what=None)
    last = page.until("REVIEW", lambda reply: reply["finished"])[-1]
    assert last["done"] <= last["of"] == 7


def decisions_of(spec, game, states):
    return [find_solver(spec, game).decide(state, Limit(nodes=200_000)) for state in states]


def test_the_review_of_a_game_for_one_counts_the_moves_that_were_not_needed():
    game, rng = find_game("flood_it"), np.random.default_rng(4)
    states, moves = [game.deal(rng, Options(rows=4, cols=4, colours=3))], []
    while states[-1].outcome() is None:
        move = rng.choice(states[-1].legal_moves())
        moves.append(game.format_move(move, states[-1]))
        states.append(states[-1].play(move))
    played = Played(game, states, moves, decisions_of("exact", "flood_it", states[:-1]))
    par = played.par()
    assert par.proven
    assert len(par.line) == par.moves < len(moves)
    assert sum(cost.cost for cost in played.costs()) == len(moves) - par.moves
    assert played.accuracy() == [pytest.approx(100 * par.moves / len(moves))]
    state = states[0]
    for move in par.line:
        state = state.play(game.parse_move(move, state))
    assert state.outcome().winner == 0


def test_what_is_known_later_in_a_game_for_one_holds_for_its_earlier_positions():
    game = find_game("flood_it")
    states = [game.parse("0012/0012/0012")]
    for move in "12":
        states.append(states[-1].play(game.parse_move(move, states[-1])))
    rough = Decision(2, score=3.0, line=(2, 1, 2))
    played = Played(game, states, ["1", "2"], [rough, Decision(2, score=1.0, proven=True, line=(2,))])
    assert played.left() == [2, 1, 0]
    assert (played.par().moves, played.par().line, played.par().proven) == (2, ["1", "2"], False)
    assert played.costly() == []


def test_a_chance_is_a_half_where_nobody_leads_and_certain_where_it_is_proven():
    cells = Unit("cell", "cells", lead=True)
    assert chance(Decision(0, score=0.0, unit=cells)) == 0.5
    assert chance(Decision(0, score=0.0, unit=VALUE, proven=True)) == 0.5
    assert chance(Decision(0, score=-3.0, unit=cells, proven=True)) == 0.0
    assert chance(Decision(0, score=0.5, unit=VALUE)) == 0.75
    rising = [chance(Decision(0, score=score, unit=cells)) for score in (-9.0, -1.0, 2.0, 9.0)]
    assert rising == sorted(rising)
    assert chance(Decision(0)) is None
    assert accuracy(0.0) == 100.0
    assert accuracy(1.0) < 1.0


def test_two_solvers_go_on_step_by_step_where_no_pace_is_set(page):
    page.say(type="INIT", game="connect_four", seats=[FAST, FAST], pace=None)
    assert page.hear()["thinking"] is False
    for ply in (1, 2):
        page.say(type="THINK", on=True)
        heard = page.until("UPDATE", lambda reply, ply=ply: reply["board"] and reply["board"]["ply"] == ply)
        assert heard[-1]["thinking"] is False
    page.say(type="SEATS", seats=[FAST, FAST], pace=0)
    page.until("GAME_OVER")


def test_several_lines_are_told_with_a_score_each(page):
    page.say(type="INIT", game="connect_four", options={"size": "5x5"}, analyst="alphabeta:depth=6", lines=3)
    thought = page.until("UPDATE", lambda reply: reply["thought"] and reply["thought"]["done"])[-1]["thought"]
    lines = [each["line"] for each in thought["answer"]["candidates"] if "line" in each]
    assert len(lines) == 3
    assert [line[0] for line in lines] == [each["move"] for each in thought["answer"]["candidates"][:3]]
    assert 0 <= thought["chance"] <= 1
    assert thought["depth"] >= 1
    page.say(type="SEATS", seats=[], analyst="alphabeta:depth=6", lines=4)
    wanted = lambda reply: reply["thought"] and reply["thought"]["done"] and not reply["thinking"]  # noqa: E731
    thought = page.until("UPDATE", wanted)[-1]["thought"]
    assert sum("line" in each for each in thought["answer"]["candidates"]) == 4
