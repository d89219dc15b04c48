"""Where the board is and how its cells look: the lattice and the calibration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from calibration.frame import Box, Pixel
from games.core import Cell, SettingsError, Target

Colour = tuple[int, int, int]
"""Red, green, blue, each 0 to 255."""


@dataclass(frozen=True, slots=True)
class Lattice:
    """A regular grid of cells in a picture.

    origin: the centre of cell (0, 0).  pitch: from one centre to the next, across and down, in pixels.
    """

    origin: Pixel
    pitch: tuple[float, float]
    rows: int
    cols: int

    def centre(self, cell: Cell) -> Pixel:
        """The middle of `cell`, also for cells beyond the edge."""
        return Pixel(self.origin.x + cell.col * self.pitch[0], self.origin.y + cell.row * self.pitch[1])

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

    def moved(self, by: Pixel) -> Lattice:
        """The same lattice, `by` pixels further right and down."""
        return replace(self, origin=Pixel(self.origin.x + by.x, self.origin.y + by.y))


@dataclass(frozen=True, slots=True)
class Calibration:
    """Everything needed to read a board from a picture and to click on it.

    All places are pixels of the full picture the calibration was made on, `size` (width, height) large.
    palette: the colour of each kind of cell, in the order of the game's numbers.
    controls: places to click that are no cells, such as ``"colour:3"``.
    start: the start corner, where the game has one and it could be told.
    blocked: cells of the lattice that are not playable.
    tolerance: how far, as a distance in RGB, a cell's colour may lie from its palette entry.
    confidence: the chance, 0 to 1, that lattice and palette are right.
    """

    game: str
    lattice: Lattice
    palette: tuple[Colour, ...]
    size: tuple[int, int]
    controls: Mapping[str, Pixel] = field(default_factory=dict)
    start: Cell | None = None
    blocked: frozenset[Cell] = frozenset()
    tolerance: float = 40.0
    confidence: float = 0.0

    def find(self, target: Target) -> Pixel:
        """The pixel to click for a cell or a named control; raises SettingsError where there is none."""
        if isinstance(target, Cell):
            if target.row in range(self.lattice.rows) and target.col in range(self.lattice.cols):
                return self.lattice.centre(target)
            raise SettingsError(f"{target} is not on the {self.lattice.rows}x{self.lattice.cols} board")
        if target in self.controls:
            return self.controls[target]
        raise SettingsError(f"the screen has no control {target!r}; it has: {', '.join(self.controls) or 'none'}")

    def moved(self, by: Pixel) -> Calibration:
        """The same calibration for a picture in which everything lies `by` pixels further right and down."""
        controls = {name: Pixel(at.x + by.x, at.y + by.y) for name, at in self.controls.items()}
        return replace(self, lattice=self.lattice.moved(by), controls=controls)
