"""Fit what the features of a proposal are worth: small networks taught by drawn screenshots, look by look.

usage: python -m bench.vision.confidence [--game NAME] [--look NAME] [--count N] [--empties N] [--seed S] [--rows FILE]
                                        [--leave-out] [--write]

Of each game N pictures are drawn, and as many without a board as --empties says.  Every proposal of every look is
one row: its features, and whether it is the board that the picture shows, read right.  Where a game is named, only its
own pictures and those without a board count.
Printed is how the chance that the weights give compares with what was right, in five-fold cross-validation.
Weights stand as they were fitted: of squares to --game blokus --count 300 --empties 500 --seed 911 and --count 40
--empties 0 --seed 912; of grooves to 3,152 pictures: --game quoridor --count 400 --empties 250 --seed 80210 and
--count 400 --empties 0 --seed 80230, the first 346 of --count 90 --empties 150 --seed 80220, and 1,755 of earlier
fits (--game quoridor --count 360 --empties 500 --seed 921 among them) less what was read wrong of lined boards, which
are read otherwise now; of coloured cells to 4,414 pictures, the last of them --game flood_it --count 350 --empties
150 --seed 941, --game filler --count 250 --empties 0 --seed 942, flood_it 300 and 120 --seed 943 and filler 200 and 0
--seed 944, each with --look and --rows; of stones to --game mnk --count 160 --seed 982, --game reversi --count 120
--seed 981, 12 of every game --seed 983 and --count 0 --empties 110 --seed 984, each with --look and --rows; of discs to
77 pictures: no drawn board has a drop row that looks as its own rows do, which real ones have, and what is fitted to
them refuses it.  Five features that nothing needed, two of discs, two of squares and one of grooves, were taken out
of the weights with the value that they have on most boards.
--rows keeps the rows in FILE and adds to those it holds, so that the drawing can be done in pieces.
--leave-out says of each kind of skin how many of its boards are chosen rightly by weights that were fitted without it:
what to expect of a page that is drawn as none before.
--write puts the weights into calibration/confidence.npz.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from itertools import chain
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.pictures import Picture, draw_empty, draw_picture
from bench.pictures.judge import judge, seen_part
from bench.pictures.scene import BOARDS
from calibration.answer import described
from calibration.confidence import WEIGHTS, Ensemble, label
from calibration.frame import Frame, Rect
from calibration.look import Look, Proposal
from calibration.looks import LOOKS, look_named
from calibration.scene import Scene

NETWORKS, HIDDEN, STEPS, RATE = 5, 12, 500, 0.02
"""Networks whose odds are averaged, their hidden units, and the steps of their fit on all rows at once."""

DECAY = 0.0003
"""What a weight costs, as half its square."""

SPARE = 0.02
"""Added to the deviation of each feature: what hardly ever changes must not come to mean everything."""

Floats = NDArray[np.float64]

Row = dict[str, Any]
"""look, features, right; shown: the game that the picture shows, None for none; skin: its kind; picture: its number."""


def pictures(seed: int, count: int, empties: int, games: Sequence[str]) -> Iterator[Picture]:
    """The games by turns, and between them the pictures without a board."""
    for index in range(max(count, empties)):
        for game in games if index < count else ():
            yield draw_picture(game, np.random.default_rng([seed, index, list(BOARDS).index(game)]))
        if index < empties:
            yield draw_empty(np.random.default_rng([seed, index, 99]))


def rows_of(picture: Picture, number: int, looks: Sequence[Look] = LOOKS) -> list[Row]:
    """One row for each proposal of each look; those of half the step in colour only where nothing else is right."""
    height, width = picture.pixels.shape[:2]
    frame = Frame(picture.pixels, Rect(0, 0, width, height))
    scene = Scene(frame)
    rows: list[Row] = []
    for seen in (scene, scene.finer):
        rows += [
            {
                "look": look.name,
                "features": {name: round(float(value), 4) for name, value in proposal.features.items()},
                "right": right(picture, frame, scene, look, proposal),
                "shown": picture.truth["game"],
                "skin": picture.truth.get("skin", ""),
                "picture": number,
            }
            for look in looks
            for proposal in chain(look.proposals(seen, None), look.further(seen, None))
            if proposal.calibration is not None
        ]
        if any(row["right"] for row in rows):
            break
    return rows


def right(picture: Picture, frame: Frame, scene: Scene, look: Look, proposal: Proposal) -> bool:
    """Whether a proposal is the board of its picture, with every cell read right."""
    if picture.truth["game"] not in look.games or proposal.calibration is None:
        return False
    truth, lattice = seen_part(picture.truth), proposal.calibration.lattice
    if (lattice.rows, lattice.cols) != (truth["rows"], truth["cols"]):
        return False
    claimed = look.finish(scene, replace(proposal.calibration, game=picture.truth["game"]))
    stage, _ = judge(picture.truth, described(frame, claimed))
    return stage >= 2


def table(rows: list[Row], look: Look, *, named: bool) -> tuple[Floats, Floats, list[str], NDArray[np.intp]]:
    """The features, float64[n, features]; right, float64[n]; the features' names; the picture of each."""
    mine = [row for row in rows if row["look"] == look.name and not (named and row["shown"] not in (None, *look.games))]
    values = np.array([list(row["features"].values()) for row in mine])
    answers = np.array([float(row["right"]) for row in mine])
    return values, answers, list(mine[0]["features"]), np.array([row["picture"] for row in mine])


def fitted(values: Floats, answers: Floats, names: list[str]) -> Ensemble:
    """NETWORKS networks fitted by Adam to the rows of features, float64[n, features], and whether they are right."""
    mean, deviation = values.mean(axis=0), values.std(axis=0) + SPARE
    judge = Ensemble(tuple(names), mean, deviation, *(np.zeros(0) for _ in range(5)))
    x = judge.scaled(values)
    nets = [_trained(x, answers, np.random.default_rng(seed)) for seed in range(NETWORKS)]
    return Ensemble(tuple(names), mean, deviation, *(np.stack(parts) for parts in zip(*nets, strict=True)))


def _trained(x: Floats, answers: Floats, rng: np.random.Generator) -> list[Floats]:
    """One network: what it takes directly, its hidden layer's weights and thresholds, what it takes of it, its bias."""
    count = x.shape[1]
    weights = [np.zeros(count), rng.normal(0, count**-0.5, (HIDDEN, count)), np.zeros(HIDDEN), np.zeros(HIDDEN)]
    weights.append(np.array(np.log((answers.mean() + 1e-3) / (1 - answers.mean() + 1e-3))))
    slopes, squares = [np.zeros_like(part) for part in weights], [np.zeros_like(part) for part in weights]
    for step in range(1, STEPS + 1):
        for at, change in enumerate(_gradient(x, answers, weights)):
            slopes[at] += 0.1 * (change - slopes[at])
            squares[at] += 0.001 * (change**2 - squares[at])
            way = slopes[at] / (1 - 0.9**step) / (np.sqrt(squares[at] / (1 - 0.999**step)) + 1e-8)
            weights[at] = weights[at] - RATE * way
    return weights


def _gradient(x: Floats, answers: Floats, weights: list[Floats]) -> list[Floats]:
    """The slope of the mean loss, and of DECAY times half the squares of all weights that multiply."""
    direct, inner, thresholds, outer, bias = weights
    hidden = np.tanh(x @ inner.T + thresholds)
    odds = x @ direct + hidden @ outer + bias
    wrong = (1 / (1 + np.exp(-np.clip(odds, -30, 30))) - answers) / len(answers)
    back = np.outer(wrong, outer) * (1 - hidden**2)
    slopes = [x.T @ wrong, back.T @ x, back.sum(axis=0), hidden.T @ wrong, wrong.sum()]
    held = (DECAY, DECAY, 0.0, DECAY, 0.0)
    return [slope + hold * part for slope, hold, part in zip(slopes, held, weights, strict=True)]


def validated(values: Floats, answers: Floats, numbers: NDArray[np.intp], names: list[str]) -> Floats:
    """The chance of each row by networks fitted on the other four fifths of the pictures."""
    chances = np.zeros(len(answers))
    for fold in range(5):
        held = numbers % 5 == fold
        chances[held] = _chances(fitted(values[~held], answers[~held], names), values[held])
    return chances


def _chances(judge: Ensemble, values: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(judge.odds(values), -30, 30))))


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
        every, answers, names, _ = table(rows, look, named=True)
        fitted_on_all = fitted(every, answers, names)
        for game, skin in sorted({(row["shown"], row["skin"]) for row in mine if row["shown"]}):
            held = np.array([(row["shown"], row["skin"]) == (game, skin) for row in mine])
            without = fitted(every[~held], answers[~held], names)
            boards = len({row["picture"] for row in mine if (row["shown"], row["skin"]) == (game, skin)})
            counts = [boards, *(_chosen(mine, every, held, judge) for judge in (without, fitted_on_all))]
            totals += counts
            print(f"{game:13} {skin:14} {counts[0]:6} {counts[1]:9} {counts[2]:7}")
    print(f"{'all':28} {totals[0]:6} {totals[1]:9} {totals[2]:7}")


def _chosen(rows: list[Row], values: Floats, held: NDArray[np.bool_], judge: Ensemble) -> int:
    """Of how many pictures the likeliest of the held rows is likely enough and right."""
    best: dict[int, tuple[float, bool]] = {}
    odds_of = judge.odds(values)
    for place in np.flatnonzero(held):
        odds, picture = float(odds_of[place]), rows[place]["picture"]
        best[picture] = max(best.get(picture, (0.0, False)), (odds, rows[place]["right"]))
    return sum(right for _, right in best.values())


def write(judges: dict[str, Ensemble]) -> None:
    """Replace the weights that are in use; those of other looks stay."""
    with np.load(WEIGHTS, allow_pickle=False) as kept:
        parts = {key: kept[key] for key in kept.files}
    for name, fit in judges.items():
        parts[f"{name}/names"] = np.array(fit.names)
        values = {field.name: getattr(fit, field.name) for field in fields(fit) if field.name != "names"}
        parts |= {f"{name}/{key}": value.astype(np.float32) for key, value in values.items()}
    np.savez_compressed(WEIGHTS, **parts)


def main() -> None:
    """Draws, fits, and prints how well the fit does."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=BOARDS, help="draw pictures of this one alone")
    parser.add_argument("--count", type=int, default=100, help="pictures of each game")
    parser.add_argument("--empties", type=int, default=300, help="pictures without a board")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rows", type=Path, help="a file to keep the rows in")
    parser.add_argument("--leave-out", action="store_true", help="judge each kind of skin by weights of the others")
    parser.add_argument("--look", choices=[look.name for look in LOOKS], help="fit this one alone")
    parser.add_argument("--write", action="store_true", help="replace the weights in calibration/confidence.npz")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    rows: list[Row] = json.loads(options.rows.read_text()) if options.rows and options.rows.exists() else []
    looks = LOOKS if options.look is None else [look_named(options.look)]
    number = 1 + max((row["picture"] for row in rows), default=0)
    for picture in pictures(
        options.seed, options.count, options.empties, [options.game] if options.game else list(BOARDS)
    ):
        rows += rows_of(picture, number, looks)
        number += 1
        if options.rows and number % 20 == 0:
            options.rows.write_text(json.dumps(rows))
    if options.rows:
        options.rows.write_text(json.dumps(rows))
    if options.leave_out:
        leave_out(rows)
        return
    judges = {}
    for look in looks:
        for named in (True, False):
            values, answers, names, numbers = table(rows, look, named=named)
            name = label(look.name, named=named)
            report(name, validated(values, answers, numbers, names), answers)
            judges[name] = fitted(values, answers, names)
    if options.write:
        write(judges)


if __name__ == "__main__":
    main()
