"""What ends games that go on."""

from __future__ import annotations

from bot.play.limits import REPEATS, Repeats
from games import find_game
from solvers.core import Candidate, Decision


def test_a_move_that_leads_to_the_same_position_again_and_again_gives_way_to_the_next_best() -> None:
    game, repeats = find_game("quoridor"), Repeats()
    state = game.parse("e2 e8")
    back, sideways = (game.parse_move(text, state) for text in ("e1", "d2"))
    decision = Decision(back, candidates=(Candidate(back), Candidate(sideways)), best=(back,))
    for _ in range(REPEATS):
        assert repeats.avoided(state, decision) is decision
        repeats.came(state.play(back))
    avoided = repeats.avoided(state, decision)
    assert (avoided.move, avoided.best) == (sideways, ())
