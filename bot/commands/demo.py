"""`boardsight demo`: opens a bundled game and plays it by pixels and clicks, on whatever screen there is."""

from __future__ import annotations

import argparse
import secrets
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

if TYPE_CHECKING:
    from bot.ports import Pointer, Screen

WINDOW = (1000, 900)
"""Width and height of the browser window on a desktop: the page with its 14x14 board fits."""

WHERE = {"desktop": "on the desktop", "browser": "in a browser", "drawn": "on a drawn desktop"}
"""Where a demo plays, in words."""

RIVALS = ("greedy", "random")
"""Who plays the other side of a page; that of the drawn screen always plays by chance."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's flags."""
    parser.add_argument("--game", default="flood_it", help="the bundled game (default: flood_it)")
    parser.add_argument("--screen", default="auto", help="auto, desktop, browser or drawn (default: the best there is)")
    parser.add_argument("--solver", default="", help="the solver (default: the game's own)")
    parser.add_argument("--seed", type=int, default=None, help="the board's number (default: a new one)")
    parser.add_argument("--skin", default="", help="the skin of the page, or of the drawn screen (default: its own)")
    parser.add_argument("--page", default="", help="settings of the page: 'end=dialog&hover=needed'")
    parser.add_argument("--faults", default="", help="what goes wrong on the drawn screen: a number, or a plan's file")
    parser.add_argument("--rival", default="greedy", choices=RIVALS, help="who plays the other side of the page")
    parser.add_argument("--delay", type=float, default=0.15, help="seconds before each click, to be watched")
    parser.add_argument("--runs", type=Path, default=Path("runs"), help="folder that gets one folder a run")


def run(args: argparse.Namespace) -> int:
    """Plays one game; exit status 0 when it was played to the end."""
    from bot.compose import play_on, refuse_unknown
    from bot.settings import Settings
    from games import find_game

    game = find_game(args.game)
    refuse_unknown(args.game, args.solver)
    _refuse_skin(args)
    seed = secrets.randbelow(10_000) if args.seed is None else args.seed
    settings = Settings(
        game=args.game,
        solver=args.solver,
        delay=args.delay,
        limit=game.demo.limit or 0,
        runs=str(args.runs),
        seat="first",
        seconds=game.demo_seconds,
    )
    with ExitStack() as stack:
        name, screen, pointer = _open(args, seed, stack)
        print(f"playing {game.title}, board {seed}, {WHERE[name]}", flush=True)
        result, _ = play_on(screen, pointer, settings, name=name, show_board=True)
    return int(result.outcome is None)


def _open(args: argparse.Namespace, seed: int, stack: ExitStack) -> tuple[str, Screen, Pointer]:
    """The best stage that can be opened here: its name, its screen and its pointer, closed with `stack`."""
    from bot.compose import has_display
    from bot.ports import PointerError, ScreenError
    from bot.settings import DRAWN_ALONE
    from games.core import SettingsError

    if args.faults and args.screen not in ("auto", "drawn"):
        raise SettingsError(DRAWN_ALONE)
    if args.screen not in ("auto", *_STAGES):
        raise SettingsError(f"screen {args.screen!r} is none of: auto, {', '.join(_STAGES)}")
    wanted = [args.screen] if args.screen != "auto" else ["desktop", "browser", "drawn"]
    if args.faults:
        wanted = ["drawn"]
    if wanted[0] == "desktop" and args.screen == "auto" and not has_display():
        wanted.remove("desktop")
    for kind in wanted:
        attempt = ExitStack()
        try:
            screen, pointer = _STAGES[kind](args, seed, attempt)
        except (ScreenError, PointerError) as problem:
            attempt.close()
            if kind == wanted[-1]:
                raise
            print(f"no {kind} here ({problem}); trying the next screen", flush=True)
        else:
            stack.push(attempt.pop_all())
            return kind, screen, pointer
    raise AssertionError("unreachable: the last stage returns or raises")


def _refuse_skin(args: argparse.Namespace) -> None:
    """Raises SettingsError for a skin that the screen, or where it is left open the page, does not have."""
    from bot.screens.drawn.desktop import find_skin
    from bot.web.pages import skins_of
    from games.core import SettingsError, choices

    if args.skin and (args.faults or args.screen == "drawn"):
        find_skin(args.skin)
    elif args.skin and args.skin not in (known := skins_of(args.game)):
        raise SettingsError(f"the page of {args.game} has no skin {args.skin!r}; {choices(args.skin, known)}")


def _address(args: argparse.Namespace, seed: int, stack: ExitStack) -> str:
    from bot.web.pages import PageServer
    from games import find_game

    pages = stack.enter_context(PageServer())
    wishes = {"seed": seed, "limit": find_game(args.game).demo.limit or "", "skin": args.skin, "second": args.rival}
    wishes |= parse_qsl(args.page, keep_blank_values=True)
    return pages.url(args.game, **{name: wish for name, wish in wishes.items() if wish != ""})


def _open_desktop(args: argparse.Namespace, seed: int, stack: ExitStack) -> tuple[Screen, Pointer]:
    from bot.compose import open_devices, wait_for_board
    from bot.screens.chromium import open_chromium_window
    from bot.settings import Settings

    screen, pointer = stack.enter_context(open_devices(Settings(screen="desktop")))
    stack.enter_context(open_chromium_window(_address(args, seed, stack), size=WINDOW))
    wait_for_board(screen, args.game)
    return screen, pointer


def _open_browser(args: argparse.Namespace, seed: int, stack: ExitStack) -> tuple[Screen, Pointer]:
    from bot.compose import open_devices
    from bot.settings import Settings

    url = _address(args, seed, stack)
    return stack.enter_context(open_devices(Settings(screen="browser", url=url)))


def _open_drawn(args: argparse.Namespace, seed: int, stack: ExitStack) -> tuple[Screen, Pointer]:
    import numpy as np

    from bot.compose import open_drawn
    from bot.screens.drawn.desktop import SKINS
    from games import find_game

    game = find_game(args.game)
    state = game.deal(np.random.default_rng(seed), game.demo)
    pace = {} if args.faults else {"animation": 0.15}  # a fault plan has its own
    skin = {"skin": args.skin} if args.skin in SKINS else {}  # a page's own one where no page could be opened
    return open_drawn(game, state, args.faults, **pace, **skin)


_STAGES = {"desktop": _open_desktop, "browser": _open_browser, "drawn": _open_drawn}
