"""Pictures to and from files, and to the texts that HTML pages embed."""

from __future__ import annotations

import base64
import io
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bot.storage.files import read_file, write_file
from calibration.frame import Frame, Pixels, Rect
from games.core import SettingsError

if TYPE_CHECKING:
    from PIL import Image

LARGEST = 8_192 * 8_192
"""Pixels a picture may have: two screens of 7680x4320 beside each other; to be looked at, it takes 2 GB of memory."""

SMALL, PER_BYTE = 1 << 22, 2_000
"""Pixels any file may unpack to, and how many more for each of its bytes; screens of one colour have 350 a byte."""

MOST_BYTES = 1 << 28
"""Bytes a picture's file may have: the largest picture without any compression, and more."""

SUFFIXES = (".png", ".jpg", ".jpeg")
"""How the names of screenshots end, in any case of letters; no position does."""

FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF", "PPM")
"""What screenshots are saved as.  Pillow opens more, and some of those by running another program."""

AS_IT_IS, PACKED = 12_000, 24_000
"""Bytes of a picture that a page takes as it is, and that it may have when packed: 30 turns keep within 1.5 MB."""

PACKINGS: tuple[dict[str, Any], ...] = ({"lossless": True, "quality": 50}, *({"quality": q} for q in (80, 50, 20)))
"""How a picture is packed as WebP until it is small: first without a loss, as a drawn board of 494 pixels in 1 KB."""

PNG = b"\x89PNG\r\n\x1a\n"
"""How every PNG file begins."""


def load_picture(path: Path) -> Pixels:
    """The picture in a file as `decode_picture` gives it; raises SettingsError."""
    return decode_picture(read_file(path, most=MOST_BYTES, what="a picture"), str(path))


def decode_picture(data: bytes, name: str) -> Pixels:
    """uint8[height, width, 3], RGB, of an image file; transparent parts are laid on white, of films the first picture.

    Raises SettingsError for what is no picture, is broken or is larger than any screen; `name` is what it calls it.
    """
    from PIL import Image, UnidentifiedImageError

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of odd but legible files
        try:
            with _opened(data, FORMATS) as image:
                image.load()
                return _rgb(image)
        except Image.DecompressionBombError as problem:
            raise SettingsError(
                f"{name} says it has more pixels than any screen, or than its bytes hold: {problem}; save a part of it"
            ) from None
        except Exception as problem:  # its decoders raise whatever a broken file makes them: struct.error, IndexError
            why = "of no kind that is known" if isinstance(problem, UnidentifiedImageError) else repr(problem)
            raise SettingsError(f"{name} is no picture that can be read ({why}): save it as PNG") from None


def _opened(data: bytes, formats: tuple[str, ...]) -> Image.Image:
    """The image whose header `data` begins with, not unpacked yet; raises what Pillow does, as for a bomb."""
    from PIL import Image

    image = Image.open(io.BytesIO(data), formats=formats)
    if image.width * image.height > min(LARGEST, SMALL + PER_BYTE * len(data)):
        raise Image.DecompressionBombError(f"{image.width}x{image.height} in {len(data)} bytes")
    return image


def read_png(path: Path) -> bytes:
    """The bytes of a picture of a run; raises SettingsError for a link, and for what is no PNG by its header."""
    data = read_file(path, most=MOST_BYTES, what="a picture", links=False)
    try:
        if not data.startswith(PNG):
            raise ValueError("it does not begin as one")
        _opened(data, ("PNG",)).close()
    except Exception as problem:  # as in `decode_picture`
        raise SettingsError(f"{path} is no PNG file ({problem}): it is not shown") from None
    return data


def _rgb(image: Image.Image) -> Pixels:
    """The pixels of a loaded image of any mode."""
    from PIL import Image

    if image.mode.startswith("I"):  # 16 bits a channel: keep the upper eight
        grey = (np.clip(np.asarray(image), 0, 65_535) >> 8).astype(np.uint8)
        return np.repeat(grey[:, :, None], 3, axis=2)
    if "A" in image.getbands() or "a" in image.getbands() or "transparency" in image.info:
        with image.convert("RGBA") as clear, Image.new("RGBA", clear.size, "white") as paper:
            paper.alpha_composite(clear)
            return np.asarray(paper.convert("RGB"))
    return np.asarray(image if image.mode == "RGB" else image.convert("RGB"))


def load_frame(path: Path) -> Frame:
    """A saved screenshot as a Frame of scale 1; raises SettingsError."""
    pixels = load_picture(path)
    return Frame(pixels, Rect(0, 0, pixels.shape[1], pixels.shape[0]))


def save_picture(path: Path, pixels: Pixels, *, synced: bool = False) -> None:
    """Writes a PNG as `write_file` does; raises SettingsError where that fails."""
    write_file(path, encode_png(pixels), synced=synced)


def save_image(path: str, image: Image.Image, **options: Any) -> None:
    """Writes a drawing in the format that the end of `path` names; raises SettingsError where that fails.

    options: as Pillow takes them for that format.
    """
    from PIL import Image

    kind = Image.registered_extensions().get(Path(path).suffix.lower())
    try:
        with io.BytesIO() as buffer:
            image.save(buffer, kind or "", **options)
            write_file(Path(path), buffer.getvalue())
    except SettingsError:  # it is a ValueError, too
        raise
    except (KeyError, OSError, ValueError) as error:
        raise SettingsError(f"cannot write the picture {path}: end its name in .png or .jpg ({error})") from error


def encode_png(pixels: Pixels) -> bytes:
    """The PNG file of a picture, compressed lightly: turns are written while a game is played."""
    from PIL import Image

    with io.BytesIO() as buffer:
        Image.fromarray(pixels).save(buffer, "PNG", compress_level=1)
        return buffer.getvalue()


def data_url(png: bytes) -> str:
    """A PNG file as a ``data:`` address for a self-contained page: itself where it is small, else packed as WebP.

    What stays large without a loss, such as a photograph, is packed with some.
    """
    kind, data = "png", png
    if len(png) > AS_IT_IS:
        from PIL import Image

        image = Image.fromarray(decode_picture(png, "the picture"))
        kind = "webp"
        for how in PACKINGS:
            data = _webp(image, **how)
            if len(data) <= PACKED:
                break
    return f"data:image/{kind};base64," + base64.b64encode(data).decode("ascii")


def _webp(image: Image.Image, **how: Any) -> bytes:
    with io.BytesIO() as buffer:
        image.save(buffer, "WEBP", method=0, **how)
        return buffer.getvalue()
