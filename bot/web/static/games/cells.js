// Any game at the table that has no drawing of its own, and no facts that ask for another: cells that are pressed one after the other for a move, pieces of
// the players on them, other moves as buttons.

import { el, svg } from "../dom.js";
import { say } from "../words.js";
import { CELL, cellsOf, gridBoard, lettered, textOf } from "./grid.js";

const FILES = "abcdefghijklmnopqrstuvwxyz";
const SHAPES = ["●", "▲", "◆", "✚"];
const MOST_BUTTONS = 60;

const nameOf = ([row, col], { grid }) => `${FILES[col]}${grid.length - row}`;

/** The cells that are pressed for a move, none where it is made otherwise. */
const tapped = (move, board) => (board.taps[board.legal.indexOf(move)] ?? []).map(([first]) => first.split(",").map(Number));

/** What a press on `cell` does after those `held`: {move}, {hand: the cells held then, null for none}, null for nothing. */
function pressed(cell, held, { legal, taps }) {
  if (held.at(-1) === cell) return { hand: null };
  for (const cells of held.length ? [[...held, cell], [cell]] : [[cell]]) {
    const fitting = legal.filter((_, at) => cells.every((each, step) => taps[at][step]?.includes(each)));
    const move = fitting.find((each) => taps[legal.indexOf(each)].length === cells.length);
    if (move) return { move };
    if (fitting.length) return { hand: cells };
  }
  return null;
}

export default {
  ...gridBoard,
  draw(layers, board, { awaits, hand }) {
    const { w, h } = gridBoard.size(board);
    layers.ground.append(svg("rect", { class: "felt", width: w, height: h }));
    for (const [row, col] of cellsOf(board.grid)) {
      const kind = board.grid[row][col];
      const [x, y, cx, cy] = [col * CELL, row * CELL, (col + 0.5) * CELL, (row + 0.5) * CELL];
      if (kind >= 0) layers.ground.append(svg("rect", { class: "square", x: x + 2, y: y + 2, width: CELL - 4, height: CELL - 4 }));
      if (kind <= 0) continue;
      layers.pieces.append(svg("circle", { class: `disc seat-${kind}`, "data-at": `${row},${col}`, cx, cy, r: 38 }));
      layers.pieces.append(svg("text", { class: "letter", "data-at": `${row},${col}`, x: cx, y: cy }, SHAPES[kind - 1] ?? String(kind)));
    }
    if (!hand) return;
    layers.marks.append(svg("path", { class: "won", d: gridBoard.outline(hand.map((cell) => cell.split(",").map(Number))) }));
    if (awaits) for (const { goes, cell: [row, col] } of this.places(board, { hand })) {
      if (goes) layers.marks.append(svg("circle", { class: `hint seat-${board.player + 1}`, cx: (col + 0.5) * CELL, cy: (row + 0.5) * CELL, r: 14 }));
    }
  },
  places(board, { hand }) {
    const held = hand ?? [];
    return cellsOf(board.grid).map((cell) => {
      const [[row, col], name] = [cell, nameOf(cell, board)];
      const kind = board.grid[row][col];
      const does = pressed(String(cell), held, board);
      const goes = held.length > 0 && Boolean(does?.move ?? does?.hand?.[1]); // on with what is held
      const holds = kind > 0 ? say("player.of", { number: kind }) : say(kind < 0 ? "cell.none" : "empty");
      const more = held.includes(String(cell)) ? `, ${say("held")}` : goes ? `, ${say("fits")}` : "";
      return { id: `r${row}c${col}`, ...gridBoard.rect(cell), cell, goes, label: `${name}, ${holds}${more}`, move: name, can: does !== null, ...does };
    });
  },
  edges: lettered,
  why: (place, board, hand) => say(hand ? "wrong.goal" : "wrong.begin"),
  cellsOf: tapped,
  ghost: (place) => (place.can ? { cells: [place.cell], fits: true } : null),
  text: ({ grid }) => textOf(grid, [".", "1", "2", "3", "4"]),
  keys: { Escape: "away" },
  turned: () => null,
  /** The moves that are made on no cells, as buttons beside the board. */
  beside(board, { awaits, play }) {
    const others = board.legal.filter((move) => !tapped(move, board).length).slice(0, MOST_BUTTONS);
    const buttons = others.map((move) => el("button", { type: "button", disabled: !awaits, click: () => play(move) }, move));
    return others.length ? [el("div", { role: "group", "aria-label": say("moves") }, ...buttons)] : [];
  },
};
