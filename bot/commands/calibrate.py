"""`boardsight calibrate`: finds the board, shows what was found as a picture, and saves it as TOML."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from bot.commands.options import add_json, load_screenshot

if TYPE_CHECKING:
    from calibration.board import Calibration
    from calibration.frame import Frame, Pixel


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's flags."""
    parser.add_argument("picture", nargs="?", type=Path, help="a screenshot (default: the screen)")
    parser.add_argument("--screen", default="auto", help="auto, desktop, browser or drawn")
    parser.add_argument("--url", default="", help="page to open in a browser of our own")
    parser.add_argument("--attach", default="", help="debugging address of a running browser")
    parser.add_argument("--headless", action="store_true", help="open the browser without a window")
    parser.add_argument("--scale", type=float, default=1.0, help="device scale of the browser that is opened")
    parser.add_argument("--game", default="", help="the game's name (default: recognise it)")
    parser.add_argument("--save", type=Path, default=Path("calibration.toml"), help="TOML file to write")
    parser.add_argument("--overlay", type=Path, default=Path("calibration.png"), help="picture to write")
    parser.add_argument(
        "--assist",
        nargs="*",
        metavar="X,Y",
        help="where the board is not found: point at two corner cells on a page, or name their middles here, in pixels "
        "of the picture, the top left one first",
    )
    parser.add_argument("--size", metavar="ROWSxCOLS", help="with --assist: the board's size, where it is miscounted")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Calibrates; exit status 1 when no board is found, with the annotated picture kept."""
    from bot.storage.files import write_calibration
    from bot.storage.pictures import save_picture
    from calibration.answer import summary
    from calibration.locate import BoardNotFoundError
    from calibration.looks import reader_of
    from calibration.overlay import overlay

    frame = _frame(args)
    try:
        calibration = _pointed_at(frame, args) if args.assist == [] else _located(frame, args)
    except BoardNotFoundError as missing:
        if missing.picture is not None:
            save_picture(args.overlay, missing.picture)
            missing.add_note(f"what was seen, and why each candidate was dropped: {args.overlay}")
        raise
    write_calibration(args.save, calibration)
    seen = reader_of(calibration).read(frame)
    save_picture(args.overlay, overlay(frame, calibration, seen))
    lattice = calibration.lattice
    facts = {
        "game": calibration.game,
        "rows": lattice.rows,
        "cols": lattice.cols,
        "pitch": [round(side, 3) for side in lattice.pitch],
        "colours": len(calibration.palette),
        "controls": {name: [round(at.x, 1), round(at.y, 1)] for name, at in calibration.controls.items()},
        "confidence": calibration.confidence,
        "calibration": str(args.save),
        "overlay": str(args.overlay),
    }
    if args.json:
        print(json.dumps(facts))
        return 0
    print(summary(calibration, seen))
    print(f"cells of {lattice.pitch[0]:.2f}x{lattice.pitch[1]:.2f} pixels, the first at {_words(lattice.origin)}")
    print(f"controls: {', '.join(calibration.controls) or 'none'}; confidence {calibration.confidence:.3f}")
    print(f"saved: {args.save}, the picture: {args.overlay}")
    return 0


def _located(frame: Frame, args: argparse.Namespace) -> Calibration:
    """The board that is found alone, or between the two corner cells given."""
    from bot.protocol.values import parse_size
    from calibration.locate import locate
    from games.core import SettingsError

    if args.size and not args.assist:
        raise SettingsError("--size goes with the two corner cells of --assist: name them, too")
    if args.assist is None:
        return locate(frame, args.game or None)
    if len(args.assist) != 2:
        raise SettingsError(
            f"--assist takes the middles of two cells, top left and bottom right, or none to point at them on a page; "
            f"{len(args.assist)} were given"
        )
    corners = _parse_pixel(args.assist[0]), _parse_pixel(args.assist[1])
    return locate(frame, args.game or None, corners=corners, size=parse_size(args.size) if args.size else None)


def _pointed_at(frame: Frame, args: argparse.Namespace) -> Calibration:
    """The board a person points at on a page in the browser."""
    import webbrowser

    from bot.web.assist import AssistServer

    with AssistServer(frame, args.game or None) as assist:
        print(f"point at the board's corner cells here: {assist.url}", flush=True)
        webbrowser.open(assist.url)
        return assist.wait()


def _frame(args: argparse.Namespace) -> Frame:
    from bot.compose import open_devices
    from bot.settings import Settings

    if args.picture is not None:
        return load_screenshot(args.picture)
    settings = Settings(
        screen=args.screen, url=args.url, attach=args.attach, headless=args.headless, scale=args.scale, game=args.game
    )
    with open_devices(settings) as (screen, _):
        return screen.grab()


def _parse_pixel(text: str) -> Pixel:
    from bot.settings import parse_place
    from games.core import SettingsError

    place = parse_place(text)
    if place is None:
        raise SettingsError(f"{text!r} is no pixel: write X,Y, such as 120,85")
    return place


def _words(at: Pixel) -> str:
    return f"({at.x:.1f}, {at.y:.1f})"
