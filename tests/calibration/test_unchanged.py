"""Controls are told from what shows in their place by their signs and their colours."""

from __future__ import annotations

import numpy as np

from calibration.frame import Pixels
from calibration.unchanged import faded, target_patch

VIOLET, BLUE, PAGE = (138, 75, 184), (47, 111, 208), (244, 241, 234)


def button(colour: tuple[int, int, int]) -> Pixels:
    pixels = np.full((60, 60, 3), PAGE, np.uint8)
    pixels[6:54, 6:54] = colour
    return pixels


def test_a_letter_whose_edge_runs_through_the_middle_of_a_button_is_a_sign() -> None:
    plain, lettered = button(VIOLET), button(VIOLET)
    lettered[14:46, 14:30] = 255
    lettered[14:46, 30] = np.mean([VIOLET, (255, 255, 255)], axis=0)  # smoothed, as letters are
    assert target_patch(plain).bare
    assert not target_patch(lettered).bare


def test_a_button_that_may_not_be_used_is_paler_and_what_covers_it_has_a_colour_of_its_own() -> None:
    known = target_patch(button(BLUE))
    paler = np.round(np.average([BLUE, PAGE], axis=0, weights=[0.3, 0.7])).astype(int)
    assert faded(known, target_patch(button(tuple(paler.tolist()))))
    covers = [button((255, 179, 0)), button((46, 125, 50)), np.full((60, 60, 3), (240, 241, 245), np.uint8)]
    assert not any(faded(known, target_patch(cover)) for cover in covers)
