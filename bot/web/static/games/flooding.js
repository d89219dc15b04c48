// What the two flooding games share: coloured cells, territories with a border, colours that are chosen.

import { el, svg } from "../dom.js";
import { CELL, border, cellsOf, gridBoard } from "./grid.js";

const NAMES = ["red", "green", "blue", "yellow", "violet", "cyan", "orange", "pink", "brown", "grey"];
const DIGITS = "0123456789abcdef";

/** The neutral cells that colour `colour` would bring the player to move. */
function captured({ grid, marks, player }, colour) {
  const found = new Map();
  const frontier = cellsOf(grid).filter(([row, col]) => marks.owner[row][col] === player + 1);
  while (frontier.length) {
    const [row, col] = frontier.pop();
    for (const [r, c] of [[row - 1, col], [row + 1, col], [row, col - 1], [row, col + 1]]) {
      if (grid[r]?.[c] !== colour || marks.owner[r][c] || found.has(`${r},${c}`)) continue;
      found.set(`${r},${c}`, [r, c]);
      frontier.push([r, c]);
    }
  }
  return [...found.values()];
}

export const flooding = {
  ...gridBoard,
  outlined: true, // cells are shown by their outline, for their colour says what they are
  draw(layers, board, { awaits }) {
    const { grid, marks } = board;
    for (const [row, col] of cellsOf(grid)) {
      const kind = grid[row][col];
      if (kind < 0) continue;
      const [x, y] = [col * CELL, row * CELL];
      layers.pieces.append(svg("rect", { class: `fill-${kind}`, x: x + 1, y: y + 1, width: CELL - 2, height: CELL - 2, rx: 6 }));
      layers.pieces.append(svg("text", { class: "letter", x: x + CELL / 2, y: y + CELL / 2 }, DIGITS[kind]));
    }
    const seats = Math.max(...marks.starts.map((_, at) => at + 1));
    for (let seat = 1; seat <= seats; seat++) {
      const cells = cellsOf(grid).filter(([row, col]) => marks.owner[row][col] === seat);
      const turn = awaits && board.player + 1 === seat ? " turn" : "";
      layers.marks.append(svg("path", { class: "under-territory", d: border(cells, 7) }));
      layers.marks.append(svg("path", { class: `territory seat-${seat}${turn}`, d: border(cells, 7) }));
      const [row, col] = marks.starts[seat - 1];
      layers.marks.append(svg("circle", { class: `start seat-${seat}`, cx: (col + 0.5) * CELL, cy: (row + 0.5) * CELL, r: 14 }));
    }
  },
  places(board) {
    return cellsOf(board.grid).map(([row, col]) => {
      const kind = board.grid[row][col];
      const owner = board.marks.owner[row][col];
      const move = DIGITS[kind];
      const whose = owner ? `, of ${board.seats.length > 1 ? `player ${owner}` : "the flooded region"}` : "";
      const label = kind < 0 ? `row ${row + 1}, column ${col + 1}: a wall` : `row ${row + 1}, column ${col + 1}: ${NAMES[kind]} ${move}${whose}`;
      return { id: `r${row}c${col}`, ...gridBoard.rect([row, col]), label, move, can: !owner && board.legal.includes(move) };
    });
  },
  cellsOf: (move, board) => captured(board, DIGITS.indexOf(move)),
  ghost(place, board) {
    return place.can ? { cells: captured(board, DIGITS.indexOf(place.move)), fits: true } : null;
  },
  actions: (board) => [...DIGITS.slice(0, board.numbers.colours)],
  face: (move) => el("span", { class: `chip fill-${DIGITS.indexOf(move)}`, title: NAMES[DIGITS.indexOf(move)] }, move),
  text: ({ grid }) => grid.map((line) => line.map((kind) => DIGITS[kind] ?? "#").join(" ")).join("\n"),
  /** The colours as buttons, beside the board. */
  beside(board, { awaits, play }) {
    const buttons = this.actions(board).map((move) => el("button", {
      type: "button", class: `colour fill-${DIGITS.indexOf(move)}`, "data-colour": move, "aria-label": `Play ${NAMES[DIGITS.indexOf(move)]}, ${move}`,
      disabled: !awaits || !board.legal.includes(move), click: () => play(move),
    }, el("span", { class: "letter" }, move)));
    return [el("div", { class: "colours", role: "group", "aria-label": "Colours" }, ...buttons)];
  },
};
