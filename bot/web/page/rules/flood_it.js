// The rules of Flood-It on a grid of colour numbers; -2 is a place that is no cell.

import { below, mulberry32 } from "../shared/random.js";

const DIGITS = "0123456789";
const BLOCKED = -2;

/** A board of `rows` x `cols` cells, each floor(u * colours) for the next number u of mulberry32(seed), row by row. */
export function deal(seed, rows, cols, colours) {
  const random = mulberry32(seed);
  return Array.from({ length: rows }, () => Array.from({ length: cols }, () => below(random, colours)));
}

/** The grid of a position text such as "012/210/00.". */
export function parseGrid(text) {
  const grid = text.split("/").map((row) => [...row].map((digit) => (digit === "." ? BLOCKED : DIGITS.indexOf(digit))));
  const width = grid[0].length;
  if (grid.length < 2 || width < 2 || grid.some((row) => row.length !== width || row.includes(-1))) {
    throw new RangeError("needs rows of colour digits of equal length, joined by /");
  }
  return grid;
}

/** The text of a grid. */
export const formatGrid = (grid) =>
  grid.map((row) => row.map((colour) => (colour === BLOCKED ? "." : DIGITS[colour])).join("")).join("/");

/** The cells of the start's colour region as [row, col, steps from the start], nearest first. */
export const region = (grid, start) => spread(grid, start, (colour) => colour === grid[start[0]][start[1]]);

/** Whether every cell that can be reached from the start has its colour. */
export const isFlooded = (grid, start) =>
  region(grid, start).length === spread(grid, start, (colour) => colour !== BLOCKED).length;

/** The grid after the start's region took `colour`. */
export function flood(grid, start, colour) {
  const next = grid.map((row) => [...row]);
  for (const [row, col] of region(grid, start)) next[row][col] = colour;
  return next;
}

/** Moves allowed when nobody says otherwise: 25 on 14x14 with 6 colours, in proportion to (rows + cols) * colours. */
export const usualLimit = (rows, cols, colours) => Math.floor((25 * (rows + cols) * colours) / (28 * 6));

function spread(grid, start, belongs) {
  const seen = grid.map((row) => row.map(() => false));
  const queue = [[...start, 0]];
  seen[start[0]][start[1]] = true;
  for (const [row, col, steps] of queue) {
    for (const [r, c] of [[row - 1, col], [row + 1, col], [row, col - 1], [row, col + 1]]) {
      if (seen[r]?.[c] === false && belongs(grid[r][c])) {
        seen[r][c] = true;
        queue.push([r, c, steps + 1]);
      }
    }
  }
  return queue;
}
