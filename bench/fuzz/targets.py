"""Bad input of every kind for everything Boardsight reads: it must be taken or refused by name, soon, in little memory.

``python -m bench fuzz --set inputs=1000000`` makes the record.
Good inputs are made by the program itself and then damaged: bytes, words and numbers are exchanged, cut, doubled and
spliced, and in JSON and TOML single values are replaced, so that what lies behind the first check is reached, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from bench.fuzz import files, texts
from bench.fuzz.attack import Tally, Target, attack, report
from games import GAMES

INPUTS = 20_000
"""Inputs of the short run."""


def of_text(read: Callable[[str], object]) -> Target:
    """A target that takes a text."""
    return lambda data: read(data.decode(errors="replace"))


Entry = tuple[Callable[[], list[bytes]], Target]

TARGETS: dict[str, Entry] = {
    "settings": (files.settings_seeds, of_text(files.read_settings)),
    "calibrations": (files.calibration_seeds, of_text(files.read_calibration)),
    "journals": (files.journal_seeds, files.read_journal),
    "pictures": (files.picture_seeds, files.read_picture),
    **{f"positions of {name}": (texts.position_seeds_of(name), texts.position_reader_of(name)) for name in GAMES},
    "fault plans": (files.plan_seeds, of_text(files.read_plan)),
    "records (.blksgf)": (texts.record_seeds, of_text(texts.read_record)),
    "engine's commands": (texts.command_seeds, texts.read_commands),
    "other engines' answers": (texts.reply_seeds, texts.read_reply),
    "the table's messages": (texts.message_seeds, texts.read_message),
    "models' cards": (files.card_seeds, of_text(files.read_card)),
    "tables of values (.npz)": (files.table_seeds, files.read_table),
    "networks (.onnx)": (files.network_seeds, files.read_network),
    "kept decisions": (lambda: [b'["a1b2c3", "e8,d9", 4]\n["d4", "4", null]\n'], files.read_cached_decisions),
    "arguments": (
        lambda: [b"size 14x14", b"size 9", b"place 612,40", b"solver exact:book=true", b"solver random:seed=3"],
        of_text(texts.read_argument),
    ),
}
"""Everything that is read -> what makes good inputs for it, and what reads it."""


def tables(inputs: int = INPUTS, seed: int = 1, only: Sequence[str] = ()) -> Iterator[str]:
    """A row for each thing that is read, or `only` those named: taken, refused by name, faults, the slowest input."""
    yield from report(fuzz(inputs, seed=seed, only=only))


def fuzz(inputs: int, *, seed: int, only: Sequence[str] = ()) -> dict[str, Tally]:
    """Give each target, or `only` those named, an equal share of so many damaged inputs."""
    chosen = {name: target for name, target in TARGETS.items() if not only or name in only}
    share = -(-inputs // len(chosen))
    tallies = {}
    for number, (name, (seeds, target)) in enumerate(chosen.items()):
        rng = np.random.default_rng([seed, number])
        tallies[name] = attack(target, seeds(), rng, share)
    return tallies
