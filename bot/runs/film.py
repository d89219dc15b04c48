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

PRESSED, PAPER, INK = (255, 0, 128), (250, 250, 248), (40, 40, 44)

CAPTION, LETTERS = 24, 56
"""Pixels under the board for what is played, and letters of it at most."""


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
    shown = run.turns[:: -(-len(run.turns) // MOST)]
    size = _fitting(run.picture(shown[0].picture).shape)
    for turn in shown:
        yield _captioned(_pressed(run, turn).resize(size), f"{turn.number}: {turn.played}"[:LETTERS])
    end, last = run.end or {}, run.turns[-1]
    if end.get("picture") and end["region"] == list(last.region):  # not the whole screen
        from PIL import Image

        picture = Image.fromarray(run.picture(str(end["picture"]))).resize(size)
        yield _captioned(picture, f"{end['cause']}: {end['message']}"[:LETTERS])


def _fitting(shape: tuple[int, ...]) -> tuple[int, int]:
    """The width and height of a picture [height, width, 3], made smaller where it is larger than a film."""
    share = min(1.0, SIDE / max(shape[:2]))
    return max(1, round(shape[1] * share)), max(1, round(shape[0] * share))


def _captioned(picture: Image.Image, text: str) -> Image.Image:
    from PIL import Image, ImageDraw

    paper = Image.new("RGB", (picture.width, picture.height + CAPTION), PAPER)
    paper.paste(picture)
    ImageDraw.Draw(paper).text((6, picture.height + 5), text, fill=INK)
    return paper


def _pressed(run: SavedRun, turn: Turn) -> Image.Image:
    """The board of a turn with a ring where each press was."""
    from PIL import Image, ImageDraw

    picture = Image.fromarray(run.picture(turn.picture))
    pen, radius = ImageDraw.Draw(picture), min(run.calibration(turn.calibration).lattice.pitch) / 4
    for click in turn.clicks:
        x, y = click.pixel.x - turn.offset.x, click.pixel.y - turn.offset.y
        pen.ellipse((x - radius, y - radius, x + radius, y + radius), outline=PRESSED, width=max(2, round(radius / 4)))
    return picture
