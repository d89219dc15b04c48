"""Fit what the traits of a candidate are worth: logistic regression on drawn screenshots, look by look.

usage: python tests/bench/confidence.py [--count N] [--empties N] [--seed S] [--rows FILE] [--leave-out] [--write]

Of each game N pictures are drawn, and as many without a board as --empties says.  Every candidate of every look is
one row: its traits, and whether it is the board that the picture shows, read right.  Where a game is named, only its
own pictures and those without a board count.
Printed is how the chance that the weights give compares with what was right, in five-fold cross-validation.
The weights are held at those that stand, so that a few more pictures correct what many have told.
--rows keeps the rows in FILE and adds to those it holds, so that the drawing can be done in pieces.
--leave-out says of each kind of skin how many of its boards are chosen rightly by weights that were fitted without it:
what to expect of a page that is drawn as none before.
--write puts the weights into calibration/confidence.py.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

import calibration.confidence
from calibration.answer import described
from calibration.frame import Frame, Rect
from calibration.look import Candidate, Look
from calibration.looks import LOOKS
from calibration.pictures import Picture, draw_empty, draw_picture
from calibration.pictures.judge import judge, seen_part
from calibration.sight import Sight
from games import GAMES

HOLD = 1.0
"""How strongly weights are held where they are: traits that few pictures show move little from what more have told."""

Row = dict[str, Any]
"""look, traits, right; shown: the game that the picture shows, None for none; skin: its kind; picture: its number."""


def pictures(seed: int, count: int, empties: int) -> Iterator[Picture]:
    """The games by turns, and between them the pictures without a board."""
    for index in range(max(count, empties)):
        for game in GAMES if index < count else ():
            yield draw_picture(game, np.random.default_rng([seed, index, list(GAMES).index(game)]))
        if index < empties:
            yield draw_empty(np.random.default_rng([seed, index, 99]))


def rows_of(picture: Picture, number: int) -> list[Row]:
    """One row for each candidate of each look; those of half the step in colour only where nothing else is right."""
    height, width = picture.pixels.shape[:2]
    frame = Frame(picture.pixels, Rect(0, 0, width, height))
    sight = Sight(frame)
    rows: list[Row] = []
    for seen in (sight, sight.finer):
        rows += [
            {
                "look": look.name,
                "traits": {name: round(float(value), 4) for name, value in candidate.traits.items()},
                "right": right(picture, frame, sight, look, candidate),
                "shown": picture.truth["game"],
                "skin": picture.truth.get("skin", ""),
                "picture": number,
            }
            for look in LOOKS
            for candidate in chain(look.candidates(seen, None), look.further(seen, None))
            if candidate.calibration is not None
        ]
        if any(row["right"] for row in rows):
            break
    return rows


def right(picture: Picture, frame: Frame, sight: Sight, look: Look, candidate: Candidate) -> bool:
    """Whether a candidate is the board of its picture, with every cell read right."""
    if picture.truth["game"] not in look.games or candidate.calibration is None:
        return False
    truth, lattice = seen_part(picture.truth), candidate.calibration.lattice
    if (lattice.rows, lattice.cols) != (truth["rows"], truth["cols"]):
        return False
    stage, _ = judge(picture.truth, described(frame, look.finish(sight, candidate.calibration)))
    return stage >= 2


def table(
    rows: list[Row], look: Look, *, named: bool
) -> tuple[NDArray[np.float64], NDArray[np.float64], list[str], NDArray[np.intp]]:
    """The traits with a 1, float64[n, traits + 1]; right, float64[n]; the traits' names; the picture of each."""
    mine = [row for row in rows if row["look"] == look.name and not (named and row["shown"] not in (None, *look.games))]
    values = np.array([[*row["traits"].values(), 1.0] for row in mine])
    answers = np.array([float(row["right"]) for row in mine])
    return values, answers, list(mine[0]["traits"]), np.array([row["picture"] for row in mine])


def fitted(
    values: NDArray[np.float64], answers: NDArray[np.float64], before: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """The weights of a logistic regression held at those of `before`, or at 0, by Newton's method."""
    held = np.zeros(values.shape[1]) if before is None else before
    weights = held.copy()
    hold = HOLD * np.eye(len(weights))
    hold[-1, -1] = 0.0
    for _ in range(50):
        chances = 1 / (1 + np.exp(-np.clip(values @ weights, -30, 30)))
        slope = values.T @ (answers - chances) - hold @ (weights - held)
        bend = (values * (chances * (1 - chances))[:, None]).T @ values + hold + 1e-9 * np.eye(len(weights))
        step = np.linalg.solve(bend, slope)
        weights += step * min(1.0, 5 / (np.abs(step).max() + 1e-9))
        if np.abs(step).max() < 1e-6:
            break
    return weights


def validated(
    values: NDArray[np.float64],
    answers: NDArray[np.float64],
    numbers: NDArray[np.intp],
    before: NDArray[np.float64],
) -> NDArray[np.float64]:
    """The chance of each row by weights fitted on the other four fifths of the pictures."""
    chances = np.zeros(len(answers))
    for fold in range(5):
        held = numbers % 5 == fold
        weights = fitted(values[~held], answers[~held], before)
        chances[held] = 1 / (1 + np.exp(-np.clip(values[held] @ weights, -30, 30)))
    return chances


def report(name: str, chances: NDArray[np.float64], answers: NDArray[np.float64]) -> None:
    """How often what was predicted came true, and how many pass the default confidence wrongly."""
    wrong, missed = (answers == 0) & (chances >= 0.5), (answers == 1) & (chances < 0.5)
    print(f"{name}: {len(answers)} rows, {int(answers.sum())} right")
    print(f"    {missed.sum()} right ones under 0.5, {wrong.sum()} wrong ones over it")
    for low, high in ((0, 0.1), (0.1, 0.5), (0.5, 0.8), (0.8, 0.95), (0.95, 0.99), (0.99, 1.01)):
        part = (chances >= low) & (chances < high)
        if part.any():
            meant, true = chances[part].mean(), answers[part].mean()
            print(f"    {low:.2f}-{min(high, 1):.2f}: predicted {meant:.3f}, right {true:.3f} of {part.sum()}")


def leave_out(rows: list[Row]) -> None:
    """Print how many boards of each kind of skin are right, with weights of all other skins and with those of all."""
    print("game          skin           boards  held out  fitted")
    totals = np.zeros(3, dtype=int)
    for look in LOOKS:
        mine = [row for row in rows if row["look"] == look.name and row["shown"] in (None, *look.games)]
        every, answers, _, _ = table(rows, look, named=True)
        fitted_on_all = fitted(every, answers)
        for game, skin in sorted({(row["shown"], row["skin"]) for row in mine if row["shown"]}):
            held = np.array([(row["shown"], row["skin"]) == (game, skin) for row in mine])
            without = fitted(every[~held], answers[~held])
            boards = len({row["picture"] for row in mine if (row["shown"], row["skin"]) == (game, skin)})
            counts = [boards, *(_chosen(mine, every, held, weights) for weights in (without, fitted_on_all))]
            totals += counts
            print(f"{game:13} {skin:14} {counts[0]:6} {counts[1]:9} {counts[2]:7}")
    print(f"{'all':28} {totals[0]:6} {totals[1]:9} {totals[2]:7}")


def _chosen(rows: list[Row], values: NDArray[np.float64], held: NDArray[np.bool_], weights: NDArray[np.float64]) -> int:
    """Of how many pictures the likeliest of the held rows is likely enough and right."""
    best: dict[int, tuple[float, bool]] = {}
    for place in np.flatnonzero(held):
        odds, picture = float(values[place] @ weights), rows[place]["picture"]
        best[picture] = max(best.get(picture, (0.0, False)), (odds, rows[place]["right"]))
    return sum(right for _, right in best.values())


def write(weights: dict[str, dict[str, float]], counts: dict[str, tuple[int, int]]) -> None:
    """Replace the weights in calibration/confidence.py."""
    path = Path(calibration.confidence.__file__)
    head = path.read_text().split("FITTED:")[0]
    blocks = [
        f'    "{name}": {{  # {counts[name][1]} of {counts[name][0]} candidates were right\n'
        + "".join(f'        "{trait}": {value},\n' for trait, value in parts.items())
        + "    },\n"
        for name, parts in weights.items()
    ]
    path.write_text(head + "FITTED: dict[str, dict[str, float]] = {\n" + "".join(blocks) + "}\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100, help="pictures of each game")
    parser.add_argument("--empties", type=int, default=300, help="pictures without a board")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rows", type=Path, help="a file to keep the rows in")
    parser.add_argument("--leave-out", action="store_true", help="judge each kind of skin by weights of the others")
    parser.add_argument("--write", action="store_true", help="replace the weights in calibration/confidence.py")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    rows: list[Row] = json.loads(options.rows.read_text()) if options.rows and options.rows.exists() else []
    number = 1 + max((row["picture"] for row in rows), default=0)
    for picture in pictures(options.seed, options.count, options.empties):
        rows += rows_of(picture, number)
        number += 1
        if options.rows and number % 20 == 0:
            options.rows.write_text(json.dumps(rows))
    if options.rows:
        options.rows.write_text(json.dumps(rows))
    if options.leave_out:
        leave_out(rows)
        return
    weights, counts = {}, {}
    for look in LOOKS:
        for named, name in ((True, look.name), (False, f"{look.name} of any game")):
            values, answers, names, numbers = table(rows, look, named=named)
            standing = calibration.confidence.FITTED.get(name, {})
            before = np.array([standing.get(trait, 0.0) for trait in (*names, "bias")])
            report(name, validated(values, answers, numbers, before), answers)
            counts[name] = (len(answers), int(answers.sum()))
            weights[name] = dict(zip([*names, "bias"], fitted(values, answers, before).round(3).tolist(), strict=True))
    if options.write:
        write(weights, counts)


if __name__ == "__main__":
    main()
