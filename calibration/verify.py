"""Which of several proposals is the board: the likeliest that the rules of its game do not speak against."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import dist

import numpy as np

from calibration.board import Calibration
from calibration.frame import Box, Frame
from calibration.look import STRICT, Proposal
from calibration.looks import look_named, reader_of
from calibration.scene import Scene
from games import find_game
from games.core import Options, SettingsError, UnreadableError, target_of

FURNISHED = 0.75
"""The share of the controls of its game that must lie beside a board that too little else speaks for."""

ALIKE = 0.05
"""What a board may be less likely than a smaller one elsewhere that is not taken before it: boards and copies of them
in half their size and more, side by side, differed by 0.03 at most."""

BEGUN = 0.33
"""The same of one at the same place on which pieces lie as a game begins: two pieces may happen to."""


def weighed(proposals: Iterable[Proposal]) -> list[Proposal]:
    """The proposals that may be boards, the likeliest first; of two about as likely apart from each other, the larger.

    A small part of a larger one that is likely, too, is a part of that board, or of what is drawn on it.  Beside the
    board of a page stand smaller ones: another game, an example.
    """
    likely = sorted((c for c in proposals if c.calibration is not None), key=lambda c: -c.confidence)
    sound = [c for c in likely if not any(_swallows(other, c) for other in likely)]
    rivals = [c for c in sound if c.confidence >= sound[0].confidence - ALIKE and not c.box.common(sound[0].box)]
    largest = max([*sound[:1], *rivals], key=lambda c: c.box.area, default=None)
    return sorted(sound, key=lambda c: c is not largest)


def _swallows(large: Proposal, small: Proposal) -> bool:
    """Whether `small` is a part, of less than half the area, of a `large` one that is nearly as likely."""
    box, other = large.box, small.box
    inside = box.contains(other.centre) and box.area > 2 * other.area
    return inside and large.confidence >= min(STRICT, small.confidence)


def told_apart(ranked: list[Proposal], scene: Scene) -> Proposal | None:
    """The likeliest of `ranked` boards, unless another reading of the same place explains more of what is seen.

    That is one in which pieces lie as a game begins, if it is not far less likely; else, of those about as likely, the
    one with the most controls beside its board, such as pieces in a tray: empty squares are the start of many games.
    """
    if not ranked:
        return None
    rivals = [each for each in ranked if _one_place(each.box, ranked[0].box)]
    if len(rivals) == 1:
        return ranked[0]
    least = ranked[0].confidence - BEGUN
    begun = [each for each in rivals if each.confidence >= least and begins(each, scene.frame)]
    alike = [each for each in rivals if each.confidence >= ranked[0].confidence - ALIKE]
    best = begun[0] if begun else max(alike, key=lambda each: _seen_controls(finished(each, scene)))
    return _with_others(best, rivals)


def furnished(proposal: Proposal, scene: Scene) -> bool:
    """Whether most of the controls that moves of its game ask for lie beside a board: few other things have so many."""
    calibration = finished(proposal, scene)
    game = find_game(calibration.game)
    try:
        state = game.read(reader_of(calibration).read(scene.frame))
    except UnreadableError:
        return False
    firsts = (game.gestures(state, move)[0] for move in state.legal_moves())
    asked = {target_of(getattr(first, "take", first)) for first in firsts}
    return len(asked) > 2 and _seen_controls(calibration) >= FURNISHED * len(asked)


def _seen_controls(calibration: Calibration) -> int:
    """How many controls were seen beside a board; places where another row of it would be are only reckoned."""
    wider = calibration.lattice.ringed
    cells = ((at, wider.cell(at)) for at in calibration.controls.values())
    return sum(cell is None or dist(wider.centre(cell), at) > 1 for at, cell in cells)


def same_reading(one: Proposal, other: Proposal) -> bool:
    """Whether two proposals are of one look and one place, of which the less likely one tells nothing more."""
    assert one.calibration is not None
    assert other.calibration is not None
    return one.calibration.look == other.calibration.look and _one_place(one.box, other.box)


def _one_place(one: Box, other: Box) -> bool:
    """Whether two boxes are about one place: the middle of each is in the other, and they are about as large."""
    areas = sorted((one.area, other.area))
    return one.contains(other.centre) and other.contains(one.centre) and areas[1] < 2 * areas[0]


def begins(proposal: Proposal, frame: Frame) -> bool:
    """Whether pieces lie on a board just where they lie when a game of its size begins, or after its first move."""
    assert proposal.calibration is not None
    game, lattice = find_game(proposal.calibration.game), proposal.calibration.lattice
    try:
        start = game.deal(np.random.default_rng(0), Options(rows=lattice.rows, cols=lattice.cols))
    except SettingsError:
        return False
    if not (game.show(start).grid > 0).any():
        return False
    seen = reader_of(proposal.calibration).read(frame).grid > 0
    firsts = (start, *(start.play(move) for move in start.legal_moves()))
    return any(np.array_equal(game.show(state).grid > 0, seen) for state in firsts)


def finished(proposal: Proposal, scene: Scene) -> Calibration:
    """The calibration of a proposal, with its buttons and all else that is only worth looking for now."""
    assert proposal.calibration is not None
    return look_named(proposal.calibration.look).finish(scene, proposal.calibration)


def claimed(proposal: Proposal, frame: Frame, game: str | None, *, pointed: bool = False) -> tuple[Proposal, str]:
    """A proposal as a board of `game`, and why the rules speak against what its own reader reads, "" if they do not.

    It is the second look at a proposal, apart from all that its confidence was reckoned from.
    game: None for one of the games drawn so whose rules allow what it shows: the first that begins so, else the first.
    pointed: whether a person said that it is a board, so that only the rules speak against it, and no look's doubts.
    """
    if proposal.calibration is None:
        return proposal, "it is no board"
    look = look_named(proposal.calibration.look)
    sound, doubts = [], []
    for name in look.games if game is None else (game,):
        for calibration in numberings(replace(proposal.calibration, game=name)):
            one, grid = replace(proposal, calibration=calibration), reader_of(calibration).read(frame).grid
            why = find_game(name).refute(grid)
            if not why and not pointed:
                why = look.refute(one, frame, grid, named=game is not None)
            if not why:
                sound.append(one)
                break
            doubts.append((one, why))
    if not sound:
        return doubts[0]
    best = next((one for one in sound[1:] if begins(one, frame) and not begins(sound[0], frame)), sound[0])
    return _with_others(best, sound), ""


def _with_others(best: Proposal, rivals: Iterable[Proposal]) -> Proposal:
    """`best` with the games that its rivals name and it does not."""
    assert best.calibration is not None
    own = (best.calibration.game, *best.calibration.others)
    named = dict.fromkeys(each.calibration.game for each in rivals if each.calibration is not None)
    others = (*best.calibration.others, *(game for game in named if game not in own))
    return replace(best, calibration=replace(best.calibration, others=others))


def numberings(calibration: Calibration) -> Iterator[Calibration]:
    """It, and the same with the pieces of two players exchanged: whose are the darker ones no picture tells."""
    yield calibration
    if len(calibration.patches) == len(calibration.palette) == 3 and not look_named(calibration.look).filled:
        (empty, one, two), (bare, first, second) = calibration.palette, calibration.patches
        yield replace(calibration, palette=(empty, two, one), patches=(bare, second, first))
