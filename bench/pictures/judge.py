"""Whether a board of a drawn picture was found, read and clicked right, as the scored galleries judge it."""

from __future__ import annotations

from typing import Any

import numpy as np

from games import find_game

STAGES = ("not found", "not read", "no click", "right")
"""How far a reading got: FOUND has the right size and every centre within 0.3 of a pitch, READ also every visible cell
right (colours matched one to one), CLICK also every enabled colour button, and none invented."""


def _drawn(told: dict[str, Any]) -> str:
    """How the boards of its game are drawn, "" for none."""
    return find_game(told["game"]).drawn if told.get("game") else ""


def judge(truth: dict[str, Any], seen: dict[str, Any]) -> tuple[int, str]:
    """The stages that an answer of ``boardsight read`` passed, 0 to 3, and why the next one was not."""
    drawn = _drawn(truth)
    if seen.get("game") != truth["game"] and not (drawn == "coloured" == _drawn(seen)):
        return 0, f"taken for {seen.get('game')}"
    truth = seen_part(truth)
    if (seen["rows"], seen["cols"]) != (truth["rows"], truth["cols"]):
        return 0, f"size {seen['rows']}x{seen['cols']}, is {truth['rows']}x{truth['cols']}"
    away = np.abs(np.array(seen["cells"]) - np.array(truth["cells"])) / truth["pitch"]
    if away.max() > 0.3:
        return 0, f"a centre is {away.max():.2f} pitches away"
    if drawn == "grooves":
        return _judge_walls(truth, seen)
    forward, why = _matched(truth, seen)
    if why:
        return 1, why
    why = _judge_buttons(truth, seen, forward)
    return (2, why) if why else (3, "")


def _judge_walls(truth: dict[str, Any], seen: dict[str, Any]) -> tuple[int, str]:
    pawns = sorted(tuple(pawn["cell"]) for pawn in truth["pawns"])
    if sorted(map(tuple, seen["pawns"])) != pawns:
        return 1, f"pawns {seen['pawns']}, are {pawns}"
    walls = {(wall["o"], wall["row"], wall["col"]) for wall in truth["walls"]}
    found = {tuple(wall) for wall in seen["walls"]}
    return (3, "") if found == walls else (1, f"missing {sorted(walls - found)}, too many {sorted(found - walls)}")


def _matched(truth: dict[str, Any], seen: dict[str, Any]) -> tuple[dict[int, int], str]:
    """Which true kind was given which number, and the first cell that breaks a one-to-one match."""
    hidden = {tuple(cell) for cell in truth["hidden_cells"]}
    forward = {} if _drawn(truth) == "coloured" else {0: 0}
    back = dict(forward)
    for (row, col), kind in np.ndenumerate(np.array(truth["grid"])):
        number = seen["grid"][row][col]
        if (row, col) in hidden or (kind < 0 and number < 0):
            continue
        if min(kind, number) < 0 or forward.setdefault(kind, number) != number or back.setdefault(number, kind) != kind:
            return forward, f"cell ({row},{col}) is {kind}, read as {number}"
    return forward, ""


def _judge_buttons(truth: dict[str, Any], seen: dict[str, Any], forward: dict[int, int]) -> str:
    controls = {name: at for name, at in seen["controls"].items() if name.startswith("colour:")}
    if not truth["buttons"]:
        return f"controls {sorted(controls)} where there are none" if controls else ""
    for button in truth["buttons"]:
        if not button["visible"] or not button["enabled"] or button["colour"] not in forward:
            continue
        x, y, width, height = button["rect"]
        at = controls.get(f"colour:{forward[button['colour']]}", (-9, -9))
        if not (x - 1 <= at[0] <= x + width + 1 and y - 1 <= at[1] <= y + height + 1):
            return f"button of colour {button['colour']} at {at}, is at {button['centre']}"
    return ""


def seen_part(truth: dict[str, Any]) -> dict[str, Any]:
    """A flooding board that the picture's edge cuts off, as far as it can be seen."""
    hidden = {tuple(cell) for cell in truth["hidden_cells"]}
    rows = [r for r in range(truth["rows"]) if any((r, c) not in hidden for c in range(truth["cols"]))]
    cols = [c for c in range(truth["cols"]) if any((r, c) not in hidden for r in range(truth["rows"]))]
    if _drawn(truth) != "coloured" or (len(rows), len(cols)) == (truth["rows"], truth["cols"]):
        return truth
    left = [[rows.index(r), cols.index(c)] for r, c in hidden if r in rows and c in cols]
    grid = np.array(truth["grid"])[np.ix_(rows, cols)].tolist()
    cells = np.array(truth["cells"])[np.ix_(rows, cols)].tolist()
    return truth | {"rows": len(rows), "cols": len(cols), "grid": grid, "cells": cells, "hidden_cells": left}
