"""The front door for programs: ``python -m boardsight`` is the command line, ``import boardsight`` gives a few names.

>>> import boardsight
>>> picture = boardsight.draw(boardsight.deal("flood_it", seed=1, rows=5, cols=5, colours=4))
>>> seen = boardsight.read(picture)
>>> seen.game.name, seen.grid.shape, len(seen.moves)
('flood_it', (5, 5), 3)
>>> answer = boardsight.solve(seen)
>>> seen.play(*answer["line"]).outcome is not None, answer["proven"]
(True, True)

Importing this module imports nothing else: each function imports what it needs when it is called.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from bot.play.series import FinishedGame
    from calibration.board import Calibration
    from calibration.frame import Frame
    from games.core import Game, Outcome

    Picture = NDArray[np.uint8] | str | Path
    """uint8[height, width, 3] in RGB, or the path of a picture's file."""


@dataclass(frozen=True, slots=True)
class Position:
    """A position of a game, and its moves as texts.

    game: the rules, one of `games`.  state: the position as they know it.

    >>> opening = position("connect_four", "44")
    >>> opening.play("5", "3").moves
    ['1', '2', '3', '4', '5', '6', '7']
    >>> print(opening.play("5", "3"))
    4453
    """

    game: Game[Any, Any]
    state: Any

    def __str__(self) -> str:
        """The position as text: ``position(game.name, text)`` is this position again."""
        return self.game.format(self.state)

    @property
    def moves(self) -> list[str]:
        """The legal moves as texts; none when the game is over."""
        return [self.game.format_move(move, self.state) for move in self.state.legal_moves()]

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, None while it goes on."""
        ended: Outcome | None = self.state.outcome()
        return ended

    @property
    def grid(self) -> NDArray[np.int8]:
        """int8[rows, cols]: the kind of each cell, -2 for places that are not playable."""
        return self.game.show(self.state).grid

    def play(self, *moves: str) -> Position:
        """The position after these moves; raises PositionError for no move, IllegalMoveError for one not allowed."""
        state = self.state
        for move in moves:
            state = state.play(self.game.parse_move(move, state))
        return Position(self.game, state)


def position(game: str, text: str = "", **options: Any) -> Position:
    """The position that `text` names; raises PositionError or SettingsError.

    text: "" is the start, in games that always start with the same board.

    options: of the variant, as in `games.core.Options`: rows, cols, colours, walls, variant, players, limit, length.

    >>> print(position("quoridor", "e2 e8 e3h", walls=5))
    e2 e8 e3h
    """
    from games import find_game
    from games.core import Options

    rules = find_game(game)
    return Position(rules, rules.parse(text, Options(**options)))


def deal(game: str, seed: int = 0, **options: Any) -> Position:
    """A start position, by chance where the game has more than one; `options` as for `position`.

    >>> deal("flood_it", seed=1, rows=3, cols=3, colours=3).grid.shape
    (3, 3)
    """
    import numpy as np

    from games import find_game
    from games.core import Options

    rules = find_game(game)
    return Position(rules, rules.deal(np.random.default_rng(seed), Options(**options)))


def draw(shown: Position, *, skin: str = "classic") -> NDArray[np.uint8]:
    """uint8[800, 1280, 3], RGB: a desktop with a program on it that shows the position.

    >>> draw(deal("connect_four")).shape
    (800, 1280, 3)
    """
    from bot.ports import FakeClock
    from bot.screens.drawn.screen import DrawnScreen

    return DrawnScreen(shown.game, shown.state, clock=FakeClock(), skin=skin).grab().pixels


def find_board(picture: Picture, game: str | None = None) -> Calibration:
    """Where the board in a picture is, of `game` or of any; raises BoardNotFoundError.

    >>> found = find_board(draw(deal("connect_four")))
    >>> found.game, found.lattice.rows, found.lattice.cols
    ('connect_four', 6, 7)
    """
    from calibration.locate import locate

    return locate(_frame(picture), game)


def read(picture: Picture, game: str | None = None, *, seat: int | None = None) -> Position:
    """The position that a picture shows.

    seat: who is to move where a picture cannot tell, 0 for the first; None: whoever is likelier.
    Raises BoardNotFoundError where there is no board, UnreadableError where it shows no position of its game.

    >>> print(read(draw(position("quoridor", "e2 e8 e3h")), "quoridor").state.player)
    1
    """
    from calibration.locate import locate
    from calibration.looks import reader_of
    from games import find_game

    frame = _frame(picture)
    calibration = locate(frame, game)
    rules = find_game(calibration.game)
    return Position(rules, rules.read(reader_of(calibration).read(frame), seat=seat))


def solve(
    start: Position,
    solver: str = "",
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    lines: int | None = None,
) -> dict[str, Any]:
    """The decision of a solver: move, line, score, proven, best, nodes, seconds and candidates, moves as texts.

    solver: its name and options, such as ``"alphabeta:depth=4"``; "" for the game's usual one.
    seconds: of CPU time; nodes: positions visited; depth: plies looked ahead.  lines: how many of the best moves are
    wanted with an exact score and a line each.  Raises SettingsError.

    >>> answer = solve(position("flood_it", "012/210/001"))
    >>> answer["score"], answer["proven"]
    (4, True)
    """
    from bot.protocol.answer import decide
    from solvers import find_solver
    from solvers.core import Limit

    chosen = find_solver(solver or start.game.solver, start.game.name)
    return decide(start.game, chosen, start.state, Limit(seconds, nodes, depth, lines))


def play(**settings: Any) -> list[FinishedGame]:
    """Play on a screen as ``boardsight play`` does, and give for each game its result and the folder of its run.

    settings: as in `bot.settings.Settings`, such as ``url=...``, ``screen="drawn"`` or ``suggest=True``.
    Raises SettingsError, or the BoardsightError that stopped a run.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     (game,) = play(screen="drawn", game="flood_it", rows=8, cols=8, colours=6, runs=folder)
    >>> game.result.cause
    'won'
    """
    from bot import compose
    from bot.settings import Settings

    return compose.play(Settings(**settings), quiet=True)


def environment(game: str, *, boards: int = 1, **options: Any) -> Any:
    """A Gymnasium environment of a game, or one of `boards` boards side by side; needs ``boardsight[train]``.

    options: one board: opponent, seat, reward, render_mode; many: opponent, "self" or "random"; and the variant's.

    >>> observation, info = environment("connect_four").reset(seed=1)
    >>> observation.shape, info["action_mask"].tolist()
    ((2, 6, 7), [True, True, True, True, True, True, True])
    >>> environment("filler", boards=64).reset(seed=1)[0].shape[0]
    64
    """
    if boards > 1:
        from solvers.training.batches import BatchEnvironment

        return BatchEnvironment(game, boards, **options)
    from solvers.training.environments import BoardGame

    return BoardGame(game, **options)


def _frame(picture: Picture) -> Frame:
    """The picture as the finder takes it; raises SettingsError where it is no picture."""
    import numpy as np

    from calibration.frame import Frame, Rect
    from games.core import SettingsError

    if isinstance(picture, str | Path):
        from bot.storage.pictures import load_frame

        return load_frame(Path(picture))
    if not isinstance(picture, np.ndarray) or picture.dtype != np.uint8 or picture.shape[2:] != (3,):
        raise SettingsError("a picture is the path of a file, or an array uint8[height, width, 3] in RGB")
    height, width, _ = picture.shape
    return Frame(picture, Rect(0, 0, width, height))


def __getattr__(name: str) -> str:
    if name == "__version__":  # looked up when it is asked for: that takes longer than importing this module
        from importlib.metadata import version

        return version("boardsight")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = ["Position", "deal", "draw", "environment", "find_board", "play", "position", "read", "solve"]


if __name__ == "__main__":
    from bot.cli import main

    raise SystemExit(main())
