"""Buttons: blobs of one size beside the board, one in each of its colours."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from calibration.board import Calibration, Colour
from calibration.frame import Box, Pixel, Pixels
from calibration.looks.coloured.labels import is_bare, same_word
from calibration.palette import distances
from calibration.samples import ALIKE, CENTRE, INTERIOR
from calibration.scene import Scene
from calibration.unchanged import FADED, OFF_TINT

SMALLEST = 10.0
"""Pixels. A smaller blob of colour is a legend, not a button."""

LARGEST = 4.0
"""Pitches of the board. Nothing whose shorter side is longer is a colour button."""

SAME_SIZE = 0.15
"""How much the sides of buttons differ, as a share: borders of a chosen one take a few pixels."""

SIDE_BY_SIDE = 4.0
"""Pixels by which the middles of buttons in one row lie apart at most, in its breadth."""

MISSING = 2
"""How many of the board's colours may have no button: those that may not be played now are hidden in some games."""

ALIGNED = 0.2
"""How far, in its own size, a button's middle may lie beside its row's or column's."""

LONGEST_ROW = 10
"""Colours of the game that has most; more equal blobs than twice that are no buttons."""

TOUCHES = 1.5
"""Pixels between a board and a row of its cells that the window cuts off: its lattice may lie so far beside them."""

ROUNDING = 4.0
"""Pixels by which the sides of buttons may differ, however small they are: rims, and what JPEG leaves of them."""

RIM = 2
"""Pixels from a button's corner to what is round it."""

WORD_GAP = 1.5
"""How far apart buttons of different lengths lie in a row at most, in their height."""

OVERLAP = 0.4
"""The part of a row or column of buttons that lies beside the board at least."""

NEARBY = 3.5
"""How far from the board, in their own sizes, buttons lie that do not show all of its colours."""

ROWS = 2
"""Rows that buttons beside a board are laid in at most."""

SHRUNK = 0.4
"""The least part of the others' size that a button has that may not be played now."""

DOUBLE = 24.0
"""RGB distance. A blob nearer than that to a colour whose button is found is a second one: no row of buttons."""

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

TONED, FLAT, STRONGEST = 4, 0.85, 1.35
"""Buttons that show how shading has changed the colours of a board; the worth of a button from which it has not; and
how much contrast it may take at most.
"""

LOOSE = 75.0
"""RGB distance. Shading lifts the colour of a cell from that of its flat button by up to 50; others are farther."""


@dataclass(frozen=True, eq=False)
class ButtonBlobs:
    """ButtonBlobs of colour beside the board.

    pixels: the whole picture.  boxes: float64[n, 4], left, top, width and height.  colours: float64[n, 3].
    palette: float64[kinds, 3], the colours of the board.  away: float64[n, kinds], how far each blob is from each of
        them; inf where it cannot be its button.
    """

    pixels: Pixels
    boxes: NDArray[np.float64]
    colours: NDArray[np.float64]
    palette: NDArray[np.float64]
    away: NDArray[np.float64]

    @cached_property
    def centres(self) -> NDArray[np.float64]:
        """float64[n, 2]: the middle (x, y) of each."""
        return np.asarray(self.boxes[:, :2] + self.boxes[:, 2:] / 2)

    @cached_property
    def off(self) -> NDArray[np.float64]:
        """float64[n, kinds]: how far each is from the way from a kind's colour to that of what is round the blob.

        inf where that is too far for the kind's button that may not be pressed.
        """
        left, top = np.maximum(0, self.boxes[:, :2].astype(int) - RIM).T
        way = self.pixels[top, left].astype(np.float64)[:, None] - self.palette
        off = self.colours[:, None] - self.palette
        part = np.clip((off * way).sum(axis=2) / np.maximum(1.0, (way * way).sum(axis=2)), 0.0, FADED)
        aside = np.linalg.norm(off - part[:, :, None] * way, axis=2)
        return np.asarray(np.where((aside <= OFF_TINT) | (self.away <= DOUBLE), aside, np.inf))

    @cached_property
    def due(self) -> NDArray[np.intp]:
        """The kinds that may have a button among them."""
        return np.flatnonzero(np.isfinite(self.away).any(axis=0))


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


def colour_buttons(scene: Scene, calibration: Calibration, holes: Collection[int] = ()) -> Buttons:
    """The buttons that play the board's colours; no controls where the game has no such buttons.

    holes: kinds that are no cells, as it seems; those that have a button of just their colour are, after all.
    """
    palette = calibration.palette
    found: list[tuple[float, ButtonBlobs, Line]] = []
    for rough in (False, True):  # rough blobs are dear to find, and seldom needed
        blobs = _blobs(scene, calibration, (scene.rough_bars if rough else scene.bars)[:, :4])
        blobs.away[:, list(holes)] = np.where(blobs.away <= EXACT, blobs.away, np.inf)[:, list(holes)]
        best = _best_line(blobs, calibration)
        if best is not None:
            found.append((best.worth, blobs, best))
        if best is not None and len(best.kinds) == len(blobs.due):
            break
    if not found:
        return Buttons({}, palette)
    _, blobs, line = max(found, key=lambda one: one[0])
    return _buttons(blobs, line, palette)


def colours_shown(scene: Scene, calibration: Calibration) -> tuple[float, int]:
    """The share of the board's colours that have a button, as far as a glance shows: a sign that it is a board.

    A button that is paler because it may not be played now counts as well.  And how many colours more have one that
    are gone from the board.
    """
    blobs = _blobs(scene, calibration, scene.bars[:, :4])
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
    while more := {blob for blob in _next_to(blobs, [*shown, *pale]).difference(shown, pale) if may[blob]}:
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


def _next_to(blobs: ButtonBlobs, line: list[int]) -> set[int]:
    """The blobs between those of a row or column, and those that follow them at either end as near as these lie."""
    low, high = blobs.boxes[:, :2], blobs.boxes[:, :2] + blobs.boxes[:, 2:]
    middles, size = blobs.centres, np.median(blobs.boxes[line, 2:], axis=0)
    axis = int(np.ptp(middles[line], axis=0).argmax())
    if np.ptp(middles[line, 1 - axis]) > ALIGNED * size[1 - axis]:
        return set()
    order = sorted(line, key=lambda blob: float(low[blob, axis]))
    first, last = order[0], order[-1]
    gap = float(np.median(low[order[1:], axis] - high[order[:-1], axis]))
    step = float(np.median(np.diff(middles[order, axis])))
    share = blobs.boxes[:, 2:] / size
    fits = (share >= SHRUNK).all(axis=1) & (share <= 1 + SAME_SIZE).all(axis=1)
    fits &= np.abs(middles[:, 1 - axis] - np.median(middles[line, 1 - axis])) <= ALIGNED * size[1 - axis]
    before = np.minimum(abs(low[first] - high - gap), abs(middles[first] - middles - step))[:, axis]
    after = np.minimum(abs(low - high[last] - gap), abs(middles - middles[last] - step))[:, axis]
    between = (low[:, axis] > low[first, axis]) & (high[:, axis] < high[last, axis])
    return set(np.flatnonzero(fits & (between | (np.minimum(before, after) <= ROUNDING))).tolist())


def _best_line(blobs: ButtonBlobs, calibration: Calibration) -> Line | None:
    """The line of blobs beside the board that shows most of its colours; None where none shows enough."""
    board = calibration.lattice.box
    rows = [row for row in _rows(blobs, board) if _beside(blobs.boxes[row], board)]
    for exact in (False, True):  # a pale one may be nearest to another colour
        found = [_with_pale(blobs, _matched(blobs, row, calibration.tolerance, exact=exact)) for row in rows]
        worth = [line for row, line in zip(rows, found, strict=True) if _suffices(blobs, row, line, board)]
        for line in sorted(worth, key=lambda line: -line.worth - PALE * len(line.disabled)):
            if not same_word(blobs.pixels, blobs.boxes[[*line.kinds.values()]]):
                return line
    return None


def _suffices(blobs: ButtonBlobs, row: NDArray[np.intp], line: Line, board: Box) -> bool:
    """Whether a row shows enough of the board's colours, and near enough: icons, too, may have some, farther off."""
    due, near = len(blobs.due), -_shared(blobs.boxes[row], board).min() <= NEARBY * np.median(blobs.boxes[row, 2:])
    enough = len(line.kinds) == due or (near and len(line.kinds) + len(line.disabled) >= _least(due))
    return enough and line.worth >= min(WORTH[0] * due, WORTH[1] * len(line.kinds))


def _beside(boxes: NDArray[np.float64], board: Box) -> bool:
    """Whether most of what the boxes span lies over, under or next to the board, and no farther off than it is large.

    The icons of a dock and the tabs of a window may have the board's colours, too.  What touches the board is a row of
    its cells, which the window cuts off.
    """
    low, high = _span(boxes)
    shared = _shared(boxes, board)
    off = -shared.min() > TOUCHES and (-shared <= (board.width, board.height)).all()
    return bool((shared >= OVERLAP * (high - low)).any() and off)


def _shared(boxes: NDArray[np.float64], board: Box) -> NDArray[np.float64]:
    """float64[2]: how much of each axis the board has in common with what the boxes span; negative: how far off."""
    low, high = _span(boxes)
    first, last = np.array([board.x, board.y]), np.array([board.x + board.width, board.y + board.height])
    return np.asarray(np.minimum(high, last) - np.maximum(low, first))


def _span(boxes: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The first and the last corner of what the boxes span, float64[2] each."""
    return boxes[:, :2].min(axis=0), (boxes[:, :2] + boxes[:, 2:]).max(axis=0)


def _buttons(blobs: ButtonBlobs, best: Line, palette: tuple[Colour, ...]) -> Buttons:
    centres = blobs.centres
    controls = {f"colour:{kind}": Pixel(*map(float, centres[blob])) for kind, blob in sorted(best.kinds.items())}
    # What bears a sign where the buttons bear none restarts the game or opens its settings.
    bare = np.median([is_bare(blobs.pixels, blobs.boxes[blob]) for blob in best.kinds.values()]) == 1
    others = [blob for blob in best.strangers if not bare or is_bare(blobs.pixels, blobs.boxes[blob])]
    missing = [kind for kind in range(len(palette)) if kind not in best.kinds]
    if (
        len(missing) == 1
        and not others
        and not best.disabled
        and (vacant := _vacant(blobs, list(best.kinds.values()))) is not None
    ):
        controls[f"colour:{missing[0]}"] = vacant
    others = [blob for blob in others if blobs.off[blob, list(best.disabled)].min(initial=np.inf) == np.inf]
    faded = max(0, len(blobs.due) - len(best.kinds) - len(best.disabled))  # these are as many
    for blob in others[faded:]:
        controls[f"colour:{len(palette)}"] = Pixel(*map(float, centres[blob]))
        red, green, blue = blobs.colours[blob]
        palette = (*palette, (int(red), int(green), int(blue)))
    return Buttons(controls, palette, best.disabled)


def _vacant(blobs: ButtonBlobs, line: list[int]) -> Pixel | None:
    """The one place between the buttons of even rows and columns where none is seen: it has the page's colour."""
    if len(line) < 3:
        return None
    x, y = (_places(along) for along in blobs.centres[line].T)
    if x is None or y is None:
        return None
    (across, columns), (down, rows) = x, y
    taken = np.zeros((len(rows), len(columns)), dtype=bool)
    taken[down, across] = True
    if taken.sum() != len(line) or (~taken).sum() != 1:
        return None
    row, column = np.argwhere(~taken)[0]
    if row in (0, len(rows) - 1) and column in (0, len(columns) - 1):  # the last row may have fewer
        return None
    return Pixel(float(columns[column]), float(rows[row]))


def _places(along: NDArray[np.float64]) -> tuple[NDArray[np.intp], NDArray[np.float64]] | None:
    """intp[n]: at which of even places along an axis each is; float64[places]: where these are; None where uneven."""
    ordered = np.sort(along)
    steps = np.diff(ordered)
    step = float(steps[steps > SIDE_BY_SIDE].min(initial=np.inf))
    if np.isinf(step):
        return np.zeros(len(along), dtype=np.intp), ordered[len(along) // 2 : len(along) // 2 + 1]
    place = (along - ordered[0]) / step
    number = np.rint(place).astype(np.intp)
    if np.abs(place - number).max() > 0.1:
        return None
    return number, ordered[0] + step * np.arange(number.max() + 1)


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
    strangers = tuple(blob for blob in rest if distances[blob].min() > DOUBLE)
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


def _rows(blobs: ButtonBlobs, board: Box) -> list[NDArray[np.intp]]:
    """Blobs of one size in a row or a column, evenly spaced but for a hidden one; or on one side of the board."""
    found: dict[bytes, NDArray[np.intp]] = {}
    strips: dict[bytes, list[NDArray[np.intp]]] = {}  # what is in line with one need not be found again from the next
    runs: dict[tuple[int, bytes], list[NDArray[np.intp]]] = {}
    for seed in np.flatnonzero(blobs.away.min(axis=1, initial=np.inf) <= LOOSE):
        size = blobs.boxes[seed, 2:]
        allowed = np.maximum(SAME_SIZE * size, ROUNDING)
        alike = np.flatnonzero((np.abs(blobs.boxes[:, 2:] - size) <= allowed).all(axis=1))
        if alike.tobytes() not in strips:
            strips[alike.tobytes()] = list(_strips(blobs, alike, board))
        lines = [_worded(blobs, seed), *strips[alike.tobytes()]]
        for axis in (0, 1):
            beside = np.abs(blobs.centres[alike] - blobs.centres[seed])[:, 1 - axis]
            row = alike[beside <= ALIGNED * size[1 - axis]]
            if (axis, row.tobytes()) not in runs:
                runs[axis, row.tobytes()] = _even(blobs, row, axis)
            lines += [run for run in runs[axis, row.tobytes()] if seed in run]
        found |= {np.sort(line).tobytes(): line for line in lines if 2 <= len(line) <= 2 * LONGEST_ROW}
    return list(found.values())


def _worded(blobs: ButtonBlobs, seed: np.intp) -> NDArray[np.intp]:
    """Those as high as `seed` and next to each other in its row, however long: buttons as long as the words on them."""
    height, centre = blobs.boxes[seed, 3], blobs.centres[seed]
    low = np.abs(blobs.boxes[:, 3] - height) <= max(SAME_SIZE * height, ROUNDING)
    row = np.flatnonzero(low & (np.abs(blobs.centres[:, 1] - centre[1]) <= ALIGNED * height))
    row = row[np.argsort(blobs.boxes[row, 0], kind="stable")]
    ends = blobs.boxes[row, 0] + blobs.boxes[row, 2]
    parted = np.flatnonzero(blobs.boxes[row[1:], 0] - ends[:-1] > WORD_GAP * height)
    return next(part for part in np.split(row, parted + 1) if seed in part)


def _strips(blobs: ButtonBlobs, alike: NDArray[np.intp], board: Box) -> Iterator[NDArray[np.intp]]:
    """Those of the equal blobs `alike` that lie on one side of the board, where they make a row or two there."""
    low, high = np.array([board.x, board.y]), np.array([board.x + board.width, board.y + board.height])
    centres = blobs.centres[alike]
    for axis in (0, 1):
        along = (centres[:, 1 - axis] > low[1 - axis]) & (centres[:, 1 - axis] < high[1 - axis])
        for side in (centres[:, axis] < low[axis], centres[:, axis] > high[axis]):
            strip = alike[along & side]
            depths = np.sort(blobs.centres[strip, axis])
            if len(strip) >= 2 and (np.diff(depths) > ALIGNED * blobs.boxes[strip[0], 2 + axis]).sum() < ROWS:
                yield strip


def _even(blobs: ButtonBlobs, line: NDArray[np.intp], axis: int) -> list[NDArray[np.intp]]:
    """The runs of `line` along `axis` in which blobs follow each other at one step, or at more past hidden ones."""
    order = line[np.argsort(blobs.centres[line, axis], kind="stable")]
    if len(order) < 3:
        return [order]
    steps = np.diff(blobs.centres[order, axis])
    step = max(1.0, float(np.sort(steps)[(len(steps) - 1) // 4]))  # the larger ones pass hidden ones over
    regular = np.abs(steps / step - np.clip(np.rint(steps / step), 1, 1 + MISSING)) <= 0.1
    return np.split(order, np.flatnonzero(~regular) + 1)


def _blobs(scene: Scene, calibration: Calibration, boxes: NDArray[np.float64]) -> ButtonBlobs:
    """The blobs outside of the board that a button could be."""
    left, top, width, height = calibration.lattice.box
    centres = boxes[:, :2] + boxes[:, 2:] / 2
    beside = (centres[:, 0] < left) | (centres[:, 0] > left + width)
    beside |= (centres[:, 1] < top) | (centres[:, 1] > top + height)
    whole = (boxes[:, :2] > 1).all(axis=1)
    whole &= (boxes[:, 0] + boxes[:, 2] < scene.width - 1) & (boxes[:, 1] + boxes[:, 3] < scene.height - 1)
    short = boxes[:, 2:].min(axis=1)
    fits = (short >= SMALLEST) & (short <= LARGEST * max(calibration.lattice.pitch))
    boxes = boxes[beside & whole & fits]
    colours = _colours(scene.pixels, boxes, INTERIOR)
    palette = np.asarray(calibration.palette, dtype=np.float64)
    away = distances(colours, palette)
    dotted = np.abs(_colours(scene.pixels, boxes, CENTRE) - colours).max(axis=1) > ALIKE
    for kind in calibration.marked:  # of two equal colours the marked one has the button with a mark
        twin = calibration.palette.index(calibration.palette[kind])
        away[~dotted, kind] = np.inf
        away[dotted, twin] = np.inf
    return ButtonBlobs(scene.pixels, boxes, colours, palette, away)


def _colours(pixels: Pixels, boxes: NDArray[np.float64], reach: float) -> NDArray[np.float64]:
    """float64[n, 3]: the median colour of the middle of each box, up to `reach` of its sides from the centre."""
    steps = np.linspace(0.5 - reach, 0.5 + reach, 5)
    columns = (boxes[:, 0, None] + boxes[:, 2, None] * steps).astype(int)
    rows = (boxes[:, 1, None] + boxes[:, 3, None] * steps).astype(int)
    samples = pixels[rows[:, :, None], columns[:, None, :]].reshape(len(boxes), 25, 3)
    return np.asarray(np.median(samples, axis=1))
