// Games at the table whose pieces fall to the lowest free place of their column, which is all that a move names.

import { svg } from "../dom.js";
import { fall } from "../motion.js";
import { say } from "../words.js";
import { CELL, cellsOf, gridBoard, textOf, withCells } from "./grid.js";

const COLUMNS = "123456789abcdefghijklmnopqrstuvwxyz";
const middle = (at) => (at + 0.5) * CELL;

/** Where a disc dropped into `col` comes to rest. */
function landing({ grid }, col) {
  for (let row = grid.length - 1; row >= 0; row--) if (!grid[row][col]) return [[row, col]];
  return [];
}

export default {
  ...gridBoard,
  outline: (cells) => cells.map(([row, col]) => circle(middle(col), middle(row), 41)).join(""),
  area: (cells) => cells.map(([row, col]) => circle(middle(col), middle(row), 41)).join(""),
  draw(layers, board) {
    const { w, h } = gridBoard.size(board);
    const cells = cellsOf(board.grid);
    layers.ground.append(svg("rect", { class: "hole", x: 6, y: 6, width: w - 12, height: h - 12, rx: 18 }));
    for (const [row, col] of cells) {
      const kind = board.grid[row][col];
      if (!kind) continue;
      const [cx, cy, at] = [middle(col), middle(row), `${row},${col}`];
      layers.pieces.append(svg("circle", { class: `disc seat-${kind}`, "data-at": at, cx, cy, r: 43 }));
      layers.pieces.append(svg("circle", { class: "dimple", "data-at": at, cx, cy, r: 27 }));
      layers.pieces.append(svg("text", { class: "letter", "data-at": at, x: cx, y: cy }, kind === 1 ? "●" : "▲"));
    }
    // Discs fall behind the rack: it is drawn before them, with a hole for each.
    layers.marks.append(svg("path", { class: "rack", "fill-rule": "evenodd", d: rounded(w, h, 22) + cells.map(([row, col]) => circle(middle(col), middle(row), 40)).join("") }));
    const won = board.marks.won ?? [];
    for (const [row, col] of won) layers.marks.append(svg("circle", { class: "won", cx: middle(col), cy: middle(row), r: 40 }));
    for (const [from, to] of ends(won)) {
      layers.marks.append(svg("line", { class: "won-line", x1: middle(from[1]), y1: middle(from[0]), x2: middle(to[1]), y2: middle(to[0]) }));
    }
  },
  places(board) {
    const { h } = gridBoard.size(board);
    return board.grid[0].map((_, col) => {
      const discs = board.grid.map((line) => line[col]).filter(Boolean).reverse();
      const holds = discs.length ? say("column.holds", { pieces: discs.map((kind) => say("player.of", { number: kind })).join(", ") }) : say("empty");
      const can = board.legal.includes(COLUMNS[col]);
      return { id: `c${col}`, x: col * CELL, y: 0, w: CELL, h, label: say("column", { column: COLUMNS[col], holds }), move: COLUMNS[col], can };
    });
  },
  why: () => say("wrong.column"),
  sheet: { column: "digits" },
  /** The board after a disc was dropped. */
  after(move, board) {
    const [[row, col]] = this.cellsOf(move, board);
    return { ...board, grid: withCells(board.grid, [[row, col]], board.player + 1), last: [[row, col]] };
  },
  arrives: fall,
  edges: ({ grid }) => ({ files: grid[0].map((_, col) => [COLUMNS[col], middle(col)]), ranks: [] }),
  cellsOf: (move, board) => landing(board, COLUMNS.indexOf(move)),
  ghost: (place, board) => (place.can ? { cells: landing(board, COLUMNS.indexOf(place.move)), fits: true } : null),
  actions: (board) => [...COLUMNS.slice(0, board.grid[0].length)],
  text: ({ grid }) => textOf(grid, [".", "1", "2"]),
};

const rounded = (w, h, r) => `M${r} 0H${w - r}A${r} ${r} 0 0 1 ${w} ${r}V${h - r}A${r} ${r} 0 0 1 ${w - r} ${h}H${r}A${r} ${r} 0 0 1 0 ${h - r}V${r}A${r} ${r} 0 0 1 ${r} 0Z`;
const circle = (cx, cy, r) => `M${cx - r} ${cy}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;

/** The ends of each straight row of winning discs. */
function ends(won) {
  const has = new Set(won.map(String));
  const found = [];
  for (const [down, right] of [[0, 1], [1, 0], [1, 1], [1, -1]]) {
    for (const [row, col] of won) {
      if (has.has(`${row - down},${col - right}`)) continue;
      let steps = 0;
      while (has.has(`${row + down * (steps + 1)},${col + right * (steps + 1)}`)) steps++;
      if (steps >= 2) found.push([[row, col], [row + down * steps, col + right * steps]]);
    }
  }
  return found;
}
