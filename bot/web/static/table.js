// The analyst's table: hears the server, draws once a frame, and does what a person presses.

import "./address.js";
import "./language-choice.js";
import { showLink } from "./without-server.js";
import { aids, openSheet } from "./aids.js";
import { begin, connect, look, nameInAddress, resume, send } from "./asking.js";
import { drawMind, showLine } from "./mind.js";
import { openPaper } from "./paper.js";
import { digit, hold, laid, make, press, refuse, tellEnd, turn, wrong } from "./pressing.js";
import { announce, drawBoard, drawGame, showStep } from "./stage.js";
import { $, table, take } from "./state.js";
import { el } from "./dom.js";

const view = $("board-view");
const bars = $("candidate-bars");
const setup = $("setup-form");

// From the server.

/** Follows the replies one after the other: the first of a game waits for its drawing. */
let heard = Promise.resolve();
function hear(reply) {
  const act = { INIT: welcome, UPDATE: update, GAME_OVER: update, ERROR: deny }[reply.type];
  heard = heard.then(() => act?.(reply));
  return heard;
}

function welcome({ games }) {
  table.games = games;
  if ($(".games").childElementCount) return;
  $(".games").append(...table.games.map(({ name, title }) =>
    el("a", { href: `#${name}`, "data-game": name }, title)));
}

async function update(reply) {
  const moved = await take(reply);
  if (table.board) drawSoon(moved);
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
    tellEnd();
  }
  drawMind();
  if (moved) showStep(); // the last, as it has the page laid out
}

function deny({ error, message }) {
  table.wanted = null;
  wrong(message);
  if (table.board) drawBoard(); // as it is, whatever was painted in advance
  if (!table.board && error === "SettingsError") send(begin(table.games[0].name));
}

connect({ hear, resume, show: showLink });

// From the person.

view.append(document.createElement("end-banner"));
$(".link").before(aids(table));

const ACTS = {
  first: () => look(0),
  back: () => look(table.board.ply - 1),
  forth: () => look(table.board.ply + 1),
  last: () => look(table.board.moves.length),
  undo: () => send({ type: "UNDO" }),
  new: () => send(begin(table.name)),
  think: () => send({ type: "THINK", on: !table.thinking }),
  export: () => openPaper(true),
  import: () => openPaper(false),
  mute: () => $("[data-aid=mute]").click(),
  keys: () => openSheet(table),
};
const KEYS = { ArrowLeft: "back", ArrowRight: "forth", Home: "first", End: "last", u: "undo", n: "new", t: "think", m: "mute", "?": "keys" };

document.addEventListener("click", (event) => {
  const { do: act, ply } = event.target.closest("[data-do], .log [data-ply]")?.dataset ?? {};
  if (table.board) act ? ACTS[act]?.() : ply && look(Number(ply));
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || !table.board || event.target.closest("input, select, textarea, dialog")) return;
  const way = table.hand && table.drawing.keys?.[event.key];
  if (way) turn(way);
  else if (KEYS[event.key]) ACTS[KEYS[event.key]]();
  else if (!/^\d$/u.test(event.key) || !digit(event.key)) return;
  event.preventDefault();
});
view.addEventListener("place", ({ detail: place }) => press(place));
view.addEventListener("wrong", ({ detail: place }) => refuse(place));
view.addEventListener("laid", ({ detail: place }) => laid(place));
view.addEventListener("play", ({ detail: move }) => make(move));
view.addEventListener("refused", ({ detail: why }) => wrong(why));
view.addEventListener("hold", ({ detail: hand }) => hold(hand));
view.addEventListener("turn", ({ detail: way }) => turn(way));
view.addEventListener("held", () => showLine());
bars.addEventListener("choose", ({ detail: move }) => make(move));
bars.addEventListener("hint", ({ detail: move }) => view.showGhost(move && table.board ? { cells: table.drawing.cellsOf(move, table.board), fits: true } : null));
$("value-curve").addEventListener("look", ({ detail: ply }) => table.board && look(ply));
setup.addEventListener("seats", ({ detail }) => send({ type: "SEATS", ...detail }));
setup.addEventListener("begin", ({ detail: options }) => send(begin(table.name, options)));
setup.addEventListener("look-changed", () => {
  setup.keepWishes();
  drawBoard();
  drawMind();
});
$(".by-text").addEventListener("submit", (event) => {
  event.preventDefault();
  const field = event.target.elements.move;
  make(field.value.trim());
  field.value = "";
});
window.addEventListener("hashchange", () => nameInAddress() !== table.name && send(begin(nameInAddress())));
