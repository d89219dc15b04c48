// Quoridor at the table: cells with grooves between them, as the grid has them at even and odd places.

import { number, svg } from "../dom.js";
import { gridBoard } from "./grid.js";

const [CELL, GROOVE] = [76, 24];
const PITCH = CELL + GROOVE;
const LETTERS = "abcdefghijklmnopqrs";

const along = (at) => (at >> 1) * PITCH + (at % 2 ? CELL : 0);
const wide = (at) => (at % 2 ? GROOVE : CELL);
const centre = ([row, col]) => [col * PITCH + CELL / 2, row * PITCH + CELL / 2];
const rect = ([row, col]) => ({ x: along(col), y: along(row), w: wide(col), h: wide(row) });
const rowsOf = (board) => (board.grid.length + 1) / 2;
const colsOf = (board) => (board.grid[0].length + 1) / 2;

/** The places of the grid that a move's text names. */
function cellsOf(move, board) {
  const [, letter, rank, way] = /^([a-s])(\d+)([hv]?)$/u.exec(move) ?? [];
  const [row, col] = [2 * (rowsOf(board) - Number(rank)), 2 * LETTERS.indexOf(letter)];
  if (way === "h") return [0, 1, 2].map((step) => [row - 1, col + step]);
  if (way === "v") return [0, 1, 2].map((step) => [row - 2 + step, col + 1]);
  return [[row, col]];
}

export default {
  ...gridBoard,
  fields: ["rows", "cols", "walls", ["", "repetition"]],
  rect,
  size: (board) => ({ w: along(board.grid[0].length - 1) + CELL, h: along(board.grid.length - 1) + CELL }),
  outline(cells) {
    const [x, y] = [Math.min(...cells.map((cell) => rect(cell).x)), Math.min(...cells.map((cell) => rect(cell).y))];
    const right = Math.max(...cells.map((cell) => rect(cell).x + rect(cell).w));
    const down = Math.max(...cells.map((cell) => rect(cell).y + rect(cell).h));
    return `M${x + 3} ${y + 3}H${right - 3}V${down - 3}H${x + 3}Z`;
  },
  label: (cells, board) => rect(cells[cells.length >> 1], board),
  draw(layers, board, { awaits }) {
    board.grid.forEach((line, row) => line.forEach((kind, col) => {
      const { x, y, w, h } = rect([row, col]);
      if (row % 2 === 0 && col % 2 === 0) layers.ground.append(svg("rect", { class: `square${goalOf(row, board)}`, x, y, width: w, height: h, rx: 7 }));
      else if (kind === 1) layers.pieces.append(svg("rect", { class: "wall", x: x - 1, y: y - 1, width: w + 2, height: h + 2 }));
      if (row % 2 === 0 && col % 2 === 0 && kind) {
        const [cx, cy] = [x + w / 2, y + h / 2];
        layers.pieces.append(svg("circle", { class: `pawn seat-${kind}`, cx, cy, r: 28 }), svg("text", { class: "letter", x: cx, y: cy }, kind === 1 ? "●" : "▲"));
      }
    }));
    board.marks.paths.forEach((path, seat) => {
      const shift = seat ? 5 : -5; // where both paths run, both are seen
      const points = path.map((cell) => centre(cell).map((at) => at + shift).join(",")).join(" ");
      layers.marks.append(svg("polyline", { class: `path seat-${seat + 1}`, points }));
    });
    if (awaits) for (const cell of board.marks.steps) {
      const [cx, cy] = centre(cell);
      layers.marks.append(svg("circle", { class: `hint seat-${board.player + 1}`, cx, cy, r: 10 }));
    }
  },
  places(board) {
    const [rows, cols] = [rowsOf(board), colsOf(board)];
    const legal = new Set(board.legal);
    const found = [];
    for (let row = 0; row < rows; row++) {
      for (let col = 0; col < cols; col++) {
        const name = `${LETTERS[col]}${rows - row}`;
        const kind = board.grid[2 * row][2 * col];
        const label = `${name}${kind ? `, pawn of player ${kind}` : ""}`;
        found.push({ id: name, ...rect([2 * row, 2 * col]), label, move: name, can: legal.has(name) });
        if (row < rows - 1 && col < cols - 1) {
          const wall = `${LETTERS[col]}${rows - row - 1}`;
          found.push({ id: `${wall}h`, ...slot("h", row, col, cols), kind: "slot", move: `${wall}h`, label: `wall ${wall}h, lying`, can: legal.has(`${wall}h`) });
          found.push({ id: `${wall}v`, ...slot("v", row, col, rows), kind: "slot", move: `${wall}v`, label: `wall ${wall}v, standing`, can: legal.has(`${wall}v`) });
        }
      }
    }
    return found;
  },
  cellsOf,
  ghost: (place, board) => (place.can || place.kind === "slot" ? { cells: cellsOf(place.move, board), fits: place.can } : null),
  counts: (board) => board.marks.left.map((left, seat) => `${left} walls, ${board.marks.paths[seat].length - 1} steps to go`),
  words: (score) => number(score, true),
  text: ({ grid }) => grid.map((line, row) => line.map((kind, col) => (row % 2 || col % 2 ? (kind ? "#" : " ") : [".", "1", "2"][kind])).join("")).join("\n"),
  verdict: (answer) => (answer.score === null ? "" : answer.proven ? `${answer.score > 0 ? "the side to move wins" : answer.score < 0 ? "the side to move loses" : "a draw"}, proven` : `${number(answer.score, true)} for the side to move`),
};

/** Where a wall is pressed: the groove beside its first cell, at the last one beside both. */
function slot(way, row, col, count) {
  const both = (way === "h" ? col : row) === count - 2 ? 2 * CELL + GROOVE : CELL;
  return way === "h"
    ? { x: col * PITCH, y: row * PITCH + CELL, w: both, h: GROOVE }
    : { x: col * PITCH + CELL, y: row * PITCH, w: GROOVE, h: both };
}

const goalOf = (row, board) => (row === 0 ? " goal-1" : row === board.grid.length - 1 ? " goal-2" : "");
