"""Estimate how many nodes a game's tree has, by random paths (Knuth 1975)."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from bot.commands.options import add_game, add_json, add_position, game_of, options_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SAMPLES = 100_000
MOST_SAMPLES = 10**8

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95, 0.999)

WIDTH, HEIGHT, MARGIN = 640, 400, 56
"""The plot, in pixels, and what it leaves free for its scales."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``boardsight estimate``."""
    add_game(parser)
    add_position(parser)
    parser.add_argument("--samples", type=int, default=SAMPLES, metavar="N", help="random paths (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the random paths (default: %(default)s)")
    parser.add_argument("--png", metavar="FILE", help="also draw the distribution of the paths' estimates")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Print the mean, its standard error, and how the paths' estimates are distributed."""
    import numpy as np

    from games.core import SettingsError
    from solvers.tree_size import tree_sizes

    if not 1 <= args.samples <= MOST_SAMPLES or args.seed < 0:
        raise SettingsError(f"--samples takes 1 to {MOST_SAMPLES}, --seed a number from 0")
    game = game_of(args)
    state: Any = game.parse(" ".join(args.position), options_of(args))
    sizes = tree_sizes(game.name, state, args.samples, args.seed)
    mean = float(sizes.mean())
    error = float(sizes.std(ddof=1) / np.sqrt(len(sizes))) if len(sizes) > 1 else float("inf")
    quantiles = {share: float(np.quantile(sizes, share)) for share in QUANTILES}
    if args.png:
        _save(args.png, sizes, mean)
    if args.json:
        print(json.dumps({"nodes": mean, "error": error, "samples": len(sizes), "quantiles": quantiles}))
    else:
        print(*_lines(mean, error, quantiles), sep="\n")
    return 0


def _lines(mean: float, error: float, quantiles: dict[float, float]) -> Iterator[str]:
    yield f"{mean:.3g} nodes (standard error {error:.1g})"
    yield "share of paths whose own estimate is at most"
    for share, size in quantiles.items():
        yield f"{share:6.1%}  {size:.2g}"


def _save(path: str, sizes: NDArray[np.float64], mean: float) -> None:
    """Draw the cumulative distribution over the estimates' decimal logarithm, and their mean as a line."""
    import numpy as np
    from PIL import Image, ImageDraw

    from bot.storage.pictures import save_image

    picture = Image.new("RGB", (WIDTH, HEIGHT), "white")
    draw = ImageDraw.Draw(picture)
    logs = np.sort(np.log10(sizes))
    low, high = np.floor(logs[0]), max(np.ceil(logs[-1]), np.floor(logs[0]) + 1)

    def at(log: float, share: float) -> tuple[float, float]:
        across = MARGIN + (log - low) / (high - low) * (WIDTH - 1.5 * MARGIN)
        return across, HEIGHT - MARGIN - share * (HEIGHT - 1.5 * MARGIN)

    step = max(1, round((high - low) / 8))
    for log in np.arange(low, high + 1e-9, step):
        draw.line([at(log, 0), at(log, 1)], "gainsboro")
        draw.text(at(log, -0.03), f"1e{log:.0f}", "black", anchor="ma")
    for share in (0, 0.25, 0.5, 0.75, 1):
        draw.line([at(low, share), at(high, share)], "gainsboro")
        draw.text((at(low, share)[0] - 6, at(low, share)[1]), f"{share:.0%}", "black", anchor="rm")
    shares = np.arange(1, len(logs) + 1) / len(logs)
    chosen = np.unique(np.linspace(0, len(logs) - 1, 2000).astype(int))
    draw.line([at(float(logs[place]), float(shares[place])) for place in chosen], "navy", width=2)
    draw.line([at(np.log10(mean), 0), at(np.log10(mean), 1)], "firebrick")
    draw.text(
        (WIDTH / 2, HEIGHT - 16), f"nodes a path estimates; mean {mean:.3g} of {len(sizes):,}", "black", anchor="mm"
    )
    save_image(path, picture)
