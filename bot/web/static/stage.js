// The board and what stands round it: who plays, the moves so far, what is in hand, what is said.

import "./board-view.js";
import "./setup-form.js";
import "./end-banner.js";
import { play } from "./asking.js";
import { el } from "./dom.js";
import { shake } from "./motion.js";
import { sound } from "./sound.js";
import { clockOf } from "./play-mode.js";
import { $, PERSON, awaitsPerson, infoOf, seatName, table } from "./state.js";

const view = $("board-view");
const setup = $("setup-form");

/** Draws the position. */
export function drawBoard() {
  const { drawing, board, hand } = table;
  const awaits = awaitsPerson();
  const goesOn = view.game?.name === drawing.name && view.board.start === board.start && view.board.ply < board.ply;
  view.show(drawing, board, { awaits, hints: awaits && setup.wish("hints"), hand });
  if (goesOn) sound("move");
  Object.assign(view.dataset, { awaits, ply: board.ply, over: Boolean(table.over) });
  $(".beside").replaceChildren(...(drawing.beside?.(board, { awaits, hand, play: make, hold, wrong, lift: (event, held) => view.holder.lift(event, held) }) ?? []));
  document.documentElement.toggleAttribute("data-letters", setup.wish("letters"));
}

/** Draws who plays and what was played. */
export function drawGame() {
  const { board, drawing, name, over } = table;
  document.title = table.mode === "play" ? `${drawing.title} · Boardsight` : `${drawing.title} at the analyst's table`;
  $(".stage").style.setProperty("--stage-shape", view.size.w / view.size.h);
  for (const anchor of $(".games").children) {
    if (anchor.dataset.game === name) anchor.setAttribute("aria-current", "page");
    else anchor.removeAttribute("aria-current");
  }
  const counts = drawing.counts(board);
  const near = view.turned && board.seats.length > 1 ? 1 : 0; // who sits below the board
  $(".seats").replaceChildren(...board.seats.map((who, seat) => el("span", { class: "seat", "data-turn": !over && board.player === seat, "data-far": seat !== near },
    el("i", { class: `dot seat-${seat + 1}`, "aria-hidden": "true" }),
    ...(table.mode === "play" ? [el("b", {}, seatName(seat))] : [el("b", {}, board.seats.length > 1 ? `Player ${seat + 1}` : "Player"), ` ${who} `]),
    el("span", { class: "count" }, counts[seat] ?? ""), clockOf(seat))));
  $(".ply").textContent = `${board.ply} of ${board.moves.length}`;
  for (const [act, off] of [["first", !board.ply], ["back", !board.ply], ["forth", board.ply === board.moves.length], ["last", board.ply === board.moves.length], ["undo", !board.moves.length]]) {
    $(`[data-do="${act}"]`).disabled = off;
  }
  $(".as-text pre").textContent = drawing.text(board);
  setup.offer(infoOf(), { seats: board.seats, analyst: board.analyst, seconds: board.seconds, options: board.options }, drawing.fields);
  drawLog();
}

function drawLog() {
  const { board, drawing } = table;
  const moves = board.moves.map((move, at) => el("li", {}, el("button", {
    type: "button", "data-ply": at + 1, "aria-current": at + 1 === board.ply ? "step" : null,
  }, drawing.face(move))));
  $(".log ol").replaceChildren(...moves);
}

/** Says what was played and who is to move. */
export function announce() {
  const { board, over } = table;
  const who = board.seats.length > 1 ? `Player ${board.player + 1}` : "You";
  const last = board.ply ? `Move ${board.ply}: ${board.moves[board.ply - 1].replaceAll(",", " ")}. ` : "";
  if (over) say(`${last}${over.winner === null ? "Nobody wins" : board.seats.length > 1 ? `Player ${over.winner + 1} wins` : "Won"}: ${over.reason}`);
  else say(`${last}${board.seats.length > 1 ? `${who} (${board.seats[board.player]}) to move` : "Choose a move"}`);
}

/** Says something under the board; `wrong`: that it did not go. */
export function say(text, wrong = false) {
  $(".say").textContent = text;
  $(".say").toggleAttribute("data-wrong", wrong);
  if (wrong) shake($(".say"));
}

/** Says and sounds that something did not go. */
export function wrong(text) {
  say(text, true);
  sound("wrong");
}

/** Says why a press on a place does nothing. */
export function refuse(place) {
  const { board, drawing, hand, over } = table;
  if (over) wrong("The game is over");
  else if (!view.awaits) wrong(awaitsPerson() ? "Wait for the answer" : `Wait: player ${board.player + 1} (${board.seats[board.player]}) is to move`);
  else wrong(drawing.why?.(place, board, hand) ?? "Nothing can be done there");
}

/** Says what a shadow that was laid down waits for. */
export function laid(place) {
  if (place.can) say("Tap the shadow to make the move");
  else refuse(place);
}

/** Plays a move, and shows at once what the drawing knows of it: the server's answer tells how it is. */
export function make(move) {
  const { board, drawing } = table;
  if (!awaitsPerson()) return refuse({});
  if (!play(move)) return wrong("There is no connection: it is being made again");
  if (!board.legal.includes(move)) return; // the server says what it thinks of it
  const after = drawing.after?.(move, board);
  view.show(drawing, after ? { ...after, ply: board.ply + 1, text: null, legal: [], taps: [] } : board, { awaits: false, hand: null });
  if (after) sound("move");
  else view.showGhost({ cells: drawing.cellsOf(move, board), fits: true });
}

/** Plays the move that a digit is, where a game's moves are digits. */
export function digit(key) {
  const { board, drawing } = table;
  if (!drawing.actions(board)?.includes(key)) return false;
  if (board.legal.includes(key)) make(key);
  else refuse({ move: key });
  return true;
}

/** Tells how a game ended, over the board. */
export function tellEnd() {
  const { board, result, name } = table;
  const banner = $("end-banner");
  const own = result?.game === name && result.start === board.start && String(result.moves) === String(board.moves) ? result : null;
  const over = own && board.ply === board.moves.length ? own : table.over;
  if (!over) return banner.hide();
  if (over.told) return;
  over.told = true;
  const seats = own?.seats ?? board.seats;
  const persons = seats.filter((who) => who === PERSON).length;
  const alone = seats.length === 1;
  const you = persons === 1 && !alone;
  const won = over.winner !== null && seats[over.winner] === PERSON;
  const who = over.winner === null ? (alone ? "Over" : "A draw") : alone ? "Done" : you ? (won ? "You win" : "You lose") : `Player ${over.winner + 1} wins`;
  banner.show({ who, why: over.reason, seat: (over.winner ?? -1) + 1 });
  sound("end", 350);
}

/** What a press on a place does. */
export function press(place) {
  if (place.hand !== undefined) {
    if (awaitsPerson()) hold(place.hand);
  } else make(place.move);
}

/** Turns what is in hand. */
export const turn = (way) => hold(table.drawing.turned(table.hand, way));

/** Takes something in hand, null to put it away. */
export function hold(hand) {
  const { piece, turn: way } = document.activeElement?.dataset ?? {};
  table.hand = hand;
  drawBoard();
  view.dispatchEvent(new CustomEvent("held"));
  document.querySelector(piece ? `[data-piece="${piece}"]` : way ? `[data-turn="${way}"]` : null)?.focus();
}
