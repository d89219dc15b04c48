"""Where no board is found, it is said in words and shown in a picture what was considered and why it was dropped."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.board import Calibration, Lattice
from calibration.dropped import DOUBTED, REFUSED, dropped, leads, verdict
from calibration.frame import Box, Frame, Pixel, Rect
from calibration.locate import BoardNotFoundError, locate
from calibration.look import Proposal
from calibration.scene import Scene

BOARD = Calibration("blokus", Lattice(Pixel(20, 20), (10, 10), 14, 14), ((0, 0, 0),), (400, 300), confidence=0.31)


def tiles() -> Frame:
    """Twelve by twelve equal tiles of many greys: cells, but of no game's board."""
    pixels = np.full((460, 640, 3), 30, np.uint8)
    for (row, col), grey in np.ndenumerate(np.random.default_rng(3).integers(60, 255, (12, 12))):
        pixels[20 + 35 * row : 50 + 35 * row, 60 + 35 * col : 90 + 35 * col] = grey
    return Frame(pixels, Rect(0, 0, 640, 460))


@pytest.mark.parametrize("game", ["connect_four", "blokus", "quoridor"])
def test_shapes_that_repeat_and_are_no_board_are_told(game: str) -> None:
    with pytest.raises(
        BoardNotFoundError, match=r"nearest was \d+x\d+ pixels.*(needed: \d+|dropped: |\d+ of \d+ pieces).*--assist"
    ):
        locate(tiles(), game)


def test_a_blank_picture_is_told_to_hold_nothing() -> None:
    blank = Frame(np.full((300, 400, 3), 200, np.uint8), Rect(0, 0, 400, 300))
    with pytest.raises(BoardNotFoundError, match=r"nothing in it repeats.*--assist"):
        locate(blank, "blokus")


def test_too_little_confidence_is_said_with_what_is_needed() -> None:
    proposal = Proposal(BOARD.lattice.box, "14x14 squares", BOARD)
    assert verdict(proposal, 0.5) == "confidence 0.31 where 0.50 is needed: 14x14 squares"
    assert verdict(Proposal(BOARD.lattice.box, "no rows"), 0.5) == "dropped: no rows"


def test_a_lead_to_a_proposal_is_not_told_twice() -> None:
    scene = Scene(tiles())
    (lead, *_) = leads(scene, [])
    assert "looks like a board of cells with grooves" in lead.explanation
    assert lead.explanation not in [other.explanation for other in leads(scene, [Proposal(lead.box, "this one")])]


def test_each_place_is_framed_once_in_the_colour_of_its_line() -> None:
    scene = Scene(Frame(np.zeros((300, 400, 3), np.uint8), Rect(0, 0, 400, 300)))
    box = Box(50, 60, 200, 150)
    places = [Proposal(box, "one", BOARD), Proposal(box, "other"), Proposal(Box(300, 20, 60, 60), "third")]
    shown = dropped(scene, places, 0.5)
    assert tuple(shown[60, 150]) == DOUBTED
    assert tuple(shown[20, 350]) == REFUSED
    legend = shown[300:].reshape(-1, 3).tolist()
    assert list(DOUBTED) in legend
    assert list(REFUSED) in legend


def test_what_the_network_takes_for_the_middles_of_cells_glows() -> None:
    shown = dropped(Scene(tiles()), [], 0.5).astype(int)
    warmth = shown[..., 0] - shown[..., 2]
    assert np.median(warmth[35 : 35 * 12 : 35, 75 : 75 + 35 * 12 : 35]) > 40
    assert np.median(warmth[:460, 520:]) < 10
