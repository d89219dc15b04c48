// The analyst's table: hears the server, draws once a frame, and does what a person presses.

import "./address.js";
import "./language-choice.js";
import { showLink } from "./without-server.js";
import { aids, openSheet } from "./aids.js";
import "./start-card.js";
import { drawAnalysis, pause, step } from "./analyse-mode.js";
import { again, begin, beginShared, connect, forget, look, open, seat, send, takenUp, told } from "./asking.js";
import { drawMind, showLine } from "./mind.js";
import { challenge, openStart, setAddress, setMode, wanted } from "./modes.js";
import { openPaper } from "./paper.js";
import { askHint, beginPlay, drawPlay, follow, goOn, hear as hearPlay, kept, openAnalysis, rematch, resign } from "./play-mode.js";
import { digit, hold, laid, make, press, refuse, tellEnd, turn, wrong } from "./pressing.js";
import { askReview, drawReview, hear as hearReview, lookInGame, stopReview, walk } from "./review.js";
import { openShare } from "./share.js";
import { announce, drawBoard, drawGame, showStep } from "./stage.js";
import { $, PERSON, SEATS, infoOf, table, take } from "./state.js";
import { el } from "./dom.js";

const LEFT = "boardsight:left";
const ANSWER = 60; // milliseconds in which a player without search answers: what is painted of one's own move is drawn with it
const view = $("board-view");
const bars = $("candidate-bars");
const setup = $("setup-form");

// From the server.

/** Follows the replies one after the other: the first of a game waits for its drawing. */
let heard = Promise.resolve();
function hear(reply) {
  const act = { INIT: welcome, UPDATE: update, GAME_OVER: update, HINT: aside(hearPlay), PAR: aside(hearPlay), REVIEW: aside(hearReview), ERROR: deny }[reply.type];
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
  if (table.board) drawSoon(moved, moved && isPainted() && table.thinking ? ANSWER : 0);
}

/** Whether a move was painted when it was made, and another side than a person's is to answer it. */
const isPainted = () => view.board?.text === null && view.board.ply === table.board.ply && table.board.seats[table.board.player] !== PERSON;

/** Takes what was worked out beside the game. */
const aside = (learn) => (reply) => {
  if (table.asked) return; // of the game before
  learn(reply);
  if (table.board) drawSoon(false);
};

/** Asks, now that the connection stands, for the game that was going on, else for what the address names. */
function resume() {
  const request = table.asked ?? (table.board ? takenUp(table.board) : left() ?? challenged() ?? kept() ?? asked());
  if (request) open(request);
}

/** The game that was analysed when the page was left for another language, null for none; once. */
function left() {
  const kept = JSON.parse(sessionStorage.getItem(LEFT));
  sessionStorage.removeItem(LEFT);
  if (!kept || !infoOf(kept.game)) return null;
  setMode("analyse");
  return { ...kept, ...told() };
}

/** The request for a game against the player that the address names, or alone of that player's; null for none. */
function challenged() {
  const { game, player, options } = challenge() ?? {};
  if (!game) return null;
  if (infoOf(game).players > 1) return beginPlay({ game, player, options, side: "first", clock: 0 });
  setMode("analyse");
  setAddress(`#${game}`);
  return { ...begin(game), options, seats: [player] };
}

/** Goes where the address says; the request for it, null for the card. */
function asked() {
  const { mode, game, query } = wanted();
  if (mode === "start") {
    openStart(game);
    return null;
  }
  setMode("analyse");
  Object.assign(table, { result: null, review: null, hint: null });
  return query ? beginShared(game, query) : begin(game);
}

/** Draws in the next frame, or in that after so many milliseconds, once for all replies that come until then. */
let due = null;
let waits = null;
let frame = null;
function drawSoon(moved, wait = 0) {
  due = { moved: moved || Boolean(due?.moved) };
  clearTimeout(waits);
  if (wait) waits = setTimeout(drawNext, wait);
  else drawNext();
}

function drawNext() {
  frame ??= requestAnimationFrame(draw);
}

/** What is pressed in the panels stays until it is let go: another button in its place would not be clicked. */
let pressed = false;
$(".mind").addEventListener("pointerdown", () => (pressed = true));
for (const kind of ["pointerup", "pointercancel", "blur"]) {
  window.addEventListener(kind, () => {
    if (pressed && due) drawNext();
    pressed = false;
  });
}

function draw() {
  frame = null;
  if (pressed || !due) return;
  const { moved } = due;
  due = null;
  if (table.asked) return; // the game that comes is drawn
  if (moved) {
    follow();
    drawBoard();
    drawGame();
    announce();
    tellEnd();
  }
  if (table.mode === "play") drawPlay();
  else drawThoughts();
  if (moved) showStep(); // the last, as it has the page laid out
}

function drawThoughts() {
  drawMind();
  drawAnalysis();
  drawReview();
}

function deny({ message }) {
  forget();
  const unplayed = table.asked && table.mode === "play";
  table.asked = null;
  wrong(message);
  if (table.board) drawBoard(); // as it is, whatever was painted in advance
  if ((table.board && !unplayed) || table.mode === "start") return;
  table.played = null;
  openStart();
  $("start-card .denied").textContent = message;
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
  new: () => (table.mode === "play" ? openCard() : newGame()),
  think: () => table.mode === "analyse" && send({ type: "THINK", on: !table.thinking }),
  hint: () => table.mode === "play" && askHint(),
  resign,
  flip,
  rematch,
  card: openCard,
  review: askReview,
  toreview: () => {
    $("end-banner").hide();
    $(".review").scrollIntoView({ block: "nearest" });
  },
  unreview: stopReview,
  walk,
  share: openShare,
  pause,
  step,
  export: () => openPaper(true),
  import: () => openPaper(false),
  mute: () => $("[data-aid=mute]").click(),
  keys: () => openSheet(table),
};
const KEYS = { ArrowLeft: "back", ArrowRight: "forth", Home: "first", End: "last", u: "undo", n: "new", t: "think", h: "hint", b: "flip", m: "mute", "?": "keys" };
const ANYTIME = ["card", "mute", "keys"]; // whatever game comes

/** Does what a person presses, in the game that is shown. */
function does(act) {
  if (!table.asked || ANYTIME.includes(act)) ACTS[act]?.();
}

/** What can be done before there is a game. */
const BEFORE = {
  analyse: () => (table.mode === "play" ? analyse() : table.mode === "start" && go()),
  table: () => go(),
  watch: () => go(true),
  resume: () => {
    goOn();
    drawSoon(true);
  },
};

/** The game that the card names on the analyst's table, of which solvers play where it is `watched`. */
function go(watched = false) {
  const { game, options } = $("start-card").wish;
  setAddress(`#${game}`);
  const request = { ...asked(), options };
  open(watched ? { ...request, seats: Array(SEATS).fill(infoOf(game).solver), analyst: "" } : request);
}

function newGame() {
  Object.assign(table, { result: null, review: null });
  open(begin(table.name));
}

function analyse() {
  setAddress(`#${table.name}`);
  openAnalysis();
}

function openCard() {
  setAddress(`#play/${table.name}`);
  openStart(table.name);
}

/** Looks at the board from its other side. */
function flip() {
  view.toggleAttribute("data-turned");
  drawBoard();
  drawGame();
  if (table.mode === "play") drawPlay();
  else drawThoughts();
}

document.addEventListener("click", (event) => {
  const { do: act, ply, costly } = event.target.closest("[data-do], .log [data-ply], [data-costly]")?.dataset ?? {};
  if (BEFORE[act]) {
    event.preventDefault();
    BEFORE[act]();
  } else if (!table.board) return;
  else if (act) does(act);
  else if (costly) lookInGame(Number(costly));
  else if (ply) look(Number(ply));
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || !table.board || table.mode === "start" || event.target.closest("input, select, textarea, dialog")) return;
  const way = table.hand && table.drawing.keys?.[event.key];
  if (way) turn(way);
  else if (KEYS[event.key]) does(KEYS[event.key]);
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
view.addEventListener("held", () => (table.mode === "play" ? drawPlay() : showLine()));
bars.addEventListener("choose", ({ detail: move }) => make(move));
bars.addEventListener("hint", ({ detail: move }) => view.showGhost(move && table.board ? { cells: table.drawing.cellsOf(move, table.board), fits: true } : null));
$("value-curve").addEventListener("look", ({ detail: ply }) => table.board && look(ply));
setup.addEventListener("seats", ({ detail }) => seat(detail));
setup.addEventListener("begin", ({ detail: options }) => open(begin(table.name, options)));
document.addEventListener("begin", ({ detail, target }) => target.matches("start-card") && open(beginPlay(detail)));
setup.addEventListener("look-changed", () => {
  setup.keepWishes();
  drawBoard();
  drawThoughts();
});
$(".by-text").addEventListener("submit", (event) => {
  event.preventDefault();
  const field = event.target.elements.move;
  make(field.value.trim());
  field.value = "";
});
document.addEventListener("leave", () => table.mode === "analyse" && table.board && sessionStorage.setItem(LEFT, JSON.stringify(again(table.board))));
window.addEventListener("hashchange", () => {
  const request = asked();
  if (request) open(request);
});
