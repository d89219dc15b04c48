"""Pictures with their truth in folders, and how well each is told, its game named or not by turns."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np

from bench.pictures import Picture, draw_empty, draw_picture
from bench.pictures.__main__ import attempt, gallery
from bench.pictures.scene import BOARDS


def keep_drawn(folder: Path, count: int, empties: int, seed: int) -> None:
    """Draws so many pictures a game, and without a board, into a folder; those that are there are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(max(count, empties)):
        for place, game in enumerate(BOARDS):
            path = folder / f"{seed}_{number:04}_{game}.png"
            if number < count and not path.exists():
                _keep(path, draw_picture(game, np.random.default_rng([seed, number, place])))
        path = folder / f"{seed}_{number:04}_none.png"
        if number < empties and not path.exists():
            _keep(path, draw_empty(np.random.default_rng([seed, number, 99])))


def _keep(path: Path, picture: Picture) -> None:
    cv2.imwrite(str(path), cv2.cvtColor(picture.pixels, cv2.COLOR_RGB2BGR))
    path.with_suffix(".json").write_text(json.dumps(picture.truth), encoding="utf-8")


def trials(folder: Path) -> Iterator[tuple[str, Callable[[], int]]]:
    """Each picture's name, and how many stages its reading passes; -1 where a board is seen that is not there."""
    for number, picture in enumerate(gallery(folder)):
        subject = picture.truth["game"]
        named = subject if number % 2 else None

        def work(picture: Picture = picture, game: str | None = named) -> int:
            trial = attempt(picture, game)
            return trial.stage if picture.truth["game"] else -int(trial.confidence > 0)

        yield f"{folder.name} {number} {subject or picture.truth['subject']}{'' if named else ', unnamed'}", work
