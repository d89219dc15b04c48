"""Fit what the features of a proposal are worth: small networks taught by screenshots, look by look.

usage: python -m bench.vision.confidence [--look NAME] [--games NAME ...] [--count N] [--empties N] [--seed S]
                                        [--gallery FOLDER] [--rows FILE ...] [--write]

Of each game N pictures are drawn, and as many without a board as --empties says; the real screenshots of a gallery,
each with the JSON of what it shows, count REAL times.  Every proposal of every look is one row: its features, and
whether it is the board that the picture shows, read right.  Where a game is named, only pictures of the look's own
games and those without a board count.
Each of the networks whose odds are averaged is fitted without a fifth of the real programs and of the drawn pictures;
what it says of these is printed beside what was right, and how many boards are chosen rightly: what to expect of pages
that are drawn as none before.  What the odds of the likeliest proposal are multiplied and raised by is fitted to that.
Weights stand as they were fitted.  Of coloured cells: to the gallery of 151 screenshots of 36 programs, and to 3,200
drawn pictures that any was proposed for.  Those are --look coloured --games flood_it filler --count 330 --empties 480
with the seeds 71001 and 71002, --count 200 --empties 400 with 71031 and 71032, and 75 of each game with 71021 to 71024,
of which one colour is the page's (HOMELY at 1, in bench/pictures/flooding.py); and --count 40 of each other game with
71011 and 71012.
Of stones and grooves to the gallery and to the 374 and 290 drawn pictures that any was proposed for: of 400 without a
board with the seed 61005, and with 261301 of 250 more, 200 of Connect Four and of Blokus, 125 of Quoridor, Reversi and
m,n,k each, and 20 of each flooding game.
Of discs to the gallery and to the 1,143 drawn pictures that any was proposed for: of Connect Four 250 with the seed
271201, 350 with 271202 and 400 with 271203; of Blokus 250 and 200, without a board 250 and 200, of each other game 60
with the former two each.  That was before the detector knew tiles.
Of squares to the gallery and to the 408 drawn pictures that any was proposed for: with the seed 311301, before fresh
boards were drawn more often, 240 of Blokus, 120 without a board, 60 of m,n,k and 20 of each other game; with 311401,
120 of Blokus that are all bare (BARE in bench/pictures/pieces.py at 1) and 80 of m,n,k that are all fresh (FRESH in
bench/pictures/stones.py at 1): an empty board of lines is told from one of crossings by how far its ground goes on.
--rows adds the rows that are drawn to the first FILE, so that it can be done in pieces, and fits to all files' rows.
--write puts the weights into calibration/confidence.npz.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any
from zlib import crc32

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.pictures import Picture, draw_empty, draw_picture
from bench.pictures.__main__ import gallery
from bench.pictures.judge import judge, seen_part
from bench.pictures.scene import BOARDS
from calibration.answer import described
from calibration.confidence import LEAST, WEIGHTS, Ensemble, label
from calibration.frame import Frame, Rect
from calibration.look import HOPED, KIND, Look, Proposal
from calibration.looks import LOOKS, look_named
from calibration.scene import Scene

NETWORKS, HIDDEN, STEPS, RATE = 5, 12, 500, 0.02
"""Networks whose odds are averaged, their hidden units, and the steps of their fit on all rows at once."""

DECAY = 0.0003
"""What a weight costs, as half its square."""

SPARE = 0.02
"""Added to the deviation of each feature: what hardly ever changes must not come to mean everything."""

REAL = 8.0
"""Drawn pictures that a real one is worth."""

Floats = NDArray[np.float64]

Row = dict[str, Any]
"""look, features, right; shown: the game that the picture shows, None for none; source: the program that it shows, or
its own name where it is drawn; real: whether it is a program's; picture: its name."""


def drawn(seed: int, count: int, empties: int, games: Sequence[str]) -> Iterator[tuple[str, Picture]]:
    """The games by turns, and between them the pictures without a board, each with its name."""
    for index in range(max(count, empties)):
        for game in games if index < count else ():
            rng = np.random.default_rng([seed, index, list(BOARDS).index(game)])
            yield f"{seed} {game} {index}", draw_picture(game, rng)
        if index < empties:
            yield f"{seed} {index}", draw_empty(np.random.default_rng([seed, index, 99]))


def rows_of(name: str, picture: Picture, looks: Sequence[Look] = LOOKS) -> list[Row]:
    """One row for each proposal of each look."""
    height, width = picture.pixels.shape[:2]
    frame = Frame(picture.pixels, Rect(0, 0, width, height))
    scene = Scene(frame)
    truth = picture.truth
    return [
        {
            "look": look.name,
            "features": {name: round(float(value), 4) for name, value in proposal.features.items()},
            "right": right(picture, frame, scene, look, proposal),
            "shown": truth["game"],
            "source": truth.get("source", name),
            "real": "source" in truth,
            "picture": name,
        }
        for look in looks
        for proposal in look.every(scene, None)
        if proposal.calibration is not None
    ]


def right(picture: Picture, frame: Frame, scene: Scene, look: Look, proposal: Proposal) -> bool:
    """Whether a proposal is the board of its picture, with every cell read right."""
    if picture.truth["game"] not in look.games or proposal.calibration is None:
        return False
    truth, lattice = seen_part(picture.truth), proposal.calibration.lattice
    if (lattice.rows, lattice.cols) != (truth["rows"], truth["cols"]):
        return False
    claimed = replace(proposal.calibration, game=picture.truth["game"])
    if look.filled:  # some of its kinds are told by marks, and walls among them
        claimed = look.finish(scene, claimed)
    stage, _ = judge(picture.truth, described(frame, claimed))
    return stage >= 2


def own_rows(rows: Sequence[Row], look: Look, *, named: bool) -> list[Row]:
    """The rows of a look; where its game is named, those of its own games' pictures and of those without a board."""
    return [row for row in rows if row["look"] == look.name and (not named or row["shown"] in (None, *look.games))]


def fitted(rows: Sequence[Row], *, named: bool) -> tuple[Ensemble, Floats]:
    """Networks fitted by Adam to the rows of a look; float64[rows], the odds that they give those they never saw."""
    names = [name for name in rows[0]["features"] if name != HOPED and not (named and name == KIND)]
    values = np.array([[row["features"][name] for name in names] for row in rows])
    answers = np.array([float(row["right"]) for row in rows])
    counts = np.array([REAL if row["real"] else 1.0 for row in rows])
    folds = np.array([crc32(row["source"].encode()) % NETWORKS for row in rows])
    mean, deviation = np.average(values, axis=0, weights=counts), values.std(axis=0) + SPARE
    usual = values[answers > 0].mean(axis=0)
    judge = Ensemble(tuple(names), usual, mean, deviation, *(np.zeros(0) for _ in range(6)))
    x, odds = judge.scaled(values), np.zeros(len(rows))
    nets = []
    for fold in range(NETWORKS):
        held = folds == fold
        nets.append(_trained(x[~held], answers[~held], counts[~held], np.random.default_rng(fold)))
        odds[held] = _joined(judge, nets[-1:]).odds(values[held])
    return replace(_joined(judge, nets), likeliest=likeliest(rows, odds)), odds


def best_rows(rows: Sequence[Row], odds: Floats) -> list[tuple[float, Row]]:
    """The likeliest row of each picture, with its odds."""
    best: dict[str, tuple[float, Row]] = {}
    for one, row in zip(odds, rows, strict=True):
        if row["picture"] not in best or one > best[row["picture"]][0]:
            best[row["picture"]] = float(one), row
    return list(best.values())


def likeliest(rows: Sequence[Row], odds: Floats) -> Floats:
    """float64[2]: what odds of the likeliest rows are to be multiplied and raised by, by a logistic regression.

    odds: float64[rows], of networks that never saw them.
    """
    best = best_rows(rows, odds)
    furthest = np.log((1 - LEAST) / LEAST)
    x = np.stack([np.clip([one for one, _ in best], -furthest, furthest), np.ones(len(best))], axis=1)
    answers = np.array([float(row["right"]) for _, row in best])
    counts = np.array([REAL if row["real"] else 1.0 for _, row in best])
    weights = np.zeros(2)
    for _ in range(25):
        chances = 1 / (1 + np.exp(-x @ weights))
        bent = x.T @ (x * (counts * chances * (1 - chances))[:, None]) + SPARE * np.eye(2)
        weights += np.linalg.solve(bent, x.T @ (counts * (answers - chances)))
    return weights


def _joined(judge: Ensemble, nets: Sequence[Sequence[Floats]]) -> Ensemble:
    direct, inner, thresholds, outer, bias = (np.stack(parts) for parts in zip(*nets, strict=True))
    return replace(judge, direct=direct, inner=inner, thresholds=thresholds, outer=outer, bias=bias)


def _trained(x: Floats, answers: Floats, counts: Floats, rng: np.random.Generator) -> list[Floats]:
    """One network: what it takes directly, its hidden layer's weights and thresholds, what it takes of it, its bias."""
    width, share = x.shape[1], float(np.average(answers, weights=counts))
    weights = [np.zeros(width), rng.normal(0, width**-0.5, (HIDDEN, width)), np.zeros(HIDDEN), np.zeros(HIDDEN)]
    weights.append(np.array(np.log((share + 1e-3) / (1 - share + 1e-3))))
    slopes, squares = [np.zeros_like(part) for part in weights], [np.zeros_like(part) for part in weights]
    for step in range(1, STEPS + 1):
        for at, change in enumerate(_gradient(x, answers, counts, weights)):
            slopes[at] += 0.1 * (change - slopes[at])
            squares[at] += 0.001 * (change**2 - squares[at])
            way = slopes[at] / (1 - 0.9**step) / (np.sqrt(squares[at] / (1 - 0.999**step)) + 1e-8)
            weights[at] = weights[at] - RATE * way
    return weights


def _gradient(x: Floats, answers: Floats, counts: Floats, weights: list[Floats]) -> list[Floats]:
    """The slope of the mean loss, and of DECAY times half the squares of all weights that multiply."""
    direct, inner, thresholds, outer, bias = weights
    hidden = np.tanh(x @ inner.T + thresholds)
    odds = x @ direct + hidden @ outer + bias
    wrong = counts * (1 / (1 + np.exp(-np.clip(odds, -30, 30))) - answers) / counts.sum()
    back = np.outer(wrong, outer) * (1 - hidden**2)
    slopes = [x.T @ wrong, back.T @ x, back.sum(axis=0), hidden.T @ wrong, wrong.sum()]
    held = (DECAY, DECAY, 0.0, DECAY, 0.0)
    return [slope + hold * part for slope, hold, part in zip(slopes, held, weights, strict=True)]


def report(name: str, rows: Sequence[Row], odds: Floats) -> None:
    """How often what was predicted came true, and how many pass the default confidence wrongly."""
    chances, answers = 1 / (1 + np.exp(-np.clip(odds, -30, 30))), np.array([row["right"] for row in rows])
    wrong, missed = ~answers & (chances >= 0.5), answers & (chances < 0.5)
    print(f"{name}: {len(answers)} rows, {answers.sum()} right")
    print(f"    {missed.sum()} right ones under 0.5, {wrong.sum()} wrong ones over it")
    for low, high in ((0, 0.1), (0.1, 0.5), (0.5, 0.8), (0.8, 0.95), (0.95, 0.99), (0.99, 1.01)):
        part = (chances >= low) & (chances < high)
        if part.any():
            meant, true = chances[part].mean(), answers[part].mean()
            print(f"    {low:.2f}-{min(high, 1):.2f}: predicted {meant:.3f}, right {true:.3f} of {part.sum()}")


def chosen(rows: Sequence[Row], odds: Floats) -> None:
    """Print of how many pictures the likeliest of all looks' rows is likely enough, and right."""
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    for one, row in best_rows(rows, odds):
        taken = "none taken" if one < 0 else "right" if row["right"] else "wrong"
        kinds[f"{'real' if row['real'] else 'drawn'} {row['shown']}"][taken] += 1
    for kind, counts in sorted(kinds.items()):
        print(f"{kind:20} {counts.total():5} pictures", *(f"{counts[each]:5} {each}" for each in sorted(counts)))


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
    parser.add_argument("--look", choices=[look.name for look in LOOKS], help="fit this one alone")
    parser.add_argument("--games", nargs="+", choices=BOARDS, default=list(BOARDS), help="draw pictures of these alone")
    parser.add_argument("--count", type=int, default=100, help="pictures of each game")
    parser.add_argument("--empties", type=int, default=300, help="pictures without a board")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--gallery", type=Path, help="a folder of real screenshots")
    parser.add_argument("--rows", type=Path, nargs="+", default=[], help="files to keep the rows in, one JSON a line")
    parser.add_argument("--write", action="store_true", help="replace the weights in calibration/confidence.npz")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    rows = [json.loads(line) for file in options.rows if file.exists() for line in file.read_text().splitlines()]
    looks = LOOKS if options.look is None else [look_named(options.look)]
    for name, picture in drawn(options.seed, options.count, options.empties, options.games):
        fresh = rows_of(name, picture, looks)
        rows += fresh
        if options.rows:
            with options.rows[0].open("a") as kept:
                kept.writelines(json.dumps(row) + "\n" for row in fresh)
    if options.gallery:
        for picture in gallery(options.gallery):
            rows += rows_of(picture.truth["name"], picture, looks)
    judges: dict[str, Ensemble] = {}
    every: list[Row] = []
    odds: list[Floats] = []
    for look in looks:
        for named in (True, False):
            mine = own_rows(rows, look, named=named)
            name = label(look.name, named=named)
            judges[name], held = fitted(mine, named=named)
            report(name, mine, held)
            if not named:
                every += mine
                odds.append(held)
    chosen(every, np.concatenate(odds))
    if options.write:
        write(judges)


if __name__ == "__main__":
    main()
