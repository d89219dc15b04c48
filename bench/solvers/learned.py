"""Learned players in figures: matches against others, and their moves beside perfect ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from games import find_game
from games.core import Options
from solvers import find_solver
from solvers.arena import usual_openings
from solvers.learned.card import Figure
from solvers.training.cluster import ThisProcess, Workers
from solvers.training.measure import accuracy, measure

GAMES = 500
"""Of each match, half of them in each seat: 4.4 points of 95% interval at most."""

POSITIONS = 1_000


PROVING = "network:ahead=8,proof_nodes=20000"
"""A network that judges pairs, with what a look ahead and proven ends make of it."""


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A learned player of a game, its opponent, the board where it is not the usual one, and random moves first."""

    game: str
    player: str
    against: str
    board: Options = field(default=Options())
    openings: int | None = None

    def command(self, games: int) -> str:
        """What plays it alone."""
        size = f" --size {self.board.rows}x{self.board.cols}" if self.board.rows else ""
        variant = f" --variant {self.board.variant}" if self.board.variant else ""
        begun = f"boardsight arena --game {self.game}{size}{variant} {self.player} {self.against} --games {games}"
        return begun if self.openings is None else f"{begun} --openings {self.openings}"


MATCHES = (
    MatchRow("connect_four", "network", "random"),
    MatchRow("connect_four", "network", "mcts:nodes=100"),
    MatchRow("connect_four", "network", "alphabeta:depth=4"),
    MatchRow("connect_four", "network:model=connect-four-article", "random"),
    MatchRow("connect_four", "alphazero:seconds=0.05,proof=0.7", "exact:varied=true", openings=0),
    MatchRow("quoridor", "alphazero:nodes=400,temperature=0.5", "alphabeta:depth=2", Options(5, 5), 0),
    MatchRow("quoridor", "alphazero:nodes=64", "random", openings=0),
    MatchRow("filler", "network", "random"),
    MatchRow("filler", "network", "greedy"),
    *(
        MatchRow("filler", f"{how}model=filler-alphazero", against, Options(variant="uniform"))
        for how in ("network:", "alphazero:nodes=50,")
        for against in ("greedy", "alphabeta:depth=3")
    ),
    MatchRow("filler", "network:model=filler-published", "random"),
    MatchRow("filler", "network:model=filler-published", "greedy"),
    MatchRow("blokus", "network", "heuristic:order=size,varied=true", Options(10, 10), 0),
    MatchRow("blokus", "network:ahead=8", "heuristic:order=size,varied=true", Options(10, 10), 0),
    MatchRow("blokus", PROVING, "heuristic:order=size,varied=true", Options(10, 10), 0),
    MatchRow("blokus", "network", "heuristic:order=shape,varied=true", Options(10, 10), 0),
    MatchRow("blokus", "network:ahead=8", "heuristic:order=shape,varied=true", Options(10, 10), 0),
    MatchRow("blokus", PROVING, "heuristic:order=shape,varied=true", Options(10, 10), 0),
    MatchRow("blokus", "q-table", "random", Options(7, 7)),
    MatchRow("blokus", "q-table", "alphabeta:depth=2", Options(7, 7)),
)

JUDGED = (
    ("connect_four", "mcts:nodes=100"),
    ("connect_four", "network"),
    ("connect_four", "alphazero:seconds=0.05"),
    ("connect_four", "alphazero:seconds=0.05,proof=0.7"),
    ("connect_four", "alphazero:seconds=0.05,proof=0.7,book=true"),
    ("filler", "greedy"),
    ("filler", "network"),
)
"""Whose moves are compared with perfect ones, beside a yardstick."""


def tables(games: int = GAMES, positions: int = POSITIONS, *, workers: Workers = ThisProcess()) -> Iterator[str]:
    """The rows of both tables, as Markdown; workers play the matches."""
    yield from match_table(MATCHES, games, workers)
    yield ""
    yield from accuracy_table(JUDGED, positions)


def match_table(matches: Sequence[MatchRow], games: int, workers: Workers = ThisProcess()) -> Iterator[str]:
    """A row for each match and seat."""
    yield "Learned players, each two games from one start with the seats exchanged"
    yield ""
    yield "| game | player | against | of | won | drawn | lost | share of the points, 95% interval | command |"
    yield "|---|---|---|---:|---:|---:|---:|---|---|"
    for each in matches:
        usual = usual_openings(find_game(each.game), each.board)
        openings = usual if each.openings is None else each.openings
        figures = measure(
            each.player,
            each.game,
            each.against,
            games=games,
            seed=0,
            board=each.board,
            openings=openings,
            workers=workers,
        )
        for figure in figures:
            yield f"| {each.game} | {each.player} | {_cells(figure)} | `{each.command(games)}` |"


def accuracy_table(judged: Sequence[tuple[str, str]], positions: int) -> Iterator[str]:
    """Two rows for each player: best moves, and moves that keep what the position is worth."""
    yield "Moves beside those of the exact solvers, positions of random games"
    yield ""
    yield "| game | player | moves | of | right | | wrong | share, 95% interval |"
    yield "|---|---|---|---:|---:|---:|---:|---|"
    for game, player in judged:
        for figure in accuracy(find_solver(player, game), game, positions=positions, seed=0):
            yield f"| {game} | {player} | {_cells(figure)} |"


def _cells(figure: Figure) -> str:
    low, high = figure.interval
    counts = f"{figure.of} | {figure.won} | {figure.drawn} | {figure.lost}"
    return f"{figure.what} | {counts} | {figure.share:.1%} ({low:.1%} to {high:.1%})"
