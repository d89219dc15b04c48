"""Which of several proposals is the board: the likeliest that the rules of its game do not speak against."""

from __future__ import annotations

from collections.abc import Iterable

from calibration.frame import Frame
from calibration.look import STRICT, Proposal
from calibration.looks import look_named, reader_of
from games import find_game


def weighed(proposals: Iterable[Proposal]) -> list[Proposal]:
    """The proposals that may be boards, the likeliest first.

    A small part of a larger one that is likely, too, is a part of that board, or of what is drawn on it.
    """
    likely = sorted((c for c in proposals if c.calibration is not None), key=lambda c: -c.confidence)
    return [c for c in likely if not any(_swallows(other, c) for other in likely)]


def _swallows(large: Proposal, small: Proposal) -> bool:
    """Whether `small` is a part, of less than half the area, of a `large` one that is nearly as likely."""
    box, other = large.box, small.box
    inside = box.contains(other.centre) and box.width * box.height > 2 * other.width * other.height
    return inside and large.confidence >= min(STRICT, small.confidence)


def refute(proposal: Proposal, frame: Frame, *, named: bool) -> str:
    """Why the rules of its game speak against a proposal, as its own reader reads it; "" where they do not.

    It is the second look at a proposal, apart from all that its confidence was reckoned from.
    """
    if proposal.calibration is None:
        return "it is no board"
    grid = reader_of(proposal.calibration).read(frame).grid
    why = find_game(proposal.calibration.game).refute(grid)
    return why or look_named(proposal.calibration.look).refute(proposal, frame, grid, named=named)
