"""Let a player learn a game, or go on with a run that was stopped.

The run's folder holds its log, TensorBoard files, learning curve, checkpoints, and in the end the player: its weights
and their card, model.toml.  It plays wherever a solver can be named, as network:model=FOLDER (or q-table:model=FOLDER).
"""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path

from bot.commands.options import add_game, add_workers, options_of, worker_spec
from bot.progress import ProgressLine


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``boardsight train``."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    add_game(parser, required=False)
    parser.add_argument("--method", metavar="NAME", help="how to learn; --list names them")
    parser.add_argument("--list", action="store_true", help="list the methods, their games and settings")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a setting of the method")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of all chance (default: %(default)s)")
    parser.add_argument("--budget", type=int, metavar="N", help="episodes, positions or steps (default: the method's)")
    parser.add_argument("--out", metavar="FOLDER", help="the run's folder (default: runs/GAME-METHOD-SEED)")
    parser.add_argument("--resume", action="store_true", help="go on from the folder's latest checkpoint")
    parser.add_argument("--threads", type=int, metavar="N", help="of the network's arithmetic (default: all cores)")
    add_workers(parser)
    parser.add_argument("--quiet", action="store_true", help="do not show how far it is")


def run(args: argparse.Namespace) -> int:
    """Train, and say where the player lies; after Ctrl-C, how to go on."""
    from games.core import SettingsError
    from solvers.training.methods import METHODS, find_method, parse_settings
    from solvers.training.run import Plan, TrainingRun

    if args.list:
        return _list()
    if not args.game or not args.method:
        raise SettingsError(f"say --game and --method; methods: {', '.join(METHODS)} (--list tells more)")
    learn, settings = find_method(args.method, args.game)
    chosen = parse_settings(settings, args.set)
    counts = args.budget, args.threads
    if args.seed < 0 or any(count is not None and count < 1 for count in counts):
        raise SettingsError("--seed is at least 0, --budget and --threads at least 1")
    folder = Path(args.out or f"runs/{args.game}-{args.method}-{args.seed}")
    command = shlex.join(["boardsight", "train", *_words(args)])
    plan = Plan(args.game, args.method, args.seed, args.budget, options_of(args), tuple(args.set), command)
    try:
        with ProgressLine() as line:
            tell = None if args.quiet else line.show
            work = TrainingRun(
                folder, plan, resume=args.resume, tell=tell, threads=args.threads, workers=worker_spec(args)
            )
            learn(work, chosen)
    except KeyboardInterrupt:
        print(f"stopped; go on with: {command} --out {shlex.quote(str(folder))} --resume", file=sys.stderr)
        raise
    print(f"the player and its card: {folder / 'model.toml'}")
    print(f"the learning curve: {folder / 'curve.png'}")
    return 0


def _words(args: argparse.Namespace) -> list[str]:
    """The arguments that make the same player again, wherever it is put."""
    words = []
    names = ("game", "size", "colours", "walls", "variant", "length", "players", "limit", "method", "seed", "budget")
    for name in names:
        value = getattr(args, name)
        if value is not None:
            words += [f"--{name}", str(value)]
    for setting in args.set:
        words += ["--set", setting]
    return words


def _list() -> int:
    from dataclasses import fields

    from solvers.training.methods import METHODS, find_method, games_of

    for name, entry in METHODS.items():
        print(f"{name}: {entry.line}\n    games: {', '.join(games_of(name))}")
        _, settings = find_method(name, games_of(name)[0])
        for each in fields(settings):
            print(f"    --set {each.name}={_text(each.default)}")
    return 0


def _text(value: object) -> str:
    return "+".join(map(str, value)) if isinstance(value, tuple) else str(value)
