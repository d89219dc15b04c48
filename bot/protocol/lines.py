"""Lines that other programs send, read with a bound."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

LONGEST_LINE = 1 << 16
"""Bytes of the longest line that is read: the longest position (64x64 cells) takes 4 KB, the longest game 2 KB."""


def bounded_lines(file: IO[bytes], *, longest: int = LONGEST_LINE) -> Iterator[bytes]:
    """The lines of `file` without their ends; of a line of more than `longest` bytes only one more than these."""
    while line := file.readline(longest + 2):
        rest = line
        while rest and not rest.endswith(b"\n"):
            rest = file.readline(longest)
        yield line.rstrip(b"\r\n")[: longest + 1]
