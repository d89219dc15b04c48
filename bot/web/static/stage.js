// The board and what stands round it: who plays, the moves so far, what is in hand, what is said.

import "./board-view.js";
import "./setup-form.js";
import { el } from "./dom.js";
import { shake } from "./motion.js";
import { sound } from "./sound.js";
import { $, awaitsPerson, infoOf, table } from "./state.js";

const view = $("board-view");
const setup = $("setup-form");

/** What a person may do beside the board. */
const ACTS = {
  play: (move) => view.tell("play", move),
  hold: (hand) => view.tell("hold", hand),
  lift: (event, hand) => view.holder.lift(event, hand),
  wrong: (why) => view.tell("refused", why),
};

/** Draws the position. */
export function drawBoard() {
  const { drawing, board, hand } = table;
  const awaits = awaitsPerson();
  const goesOn = view.game?.name === drawing.name && view.board.start === board.start && view.board.ply < board.ply;
  view.show(drawing, board, { awaits, hints: awaits && setup.wish("hints"), hand });
  if (goesOn) sound("move");
  Object.assign(view.dataset, { awaits, ply: board.ply, over: Boolean(table.over) });
  $(".beside").replaceChildren(...(drawing.beside?.(board, { awaits, hand, ...ACTS }) ?? []));
  document.documentElement.toggleAttribute("data-letters", setup.wish("letters"));
}

/** Has the move looked at in sight in the list of moves, which alone is scrolled: the board stays where it is. */
export function showStep() {
  const [list, step] = [$(".log ol"), $(".log [aria-current]")];
  if (step) list.scrollTop = step.offsetTop - list.offsetTop - list.clientHeight / 2;
}

/** Draws who plays and what was played. */
export function drawGame() {
  const { board, drawing, name, over } = table;
  document.title = `${drawing.title} at the analyst's table`;
  for (const anchor of $(".games").children) {
    if (anchor.dataset.game === name) anchor.setAttribute("aria-current", "page");
    else anchor.removeAttribute("aria-current");
  }
  const counts = drawing.counts(board);
  $(".seats").replaceChildren(...board.seats.map((who, seat) => el("span", { class: "seat", "data-turn": !over && board.player === seat },
    el("i", { class: `dot seat-${seat + 1}`, "aria-hidden": "true" }),
    el("b", {}, board.seats.length > 1 ? `Player ${seat + 1}` : "Player"), ` ${who} `, el("span", { class: "count" }, counts[seat] ?? ""))));
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
  if (over) tell(`${last}${over.winner === null ? "Nobody wins" : board.seats.length > 1 ? `Player ${over.winner + 1} wins` : "Won"}: ${over.reason}`);
  else tell(`${last}${board.seats.length > 1 ? `${who} (${board.seats[board.player]}) to move` : "Choose a move"}`);
}

/** Says something under the board; `wrong`: that it did not go. */
export function tell(text, wrong = false) {
  $(".say").textContent = text;
  $(".say").toggleAttribute("data-wrong", wrong);
  if (wrong) shake($(".say"));
}
