// The analyst's table: what the page shows and asks for.

import "./address.js";
import "./board-view.js";
import "./candidate-bars.js";
import "./setup-form.js";
import "./value-curve.js";
import { el, number } from "./dom.js";
import { formatGame, parseGame } from "./game-text.js";
import { drawingOf } from "./games/registry.js";
import { Link } from "./socket.js";

const PERSON = "person";
const LIGHT = "light";
const $ = (selector) => document.querySelector(selector);
const view = $("board-view");
const bars = $("candidate-bars");
const setup = $("setup-form");

const table = { games: [], name: null, drawing: null, board: null, values: [], thought: null, thinking: false, over: null, hand: null, wanted: null, preparing: 0 };
const link = new Link({ hear, resume, show: (state) => showLink(state) });

// From the server.

/** Follows the replies one after the other: the first of a game waits for its drawing. */
let heard = Promise.resolve();
function hear(reply) {
  const act = { INIT: welcome, UPDATE: update, GAME_OVER: update, ERROR: refuse }[reply.type];
  heard = heard.then(() => act?.(reply));
  return heard;
}

function welcome({ games }) {
  table.games = games;
  if ($(".games").childElementCount) return;
  $(".games").append(...table.games.map(({ name, title }) =>
    el("a", { href: `#${name}`, "data-game": name }, title)));
}

/** What to ask for when the connection stands: the game that was going on, else the one the address names. */
function resume() {
  return table.board ? again(table.board) : begin(nameInAddress());
}

function nameInAddress() {
  const name = location.hash.slice(1);
  return table.games.some((game) => game.name === name) ? name : table.games[0].name;
}

/** The INIT that takes the present game up again, with `changes`. */
function again({ options, seats, analyst, seconds, start, moves, ply }) {
  return { type: "INIT", game: table.name, options, seats, analyst, seconds, start, moves, at: ply };
}

/** The INIT of a new game; without options of the usual variant, who plays as before. */
function begin(name, options = null) {
  const info = table.games.find((game) => game.name === name);
  const usual = { seats: [PERSON, ...Array(info.players - 1).fill(info.solver)], analyst: info.solver, seconds: 0.5 };
  const same = table.name === name && table.board;
  const who = same ? setup.who(table.board.seats.length) : usual;
  table.wanted = name;
  return { type: "INIT", game: name, options: options ?? (same ? table.board.options : {}), ...who };
}

async function update(reply) {
  const { board, thought, values, thinking } = reply;
  if (board) {
    const name = table.wanted ?? table.name;
    if (name !== table.name) Object.assign(table, { name, drawing: await drawingOf(table.games.find((game) => game.name === name)) });
    table.wanted = null;
    const moved = table.board?.ply !== board.ply || table.board.text !== board.text;
    if (moved) table.hand = null;
    Object.assign(table, { board, thought: thought ?? null, over: reply.type === "GAME_OVER" ? reply : null });
  } else if (thought && thought.ply === table.board?.ply) table.thought = thought;
  if (values) table.values = values;
  if (reply.preparing) table.preparing = reply.preparing;
  else if (thought && thought.solver !== LIGHT) table.preparing = 0;
  table.thinking = thinking ?? false;
  if (table.board) drawSoon(Boolean(board));
}

/** Draws in the next frame, once for all replies that come until then: a move, what was thought, the answer. */
let due = null;
function drawSoon(moved) {
  if (!due) requestAnimationFrame(draw);
  due = { moved: moved || Boolean(due?.moved) };
}

function draw() {
  const { moved } = due;
  due = null;
  if (moved) {
    drawBoard();
    drawGame();
    announce();
  }
  drawMind();
  if (moved) $(".log [aria-current]")?.scrollIntoView({ block: "nearest" }); // the last, as it has the page laid out
}

function refuse({ error, message }) {
  table.wanted = null;
  say(message, true);
  if (!table.board && error === "SettingsError") link.send(begin(table.games[0].name));
}

// What is to be seen.

function awaitsPerson() {
  const { board, over } = table;
  return !over && (board.seats[board.player] === PERSON || board.ply < board.moves.length);
}

function drawBoard() {
  const { drawing, board, hand } = table;
  const awaits = awaitsPerson();
  view.show(drawing, board, { awaits: awaits && setup.wish("hints"), hand });
  Object.assign(view, { awaits });
  Object.assign(view.dataset, { awaits, ply: board.ply, over: Boolean(table.over) });
  $(".beside").replaceChildren(...(drawing.beside?.(board, { awaits, hand, play, hold }) ?? []));
  document.documentElement.toggleAttribute("data-letters", setup.wish("letters"));
}

function drawGame() {
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
  $(".log ol").replaceChildren(...board.moves.map((move, at) => el("li", {}, el("button", {
    type: "button", "data-ply": at + 1, "aria-current": at + 1 === board.ply ? "step" : null, click: () => look(at + 1),
  }, drawing.face(move)))));
  $(".as-text pre").textContent = drawing.text(board);
  setup.offer(table.games.find((game) => game.name === name), { seats: board.seats, analyst: board.analyst, seconds: board.seconds, options: board.options }, drawing.fields);
}

function drawMind() {
  const { board, drawing, thought, thinking, values } = table;
  const answer = thought?.answer ?? null;
  const awaits = awaitsPerson();
  bars.show({ answer, others: thought?.others, legal: board.legal, actions: table.over ? null : drawing.actions(board), face: (move) => drawing.face(move), words: drawing.words, awaits });
  $(".verdict").textContent = answer ? drawing.verdict(answer, board) || "no score" : thinking ? "thinking" : "";
  $(".verdict").toggleAttribute("data-proven", Boolean(answer?.proven));
  $(".preparing").textContent = table.preparing ? `The strong solver is being prepared, once: about ${Math.round(table.preparing)} s. A light one plays meanwhile.` : "";
  $(".line").replaceChildren(...(answer?.line.length > 1 ? [el("span", {}, "Expected: "), ...answer.line.slice(0, 12).flatMap((move) => [drawing.face(move), " "])] : []));
  $(".cost").textContent = thought ? `${thought.solver}: ${answer.nodes.toLocaleString("en")} positions, ${number(answer.seconds)} s${thought.done ? "" : " so far"}` : "";
  const button = $('[data-do="think"]');
  button.textContent = thinking ? "Stop" : "Think";
  button.setAttribute("aria-pressed", String(thinking));
  button.disabled = !thinking && (Boolean(table.over) || !(board.analyst || board.seats[board.player] !== PERSON));
  view.showLine(thought && setup.wish("line") ? thought.line : []);
  $("value-curve").show(values.length ? values : [null], board.ply);
}

function announce() {
  const { board, over } = table;
  const who = board.seats.length > 1 ? `Player ${board.player + 1}` : "You";
  const last = board.ply ? `Move ${board.ply}: ${board.moves[board.ply - 1].replaceAll(",", " ")}. ` : "";
  if (over) say(`${last}${over.winner === null ? "Nobody wins" : board.seats.length > 1 ? `Player ${over.winner + 1} wins` : "Won"}: ${over.reason}`);
  else say(`${last}${board.seats.length > 1 ? `${who} (${board.seats[board.player]}) to move` : "Choose a move"}`);
}

function say(text, wrong = false) {
  $(".say").textContent = text;
  $(".say").toggleAttribute("data-wrong", wrong);
}

function showLink(state) {
  $(".link").textContent = state;
  document.documentElement.dataset.link = state;
}

// From the person.

function play(move) {
  if (awaitsPerson()) link.send({ type: "MOVE", move, ply: table.board.ply });
}

function look(ply) {
  const last = table.board.moves.length;
  link.send({ type: "LOOK", ply: Math.min(Math.max(ply, 0), last) });
}

function hold(hand) {
  const piece = document.activeElement?.dataset?.piece;
  const turn = document.activeElement?.dataset?.turn;
  table.hand = hand;
  drawBoard();
  view.showLine(table.thought && setup.wish("line") && !hand ? table.thought.line : []);
  if (view.over) view.hover(view.querySelector(`[data-place="${view.over.id}"]`));
  document.querySelector(piece ? `[data-piece="${piece}"]` : turn ? `[data-turn="${turn}"]` : null)?.focus();
}

const ACTS = {
  first: () => look(0),
  back: () => look(table.board.ply - 1),
  forth: () => look(table.board.ply + 1),
  last: () => look(table.board.moves.length),
  undo: () => link.send({ type: "UNDO" }),
  new: () => link.send(begin(table.name)),
  think: () => link.send({ type: "THINK", on: !table.thinking }),
  export: () => openPaper(formatGame({ game: table.name, ...table.board })),
  import: () => openPaper(""),
  load: loadPaper,
  save: savePaper,
};
const KEYS = { ArrowLeft: "back", ArrowRight: "forth", Home: "first", End: "last", u: "undo", n: "new", t: "think" };

function openPaper(text) {
  $(".paper textarea").value = text;
  $(".paper .wrong").textContent = "";
  $(".paper").showModal();
}

function loadPaper() {
  try {
    const game = parseGame($(".paper textarea").value);
    if (!table.games.some(({ name }) => name === game.game)) throw new Error(`there is no game ${game.game} here`);
    link.send({ ...begin(game.game, game.options), start: game.start, moves: game.moves, seats: Array(table.games.find(({ name }) => name === game.game).players).fill(PERSON) });
    $(".paper").close();
  } catch (error) {
    $(".paper .wrong").textContent = error.message;
  }
}

function savePaper() {
  const url = URL.createObjectURL(new Blob([$(".paper textarea").value], { type: "text/plain" }));
  el("a", { href: url, download: `${table.name}.txt` }).click();
  URL.revokeObjectURL(url);
}

document.addEventListener("click", (event) => {
  const act = event.target.closest("[data-do]")?.dataset.do;
  if (act && (table.board || act === "load")) ACTS[act]();
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || !table.board || event.target.closest("input, select, textarea, dialog")) return;
  const turn = table.hand && table.drawing.keys?.[event.key];
  if (turn) hold(table.drawing.turned(table.hand, turn));
  else if (KEYS[event.key]) ACTS[KEYS[event.key]]();
  else return;
  event.preventDefault();
});
view.addEventListener("place", ({ detail: place }) => {
  if (place.hand !== undefined) return awaitsPerson() && hold(place.hand);
  if (!place.move) return say("Pick a piece first");
  play(place.move);
});
view.addEventListener("turn", ({ detail }) => hold(table.drawing.turned(table.hand, detail)));
bars.addEventListener("choose", ({ detail: move }) => play(move));
bars.addEventListener("hint", ({ detail: move }) => view.showGhost(move && table.board ? { cells: table.drawing.cellsOf(move, table.board), fits: true } : null));
$("value-curve").addEventListener("look", ({ detail: ply }) => table.board && look(ply));
setup.addEventListener("seats", ({ detail }) => link.send({ type: "SEATS", ...detail }));
setup.addEventListener("begin", ({ detail: options }) => link.send(begin(table.name, options)));
setup.addEventListener("look-changed", () => {
  setup.keepWishes();
  drawBoard();
  drawMind();
});
$(".by-text").addEventListener("submit", (event) => {
  event.preventDefault();
  const field = event.target.elements.move;
  play(field.value.trim());
  field.value = "";
});
window.addEventListener("hashchange", () => nameInAddress() !== table.name && link.send(begin(nameInAddress())));
