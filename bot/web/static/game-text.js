// A game as text, to be kept and read again: a word and its value a line.
//
//   boardsight game 1
//   game connect_four
//   options {"rows":6,"cols":7,"length":4}
//   start
//   moves 4 4 5

import { say } from "./words.js";

const FIRST = "boardsight game 1";

/** The text of a game, asked for as in an INIT. */
export function formatGame({ game, options, start, moves }) {
  return [FIRST, `game ${game}`, `options ${JSON.stringify(options)}`, `start ${start}`.trim(), `moves ${moves.join(" ")}`.trim(), ""].join("\n");
}

/** The game of a text; throws an Error that says which line is wrong. */
export function parseGame(text) {
  const lines = text.trim().split(/\r?\n/u);
  if (lines[0]?.trim() !== FIRST) throw new Error(say("paper.first", { line: FIRST }));
  const found = {};
  for (const [at, line] of lines.slice(1).entries()) {
    const [, word, value] = /^(\S*)\s*(.*?)\s*$/u.exec(line);
    if (!["game", "options", "start", "moves"].includes(word)) throw new Error(say("paper.word", { line: at + 2, word }));
    found[word] = value;
  }
  if (!found.game) throw new Error(say("paper.game"));
  let options = {};
  try {
    options = JSON.parse(found.options || "{}");
  } catch {
    throw new Error(say("paper.options"));
  }
  return { game: found.game, options, start: found.start ?? "", moves: (found.moves ?? "").split(/\s+/u).filter(Boolean) };
}

/** The part of an address that holds a whole game, and the ply that is looked at; `info`: the game's line of the catalogue. */
export function formatLink({ game, options, start, moves, ply }, info) {
  const own = Object.entries(options).filter(([name, value]) => info.options[name] !== value);
  const query = new URLSearchParams(own);
  if (start) query.set("start", start);
  query.set("moves", moves.join(" "));
  query.set("at", ply);
  return `#${game}?${query}`.replaceAll("%2C", ",").replaceAll("%2F", "/");
}

/** What an INIT asks for of the game in an address. */
export function parseLink(game, query, info) {
  const { start = "", moves = "", at, ...options } = Object.fromEntries(new URLSearchParams(query));
  const named = Object.entries(options).map(([name, value]) => [name, /^\d+$/u.test(value) ? Number(value) : value]);
  const played = moves.split(/\s+/u).filter(Boolean);
  return { game, options: { ...info.options, ...Object.fromEntries(named) }, start, moves: played, at: at === undefined ? played.length : Number(at) };
}
