"""What `make` installs is pinned and hashed, its licences are listed, and known vulnerabilities are asked for."""

from __future__ import annotations

import json
import re
import sys
import threading
import tomllib
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parents[1] / "requirements"


def normal(name: str) -> str:
    """A package's name as registries compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.fixture
def audit(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(FOLDER))
    yield import_module("audit")
    del sys.modules["audit"]


@pytest.fixture
def database() -> Iterator[tuple[str, list[str]]]:
    """A database's address on the loopback interface, and the packages that it knows something bad of."""
    bad: list[str] = []

    class Answering(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            queries = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["queries"]
            results = [{"vulns": [{"id": "OSV-1"}]} if each["package"]["name"] in bad else {} for each in queries]
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps({"results": results}).encode())

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Answering) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/", bad
        server.shutdown()


def test_every_requirement_is_pinned_and_hashed(audit: Any) -> None:
    for path in FOLDER.glob("*.txt"):
        entries = re.split(r"\n(?=\S)", path.read_text().strip())
        assert len(entries) > 10 or path.name == "cpu.txt"
        for entry in entries:
            assert audit.PIN.match(entry), entry.splitlines()[0]
            assert re.search(r"--hash=sha256:[0-9a-f]{64}", entry), entry.splitlines()[0]


def test_nothing_is_fetched_without_a_hash_to_build_what_comes_as_source_alone() -> None:
    """pip would fetch the newest build tools into an isolated environment, whatever is pinned."""
    recipe = (FOLDER.parent / "Makefile").read_text().replace("\\\n", " ")
    assert re.findall(r"pip install .*", recipe) == ["pip install --quiet --no-deps"]
    fetched = re.findall(r"\$\(PIP\) .*", recipe)
    assert len(fetched) > 4
    assert all("--no-build-isolation" in words or "--only-binary :all:" in words for words in fetched)
    ours = "$(PIP) --no-build-isolation -e ."
    assert all("--require-hashes" in words or words.endswith(ours) for words in fetched)


def test_what_the_package_needs_is_installed_with_it(audit: Any) -> None:
    """`make demo` fetches what stands in play.txt and nothing else."""
    needs = tomllib.loads((FOLDER.parent / "pyproject.toml").read_text())["project"]
    pinned = {normal(name) for name, _ in audit.PIN.findall((FOLDER / "play.txt").read_text())}
    assert {normal(name) for name in (*needs["dependencies"], *needs["optional-dependencies"]["play"])} <= pinned


def test_the_hashed_versions_are_those_of_the_constraints(audit: Any) -> None:
    constraints = {
        normal(name): version for name, version in audit.PIN.findall((FOLDER.parent / "constraints.txt").read_text())
    }
    for name, version in audit.PIN.findall((FOLDER / "dev.txt").read_text()):
        assert constraints.get(normal(name), version) == version, name


def test_every_package_that_tests_and_docs_need_has_its_licence_told(audit: Any) -> None:
    page = (FOLDER / "LICENCES.md").read_text()
    told = {normal(name) for name in re.findall(r"^\| ([\w.-]+) \|", page, re.MULTILINE)}
    locks = "".join((FOLDER / name).read_text() for name in ("dev.txt", "docs.txt"))
    unconditional = re.findall(r"^([A-Za-z0-9][\w.-]*)==\S+ \\$", locks, re.MULTILINE)
    assert len(unconditional) > 50
    assert {normal(name) for name in unconditional} <= told
    assert "GPL" in page


def test_a_known_vulnerability_fails_the_check(audit: Any, database: tuple[str, list[str]], capsys: Any) -> None:
    address, bad = database
    assert audit.main(address) == 0
    assert "none known" in capsys.readouterr().out
    bad.append("pillow")
    assert audit.main(address) == 1
    assert re.search(r"pillow \S+: OSV-1", capsys.readouterr().out)


def test_a_database_that_is_not_there_is_said(audit: Any, capsys: Any) -> None:
    assert audit.main("http://127.0.0.1:9/") == 0
    assert "not checked" in capsys.readouterr().out
