"""Which of several proposals is the board: the likeliest that the rules of its game do not speak against."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from calibration.frame import Box, Frame
from calibration.look import STRICT, Proposal
from calibration.looks import look_named, reader_of
from games import find_game

ALIKE = 0.05
"""What a board may be less likely than a smaller one elsewhere that is not taken before it: boards and copies of them
in half their size and more, side by side, differed by 0.03 at most."""


def weighed(proposals: Iterable[Proposal]) -> list[Proposal]:
    """The proposals that may be boards, the likeliest first; of two about as likely apart from each other, the larger.

    A small part of a larger one that is likely, too, is a part of that board, or of what is drawn on it.  Beside the
    board of a page stand smaller ones: another game, an example.
    """
    likely = sorted((c for c in proposals if c.calibration is not None), key=lambda c: -c.confidence)
    sound = [c for c in likely if not any(_swallows(other, c) for other in likely)]
    rivals = [c for c in sound if c.confidence >= sound[0].confidence - ALIKE and _apart(c.box, sound[0].box)]
    largest = max([*sound[:1], *rivals], key=lambda c: c.box.width * c.box.height, default=None)
    return sorted(sound, key=lambda c: c is not largest)


def _apart(one: Box, other: Box) -> bool:
    """Whether two boxes have no pixel in common."""
    across = one.x + one.width <= other.x or other.x + other.width <= one.x
    return across or one.y + one.height <= other.y or other.y + other.height <= one.y


def _swallows(large: Proposal, small: Proposal) -> bool:
    """Whether `small` is a part, of less than half the area, of a `large` one that is nearly as likely."""
    box, other = large.box, small.box
    inside = box.contains(other.centre) and box.width * box.height > 2 * other.width * other.height
    return inside and large.confidence >= min(STRICT, small.confidence)


def claimed(proposal: Proposal, frame: Frame, game: str | None) -> tuple[Proposal, str]:
    """A proposal as a board of `game`, and why the rules speak against what its own reader reads, "" if they do not.

    It is the second look at a proposal, apart from all that its confidence was reckoned from.
    game: None for the first of the games drawn so whose rules allow what it shows.
    """
    if proposal.calibration is None:
        return proposal, "it is no board"
    look = look_named(proposal.calibration.look)
    doubts = []
    for name in look.games if game is None else (game,):
        calibration = replace(proposal.calibration, game=name)
        one, grid = replace(proposal, calibration=calibration), reader_of(calibration).read(frame).grid
        why = find_game(name).refute(grid) or look.refute(one, frame, grid, named=game is not None)
        if not why:
            return one, ""
        doubts.append((one, why))
    return doubts[0]
