// Quoridor at the table: cells with grooves between them, as the grid has them at even and odd places.

import { svg } from "../dom.js";
import { glide, settle, slide } from "../motion.js";
import { say } from "../words.js";
import { gridBoard, withCells } from "./grid.js";

const [CELL, GROOVE] = [76, 24];
const PITCH = CELL + GROOVE;
const LETTERS = "abcdefghijklmnopqrs";
const TARGET = 0.3; // of a cell's pitch, to each side of its middle, where a press is a step; more where a finger needs more

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

/** The place that a press at `x`, `y` means: a step near the middle of a cell where the pawn can go, else the wall whose
 *  groove is nearest, rather one that may be built. */
function aim({ x, y }, board, { coarse, finger, places }) {
  const [rows, cols] = [rowsOf(board), colsOf(board)];
  const [across, down] = [x, y].map((at) => (at + GROOVE / 2) / PITCH); // a cell and half the grooves round it
  const [row, col] = [Math.min(Math.max(Math.floor(down), 0), rows - 1), Math.min(Math.max(Math.floor(across), 0), cols - 1)];
  const [right, below] = [across - col - 0.5, down - row - 0.5];
  const cell = places.get(nameOf(row, col, rows));
  const reach = coarse ? Math.max(TARGET, finger / 2 / PITCH) : TARGET;
  if (isStep(row, col, right, below, board, reach)) return cell;
  const none = coarse ? Math.max(1 - 3 * reach, 0) : reach; // what a step's cell and a wall leave free: a press there tells that no step goes there
  if (Math.max(Math.abs(right), Math.abs(below)) < none) return cell;
  const lying = Math.abs(below) > Math.abs(right);
  const middle = (at, aside, count) => Math.min(Math.max(aside >= 0 ? at : at - 1, 0), count - 2);
  const edge = (at, aside, count) => (aside > 0 ? at : at - 1) >= 0 && (aside > 0 ? at : at - 1) < count - 1;
  const groove = lying ? edge(row, below, rows) : edge(col, right, cols);
  if (!groove) return cell;
  const [top, left] = [middle(row, below, rows), middle(col, right, cols)];
  const other = lying ? [top, left + (right >= 0 ? -1 : 1)] : [top + (below >= 0 ? -1 : 1), left];
  const walls = [[top, left], other].map(([r, c]) => places.get(`${nameOf(r + 1, c, rows)}${lying ? "h" : "v"}`));
  return walls.find((wall) => wall?.can) ?? walls[0] ?? cell;
}

/** Whether a press so far to the right of and below the middle of a cell is a step there, which reaches so far. */
function isStep(row, col, right, below, { marks }, reach) {
  const may = (r, c) => marks.steps.some((cell) => cell[0] === r && cell[1] === c);
  if (!may(row, col)) return false;
  const given = 2 * reach - 0.5; // where two such cells meet, each gives so much to the wall between them, and takes it on its other side
  const ends = (toward, away) => reach + (toward ? -given : away ? given : 0);
  const side = (at, before, after) => (at >= 0 ? at <= ends(after, before) : -at <= ends(before, after));
  return side(right, may(row, col - 1), may(row, col + 1)) && side(below, may(row - 1, col), may(row + 1, col));
}

const nameOf = (row, col, rows) => `${LETTERS[col]}${rows - row}`;

/** How walls are pushed in, and how the pawn walks. */
function arrives(changes, asked) {
  const walls = changes.filter(({ cell: [row, col], is }) => (row % 2 || col % 2) && is);
  const [first, last] = [walls[0]?.cell, walls.at(-1)?.cell];
  const lying = walls.length > 1 && first[0] === last[0];
  const gone = changes.find(({ was, is }) => was && !is);
  const come = changes.find(({ cell: [row, col], is }) => !(row % 2 || col % 2) && is);
  const pawn = gone && come ? [glide(gone.cell, come.cell, asked.game)] : settle(come ? [come] : [], asked);
  return [...walls.map(({ cell }) => slide(cell, lying ? -PITCH : 0, lying ? 0 : -PITCH)), ...pawn];
}

export default {
  ...gridBoard,
  aim,
  arrives,
  why({ kind, move }, { marks, player, grid }) {
    if (kind !== "slot") return say("wrong.step");
    if (!marks.left[player]) return say("wrong.walls");
    const crossed = cellsOf(move, { grid }).some(([row, col]) => grid[row][col]);
    return crossed ? say("wrong.crossed") : say("wrong.closed");
  },
  /** The board after a wall was built or the pawn went. */
  after(move, board) {
    const { grid, marks, player } = board;
    const cells = cellsOf(move, board);
    const left = marks.left.map((walls, seat) => walls - (seat === player && cells.length > 1));
    const from = grid.flatMap((line, row) => line.map((kind, col) => [row, col, kind])).find(([row, col, kind]) => !(row % 2 || col % 2) && kind === player + 1);
    const walked = cells.length > 1 ? withCells(grid, cells, 1) : withCells(withCells(grid, [from], 0), cells, player + 1);
    return { ...board, grid: walked, marks: { ...marks, left, steps: [], paths: cells.length > 1 ? marks.paths : marks.paths.map((path, seat) => (seat === player ? [] : path)) }, last: cells };
  },
  edges(board) {
    const middle = (at) => at * PITCH + CELL / 2;
    const count = (number) => Array.from({ length: number }, (_, at) => at);
    return { files: count(colsOf(board)).map((col) => [LETTERS[col], middle(col)]), ranks: count(rowsOf(board)).map((row) => [String(rowsOf(board) - row), middle(row)]) };
  },
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
      else if (kind === 1) layers.pieces.append(svg("rect", { class: "wall", "data-at": `${row},${col}`, x: x - 1, y: y - 1, width: w + 2, height: h + 2 }));
      if (row % 2 === 0 && col % 2 === 0 && kind) {
        const [cx, cy] = [x + w / 2, y + h / 2];
        const at = `${row},${col}`;
        layers.pieces.append(svg("circle", { class: `pawn seat-${kind}`, "data-at": at, cx, cy, r: 28 }), svg("text", { class: "letter", "data-at": at, x: cx, y: cy }, kind === 1 ? "●" : "▲"));
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
  places(board, { awaits }) {
    const [rows, cols] = [rowsOf(board), colsOf(board)];
    const legal = new Set(board.legal);
    const found = [];
    for (let row = 0; row < rows; row++) {
      for (let col = 0; col < cols; col++) {
        const name = `${LETTERS[col]}${rows - row}`;
        const kind = board.grid[2 * row][2 * col];
        const label = `${name}${kind ? `, ${say("pawn", { number: kind })}` : ""}`;
        found.push({ id: name, ...rect([2 * row, 2 * col]), label, move: name, can: legal.has(name) });
        if (row < rows - 1 && col < cols - 1) {
          const wall = `${LETTERS[col]}${rows - row - 1}`;
          found.push({ id: `${wall}h`, ...slot("h", row, col), kind: "slot", shadow: awaits, move: `${wall}h`, label: say("wall.lying", { wall: `${wall}h` }), can: legal.has(`${wall}h`) });
          found.push({ id: `${wall}v`, ...slot("v", row, col), kind: "slot", shadow: awaits, move: `${wall}v`, label: say("wall.standing", { wall: `${wall}v` }), can: legal.has(`${wall}v`) });
        }
      }
    }
    return found;
  },
  cellsOf,
  ghost: (place, board) => (place.can || place.kind === "slot" ? { cells: cellsOf(place.move, board), fits: place.can } : null),
  counts: (board) => board.marks.left.map((count, seat) => `${say("walls", { count })}, ${say("steps", { count: board.marks.paths[seat].length - 1 })}`),
  text: ({ grid }) => grid.map((line, row) => line.map((kind, col) => (row % 2 || col % 2 ? (kind ? "#" : " ") : [".", "1", "2"][kind])).join("")).join("\n"),
};

/** Where a wall is pressed: beside its first cell, as broad as a finger needs. */
function slot(way, row, col) {
  const [x, y] = [col * PITCH, row * PITCH];
  const broad = 2 * TARGET * PITCH;
  const aside = CELL + GROOVE / 2 - broad / 2;
  return way === "h" ? { x: x + 10, y: y + aside, w: CELL, h: broad } : { x: x + aside, y: y + 10, w: broad, h: CELL };
}

const goalOf = (row, board) => (row === 0 ? " goal-1" : row === board.grid.length - 1 ? " goal-2" : "");
