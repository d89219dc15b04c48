"""How well drawn screenshots with fresh seeds are found, read and clicked, and what the confidence is worth.

usage: python -m bench.pictures [--game NAME] [--count N] [--empties N] [--seed S] [--auto]
                                      [--gallery FOLDER] [--plot FILE] [-v]

Of each game N pictures are drawn, located and read: FOUND (right size, every centre within 0.3 of a pitch), READ (also
every visible cell right, colours matched one to one), CLICK (also every enabled colour button hit, and none invented).
Of the pictures without a board it counts those on which one is found; without --auto a game is named there, too, each
in turn.  --gallery adds the pictures of a folder, each with the JSON of what it shows.
The tables and the plot of reliability compare the confidence given with the share of boards that were read right.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from matplotlib import pyplot

from bench.pictures import Picture, draw_empty, draw_picture
from bench.pictures.judge import STAGES, judge
from bench.pictures.scene import BOARDS, UNDRAWN
from bench.results import left_out
from bot.storage.pictures import load_frame
from calibration.answer import described
from calibration.frame import Frame, Rect
from calibration.locate import BoardNotFoundError, locate
from games import find_game

FEW = 5
"""Boards that one point of a curve stands for at least, if there are more."""


@dataclass(frozen=True, slots=True)
class PictureTrial:
    """One picture's result: stages passed (0..3), why not more, the confidence given, CPU seconds of locating."""

    stage: int
    why: str
    confidence: float
    seconds: float


def attempt(picture: Picture, game: str | None) -> PictureTrial:
    """Locate and read one picture."""
    height, width = picture.pixels.shape[:2]
    frame = Frame(picture.pixels, Rect(0, 0, width, height))
    began = time.thread_time()
    try:
        calibration = locate(frame, game)
    except BoardNotFoundError as problem:
        return PictureTrial(0, str(problem), 0.0, time.thread_time() - began)
    seconds = time.thread_time() - began
    if picture.truth["game"] is None:
        return PictureTrial(0, f"{calibration.game} on {picture.truth['subject']}", calibration.confidence, seconds)
    stage, why = judge(picture.truth, described(frame, calibration))
    return PictureTrial(stage, why, calibration.confidence, seconds)


def reliability(trials: list[PictureTrial]) -> list[tuple[float, float, int]]:
    """Mean confidence, share read right and number of boards, by tenths of the confidence, those of few together."""
    rows: list[list[PictureTrial]] = [[]]
    for low in np.arange(0, 1, 0.1):
        if len(rows[-1]) >= FEW:
            rows.append([])
        rows[-1] += [trial for trial in trials if low < trial.confidence <= low + 0.1 + 1e-9]
    return [
        (statistics.fmean(each.confidence for each in row), statistics.fmean(each.stage >= 2 for each in row), len(row))
        for row in rows
        if row
    ]


def gallery(folder: Path) -> Iterator[Picture]:
    """The screenshots of a folder, NAME.png, whose truth stands in NAME.json."""
    for path in sorted(folder.rglob("*.json")):
        if path.with_suffix(".png").exists():
            truth = {"buttons": [], "hidden_cells": [], **json.loads(path.read_text())}
            yield Picture(load_frame(path.with_suffix(".png")).pixels, truth)


def plot(curves: dict[str, list[tuple[float, float, int]]], path: str) -> None:
    """The reliability curves as a picture; each point says how many boards it stands for, the diagonal is perfect."""
    figure, axes = pyplot.subplots(figsize=(6, 6), layout="constrained")
    least = min([0.9, *(min(row[:2]) for rows in curves.values() for row in rows)]) - 0.1
    axes.plot([0, 1], [0, 1], color="0.7", linewidth=1)
    for name, rows in curves.items():
        predicted, observed, counts = zip(*rows, strict=True)
        (line,) = axes.plot(predicted, observed, label=f"{name} ({sum(counts)})", linewidth=1)
        axes.scatter(predicted, observed, s=[6 + 2 * count for count in counts], color=line.get_color())
    axes.set(xlabel="confidence given", ylabel="share read right", xlim=(least, 1.02), ylim=(least, 1.02))
    axes.legend(loc="lower right", frameon=False)
    figure.savefig(path, dpi=110)


def drawn_trials(game: str, count: int, seed: int, *, auto: bool) -> list[PictureTrial]:
    """The trials of the first `count` pictures of a game with that seed; auto: without saying which game it is."""
    pictures = (
        draw_picture(game, np.random.default_rng([seed, each, list(BOARDS).index(game)])) for each in range(count)
    )
    return [attempt(picture, None if auto else game) for picture in pictures]


def empty_trials(names: Sequence[str | None], count: int, seed: int) -> list[PictureTrial]:
    """The trials of pictures without a board, each of `names` looked for in turn, None for any game."""
    pictures = (draw_empty(np.random.default_rng([seed, each, 99])) for each in range(count))
    return [attempt(picture, names[each % len(names)]) for each, picture in enumerate(pictures)]


def tables(count: int = 50, empties: int = 100, seed: int = 90_003, auto: bool = False) -> Iterator[str]:
    """A row a game, and one of the pictures without a board."""
    cv2.setNumThreads(1)
    yield f"{count} drawn pictures a game and {empties} without a board; CPU ms of one core"
    yield from left_out(BOARDS, UNDRAWN)
    yield ""
    yield "| game | drawn | found | read | buttons right | median ms |"
    yield "|---|---:|---:|---:|---:|---:|"
    for game in BOARDS:
        trials = drawn_trials(game, count, seed, auto=auto)
        stages = " | ".join(str(sum(trial.stage > stage for trial in trials)) for stage in range(3))
        yield f"| {game} | {count} | {stages} | {1000 * statistics.median(trial.seconds for trial in trials):.0f} |"
    false = sum(trial.confidence > 0 for trial in empty_trials([None] if auto else list(BOARDS), empties, seed))
    yield f"| no board | {empties} | {false} | | | |"


def main() -> None:
    """Draws, judges and prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=BOARDS)
    parser.add_argument("--count", type=int, default=50, help="pictures of each game")
    parser.add_argument("--empties", type=int, default=50, help="pictures without a board")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--auto", action="store_true", help="do not say which game it is")
    parser.add_argument("--gallery", type=Path, help="a folder of screenshots with their truth")
    parser.add_argument("--plot", help="a PNG for the reliability curve")
    parser.add_argument("-v", action="store_true", help="say what went wrong")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    curves: dict[str, list[tuple[float, float, int]]] = {}
    for game in [options.game] if options.game else BOARDS:
        trials = drawn_trials(game, options.count, options.seed, auto=options.auto)
        for index, trial in enumerate(trials):
            if options.v and trial.stage < 3:
                print(f"    {game} {index}: {STAGES[trial.stage]}: {trial.why}")
        if not trials:
            continue
        found, read, click = (sum(trial.stage > stage for trial in trials) for stage in range(3))
        spent = 1000 * statistics.median(trial.seconds for trial in trials)
        print(
            f"{game:13} {len(trials):4} drawn  found {found:4}  read {read:4}  click {click:4}  median {spent:.0f} ms"
        )
        curves[f"{find_game(game).title}, drawn"] = reliability(trials)
    names = [None] if options.auto else [options.game] if options.game else list(BOARDS)
    empties = empty_trials(names, options.empties, options.seed)
    false = [trial for trial in empties if trial.confidence > 0]
    print(f"no board      {len(empties):4} drawn  false {len(false):4}")
    for trial in false:
        print(f"    {trial.why}, confidence {trial.confidence:.2f}")
    if options.gallery:
        shown = [
            attempt(picture, None if options.auto else picture.truth["game"]) for picture in gallery(options.gallery)
        ]
        found, read, click = (sum(trial.stage > stage for trial in shown) for stage in range(3))
        print(f"gallery       {len(shown):4} shown  found {found:4}  read {read:4}  click {click:4}")
        curves["real programs"] = reliability(shown)
    for name, rows in curves.items():
        for predicted, observed, count in rows:
            print(f"{name}: confidence {predicted:.2f}: {observed:.2f} right of {count}")
    if options.plot:
        plot(curves, options.plot)


if __name__ == "__main__":
    main()
