// What the page knows: the games there are, the one that is shown, what was thought of it.

import { drawingOf } from "./games/registry.js";
import { say } from "./words.js";

export const PERSON = "person";
export const SEATS = 4; // at most: the server keeps those that a game has
const LIGHT = "light";

export const $ = (selector) => document.querySelector(selector);

/** asked: the INIT of a game that has not come yet: until then the board is of the one before, and nobody moves on it.
 *  played: the game of the play mode, {seats, clock, par, ...}.  result: how it ended.  review: of which game, and what was
 *  found.  hint: a move that was asked for.  pace: seconds between the moves of two solvers, null: they wait. */
export const table = { games: [], name: null, drawing: null, board: null, values: [], thought: null, thinking: false, over: null, hand: null, asked: null, preparing: 0, mode: "start", played: null, result: null, review: null, hint: null, lines: 1, pace: 0.35, lastPace: 0.35 };

/** The catalogue's line of a game, of the one that is shown unless another is named. */
export const infoOf = (name = table.name) => table.games.find((game) => game.name === name);

/** Whether a person may move in the position that is shown. */
export function awaitsPerson() {
  const { asked, board, over, mode, result } = table;
  if (asked) return false;
  if (mode === "play" && (result || board.ply < board.moves.length)) return false;
  return !over && (board.seats[board.player] === PERSON || board.ply < board.moves.length);
}

/** Whether the game that is shown is the one that was played to a result here. */
export const isPlayed = () => table.result?.game === table.name && table.result.start === table.board.start;

/** Who sits on a seat, as people say it. */
export function seatName(seat) {
  const { board, played, result } = table;
  const seats = table.mode === "play" ? played.seats : isPlayed() ? result.seats : board.seats;
  const who = seats[seat];
  if (seats.length === 1) return say("player.only");
  if (who === PERSON) return seats.filter((each) => each === PERSON).length === 1 ? say("you") : say("player", { number: seat + 1 });
  return who.startsWith("level:") ? say("level", { level: who.slice(6) }) : who.replace(/^runs\//u, "");
}

/** Takes what an UPDATE or GAME_OVER says; whether it brought its board. */
export async function take(reply) {
  const { asked } = table;
  const { board, thought, values, thinking } = reply;
  if (board && asked && board.match !== asked.match) return false; // of the game before
  if (board) {
    const name = asked?.game ?? table.name;
    if (name !== table.name) Object.assign(table, { name, drawing: await drawingOf(infoOf(name)) });
    if (table.asked === asked) table.asked = null;
    const moved = table.board?.ply !== board.ply || table.board.text !== board.text;
    if (moved) table.hand = null;
    Object.assign(table, { board, thought: thought ?? null, over: reply.type === "GAME_OVER" ? reply : null });
  } else if (thought && thought.ply === table.board?.ply) table.thought = thought;
  if (values) table.values = values;
  if (reply.preparing) table.preparing = reply.preparing;
  else if (thought && thought.solver !== LIGHT) table.preparing = 0;
  table.thinking = thinking ?? false;
  return Boolean(board);
}
