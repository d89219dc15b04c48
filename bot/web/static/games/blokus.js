// Blokus at the table: a tray of pieces, one of which is held, turned and laid.

import { el, svg } from "../dom.js";
import { say } from "../words.js";
import { CELL, cellsOf as everyCell, gridBoard, lettered, middleOf, textOf, withCells } from "./grid.js";

const COLUMNS = "abcdefghijklmnopqrst";
const SHAPES = ["●", "▲", "◆", "✚"];
const PERSON = "person";
const NEAR = 1.6; // cells from where a piece is held to where it fits: so far it snaps
const TURNED = 1.1; // the same where it fits only in another way round

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

/** Every way round that a shape can lie. */
function forms(shape) {
  const ways = [shape, flipped(shape)].flatMap((side) => [side, rotated(side), rotated(rotated(side)), rotated(rotated(rotated(side)))]);
  return [...new Map(ways.map((way) => [String(way), way])).values()];
}

const known = new WeakMap();

/** Where each piece may be laid: its name -> [{move, cells, shape, middle}]. */
function fits(board) {
  if (known.has(board.legal)) return known.get(board.legal);
  const named = new Map(Object.entries(board.marks.forms).flatMap(([name, cells]) => forms(shapeOf(cells)).map((shape) => [String(shape), name])));
  const found = new Map();
  for (const move of board.legal.filter((text) => text !== "-")) {
    const cells = cellsOf(move, board);
    const shape = shapeOf(cells);
    const name = named.get(String(shape));
    if (!found.has(name)) found.set(name, []);
    found.get(name).push({ move, cells, shape, middle: middleOf(cells) });
  }
  known.set(board.legal, found);
  return found;
}

/** The cells on which the middle of the piece in hand may lie. */
function holds(board, hand) {
  const shape = String(hand.shape);
  return (fits(board).get(hand.name) ?? []).filter((way) => String(way.shape) === shape).map(({ middle }) => middle);
}

/** The placement of the piece in hand that is meant by a pointer at `x`, `y`: it lies there, or fits near it; one that
 *  was turned by hand stays as it is. */
function meant({ x, y }, board, hand) {
  const shape = String(hand.shape);
  const far = ({ middle: [row, col] }) => Math.hypot((row + 0.5) * CELL - y, (col + 0.5) * CELL - x) / CELL;
  const ways = (fits(board).get(hand.name) ?? []).map((way) => ({ ...way, same: String(way.shape) === shape, far: far(way) }));
  const near = ways.filter((way) => way.far <= (way.same ? NEAR : hand.exact ? 0 : TURNED));
  return near.sort((a, b) => b.same - a.same || a.far - b.far)[0] ?? null;
}

/** The piece as it is taken up: as it lies in the tray, turned where it fits only otherwise. */
function taken(name, board) {
  const shape = shapeOf(board.marks.forms[name]);
  const ways = (fits(board).get(name) ?? []).map((way) => String(way.shape));
  const fitting = forms(shape).find((way) => ways.includes(String(way)));
  return { name, shape: ways.includes(String(shape)) ? shape : fitting ?? shape };
}

/** The colour whose tray is shown: the one to move, or the person's that moves next. */
function trayOf({ marks, seats, player }) {
  const count = marks.left.length;
  const turns = Array.from({ length: count }, (_, step) => [(marks.colour + step) % count, seats[(player + step) % seats.length]]);
  return (turns.find(([, who]) => who === PERSON) ?? turns[0])[0];
}

function drawShape(shape, colour, cell = 10) {
  const [h, w] = [0, 1].map((axis) => Math.max(...shape.map((cell) => cell[axis])) + 1);
  return svg("svg", { viewBox: `0 0 ${w * 10} ${h * 10}`, width: w * cell, height: h * cell, "aria-hidden": "true" },
    ...shape.map(([row, col]) => svg("rect", { class: colour ? `fill-seat seat-${colour}` : "ink", x: col * 10 + 0.4, y: row * 10 + 0.4, width: 9.2, height: 9.2, rx: 1.2 })));
}

export default {
  ...gridBoard,
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
      layers.pieces.append(svg("rect", { class: `fill-seat seat-${kind}`, "data-at": `${row},${col}`, x: col * CELL + 3, y: row * CELL + 3, width: CELL - 6, height: CELL - 6, rx: 8 }));
      layers.pieces.append(svg("text", { class: "letter", "data-at": `${row},${col}`, x: (col + 0.5) * CELL, y: (row + 0.5) * CELL }, SHAPES[kind - 1]));
    }
    if (!awaits) return;
    const seat = board.marks.colour + 1;
    for (const [row, col] of board.marks.corners) layers.marks.append(svg("rect", { class: `corner seat-${seat}`, x: col * CELL + 30, y: row * CELL + 30, width: 40, height: 40, transform: `rotate(45 ${(col + 0.5) * CELL} ${(row + 0.5) * CELL})` }));
    if (hand) for (const [row, col] of holds(board, hand)) layers.marks.append(svg("circle", { class: `hint seat-${seat}`, cx: (col + 0.5) * CELL, cy: (row + 0.5) * CELL, r: 13 }));
  },
  places(board, { awaits, hand }) {
    const fitting = new Set(awaits && hand ? holds(board, hand).map(String) : []);
    return everyCell(board.grid).map(([row, col]) => {
      const kind = board.grid[row][col];
      const name = `${COLUMNS[col]}${board.grid.length - row}`;
      const can = fitting.has(`${row},${col}`);
      const move = can ? textOfMove(laid(hand, [row, col]), board.grid.length) : null;
      return { id: name, ...gridBoard.rect([row, col]), cell: [row, col], move, can, shadow: Boolean(awaits && hand), label: `${name}${kind ? `, ${say("player.of", { number: kind })}` : can ? `, ${say("fits")}` : ""}` };
    });
  },
  cellsOf,
  carries: true,
  /** The place a pointer means, with the placement of the piece in hand that fits there or near it. */
  aim({ x, y }, board, { awaits, hand, places }) {
    const [row, col] = [y, x].map((at) => Math.min(Math.max(Math.floor(at / CELL), 0), board.grid.length - 1));
    const place = places.get(`${COLUMNS[col]}${board.grid.length - row}`);
    const way = awaits && hand ? meant({ x, y }, board, hand) : null;
    return way ? { ...place, ...way, can: true } : place;
  },
  why(place, board, hand) {
    if (!hand) return say("wrong.hand");
    if (!fits(board).has(hand.name)) return say("wrong.stuck");
    const cells = laid(hand, place.cell);
    if (cells.some(([row, col]) => board.grid[row]?.[col] === undefined)) return say("wrong.edge");
    if (cells.some(([row, col]) => board.grid[row][col])) return say("wrong.covered");
    return say("wrong.corner");
  },
  /** The board after a piece was laid. */
  after(move, board) {
    if (move === "-") return null;
    const { grid, marks } = board;
    const cells = cellsOf(move, board);
    const laidOne = [...fits(board)].find(([, ways]) => ways.some((way) => way.move === move))?.[0];
    const left = marks.left.map((names, colour) => (colour === marks.colour ? names.filter((name) => name !== laidOne) : names));
    return { ...board, grid: withCells(grid, cells, marks.colour + 1), marks: { ...marks, left, corners: [] }, last: cells };
  },
  edges: lettered,
  /** What is carried, as wide as its width says in the board's units. */
  carried(hand, board) {
    return drawShape(hand.shape, board.marks.colour + 1, CELL);
  },
  ghost(place, board, hand) {
    if (place.cells) return { cells: place.cells, fits: true };
    if (!hand) return null;
    const cells = laid(hand, place.cell).filter(([row, col]) => board.grid[row]?.[col] !== undefined);
    return cells.length ? { cells, fits: place.can } : null;
  },
  /** A picture of the piece as it lies, and where its middle is. */
  face(move) {
    if (move === "-") return "–";
    const points = move.split(",");
    const cells = points.map((point) => [-Number(point.slice(1)), COLUMNS.indexOf(point[0])]);
    const [row, col] = middleOf(cells);
    return el("span", { class: "piece-face", title: points.join(" ") }, drawShape(shapeOf(cells), 0), el("span", {}, `${COLUMNS[col]}${-row}`));
  },
  counts: (board) => board.marks.covered.map((count, at) => `${say("squares", { count })}, ${say("pieces.left", { count: board.marks.left[at].length })}`),
  text: ({ grid }) => textOf(grid, [".", "1", "2", "3", "4"]),

  /** The tray of the colour to move, and what turns the piece in hand. */
  beside(board, { awaits, hand, hold, lift, wrong }) {
    const { left, forms: shapes } = board.marks;
    const colour = trayOf(board);
    const fitting = awaits ? fits(board) : null;
    const pieces = left[colour].map((name) => {
      const [held, stuck] = [hand?.name === name, fitting && !fitting.has(name)];
      const take = () => (stuck ? wrong(say("wrong.stuck")) : hold(held ? this.turned(hand, "rotate") : taken(name, board)));
      return el("button", {
        type: "button", class: "piece", "data-piece": name, "aria-label": say(stuck ? "piece.stuck" : "piece", { name }), "aria-pressed": String(held),
        "aria-disabled": stuck ? "true" : null, disabled: !awaits, click: take, pointerdown: (event) => stuck || lift(event, held ? hand : taken(name, board)),
      }, drawShape(held ? hand.shape : shapes[name], colour + 1));
    });
    const ways = [["rotate", say("rotate")], ["flip", say("piece.flip")], ["away", say("away")]];
    const turns = ways.map(([way, label]) => el("button", { type: "button", "data-turn": way, disabled: !hand, click: () => hold(this.turned(hand, way)) }, label));
    return [el("div", { class: "tray", role: "group", "aria-label": say("pieces", { number: colour + 1 }) }, ...pieces), el("div", { class: "row", role: "group", "aria-label": say("piece.held") }, ...turns)];
  },
  sheet: { rotate: ["R"], flip: ["F"], away: ["Esc"] },
  keys: { r: "rotate", f: "flip", Escape: "away" },
  /** The hand after it was turned. */
  turned(hand, way) {
    if (!hand || way === "away") return null;
    const turns = { rotate: rotated, flip: flipped, back: (shape) => rotated(rotated(rotated(shape))) };
    return { ...hand, shape: turns[way](hand.shape), exact: true };
  },
};
