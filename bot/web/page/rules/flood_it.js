// The rules of Flood-It on a grid of colour numbers.

import { below, mulberry32 } from "../shared/random.js";
import { BLOCKED, painted, spread } from "./grid.js";

/** A board of `rows` x `cols` cells, each floor(u * colours) for the next number u of mulberry32(seed), row by row. */
export function deal(seed, rows, cols, colours) {
  const random = mulberry32(seed);
  return Array.from({ length: rows }, () => Array.from({ length: cols }, () => below(random, colours)));
}

/** The grid with so many places by chance that are no cells, none of them the start or beside it. */
export function withObstacles(grid, seed, obstacles, start) {
  const random = mulberry32(seed + 1);
  const free = grid.flatMap((line, row) => line.map((_, col) => [row, col]))
    .filter(([row, col]) => Math.abs(row - start[0]) + Math.abs(col - start[1]) > 1);
  const taken = Array.from({ length: Math.min(obstacles, free.length) }, () => free.splice(below(random, free.length), 1)[0]);
  return painted(grid, taken, BLOCKED);
}

/** The cells of the start's colour region as [row, col, steps from the start], nearest first; edge: as of `spread`. */
export const region = (grid, start, edge) =>
  spread(grid, [start], (row, col) => grid[row][col] === grid[start[0]][start[1]], edge);

/** Whether every cell that can be reached from the start has its colour. */
export const isFlooded = (grid, start, edge) =>
  region(grid, start, edge).length === spread(grid, [start], (row, col) => grid[row][col] !== BLOCKED, edge).length;

/** Moves allowed when nobody says otherwise: 25 on 14x14 with 6 colours, in proportion to (rows + cols) * colours. */
export const usualLimit = (rows, cols, colours) => Math.floor((25 * (rows + cols) * colours) / (28 * 6));
