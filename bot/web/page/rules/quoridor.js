// The rules of Quoridor for two, in the rows and columns of the picture: row 0 is the far side the first player walks to.

import { around } from "./grid.js";

/**
 * The start position on a board of odd `size`.
 * walls: a Set of names such as "h,3,4": a wall "h" lies under row 3 and spans columns 4 and 5,
 * "v" lies right of column 4 and spans rows 3 and 4.
 * jumps: whether pawns jump over each other.
 */
export function begin(size, walls, jumps = true) {
  const middle = (size - 1) / 2;
  return { size, pawns: [[size - 1, middle], [0, middle]], walls: new Set(), left: [walls, walls], player: 0, jumps };
}

/** Whether a pawn can step between two neighbouring cells: both on the board and no wall between. */
function open({ size, walls }, [row, col], [r, c]) {
  if (r < 0 || c < 0 || r >= size || c >= size) return false;
  if (row === r) {
    const left = Math.min(col, c);
    return !walls.has(`v,${row},${left}`) && !walls.has(`v,${row - 1},${left}`);
  }
  const top = Math.min(row, r);
  return !walls.has(`h,${top},${col}`) && !walls.has(`h,${top},${col - 1}`);
}

/** The cells the player to move can go to: a step, or a jump over the rival, or beside it where that is blocked. */
export function steps(state) {
  const here = state.pawns[state.player];
  const rival = state.pawns[1 - state.player];
  const found = [];
  for (const next of around(...here).filter((cell) => open(state, here, cell))) {
    if (String(next) !== String(rival)) {
      found.push(next);
      continue;
    }
    if (!state.jumps) continue;
    const behind = [2 * next[0] - here[0], 2 * next[1] - here[1]];
    const beyond = open(state, next, behind)
      ? [behind]
      : around(...next).filter((cell) => String(cell) !== String(here) && open(state, next, cell));
    found.push(...beyond);
  }
  return found;
}

/** How many steps a seat's pawn is from its far row, the rival's pawn aside; Infinity where it is walled off. */
export function distance(state, seat) {
  const goal = seat === 0 ? 0 : state.size - 1;
  const seen = new Uint8Array(state.size * state.size);
  const queue = [[...state.pawns[seat], 0]];
  for (const [row, col, taken] of queue) {
    if (row === goal) return taken;
    for (const [r, c] of around(row, col)) {
      if (open(state, [row, col], [r, c]) && !seen[r * state.size + c]) {
        seen[r * state.size + c] = 1;
        queue.push([r, c, taken + 1]);
      }
    }
  }
  return Infinity;
}

/** Whether the player to move may place this wall: there is one left, it meets no other, and both can still arrive. */
export function mayWall(state, [kind, row, col]) {
  const { walls, size, left, player } = state;
  if (left[player] === 0 || row < 0 || col < 0 || row > size - 2 || col > size - 2) return false;
  const [down, right] = kind === "h" ? [0, 1] : [1, 0];
  const along = [-1, 1].map((step) => `${kind},${row + step * down},${col + step * right}`);
  if ([`h,${row},${col}`, `v,${row},${col}`, ...along].some((name) => walls.has(name))) return false;
  const walled = { ...state, walls: new Set(walls).add(`${kind},${row},${col}`) };
  return distance(walled, 0) < Infinity && distance(walled, 1) < Infinity;
}

/** Every move: a pawn's as [row, col], a wall's as [kind, row, col]. */
export function legal(state) {
  if (outcome(state)) return [];
  const walls = [];
  for (let row = 0; row < state.size - 1; row++) {
    for (let col = 0; col < state.size - 1; col++) {
      walls.push(...["h", "v"].map((kind) => [kind, row, col]).filter((wall) => mayWall(state, wall)));
    }
  }
  return [...steps(state), ...walls];
}

export function play(state, move) {
  const next = { ...state, player: 1 - state.player, pawns: [...state.pawns], left: [...state.left] };
  if (move.length === 2) {
    next.pawns[state.player] = move;
  } else {
    next.walls = new Set(state.walls).add(String(move));
    next.left[state.player] -= 1;
  }
  return next;
}

/** {scores, winner} once a pawn stands on its far row, else null. */
export function outcome({ pawns, size }) {
  if (pawns[0][0] === 0) return { scores: [1, 0], winner: 0 };
  if (pawns[1][0] === size - 1) return { scores: [0, 1], winner: 1 };
  return null;
}

/** A greedy player's wish: to be further ahead on the way. */
export function promise(state, move) {
  const next = play(state, move);
  return distance(next, 1 - state.player) - distance(next, state.player);
}

/** "e2", "e3h", "d6v": columns a.. from the left, ranks 1.. from the bottom; a wall by the lower left of its four cells. */
export function formatMove(move, { size }) {
  const [row, col] = move.slice(-2);
  const name = "abcdefghijklmnopqrstuvwxyz"[col];
  return move.length === 2 ? `${name}${size - row}` : `${name}${size - 1 - row}${move[0]}`;
}
