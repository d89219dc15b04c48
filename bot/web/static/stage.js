// The board and what stands round it: who plays, the moves so far, what is in hand, what is said.

import "./board-view.js";
import "./setup-form.js";
import { who } from "./asking.js";
import { el } from "./dom.js";
import { shake } from "./motion.js";
import { sound } from "./sound.js";
import { clockOf } from "./play-mode.js";
import { $, PERSON, awaitsPerson, infoOf, seatName, table } from "./state.js";
import { say } from "./words.js";

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
  const beside = drawing.beside?.(board, { awaits, hand, ...ACTS }) ?? [];
  $(".beside").replaceChildren(...beside);
  $("main").dataset.beside = beside[0]?.className ?? "";
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
  document.title = table.mode === "play" ? `${drawing.title} · Boardsight` : say("title.game", { game: drawing.title });
  $(".stage").style.setProperty("--stage-shape", view.size.w / view.size.h);
  for (const anchor of $(".games").children) {
    if (anchor.dataset.game === name) anchor.setAttribute("aria-current", "page");
    else anchor.removeAttribute("aria-current");
  }
  const counts = drawing.counts(board);
  const near = nearSeat(board);
  $(".seats").replaceChildren(...board.seats.map((who, seat) => el("span", { class: "seat", "data-turn": !over && board.player === seat, "data-far": seat !== near },
    el("i", { class: `dot seat-${seat + 1}`, "aria-hidden": "true" }),
    ...(table.mode === "play" ? [el("b", {}, seatName(seat))] : [el("b", {}, board.seats.length > 1 ? say("player", { number: seat + 1 }) : say("player.only")), ` ${who === PERSON ? say("person") : who} `]),
    el("span", { class: "count" }, counts[seat] ?? ""), clockOf(seat))));
  $(".ply").textContent = say("ply", { ply: board.ply, count: board.moves.length });
  for (const [act, off] of [["first", !board.ply], ["back", !board.ply], ["forth", board.ply === board.moves.length], ["last", board.ply === board.moves.length], ["undo", !board.moves.length]]) {
    $(`[data-do="${act}"]`).disabled = off;
  }
  $(".as-text pre").textContent = drawing.text(board);
  setup.offer(infoOf(), { ...who(), options: board.options }, drawing.fields);
  drawLog();
}

/** Who sits below the board: where pieces fall it is never turned, so there whoever plays alone against others. */
function nearSeat({ seats }) {
  if (infoOf().falls && table.mode === "play" && seats.filter((who) => who === PERSON).length === 1) return seats.indexOf(PERSON);
  return view.turned && seats.length > 1 ? 1 : 0;
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
  const last = board.ply ? `${say("said.move", { ply: board.ply, move: board.moves[board.ply - 1].replaceAll(",", " ") })} ` : "";
  tell(last + (over ? ended(board, over) : turnOf(board)));
}

function ended({ seats }, { winner, reason }) {
  if (winner === null) return say("said.nobody", { reason });
  return seats.length > 1 ? say("said.wins", { number: winner + 1, reason }) : say("said.won", { reason });
}

function turnOf({ seats, player }) {
  if (seats.length === 1) return say("said.choose");
  if (table.mode !== "play") return say("said.turn", { number: player + 1, who: seats[player] === PERSON ? say("person") : seats[player] });
  const who = seatName(player);
  return who === say("you") ? say("said.yours") : say("said.theirs", { who });
}

/** Says something under the board; `wrong`: that it did not go. */
export function tell(text, wrong = false) {
  $(".say").textContent = text;
  $(".say").toggleAttribute("data-wrong", wrong);
  if (wrong) shake($(".say"));
}
