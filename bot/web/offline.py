"""What a browser keeps of the pages, so that they open where the server is not: by a service worker.

It keeps the files that anybody could read in the package, and nothing that a request with a token was answered with.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

WORKER = "worker.js"
"""The service worker, to which the server says what to keep."""

ASKING = ("board.html", "board.js")
"""Pages that ask the server for the rules of their game: without it they are of no use."""

LANGUAGES = "/languages"
"""What the server itself says that is kept, too."""


def files_in(folders: Mapping[str, Path]) -> dict[str, Path]:
    """What is kept: the address of each file -> where it stands.  folders: by the address that they are served at.

    A folder's index.html stands at the folder's own address.
    """
    found = {}
    for address, folder in folders.items():
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder).as_posix()
            if path.is_file() and not name.startswith(".") and name not in (WORKER, *ASKING):
                found[address + name.removesuffix("index.html")] = path
    return found


def worker(folders: Mapping[str, Path]) -> str:
    """The script of the service worker that keeps the files of `folders`: another one as soon as a file is another."""
    kept, version = files_in(folders), hashlib.sha256()
    for address, path in kept.items():
        version.update(address.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    script = (folders["/"] / WORKER).read_text(encoding="utf-8")
    facts = {"VERSION": version.hexdigest()[:16], "FILES": [*kept, LANGUAGES]}
    return "".join(f"const {name} = {json.dumps(value)};\n" for name, value in facts.items()) + script
