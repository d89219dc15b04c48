"""The pages as they are sent: with the head and the header that all share, and every module they will ask for named."""

from __future__ import annotations

import re
from pathlib import Path

from starlette.responses import HTMLResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

PARTS = {"<head>": "head.html", "<body>": "header.html"}
"""The tags that open what is shared, and its files in the folder ``parts``."""

SCRIPT = re.compile(r'<script type="module" src="([\w./-]+)">')
IMPORT = re.compile(r'^import\b[^"]*"(\./[\w./-]+|\.\./[\w./-]+)";$', re.MULTILINE)


def document(folder: Path, name: str) -> str:
    """The page `name` of `folder`, whole; its own link says where one is."""
    text = (folder / name).read_text(encoding="utf-8")
    for tag, part in PARTS.items():
        opened = re.compile(tag.replace(">", "[^>]*>\n"))
        shared = (folder / "parts" / part).read_text(encoding="utf-8").replace("\\", "\\\\")
        text = opened.sub(rf"\g<0>{shared}", text, count=1)
    text = text.replace(f'<a href="{name}"', f'<a href="{name}" aria-current="page"')
    modules = (module for entry in SCRIPT.findall(text) for module in modules_of(folder, entry))
    named = "".join(f'  <link rel="modulepreload" href="{each}">\n' for each in modules)
    return text.replace("</head>", f"{named}</head>", 1)


def modules_of(folder: Path, entry: str) -> list[str]:
    """The module `entry` of `folder` and all that it imports, or what it imports does: what is asked for at once."""
    found = [entry]
    for name in found:  # which grows
        path = folder / name
        for other in IMPORT.findall(path.read_text(encoding="utf-8")):
            module = (path.parent / other).resolve().relative_to(folder.resolve()).as_posix()
            if module not in found:
                found.append(module)
    return found


class Documents(StaticFiles):
    """The files of `folder`, its pages as `document` makes them."""

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder, html=True)
        self._pages = {path.name: document(folder, path.name) for path in folder.glob("*.html")}

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Answer a request for a file."""
        page = self._pages.get("index.html" if path == "." else path)
        return await super().get_response(path, scope) if page is None else HTMLResponse(page)
