"""Connect Four's exact solver and its book: another program, brute force, and each against the other."""

import json
from hashlib import sha256

import numpy as np
import pytest

from bench.training.connect_four_book import layers
from games import find_game
from games.core import Options, SettingsError
from solvers.connect_four import book as connect_four_book
from solvers.connect_four import players as connect_four
from solvers.connect_four.players import AlphaBeta
from solvers.core import Limit
from solvers.kernels.connect_four import exact
from solvers.training.bitbully import scores_after

GAME = find_game("connect_four")

# Random games and their scores by bitbully 0.0.79, a program that shares no code with ours.
ELSEWHERE = [
    ("666425755643557763612254722217", 1),
    ("5155262411112221557426657677344436", -4),
    ("163423377713667151767661155354", -6),
    ("472716667524651341631421613443722", 0),
    ("55221531222466524733316667765", 0),
    ("37244457627744457622372211661", 2),
    ("223536316336471175424131177", 2),
    ("67135715177251531351454633", 4),
    ("54521465146644766635", -11),
    ("2145336733444721441157", 4),
    ("113742236417756116346", 6),
    ("7114344415457331425615", -10),
    ("3677637617333473741", 3),
    ("471251211475131", 3),
    ("116254424725546143224", -3),
    ("551123233667527176711747", 2),
    ("56112675454753556321273", 0),
    ("3162624566135674362", -3),
    ("261571255755", 9),
    ("24563145143332", -13),
    ("663142376", -11),
    ("65662675627", 12),
]


def by_definition(state) -> int:
    """Pons's score with every move tried."""
    ended = state.outcome()
    if ended is not None:
        return 0 if ended.winner is None else -((44 - len(state.moves)) // 2)
    return max(-by_definition(state.play(move)) for move in state.legal_moves())


def positions(count: int, stones: int, seed: int):
    rng = np.random.default_rng(seed)
    while count:
        state = GAME.deal(rng)
        while state.outcome() is None and len(state.moves) < stones:
            state = state.play(int(rng.choice(state.legal_moves())))
        if state.outcome() is None:
            count -= 1
            yield state


def test_scores_are_those_of_another_program():
    solver = connect_four.Exact(book=False, megabytes=4)
    assert [solver.decide(GAME.parse(text)).score for text, _ in ELSEWHERE] == [score for _, score in ELSEWHERE]


def test_endings_have_the_score_and_the_best_moves_by_definition():
    solver = connect_four.Exact(megabytes=1)
    for state in positions(40, 33, seed=2):
        decision = solver.decide(state)
        values = {move: -by_definition(state.play(move)) for move in state.legal_moves()}
        assert decision.score == max(values.values())
        assert set(decision.best) == {move for move, value in values.items() if value == decision.score}
        scored = connect_four.Exact(megabytes=1, every=True).decide(state)
        assert {candidate.move: candidate.score for candidate in scored.candidates} == values


def even_columns(rng: np.random.Generator):
    """A random position of 34 stones in which every column has an even number of them."""
    while True:
        state, wanted = GAME.deal(rng), 2 * rng.permutation([3, 3, 3, 3, 2, 2, 1])
        for move in rng.permutation(np.repeat(np.arange(7), wanted)):
            state = state if state.outcome() else state.play(int(move))
        if state.outcome() is None:
            return state


def test_answering_on_top_holds_what_it_claims():
    rng, claims = np.random.default_rng(8), set()
    for _ in range(40):
        state = even_columns(rng)
        own, every = AlphaBeta.packing.pack(state)
        claims.add(exact.claimed(own, own ^ every))
        assert by_definition(state) <= exact.claimed(own, own ^ every)
    assert claims == {-1, 0, exact.MOST}


def test_the_expected_line_is_played_to_the_end_it_promises():
    for state in positions(10, 22, seed=4):
        decision = connect_four.Exact(megabytes=1).decide(state)
        for move in decision.line:
            state = state.play(move)  # noqa: PLW2901
        score = by_definition(state) if len(state.moves) > 34 or state.outcome() else decision.score
        assert abs(score) == abs(decision.score)


def test_the_shared_search_proves_what_the_games_own_search_proves():
    shared, own = connect_four.AlphaBeta(megabytes=4), connect_four.Exact(megabytes=1)
    for state in positions(20, 28, seed=6):
        assert shared.decide(state).score == own.decide(state).score


def test_the_empty_board_has_the_scores_that_are_known_of_it():
    decision = connect_four.Exact().decide(GAME.parse(""))
    scores = {candidate.move: candidate.score for candidate in decision.candidates}
    assert [scores[move] for move in range(7)] == [-2, -1, 0, 1, 0, -1, -2]
    assert (decision.move, decision.score, decision.best) == (3, 1, (3,))
    assert decision.nodes < 1_000_000


def test_the_book_holds_every_early_position_and_says_what_it_is():
    keys, scores = connect_four_book.load()
    card = json.loads(connect_four_book.CARD.read_text())
    assert card["sha256"] == sha256(connect_four_book.BOOK.read_bytes()).hexdigest()
    assert connect_four_book.BOOK.stat().st_size < 1_200_000
    assert (np.diff(keys.astype(object)) > 0).all()
    for state in positions(300, 10, seed=1):
        own, every = (int(word) for word in connect_four.AlphaBeta.packing.pack(state))
        assert connect_four_book.key_of(own, every) in keys
    assert len(keys) == len(scores)


def test_book_scores_that_are_quick_to_prove_are_proven_again():
    solver, proven = connect_four.Exact(book=False, megabytes=32), 0
    for state in positions(60, 8, seed=7):
        decision = solver.decide(state, Limit(nodes=150_000))
        if decision.proven:
            own, every = (int(word) for word in connect_four.AlphaBeta.packing.pack(state))
            assert decision.score == connect_four_book.look_up(own, every)
            proven += 1
    assert proven >= 20


def test_a_limit_leaves_a_legal_move_and_no_proof():
    state = GAME.parse("4444")
    decision = connect_four.Exact(book=False, megabytes=1).decide(state, Limit(nodes=1000))
    assert decision.move in state.legal_moves()
    assert not decision.proven


def test_other_boards_are_refused_with_a_remedy():
    with pytest.raises(SettingsError, match="alphabeta"):
        connect_four.Exact().decide(GAME.parse("", Options(rows=5, cols=5)))


# Twelve moves of perfect play by bitbully: the first player wins with its last disc. What 100,000 positions prove is
# that it wins; the score takes twice as many.
PERFECT = "444444562336"


def test_a_proof_finds_a_move_that_keeps_the_result_before_the_score_is_known():
    state, order = GAME.parse(PERFECT), (3, 2, 4, 1, 5, 0, 6)
    order = [move for move in order if move in state.legal_moves()]
    solver = connect_four.Exact(book=False)
    whole = solver.prove(state, Limit(), likely=order)
    assert whole.proven
    assert whole.score == connect_four.Exact().decide(state).score
    found = [
        connect_four.Exact(book=False).prove(state, Limit(nodes=nodes), likely=order) for nodes in (1_000, 100_000)
    ]
    assert [decision.bound for decision in found] == [None, 1]
    assert found[0].best == tuple(order)
    assert found[1].best == (found[1].move,)
    assert connect_four.Exact().decide(state.play(found[1].move)).score < 0


def test_many_positions_are_looked_up_in_the_book_as_one_is():
    found = layers(7)
    chosen = [found[stones][key] for stones in (0, 3, 7) for key in sorted(found[stones])[::50]]
    scores = connect_four_book.look_up_all(np.array(chosen, np.uint64))
    assert scores.tolist() == [connect_four_book.look_up(*position) for position in chosen]


def test_another_program_scores_the_moves_after_the_book_as_we_prove_them():
    pytest.importorskip("bitbully")
    state = GAME.parse("26157125575")
    own, every = (int(word) for word in AlphaBeta.packing.pack(state))
    scores = scores_after(np.array([[own, every]], np.uint64))[0]
    exactly = connect_four.Exact(every=True).decide(state)
    assert {each.move: each.score for each in exactly.candidates} == {
        move: scores[move] for move in state.legal_moves()
    }


def test_a_varied_perfect_player_draws_among_the_best_moves():
    state = GAME.parse("1")
    best = connect_four.Exact().decide(state).best
    assert len(best) > 1
    for seed in (3, -1):
        solver = connect_four.Exact(varied=True, seed=seed)
        drawn = [solver.decide(state) for _ in range(30)]
        assert {decision.move for decision in drawn} == set(best)
        assert all(decision.best[0] == decision.move and set(decision.best) == set(best) for decision in drawn)
    again = connect_four.Exact(varied=True, seed=3)
    assert [again.decide(state).move for _ in range(30)] == [
        decision.move for decision in map(connect_four.Exact(varied=True, seed=3).decide, [state] * 30)
    ]
