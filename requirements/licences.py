"""Write LICENCES.md, the licences of all packages that are installed: ``python requirements/licences.py``."""

from __future__ import annotations

from importlib.metadata import Distribution, distributions
from pathlib import Path

FILE = Path(__file__).with_name("LICENCES.md")
HEAD = """# Licences of what is installed

What `make test` and `make docs` install beside Boardsight, which is under the MIT licence.
`make licences` writes this page.

Under the GPL are only packages that pyautogui, the mouse of the desktop screen, brings: {strict}.
Boardsight runs without them: the browser, drawn and folder screens need no pyautogui. Who passes a bundle on that
holds them has to keep to the GPL.

| package | version | licence |
|---|---|---|
"""


def licence(package: Distribution) -> str:
    """The licence as the package's metadata tells it, in one line."""
    told = package.metadata
    classified = [
        line.rpartition(" :: ")[2] for line in told.get_all("Classifier", []) if line.startswith("License :: ")
    ]
    text = told.get("License-Expression") or "; ".join(classified) or told.get("License") or "not told"
    return text.strip().splitlines()[0]


def page() -> str:
    """The whole page."""
    found = {package.metadata["Name"]: package for package in distributions()}
    rows = {
        name: (found[name].version.partition("+")[0], licence(found[name]))
        for name in sorted(found, key=str.lower)
        if name not in ("boardsight", "pip")
    }
    strict = [name for name, (_, text) in rows.items() if "GPL" in text or "GNU General Public" in text]
    return HEAD.format(strict=", ".join(strict)) + "".join(
        f"| {name} | {version} | {text} |\n" for name, (version, text) in rows.items()
    )


if __name__ == "__main__":
    FILE.write_text(page(), encoding="utf-8")
