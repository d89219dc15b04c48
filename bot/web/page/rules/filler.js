// The rules of Filler: two players recolour their corners' territories in turn.

import { below, mulberry32 } from "../shared/random.js";
import { BLOCKED, formatGrid, painted, spread } from "./grid.js";

const IDLE_LIMIT = 4, PATIENT_LIMIT = 12; // so many moves in a row without a capture end the game

/**
 * A board drawn row by row from mulberry32(seed): floor(u * colours), drawn again while it equals the left or the
 * upper neighbour where `unlike`; the whole board again while the two starts have one colour.
 */
export function deal(seed, { rows, cols, colours, unlike, starts: [first, second] }) {
  const random = mulberry32(seed);
  for (;;) {
    const grid = Array.from({ length: rows }, () => []);
    for (const [row, line] of grid.entries()) {
      while (line.length < cols) {
        const colour = below(random, colours);
        if (!unlike || (colour !== line.at(-1) && colour !== grid[row - 1]?.[line.length])) line.push(colour);
      }
    }
    if (grid[first[0]][first[1]] !== grid[second[0]][second[1]]) return grid;
  }
}

/**
 * The position in which player 1 moves first and each owns the region of the own start, or its `single` cell.
 * majority: the game ends where a player owns more than half.
 * shared: only the own colour may not be named.
 * patient: the game goes on for longer where nobody captures anything.
 * kept: each player has a colour besides the others, which what it takes turns to; it names only colours that capture.
 * passing: who can capture nothing is passed over.
 */
export function begin(grid, colours, starts, {
  single = false, kept = false, majority = false, shared = false, patient = false, passing = false,
} = {}) {
  let owner = grid.map((row) => row.map(() => 0));
  let shown = grid;
  starts.forEach((start, seat) => {
    const colour = grid[start[0]][start[1]];
    const owned = spread(grid, [start], (row, col) => !single && grid[row][col] === colour);
    owner = painted(owner, owned, seat + 1);
    if (kept) shown = painted(shown, owned, colours + seat);
  });
  return { grid: shown, colours, starts, owner, player: 0, idle: 0, kept, majority, shared, patient, passing };
}

/** The colours of both territories. */
export const current = ({ grid, starts }) => starts.map(([row, col]) => grid[row][col]);

/** The cells of a seat's territory. */
export const territory = ({ owner, starts }, seat) =>
  spread(owner, [starts[seat]], (row, col) => owner[row][col] === seat + 1);

/** The territory of the player to move and what `colour` brings it, as [row, col, steps]. */
export const grown = (state, colour) => spread(
  state.grid,
  territory(state, state.player),
  (row, col) => state.owner[row][col] === 0 && state.grid[row][col] === colour,
);

/** The colours that a player may name where it is to move. */
export function allowed(state, player) {
  const barred = state.shared ? [current(state)[player]] : current(state);
  return Array.from({ length: state.colours }, (_, colour) => colour)
    .filter((colour) => (state.kept ? captures({ ...state, player }, colour) : !barred.includes(colour)));
}

/** Whether `colour` brings the player to move anything. */
const captures = (state, colour) => grown(state, colour).length > territory(state, state.player).length;

export const legal = (state) => (outcome(state) ? [] : allowed(state, state.player));

/** The position after a player that may name no colour was passed over. */
export const pass = (state) => ({ ...state, player: 1 - state.player });

export function play(state, colour) {
  const own = territory(state, state.player);
  const cells = grown(state, colour);
  const after = {
    ...state,
    grid: painted(state.grid, cells, state.kept ? current(state)[state.player] : colour),
    owner: painted(state.owner, cells, state.player + 1),
    player: 1 - state.player,
    idle: cells.length > own.length ? 0 : state.idle + 1,
  };
  return state.passing && !allowed(after, after.player).some((each) => captures(after, each)) ? pass(after) : after;
}

/** {scores, winner (null: a draw)} when every cell is owned, nobody captured anything for some moves, or as `begin` says; else null. */
export function outcome(state) {
  const scores = [0, 1].map((seat) => territory(state, seat).length);
  const cells = state.grid.flat().filter((colour) => colour !== BLOCKED).length;
  const stuck = state.kept && [0, 1].every((seat) => allowed(state, seat).length === 0);
  const decided = state.majority && Math.max(...scores) > cells / 2;
  const idle = state.idle >= (state.patient ? PATIENT_LIMIT : IDLE_LIMIT);
  if (scores[0] + scores[1] < cells && !idle && !stuck && !decided) return null;
  return { scores, winner: scores[0] === scores[1] ? null : Number(scores[1] > scores[0]) };
}

/** A greedy player's wish: cells owned after the move. */
export const promise = (state, colour) => grown(state, colour).length;

export const formatMove = (colour) => String(colour);

export function format({ grid, player, starts, idle }) {
  const usual = [[0, 0], [grid.length - 1, grid[0].length - 1]];
  const corners = String(starts) === String(usual) ? "" : ` @${starts[0]} @${starts[1]}`;
  return `${formatGrid(grid)} ${player + 1}${corners}${idle ? ` +${idle}` : ""}`;
}
