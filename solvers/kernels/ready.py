"""Which solvers have all their kernels in the cache, and how long compiling them takes on this machine."""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

from solvers.kernels.cache import VERSIONS, cache_folder, digest, imported

USUAL = 20.0
"""CPU seconds to compile the kernels of a game that does not say how long that takes."""


def mark_of(game: str, spec: str, solver: Any, state: Any) -> Path:
    """The file that says, where it is there, that `solver`, named by `spec`, needs nothing compiled for `state`.

    Its name holds the text of all kernels that the solver may call, so that an edit of one of them forgets it.
    """
    packing = type(solver.packing_of(state)).__qualname__ if hasattr(solver, "packing_of") else ""
    facts = repr([VERSIONS, spec, packing, [(name, digest(name)) for name in kernels_of(solver)]])
    return cache_folder() / f"{_stem(game, spec)}{sha256(facts.encode()).hexdigest()[:16]}.ready"


def kernels_of(solver: Any) -> list[str]:
    """The modules of all kernels that `solver` may call; none where it needs nothing compiled."""
    return sorted(name for name in imported(type(solver).__module__) if name.startswith("solvers.kernels."))


def note_ready(mark: Path, game: str, spec: str, seconds: float) -> None:
    """Writes the file `mark`: compiling took so many CPU seconds, or what was expected where the most was there."""
    taken = max(seconds, expected_seconds(game, spec) if seconds < usual_seconds(game) / 2 else 0.0)
    with suppress(OSError):
        mark.parent.mkdir(parents=True, exist_ok=True)
        mark.write_text(f"{taken:.1f}", encoding="utf-8")


def expected_seconds(game: str, spec: str) -> float:
    """CPU seconds that compiling will take: as the last time, or as other games took on this machine."""
    with suppress(OSError, ValueError):
        earlier = sorted(cache_folder().glob(f"{_stem(game, spec)}*.ready"), key=lambda path: path.stat().st_mtime)
        if earlier:
            return float(earlier[-1].read_text(encoding="utf-8"))
    return usual_seconds(game) * _pace()


def usual_seconds(game: str) -> float:
    """CPU seconds that compiling the kernels of `game` took on one machine; 0 where it has none."""
    try:
        return float(getattr(import_module(f"solvers.kernels.{game}"), "COMPILE_SECONDS", USUAL))
    except ModuleNotFoundError:
        return 0.0


def _pace() -> float:
    """How much longer this machine takes than that one, by what it has compiled."""
    taken, usual = 0.0, 0.0
    with suppress(OSError, ValueError):
        for path in cache_folder().glob("*.ready"):
            taken += float(path.read_text(encoding="utf-8"))
            usual += usual_seconds(path.name.partition("-")[0])
    return taken / usual if usual else 1.0


def _stem(game: str, spec: str) -> str:
    return f"{game}-{sha256(spec.encode()).hexdigest()[:8]}-"
