"""Where the board is and how its cells look: the lattice and the calibration."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from itertools import chain
from typing import Any, TypeVar, cast

import numpy as np
import tomli_w
from numpy.typing import NDArray

from calibration.frame import Box, Pixel
from calibration.palette import Lit
from games.core import Cell, SettingsError, Target

Colour = tuple[int, int, int]
"""Red, green, blue, each 0 to 255."""


def rgb(colour: NDArray[np.float32]) -> Colour:
    """A colour, float32[3], in whole numbers."""
    red, green, blue = np.rint(colour)
    return int(red), int(green), int(blue)


CellPatch = tuple[Colour, ...]
"""A tiny picture of a kind of cell, row by row: what tells a cross from a ring of the same colour."""


@dataclass(frozen=True, slots=True)
class Lattice:
    """A regular grid of cells in a picture.

    origin: the centre of cell (0, 0).  pitch: from one centre to the next, across and down, in pixels.
    gap: the part of the pitch that lies between cells, in pixels, where the game has grooves.
    """

    origin: Pixel
    pitch: tuple[float, float]
    rows: int
    cols: int
    gap: tuple[float, float] = (0.0, 0.0)

    def centre(self, cell: Cell) -> Pixel:
        """The middle of `cell`, also for cells beyond the edge."""
        return Pixel(self.origin.x + cell.col * self.pitch[0], self.origin.y + cell.row * self.pitch[1])

    def aside(self, cell: Cell) -> Pixel:
        """A place in `cell` beside whatever is round in its middle."""
        x, y = self.centre(cell)
        return Pixel(x - ASIDE * (self.pitch[0] - self.gap[0]), y - ASIDE * (self.pitch[1] - self.gap[1]))

    def cell(self, pixel: Pixel) -> Cell | None:
        """The cell `pixel` lies in, None beside the board."""
        col = round((pixel.x - self.origin.x) / self.pitch[0])
        row = round((pixel.y - self.origin.y) / self.pitch[1])
        return Cell(row, col) if row in range(self.rows) and col in range(self.cols) else None

    @property
    def box(self) -> Box:
        """The rectangle that holds every cell."""
        across, down = self.pitch
        return Box(self.origin.x - across / 2, self.origin.y - down / 2, across * self.cols, down * self.rows)

    def part(self, top: int, left: int, rows: int, cols: int) -> Lattice:
        """That many rows and columns, of which cell (top, left) is the first; they may reach beyond the edge."""
        return replace(self, origin=self.centre(Cell(top, left)), rows=rows, cols=cols)

    @property
    def corners(self) -> Lattice:
        """The places where its cells meet, those at its edge included."""
        across, down = self.pitch
        corner = Pixel(self.origin.x - across / 2, self.origin.y - down / 2)
        return replace(self, origin=corner, rows=self.rows + 1, cols=self.cols + 1)

    @property
    def ringed(self) -> Lattice:
        """The lattice with one more row and column on every side."""
        return self.part(-1, -1, self.rows + 2, self.cols + 2)

    def grid_step(self, grid: NDArray[np.int8]) -> int:
        """How many places of a game's grid lie from cell to cell: 2 where the grooves between cells are places, too.

        A gap alone does not tell: holes of a board have gaps between them, which are none.

        >>> Lattice(Pixel(5, 5), (10, 10), 6, 7, gap=(3, 3)).grid_step(np.zeros((6, 7), dtype=np.int8))
        1
        """
        return 1 if grid.shape == (self.rows, self.cols) else 2

    def moved(self, by: Pixel) -> Lattice:
        """The same lattice, `by` pixels further right and down."""
        return replace(self, origin=Pixel(self.origin.x + by.x, self.origin.y + by.y))


ASIDE = 0.4
"""So far from a cell's middle, in its own width and height, lies a place beside what is round in it."""

Kept = TypeVar("Kept")
"""What a key of a saved calibration holds."""

_WALL = re.compile(r"wall:(?P<way>[hv]),(?P<row>\d+),(?P<col>\d+)")
"""The control that lays a wall: "h" under a cell and the one right of it, "v" right of a cell and the one below."""


def beside(target: Target, other: Target) -> tuple[int, int]:
    """By how many rows and columns one wall begins beside another of its way; (0, 0) where that cannot be said."""
    walls = [_WALL.fullmatch(str(each)) for each in (target, other)]
    if walls[0] is None or walls[1] is None or walls[0]["way"] != walls[1]["way"]:
        return 0, 0
    down, right = (int(walls[1][side]) - int(walls[0][side]) for side in ("row", "col"))
    return down, right


@dataclass(frozen=True, slots=True)
class Calibration:
    """Everything needed to read a board from a picture and to click on it.

    All places are pixels of the full picture the calibration was made on, `size` (width, height) large.
    palette: the colour of each kind of cell, in the order of the game's numbers.
    controls: places to click that are no cells, such as ``"colour:3"``.
    disabled: names of controls that are seen but may not be pressed now, which is why they are none of `controls`.
    others: games whose board it may be as well, the likeliest first, where nobody named one.
    start: the start corner, where the game has one and it could be told.
    blocked: cells of the lattice that are not playable.
    tolerance: how far, as a distance in RGB, a cell's colour may lie from its palette entry.
    lit: how the cells that somebody owns may be lit, see `calibration.palette`; None: that was not looked for.
    confidence: the chance, 0 to 1, that lattice and palette are right.
    look: which way of looking found it and reads it.
    marked: the kinds that share their colour with another kind and are told from it by a mark in the middle; in Blokus
        those that are another player's colour, a tone lighter or darker: the piece laid last.
    patches: tiny pictures of the kinds, where the look needs more than their colours; in the palette's order.
    previews: tiny pictures of what empty places show while they, or what they belong to, are pointed at: no pieces.
    how: in which of its game's ways the screen wants moves made, "" while that is not known.
    park: whether the pointer must leave the board before it is read: what follows the pointer looks like a move.
    rest: whether the pointer must rest on a place before a press there is heard.
    aside: whether cells hear presses beside their middle alone: what shows under the pointer may swallow them there.
    turner: what turns the page to another mode of hearing presses, a key or a control, "" where nothing is known to.
    slots: by how many cells beyond the begin of a wall under cells, and of one beside them, the groove is pressed.
    """

    game: str
    lattice: Lattice
    palette: tuple[Colour, ...]
    size: tuple[int, int]
    controls: Mapping[str, Pixel] = field(default_factory=dict)
    disabled: frozenset[str] = frozenset()
    others: tuple[str, ...] = ()
    start: Cell | None = None
    blocked: frozenset[Cell] = frozenset()
    tolerance: float = 40.0
    lit: Lit | None = None
    confidence: float = 0.0
    look: str = "coloured"
    marked: frozenset[int] = frozenset()
    patches: tuple[CellPatch, ...] = ()
    previews: tuple[CellPatch, ...] = ()
    how: str = ""
    park: bool = False
    rest: bool = False
    aside: bool = False
    turner: str = ""
    slots: tuple[int, int] = (0, 0)

    def find(self, target: Target, *, aside: bool = False) -> Pixel:
        """The pixel to click for a cell or a named control; raises SettingsError where there is none.

        aside: whether beside what may be round in the middle of a cell.

        Boards with grooves have a control for each wall: ``"wall:h,3,4"`` lies in the groove under cell (3, 4),
        ``"wall:v,3,4"`` in the one right of it.
        """
        if isinstance(target, Cell):
            if target.row in range(self.lattice.rows) and target.col in range(self.lattice.cols):
                return self.lattice.aside(target) if aside else self.lattice.centre(target)
            raise SettingsError(f"{target} is not on the {self.lattice.rows}x{self.lattice.cols} board")
        if target in self.controls:
            return self.controls[target]
        wall = _WALL.fullmatch(target) if self.lattice.gap != (0.0, 0.0) else None
        if wall is not None:
            return self._groove(wall["way"], Cell(int(wall["row"]), int(wall["col"])))
        raise SettingsError(f"the screen has no control {target!r}; it has: {', '.join(self.controls) or 'none'}")

    def has(self, target: Target) -> bool:
        """Whether there is a pixel to click for a named control or, on boards with grooves, a wall; a cell has one."""
        grooves = self.lattice.gap != (0.0, 0.0)
        return isinstance(target, Cell) or target in self.controls or (grooves and bool(_WALL.fullmatch(target)))

    def _groove(self, way: str, cell: Cell) -> Pixel:
        """Where a wall that begins in the groove under `cell` ("h"), or right of it ("v"), is laid."""
        beneath, beside = self.slots
        cell = Cell(cell.row, cell.col + beneath) if way == "h" else Cell(cell.row + beside, cell.col)
        beyond = Cell(cell.row + 1, cell.col) if way == "h" else Cell(cell.row, cell.col + 1)
        (x, y), (right, down) = self.find(cell), self.find(beyond)
        return Pixel((x + right) / 2, (y + down) / 2)

    @property
    def cut(self) -> tuple[str, ...]:
        """The sides at which the picture ends less than half a cell from the board: it may go on beyond them."""
        (x, y, width, height), pitch, size = self.lattice.box, self.lattice.pitch, self.size
        room = {"left": x, "top": y, "right": size[0] - x - width, "bottom": size[1] - y - height}
        return tuple(side for side, left in room.items() if left < pitch[side in ("top", "bottom")] / 2)

    @property
    def manners(self) -> dict[str, Any]:
        """The fields that say how moves are made, wherever the board lies."""
        return {name: getattr(self, name) for name in ("how", "park", "rest", "aside", "turner", "slots", "previews")}

    def corrected(self, target: Target, off: tuple[int, int]) -> Calibration:
        """The same calibration where a press on `target` lays a wall so many rows and columns beside it.

        The same object where that is no wall, or not along it, or was corrected before.
        """
        wall, slots, (down, right) = _WALL.fullmatch(str(target)), list(self.slots), off
        along, across = (right, down) if wall is not None and wall["way"] == "h" else (down, right)
        number = 0 if wall is not None and wall["way"] == "h" else 1
        if wall is None or across or abs(along) != 1 or slots[number]:
            return self
        slots[number] = -along
        return replace(self, slots=(slots[0], slots[1]))

    def moved(self, by: Pixel) -> Calibration:
        """The same calibration for a picture in which everything lies `by` pixels further right and down."""
        controls = {name: Pixel(at.x + by.x, at.y + by.y) for name, at in self.controls.items()}
        return replace(self, lattice=self.lattice.moved(by), controls=controls)

    def enlarged(self, by: int, size: tuple[int, int]) -> Calibration:
        """The same calibration for a picture of `size`, of which each `by` x `by` pixels were one."""
        lattice, (across, down), (wide, high) = self.lattice, self.lattice.pitch, self.lattice.gap
        larger = replace(
            lattice,
            origin=Pixel(lattice.origin.x * by, lattice.origin.y * by),
            pitch=(across * by, down * by),
            gap=(wide * by, high * by),
        )
        controls = {name: Pixel(at.x * by, at.y * by) for name, at in self.controls.items()}
        return replace(self, lattice=larger, controls=controls, size=size)


VERSION = 2
"""The version of the TOML that `dump_calibration` writes; it grows when old files can no longer be read."""


FARTHEST = 1e6
"""The largest number a calibration holds: no picture has so many pixels across."""

POINTS = 36
"""Points of a patch: `calibration.patches` looks at 6x6 zones of a cell."""

MOST_CELLS = 200
"""Rows or columns of a board at most; the largest game has 64."""

MOST_KINDS = 100
"""Kinds of cells at most; the largest game shows 16."""


def dump_calibration(calibration: Calibration) -> str:
    """`calibration` as TOML text; ``load_calibration(dump_calibration(c)) == c``."""
    seen = ("game", "look", "size", "tolerance", "confidence", "palette")
    content: dict[str, object] = {
        "version": VERSION,
        **{name: getattr(calibration, name) for name in seen},
        **calibration.manners,
        "previews": _texts(calibration.previews),
        "marked": sorted(calibration.marked),
        "blocked": sorted(calibration.blocked),
        "lattice": asdict(calibration.lattice),
        "faces": _texts(calibration.patches),
        "controls": dict(calibration.controls),
    }
    content |= {name: at for name in ("start", "lit") if (at := getattr(calibration, name)) is not None}
    return tomli_w.dumps(content)


def _texts(patches: tuple[CellPatch, ...]) -> list[str]:
    return [bytes(chain.from_iterable(patch)).hex() for patch in patches]


def load_calibration(text: str) -> Calibration:
    """The calibration `text` holds; raises SettingsError naming the key that is wrong and what belongs there."""
    try:
        content = tomllib.loads(text)
    except (ValueError, RecursionError) as problem:  # a number of 5,000 digits is a ValueError
        raise SettingsError(f"this is no calibration, it is no TOML: {problem}; make it anew: calibrate") from None
    if content.get("version") != VERSION:
        raise SettingsError(
            f"version is {content.get('version')!r}, this Boardsight reads {VERSION}: make the calibration anew"
        )
    table, controls = (_typed(content, name, dict, {}) for name in ("lattice", "controls"))
    loaded = Calibration(
        game=_typed(content, "game", str),
        look=_typed(content, "look", str),
        lattice=Lattice(
            origin=Pixel(*_listed(table, "origin", _number, 2)),
            pitch=_pair(table, "pitch", _number),
            rows=_count(table.get("rows"), "rows"),
            cols=_count(table.get("cols"), "cols"),
            gap=_pair({"gap": [0, 0], **table}, "gap", _number),
        ),
        palette=tuple(_colour(colour) for colour in _typed(content, "palette", list)),
        size=_pair(content, "size", _whole),
        controls={name: Pixel(*_listed(controls, name, _number, 2)) for name in controls},
        start=Cell(*_listed(content, "start", _whole, 2)) if "start" in content else None,
        blocked=frozenset(
            Cell(*_listed({"blocked": cell}, "blocked", _whole, 2)) for cell in _typed(content, "blocked", list, [])
        ),
        marked=frozenset(_listed(content, "marked", _whole) if "marked" in content else ()),
        tolerance=_number(content.get("tolerance"), "tolerance"),
        lit=cast(Lit, _listed(content, "lit", _number, 3)) if "lit" in content else None,
        confidence=_number(content.get("confidence"), "confidence"),
        patches=_patches(content, "faces"),
        previews=_patches(content, "previews"),
        how=_typed(content, "how", str, ""),
        park=_typed(content, "park", bool, False),
        rest=_typed(content, "rest", bool, False),
        aside=_typed(content, "aside", bool, False),
        turner=_typed(content, "turner", str, ""),
        slots=_pair({"slots": [0, 0], **content}, "slots", _whole),
    )
    _check(loaded)
    return loaded


def _check(calibration: Calibration) -> None:
    """Raise SettingsError where parts that are right by themselves do not fit each other."""
    lattice, kinds = calibration.lattice, range(len(calibration.palette))
    cells = [*calibration.blocked] if calibration.start is None else [*calibration.blocked, calibration.start]
    strange = [cell for cell in cells if cell.row not in range(lattice.rows) or cell.col not in range(lattice.cols)]
    if min(lattice.pitch) < 1:
        raise _wrong("pitch", list(lattice.pitch), "at least 1 pixel across and down")
    if not 1 <= len(kinds) <= MOST_KINDS:
        raise _wrong("palette", f"{len(kinds)} colours", f"1 to {MOST_KINDS} of them")
    if strange:
        raise _wrong("blocked or start", list(strange[0]), f"a cell of the {lattice.rows}x{lattice.cols} board")
    if not calibration.marked <= set(kinds):
        raise _wrong("marked", sorted(calibration.marked), f"kinds from 0 to {len(kinds) - 1}")
    if min(calibration.size) < 1 or max(calibration.size) > FARTHEST:
        raise _wrong("size", list(calibration.size), f"a picture's width and height, 1 to {FARTHEST:g}")
    for key, patches in (("faces", calibration.patches), ("previews", calibration.previews)):
        if any(len(patch) != POINTS for patch in patches):
            raise _wrong(key, f"{len(patches)} texts", f"texts of {POINTS} points each")


def _wrong(key: str, value: object, due: str) -> SettingsError:
    text = repr(value)
    text = text if len(text) <= 80 else text[:80] + "..."
    return SettingsError(f"{key} = {text} in the calibration: it must be {due}; correct it or calibrate anew")


DUE = {str: "a text", bool: "true or false", list: "a list", dict: "a table"}
"""What a value must be, for people."""


def _typed(table: Mapping[str, object], key: str, kind: type[Kept], *missing: Kept) -> Kept:
    """The value of a key, or the one for a missing key; raises SettingsError where it is not of that kind."""
    value = table.get(key, *missing)
    if not isinstance(value, kind):
        raise _wrong(key, value, DUE[kind])
    return value


def _listed(
    table: Mapping[str, object], key: str, read: Callable[[object, str], Kept], count: int | None = None
) -> tuple[Kept, ...]:
    """The items of a list, each as it is read, of which there must be `count` where that is given."""
    items = _typed(table, key, list)
    if count not in (None, len(items)):
        raise _wrong(key, items, f"a list of {count} numbers")
    return tuple(read(item, key) for item in items)


def _pair(table: Mapping[str, object], key: str, read: Callable[[object, str], Kept]) -> tuple[Kept, Kept]:
    one, other = _listed(table, key, read, 2)
    return one, other


def _number(value: object, key: str) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not abs(value) <= FARTHEST:
        raise _wrong(key, value, f"a number from {-FARTHEST:g} to {FARTHEST:g}")
    return float(value)


def _whole(value: object, key: str) -> int:
    if type(value) is not int:
        raise _wrong(key, value, "a whole number")
    return value


def _count(value: object, key: str) -> int:
    if not 1 <= (count := _whole(value, key)) <= MOST_CELLS:
        raise _wrong(key, value, f"a whole number from 1 to {MOST_CELLS}")
    return count


def _patches(table: Mapping[str, object], key: str) -> tuple[CellPatch, ...]:
    return tuple(_patch(patch, key) for patch in _typed(table, key, list, []))


def _patch(value: object, key: str) -> CellPatch:
    try:
        points = bytes.fromhex(value) if isinstance(value, str) else b""
    except ValueError:
        points = b""
    if not points or len(points) % 3:
        raise _wrong(key, value, "a text of six hexadecimal digits for each point")
    return tuple((points[i], points[i + 1], points[i + 2]) for i in range(0, len(points), 3))


def _colour(value: object) -> Colour:
    red, green, blue = _listed({"palette": value}, "palette", _whole, 3)
    if min(red, green, blue) < 0 or max(red, green, blue) > 255:
        raise _wrong("palette", value, "lists of red, green and blue, each 0 to 255")
    return red, green, blue
