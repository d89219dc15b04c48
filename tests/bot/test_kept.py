"""What a game keeps of its board when that is found anew: the numbers of its colours."""

from dataclasses import replace

import pytest

from bot.play.kept import OtherBoardError, keep_numbers
from calibration.board import Calibration, Lattice
from calibration.frame import Pixel
from calibration.palette import UNLIT

PALE = ((241, 96, 96), (88, 149, 247), (67, 206, 118))
OWN = (239, 68, 68)
"""The first of them, as on cells that somebody owns."""

KNOWN = Calibration(
    game="flood_it",
    lattice=Lattice(Pixel(10, 10), (20, 20), 10, 10),
    palette=PALE,
    size=(200, 200),
    tolerance=20.0,
    lit=(1.17, 255.0, 1.0),
)


@pytest.mark.parametrize("palette", [PALE, (OWN, *PALE[1:]), (PALE[1], OWN, PALE[0])])
def test_a_colour_as_its_owner_shows_it_has_the_number_of_its_kind_on_a_board_that_moved(
    palette: tuple[tuple[int, int, int], ...],
) -> None:
    lattice = replace(KNOWN.lattice, origin=Pixel(10, 30))
    controls = {f"colour:{kind}": Pixel(20.0 * kind, 150.0) for kind in range(len(palette))}
    found = replace(KNOWN, lattice=lattice, palette=palette, tolerance=14.0, lit=None, controls=controls)
    kept = keep_numbers(found, KNOWN)
    assert (kept.lattice, kept.palette, kept.tolerance, kept.lit) == (lattice, PALE, 20.0, KNOWN.lit)
    blue = palette.index(PALE[1])
    assert kept.controls["colour:1"] == controls[f"colour:{blue}"]


def test_two_colours_are_not_one_where_owners_show_in_no_other() -> None:
    with pytest.raises(OtherBoardError, match=r"a colour \(239, 68, 68\) that the game did not have"):
        keep_numbers(replace(KNOWN, palette=(OWN, *PALE)), replace(KNOWN, lit=UNLIT))


def test_buttons_of_colours_that_went_off_the_screen_are_kept_beside_the_board() -> None:
    known = replace(KNOWN, controls={f"colour:{kind}": Pixel(20.0 + 30 * kind, 180.0) for kind in range(3)})
    lattice = replace(known.lattice, origin=Pixel(10, 60))
    for palette in (PALE, (PALE[1], PALE[0])):
        found = replace(known, lattice=lattice, palette=palette, controls={})
        kept = keep_numbers(found, known).controls
        assert kept == {name: Pixel(at.x, at.y + 50) for name, at in known.controls.items()}
