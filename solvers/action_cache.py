"""Decisions that outlive the run: a file of one line for each position a player of fixed depth has decided."""

from __future__ import annotations

import json
from pathlib import Path

from games.core import SettingsError


class ActionCache:
    """Keys and answers in a file of JSON lines that only grows; read once, the last line of a key counts.

    A line that is cut off, because a run was ended while it wrote, is left out.
    """

    def __init__(self, path: Path) -> None:
        """Read the file at `path`, which need not be there yet; raises SettingsError where it cannot be read."""
        self._path = path
        self._answers: dict[str, list[object]] = {}
        try:
            lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        except (OSError, UnicodeDecodeError) as error:
            raise SettingsError(f"cannot read the cache {path}: {error}") from error
        for line in lines:
            try:
                key, *answer = json.loads(line)
            except (ValueError, TypeError):
                continue
            self._answers[key] = answer

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
