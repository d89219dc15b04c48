"""Ask the OSV database for known vulnerabilities of every pinned package: ``python requirements/audit.py``.

Exit status 1 where one is known; 0, and a line that says so, where the database cannot be reached.
"""

from __future__ import annotations

import json
import re
import sys
import urllib.request
from pathlib import Path
from typing import Any

DATABASE = "https://api.osv.dev/v1/querybatch"
SECONDS = 10.0
"""How long an answer is waited for."""

PIN = re.compile(r"^([A-Za-z0-9][\w.-]*)==([^\s;]+)", re.MULTILINE)


def pins(folder: Path) -> list[tuple[str, str]]:
    """Name and version of every package that a requirements file of `folder` pins."""
    return sorted({pin for path in folder.glob("*.txt") for pin in PIN.findall(path.read_text(encoding="utf-8"))})


def vulnerabilities(wanted: list[tuple[str, str]], database: str = DATABASE) -> dict[str, list[str]]:
    """Package and version -> the names of its known vulnerabilities; raises OSError, ValueError or KeyError."""
    queries = [{"package": {"name": name, "ecosystem": "PyPI"}, "version": version} for name, version in wanted]
    request = urllib.request.Request(
        database, json.dumps({"queries": queries}).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=SECONDS) as answer:
        results: list[dict[str, Any]] = json.load(answer)["results"]
    return {
        f"{name} {version}": [each["id"] for each in result["vulns"]]
        for (name, version), result in zip(wanted, results, strict=True)
        if result.get("vulns")
    }


def main(database: str = DATABASE, folder: Path = Path(__file__).parent) -> int:
    """Prints what is known and gives the exit status."""
    wanted = pins(folder)
    try:
        known = vulnerabilities(wanted, database)
    except (OSError, ValueError, KeyError) as error:
        print(f"vulnerabilities: not checked, the database {database} cannot be reached ({error})")
        return 0
    for package, names in known.items():
        print(f"vulnerabilities: {package}: {', '.join(names)}")
    if not known:
        print(f"vulnerabilities: none known in {len(wanted)} packages")
    return int(bool(known))


if __name__ == "__main__":
    sys.exit(main())
