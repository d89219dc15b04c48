"""Pictures on disk: read and written in RGB."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from calibration.frame import Frame, Pixels, Rect
from games.core import SettingsError


def read_picture(path: Path | str) -> Frame:
    """The picture in `path` as a Frame of scale 1; raises SettingsError where there is none that can be read."""
    file = Path(path)
    try:
        data = np.frombuffer(file.read_bytes(), dtype=np.uint8)
    except OSError as problem:
        raise SettingsError(f"{file} cannot be opened: {problem.strerror}; check the path") from problem
    pixels = cv2.imdecode(data, cv2.IMREAD_COLOR_RGB) if data.size else None
    if pixels is None:
        raise SettingsError(f"{file} is no picture that can be read ({data.size} bytes): give a PNG or JPEG file")
    rgb = np.ascontiguousarray(pixels, dtype=np.uint8)
    return Frame(rgb, Rect(0, 0, rgb.shape[1], rgb.shape[0]))


def encode_picture(pixels: Pixels) -> bytes:
    """`pixels` as the bytes of a PNG file."""
    done, data = cv2.imencode(".png", cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR))
    if not done:
        raise SettingsError(f"a picture of shape {pixels.shape} cannot be written as PNG")
    return data.tobytes()


def write_picture(path: Path | str, pixels: Pixels) -> Path:
    """Write `pixels` to `path` as PNG and return the path; raises SettingsError where that fails."""
    file = Path(path)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(encode_picture(pixels))
    except OSError as problem:
        raise SettingsError(f"{file} cannot be written: {problem.strerror}; choose another folder") from problem
    return file
