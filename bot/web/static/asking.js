// What the page asks of the server.

import { parseLink } from "./game-text.js";
import { Link } from "./socket.js";
import { $, PERSON, SEATS, awaitsPerson, infoOf, table } from "./state.js";

let link = null;
let games = 0; // that were asked for
let seated = null; // who was asked to play the game last: its board may be on its way still
let made = null; // the move that was made last, and the board it was made on: the next may be on its way still

/** Opens the connection; handlers as of `Link`. */
export function connect(handlers) {
  link = new Link(handlers);
}

/** Sends a request. */
export const send = (request) => link.send(request);

/** Asks for a game by its INIT. */
export function open(request) {
  table.asked = { ...request, match: ++games };
  seated = null;
  $("board-view").dataset.awaits = false;
  send(table.asked);
}

/** Who plays, as it was asked for last: a board that has others was on its way before. */
export function who() {
  const { seats, analyst, seconds } = table.board;
  if (seated && JSON.stringify(seated) === JSON.stringify({ seats, analyst, seconds })) seated = null;
  return seated ?? { seats, analyst, seconds };
}

/** Forgets what was asked last, which was refused. */
export const forget = () => {
  seated = made = null;
};

/** Asks for other players; of the same ones, for what is to be told as it is wanted now. */
export function seat(who = seated ?? table.board) {
  const { seats, analyst, seconds } = who;
  seated = { seats, analyst, seconds };
  send({ type: "SEATS", ...seated, ...told() });
}

/** What the page wants to be told: while one plays, nothing that solvers think. */
export const told = () => ({ lines: table.lines, pace: table.pace, analysis: table.mode === "analyse" });

/** The INIT that takes a game up again. */
export function again({ options, seats, analyst, seconds, start, moves, ply }) {
  return { type: "INIT", game: table.name, options, seats, analyst, seconds, start, moves, at: ply, ...told() };
}

/** The INIT that takes the game that is shown up where the connection was lost: with what was asked and not answered. */
export function takenUp(board) {
  const onward = made?.board === board ? { moves: [...board.moves.slice(0, board.ply), made.move], ply: board.ply + 1 } : {};
  return again({ ...board, ...who(), ...onward });
}

/** The INIT of a new game; without options of the usual variant, who plays as before. */
export function begin(name, options = null) {
  const info = infoOf(name);
  const usual = { seats: [PERSON, ...Array(SEATS - 1).fill(info.solver)], analyst: info.solver, seconds: 0.5 };
  const same = table.name === name && table.board;
  const who = same ? $("setup-form").who(table.board.seats.length) : usual;
  return { type: "INIT", game: name, options: options ?? (same ? table.board.options : {}), ...who, ...told() };
}

/** The INIT of a game that was shared: anybody may play on from where it is looked at. */
export function beginShared(name, query) {
  const info = infoOf(name);
  return { type: "INIT", seats: [], analyst: info.solver, seconds: 0.5, ...parseLink(name, query, info), ...told() };
}

/** Plays a move in the position that is shown, where a person may; whether it was sent. */
export function play(move) {
  const { board } = table;
  const sent = awaitsPerson() && send({ type: "MOVE", move, ply: board.ply });
  if (sent && board.legal.includes(move)) made = { move, board };
  return sent;
}

/** Shows the position after `ply` moves. */
export function look(ply) {
  if (!table.asked) send({ type: "LOOK", ply: Math.min(Math.max(ply, 0), table.board.moves.length) });
}
