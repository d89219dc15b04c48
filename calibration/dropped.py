"""The picture of what was not found: where the network saw cells, what was considered, and why each was dropped."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

import cv2
import numpy as np

from calibration.board import Colour
from calibration.detect import SEEN
from calibration.frame import Box, Pixels
from calibration.look import Proposal
from calibration.scene import DETECTOR, Scene

DOUBTED: Colour = (255, 200, 0)
"""Places that were read as a board with too little confidence."""

REFUSED: Colour = (255, 110, 110)
"""Places that no board's rules fit."""

GLOW: Colour = (255, 120, 0)
"""What the network takes for the middle of a cell."""

WORDS = {
    "coloured": "coloured cells", "discs": "round places for discs", "squares": "small squares that pieces cover",
    "grooves": "cells with grooves between them", "stones": "places for stones or signs",
}  # fmt: skip
"""How boards are drawn, for people."""

MOST = 12
"""Places shown, the likeliest first: more cannot be told apart."""

SAME = 0.5
"""Two places are one where they share this part of both together."""


def leads(scene: Scene, proposals: Sequence[Proposal]) -> list[Proposal]:
    """What looks like a board to the network and led to no proposal."""
    found = [
        Proposal(
            place.box,
            f"it looks like a board of {WORDS[place.kind]}, but what lies on its cells cannot be told apart: uncover "
            "all of it, and let nothing move",
        )
        for place in scene.places
        if place.board >= SEEN
    ]
    kept: list[Proposal] = []
    for lead in found:
        if not any(_shared(lead.box, other.box) > SAME for other in (*proposals, *kept)):
            kept.append(lead)
    return kept


def _shared(one: Box, other: Box) -> float:
    """The part of two boxes' common outline that both cover."""
    both = one.common(other)
    return both / (one.area + other.area - both)


def verdict(proposal: Proposal, enough: float) -> str:
    """Why a proposal was dropped, in words."""
    if proposal.calibration is None:
        return f"dropped: {proposal.explanation}"
    if proposal.confidence < enough:
        return f"confidence {proposal.confidence:.2f} where {enough:.2f} is needed: {proposal.explanation}"
    return f"confidence {proposal.confidence:.2f}, but {proposal.explanation}"


def dropped(scene: Scene, places: Sequence[Proposal], enough: float) -> Pixels:
    """uint8[more than height, width, 3], RGB: the darkened picture with the numbered places, and a legend below it.

    What the network takes for middles of cells glows.
    """
    heat = cv2.resize(DETECTOR.overview(scene.pixels).heat, (scene.width, scene.height))[:, :, None]
    shown = np.ascontiguousarray((scene.pixels * (0.6 * (1 - heat)) + heat * GLOW).astype(np.uint8))
    size = max(0.45, shown.shape[1] / 2400)
    tags: list[Proposal] = []
    lines: dict[str, Colour] = {}
    for place in sorted(places, key=lambda each: -each.confidence):
        colour = DOUBTED if place.calibration else REFUSED
        number = next((n for n, tag in enumerate(tags, 1) if _shared(tag.box, place.box) > SAME), len(tags) + 1)
        if number > MOST:
            break
        if number > len(tags):
            tags.append(place)
            _tag(shown, place.box, str(number), colour, size)
        lines.setdefault(f"{number}  {verdict(place, enough)}", colour)
    if not lines:
        lines = {"Nothing in the picture repeats as the cells of a board do.": REFUSED}
    return np.concatenate([shown, _legend(shown.shape[1], list(lines.items()), size)])


def _tag(shown: Pixels, box: Box, text: str, colour: Colour, size: float) -> None:
    """Frames a place and puts its number at its corner, on a ground of its own."""
    x, y, width, height = (round(value) for value in box)
    cv2.rectangle(shown, (x, y), (x + width, y + height), colour, 2)
    (wide, high), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 1.4 * size, 2)
    left, top = max(0, x), max(0, y)
    cv2.rectangle(shown, (left, top), (left + wide + 10, top + high + 10), colour, -1)
    place = (left + 5, top + high + 5)
    cv2.putText(shown, text, place, cv2.FONT_HERSHEY_SIMPLEX, 1.4 * size, (0, 0, 0), 2, cv2.LINE_AA)


def _legend(width: int, lines: Sequence[tuple[str, Colour]], size: float) -> Pixels:
    """The lines, broken to fit the width."""
    (letter, high), _ = cv2.getTextSize("n" * 20, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
    room = max(20, int((width - 20) / (letter / 20)))
    broken = [(part, colour) for text, colour in lines for part in wrap(text, room, subsequent_indent="   ")]
    step = round(2.1 * high)
    legend = np.full((step * (len(broken) + 1), width, 3), 24, np.uint8)
    for row, (text, colour) in enumerate(broken, 1):
        at = (10, row * step)
        cv2.putText(legend, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, colour, 1, cv2.LINE_AA)
    return legend
