"""What could not be made is not tried again: moves that a page may lack altogether, and one alone in its position."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest

from bot.drag.gestures import NotInHandError
from bot.play.aim import AnsweredError, NotOfferedError, WithheldError
from bot.play.belief import UnresponsiveError
from bot.play.changes import Change
from bot.play.move_maker import MoveMaker
from bot.play.seen import BoardLostError
from bot.play.stages import kind_of
from bot.play.unmade import Unmade
from bot.settings import Settings
from games import find_game
from games.core import Options
from solvers.core import Candidate, Decision

QUORIDOR = find_game("quoridor")
START = QUORIDOR.deal(None, Options(rows=5, cols=5))


def unmade() -> Unmade:
    return Unmade(QUORIDOR, lambda state, move: kind_of(QUORIDOR.gestures(state, move)))


def played(*moves: str) -> Any:
    state = START
    for move in moves:
        state = state.play(QUORIDOR.parse_move(move, state))
    return state


def test_a_jump_that_a_page_does_not_know_is_not_tried_again_while_steps_and_walls_are() -> None:
    found, facing = unmade(), played("c2", "c4", "a1h", "c3")
    jump, step, wall = (QUORIDOR.parse_move(move, facing) for move in ("c4", "b2", "d4h"))
    assert not found.give_up(facing, jump)  # nothing was made here: the page may hear nothing
    found.made(START, QUORIDOR.parse_move("c2", START))
    found.made(START, QUORIDOR.parse_move("a1h", START))
    assert found.give_up(facing, jump)
    assert [(facing, move) in found for move in (jump, step, wall)] == [True, False, False]
    assert (played("c2", "c4"), QUORIDOR.parse_move("c3", played("c2", "c4"))) not in found
    elsewhere = played("b1", "c4", "b2", "b4", "a1h", "b3")
    assert (elsewhere, QUORIDOR.parse_move("b4", elsewhere)) in found  # another jump
    assert found.within(facing) == facing
    assert found.give_up(facing, wall)
    assert found.give_up(facing, step)  # another one is left
    assert [(facing, move) in found for move in (jump, step, wall)] == [True, True, True]


def test_a_wall_that_a_page_does_not_take_leaves_the_steps() -> None:
    found, state = unmade(), played("c2", "c4")
    wall, step = (QUORIDOR.parse_move(move, state) for move in ("d4h", "c3"))
    found.made(START, QUORIDOR.parse_move("c2", START))
    assert found.give_up(state, wall)
    assert [(state, move) in found for move in (wall, step)] == [True, False]
    assert found.within(state) == replace(state, left=(0, state.left[1]))


def test_a_piece_that_could_not_be_brought_to_its_place_is_not_carried_there_in_other_positions() -> None:
    found, step = unmade(), QUORIDOR.parse_move("b1", START)
    found.update([step])
    assert (START, step) in found
    assert (played("c2", "c4"), step) in found


def test_a_jump_is_doubted_until_one_was_made() -> None:
    found, facing = unmade(), played("c2", "c4", "a1h", "c3")
    jump, step = (QUORIDOR.parse_move(move, facing) for move in ("c4", "b2"))
    assert found.doubts(facing, jump)
    assert not found.doubts(facing, step)
    found.made(facing, jump)
    assert not found.doubts(facing, jump)


def test_a_step_is_made_where_a_page_knows_no_jump_though_a_solver_names_only_those() -> None:
    facing = QUORIDOR.parse("h2v e8 h3h e7 a4h e6 g7v e5 c3h e4 d6h e3 b3v e2 b7v")
    jumps = [QUORIDOR.parse_move(move, facing) for move in ("d1", "f1")]
    decided = Decision(jumps[0], 1.0, True, candidates=tuple(map(Candidate, jumps)))
    executor, monitor, made = MagicMock(game=QUORIDOR), MagicMock(other=None), []
    executor.unmade = unmade()
    executor.unmade.made(facing, QUORIDOR.parse_move("d2", facing))
    executor.give_up = executor.unmade.give_up
    executor.ways = lambda state, move: ["tap"]
    executor.lacks_button = executor.seek_modes = executor.shows_something = executor.lacks_mode = lambda *given: False
    executor.possible = lambda state, decision, reading: decision.move
    executor.make = lambda state, move, *given, **more: made.append(move) or []
    monitor.spoken.return_value = False
    monitor.same.return_value = MagicMock(done=0.0)

    def confirm(state: Any, move: Any) -> Any:
        after = state if QUORIDOR.rare(state, move) else state.play(move)
        return SimpleNamespace(change=Change(state, (move,), after), reading=MagicMock(done=0.0)), 0.1

    monitor.confirm = confirm
    monitor.in_place = lambda reading, state: reading
    executor.clock.now.return_value = 0.0
    maker = MoveMaker(
        *(executor, monitor, Settings(), MagicMock()),
        say=lambda line: None,
        decide=lambda state: decided,
        adopted=lambda frame: None,
        ask=None,
    )
    _, done = maker.make(MagicMock(done=0.0), facing, decided, moves=7)
    assert made == [jumps[0], done.made[1]]
    assert not QUORIDOR.rare(facing, done.made[1])


@pytest.mark.parametrize("moved", [False, True])
def test_a_move_that_is_shown_is_made_final_on_a_fresh_look_where_the_board_was_found_elsewhere_since(
    moved: bool,
) -> None:
    executor, old, new = MagicMock(), MagicMock(), MagicMock()
    executor.observer.calibration.lattice = "there" if moved else old.learned.lattice
    executor.observer.read.return_value = new
    executor.make.return_value = []
    maker = MoveMaker(
        *(executor, MagicMock(), Settings(), MagicMock()), say=print, decide=MagicMock(), adopted=MagicMock(), ask=None
    )
    reading, _ = maker._press(old, MagicMock(), MagicMock(), "tap+twice", 1, done=1)
    assert reading is (new if moved else old)
    assert executor.make.call_args.kwargs["confirmed"] is reading


@pytest.mark.parametrize(
    ("withheld", "raised"),
    [(AnsweredError("it lights up"), NotOfferedError), (WithheldError("it is gone"), BoardLostError)],
)
def test_a_move_is_given_up_where_the_page_answers_the_pointer_otherwise_for_long(
    withheld: WithheldError, raised: type[Exception]
) -> None:
    executor = MagicMock(game=QUORIDOR)
    executor.make.side_effect = withheld
    executor.clock.now.side_effect = map(float, range(100))
    maker = MoveMaker(
        *(executor, MagicMock(), Settings(), MagicMock()), say=print, decide=MagicMock(), adopted=MagicMock(), ask=None
    )
    with pytest.raises(raised, match=str(withheld)):
        maker._press(MagicMock(done=0.0), MagicMock(), MagicMock(), "tap", 0, done=0)
    assert executor.make.call_count > 2  # what passes is waited for


def test_a_piece_that_left_its_tray_as_it_could_not_be_laid_is_sought_no_more() -> None:
    executor, tries = MagicMock(game=QUORIDOR), []
    executor.ways.return_value = ["pointer", "arrows", "pointer"]
    executor.lacks_button.side_effect = lambda state, move: bool(tries)
    executor.possible.side_effect = lambda state, decision, reading: decision.move

    def make(*given: Any, **more: Any) -> None:
        tries.append(given)
        raise NotInHandError("it could not be brought there", showed=False)

    executor.make, executor.clock.now.return_value = make, 0.0
    monitor = MagicMock(other=None)
    monitor.spoken.return_value = False
    monitor.in_place.side_effect = lambda reading, state: reading
    maker = MoveMaker(
        *(executor, monitor, Settings(), MagicMock()), say=print, decide=MagicMock(), adopted=MagicMock(), ask=None
    )
    step = QUORIDOR.parse_move("b1", START)
    with pytest.raises(UnresponsiveError, match="1 tries"):
        maker.make(MagicMock(done=0.0), START, Decision(step), moves=0)
    assert len(tries) == 1
