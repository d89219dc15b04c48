// Playing: a game against a level, beside somebody, or alone, of which nothing is told until it is over.

import { again, open, seat, send, told } from "./asking.js";
import { Clock } from "./clock.js";
import { el } from "./dom.js";
import { setAddress, setMode } from "./modes.js";
import { askReview, isReviewed } from "./review.js";
import { $, PERSON, SEATS, infoOf, table } from "./state.js";
import { say } from "./words.js";

const THOUGHT = 10; // seconds that a level may take at most: what it looks at is counted, so that it takes far less
const KEPT = "boardsight:played";
const TICK = 100; // milliseconds between two looks at the clock

/** The INIT of the game that the start card asked for: {game, options, side, level, clock}, or another `player` in the
 *  level's place; `start`: the text of its board, if known. */
export function beginPlay(wish, start = null) {
  const info = infoOf(wish.game);
  const side = wish.side === "lot" ? ["first", "second"][Math.floor(2 * Math.random())] : wish.side;
  const rival = wish.player ?? (info.levels ? `level:${wish.level}` : info.solver);
  const seats = info.players === 1 ? [PERSON] : { first: [PERSON, rival, rival, rival], second: [rival, PERSON, rival, rival], both: Array(SEATS).fill(PERSON) }[side];
  const clock = wish.clock ? new Clock(60 * wish.clock, seats.length) : null;
  Object.assign(table, { played: { ...wish, side, seats, clock, par: null, begun: false }, result: null, review: null, hint: null, values: [] });
  setMode("play");
  setAddress(`#play/${wish.game}`);
  $("board-view").toggleAttribute("data-turned", seats.length > 1 && side === "second" && !info.falls);
  return { type: "INIT", game: wish.game, options: wish.options ?? {}, seats, seconds: THOUGHT, ...told(), ...(start === null ? {} : { start }) };
}

/** Begins the same again, with sides changed; alone on the same board. */
export function rematch() {
  const { played, board } = table;
  const alone = played.seats.length === 1;
  open(beginPlay({ ...played, side: { first: "second", second: "first" }[played.side] ?? played.side }, alone ? board.start : null));
}

/** Goes on with the game that was left for the card. */
export function goOn() {
  setMode("play");
  setAddress(`#play/${table.played.game}`);
}

/** Keeps the game that is played for this tab, so that it goes on when the page is loaded again. */
function keep() {
  const { asked, played, board, mode, result } = table;
  sessionStorage.removeItem(KEPT);
  if (mode !== "play" || result || !(asked || board)) return;
  played.clock?.turn(null);
  const turned = $("board-view").turned;
  sessionStorage.setItem(KEPT, JSON.stringify({ played, turned, request: asked ?? again({ ...board, ply: board.moves.length }) }));
}

/** The request for the game that was kept, where the address is its; null for none. */
export function kept() {
  const { played, turned, request } = JSON.parse(sessionStorage.getItem(KEPT)) ?? {};
  if (!infoOf(request?.game) || location.hash !== `#play/${request.game}`) return null;
  const clock = played.clock && Object.assign(new Clock(played.clock.seconds, played.seats.length), { spent: played.clock.spent });
  Object.assign(table, { played: { ...played, clock } });
  setMode("play");
  $("board-view").toggleAttribute("data-turned", turned);
  return request;
}

addEventListener("pagehide", keep);

/** What a new board means for the game that is played. */
export function follow() {
  const { board, over, played } = table;
  if (table.mode !== "play" || table.result) return;
  if (table.hint && table.hint.ply !== board.ply) table.hint = null;
  if (over) return end({ winner: over.winner, reason: over.reason });
  if (board.ply !== board.moves.length) return;
  played.seats = board.seats;
  played.clock?.turn(board.player);
  if (!played.begun && played.seats.length === 1) send({ type: "ASIDE", what: "PAR" });
  played.begun = true;
}

/** Ends the game: {winner, reason}, the winner's seat or null.  Then its analysis opens. */
function end(result) {
  const { played, board } = table;
  played.clock?.turn(null);
  table.result = { ...result, seats: played.seats, game: table.name, start: board.start, moves: board.moves };
  openAnalysis();
  if (board.moves.length && isReviewed(board)) askReview();
}

/** Looks at the game that was played as at any other. */
export function openAnalysis() {
  const { board } = table;
  setMode("analyse");
  seat({ seats: board.seats.map(() => PERSON), analyst: infoOf().solver, seconds: 0.5 });
}

const other = (seat) => (table.played.seats.length === 2 ? 1 - seat : null);

/** Gives the game up, for the person whose turn it is or, where there is only one, for that one. */
export function resign() {
  const { seats } = table.played;
  const mine = seats.filter((who) => who === PERSON).length === 1 ? seats.indexOf(PERSON) : table.board.player;
  end({ winner: other(mine), reason: say("resigned") });
}

/** Asks for a move. */
export const askHint = () => send({ type: "ASIDE", what: "HINT" });

/** Shows the move that was asked for. */
export function hear({ type, ...reply }) {
  if (type === "PAR" && table.played) table.played.par = reply;
  if (type !== "HINT" || reply.ply !== table.board?.ply) return;
  table.hint = reply;
}

/** Draws the hint and what can be pressed. */
export function drawPlay() {
  const { board, played, hint, mode, drawing } = table;
  if (mode !== "play") return;
  $("board-view").showLine(hint ? [hint.step] : []);
  $(".hinted").replaceChildren(...(hint ? [say("hint.is"), " ", drawing.face(hint.step.move)] : played.par ? [say(played.par.proven ? "par" : "par.known", { count: played.par.moves })] : []));
  $('[data-do="hint"]').disabled = board.seats[board.player] !== PERSON;
  $('.actions [data-do="undo"]').disabled = !board.moves.length;
  drawClock();
}

function drawClock() {
  const { clock } = table.played;
  for (const face of document.querySelectorAll(".clock")) {
    face.textContent = clock ? clock.face(Number(face.dataset.seat)) : "";
    face.toggleAttribute("data-low", Boolean(clock) && clock.left(Number(face.dataset.seat)) < 20);
  }
}

/** The clock's time runs out as it is seen to. */
setInterval(() => {
  if (table.mode !== "play" || !table.played?.clock || table.result || table.asked) return;
  const { fallen } = table.played.clock;
  if (fallen !== null) end({ winner: other(fallen), reason: say("time.out") });
  else drawClock();
}, TICK);

/** The face of a seat's clock, null where there is none. */
export const clockOf = (seat) => (table.mode === "play" && table.played?.clock ? el("time", { class: "clock", "data-seat": seat }, table.played.clock.face(seat)) : null);
