// The rules of Flood-It on a grid of colour numbers.

import { below, mulberry32 } from "../shared/random.js";
import { BLOCKED, spread } from "./grid.js";

/** A board of `rows` x `cols` cells, each floor(u * colours) for the next number u of mulberry32(seed), row by row. */
export function deal(seed, rows, cols, colours) {
  const random = mulberry32(seed);
  return Array.from({ length: rows }, () => Array.from({ length: cols }, () => below(random, colours)));
}

/** The cells of the start's colour region as [row, col, steps from the start], nearest first; wraps: over the edges. */
export const region = (grid, start, wraps) =>
  spread(grid, [start], (row, col) => grid[row][col] === grid[start[0]][start[1]], wraps);

/** Whether every cell that can be reached from the start has its colour. */
export const isFlooded = (grid, start, wraps) =>
  region(grid, start, wraps).length === spread(grid, [start], (row, col) => grid[row][col] !== BLOCKED, wraps).length;

/** Moves allowed when nobody says otherwise: 25 on 14x14 with 6 colours, in proportion to (rows + cols) * colours. */
export const usualLimit = (rows, cols, colours) => Math.floor((25 * (rows + cols) * colours) / (28 * 6));
