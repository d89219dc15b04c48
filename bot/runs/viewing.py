"""What a page that shows a run is told of it, while it is played or long after."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from bot.runs.journal import Turn
from calibration.answer import size
from calibration.board import Calibration
from calibration.looks import look_named
from games.core import UNREAD

DOUBTFUL = 0.5
"""Cells below this confidence are marked, and make their turn doubtful."""

MOST = 16
"""Candidates of a turn that a saved page keeps; games of Blokus have hundreds."""


def board_told(calibration: Calibration) -> dict[str, Any]:
    """Where a board lies in the full picture, and how large it is; its colours, and whether moves name them."""
    lattice = calibration.lattice
    return {
        "origin": list(lattice.origin),
        "pitch": list(lattice.pitch),
        "rows": lattice.rows,
        "cols": lattice.cols,
        "palette": ["#{:02x}{:02x}{:02x}".format(*colour) for colour in calibration.palette],
        "filled": look_named(calibration.look).filled,
        "size": size(calibration),
        "confidence": calibration.confidence,
    }


def turn_told(turn: Turn) -> dict[str, Any]:
    """A turn as its line of the journal, with the first of its candidates and with confidences of two digits."""
    told = asdict(turn)
    candidates = turn.decision.get("candidates", [])
    return told | {
        "confidence": [[round(sure, 2) for sure in row] for row in turn.confidence],
        "decision": turn.decision | {"candidates": candidates[:MOST], "more": len(candidates[MOST:])},
    }


def doubts(turn: Turn) -> list[str]:
    """Why a person should look at a turn: unsure cells, clicks made again, another move than ours; none mostly."""
    cells = [pair for row in zip(turn.grid, turn.confidence, strict=True) for pair in zip(*row, strict=True)]
    unread = sum(kind == UNREAD for kind, _ in cells)
    unsure = sum(kind != UNREAD and sure < DOUBTFUL for kind, sure in cells)
    return [
        *([f"{unread} cell{'s' * (unread > 1)} unread"] if unread else []),
        *([f"{unsure} cell{'s' * (unsure > 1)} doubtful"] if unsure else []),
        *([f"pressed {turn.tries} times"] if turn.tries > 1 else []),
        *([turn.outcome] if turn.outcome not in ("confirmed", "suggested") else []),
    ]
