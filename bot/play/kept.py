"""What is kept of one board for the next look at it, or at another one of its page: numbers, controls, how moves go."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from bot.storage.pages import KnownPage
from calibration.board import Calibration, Colour
from calibration.frame import Frame, Pixel
from calibration.looks import look_named
from calibration.palette import UNLIT, distances_lit
from calibration.places import laid_on
from calibration.targets import TargetPatch, sign_in
from games import find_game
from games.core import UNREAD, BoardsightError, Cell
from games.flood import as_grid, region

COLOUR = "colour:"
"""What the names of the buttons of colours begin with."""

SAME_PITCH = 0.02
"""How much the pitch of a board may differ for its controls to lie where they did: nothing was zoomed."""


EDGE = 8
"""Pixels from the picture's edge in which no control that is kept lies: half of it would be seen."""


TINTED = 20.0
"""RGB distance by which a cell that breathes may be off the way from its colour to grey: the ground seen through it is
nearly grey on most pages, off by 2; colours of players' own were off by 50."""


PALEST = 0.3
"""The share of its own colour that a cell which breathes keeps, at least: without it all would fade to every grey."""

NEARER = 0.05
"""What a unit of RGB distance counts beside one off the way to grey, where that may be of two kinds."""


NEARBY = 1.5
"""How far from where it was a control is looked for, in sides of what was seen of it, which are up to three pitches."""


class OtherBoardError(BoardsightError):
    """There is a board, but not the one that was played on."""


def as_known(found: Calibration, page: KnownPage, named: str | None) -> KnownPage:
    """What is known of a `page` as it holds for the board `found` there: a first guess, which may be wrong.

    What lies at places is kept for a board of the same size, controls where that one is drawn as large, too.
    named: the game that the user asked for; nothing is kept of another one.
    """
    known = page.calibration
    if named not in (None, known.game):
        return KnownPage(found)
    known_way = known.how.split("+")[0] in ("", *find_game(known.game).ways)
    manners = known.manners if known_way else {}
    size, then = ((each.rows, each.cols) for each in (found.lattice, known.lattice))
    grown = max(abs(one / other - 1) for one, other in zip(found.lattice.pitch, known.lattice.pitch, strict=True))
    places = {name: _beside(at, known, found) for name, at in known.controls.items() if name in page.faces}
    width, height = found.size
    if (
        size != then
        or grown > SAME_PITCH
        or not all(EDGE <= x < width - EDGE and EDGE <= y < height - EDGE for x, y in places.values())
    ):
        places = {}
    calibration = replace(found, game=known.game, **manners, controls={**places, **found.controls})
    return KnownPage(calibration, page.numbers if size == then else {}, {name: page.faces[name] for name in places})


def now_at(at: Pixel, known: TargetPatch | None, frame: Frame) -> Pixel:
    """Where a control lies in `frame` that showed as `known` at a place: near by, where what lay beside it went."""
    if known is None:
        return at
    height, width = (round(NEARBY * side) for side in known.pixels.shape[:2])
    left, top = max(0, round(at.x) - width), max(0, round(at.y) - height)
    place = sign_in(known, frame.pixels[top : round(at.y) + height, left : round(at.x) + width])
    return at if place is None else Pixel(left + place[0], top + place[1])


def keep_numbers(found: Calibration, known: Calibration) -> Calibration:
    """`found` with its colours numbered as in `known`, so that one game keeps its numbers, and what was learned of it.

    Colours that `found` no longer sees are kept from `known`; so are controls, at the same place beside the board: the
    buttons of colours where it sees none of them.
    Raises OtherBoardError where the board has another size or a colour that `known` has not.
    """
    if (found.lattice.rows, found.lattice.cols) != (known.lattice.rows, known.lattice.cols):
        raise OtherBoardError(
            f"there is a board of {found.lattice.rows}x{found.lattice.cols} cells where one of "
            f"{known.lattice.rows}x{known.lattice.cols} was"
        )
    places = {name: _beside(at, known, found) for name, at in known.controls.items()}
    kept = {name: at for name, at in places.items() if not name.startswith(COLOUR)}
    gone = {} if any(name.startswith(COLOUR) for name in found.controls) else places  # they are off the screen
    found = replace(
        found, **known.manners, tolerance=known.tolerance, lit=known.lit, controls={**kept, **found.controls}
    )
    if found.palette == known.palette:
        return replace(found, controls={**gone, **found.controls})
    if not look_named(found.look).filled:
        return replace(laid_on(known, found.lattice), size=found.size, controls=found.controls)
    old, single = np.asarray(known.palette, dtype=np.float64), known.lit in (None, UNLIT)
    numbers: dict[int, int] = {}
    for index, colour in enumerate(found.palette):
        away = distances_lit(np.array([colour], dtype=np.float64), old, known.lit)[0]
        nearest = int(away.argmin())
        if away[nearest] > known.tolerance or (single and nearest in numbers.values()):
            raise OtherBoardError(f"the board there shows a colour {colour} that the game did not have")
        numbers[index] = nearest
    controls = {**gone, **{_renumbered(name, numbers): at for name, at in found.controls.items()}}
    return replace(found, palette=known.palette, controls=controls, start=known.start or found.start)


def lacks_kinds(calibration: Calibration, grid: NDArray[np.int8]) -> bool:
    """Whether cells show less kinds than on the picture on which the board was found; buttons may have others."""
    kinds = {kind for kind in range(len(calibration.palette)) if f"colour:{kind}" not in calibration.controls}
    return look_named(calibration.look).filled and not kinds.issubset(grid.ravel().tolist())


def passing_kinds(calibration: Calibration, grid: NDArray[np.int8], breathing: Collection[Cell]) -> set[int]:
    """The kinds that only cells which breathe show, while others have buttons: colours on the way to another one.

    Not those of players who have colours of their own, which none of the others becomes.
    """
    shown = {int(grid[cell]) for cell in breathing} - {int(kind) for kind in grid[_apart(grid, breathing)]}
    passing = shown & _unnamed(calibration)
    lasting = [colour for kind, colour in enumerate(calibration.palette) if kind not in passing]
    return {kind for kind in passing if any(_fades_to(colour, calibration.palette[kind]) for colour in lasting)}


def odd_kinds(calibration: Calibration) -> set[int]:
    """The kinds that no button names, where there are buttons, and that another one becomes as it fades."""
    palette = calibration.palette
    others = {kind: (*palette[:kind], *palette[kind + 1 :]) for kind in _unnamed(calibration)}
    return {kind for kind in others if any(_fades_to(colour, palette[kind]) for colour in others[kind])}


def _unnamed(calibration: Calibration) -> set[int]:
    """The kinds that have no button, where at least two others have."""
    kinds = set(range(len(calibration.palette)))
    named = {kind for kind in kinds if f"colour:{kind}" in calibration.controls}
    return kinds - named if len(named) > 1 else set()


def _fades_to(colour: Colour, other: Colour) -> bool:
    """Whether a colour mixed with some grey, or with black or white, is another one."""
    return bool(_off_the_way(np.asarray(colour, dtype=np.float64), np.asarray(other, dtype=np.float64)) <= TINTED)


def _off_the_way(colour: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
    """float64[...]: how far `others`, [..., 3], lie from what a colour becomes as it is mixed with some grey."""
    one, two = colour - colour.mean(), others - others.mean(axis=-1, keepdims=True)
    share = np.clip(two @ one / max(1.0, float(one @ one)), PALEST, 1.0)
    return np.asarray(np.linalg.norm(two - share[..., None] * one, axis=-1))


def faded_kinds(calibration: Calibration, looks: NDArray[np.float32]) -> NDArray[np.int8]:
    """int8[rows, cols]: the kind that colours, [rows, cols, 3], are most likely of as they fade, UNREAD where of none.

    Of two that fade to the same, the one that is nearer.
    """
    shown = looks.astype(np.float64)
    palette = [np.asarray(colour, dtype=np.float64) for colour in calibration.palette]
    off = np.stack([_off_the_way(colour, shown) for colour in palette])
    far = np.stack([np.linalg.norm(shown - colour, axis=-1) for colour in palette])
    likely = (off + NEARER * far).argmin(axis=0)
    within = np.take_along_axis(off, likely[None], axis=0)[0] <= TINTED
    return np.where(within, likely, UNREAD).astype(np.int8)


def without_kinds(calibration: Calibration, kinds: Collection[int]) -> Calibration:
    """`calibration` without these kinds of cells; those after them have lower numbers."""
    left = [kind for kind in range(len(calibration.palette)) if kind not in kinds]
    numbers = {kind: number for number, kind in enumerate(left)}
    controls = {_renumbered(name, numbers): at for name, at in calibration.controls.items()}
    gone = {f"colour:{kind}" for kind in kinds}
    disabled = frozenset(_renumbered(name, numbers) for name in calibration.disabled - gone)
    palette = tuple(calibration.palette[kind] for kind in left)
    return replace(calibration, palette=palette, controls=controls, disabled=disabled) if kinds else calibration


def as_vivid(
    calibration: Calibration, grid: NDArray[np.int8], breathing: Collection[Cell], looks: Sequence[NDArray[np.float32]]
) -> Calibration:
    """`calibration` with the kinds that only cells which breathe show as vivid as they got: it met them at some moment.

    looks: float32[rows, cols, 3] each, the colours of the cells.
    """
    palette = list(calibration.palette)
    for cell in breathing:
        kind = int(grid[cell])
        if kind >= 0 and kind not in grid[_apart(grid, breathing)]:
            seen = [look[cell] for look in looks] + [np.asarray(palette[kind], dtype=np.float32)]
            red, green, blue = (round(float(part)) for part in max(seen, key=np.ptp))
            palette[kind] = (red, green, blue)
    return replace(calibration, palette=tuple(palette))


def _apart(grid: NDArray[np.int8], cells: Collection[Cell]) -> NDArray[np.bool_]:
    """bool[rows, cols]: all cells but these."""
    apart = np.ones(grid.shape, dtype=bool)
    for cell in cells:
        apart[cell] = False
    return apart


def _beside(at: Pixel, known: Calibration, found: Calibration) -> Pixel:
    """The place that lies as `at` does to the board of `known`, for the board of `found`."""
    (x, y), (across, down) = known.lattice.origin, known.lattice.pitch
    (left, top), (right, bottom) = found.lattice.origin, found.lattice.pitch
    return Pixel(left + (at.x - x) / across * right, top + (at.y - y) / down * bottom)


def _renumbered(control: str, numbers: Mapping[int, int]) -> str:
    kind, _, number = control.partition(":")
    return f"{kind}:{numbers[int(number)]}" if kind == "colour" and number.isdecimal() else control


def joined_cells(grid: NDArray[np.int8], cells: Collection[Cell]) -> frozenset[Cell]:
    """The cells that are joined to some of `cells` by cells of one kind."""
    kinds = as_grid(grid)
    return frozenset[Cell]().union(*(region(kinds, cell) for cell in cells))
