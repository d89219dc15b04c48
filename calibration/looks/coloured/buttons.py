"""Buttons: blobs of one size beside the board, one in each of its colours."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.board import Calibration, Colour, Lattice
from calibration.frame import Pixel
from calibration.looks.coloured.blobs import DOUBLE, LOOSE, ButtonBlobs, button_blobs
from calibration.looks.coloured.labels import is_bare, same_word
from calibration.looks.coloured.rows import MISSING, SAME_SIZE, SIDE_BY_SIDE, beside, next_to, rows_of, shared, vacant
from calibration.palette import distances
from calibration.scene import Scene

NEARBY = 3.5
"""How far from the board, in their own sizes, buttons lie that do not show all of its colours."""

HALF = 0.5
"""How large a few buttons must be at least, in cells: what shows players' colours beside their names is a quarter."""

EXACT = 12.0
"""RGB distance. A blob nearer than that to what seems to be no cell is a button of that colour after all."""

WORTH = 0.5, 0.65
"""What a line of buttons is worth at least for each colour of the board, or for each that has a button."""

PALE = 0.9
"""What the paler button of a colour that may not be played now is worth, beside one in that colour."""

STRANGER, BESIDE = 0.25, 0.7
"""What a blob of a colour that is not on the board costs, and what a button is worth that others of its row were found
without: less than in a row that holds it with such a blob."""

LATE, GONE = 3, 0.02
"""So many colours are left near the end of a game, when most buttons are of others; what such a button costs then."""

SHADE, GREY = 0.97, 40.0
"""How alike the hues of a colour and of its button in another shade are at least, and how far from grey both lie."""

TONED, FLAT, STRONGEST = 4, 0.85, 1.35
"""Buttons that show how shading has changed the colours of a board; the worth of a button from which it has not; and
how much contrast it may take at most.
"""


@dataclass(frozen=True, slots=True)
class Buttons:
    """The colour buttons.  controls: where each is.  palette: the board's, and the colours only buttons show.

    disabled: the kinds whose button may not be pressed now: it is paler, or smaller and paler.
    """

    controls: Mapping[str, Pixel]
    palette: tuple[Colour, ...]
    disabled: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Line:
    """Equal blobs in line: which blob shows which kind, and which show none of the board's.

    worth: how many kinds, each less the further its blob's colour is off, less the strangers.
    disabled: the kinds that a paler one in line shows.
    """

    kinds: Mapping[int, int]
    strangers: tuple[int, ...]
    worth: float
    disabled: frozenset[int] = frozenset()


def colour_buttons(
    scene: Scene,
    calibration: Calibration,
    holes: Collection[int] = (),
    gone: Collection[int] = (),
    useful: Collection[frozenset[int]] = (),
) -> Buttons:
    """The buttons that play the board's colours; no controls where the game has no such buttons.

    holes: kinds that are no cells, as it seems; those that have a button of just their colour are, after all.
    gone: kinds that no cell shows any more; some pages have a button for them still.
    useful: kinds that together may be all that have a button now, as few as they are: those beside a player's cells.
    """
    palette = calibration.palette
    found: list[tuple[float, ButtonBlobs, Line]] = []
    for rough in (False, True):  # rough blobs are dear to find, and seldom needed
        blobs = button_blobs(scene, calibration, (scene.rough_bars if rough else scene.bars)[:, :4])
        for kinds, most in ((list(holes), EXACT), (list(gone), DOUBLE)):
            blobs.away[:, kinds] = np.where(blobs.away <= most, blobs.away, np.inf)[:, kinds]
        best = _known_line(blobs, calibration) or _best_line(blobs, calibration, useful)
        if best is not None:
            found.append((best.worth, blobs, best))
        if best is not None and len(best.kinds) == len(blobs.due):
            break
    if not found:
        return Buttons({}, palette)
    _, blobs, line = max(found, key=lambda one: one[0])
    return _buttons(blobs, line, palette)


def other_buttons(scene: Scene, calibration: Calibration) -> Mapping[str, Pixel]:
    """The buttons of another row that shows as many colours as the known one: each player may have one; else none."""
    known = [at for name, at in calibration.controls.items() if name.startswith("colour:")]
    blobs = button_blobs(scene, calibration, scene.bars[:, :4], known)
    line = _best_line(blobs, calibration)
    if line is None or len(line.kinds) + len(line.disabled) < len(known) + len(calibration.disabled):
        return {}
    return _buttons(blobs, line, calibration.palette).controls


def colours_shown(scene: Scene, calibration: Calibration) -> tuple[float, int]:
    """The share of the board's colours that have a button, as far as a glance shows: a sign that it is a board.

    A button that is paler because it may not be played now counts as well.  And how many colours more have one that
    are gone from the board.
    """
    blobs = button_blobs(scene, calibration, scene.bars[:, :4])
    best = _best_line(blobs, calibration)
    if best is None:
        return 0.0, 0
    pale = len(best.disabled)
    return (len(best.kinds) + pale) / len(calibration.palette), max(0, len(best.strangers) - pale)


def _with_pale(blobs: ButtonBlobs, line: Line) -> Line:
    """`line` with the kinds that a paler blob shows: a stranger, or one between its blobs or next to its ends.

    It may be smaller, or wider for a sign on it; its middle, or its side, is as far from the next one's as theirs are.
    What is no farther off in colour than these, and as long or as high, is a button like them after all.
    """
    shown = list(line.kinds.values())
    missing = [int(kind) for kind in blobs.due if kind not in line.kinds]
    may = blobs.off[:, missing].min(axis=1, initial=np.inf) < np.inf
    pale = {blob for blob in line.strangers if may[blob]}
    if not shown or len(shown) + len(pale) < 2:
        return line
    while more := {blob for blob in next_to(blobs, [*shown, *pale]).difference(shown, pale) if may[blob]}:
        pale |= more
    least = (1 - SAME_SIZE) * np.median(blobs.boxes[shown, 2:], axis=0)
    near = max(DOUBLE, *(float(blobs.away[blob, kind]) for kind, blob in line.kinds.items()))
    whole = [blob for blob in pale if (blobs.boxes[blob, 2:] >= least).any()]
    full = {kind: blob for kind in missing for blob in whole if blobs.away[blob, kind] <= near}
    off = blobs.off.copy()
    off[:, [*line.kinds, *full]] = np.inf
    disabled = _nearest(off, pale.difference(full.values()), np.inf)
    return replace(
        line, kinds={**line.kinds, **full}, worth=line.worth + BESIDE * len(full), disabled=frozenset(disabled)
    )


def _known_line(blobs: ButtonBlobs, calibration: Calibration) -> Line | None:
    """What is left of buttons known to lie in a row or a column: some pages show only those that may be pressed.

    None where nothing in one of the board's colours lies there any more.
    """
    known = np.array([at for name, at in calibration.controls.items() if name.startswith("colour:")])
    for axis in (0, 1) if len(known) > 1 else ():
        if np.ptp(known[:, 1 - axis]) <= SIDE_BY_SIDE:
            aside = np.abs(blobs.centres[:, 1 - axis] - known[:, 1 - axis].mean())
            first, half = known[:, axis].min(), np.ptp(known[:, axis]) / 2
            beyond = np.abs(blobs.centres[:, axis] - first - half) - half  # farther off another row may lie
            row = np.flatnonzero((aside <= SIDE_BY_SIDE) & (beyond <= 2 * half / (len(known) - 1)))
            line = _with_pale(blobs, _matched(blobs, row, EXACT, exact=True))
            return replace(line, strangers=()) if line.kinds else None
    return None


def _best_line(blobs: ButtonBlobs, calibration: Calibration, useful: Collection[frozenset[int]] = ()) -> Line | None:
    """The line of blobs beside the board that shows most of its colours; None where none shows enough."""
    board = calibration.lattice.box
    rows = [row for row in rows_of(blobs, board) if beside(blobs.boxes[row], board)]
    for exact in (False, True):  # a pale one may be nearest to another colour
        found = [_with_pale(blobs, _matched(blobs, row, calibration.tolerance, exact=exact)) for row in rows]
        worth = [
            line
            for row, line in zip(rows, found, strict=True)
            if _suffices(blobs, row, line, calibration.lattice, useful)
        ]
        for line in sorted(worth, key=lambda line: -line.worth - PALE * len(line.disabled)):
            if not same_word(blobs.pixels, blobs.boxes[[*line.kinds.values()]], board):
                return line
    return None


def _suffices(
    blobs: ButtonBlobs, row: NDArray[np.intp], line: Line, lattice: Lattice, useful: Collection[frozenset[int]]
) -> bool:
    """Whether a row shows enough of the board's colours, and near enough: icons, too, may have some, farther off."""
    due, boxes, many = len(blobs.due), blobs.boxes[row], len(line.kinds) + len(line.disabled)
    large = len(row) == many and boxes[:, 2:].min() >= HALF * min(lattice.pitch)
    few = large and frozenset(line.kinds) in useful
    near = -shared(boxes, lattice.box).min() <= NEARBY * np.median(boxes[:, 2:])
    enough = len(line.kinds) == due or (near and (few or many >= _least(due)))
    return enough and line.worth >= min(WORTH[0] * due, WORTH[1] * len(line.kinds))


def _with_shades(blobs: ButtonBlobs, line: Line) -> Line:
    """`line` with the kinds that a stranger shows in a darker shade: a page's words for colours name such, too."""
    missing = [int(kind) for kind in blobs.due if kind not in {*line.kinds, *line.disabled}]
    hues, shown = _hues(blobs.palette[missing]), _hues(blobs.colours[list(line.strangers)])
    alike = shown @ hues.T >= SHADE
    alike &= blobs.colours[list(line.strangers)].mean(axis=1)[:, None] <= blobs.palette[missing].mean(axis=1)
    only = alike & (alike.sum(axis=0) == 1) & (alike.sum(axis=1, keepdims=True) == 1)
    shades = {missing[kind]: line.strangers[blob] for blob, kind in np.argwhere(only).tolist()}
    strangers = tuple(blob for blob in line.strangers if blob not in shades.values())
    return replace(line, kinds={**line.kinds, **shades}, strangers=strangers)


def _hues(colours: NDArray[Any]) -> NDArray[np.float64]:
    """float64[n, 3]: the direction in which each colour lies from grey; shorter for what is nearly that."""
    off = colours - colours.mean(axis=1, keepdims=True, dtype=np.float64)
    hues: NDArray[np.float64] = off / np.maximum(GREY, np.linalg.norm(off, axis=1, keepdims=True))
    return hues


def _buttons(blobs: ButtonBlobs, best: Line, palette: tuple[Colour, ...]) -> Buttons:
    best, centres = _with_shades(blobs, best), blobs.centres
    controls = {f"colour:{kind}": Pixel(*map(float, centres[blob])) for kind, blob in sorted(best.kinds.items())}
    # What bears a sign where the buttons bear none restarts the game or opens its settings.
    bare = np.median([is_bare(blobs.pixels, blobs.boxes[blob]) for blob in best.kinds.values()]) == 1
    others = [blob for blob in best.strangers if not bare or is_bare(blobs.pixels, blobs.boxes[blob])]
    missing = [kind for kind in range(len(palette)) if kind not in best.kinds]
    if (
        len(missing) == 1
        and not others
        and not best.disabled
        and (hidden := vacant(blobs, list(best.kinds.values()))) is not None
    ):
        controls[f"colour:{missing[0]}"] = hidden
    others = [blob for blob in others if blobs.off[blob, list(best.disabled)].min(initial=np.inf) == np.inf]
    faded = max(0, len(blobs.due) - len(best.kinds) - len(best.disabled))  # these are as many
    for blob in others[faded:]:
        controls[f"colour:{len(palette)}"] = Pixel(*map(float, centres[blob]))
        red, green, blue = blobs.colours[blob]
        palette = (*palette, (int(red), int(green), int(blue)))
    return Buttons(controls, palette, best.disabled)


def _least(due: int) -> int:
    """How many of `due` colours must have a button; of three colours one may be hidden."""
    return max(3, due - MISSING) if due > 3 else due - 1 if due == 3 else due


def _matched(blobs: ButtonBlobs, line: NDArray[np.intp], tolerance: float, *, exact: bool = False) -> Line:
    """Each kind given to one of the blobs of `line`; where cells are shaded, by what their colours were before.

    exact: whether only to blobs of just its colour.
    """
    plain = _given(blobs, blobs.away, line, tolerance, most=DOUBLE if exact else LOOSE)
    if exact or len(plain.kinds) < TONED or plain.worth >= FLAT * len(plain.kinds):
        return plain
    kinds, shown = list(plain.kinds), list(plain.kinds.values())
    contrast, light = np.polyfit(blobs.palette[kinds].ravel(), blobs.colours[shown].ravel(), 1)
    if abs(np.log(max(contrast, 0.1))) > np.log(STRONGEST):
        return plain
    away = distances(blobs.colours, contrast * blobs.palette + light)
    toned = _given(blobs, np.where(np.isfinite(blobs.away), away, np.inf), line, tolerance)
    return max(plain, toned, key=lambda given: given.worth)


def _given(
    blobs: ButtonBlobs,
    distances: NDArray[np.float64],
    line: NDArray[np.intp],
    tolerance: float,
    *,
    most: float = LOOSE,
) -> Line:
    """Each kind given to the blob of `line` that is nearest to it in colour, the nearest pair first.

    Two kinds exchange their blobs where both together are nearer then: shading moves all colours alike.
    """
    kinds = _nearest(distances, line, most)
    for one, other in combinations(sorted(kinds), 2):
        kept = distances[kinds[one], one] + distances[kinds[other], other]
        if distances[kinds[other], one] + distances[kinds[one], other] < kept:
            kinds[one], kinds[other] = kinds[other], kinds[one]
    worth = float(sum(1 - distances[blob, kind] / LOOSE for kind, blob in kinds.items()))
    taken = set(kinds.values())
    rest = [int(blob) for blob in line if int(blob) not in taken]
    doubles = sum(bool(distances[blob].min() <= min(tolerance, DOUBLE)) for blob in rest)
    alone = (np.abs(blobs.colours[rest][:, None] - blobs.colours[rest]).max(axis=2) <= EXACT).sum(axis=1) == 1
    strangers = tuple(blob for blob, one in zip(rest, alone, strict=True) if one and distances[blob].min() > DOUBLE)
    faded = distances.shape[1] - len(kinds)  # the buttons of colours that may not be played now
    cost = GONE if not faded and len(kinds) <= LATE else STRANGER
    return Line(kinds, strangers, worth - cost * max(0, len(rest) - faded) - doubles)


def _nearest(distances: NDArray[np.float64], blobs: Iterable[int], most: float) -> dict[int, int]:
    """Each kind given to one of `blobs`, the nearest pair first, while that is nearer than `most`."""
    line = np.array([*blobs], dtype=np.intp)
    away = distances[line]
    kinds: dict[int, int] = {}
    while away.size and (least := float(away.min())) <= most and least < np.inf:
        blob, kind = np.unravel_index(int(away.argmin()), away.shape)
        kinds[int(kind)] = int(line[blob])
        away[blob], away[:, kind] = np.inf, np.inf
    return kinds
