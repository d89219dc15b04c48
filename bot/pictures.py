"""Pictures to and from files, and to the texts that HTML pages embed."""

from __future__ import annotations

import base64
import io
import warnings
from pathlib import Path

import numpy as np

from calibration.frame import Frame, Pixels, Rect
from games.core import SettingsError

LARGEST = 16_384 * 16_384
"""Pixels a picture may have; more would not be a screenshot and could fill the memory."""


def load_picture(path: Path) -> Pixels:
    """uint8[height, width, 3], RGB, of an image file; transparent parts are laid on white.

    Raises SettingsError for what is no picture, is broken or is larger than any screen.
    """
    from PIL import Image

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)
        try:
            with Image.open(path) as image:
                if image.width * image.height > LARGEST:
                    raise SettingsError(f"{path} says it is {image.width}x{image.height} pixels: no screen is so large")
                image.load()
                if image.mode.startswith("I"):  # 16 bits a channel: keep the upper eight
                    deep = np.asarray(image, dtype=np.float64)
                    return np.repeat((deep / 257).astype(np.uint8)[:, :, None], 3, axis=2)
                if "A" in image.getbands() or "transparency" in image.info:
                    with image.convert("RGBA") as clear, Image.new("RGBA", clear.size, "white") as paper:
                        paper.alpha_composite(clear)
                        return np.asarray(paper.convert("RGB"))
                return np.asarray(image.convert("RGB"))
        except FileNotFoundError:
            raise SettingsError(f"there is no picture {path}") from None
        except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as problem:
            if isinstance(problem, SettingsError):
                raise
            raise SettingsError(f"{path} is no picture that can be read ({problem}): save it as PNG") from None


def load_frame(path: Path) -> Frame:
    """A saved screenshot as a Frame of scale 1; raises SettingsError."""
    pixels = load_picture(path)
    return Frame(pixels, Rect(0, 0, pixels.shape[1], pixels.shape[0]))


def save_picture(path: Path, pixels: Pixels) -> None:
    """Writes a PNG through a file beside it, so that `path` is never half a picture; raises OSError."""
    partial = path.with_name(path.name + ".part")
    partial.write_bytes(encode_png(pixels))
    partial.replace(path)


def encode_png(pixels: Pixels) -> bytes:
    """The PNG file of a picture, compressed lightly: turns are written while a game is played."""
    from PIL import Image

    with io.BytesIO() as buffer:
        Image.fromarray(pixels).save(buffer, "PNG", compress_level=1)
        return buffer.getvalue()


def data_url(png: bytes) -> str:
    """A PNG file as the ``data:`` address that a self-contained page can hold."""
    return "data:image/png;base64," + base64.b64encode(png).decode("ascii")
