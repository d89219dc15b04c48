"""Files that others wrote, read with a bound: never a device, a pipe or more than there should be."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from calibration.board import Calibration, dump_calibration, load_calibration
from games.core import SettingsError

MOST_CALIBRATION = 1 << 20
"""Bytes of a calibration's file: the largest, with cell patches of 100 kinds, takes 300 KB."""


def read_file(path: Path, *, most: int, what: str) -> bytes:
    """The bytes of a file; raises SettingsError that names it where it cannot be read or has more than `most`.

    what: what the file should hold, such as "settings", for the message.
    """
    try:
        # Without O_NONBLOCK a pipe that nobody writes to would be waited for for ever.
        with open(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)), "rb") as file:
            kind = os.fstat(file.fileno())
            if not stat.S_ISREG(kind.st_mode):
                raise SettingsError(f"{path} is no file that can hold {what}: name a file, not a folder or device")
            if kind.st_size > most:
                raise SettingsError(f"{path} has {kind.st_size} bytes, {what} at most {most}: it is something else")
            data = file.read(most + 1)
    except FileNotFoundError:
        raise SettingsError(f"there is no file {path}: check the path") from None
    except IsADirectoryError:
        raise SettingsError(f"{path} is a folder: name the file that holds {what}") from None
    except (OSError, ValueError) as problem:  # a name with a NUL is a ValueError
        reason = getattr(problem, "strerror", None) or problem
        raise SettingsError(f"{str(path)!r} cannot be read ({reason}): see who may read it") from None
    if len(data) > most:
        raise SettingsError(f"{path} grew beyond {most} bytes while it was read: it is something else")
    return data


def read_text(path: Path, *, most: int, what: str) -> str:
    """The text of a UTF-8 file; raises SettingsError as `read_file` does, and with the place of what is no UTF-8."""
    data = read_file(path, most=most, what=what)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as problem:
        raise SettingsError(f"{path} is no UTF-8 text from byte {problem.start} on: save it as UTF-8") from None


def write_file(path: Path, data: bytes) -> None:
    """Writes a file through one beside it, so that `path` is never half of it; raises OSError."""
    partial = path.with_name(path.name + ".part")
    partial.write_bytes(data)
    partial.replace(path)


def write_text(path: Path, text: str) -> None:
    """Writes a UTF-8 file as `write_file` does."""
    write_file(path, text.encode())


def read_calibration(path: Path) -> Calibration:
    """The calibration in a file; raises SettingsError that names the file and the key at fault."""
    text = read_text(path, most=MOST_CALIBRATION, what="a calibration")
    try:
        return load_calibration(text)
    except SettingsError as problem:
        raise SettingsError(f"{path}: {problem}") from None


def write_calibration(path: Path, calibration: Calibration) -> None:
    """Writes a calibration's file, whole or not at all; raises SettingsError where that fails."""
    try:
        write_text(path, dump_calibration(calibration))
    except OSError as problem:
        raise SettingsError(f"{path} cannot be written ({problem.strerror}): name another file") from None
