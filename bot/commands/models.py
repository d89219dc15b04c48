"""Look at the learned players: list and verify them, show a card, measure, keep, export, rate generations.

NAME is a model's name, the path of its card, or a run's folder.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.commands.options import add_limit, add_workers, limit_of, workers_of
from bot.commands.table import table
from bot.progress import ProgressLine
from bot.protocol.values import values_of

if TYPE_CHECKING:
    from solvers.learned.card import Card, Figure

SEATS = {"first": 0, "second": 1}

RATED_AT = (0.01, 0.1, 1.0)
"""CPU seconds a move at which generations are rated."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``boardsight models``."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    listed = actions.add_parser("list", help="the models that come with Boardsight")
    verify = actions.add_parser("verify", help="compare weights with their cards, and load them")
    verify.add_argument("names", nargs="*", metavar="NAME", help="which (default: all that come with Boardsight)")
    card = actions.add_parser("card", help="how a model was made and what it is worth")
    measured = actions.add_parser("measure", help="play matches, or judge moves, and write them into the card")
    rated = actions.add_parser("elo", help="rate the generations of a run beside a solver with the same CPU time")
    rated.add_argument(
        "--at", type=float, nargs="+", default=RATED_AT, metavar="X", help="CPU seconds a move (default: 0.01 0.1 1)"
    )
    rated.add_argument("--openings", type=int, default=4, metavar="K", help="random moves first (default: %(default)s)")
    kept = actions.add_parser("keep", help="copy a run's player to those that come with Boardsight")
    exported = actions.add_parser("export", help="make the player of a training's latest checkpoint")
    exported.add_argument("--out", metavar="FOLDER", help="where to (default: NAME/checkpoint)")
    for each in (card, measured, kept, exported, rated):
        each.add_argument("name", metavar="NAME")
    for each in (listed, verify, card):
        each.add_argument("--json", action="store_true", help="print one JSON object")
    measured.add_argument("against", nargs="*", metavar="SOLVER", help="such as random or alphabeta:depth=3")
    measured.add_argument("--positions", type=int, metavar="N", help="compare its moves of so many with perfect ones")
    measured.add_argument(
        "--search", metavar="KEY=VALUE,...", help="let the network guide a search, such as seconds=0.05 or nodes=100"
    )
    for each, games in ((measured, 500), (rated, 20)):
        each.add_argument("--games", type=int, default=games, metavar="N", help="against each (default: %(default)s)")
        each.add_argument("--seed", type=int, default=0, metavar="S")
        add_workers(each)
    measured.add_argument(
        "--openings", type=int, metavar="K", help="random moves first (default: 4, where boards are dealt 0)"
    )
    measured.add_argument("--seat", choices=tuple(SEATS), help="play this one alone (default: both in turn)")
    measured.add_argument("--variant", metavar="NAME", help="of the boards, such as uniform (default: the model's own)")
    add_limit(measured)
    rated.add_argument("rival", nargs="?", default="alphabeta", metavar="SOLVER", help="(default: %(default)s)")
    kept.add_argument("as_name", metavar="NEW", help="its name from then on")


def run(args: argparse.Namespace) -> int:
    """Do what the action says."""
    does = {
        "list": _list,
        "verify": _verify,
        "card": _card,
        "measure": _measure,
        "elo": _elo,
        "keep": _keep,
        "export": _export,
    }
    return does[args.action](args)


def _list(args: argparse.Namespace) -> int:
    from solvers.learned.card import read_card
    from solvers.learned.registry import describe
    from solvers.learned.store import find_model
    from solvers.models import model_names

    cards = [read_card(find_model(name)) for name in model_names()]
    if args.json:
        print(json.dumps([_values(card) for card in cards]))
        return 0
    rows = [(card.name, card.game, describe(card.board), card.method, card.note or None) for card in cards]
    print("\n".join(table(("model", "game", "board", "method", "note"), rows)))
    return 0


def _verify(args: argparse.Namespace) -> int:
    from games.core import BoardsightError
    from solvers.learned.player import check_model
    from solvers.models import model_names

    found = {}
    for name in args.names or model_names():
        try:
            check_model(name)
            found[name] = ""
        except BoardsightError as error:
            found[name] = str(error)
    if args.json:
        print(json.dumps({"ok": not any(found.values()), "errors": found}))
    else:
        print("\n".join(f"{name}: {error or 'as its card says'}" for name, error in found.items()))
    return int(any(found.values()))


def _card(args: argparse.Namespace) -> int:
    from solvers.learned.card import format_card, read_card
    from solvers.learned.store import find_model

    card = read_card(find_model(args.name))
    print(json.dumps(_values(card)) if args.json else "\n".join([_without_figures(format_card(card)), *_rows(card)]))
    return 0


def _measure(args: argparse.Namespace) -> int:
    """Play or judge, add the rows to the card, and show it."""
    from games.core import SettingsError
    from solvers.learned.card import add_figures, read_card
    from solvers.learned.store import find_model

    if args.games < 2 or (args.openings or 0) < 0 or args.seed < 0 or (args.positions or 1) < 1:
        raise SettingsError("--games is at least 2, --positions 1, --openings and --seed 0")
    if not args.against and args.positions is None:
        raise SettingsError("name a solver to play against, or say --positions")
    path = find_model(args.name)
    card = read_card(path)
    for figures in _figures(args, card, path):
        named = [replace(figure, what=f"{figure.what}, searching with {args.search}") for figure in figures]
        card = add_figures(path, named if args.search else figures)
    print("\n".join(_rows(card)))
    return 0


def _figures(args: argparse.Namespace, card: Card, path: Path) -> Iterator[tuple[Figure, ...]]:
    """What is measured against each opponent, and on positions."""
    from games import find_game
    from solvers import find_solver
    from solvers.arena import usual_openings
    from solvers.learned.player import spec_for
    from solvers.training.measure import accuracy, measure

    game, board = card.game, replace(card.board, variant=args.variant) if args.variant else card.board
    openings = usual_openings(find_game(game), board) if args.openings is None else args.openings
    player = f"alphazero:model={path},{args.search}" if args.search else spec_for(str(path))
    words = [f"--{name} {getattr(args, name)}" for name in _set_options(args)]
    begun = ["boardsight models measure", card.name]
    with closing(workers_of(args)) as workers:
        for opponent in args.against:
            with ProgressLine() as line:
                figure = measure(
                    *(player, game, opponent),
                    games=args.games,
                    seed=args.seed,
                    board=board,
                    openings=openings,
                    limit=limit_of(args),
                    seats=(SEATS[args.seat],) if args.seat else (0, 1),
                    command=" ".join([*begun, opponent, f"--games {args.games}", *words]),
                    workers=workers,
                    told=partial(_show, line, f"against {opponent}: ", args.games),
                )
            yield figure
    if args.positions is not None:
        command = " ".join([*begun, f"--positions {args.positions}", *words])
        yield accuracy(
            find_solver(player, game), game, positions=args.positions, seed=args.seed, board=board, command=command
        )


def _set_options(args: argparse.Namespace) -> Iterator[str]:
    for name in ("search", "openings", "seat", "seed", "variant", "seconds", "nodes", "depth"):
        if getattr(args, name) is not None and (name, getattr(args, name)) != ("seed", 0):
            yield name


def _show(line: ProgressLine, against: str, games: int, played: int) -> None:
    line.show(f"{against}{played} of {games} games")


def _keep(args: argparse.Namespace) -> int:
    import shutil

    from games.core import SettingsError
    from solvers.learned.card import checked_weights, read_card, write_card
    from solvers.learned.store import find_model
    from solvers.models import FOLDER

    path = find_model(args.name)
    card = read_card(path)
    weights = checked_weights(card, path)
    if Path(args.as_name).name != args.as_name or "." in args.as_name:
        raise SettingsError(f"{args.as_name!r} is no name for a model: letters, digits and dashes")
    copied = FOLDER / f"{args.as_name}{weights.suffix}"
    shutil.copyfile(weights, copied)
    write_card(replace(card, name=args.as_name, weights=copied.name), FOLDER / f"{args.as_name}.toml")
    print(FOLDER / f"{args.as_name}.toml")
    return 0


def _export(args: argparse.Namespace) -> int:
    """Make the player, and say where its card lies."""
    from games.core import SettingsError, not_installed

    try:
        from solvers.training.methods import leave_checkpoint
    except ImportError as error:
        raise SettingsError(not_installed("train", error.name or "torch")) from error
    run = Path(args.name)
    print(leave_checkpoint(run, Path(args.out or run / "checkpoint")))
    return 0


def _elo(args: argparse.Namespace) -> int:
    """Rate each generation, show the ratings, and say where their plot lies."""
    from games.core import SettingsError, not_installed

    try:
        from solvers.training.generations import PLOT, rate_generations
    except ImportError as error:
        raise SettingsError(not_installed("train", error.name or "torch")) from error
    if args.games < 2 or args.openings < 0 or args.seed < 0 or min(args.at) <= 0:
        raise SettingsError("--games is at least 2, --openings and --seed 0, --at more than 0")
    run, terms = Path(args.name), {"games": args.games, "seed": args.seed, "openings": args.openings}
    with closing(workers_of(args)) as workers, ProgressLine() as line:
        found = list(rate_generations(run, args.rival, seconds=args.at, workers=workers, told=line.show, **terms))
    for record in found:
        print(json.dumps(record))
    print(run / PLOT)
    return 0


def _values(card: Card) -> dict[str, Any]:
    figures = [asdict(figure) | {"share": figure.share, "interval": list(figure.interval)} for figure in card.figures]
    return asdict(card) | {"board": values_of(card.board), "figures": figures}


def _without_figures(text: str) -> str:
    return text.partition("\n[[figures]]")[0].rstrip()


def _rows(card: Card) -> Iterator[str]:
    """The figures of a card as a table."""
    yield ""
    rows = []
    for figure in card.figures:
        low, high = figure.interval
        shares = f"{figure.share:.1%}", f"{low:.1%} to {high:.1%}"
        rows.append((figure.what, figure.of, figure.won, figure.drawn, figure.lost, *shares))
    yield from table(("against", "of", "won", "drawn", "lost", "share", "95%"), rows)
