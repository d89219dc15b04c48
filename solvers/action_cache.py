"""Decisions that outlive the run: a file of one line for each position a player of fixed depth has decided."""

from __future__ import annotations

import json
from pathlib import Path

from games.core import SettingsError

LONGEST_LINE = 4_096
"""Bytes of a line that is read: an answer takes 60."""

MOST_ANSWERS = 1_000_000
"""Answers that are held: some 300 MB."""


class ActionCache:
    """Keys and answers in a file of JSON lines that only grows; read once, the last line of a key counts.

    A line that is cut off, because a run was ended while it wrote, or that is no answer, is left out.
    """

    def __init__(self, path: Path) -> None:
        """Read the file at `path`, which need not be there yet; raises SettingsError where it cannot be read."""
        self._path = path
        self._answers: dict[str, list[object]] = {}
        if not path.exists():
            return
        try:
            if not path.is_file():
                raise SettingsError(f"the cache {path} is a folder or a device: name a file, which need not be there")
            with path.open("rb") as file:
                while line := file.readline(LONGEST_LINE):
                    answer = parse_answer(line)
                    if answer and len(self._answers) < MOST_ANSWERS:
                        self._answers[answer[0]] = answer[1]
        except OSError as error:
            raise SettingsError(f"cannot read the cache {path}: {error.strerror}; name another file") from None

    def get(self, key: str) -> list[object] | None:
        """The answer kept for `key`."""
        return self._answers.get(key)

    def put(self, key: str, answer: list[object]) -> None:
        """Keep an answer, on disk at once; raises SettingsError where that cannot be written."""
        self._answers[key] = answer
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps([key, *answer]) + "\n")
        except OSError as error:
            raise SettingsError(f"cannot write the cache {self._path}: {error.strerror}") from error


def parse_answer(line: bytes) -> tuple[str, list[object]] | None:
    """The key and the answer in a line, None for one that holds none."""
    try:
        match json.loads(line):
            case [str(key), *answer]:
                return key, answer
    except (ValueError, RecursionError):
        pass
    return None
