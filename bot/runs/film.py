"""A run as a short film, to be shared: the board of each turn with what was pressed, and how it ended."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from bot.runs.journal import SavedRun, Turn, open_run
from bot.storage.pictures import save_image
from games.core import SettingsError

if TYPE_CHECKING:
    from PIL import Image

SIDE = 480
"""Pixels of a film's longer side at most."""

MOST = 400
"""Turns of a film at most, picked evenly: all of its pictures are in memory when it is written."""

PACE, LAST = 600, 2500
"""Milliseconds for which a turn is shown, and the last picture."""

PRESSED = (255, 0, 128)


def write_film(folder: Path, path: Path | None = None) -> Path:
    """Writes the film of the run in `folder`, as GIF or where `path` ends in .png as APNG, and gives its path.

    Raises JournalError where the run cannot be read, SettingsError where it has no turn or the film cannot be written.
    """
    run, path = open_run(folder), path or folder / "film.gif"
    if not run.turns:
        raise SettingsError(f"{folder} has no turn that a film could show: choose another run")
    if path.suffix.lower() not in (".gif", ".png"):
        raise SettingsError(f"a film is no {path.suffix or 'file without a kind'}: end its name in .gif or .png")
    first, *others = _pictures(run)
    paces = [*[PACE] * len(others), LAST]
    save_image(str(path), first, save_all=True, append_images=others, duration=paces, loop=0)
    return path


def _pictures(run: SavedRun) -> Iterator[Image.Image]:
    """The pictures of the film, all of the size of the first."""
    step = -(-len(run.turns) // MOST)
    shown = run.turns[::step]
    size: tuple[int, int] | None = None
    for turn in shown:
        picture = _pressed(run, turn)
        size = size or _fitting(picture.size)
        yield picture.resize(size)
    end, last = run.end or {}, run.turns[-1]
    if end.get("picture") and end["region"] == list(last.region):  # not the whole screen
        from PIL import Image

        yield Image.fromarray(run.picture(str(end["picture"]))).resize(size or (SIDE, SIDE))


def _fitting(size: tuple[int, int]) -> tuple[int, int]:
    """A picture's width and height, made smaller where it is larger than a film."""
    share = min(1.0, SIDE / max(size))
    return max(1, round(size[0] * share)), max(1, round(size[1] * share))


def _pressed(run: SavedRun, turn: Turn) -> Image.Image:
    """The board of a turn with a ring where each press was."""
    from PIL import Image, ImageDraw

    picture = Image.fromarray(run.picture(turn.picture))
    pen, radius = ImageDraw.Draw(picture), min(run.calibration(turn.calibration).lattice.pitch) / 4
    for click in turn.clicks:
        x, y = click.pixel.x - turn.offset.x, click.pixel.y - turn.offset.y
        pen.ellipse((x - radius, y - radius, x + radius, y + radius), outline=PRESSED, width=max(2, round(radius / 4)))
    return picture
