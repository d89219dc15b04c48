// The review of a game: how well each played, the moves that cost most, and the fewest moves there could be.

import { again, look, open, send, told } from "./asking.js";
import { el } from "./dom.js";
import { $, PERSON, infoOf, isPlayed, seatName, table } from "./state.js";
import { say } from "./words.js";

/** Whether games of so many seats are: of more than two, a solver values a position for the side to move alone. */
export const isReviewed = ({ seats }) => seats.length <= 2;

/** Has the game that is shown looked through. */
export function askReview() {
  const { board, name } = table;
  table.review = { game: { name, start: board.start, moves: board.moves, options: board.options }, reply: null };
  send({ type: "ASIDE", what: "REVIEW" });
}

/** Ends it with what is known so far. */
export const stopReview = () => send({ type: "ASIDE", what: null });

/** Takes what is known so far. */
export function hear(reply) {
  if (!table.review) return;
  table.review.reply = reply;
  table.values = reply.values;
}

const percent = (share) => `${Math.round(100 * share)}%`;

/** Draws the panel. */
export function drawReview() {
  const { board, result, review, name } = table;
  const panel = $(".review");
  const own = review?.game.name === name && review.game.start === board.start ? review : null;
  const mine = isPlayed() ? result : null;
  drawActs(mine);
  panel.hidden = table.mode !== "analyse" || !(own || mine || canReview());
  if (panel.hidden) return;
  const known = own?.reply ? findings(own) : own ? [progress(0, 1, 0)] : isReviewed(board) ? [] : [el("p", { class: "soft" }, say("review.two"))];
  panel.replaceChildren(...[heading(mine), ...known, acts(mine, own)].filter(Boolean));
}

/** What can be done next, in the banner that tells the end. */
function drawActs(result) {
  const { acts: row } = $("end-banner");
  if (row.childElementCount > 0 === Boolean(result)) return;
  row.replaceChildren(...(result ? [onceMore(result), isReviewed(result) ? el("button", { type: "button", "data-do": "toreview" }, say("review")) : ""] : []));
}

const onceMore = ({ seats }) => el("button", { type: "button", class: "main", "data-do": "rematch" }, seats.length > 1 ? say("rematch") : say("again"));

const canReview = () => table.board.moves.length > 0 && isReviewed(table.board) && table.board.seats.every((who) => who === PERSON);

function heading(result) {
  const who = result && (result.seats.length === 1 && result.winner !== null ? say("end.done") : result.winner === null ? (result.seats.length > 1 ? say("drawn") : result.reason) : seatName(result.winner) === say("you") ? say("winner.you") : say("winner", { who: seatName(result.winner) }));
  return el("header", {}, el("h2", {}, result ? who : say("review")), result && who !== result.reason ? el("p", { class: "why" }, result.reason) : null);
}

function findings({ reply }) {
  const { done, of, finished, preparing } = reply;
  return [finished ? null : progress(done, of, preparing), ...(reply.par ? [fewest(reply)] : accuracies(reply)), costly(reply)].filter(Boolean);
}

function progress(done, of, preparing) {
  return el("p", { class: "progress", role: "status" },
    preparing ? say("preparing.review", { seconds: Math.round(preparing) }) : say("reviewed", { done, of: Math.max(of, done) }), el("progress", { value: done, max: of, "aria-label": say("review") }),
    el("button", { type: "button", "data-do": "unreview" }, say("stop")));
}

function accuracies({ accuracy }) {
  const known = accuracy.map((share, seat) => (share === null ? null : el("div", { class: "accuracy" }, el("i", { class: `dot seat-${seat + 1}`, "aria-hidden": "true" }),
    el("b", {}, `${Math.round(share)}%`), el("span", {}, seatName(seat)))));
  return known.some(Boolean) ? [el("div", { class: "accuracies", role: "group", "aria-label": say("accuracy") }, el("span", { class: "soft" }, say("accuracy")), ...known)] : [];
}

function fewest({ par, of }) {
  const moves = table.review.game.moves.length;
  const walk = el("button", { type: "button", "data-do": "walk", disabled: !par.line.length }, say("walk"));
  return el("div", { class: "fewest" }, el("p", {}, el("b", {}, say("moves.made", { count: moves })), " ", say(par.proven ? "possible.proven" : "possible", { count: par.moves })), of ? walk : null);
}

function costly({ costly: moves, par, finished }) {
  if (!moves.length) return finished ? el("p", { class: "soft" }, say("faultless")) : null;
  const items = moves.map((each) => el("li", {}, el("button", { type: "button", "data-costly": each.ply },
    el("span", { class: "number" }, `${each.ply + 1}.`),
    el("span", { class: "what" }, ...words(each)), el("span", { class: "soft" }, cost(each, Boolean(par))))));
  return el("div", {}, el("h3", {}, say("costly")), el("ol", { class: "costly" }, ...items));
}

function words({ move, better }) {
  const { drawing } = table;
  return [drawing.face(move), ` ${say("better")} `, drawing.face(better)];
}

function cost({ before, after, cost: lost, proven }, alone) {
  const text = alone ? say("cost.moves", { count: lost }) : say("cost.chance", { before: percent(before), after: percent(after) });
  return proven ? say("proven", { verdict: text }) : text;
}

function acts(result, own) {
  const review = own || !isReviewed(table.board) ? null : el("button", { type: "button", "data-do": "review" }, say("review.do"));
  return el("div", { class: "row" }, result ? onceMore(result) : null, result ? el("button", { type: "button", "data-do": "card" }, say("new")) : null, review, el("button", { type: "button", "data-do": "share" }, say("share")));
}

/** Shows the reviewed game after `ply` moves, also when another variation was begun. */
export function lookInGame(ply) {
  const { board, review } = table;
  const { game } = review;
  if (String(board.moves) === String(game.moves)) return look(ply);
  open({ ...again({ ...board, ...game, ply }), ...told() });
}

/** Shows the shortest way from the start, to be walked through. */
export function walk() {
  const { par } = table.review.reply;
  const { game } = table.review;
  open({ type: "INIT", game: table.name, options: game.options, start: game.start, moves: par.line, at: 0, seats: [PERSON], analyst: infoOf().solver, seconds: 0.5, ...told() });
}
