"""The fuzz led by coverage: Atheris (libFuzzer for Python) looks for inputs that reach lines no input reached before.

``python -m bench.fuzz.guided journals --seconds 600`` keeps at one of the targets of `bench.fuzz.targets`; it ends with
status 0 where nothing was found.  Needs ``pip install 'boardsight[fuzz]'``, which there is for Linux and macOS.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

ROOMS = ["bot", "calibration", "games", "solvers", "tomllib", "json"]
"""What is watched for lines that were not reached before."""

MOST_MEMORY = 2048
"""Megabytes of the whole process, of which most targets take 70."""


class FoundError(Exception):
    """An input was neither taken nor refused by name."""


def keep_at(atheris: Any, name: str, *, seconds: int, seed: int, folder: Path) -> None:
    """Feed one target for so long; ends the process, as libFuzzer does.

    atheris: the module.  folder: keeps the inputs that reach something new, and those that were found.
    """
    from bench.fuzz import attack, damage, targets

    seeds_of, target = targets.TARGETS[name]
    with atheris.instrument_imports(include=ROOMS):  # what a target reads with is imported by its first input
        seeds = seeds_of()
        for number, data in enumerate(seeds):
            attack.feed(target, data, attack.Tally())
            (folder / f"seed-{number}").write_bytes(data)

    def one(data: bytes) -> None:
        tally = attack.Tally()
        attack.feed(target, data, tally)
        for _, fault, _ in attack.faults({name: tally}):
            raise FoundError(f"{name}: {fault}")

    def mutate(data: bytes, most: int, number: int) -> bytes:
        rng = np.random.default_rng(number)
        hurt: bytes = atheris.Mutate(data, most) if rng.integers(2) else damage.damaged([data, *seeds], rng)
        return hurt[:most]

    words = [f"-max_total_time={seconds}", f"-seed={seed}"]
    words += [f"-timeout={attack.HANG:.0f}", f"-rss_limit_mb={MOST_MEMORY}"]
    words += [f"-max_len={2 * max(map(len, seeds)) + 1000}", "-print_final_stats=1", f"-artifact_prefix={folder}/"]
    atheris.Setup([sys.argv[0], *words, str(folder)], one, custom_mutator=mutate)
    atheris.Fuzz()


def main() -> None:
    """Feed one target."""
    parser = argparse.ArgumentParser(description="look for inputs that a reader neither takes nor refuses by name")
    parser.add_argument("target", metavar="TARGET", help="a name of the table of `python -m bench fuzz`")
    parser.add_argument("--seconds", type=int, default=60, help="how long (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="another number looks elsewhere")
    parser.add_argument("--keep", type=Path, help="folder that keeps the inputs found, to go on from")
    asked = parser.parse_args()
    try:
        import atheris
    except ImportError:
        parser.error("Atheris is not installed: pip install 'boardsight[fuzz]'")
    with atheris.instrument_imports(include=ROOMS):
        from bench.fuzz import targets
    if asked.target not in targets.TARGETS:
        parser.error(f"no target is called {asked.target!r}; there are: {', '.join(targets.TARGETS)}")
    with tempfile.TemporaryDirectory(prefix="boardsight-guided-") as fresh:
        folder = asked.keep or Path(fresh)
        folder.mkdir(parents=True, exist_ok=True)
        keep_at(atheris, asked.target, seconds=asked.seconds, seed=asked.seed, folder=folder)


if __name__ == "__main__":
    main()
