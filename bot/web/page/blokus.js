// Blokus in the browser.

import * as rules from "./rules/blokus.js";
import { conventions, turned } from "./shared/conventions.js";
import { element } from "./shared/element.js";
import { buildGrid } from "./shared/grid.js";
import { followHand } from "./shared/hand.js";
import { buildPlayers, Match, SEATS, seatOptions } from "./shared/match.js";
import { freshSeed } from "./shared/random.js";
import { seatReferee } from "./shared/referee.js";
import { choice, COMMON, integer, readSettings } from "./shared/settings.js";
import { buildShell, fitBoard } from "./shared/shell.js";

const SKINS = ["classic", "gaps", "dark", "stone", "gradient", "pastel"];
const VARIANTS = ["duo", "duo-either", "corners", "classic", "classic-2"];

const settings = readSettings({
  ...COMMON,
  ...SEATS,
  third: choice("random", "person", "greedy"), // of classic, as the fourth
  fourth: choice("random", "person", "greedy"),
  variant: choice(...VARIANTS),
  size: integer(14, 5, 20), // duo is played on 14, classic on 20
  skin: choice(...SKINS),
  preview: choice("on", "free", "off"), // the piece in hand under the pointer; free: where no other lies
});
const size = { corners: settings.size, classic: 20, "classic-2": 20 }[settings.variant] ?? 14;
const starts = rules.STARTS[settings.variant](size);
const every = [settings.first, settings.second, settings.third, settings.fourth];
const players = settings.variant === "classic" ? every : every.slice(0, 2);
const seats = starts.map((_, colour) => players[colour % players.length]); // of each colour
let hand = null; // {piece, cells} picked from the tray
const waiting = new Map(); // piece -> {piece, cells, turns}, as it was turned in its tray
let under = null; // the cell under the pointer
const sets = conventions.pieces === "set"; // whether a piece in hand lies on the board, and follows no pointer
const drags = conventions.pieces === "dragged"; // whether it is in hand while the button is down
let lies = null; // the cell on which it does

const { board, cells } = buildGrid({ rows: size, cols: size, walkable: true, label: `Blokus board, ${size} by ${size}` });
starts.forEach((own, seat) => own.forEach(([row, col]) => { cells[row][col].dataset.start = seat + 1; }));
const trays = seats.map((_, colour) => buildTray(colour + 1));
const shown = trays.filter((_, colour) => conventions.trays !== "own" || seats[colour] === "person");
const half = Math.ceil(shown.length / 2);
const held = element("div", { class: "held", "aria-live": "polite" });
const turns = [["rotate", "Rotate (R)"], ["flip", "Flip (F)"], ["away", "Put away (Esc)"]].map(([name, label]) =>
  element("button", { type: "button", class: "new", "data-press": `turn:${name}` }, label));
const chips = buildPlayers(seats);
const page = buildShell({
  title: "Blokus",
  skin: settings.skin,
  board,
  beside: [shown.slice(0, half), shown.slice(half)].map((some) => element("div", { class: "trays" }, ...some)),
  controls: element("div", { class: "hand" }, held, ...turns),
  players: chips.chips,
  options: [
    ["Variant", "variant", VARIANTS, settings.variant],
    ["Size (corners)", "size", { min: 5, max: 20 }, settings.size],
    ["Look", "skin", SKINS, settings.skin],
    ...seatOptions(settings),
    ["Animation (ms)", "animation", { min: 0, max: 10000 }, settings.animation],
  ],
});
const match = new Match({
  rules: { ...rules, outcome: (state) => rules.outcome(state, players.length), format: () => match.moves.join(" ") },
  begin: () => rules.begin(size, starts),
  seats,
  seed: settings.seed ?? freshSeed(),
  pause: settings.pause,
  draw,
  marks: (move) => move.cells.map(([row, col]) => cells[row]?.[col]).filter(Boolean),
  confirms: sets || conventions.stage === "confirm",
});
const clicks = seatReferee({
  ...match.truths("blokus"),
  grid: () => match.state.owner,
  left: () => match.state.left,
  hand: () => hand,
});
const press = followHand({ ...settings, drags: true }, clicks, act);
fitBoard({ shell: page.shell, board, rows: size, cols: size, fixed: settings.cell });
board.style.setProperty("--fade", `${settings.animation}ms`);
if (["all", "keys", "listed"].includes(conventions.turns)) document.addEventListener("keydown", pressByKey);
document.addEventListener("wheel", (event) => {
  if (conventions.turns !== "wheel" || !hand) return;
  event.preventDefault(); // the page stays where it is
  press("turn:rotate");
}, { passive: false });
document.addEventListener("dblclick", ({ target }) => {
  if (conventions.turns === "double" && target.closest(".piece, .held") && hand) press("turn:rotate");
  const piece = conventions.turns === "tray" && target.closest(".piece")?.dataset.press;
  if (piece && match.awaitsPerson) press(`turn:${piece}`);
});
if (drags) {
  document.addEventListener("pointerdown", ({ target }) => {
    const piece = target.closest(".piece")?.dataset.press;
    if (piece && match.awaitsPerson) pick(...piece.split(":")[1].split(","));
  });
  document.addEventListener("pointerup", () => {
    hand = null;
    showHand();
  });
}
if (settings.preview !== "off" && !sets) {
  const follow = (cell) => preview(under = cell);
  document.addEventListener("pointermove", ({ target }) => {
    const cell = target.closest(".cell");
    if (conventions.follow === "now") follow(cell);
    else setTimeout(follow, 500, cell);
  });
}
match.start();

function drawShape(shape) {
  const bits = shape.map(([row, col]) => {
    const bit = element("i", { class: "bit" });
    bit.style.gridArea = `${row + 1} / ${col + 1}`;
    return bit;
  });
  return element("span", { class: "shape" }, ...bits);
}

function buildTray(seat) {
  return element("div", { class: "tray", role: "group", "aria-label": `Pieces of player ${seat}`, "data-seat": seat },
    ...Object.entries(rules.PIECES).map(([name, shape]) => {
      const press = { "data-press": `piece:${seat},${name}`, "aria-label": `piece ${name}` };
      return element("button", { type: "button", class: "piece", ...press }, drawShape(shape));
    }));
}

function act(target) {
  if (target.startsWith("drag:")) {
    const [from, to] = target.slice(5).split(">");
    return from.startsWith("piece") && (drags || act(from) === "picked") ? act(to) : "ignored";
  }
  const [kind, where, which] = target.split(":");
  if (kind === "new") return match.restart();
  if (kind === "confirm") return match.confirm();
  if (kind === "undo") return match.undo();
  if (kind === "pass") return match.wishPass();
  if (!match.awaitsPerson) return "ignored";
  if (which) return turnWaiting(...which.split(","));
  if (kind === "piece") return drags ? "ignored" : pick(...where.split(","));
  if (!hand) return "ignored";
  return kind === "turn" ? turn(where) : place(where.split(",").map(Number));
}

function pick(seat, piece) {
  if (Number(seat) !== match.state.player + 1 || !match.state.left[seat - 1].includes(piece)) return "ignored";
  const again = conventions.turns === "double" && hand?.piece === piece; // the first press of a double click
  if (!again) hand = waiting.get(piece) ?? { piece, cells: rules.PIECES[piece] };
  lies = [size >> 1, size >> 1];
  showHand();
  return "picked";
}

/** Turns a piece in its tray, where it lies so from then on. */
function turnWaiting(seat, piece) {
  const held = hand;
  if (pick(seat, piece) !== "picked") return "ignored";
  turn("rotate");
  waiting.set(piece, hand);
  trays[seat - 1].querySelector(`[data-press="piece:${seat},${piece}"]`).replaceChildren(drawShape(hand.cells));
  hand = held && hand;
  showHand();
  return "turned";
}

function turn(how) {
  if (!hand) return "ignored";
  const { piece, cells, turns = 0 } = hand;
  if (conventions.turns === "listed" && how !== "away") {
    const forms = rules.formsOf(cells);
    const at = forms.findIndex((form) => rules.same(form, cells));
    hand = { piece, cells: forms[(at + (how === "rotate" ? 1 : forms.length - 1)) % forms.length] };
    showHand();
    return "turned";
  }
  const over = how === "flip" || (["wheel", "double", "tray"].includes(conventions.turns) && turns % 4 === 3);
  hand = how === "away" ? null : { piece, cells: rules[over ? "flipped" : "rotated"](cells), turns: turns + 1 };
  showHand();
  return "turned";
}

/** The piece in hand where what it is held by lies on `cell`, the way it shows. */
function laid(cell) {
  const [row, col] = turned(cell, size, size);
  const [down, right] = conventions.held === "corner" ? [0, 0] : rules.holdOf(hand.cells);
  return { piece: hand.piece, cells: hand.cells.map(([r, c]) => turned([row + r - down, col + c - right], size, size)) };
}

function place(cell) {
  if (sets) {
    lies = cell;
    showHand();
    return "set";
  }
  const how = drags && conventions.stage === "twice" ? "none" : conventions.stage; // no tap finds what was dragged there
  const effect = match.wish(laid(cell), how);
  if (effect === "illegal") page.say("It cannot lie there");
  return effect;
}

function showHand() {
  held.replaceChildren(...(hand ? [drawShape(hand.cells)] : ["Pick a piece"]));
  held.dataset.seat = match.state.player + 1;
  for (const button of turns) button.disabled = !hand && conventions.turns !== "lasting";
  const picked = hand && `piece:${match.state.player + 1},${hand.piece}`;
  for (const piece of document.querySelectorAll(".piece")) {
    piece.toggleAttribute("data-picked", piece.dataset.press === picked);
  }
  if (conventions.offers === "dots") offer();
  if (sets) setDown();
  else preview(under);
}

/** Marks the places where the piece in hand may be laid as it lies. */
function offer() {
  const lawful = new Set(hand ? match.legal.map((move) => rules.formatMove(move, match.state)) : []);
  cells.forEach((line, row) => line.forEach((cell, col) => {
    cell.toggleAttribute("data-offer", lawful.size > 0 && lawful.has(rules.formatMove(laid([row, col]), match.state)));
  }));
}

/** Shows the piece in hand where it lies, to be confirmed. */
function setDown() {
  if (hand) match.wish(laid(lies), conventions.stage === "enter" ? "enter" : "confirm");
  else match.stage(null);
}

function preview(cell) {
  for (const ghost of board.querySelectorAll("[data-ghost]")) delete ghost.dataset.ghost;
  if (!cell || !hand) return;
  const move = laid([Number(cell.dataset.row), Number(cell.dataset.col)]);
  const text = rules.formatMove(move, match.state);
  const fits = match.legal.some((other) => rules.formatMove(other, match.state) === text);
  const shown = match.marks(move);
  if (conventions.held === "corner" && shown.length < move.cells.length) return;
  const free = settings.preview === "free" ? shown.filter((ghost) => ghost.dataset.owner === "0") : shown;
  for (const ghost of free) ghost.dataset.ghost = fits || conventions.tells === "off" ? match.state.player + 1 : "no";
}

function draw(match) {
  const { state, moves } = match;
  hand = null;
  cells.forEach((line, row) => line.forEach((cell, col) => {
    cell.dataset.owner = state.owner[row][col];
    cell.toggleAttribute("data-winning", state.owner[row][col] - 1 === match.outcome?.winner);
    cell.toggleAttribute("data-next", !match.outcome && Number(cell.dataset.start) === state.player + 1);
  }));
  trays.forEach((tray, seat) => {
    tray.hidden = conventions.trays === "turn" && !(match.awaitsPerson && seat === state.player);
    for (const piece of tray.children) {
      const used = !state.left[seat].includes(piece.dataset.press.split(",")[1]);
      piece.toggleAttribute("data-used", used);
      piece.disabled = used;
    }
  });
  showHand();
  page.say(...chips.show(match, rules.areas(state)));
  page.count(`Move ${moves.length}`);
  page.note(`The piece lies with its ${conventions.held === "corner" ? "upper left corner" : "middle"} where you click`);
}

function pressByKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("input, select")) return;
  const target = { r: "turn:rotate", f: "turn:flip", Escape: "turn:away", n: "new" }[event.key];
  if (target) press(target);
}
