// What boards of equal cells share: where a cell lies, the outline of several, the board as text.

import { settle } from "../motion.js";
import { verdict } from "../verdict.js";

export const CELL = 100;
const FILES = "abcdefghijklmnopqrstuvwxyz";

export const gridBoard = {
  size: (board) => ({ w: board.grid[0].length * CELL, h: board.grid.length * CELL }),
  rect: ([row, col]) => ({ x: col * CELL, y: row * CELL, w: CELL, h: CELL }),
  outline: (cells) => border(cells, 6),
  colourOf: (board) => board.player + 1,
  seatOf: (step) => step.player + 1,
  actions: () => null,
  face: (move) => move,
  verdict,
  counts: () => [],
  arrives: settle,
};

/** Files by letters from the left and ranks from below, as moves of most games name them: [[name, where its middle is]]. */
export function lettered({ grid }) {
  const middle = (at) => (at + 0.5) * CELL;
  return { files: grid[0].map((_, col) => [FILES[col] ?? "", middle(col)]), ranks: grid.map((_, row) => [String(grid.length - row), middle(row)]) };
}

/** The path round `cells`, moved inwards by `inset`: the edges that lead to a cell that is not among them. */
export function border(cells, inset = 0) {
  const inside = new Set(cells.map(String));
  const has = (row, col) => inside.has(`${row},${col}`);
  return cells.map(([row, col]) => {
    const edges = { up: !has(row - 1, col), down: !has(row + 1, col), left: !has(row, col - 1), right: !has(row, col + 1) };
    // An edge ends before the corner where the outline turns away from it, beyond it where the outline turns back.
    const end = (open, aside) => (open ? -inset : has(...aside) ? inset : 0);
    const [x0, x1, y0, y1] = [col * CELL, (col + 1) * CELL, row * CELL, (row + 1) * CELL];
    const lying = (at, r) => `M${x0 - end(edges.left, [r, col - 1])} ${at}L${x1 + end(edges.right, [r, col + 1])} ${at}`;
    const standing = (at, c) => `M${at} ${y0 - end(edges.up, [row - 1, c])}L${at} ${y1 + end(edges.down, [row + 1, c])}`;
    return (edges.up ? lying(y0 + inset, row - 1) : "") + (edges.down ? lying(y1 - inset, row + 1) : "")
      + (edges.left ? standing(x0 + inset, col - 1) : "") + (edges.right ? standing(x1 - inset, col + 1) : "");
  }).join("");
}

/** The grid with `kind` on `cells`. */
export function withCells(grid, cells, kind) {
  const changed = grid.map((line) => [...line]);
  for (const [row, col] of cells) changed[row][col] = kind;
  return changed;
}

/** Every cell as [row, col]. */
export const cellsOf = (grid) => grid.flatMap((line, row) => line.map((_, col) => [row, col]));

/** The cell nearest to the middle of `cells`. */
export function middleOf(cells) {
  const mean = [0, 1].map((axis) => cells.reduce((sum, cell) => sum + cell[axis], 0) / cells.length);
  const far = ([row, col]) => (row - mean[0]) ** 2 + (col - mean[1]) ** 2;
  return cells.reduce((best, cell) => (far(cell) < far(best) - 1e-9 ? cell : best));
}

/** Rows of letters, one for each value of the grid. */
export const textOf = (grid, letters) => grid.map((line) => line.map((kind) => letters[kind] ?? "#").join(" ")).join("\n");
