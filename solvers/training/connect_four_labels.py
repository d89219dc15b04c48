"""Connect Four's examples: exact scores of random positions, and finished games."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from games import find_game
from games.core import Options, SettingsError
from solvers.connect_four import book as connect_four_book
from solvers.kernels.encoding import encode_all
from solvers.learned.registry import encoder_of
from solvers.learned.view import view_of
from solvers.training.bitbully import scores_after
from solvers.training.kernels import connect_four as four
from solvers.training.label_sources import Arrays, Augmented, LabelledPositions


@dataclass(frozen=True)
class _UsualConnectFour:
    """A source that knows the usual board alone; raises SettingsError for another."""

    board: Options
    encoder: str = "connect_four"

    def __post_init__(self) -> None:
        if self.board not in (Options(), Options(6, 7), Options(6, 7, length=4)):
            raise SettingsError("the exact search knows Connect Four on 6 rows and 7 columns: leave out --size")

    def planes(self, positions: NDArray[np.uint64]) -> NDArray[np.int8]:
        """int8[n, planes, 6, 7]: what the encoder shows of uint64[n, 2]."""
        view = view_of("connect_four", encoder_of(self.encoder, self.board), self.board)
        start = find_game("connect_four").parse("")
        planes = np.empty((len(positions), *view.encoder.shape), np.float32)
        encode_all(view.packing.rules(start), view.facts_of(start), positions, planes)
        return planes.astype(np.int8)


@dataclass(frozen=True)
class ConnectFourScores(_UsualConnectFour):
    """The best moves of Connect Four and those that keep the result, by the exact search and books of openings.

    Positions are of random games, of all phases: those of up to 11 stones are scored by books, those of 12 to 15 take
    up to a tenth of a second each and are few, later ones a few thousandths and less.
    """

    encoder: str = "connect_four-threats"

    SHARES = (
        (0, 10, 0.4),
        (5, 8, 0.45),
        (7, 8, 0.15),
        (8, 9, 0.3),
        (9, 10, 0.35),
        (10, 12, 0.45),
        (12, 13, 0.003),
        (13, 14, 0.006),
        (14, 16, 0.05),
        (16, 18, 0.25),
        (18, 20, 0.45),
        (20, 24, 0.8),
        (24, 28, 0.5),
        (28, 34, 0.4),
        (34, 41, 0.2),
    )
    """Stones from and to, and how many positions for each that is asked for: several, since most are cheap."""

    SEEDS = 20
    """Of each piece, so that each share has one of its own."""

    COMMON = 8
    """Positions of fewer stones are learned from as often as random games come to them; there are 38,000, but for
    mirror images."""

    BOOKED = 12
    """Positions of fewer stones are looked up."""

    def make(self, count: int, seed: int) -> Arrays:
        """positions: uint64[n, 2], scores: int8[n, 7] as `four.judge_moves` gives them; only early ones occur twice."""
        found = []
        for number, (low, high, share) in enumerate(self.SHARES):
            positions = np.zeros((max(1, round(count * share)), 2), np.uint64)
            four.random_positions(positions, low, high, seed * self.SEEDS + number)
            found.append(positions if low == 0 else np.unique(positions, axis=0))
        positions = np.concatenate(found)
        stones = np.bitwise_count(positions[:, 1])
        scores = np.zeros((len(positions), 7), np.int8)
        early, middle = stones < connect_four_book.STONES, stones < self.BOOKED
        for some, judge in ((early, _booked), (~early & middle, _looked_up), (~middle, _proven)):
            scores[some] = judge(positions[some])
        return {"positions": positions, "scores": scores}

    def labelled(self, arrays: Arrays) -> LabelledPositions:
        """Of arrays [n, ...]: the moves of the highest score, and those of the same sign."""
        positions, scores = arrays["positions"].astype(np.uint64), arrays["scores"].astype(np.int8)
        planes = self.planes(positions)
        top = scores.max(axis=1, keepdims=True)
        legal = scores != four.ILLEGAL
        values = np.sign(top[:, 0]).astype(np.float32)
        keeps = (np.sign(scores) == np.sign(top)) & legal
        common = np.bitwise_count(positions[:, 1]) < self.COMMON
        return LabelledPositions(
            planes, scores == top, keeps, legal, values, connect_four_book.keys_of(positions), common
        )

    def augmented(self, planes: NDArray[np.int8], moves: NDArray[np.float32], rng: np.random.Generator) -> Augmented:
        """Half of them mirrored: int8[n, planes, rows, cols] and float32[n, actions]."""
        swap = rng.random(len(planes)) < 0.5
        planes, moves = planes.copy(), moves.copy()
        planes[swap], moves[swap] = planes[swap][..., ::-1], moves[swap][:, ::-1]
        return planes, moves


def _booked(positions: NDArray[np.uint64]) -> NDArray[np.int8]:
    """int8[n, 7]: the scores of the moves of positions whose children are in the book."""
    after, scores = np.zeros((len(positions), 7, 2), np.uint64), np.zeros((len(positions), 7), np.int8)
    four.follow(positions, after, scores)
    open_still = scores == 0
    scores[open_still] = -connect_four_book.look_up_all(after[open_still])
    return scores


def _looked_up(positions: NDArray[np.uint64]) -> NDArray[np.int8]:
    """int8[n, 7]: the same of 10 and 11 stones by bitbully's book, or proven where that is not installed."""
    try:
        scores = scores_after(positions).astype(np.int8)
    except ImportError:
        return _proven(positions)
    after, ends = np.zeros((len(positions), 7, 2), np.uint64), np.zeros((len(positions), 7), np.int8)
    four.follow(positions, after, ends)
    known: NDArray[np.int8] = np.where(ends, ends, scores)
    return known


def _proven(positions: NDArray[np.uint64]) -> NDArray[np.int8]:
    """int8[n, 7]: see `four.judge_moves`."""
    table, control = np.zeros(1 << 23, np.uint64), np.array([0, 0, 1 << 62, 0], np.int64)
    scores = np.zeros((len(positions), 7), np.int8)
    four.judge_moves(table, control, positions, scores)
    return scores


@dataclass(frozen=True)
class ConnectFourGames(_UsualConnectFour):
    """Games of two random players: each position with how its game ended, as in the article this began with."""

    def make(self, count: int, seed: int) -> Arrays:
        """positions: uint64[n, 2] of whole games, results: int8[n] for the side to move."""
        games = -(-count // 21)
        positions, results = np.zeros((42 * games, 2), np.uint64), np.zeros(42 * games, np.int8)
        total = four.random_games(0.0, games, seed, positions, results, np.zeros(games, np.int64))
        return {"positions": positions[:total], "results": results[:total]}

    def labelled(self, arrays: Arrays) -> LabelledPositions:
        """Of arrays [n, ...]: only values, every move counts as good."""
        positions = arrays["positions"].astype(np.uint64)
        planes = self.planes(positions)
        any_move = np.ones((len(positions), 7), np.bool_)
        results = arrays["results"].astype(np.float32)
        groups, common = connect_four_book.keys_of(positions), np.zeros(len(positions), np.bool_)
        return LabelledPositions(planes, any_move, any_move, any_move, results, groups, common)

    def augmented(self, planes: NDArray[np.int8], moves: NDArray[np.float32], rng: np.random.Generator) -> Augmented:
        """int8[n, ...] and float32[n, actions] as they are: the article mirrored nothing."""
        return planes, moves


LABEL_SOURCES = {"exact": ConnectFourScores, "games": ConnectFourGames}
"""The name that a setting gives -> the source."""
