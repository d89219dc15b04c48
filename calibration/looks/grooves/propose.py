"""How broad the grooves of a Quoridor board may be."""

from __future__ import annotations

import numpy as np

from calibration.board import Lattice
from calibration.looks.grooves.board import NARROWEST, WIDEST
from calibration.scene import Scene

GUESSES = 3
"""How many widths of the grooves are tried."""


def likely_gaps(scene: Scene, lattice: Lattice) -> list[tuple[float, float]]:
    """The likeliest widths of the grooves: where, beside the cells' middles, most edges run on both sides."""
    x, y, width, height = (round(value) for value in lattice.box)
    part = np.s_[max(0, y) : max(1, y + height), max(0, x) : max(1, x + width)]
    bins = np.linspace((1 - WIDEST) / 2, (1 - NARROWEST) / 2, 25)
    edges = np.zeros(len(bins) - 1)
    for axis, profile in enumerate((scene.upright[part].mean(axis=0), scene.level[part].mean(axis=1))):
        places = (np.arange(len(profile)) + max(0, (x, y)[axis]) - lattice.origin[axis]) / lattice.pitch[axis]
        edges += np.histogram(np.abs(places - np.rint(places)), bins, weights=profile)[0]
    best = np.argsort(-edges, kind="stable")[:GUESSES]
    shares = 1 - (bins[best] + bins[best + 1])
    return [(float(share) * lattice.pitch[0], float(share) * lattice.pitch[1]) for share in shares]
