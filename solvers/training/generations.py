"""How strong the generations of a run are: Elo beside a solver that gets the same CPU time, and its plot."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from games.core import SettingsError
from solvers.arena import elo
from solvers.core import Limit
from solvers.learned.card import read_card
from solvers.training.cluster import ThisProcess, Workers
from solvers.training.measure import measure
from solvers.training.run import draw_curves

FOLDER, RATINGS, PLOT = "generations", "elo.jsonl", "elo.png"


def keep_generation(run: Path, number: int) -> None:
    """Keep the player that lies in a run's folder as the one of that generation."""
    card = read_card(run / "model.toml")
    kept = run / FOLDER / f"{number:05}"
    fresh = kept.with_suffix(".new")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    for name in (card.weights, "model.toml"):
        shutil.copyfile(run / name, fresh / name)
    shutil.rmtree(kept, ignore_errors=True)
    os.replace(fresh, kept)


def rate_generations(
    run: Path,
    rival: str,
    *,
    seconds: Sequence[float],
    games: int,
    seed: int = 0,
    openings: int = 0,
    workers: Workers = ThisProcess(),
    told: Callable[[str], None] | None = None,
) -> Iterator[dict[str, float]]:
    """Match each generation that is kept with `rival`, both with so many CPU seconds a move; a record for each.

    A record has the generation as its ``step`` and an Elo difference for each time; half a point is added to either
    side, so that none is endless.  They are kept in the run's folder, where a match that was played is not played
    again, and drawn there.  Raises SettingsError where no generation is kept.
    """
    kept = sorted(path for path in (run / FOLDER).glob("?????") if (path / "model.toml").is_file())
    if not kept:
        raise SettingsError(f"{run} keeps no generations: those of alphazero that pass the gate are kept")
    records = {record["step"]: record for record in _read(run / RATINGS)}
    for path in kept:
        record = records.setdefault(int(path.name), {"step": int(path.name)})
        for limit in seconds:
            name = f"Elo beside {rival}, {games} games of {limit:g} s a move"
            if name in record:
                continue
            if told is not None:
                told(f"generation {path.name}, {limit:g} s a move")
            card, player = read_card(path / "model.toml"), f"alphazero:model={path / 'model.toml'},seconds={limit:g}"
            figure = measure(
                *(player, card.game, rival),
                games=games,
                seed=seed,
                board=card.board,
                openings=openings,
                limit=Limit(seconds=limit),
                workers=workers,
            )[0]
            record[name] = round(elo((figure.won + figure.drawn / 2 + 0.5) / (figure.of + 1)), 1)
            with (run / RATINGS).open("a", encoding="utf-8") as file:
                file.write(json.dumps(record) + "\n")
        yield record
    draw_curves([records[step] for step in sorted(records)], run / PLOT, title=f"generations of {run.name}")


def _read(path: Path) -> Iterator[dict[str, float]]:
    """The records that were written, the last of a generation being its fullest."""
    if path.is_file():
        lines = path.read_text(encoding="utf-8").splitlines()
        yield from (json.loads(line) for line in lines if line.endswith("}"))  # the last may have been cut off
