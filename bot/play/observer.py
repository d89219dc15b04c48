"""The observer: finds the board on a screen once, then looks only at the board, and finds it again when it moved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import ceil, dist

import numpy as np
from numpy.typing import NDArray

from bot.play.kept import (
    OtherBoardError,
    as_known,
    as_vivid,
    faded_kinds,
    joined_cells,
    keep_numbers,
    now_at,
    odd_kinds,
    passing_kinds,
    without_kinds,
)
from bot.play.motion import BLOCK, mean_colours
from bot.play.parking import is_plain, place_beside
from bot.play.recognition import first_guess
from bot.ports import Clock, Screen, ScreenError, SpeakingScreen
from bot.storage.pages import KnownPage, PageMemory
from calibration.board import Calibration
from calibration.check import check
from calibration.dialog import has_dialog
from calibration.frame import Box, Frame, Pixel, Pixels, Rect, Spot
from calibration.locate import find_controls, locate
from calibration.look import Reader
from calibration.looks import look_named, reader_of
from calibration.place_reader import PlaceReader
from calibration.targets import TargetPatch, same_outline, same_sign, same_tint, target_patch
from calibration.unchanged import changed_cells, is_veiled, lay_beside, place_at, taken_away
from calibration.veiled import place_colours
from calibration.verify import numberings
from games import find_game
from games.core import UNREAD, Cell, Observation, Options, UnreadableError

BUTTON = 3.0
"""Half the side of the smallest square in the middle of a button that is looked at, in pointer units."""

PIECE = "piece:"
STAYING = ("colour:", PIECE)
"""Controls without a sign that show from the start: buttons of colours, pieces in a tray until they are laid."""

REACH = 1.5
"""Half the side of the largest one, in pitches of the board."""

MARGIN = 0.25
"""How much of the board's surroundings is grabbed with it, in pitches: shows a person where the board ends."""

BESIDE = 0.9
"""How far from the board's edge the pointer is parked, in pitches: clear of rows above it and of its shadow."""

SNUG = 0.8
"""A reading has settled when its least certain cell keeps this share of the certainty it had in settled readings:
a cell in the middle of a fade lies between two palette colours, where the margin is far smaller."""

RETRY = 0.1
"""Seconds between two tries to take a picture: while a monitor is switched, none can be taken for a moment."""

RESCALED = 0.02
"""How much the pixels to a pointer unit may differ from those of the calibration: crops to whole pixels by 0.005."""


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """One reading of the board.

    frame: the picture of the board and little more.  observation: its reading.
    offset: the picture's top left corner in pixels of the full picture.  learned: the calibration with kinds of cells
    that showed for the first time; not to be trusted while something moves.
    grab, read: milliseconds each took.  done: when the reading was there, in seconds of the clock.
    breathing: the parts of the picture that change by themselves.
    """

    frame: Frame
    observation: Observation
    offset: Pixel
    grab: float
    read: float
    done: float
    learned: Calibration
    breathing: tuple[Box, ...] = ()


class Observer:
    """Sees one board on `screen`; what `options` tell of the variant is told to every reading.

    patience: seconds for which a picture that cannot be taken is asked for again, and effects of gestures are awaited.
    memory: what is known of the page from earlier visits.
    blind: seconds for which that went on, altogether.  patches: what controls looked like when they were found.
    breathing: cells that change by themselves.
    """

    def __init__(
        self,
        screen: Screen,
        clock: Clock,
        game: str | None,
        *,
        options: Options = Options(),
        patience: float = 0.0,
        memory: PageMemory | None = None,
    ) -> None:
        self.screen, self.game = screen, game
        self.last: Frame | None = None
        self.blind = 0.0
        self.breathing: frozenset[Cell] = frozenset()
        self._doubted: set[int] = set()  # kinds that may be others as they fade
        self._clock, self.patience = clock, patience
        self._options, self._memory = options, memory
        self._numbers: Mapping[str, int] = {}
        self._calibration: Calibration | None = None
        self._found_on: Frame | None = None
        self._full = Rect(0, 0, 1, 1)
        self._reader: tuple[Pixel, Reader] | None = None
        self._latest: tuple[Calibration, Reading] | None = None
        self._usual: float | None = None
        self._rested = False
        self.patches: dict[str, TargetPatch] = {}
        self._cells: dict[Cell, Pixels] = {}

    @property
    def calibration(self) -> Calibration:
        """The calibration in force; `find` must have been called."""
        assert self._calibration is not None
        return self._calibration

    def find(self, saved: Calibration | None = None, *, hoped: bool = False) -> Frame:
        """Finds the board on the whole screen and gives the picture it was found on; raises BoardNotFoundError.

        saved: a calibration that may still hold; where the picture does not agree, its numbers of colours are kept.
        hoped: whether a small board is taken for which too little speaks elsewhere.
        """
        frame = self._grab(None)
        if saved is not None and check(frame, saved).good:
            self.adopt(saved, frame)
        else:
            found = self._played(locate(frame, self.game, near=saved, hoped=hoped), frame)
            with suppress(OtherBoardError):
                found = found if saved is None else keep_numbers(found, saved)
            self.patches.clear()  # another picture may number the colours otherwise
            known = self._memory.recall(found.look) if self._memory is not None and saved is None else None
            self.adopt(found if known is None else self._recalled(as_known(found, known, self.game), frame), frame)
            if known is None and saved is None:
                self._guess(frame)
        return frame

    def _guess(self, frame: Frame) -> None:
        """Takes for the game, and for where its players start, what the buttons and the deal tell."""
        told = first_guess(self.calibration, reader_of(self.calibration).read(frame), self.breathing)
        if told is not None and self.game in (None, told[0].name):
            game, state = told
            self.amend(replace(self.calibration, game=game.name))
            self._numbers = game.habits(state)

    def _recalled(self, known: KnownPage, frame: Frame) -> Calibration:
        """What is known of the page, taken for what holds until it shows otherwise; gives the calibration.

        A control in whose place `frame` shows another sign is not taken for it; one that does not show yet may come.
        """
        self.adopt(known.calibration, frame)
        self._numbers, controls = known.numbers, dict(known.calibration.controls)
        for name, pixels in known.faces.items():
            now, then = self.patch(name, frame), target_patch(pixels)
            if now.bare or same_sign(then, now):
                self.patches[name] = then
            else:
                del controls[name], self.patches[name]
        return replace(known.calibration, controls=controls)

    def doubt(self) -> None:
        """Takes nothing more for known of the page's positions: they cannot be so."""
        self._numbers = {}

    def keep(self, numbers: Mapping[str, int]) -> None:
        """Keeps what was learned of the page for its next game, and in its memory for the next visit.

        numbers: what no picture tells of its positions; {} where that did not show.
        """
        self._numbers = numbers or self._numbers
        if self._memory is not None:
            controls = {name: self.patches.get(name) for name in self.calibration.controls if ":" not in name}
            faces = {name: patch.pixels for name, patch in controls.items() if patch is not None and not patch.bare}
            self._memory.keep(KnownPage(self.calibration, self._numbers, faces))

    def _played(self, found: Calibration, frame: Frame) -> Calibration:
        """`found`, with two players' pieces exchanged where only so any game leads to what they show."""
        for calibration in numberings(found):
            with suppress(UnreadableError):
                find_game(found.game).read(reader_of(calibration).read(frame))
                return calibration
        return found

    def find_again(self, *, anew: bool = False) -> tuple[Frame, Calibration]:
        """The board as the whole screen shows it now, its colours numbered as before.

        anew: whether to look for any such board, and not first for the one that is known.
        Raises BoardNotFoundError where no board is seen, OtherBoardError where there is one of another kind.
        """
        frame = self._grab(None)
        anew = anew or rescaled(frame.scale, self._scale)  # what is known of its pixels holds no longer
        known = self.calibration
        found = locate(frame, known.game, near=None if anew else known)
        if self._found_on is not None and lay_beside(
            self._found_on.pixels, known.lattice.box, frame.pixels, found.lattice.box
        ):
            raise OtherBoardError("the board there is another one, which lay beside the one that was played on")
        return frame, keep_numbers(found, known)

    def find_controls(self) -> Frame:
        """Looks for controls that did not show before, such as faded buttons, and adds them to the calibration.

        Where one has taken the place of another, that one's is not known any more, nor is a piece that is gone.  One
        that still bears its sign is where it was: pages show elsewhere as well what is in hand.  Gives the picture.
        """
        frame = self._grab(None)
        found = find_controls(frame, self.calibration)
        found = {name: at for name, at in found.items() if not self._is_copy(name, found, frame)}
        shows = any(name.startswith(PIECE) for name in found)  # else something lies over the tray
        kept = {
            name: at if ":" in name else now_at(at, self.patches.get(name), frame)  # others of its kind bear such signs
            for name, at in self.calibration.controls.items()
            if all(dist(at, taken) > BUTTON * max(self._scale) for taken in found.values())
            and (name in found or not (shows and name.startswith(PIECE)) or self._shows_still(name, frame))
        }
        self.amend(replace(self.calibration, controls={**kept, **found}))
        self._meet(frame)
        return frame

    def _is_copy(self, name: str, found: Mapping[str, Pixel], frame: Frame) -> bool:
        """Whether a piece was found beside its place, where it still is, in another light."""
        at = self.calibration.controls.get(name) if PIECE in name and name in self.patches else None
        taken = at is None or any(dist(at, other) <= BUTTON * max(self._scale) for other in found.values())
        return not taken and self._shows_still(name, frame)

    def _shows_still(self, control: str, frame: Frame) -> bool:
        """Whether a piece that was not found may be where it was, in another light: what shows as it did is another."""
        with suppress(ValueError):  # it lies outside of the picture, for the board has moved
            known = self.patches.get(control, now := self.patch(control, frame))  # one that is chosen may be lit
            lit = not same_tint(known.colour, now.colour)
            return known is now or (lit and same_sign(known, now) and same_outline(known, now))
        return False

    def adopt(self, calibration: Calibration, frame: Frame) -> None:
        """Uses `calibration`, which holds for the full picture `frame`."""
        lattice, known = calibration.lattice, self._calibration
        if known is not None and (known.lattice.rows, known.lattice.cols) != (lattice.rows, lattice.cols):
            self.patches, self._cells = {}, {}  # of a part of the board, or of another one
        self._calibration = calibration
        self._found_on = frame
        self._full = frame.region
        self._scale = frame.scale
        self._reader = None
        self._usual = None
        self._meet(frame)
        if not self._cells:  # later pictures may show what does not belong there
            every = (Cell(row, col) for row in range(lattice.rows) for col in range(lattice.cols))
            self._keep_cells(frame, every)

    def adopt_best(self, found: Sequence[tuple[Frame, Calibration]]) -> Frame:
        """Adopts of those with the board where it is in the last one that with most controls and least kinds.

        Gives the picture.
        """
        last = found[-1][1].lattice.box
        same = [each for each in found if np.abs(np.subtract(each[1].lattice.box, last)).max() < 2]
        frame, calibration = max(same, key=lambda each: (len(each[1].controls), -len(each[1].palette)))
        self.patches.clear()  # another of these pictures may number the colours otherwise
        self.adopt(calibration, frame)
        return frame

    def amend(self, calibration: Calibration) -> None:
        """Uses `calibration`, which says more of the same board at the same place: controls, obstacles, how to move."""
        self._calibration, self._reader = calibration, None

    def is_behind_dialog(self, whole: Frame) -> bool:
        """Whether the board, if one was found, lies behind a dialog in a picture of the whole screen."""
        return self._calibration is not None and has_dialog(whole.pixels, self._calibration.lattice.box)

    def is_taken_away(self, reading: Reading) -> bool:
        """Whether the page took the board away, and shows its ground there, or laid a veil over all that it shows.

        A window of a desktop may have been closed.
        """
        found = self._found_on
        if found is None:
            return False
        board = self.calibration.lattice.box
        gone = isinstance(self.screen, SpeakingScreen) and taken_away(found.pixels, board, reading.frame.pixels)
        return gone or is_veiled(found.pixels, board, self.look([self.desktop]).pixels)

    @property
    def desktop(self) -> Rect:
        """All that the screen shows."""
        return self._full

    def read(self) -> Reading:
        """What the board shows now."""
        started = self._clock.now()
        frame = self._grab(self.board_region())
        grabbed = self._clock.now()
        offset = self.pixel(Spot(frame.region.x, frame.region.y))
        observation, learned = self._read_frame(frame, offset)
        read = self._clock.now()
        spent = ((grabbed - started) * 1e3, (read - grabbed) * 1e3)
        lattice = self.calibration.lattice.moved(Pixel(-offset.x, -offset.y))
        breathing = tuple(place_at(lattice, lattice.centre(cell)) for cell in self.breathing)
        reading = Reading(frame, observation, offset, *spent, read, learned, breathing)
        self._latest = self.calibration, reading
        return reading

    def recent(self, seconds: float) -> Reading:
        """The latest reading, where it was there no longer ago, else a new one."""
        calibration, reading = self._latest or (None, None)
        fresh = reading is not None and self._clock.now() - reading.done <= seconds
        return reading if reading is not None and fresh and calibration is self.calibration else self.read()

    def _read_frame(self, frame: Frame, offset: Pixel) -> tuple[Observation, Calibration]:
        """What `frame` shows, and the calibration with what shows for the first time; a still picture is read once."""
        if self._latest is not None:
            calibration, last = self._latest
            same = calibration is self.calibration and last.offset == offset and last.frame.region == frame.region
            if same and np.array_equal(last.frame.pixels, frame.pixels):
                return last.observation, last.learned
        reader = self._reader_at(offset)
        observation = self._read_breathing(reader.read(frame), frame, offset)
        if rescaled(frame.scale, self._scale):
            observation = replace(observation, grid=np.full_like(observation.grid, UNREAD))  # sampled at wrong places
        told = find_game(self.calibration.game).numbers(self._options)
        if told or self._numbers:
            observation = replace(observation, numbers={**self._numbers, **observation.numbers, **told})
        return observation, reader.learned()

    def _read_breathing(self, observation: Observation, frame: Frame, offset: Pixel) -> Observation:
        """`observation`, with cells that breathe of the kind that fades to what they show.

        Cells that are too pale in one area with these breathe, too: what a side owns grows.
        """
        pale = set(observation.unread())
        if not self.breathing or not look_named(self.calibration.look).filled:
            return observation
        lattice = self.calibration.lattice.moved(Pixel(-offset.x, -offset.y))
        faded = faded_kinds(self.calibration, place_colours(frame.pixels, lattice, observation.grid))
        grid = observation.grid.copy()
        for cell in self.breathing:
            grid[cell] = faded[cell]
        self.breathing |= pale & joined_cells(np.where(grid == UNREAD, faded, grid), self.breathing)
        for cell in self.breathing & pale:
            grid[cell] = faded[cell]
        return replace(observation, grid=grid)

    def pales(self) -> bool:
        """Whether there are kinds for the first time that may be others as they fade: do some cells breathe?"""
        if not look_named(self.calibration.look).filled:
            return False
        fresh = odd_kinds(self.calibration) - self._doubted
        self._doubted |= fresh
        return bool(fresh)

    def breathe(self, cells: frozenset[Cell], shown: Sequence[Reading]) -> None:
        """Takes that these cells change by themselves, as the own ones do on some pages, and what that tells.

        shown: what was seen meanwhile.
        """
        fresh, frame, self.breathing = cells - self.breathing, self._found_on, self.breathing | cells
        if not fresh or frame is None or not look_named(self.calibration.look).filled:
            return
        grid = reader_of(self.calibration).read(frame).grid
        passing = passing_kinds(self.calibration, grid, self.breathing)
        if self._rested:  # the others keep their numbers
            last = max(set(range(len(self.calibration.palette))) - passing, default=0)
            passing = {kind for kind in passing if kind > last}
        lasting = without_kinds(self.calibration, passing)
        grid, lattice = reader_of(lasting).read(frame).grid, lasting.lattice
        looks = (
            place_colours(each.frame.pixels, lattice.moved(Pixel(-each.offset.x, -each.offset.y)), grid)
            for each in shown
        )
        self.adopt(as_vivid(lasting, grid, self.breathing, [*looks]), frame)
        if not self._numbers and not self._rested:
            self._guess(frame)

    def _reader_at(self, offset: Pixel) -> Reader:
        """A reader of pictures cut at `offset`; a new one each time where it learns, for pictures may be in motion."""
        if self._reader is None or self._reader[0] != offset or not look_named(self.calibration.look).filled:
            self._reader = offset, reader_of(self.calibration, offset=offset)
        return self._reader[1]

    def settled(self, reading: Reading) -> bool:
        """Whether the cells show their colours as purely as they do when nothing moves."""
        rests = self._usual is None or float(reading.observation.confidence.min()) >= SNUG * self._usual
        return rests and len(reading.learned.palette) <= len(self.calibration.palette)

    def learn(self, reading: Reading, shown: NDArray[np.int8] | None = None) -> Frame | None:
        """Takes the kinds that `reading`, a still one, shows for the first time into the calibration.

        shown: what it shows by the rules; pieces of two players that were learned at once are numbered so.
        Gives a picture of the whole screen where there were any.
        """
        known = len(self.calibration.palette)
        if len(reading.learned.palette) == known:
            return None
        seen = reading.learned
        learned = replace(self.calibration, palette=seen.palette, patches=seen.patches, marked=seen.marked)
        frame, grid = self._grab(None), reading.observation.grid
        if shown is not None:
            alike = (each for each in numberings(learned) if np.array_equal(reader_of(each).read(frame).grid, shown))
            learned = next(alike, learned)
        self.amend(learned)
        step = self.calibration.lattice.grid_step(grid)
        new = np.argwhere(grid[::step, ::step] >= known).tolist()
        self._keep_cells(frame, (Cell(row, col) for row, col in new))
        return frame

    def relearn(self, kind: int, cell: Cell) -> None:
        """Takes the piece in `cell` for what the pieces of `kind`, the last one learned, look like."""
        known = self.calibration
        self.amend(replace(known, palette=known.palette[:kind], patches=known.patches[:kind]))
        reading = self.read()
        learned, shown = reading.learned, int(reading.observation.grid[cell])
        if shown < kind:
            self.amend(known)
            return
        order = [*range(kind), shown, *(each for each in range(kind, len(learned.palette)) if each != shown)]
        palette, patches = (tuple(kinds[at] for at in order if kinds) for kinds in (learned.palette, learned.patches))
        self.amend(replace(learned, palette=palette, patches=patches))

    def remember(self, reading: Reading) -> None:
        """Takes `reading` as an example of a board at rest."""
        self._rested = True
        lowest = float(reading.observation.confidence.min())
        self._usual = lowest if self._usual is None else min(self._usual, lowest)

    def spot(self, pixel: Pixel) -> Spot:
        """Where on the desktop a pixel of the full picture is."""
        across, down = self._scale
        return Spot(self._full.x + pixel.x / across, self._full.y + pixel.y / down)

    def pixel(self, spot: Spot) -> Pixel:
        """Where in the full picture a spot of the desktop is."""
        across, down = self._scale
        return Pixel((spot.x - self._full.x) * across, (spot.y - self._full.y) * down)

    def board_region(self) -> Rect:
        """The part of the desktop that is grabbed while playing."""
        box = self.calibration.lattice.box
        across, down = (MARGIN * pitch for pitch in self.calibration.lattice.pitch)
        left, top = max(0.0, box.x - across), max(0.0, box.y - down)
        width, height = self.calibration.size
        right, bottom = min(width, box.x + box.width + across), min(height, box.y + box.height + down)
        return self.rect(Box(left, top, right - left, bottom - top))

    def surroundings(self, control: str) -> Rect:
        """The square of the desktop round a control that reaches half the way to the next one, or to the edge."""
        controls = self.calibration.controls
        at = self.spot(controls[control])
        others = [self.spot(other) for name, other in controls.items() if name != control]
        apart = [max(abs(at.x - other.x), abs(at.y - other.y)) for other in others]
        pitch = min(along / scale for along, scale in zip(self.calibration.lattice.pitch, self._scale, strict=True))
        left, top, width, height = self._full
        edges = at.x - left, at.y - top, left + width - at.x, top + height - at.y
        reach = max(BUTTON, min([REACH * pitch, *edges, *(each / 2 for each in apart if each > 2 * BUTTON)]))
        return Rect(at.x - reach, at.y - reach, 2 * reach, 2 * reach)

    def patch(self, control: str, frame: Frame) -> TargetPatch:
        """What a control looks like in `frame`; raises ValueError where it lies outside of it."""
        return target_patch(frame.crop(self.surroundings(control)).pixels)

    def picture(self, control: str) -> TargetPatch:
        """What a control looked like when it was found; one that was a bare place then, as it looks now.

        And a button with a sign that is found anew with another one: a number may stand on it.  A button that only
        shows when it is needed was not there; raises ValueError for one outside of the screen.
        """
        known = self.patches.get(control)
        if known is None or known.bare != control.startswith(STAYING):
            now = self.patch(control, self.look([self.surroundings(control)]))
            if known is None or known.bare:
                self.patches[control] = now
            elif not (control.startswith(PIECE) or same_sign(known, now)):
                self.refound(control, now)
        return self.patches[control]

    def refound(self, control: str, now: TargetPatch) -> bool:
        """Whether a control is found where it is known to be by looking for all of them anew; it looks so from then on.

        A button of a colour that may not be played is paler in some games.  now: what showed there just before.
        """
        frame = self._grab(None)
        seen = self.patch(control, frame)
        found = find_controls(frame, self.calibration).get(control) if same_sign(now, seen) else None
        if found is None or max(map(abs, np.subtract(found, self.calibration.controls[control]))) > 2 * BUTTON:
            return False
        self.patches[control] = seen
        return True

    def look(self, rects: Sequence[Rect]) -> Frame:
        """The smallest part of the screen that shows all of `rects`, as far as they lie on it."""
        left, top = max(self._full.x, min(rect.x for rect in rects)), max(self._full.y, min(rect.y for rect in rects))
        right = min(self._full.x + self._full.width, max(rect.x + rect.width for rect in rects))
        foot = min(self._full.y + self._full.height, max(rect.y + rect.height for rect in rects))
        return self._grab(Rect(left, top, right - left, foot - top))

    def faces(self, at: Pixel) -> Iterator[TargetPatch]:
        """What the cell at a place of the full picture looked like when the board was found, then what others did."""
        own = self.calibration.lattice.cell(at)
        for cell in sorted(self._cells, key=lambda cell: cell != own):
            yield target_patch(self._cells[cell])

    def cell(self, cell: Cell, frame: Frame) -> TargetPatch:
        """What a cell looks like in `frame`; raises ValueError where it lies outside of it."""
        lattice = self.calibration.lattice
        return target_patch(frame.crop(self.rect(place_at(lattice, lattice.centre(cell)))).pixels)

    def changed(self, then: Reading, now: Reading) -> frozenset[Cell]:
        """The cells that look otherwise in the second picture; none where the board lies elsewhere in it."""
        if then.frame.pixels.shape != now.frame.pixels.shape or then.offset != now.offset:
            return frozenset()
        lattice = self.calibration.lattice.moved(Pixel(-then.offset.x, -then.offset.y))
        return changed_cells(then.frame.pixels, now.frame.pixels, lattice)

    def meet_previews(self, before: Reading, frame: Frame) -> None:
        """Takes what empty places show in `frame`, and did not `before` the pointer came, for no pieces."""
        reader, seen = self._reader_at(before.offset), frame.crop(before.frame.region)
        if isinstance(reader, PlaceReader) and seen.pixels.shape == before.frame.pixels.shape:
            self.amend(reader.pointed_at(before.frame, seen, before.observation.grid))

    def _keep_cells(self, frame: Frame, cells: Iterable[Cell]) -> None:
        """Keeps what cells look like in a full picture."""
        for cell in cells:
            with suppress(ValueError):  # it lies outside of the picture
                self._cells[cell] = self.cell(cell, frame).pixels

    def _meet(self, frame: Frame) -> None:
        """Takes pictures of the controls that have none from a full picture: others may be hidden in it."""
        for name in set(self.calibration.controls) - set(self.patches):
            with suppress(ValueError):  # it lies outside of the picture
                self.patches[name] = self.patch(name, frame)

    def margin(self, reading: Reading) -> NDArray[np.float32]:
        """The downsampled picture of `reading` with nothing where the board is."""
        x, y, width, height = self.calibration.lattice.box
        left, top = (round(at / BLOCK) for at in (x - reading.offset.x, y - reading.offset.y))
        right, foot = (round(at / BLOCK) for at in (x + width - reading.offset.x, y + height - reading.offset.y))
        squares = downsample(reading)
        squares[max(0, top) : foot, max(0, left) : right] = 0
        return squares

    def board_rect(self) -> Rect:
        """The part of the desktop that is board."""
        return self.rect(self.calibration.lattice.box)

    def beside(self) -> Spot:
        """A place of the desktop beside the board where the pointer may wait."""
        board, found = self.board_rect(), self._found_on
        step = BESIDE * min(board.width / self.calibration.lattice.cols, board.height)
        controls = [self.spot(at) for at in self.calibration.controls.values()]
        plain = (lambda spot: True) if found is None else lambda spot: is_plain(found, self.pixel(spot))
        return place_beside(board, step, self.desktop, controls, plain)

    def rect(self, box: Box) -> Rect:
        """The part of the desktop that a box of the full picture shows."""
        across, down = self._scale
        return Rect(*self.spot(Pixel(box.x, box.y)), box.width / across, box.height / down)

    def _grab(self, region: Rect | None) -> Frame:
        began, failed = self._clock.now(), False
        while True:
            try:
                self.last = self.screen.grab(region)
            except ScreenError:
                if self._clock.now() - began >= self.patience:
                    raise
                failed = True
                self._clock.sleep(RETRY)
            else:
                self.blind += self._clock.now() - began if failed else 0.0
                return self.last


def downsample(reading: Reading) -> NDArray[np.float32]:
    """float32[height / BLOCK, width / BLOCK, 3]: the mean colour of each square, nothing where a cell breathes."""
    squares = mean_colours(reading.frame.pixels)
    for x, y, width, height in reading.breathing:
        left, top = (max(0, int(at // BLOCK)) for at in (x, y))
        squares[top : ceil((y + height) / BLOCK), left : ceil((x + width) / BLOCK)] = 0
    return squares


def rescaled(now: tuple[float, float], then: tuple[float, float]) -> bool:
    """Whether a pointer unit has another number of pixels than it had."""
    return max(abs(one / other - 1) for one, other in zip(now, then, strict=True)) > RESCALED
