// Games at the table in which moves win cells: coloured cells, territories with a border, colours that are chosen.

import { el, svg } from "../dom.js";
import { say } from "../words.js";
import { CELL, border, cellsOf, gridBoard, withCells } from "./grid.js";

const DIGITS = "0123456789abcdef";

/** The neutral cells that colour `colour` would bring the player to move. */
function captured({ grid, marks, player }, colour) {
  const found = new Map();
  const frontier = cellsOf(grid).filter(([row, col]) => marks.owner[row][col] === player + 1);
  while (frontier.length) {
    const [row, col] = frontier.pop();
    for (const [r, c] of besides(row, col)) {
      if (grid[r]?.[c] !== colour || marks.owner[r][c] || found.has(`${r},${c}`)) continue;
      found.set(`${r},${c}`, [r, c]);
      frontier.push([r, c]);
    }
  }
  return [...found.values()];
}

const RING = 34; // milliseconds in which a flood goes one cell further
const LONGEST = 520; // milliseconds for all of it, however far it goes

/** How a flood spreads: the region takes its new colour, then its neighbours join it, those at its border first. */
function spread(changes, { before, after }) {
  const rings = ringsOf(before.marks.owner, after.marks.owner);
  const most = Math.max(0, ...rings.values());
  const step = Math.min(RING, LONGEST / Math.max(most, 1));
  return [
    ...changes.filter(({ was, is }) => was !== is && was >= 0).map(({ cell, was, is }) => ({
      at: cell, duration: 170, frames: [{ fill: `var(--c${was})` }, { fill: `var(--c${is})` }],
    })),
    ...[...rings].map(([at, ring]) => ({
      at, delay: 60 + step * ring, duration: 230, easing: "cubic-bezier(0.3, 1.5, 0.6, 1)", fill: "none",
      frames: [{ transform: "scale(0.62)", opacity: 0.65 }, { transform: "none", opacity: 1 }],
    })),
    ...["last", "territory"].map((at) => ({ at, delay: step * most, duration: 200, frames: [{ opacity: 0 }, { opacity: 1 }] })),
  ];
}

/** How many steps each cell won lies from the region as it was: "row,col" -> 1 and more. */
function ringsOf(before, after) {
  const rings = new Map();
  let front = cellsOf(after).filter(([row, col]) => before[row][col]);
  for (let ring = 1; front.length; ring++) {
    const next = front.flatMap(([row, col]) => besides(row, col).filter(([r, c]) => (
      after[r]?.[c] && after[r][c] === after[row][col] && !before[r][c] && !rings.has(`${r},${c}`) && rings.set(`${r},${c}`, ring))));
    front = next;
  }
  return rings;
}

const besides = (row, col) => [[row - 1, col], [row + 1, col], [row, col - 1], [row, col + 1]];

const nameOf = (kind) => say(`colour.${kind}`);

export default {
  ...gridBoard,
  arrives: spread,
  differs: (before, after, row, col) => before.marks.owner[row][col] !== after.marks.owner[row][col],
  /** The board after a colour was chosen. */
  after(move, board) {
    const { grid, marks, player } = board;
    const won = captured(board, DIGITS.indexOf(move));
    const owned = cellsOf(grid).filter(([row, col]) => marks.owner[row][col] === player + 1);
    return { ...board, grid: withCells(grid, owned, DIGITS.indexOf(move)), marks: { ...marks, owner: withCells(marks.owner, won, player + 1) }, last: won };
  },
  why: ({ owner }, { player }) => say(owner === player + 1 ? "wrong.own" : "wrong.colour"),
  sheet: { colour: "digits" },
  /** How many cells each player has; of one alone, how many are still to come, and in how many moves. */
  counts({ grid, marks, numbers, seats }) {
    const owned = seats.map((_, seat) => marks.owner.flat().filter((owner) => owner === seat + 1).length);
    if (seats.length > 1) return owned.map((count) => say("cells", { count }));
    const flooded = say("cells.of", { flooded: owned[0], count: grid.flat().filter((kind) => kind >= 0).length });
    return [numbers.left === undefined ? flooded : `${flooded}, ${say("moves.left", { count: numbers.left })}`];
  },
  outlined: true, // cells are shown by their outline, for their colour says what they are
  draw(layers, board, { awaits }) {
    const { grid, marks } = board;
    for (const [row, col] of cellsOf(grid)) {
      const kind = grid[row][col];
      if (kind < 0) continue;
      const [x, y] = [col * CELL, row * CELL];
      layers.pieces.append(svg("rect", { class: `fill-${kind}`, "data-at": `${row},${col}`, x: x + 1, y: y + 1, width: CELL - 2, height: CELL - 2, rx: 6 }));
      layers.pieces.append(svg("text", { class: "letter", x: x + CELL / 2, y: y + CELL / 2 }, DIGITS[kind]));
    }
    const seats = Math.max(...marks.starts.map((_, at) => at + 1));
    for (let seat = 1; seat <= seats; seat++) {
      const cells = cellsOf(grid).filter(([row, col]) => marks.owner[row][col] === seat);
      const turn = awaits && board.player + 1 === seat ? " turn" : "";
      layers.marks.append(svg("path", { class: "under-territory", "data-at": "territory", d: border(cells, 7) }));
      layers.marks.append(svg("path", { class: `territory seat-${seat}${turn}`, "data-at": "territory", d: border(cells, 7) }));
      const [row, col] = marks.starts[seat - 1];
      layers.marks.append(svg("circle", { class: `start seat-${seat}`, cx: (col + 0.5) * CELL, cy: (row + 0.5) * CELL, r: 14 }));
    }
  },
  places(board) {
    return cellsOf(board.grid).map(([row, col]) => {
      const kind = board.grid[row][col];
      const owner = board.marks.owner[row][col];
      const move = DIGITS[kind];
      const whose = !owner ? "" : board.seats.length > 1 ? `, ${say("player.of", { number: owner })}` : `, ${say("flooded")}`;
      const label = `${say("cell", { row: row + 1, col: col + 1 })}: ${kind < 0 ? say("cell.wall") : `${nameOf(kind)} ${move}${whose}`}`;
      return { id: `r${row}c${col}`, ...gridBoard.rect([row, col]), label, move, owner, can: !owner && board.legal.includes(move) };
    });
  },
  cellsOf: (move, board) => captured(board, DIGITS.indexOf(move)),
  ghost(place, board) {
    return place.can ? { cells: captured(board, DIGITS.indexOf(place.move)), fits: true } : null;
  },
  actions: (board) => [...DIGITS.slice(0, board.numbers.colours)],
  face: (move) => el("span", { class: `chip fill-${DIGITS.indexOf(move)}`, title: nameOf(DIGITS.indexOf(move)) }, move),
  text: ({ grid }) => grid.map((line) => line.map((kind) => DIGITS[kind] ?? "#").join(" ")).join("\n"),
  /** The colours as buttons, beside the board. */
  beside(board, { awaits, play }) {
    const buttons = this.actions(board).map((move) => el("button", {
      type: "button", class: `colour fill-${DIGITS.indexOf(move)}`, "data-colour": move, "aria-label": say("colour.play", { colour: nameOf(DIGITS.indexOf(move)), move }),
      disabled: !awaits || !board.legal.includes(move), click: () => play(move),
    }, el("span", { class: "letter" }, move)));
    return [el("div", { class: "colours", role: "group", "aria-label": say("variant.colours") }, ...buttons)];
  },
};
