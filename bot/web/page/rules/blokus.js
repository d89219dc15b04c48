// The rules of Blokus for colours that take turns, in the rows and columns of the picture; a seat plays one or two.

import { around } from "./grid.js";

const DRAWINGS = {
  1: "#", 2: "##", I3: "###", V3: "#./##", I4: "####", L4: "###/#..", T4: "###/.#.", O: "##/##", Z4: "##./.##",
  F: ".##/##./.#.", I5: "#####", L5: "####/#...", N: "##../.###", P: "##/##/#.", T5: "###/.#./.#.", U: "#.#/###",
  V5: "#../#../###", W: "#../##./.##", X: ".#./###/.#.", Y: "####/.#..", Z5: "##./.#./.##",
};

/** The 21 pieces by name, each as cells [row, col] from its top left corner. */
export const PIECES = Object.fromEntries(Object.entries(DRAWINGS).map(([name, drawing]) => [name,
  drawing.split("/").flatMap((line, row) => [...line].flatMap((mark, col) => (mark === "#" ? [[row, col]] : [])))]));

/** Cells moved to the top left corner and put in order, row by row. */
function settled(cells) {
  const top = Math.min(...cells.map(([row]) => row));
  const left = Math.min(...cells.map(([, col]) => col));
  return cells.map(([row, col]) => [row - top, col - left]).sort(([a, b], [c, d]) => a - c || b - d);
}

/** A quarter turn to the right. */
export const rotated = (cells) => settled(cells.map(([row, col]) => [col, -row]));

/** The mirror image, left and right exchanged. */
export const flipped = (cells) => settled(cells.map(([row, col]) => [row, -col]));

/** The cell of a shape that is nearest to its middle; a hand holds the piece there. */
export function holdOf(cells) {
  const middle = [0, 1].map((axis) => cells.reduce((sum, cell) => sum + cell[axis], 0) / cells.length);
  const distance = ([row, col]) => (row - middle[0]) ** 2 + (col - middle[1]) ** 2;
  return cells.reduce((best, cell) => (distance(cell) < distance(best) - 1e-9 ? cell : best));
}

const SHAPES = Object.entries(PIECES).flatMap(([name, cells]) => {
  const shapes = new Map();
  for (let shape = cells, turn = 0; turn < 8; turn++, shape = turn === 4 ? flipped(shape) : rotated(shape)) {
    shapes.set(String(shape), { piece: name, shape });
  }
  return [...shapes.values()];
});

/** All forms of a piece that lies so, in an order of no turning. */
export function formsOf(cells) {
  const [{ piece }] = SHAPES.filter(({ shape }) => same(shape, cells));
  return SHAPES.filter((each) => each.piece === piece).map(({ shape }) => shape)
    .sort((one, other) => (String([...one].reverse()) < String([...other].reverse()) ? -1 : 1));
}

/** Whether two lists hold the same cells, in whatever order. */
export const same = (one, other) => String([...one].sort()) === String([...other].sort());

const corners = (size) => [[[0, 0]], [[0, size - 1]], [[size - 1, size - 1]], [[size - 1, 0]]];

/** The start cells of each colour: any one of a colour's must be covered by its first piece. */
export const STARTS = {
  duo: () => [[[4, 4]], [[9, 9]]],
  "duo-either": () => [[[4, 4], [9, 9]], [[4, 4], [9, 9]]],
  corners: (size) => [[[0, 0]], [[size - 1, size - 1]]],
  classic: corners,
  "classic-2": corners, // of two players with two colours each
};

export const begin = (size, starts) => ({
  size,
  starts,
  owner: Array.from({ length: size }, () => Array(size).fill(0)),
  left: starts.map(() => Object.keys(PIECES)),
  player: 0,
});

/** For each cell, what it is to a seat: -1 no piece of it may lie there, 1 a piece must cover such a cell, 0 else. */
function worth({ size, owner, starts, left }, seat) {
  const own = (row, col) => owner[row]?.[col] === seat + 1;
  const first = left[seat].length === Object.keys(PIECES).length;
  const isStart = (row, col) => starts[seat].some(([r, c]) => r === row && c === col);
  return Array.from({ length: size }, (_, row) => Array.from({ length: size }, (_, col) => {
    if (owner[row][col] || around(row, col).some(([r, c]) => own(r, c))) return -1;
    if (first) return Number(isStart(row, col));
    return Number(own(row - 1, col - 1) || own(row - 1, col + 1) || own(row + 1, col - 1) || own(row + 1, col + 1));
  }));
}

const known = new WeakMap(); // state -> placements of all colours, which outcome and legal both ask for

function placements(state, seat) {
  if (!known.has(state)) known.set(state, []);
  const found = known.get(state);
  found[seat] ??= findPlacements(state, seat);
  return found[seat];
}

function findPlacements(state, seat) {
  const value = worth(state, seat);
  const found = [];
  for (const { piece, shape } of SHAPES.filter((shape) => state.left[seat].includes(shape.piece))) {
    for (let row = 0; row < state.size; row++) {
      for (let col = 0; col < state.size; col++) {
        let touches = false;
        const fits = shape.every(([down, right]) => {
          const there = value[row + down]?.[col + right] ?? -1;
          touches ||= there === 1;
          return there >= 0;
        });
        if (fits && touches) found.push({ piece, cells: shape.map(([down, right]) => [row + down, col + right]) });
      }
    }
  }
  return found;
}

export const legal = (state) => placements(state, state.player);

export function play(state, { piece, cells }) {
  const owner = state.owner.map((line) => [...line]);
  for (const [row, col] of cells) owner[row][col] = state.player + 1;
  const left = state.left.map((names, seat) => (seat === state.player ? names.filter((name) => name !== piece) : names));
  return pass({ ...state, owner, left });
}

/** A greedy player's wish: a large piece. */
export const promise = (state, { cells }) => cells.length;

/** A player who cannot place a piece is skipped. */
export const pass = (state) => ({ ...state, player: (state.player + 1) % state.left.length });

/** How many cells each colour has covered. */
export const areas = ({ owner, left }) => left.map((_, seat) => owner.flat().filter((cell) => cell === seat + 1).length);

/** {scores, winner (null: a draw)} of `players` once nobody can place a piece, else null; colours are played in turn. */
export function outcome(state, players) {
  if (state.left.some((_, seat) => placements(state, seat).length)) return null;
  const scores = Array(players).fill(0);
  areas(state).forEach((area, colour) => { scores[colour % players] += area; });
  const first = scores.indexOf(Math.max(...scores));
  return { scores, winner: scores.lastIndexOf(scores[first]) === first ? first : null };
}

/** The points of a placement, such as "e8,d9,e9,f9,e10": columns a.. from the left, rows 1.. from the bottom. */
export const formatMove = ({ cells }, { size }) => [...cells]
  .sort(([row, col], [r, c]) => r - row || col - c)
  .map(([row, col]) => `${"abcdefghijklmnopqrst"[col]}${size - row}`)
  .join(",");
