// What the page knows: the games there are, the one that is shown, what was thought of it.

import { drawingOf } from "./games/registry.js";

export const PERSON = "person";
const LIGHT = "light";

export const $ = (selector) => document.querySelector(selector);

export const table = { games: [], name: null, drawing: null, board: null, values: [], thought: null, thinking: false, over: null, hand: null, wanted: null, preparing: 0 };

/** The catalogue's line of a game, of the one that is shown unless another is named. */
export const infoOf = (name = table.name) => table.games.find((game) => game.name === name);

/** Whether a person may move in the position that is shown. */
export function awaitsPerson() {
  const { board, over } = table;
  return !over && (board.seats[board.player] === PERSON || board.ply < board.moves.length);
}

/** Takes what an UPDATE or GAME_OVER says; whether it brought a board. */
export async function take(reply) {
  const { board, thought, values, thinking } = reply;
  if (board) {
    const name = table.wanted ?? table.name;
    if (name !== table.name) Object.assign(table, { name, drawing: await drawingOf(infoOf(name)) });
    table.wanted = null;
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
