// Any game at the table that has no drawing of its own: cells, pieces of the players on them, other moves as buttons.

import { el, number, svg } from "../dom.js";
import { CELL, cellsOf, gridBoard, textOf } from "./grid.js";

const FILES = "abcdefghijklmnopqrstuvwxyz";
const SHAPES = ["●", "▲", "◆", "✚"];
const MOST_BUTTONS = 60;

const nameOf = ([row, col], { grid }) => `${FILES[col]}${grid.length - row}`;

/** The cell that a move names, none where it is no cell. */
function cellOf(move, { grid }) {
  const cell = [grid.length - Number(move.slice(1)), FILES.indexOf(move[0])];
  return /^[a-z]\d+$/u.test(move) && grid[cell[0]]?.[cell[1]] !== undefined ? [cell] : [];
}

export default {
  ...gridBoard,
  fields: ["rows", "cols"],
  draw(layers, board) {
    const { w, h } = gridBoard.size(board);
    layers.ground.append(svg("rect", { class: "felt", width: w, height: h }));
    for (const [row, col] of cellsOf(board.grid)) {
      const kind = board.grid[row][col];
      const [x, y, cx, cy] = [col * CELL, row * CELL, (col + 0.5) * CELL, (row + 0.5) * CELL];
      if (kind >= 0) layers.ground.append(svg("rect", { class: "square", x: x + 2, y: y + 2, width: CELL - 4, height: CELL - 4 }));
      if (kind <= 0) continue;
      layers.pieces.append(svg("circle", { class: `disc seat-${kind}`, cx, cy, r: 38 }));
      layers.pieces.append(svg("text", { class: "letter", x: cx, y: cy }, SHAPES[kind - 1] ?? String(kind)));
    }
  },
  places(board) {
    return cellsOf(board.grid).map((cell) => {
      const [[row, col], move] = [cell, nameOf(cell, board)];
      const kind = board.grid[row][col];
      const holds = kind > 0 ? `player ${kind}` : kind < 0 ? "no cell" : "empty";
      return { id: `r${row}c${col}`, ...gridBoard.rect(cell), label: `${move}, ${holds}`, move, can: board.legal.includes(move) };
    });
  },
  cellsOf: cellOf,
  ghost: (place, board) => (place.can ? { cells: cellOf(place.move, board), fits: true } : null),
  words: (score) => number(score, true),
  verdict: ({ score, proven }) => (score === null ? "" : `${number(score, true)} for the side to move${proven ? ", proven" : ""}`),
  text: ({ grid }) => textOf(grid, [".", "1", "2", "3", "4"]),
  /** The moves that are no cells, as buttons beside the board. */
  beside(board, { awaits, play }) {
    const others = board.legal.filter((move) => !cellOf(move, board).length).slice(0, MOST_BUTTONS);
    const buttons = others.map((move) => el("button", { type: "button", disabled: !awaits, click: () => play(move) }, move));
    return others.length ? [el("div", { role: "group", "aria-label": "Moves" }, ...buttons)] : [];
  },
};
