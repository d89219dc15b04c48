// Grids of colour numbers: their texts, and what is connected in them.

const DIGITS = "0123456789";

/** A place of the grid that is no cell. */
export const BLOCKED = -2;

/** The grid of the rows of a position text, such as "012/210/00.". */
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

/** A copy of `grid` in which the cells [row, col, ...] have `value`. */
export function painted(grid, cells, value) {
  const next = grid.map((row) => [...row]);
  for (const [row, col] of cells) next[row][col] = value;
  return next;
}

/** The four neighbours of a cell, on the board or not. */
export const around = (row, col) => [[row - 1, col], [row + 1, col], [row, col - 1], [row, col + 1]];

const diagonal = (row, col) => [[row - 1, col - 1], [row - 1, col + 1], [row + 1, col - 1], [row + 1, col + 1]];

/**
 * `sources` and every cell connected to them through cells that belong, as [row, col, steps], nearest first.
 * edge: "wraps" where cells at opposite edges are neighbours, too, "corners" where those that share a corner are.
 */
export function spread(grid, sources, belongs, edge = "wall") {
  const [rows, cols] = [grid.length, grid[0].length];
  const seen = grid.map((row) => row.map(() => false));
  const queue = sources.map(([row, col]) => [row, col, 0]);
  for (const [row, col] of queue) seen[row][col] = true;
  for (const [row, col, steps] of queue) {
    for (const next of [...around(row, col), ...(edge === "corners" ? diagonal(row, col) : [])]) {
      const [r, c] = edge === "wraps" ? [(next[0] + rows) % rows, (next[1] + cols) % cols] : next;
      if (seen[r]?.[c] === false && belongs(r, c)) {
        seen[r][c] = true;
        queue.push([r, c, steps + 1]);
      }
    }
  }
  return queue;
}
