"""Files that others wrote, read with a bound: never a device, a pipe or more than there should be.

Files are written beside their place and moved there, so that none is ever half of itself; what a link names is not
written.
"""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO

from calibration.board import Calibration, dump_calibration, load_calibration
from games.core import SettingsError

MOST_CALIBRATION = 1 << 20
"""Bytes of a calibration's file: the largest, with cell patches of 100 kinds, takes 300 KB."""

NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
"""Windows has no such flag: there a link is seen before the file is opened."""


def written_at(path: Path) -> float:
    """When a file was written, in seconds since 1970; 0 where there is none, or a link in its place."""
    try:
        return 0.0 if path.is_symlink() or not path.is_file() else path.stat().st_mtime
    except OSError:
        return 0.0


def open_file(path: Path, *, what: str, links: bool = True) -> BinaryIO:
    """A file opened for reading its bytes; raises SettingsError that names it where it is none or cannot be read.

    what: what the file should hold, such as "settings", for the message.
    links: whether a link is followed, a hard one too; in the folder of a run it is not: it may come from a stranger.
    """
    try:
        if not links and path.is_symlink():
            raise SettingsError(f"{path} is a link: {what} of a run must be a file of its folder, links are not read")
        # Without O_NONBLOCK a pipe that nobody writes to would be waited for for ever.
        flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        file = open(os.open(path, flags | (0 if links else NO_FOLLOW)), "rb")  # noqa: SIM115
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            file.close()
            raise SettingsError(f"{path} is no file that can hold {what}: name a file, not a folder or device")
        if not links and found.st_nlink > 1:
            file.close()
            raise SettingsError(f"{path} is a link: the same file has another name elsewhere; copy the run's folder")
    except SettingsError:  # it is a ValueError, too
        raise
    except FileNotFoundError:
        raise SettingsError(f"there is no file {path}: check the path") from None
    except IsADirectoryError:
        raise SettingsError(f"{path} is a folder: name the file that holds {what}") from None
    except (OSError, ValueError) as problem:  # a name with a NUL is a ValueError
        raise _unreadable(path, problem) from None
    return file


def read_file(path: Path, *, most: int, what: str, links: bool = True) -> bytes:
    """The bytes of a file; raises SettingsError as `open_file` does, and where there are more than `most`."""
    with open_file(path, what=what, links=links) as file:
        try:
            size = os.fstat(file.fileno()).st_size
            if size > most:
                raise SettingsError(f"{path} has {size} bytes, {what} at most {most}: it is something else")
            data = file.read(most + 1)
        except OSError as problem:
            raise _unreadable(path, problem) from None
    if len(data) > most:
        raise SettingsError(f"{path} grew beyond {most} bytes while it was read: it is something else")
    return data


def _unreadable(path: Path, problem: Exception) -> SettingsError:
    reason = getattr(problem, "strerror", None) or problem
    return SettingsError(f"{str(path)!r} cannot be read ({reason}): see who may read it")


def read_text(path: Path, *, most: int, what: str) -> str:
    """The text of a UTF-8 file; raises SettingsError as `read_file` does, and with the place of what is no UTF-8."""
    return _decoded(read_file(path, most=most, what=what), path)


def _decoded(data: bytes, path: Path) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as problem:
        raise SettingsError(f"{path} is no UTF-8 text from byte {problem.start} on: save it as UTF-8") from None


def write_file(path: Path, data: bytes, *, synced: bool = False) -> None:
    """Writes a file beside its place and moves it there: `path` is the old file or the new one, never half of it.

    synced: also waits until it is on the disk, so that it outlives a loss of power.
    Raises SettingsError where it cannot be written, and where `path` is a link, a folder or a device.
    """
    partial = path.with_name(f".{path.name[:200]}.{token_hex(8)}.part")
    try:
        if path.is_symlink() or (path.exists() and not path.is_file()):
            raise SettingsError(f"{path} is a link or no file, and is not written over: remove it, or name another")
        try:
            new = os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_FOLLOW | getattr(os, "O_BINARY", 0)
            with open(os.open(partial, new, 0o666), "wb") as file:
                file.write(data)
                if synced:
                    file.flush()
                    os.fsync(file.fileno())
            os.replace(partial, path)
        except BaseException:
            with contextlib.suppress(OSError):
                partial.unlink()
            raise
    except SettingsError:  # it is a ValueError, too
        raise
    except (OSError, ValueError) as problem:  # a name with a NUL is a ValueError
        reason = getattr(problem, "strerror", None) or problem
        raise SettingsError(f"cannot write {str(path)!r} ({reason}): make room there, or name another place") from None


def write_text(path: Path, text: str, *, synced: bool = False) -> None:
    """Writes a UTF-8 file as `write_file` does."""
    write_file(path, text.encode(), synced=synced)


def read_calibration(path: Path, *, links: bool = True) -> Calibration:
    """The calibration in a file; raises SettingsError that names the file and the key at fault."""
    text = _decoded(read_file(path, most=MOST_CALIBRATION, what="a calibration", links=links), path)
    try:
        return load_calibration(text)
    except SettingsError as problem:
        raise SettingsError(f"{path}: {problem}") from None


def write_calibration(path: Path, calibration: Calibration) -> None:
    """Writes a calibration's file, whole or not at all; raises SettingsError where that fails."""
    write_text(path, dump_calibration(calibration))
