"""Numbers in .npz files that nobody has changed: read with a bound, checked against the hash that their card tells.

Nothing in such a file is run, evaluated or unpickled: arrays of plain numbers are taken, and nothing else.
"""

from __future__ import annotations

import json
import math
import re
import zlib
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile

import numpy as np
from numpy.typing import NDArray

from games.core import SettingsError

MOST_BYTES = 1 << 28
"""Bytes of a file, and of an array unpacked, at most: the largest table that was made has 40 MB."""

MAGIC = b"\x93NUMPY\x01\x00"

HEADER = re.compile(r"\{'descr': '([<|][biuf][1248])', 'fortran_order': False, 'shape': \(([\d, ]{0,80})\), \} *\n")
"""The description of an array of plain numbers as numpy writes it."""


def read_bounded(path: Path, *, most: int = MOST_BYTES) -> bytes:
    """The bytes of a file; raises ValueError where there are more than `most`, and OSError."""
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise ValueError(f"it has more than {most} bytes")
    return data


def read_arrays(data: bytes, *names: str, most: int = MOST_BYTES) -> list[NDArray[Any]]:
    """The arrays of those names in an .npz file; raises ValueError that says what it holds instead.

    most: bytes of each.
    """
    try:
        with ZipFile(BytesIO(data)) as archive:
            return [_array(_member(archive, f"{name}.npy", most), name) for name in names]
    except KeyError as problem:
        raise ValueError(f"it lacks an array: {problem.args[0]}") from None
    except (BadZipFile, zlib.error, EOFError, OSError, RuntimeError) as problem:  # of encrypted ones a RuntimeError
        raise ValueError(f"it is no .npz file of numbers: {problem}") from None


def _member(archive: ZipFile, name: str, most: int) -> bytes:
    """What an archive holds under that name; a header may promise less than there is."""
    info = archive.getinfo(name)
    if info.compress_type not in (ZIP_STORED, ZIP_DEFLATED) or info.file_size > most:
        raise ValueError(f"{name} is packed in another way, or has more than {most} bytes")
    with archive.open(info) as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise ValueError(f"{name} has more than {most} bytes")
    return content


def _array(content: bytes, name: str) -> NDArray[Any]:
    """The array in a file of format 1.0."""
    length = int.from_bytes(content[8:10], "little")
    header = HEADER.fullmatch(content[10 : 10 + length].decode("latin-1"))
    if not content.startswith(MAGIC) or header is None:
        raise ValueError(f"{name} is no array of plain numbers")
    shape = tuple(int(side) for side in header[2].split(",") if side.strip())
    values = np.frombuffer(content, header[1], offset=10 + length)
    if len(values) != math.prod(shape):
        raise ValueError(f"{name} has {len(values)} numbers, its shape {shape} is of {math.prod(shape)}")
    return values.reshape(shape).copy()


def read_verified(path: Path, card: Path, *names: str, remedy: str) -> list[NDArray[Any]]:
    """The arrays of those names in the file at `path`, whose sha256 the JSON of `card` tells.

    Raises SettingsError, with the remedy, where the file is not the one its card describes.
    """
    try:
        data, facts = read_bounded(path), json.loads(read_bounded(card, most=1 << 16))
        if not isinstance(facts, dict) or facts.get("sha256") != sha256(data).hexdigest():
            raise SettingsError(f"{path} is not the file that its card {card.name} describes: {remedy}")
        return read_arrays(data, *names)
    except (OSError, ValueError, RecursionError) as problem:
        raise SettingsError(f"{path} cannot be read with its card ({problem}): {remedy}") from None
