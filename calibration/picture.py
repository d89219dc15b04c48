"""Pictures written to disk."""

from __future__ import annotations

from pathlib import Path

import cv2

from calibration.frame import Pixels
from games.core import SettingsError


def encode_picture(pixels: Pixels) -> bytes:
    """`pixels`, uint8[height, width, 3] in RGB, as the bytes of a PNG file.

    Raises SettingsError where OpenCV cannot write them.
    """
    done, data = cv2.imencode(".png", cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR))
    if not done:
        raise SettingsError(f"a picture of shape {pixels.shape} cannot be written as PNG")
    return data.tobytes()


def write_picture(path: Path | str, pixels: Pixels) -> Path:
    """Write `pixels`, uint8[height, width, 3] in RGB, to `path` as PNG and return the path.

    Raises SettingsError where that fails.
    """
    file = Path(path)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(encode_picture(pixels))
    except OSError as problem:
        raise SettingsError(f"{file} cannot be written: {problem.strerror}; choose another folder") from problem
    return file
