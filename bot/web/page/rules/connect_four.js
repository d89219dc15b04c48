// The rules of Connect Four on boards of any size.

const DIRECTIONS = [[0, 1], [1, 0], [1, 1], [1, -1]];
const COLUMNS = "123456789abcdefghijklmnopqrstuvwxyz";

/** An empty board; `length` discs in a row win. */
export const begin = (rows, cols, length) => ({
  grid: Array.from({ length: rows }, () => Array(cols).fill(0)), // 0 empty, 1 and 2 the players' discs
  length,
  moves: [],
  player: 0,
});

/** The row in which a disc dropped into `col` comes to rest, -1 where the column is full. */
export const landing = ({ grid }, col) => grid.findLastIndex((row) => row[col] === 0);

/** The columns with room, whether or not the game is over. */
export const late = (state) => state.grid[0].map((_, col) => col).filter((col) => landing(state, col) >= 0);

export const legal = (state) => (outcome(state) ? [] : late(state));

export function play(state, col) {
  const row = landing(state, col);
  const grid = state.grid.map((line) => [...line]);
  grid[row][col] = state.player + 1;
  return { ...state, grid, moves: [...state.moves, col], player: 1 - state.player };
}

/** The cells of the winning row, as [row, col]; empty while nobody has won. */
export function winningLine({ grid, length, moves }) {
  if (moves.length === 0) return [];
  const col = moves.at(-1);
  const row = grid.findIndex((line) => line[col] !== 0);
  for (const [down, right] of DIRECTIONS) {
    const line = [[row, col]];
    for (const sign of [1, -1]) {
      for (let step = sign; grid[row + step * down]?.[col + step * right] === grid[row][col]; step += sign) {
        line.push([row + step * down, col + step * right]);
      }
    }
    if (line.length >= length) return line;
  }
  return [];
}

/** {scores, winner (null: a draw)} when a row is made or the board is full, else null. */
export function outcome(state) {
  if (winningLine(state).length) return { scores: state.player ? [1, 0] : [0, 1], winner: 1 - state.player };
  return state.grid[0].includes(0) ? null : { scores: [0, 0], winner: null };
}

/** A greedy player's wish: to win, else to keep the rival from winning, else not to prepare the rival's win. */
export function promise(state, col) {
  const next = play(state, col);
  if (winningLine(next).length) return 3;
  if (winningLine(play({ ...state, player: 1 - state.player }, col)).length) return 2;
  return legal(next).some((reply) => winningLine(play(next, reply)).length) ? 0 : 1;
}

export const formatMove = (col) => COLUMNS[col];
export const format = ({ moves }) => moves.map(formatMove).join("");
