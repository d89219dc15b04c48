// A rectangular board of cells, drawn with elements, and the keys that walk over it.

import { turned } from "./conventions.js";
import { element } from "./element.js";

/**
 * The board element and its cells, row by row.
 * label: what a screen reader calls the board.  walkable: cells take the focus and answer to arrow keys.
 * upright: whether it lies as it is, whatever the conventions say.
 */
export function buildGrid({ rows, cols, label, walkable, upright = false }) {
  const board = element("div", { class: "board", role: walkable ? "grid" : "img", "aria-label": label,
    "data-rows": rows, "data-cols": cols });
  board.style.setProperty("--rows", rows);
  board.style.setProperty("--cols", cols);
  const cells = Array.from({ length: rows }, (_, row) => Array.from({ length: cols }, (_, col) =>
    element("div", { class: "cell", "data-row": row, "data-col": col, "data-press": `cell:${row},${col}`,
      ...(walkable ? { role: "gridcell", tabindex: row + col === 0 ? 0 : -1 } : {}) })));
  const shown = upright ? cells : cells.map((line, row) => line.map((_, col) => {
    const [r, c] = turned([row, col], rows, cols);
    return cells[r][c];
  }));
  board.append(...shown.map((line) => element("div", { class: "row", ...(walkable ? { role: "row" } : {}) }, ...line)));
  if (walkable) walkWithArrows(board, shown);
  return { board, cells };
}

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

function walkWithArrows(board, cells) {
  board.addEventListener("keydown", (event) => {
    const here = event.target.closest(".cell");
    if (!here) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      here.click();
      return;
    }
    const [down, right] = STEPS[event.key] ?? [0, 0];
    const row = cells.findIndex((line) => line.includes(here));
    const next = cells[row + down]?.[cells[row].indexOf(here) + right];
    if (!next || next === here) return;
    event.preventDefault();
    here.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
}

/** The bracket that marks a start corner: "top-left", "bottom-right", ... */
export function bracket(corner) {
  const [row, col] = turned(cornerCell(corner, 2, 2), 2, 2);
  return element("i", { class: "bracket", "data-corner": `${row ? "bottom" : "top"}-${col ? "right" : "left"}` });
}

/** The cell in a corner of a board, as [row, col]. */
export const cornerCell = (corner, rows, cols) =>
  [corner.startsWith("bottom") ? rows - 1 : 0, corner.endsWith("right") ? cols - 1 : 0];
