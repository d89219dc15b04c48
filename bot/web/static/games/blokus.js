// Blokus at the table: a tray of pieces, one of which is held, turned and laid.

import { el, number, svg } from "../dom.js";
import { CELL, border, cellsOf as everyCell, gridBoard, middleOf, textOf } from "./grid.js";

const COLUMNS = "abcdefghijklmnopqrst";
const SHAPES = ["●", "▲", "◆", "✚"];

/** `cells` moved to the top left corner, in reading order. */
function shapeOf(cells) {
  const [top, left] = [0, 1].map((axis) => Math.min(...cells.map((cell) => cell[axis])));
  return cells.map(([row, col]) => [row - top, col - left]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}

const rotated = (shape) => shapeOf(shape.map(([row, col]) => [col, -row]));
const flipped = (shape) => shapeOf(shape.map(([row, col]) => [row, -col]));

function textOfMove(cells, side) {
  return [...cells].sort((a, b) => b[0] - a[0] || a[1] - b[1]).map(([row, col]) => `${COLUMNS[col]}${side - row}`).join(",");
}

function cellsOf(move, board) {
  const cells = move.split(",").map((point) => [board.grid.length - Number(point.slice(1)), COLUMNS.indexOf(point[0])]);
  return cells.sort((a, b) => a[0] - b[0] || a[1] - b[1]); // as a shape's: of equal squares the first one is its middle
}

/** The piece in hand where its middle lies on `cell`. */
function laid(hand, [row, col]) {
  const [down, right] = middleOf(hand.shape);
  return hand.shape.map(([r, c]) => [row + r - down, col + c - right]);
}

/** The cells on which the middle of the piece in hand may lie. */
function holds(board, hand) {
  const shape = String(hand.shape);
  return board.legal.map((move) => cellsOf(move, board)).filter((cells) => String(shapeOf(cells)) === shape).map(middleOf);
}

function drawShape(shape, colour) {
  const [h, w] = [0, 1].map((axis) => Math.max(...shape.map((cell) => cell[axis])) + 1);
  return svg("svg", { viewBox: `0 0 ${w * 10} ${h * 10}`, width: w * 10, height: h * 10, "aria-hidden": "true" },
    ...shape.map(([row, col]) => svg("rect", { class: `fill-seat seat-${colour}`, x: col * 10 + 0.5, y: row * 10 + 0.5, width: 9, height: 9 })));
}

export default {
  ...gridBoard,
  fields: [["", "duo", "duo-either", "corners", "classic-2", "classic"], "rows", "cols", "players"],
  colourOf: (board) => board.marks.colour + 1,
  seatOf(step, board) {
    const [row, col] = step.cells[0];
    return board.grid[row][col] || (board.marks.left.length === 2 ? step.player + 1 : board.marks.colour + 1);
  },
  draw(layers, board, { awaits, hand }) {
    const { w, h } = gridBoard.size(board);
    layers.ground.append(svg("rect", { class: "felt", width: w, height: h }));
    layers.ground.append(svg("path", { class: "rules", d: board.grid.flatMap((_, at) => [`M0 ${at * CELL}H${w}`, `M${at * CELL} 0V${h}`]).join("") }));
    board.marks.starts.forEach((cells, seat) => cells.forEach(([row, col]) => {
      layers.ground.append(svg("circle", { class: `start seat-${seat + 1}`, cx: (col + 0.5) * CELL, cy: (row + 0.5) * CELL, r: 20 }));
    }));
    for (const [row, col] of everyCell(board.grid)) {
      const kind = board.grid[row][col];
      if (!kind) continue;
      layers.pieces.append(svg("rect", { class: `fill-seat seat-${kind}`, x: col * CELL + 3, y: row * CELL + 3, width: CELL - 6, height: CELL - 6, rx: 8 }));
      layers.pieces.append(svg("text", { class: "letter", x: (col + 0.5) * CELL, y: (row + 0.5) * CELL }, SHAPES[kind - 1]));
    }
    if (!awaits) return;
    const seat = board.marks.colour + 1;
    for (const [row, col] of board.marks.corners) layers.marks.append(svg("rect", { class: `corner seat-${seat}`, x: col * CELL + 30, y: row * CELL + 30, width: 40, height: 40, transform: `rotate(45 ${(col + 0.5) * CELL} ${(row + 0.5) * CELL})` }));
    if (hand) for (const [row, col] of holds(board, hand)) layers.marks.append(svg("circle", { class: `hint seat-${seat}`, cx: (col + 0.5) * CELL, cy: (row + 0.5) * CELL, r: 13 }));
  },
  places(board, { awaits, hand }) {
    const fits = new Set(awaits && hand ? holds(board, hand).map(String) : []);
    return everyCell(board.grid).map(([row, col]) => {
      const kind = board.grid[row][col];
      const name = `${COLUMNS[col]}${board.grid.length - row}`;
      const can = fits.has(`${row},${col}`);
      const move = hand ? textOfMove(laid(hand, [row, col]), board.grid.length) : null;
      return { id: name, ...gridBoard.rect([row, col]), cell: [row, col], move, can, label: `${name}${kind ? `, player ${kind}` : can ? ", fits" : ""}` };
    });
  },
  cellsOf,
  ghost(place, board, hand) {
    if (!hand) return null;
    const cells = laid(hand, place.cell).filter(([row, col]) => board.grid[row]?.[col] !== undefined);
    return cells.length ? { cells, fits: place.can } : null;
  },
  face: (move) => move.replaceAll(",", " "),
  counts: (board) => board.marks.covered.map((cells, at) => `${cells} squares, ${board.marks.left[at].length} pieces left`),
  words: (score) => number(score, true),
  text: ({ grid }) => textOf(grid, [".", "1", "2", "3", "4"]),
  verdict: (answer) => (answer.score === null ? "" : `${number(answer.score, true)} for the side to move${answer.proven ? ", proven" : ""}`),

  /** The tray of the colour to move, and what turns the piece in hand. */
  beside(board, { awaits, hand, hold }) {
    const { colour, left, forms } = board.marks;
    const pieces = left[colour].map((name) => el("button", {
      type: "button", class: "piece", "data-piece": name, "aria-label": `piece ${name}`, "aria-pressed": String(hand?.name === name),
      disabled: !awaits, click: () => hold(hand?.name === name ? null : { name, shape: shapeOf(forms[name]) }),
    }, drawShape(hand?.name === name ? hand.shape : forms[name], colour + 1)));
    const ways = [["rotate", "Rotate (R)"], ["flip", "Flip (F)"], ["away", "Put away (Esc)"]];
    const turns = ways.map(([way, label]) => el("button", { type: "button", "data-turn": way, disabled: !hand, click: () => hold(this.turned(hand, way)) }, label));
    return [el("div", { class: "tray", role: "group", "aria-label": `Pieces of colour ${colour + 1}` }, ...pieces), el("div", { class: "row", role: "group", "aria-label": "Piece in hand" }, ...turns)];
  },
  keys: { r: "rotate", f: "flip", Escape: "away" },
  /** The hand after it was turned. */
  turned(hand, way) {
    if (!hand || way === "away") return null;
    if (way === "back") return { ...hand, shape: rotated(rotated(rotated(hand.shape))) };
    return { ...hand, shape: way === "flip" ? flipped(hand.shape) : rotated(hand.shape) };
  },
};
