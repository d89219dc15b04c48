// Quoridor in the browser.

import * as rules from "./rules/quoridor.js";
import { conventions, turned } from "./shared/conventions.js";
import { element } from "./shared/element.js";
import { followHand } from "./shared/hand.js";
import { buildPlayers, Match, SEATS, seatOptions } from "./shared/match.js";
import { freshSeed } from "./shared/random.js";
import { seatReferee } from "./shared/referee.js";
import { choice, COMMON, integer, readSettings } from "./shared/settings.js";
import { buildShell, fitBoard } from "./shared/shell.js";

const SKINS = ["wood", "blue", "dark", "paper", "pastel", "night"];
const LAYING = { // how a wall is laid -> what to do
  tap: "a groove to build",
  twice: "a groove twice to build",
  enter: "a groove and press Return to build",
  confirm: "a groove and then Confirm to build",
  swipe: "and drag along a groove to build",
};
const MODES = { walk: "Moving", h: "Wall —", v: "Wall |" }; // what a press on a cell does, where grooves hear none
const TURNS = ["wheel", "key"]; // what turns the way in which walls lie, where all grooves hear walls of one way

const settings = readSettings({
  ...COMMON,
  ...SEATS,
  size: choice("9", "3", "5", "7", "11"),
  walls: integer(null, 0, 60),
  jumps: choice("on", "off"), // whether pawns jump over each other
  skin: choice(...SKINS),
  hints: choice("on", "off"), // dots where the pawn can go, while a press moves it
  // the wall under the pointer; solid: it looks as if it lay there; every: all grooves where the mode lays walls
  preview: choice("on", "off", "solid", "every"),
  steps: choice("plain", "ghost"), // ghost: a pale pawn shows in the cell under the pointer, and presses on it are lost
  joints: choice("covered", "bare"), // whether a wall covers the crossing in its middle, or lies in two pieces beside it
  slot: choice("after", "before"), // whether a groove's part begins the wall that is laid there, or ends it
  laid: choice("cells", "grooves"), // on what walls are laid in those modes
  modes: choice("none", "toggle", "right", "row", "list", ...TURNS), // what switches a press on a cell between MODES, or one of TURNS
  lay: choice(...Object.keys(LAYING)), // what makes a wall final that was pressed
});
const size = Number(settings.size);
const dragged = conventions.pieces === "dragged"; // whether pawns are
const walls = settings.walls ?? { 3: 1, 5: 3, 7: 6, 9: 10, 11: 13 }[size];
const seats = [settings.first, settings.second];

const pawns = [1, 2].map((seat) => element("i", { class: "pawn", "data-seat": seat }));
const ghost = element("i", { class: settings.preview === "solid" ? "wall" : "wall ghost", hidden: true });
const step = element("i", { class: "pawn step", hidden: true });
const chosen = element("i", { class: "wall chosen" }); // the wall that waits for more
let mode = TURNS.includes(settings.modes) ? "h" : "walk";
const switches = buildSwitches();
const board = element("div", { class: "board", role: "group", "data-joints": settings.joints, "aria-label": `Quoridor board, ${size} by ${size}` });
const squares = buildSquares();
const players = buildPlayers(seats);
const page = buildShell({
  title: "Quoridor",
  skin: settings.skin,
  board,
  controls: switches.length > 0 ? element("div", { class: "confirms" }, ...switches) : null,
  players: players.chips,
  options: [
    ["Size", "size", ["3", "5", "7", "9", "11"], settings.size],
    ["Walls", "walls", { min: 0, max: 60 }, walls],
    ["Look", "skin", SKINS, settings.skin],
    ["Hints", "hints", ["on", "off"], settings.hints],
    ["Walls are laid by", "lay", Object.keys(LAYING), settings.lay],
    ...seatOptions(settings),
    ["Animation (ms)", "animation", { min: 0, max: 10000 }, settings.animation],
  ],
});
const match = new Match({
  rules: { ...rules, format: () => match.moves.join(" ") },
  begin: () => rules.begin(size, walls, settings.jumps === "on"),
  seats,
  seed: settings.seed ?? freshSeed(),
  pause: settings.pause,
  draw,
  marks: (move) => [move.length === 3 ? layWall(chosen, move) : squareAt(move)],
  lacks: (move) => move.length !== 3 && rules.steps({ ...match.state, jumps: true }).some((cell) => String(cell) === String(move)),
  confirms: [settings.lay, conventions.stage].includes("confirm"),
});
const clicks = seatReferee({
  ...match.truths("quoridor"),
  pawns: () => match.state.pawns,
  walls: () => [...match.state.walls].map(wallOf),
  left: () => match.state.left,
});
const press = followHand({ ...settings, drags: dragged || settings.lay === "swipe" }, clicks, act);
fitBoard({ shell: page.shell, board, rows: size, cols: size, fixed: settings.cell, most: 80 });
board.style.setProperty("--glide", `${settings.animation}ms`);
document.addEventListener("keydown", (event) => {
  if (event.target.matches("input, select")) return;
  if (event.key === "n") press("new");
  if (event.key === "r" && settings.modes === "key") press("mode");
});
if (settings.modes === "wheel") board.addEventListener("wheel", (event) => {
  event.preventDefault();
  press("mode");
});
document.addEventListener("contextmenu", (event) => {
  if (settings.modes !== "right") return;
  event.preventDefault();
  press("mode");
});
if (settings.preview !== "off") previewUnderPointer();
if (settings.steps === "ghost") stepUnderPointer();
match.start();

function onBoard(slot) {
  return Math.max(0, Math.min(slot, size - 2));
}

/**
 * Cells and grooves as a grid of 2 * size - 1 tracks; every part of a groove belongs to the wall that begins there as
 * the board shows, or that ends there.
 */
function buildSquares() {
  const found = [];
  for (let down = 0; down < 2 * size - 1; down++) {
    for (let right = 0; right < 2 * size - 1; right++) {
      const [row, col] = turned([down >> 1, right >> 1], size, size);
      const isCell = down % 2 === 0 && right % 2 === 0;
      const kind = down % 2 ? "h" : "v";
      const back = settings.slot === "before" ? [kind === "v", kind === "h"].map(Number) : [0, 0];
      const slot = turned([(down >> 1) - back[0], (right >> 1) - back[1]].map(onBoard), size - 1, size - 1);
      const square = element(isCell ? "button" : "div", isCell
        ? { class: "square", type: "button", "data-press": `cell:${row},${col}`, "aria-label": `${"abcdefghijk"[col]}${size - row}` }
        : { class: "groove", "data-way": kind, "data-press": settings.lay === "swipe" ? `groove:${down},${right}` : `wall:${kind},${slot}` });
      square.style.gridArea = `${down + 1} / ${right + 1}`;
      if (isCell) found.push({ row, col, square });
      board.append(square);
    }
  }
  board.append(...pawns, step, ghost, chosen);
  board.style.setProperty("--size", size);
  return found;
}

function squareAt(cell) {
  return squares.find(({ row, col }) => String([row, col]) === String(cell)).square;
}

function layWall(wall, [kind, ...slot]) {
  const [down, right] = turned(slot, size - 1, size - 1).map((each) => 2 * each + 1);
  wall.dataset.kind = kind;
  wall.style.gridArea = kind === "h"
    ? `${down + 1} / ${right} / span 1 / span 3`
    : `${down} / ${right + 1} / span 3 / span 1`;
  return wall;
}

/** The wall of a name such as "h,3,4". */
function wallOf(name) {
  const [kind, row, col] = name.split(",");
  return [kind, Number(row), Number(col)];
}

function act(target) {
  const [kind, where] = target.split(":");
  if (kind === "new") return match.restart();
  if (kind === "confirm") return match.confirm();
  if (kind === "undo") return match.undo();
  if (kind === "list") return "opened";
  if (kind === "ghost") return "swallowed";
  if (kind === "mode") return switchMode(where);
  const [, from, to] = target.match(/^drag:cell:(.*)>cell:(.*)$/) ?? [];
  if (dragged && from === String(match.state.pawns[match.state.player])) return match.wish(to.split(",").map(Number));
  const wall = wallFor(target);
  if (wall) return match.wish(wall, ["tap", "swipe"].includes(settings.lay) ? conventions.stage : settings.lay);
  const walks = kind === "cell" && !dragged && (settings.laid === "cells" || walking());
  return walks ? match.wish(where.split(",").map(Number)) : "ignored";
}

/** What shows beside the board which mode it is, and turns it: one button, one for each mode, or a list. */
function buildSwitches() {
  const button = (press, words) => element("button", { type: "button", class: "new", "data-press": press }, words);
  if (settings.modes === "toggle") return [button("mode", MODES[mode])];
  const modes = Object.entries(MODES);
  if (settings.modes === "row") {
    const row = modes.map(([each, words]) => button(`mode:${each}`, words));
    row[0].toggleAttribute("data-lit", true);
    return row;
  }
  if (settings.modes !== "list") return [];
  const list = element("select", { class: "modes", "data-press": "list" }, ...modes.map(([each, words]) => element("option", { value: each }, words)));
  list.addEventListener("change", () => press(`mode:${list.value}`));
  return [list];
}

/** Whether a press on a cell moves the pawn. */
function walking() {
  return mode === "walk" || TURNS.includes(settings.modes);
}

/** Turns to a mode, or to the next. */
function switchMode(to) {
  const modes = Object.keys(MODES).slice(TURNS.includes(settings.modes) ? 1 : 0);
  mode = to ?? modes[(modes.indexOf(mode) + 1) % modes.length];
  if (settings.modes === "toggle") switches[0].textContent = MODES[mode];
  if (settings.modes === "row") switches.forEach((each) => each.toggleAttribute("data-lit", each.dataset.press === `mode:${mode}`));
  if (settings.preview === "every") board.dataset.mode = mode;
  draw(match);
  return "turned";
}

/** The wall that a press of that name builds, null for none; that of a cell lies below or right of it as it shows. */
function wallFor(target) {
  const [kind, where] = target.split(":");
  if (kind === "drag") return wallAlong(...target.slice(5).split(">").map((name) => name.split(":")[1].split(",").map(Number)));
  if (settings.modes === "none") return kind === "wall" ? wallOf(where) : null;
  if (TURNS.includes(settings.modes)) return kind === "wall" ? [mode, ...wallOf(where).slice(1)] : null;
  if (settings.laid === "grooves") return kind === "wall" && wallOf(where)[0] === mode ? wallOf(where) : null;
  if (kind !== "cell" || mode === "walk") return null;
  const shown = turned(where.split(",").map(Number), size, size);
  return [mode, ...turned(shown.map(onBoard), size - 1, size - 1)];
}

/** The wall from one part of a groove, as [track down, track right], to the part beyond the next crossing; else null. */
function wallAlong(from, to) {
  const along = from[0] % 2 ? 1 : 0; // which of the two grows along the groove
  const ends = [from[along], to[along]].sort((one, other) => one - other);
  const same = from[1 - along] === to[1 - along] && from[1 - along] % 2 === 1;
  if (!same || ends[0] % 2 || ends[1] - ends[0] !== 2) return null;
  const slot = along ? [from[0] >> 1, ends[0] >> 1] : [ends[0] >> 1, from[1] >> 1];
  return [along ? "h" : "v", ...turned(slot, size - 1, size - 1)];
}

function draw(match) {
  const { state, moves } = match;
  pawns.forEach((pawn, seat) => {
    const [row, col] = turned(state.pawns[seat], size, size);
    pawn.style.setProperty("--row", row);
    pawn.style.setProperty("--col", col);
    pawn.toggleAttribute("data-turn", state.player === seat && !match.outcome);
    pawn.toggleAttribute("data-winning", match.outcome?.winner === seat);
  });
  for (const wall of board.querySelectorAll(".wall[data-name]")) if (!state.walls.has(wall.dataset.name)) wall.remove();
  for (const name of state.walls) {
    if (board.querySelector(`[data-name="${name}"]`)) continue;
    const wall = element("i", { class: "wall", "data-name": name, "data-seat": 2 - state.player });
    layWall(wall, wallOf(name));
    board.append(wall);
  }
  const near = settings.hints === "on" && match.awaitsPerson && walking() ? rules.steps(state).map(String) : [];
  for (const { row, col, square } of squares) square.toggleAttribute("data-hint", near.includes(`${row},${col}`));
  ghost.hidden = step.hidden = true;
  page.say(...players.show(match, state.left));
  page.count(`Move ${moves.length}`);
  page.note(`${dragged ? "Drag your pawn" : "Click a cell"} to walk, ${LAYING[settings.lay]}`);
}

function stepUnderPointer() {
  document.addEventListener("pointermove", (event) => {
    const [kind, where] = event.target.closest("[data-press]")?.dataset.press.split(":") ?? [];
    const cell = where?.split(",").map(Number);
    step.hidden = !(["cell", "ghost"].includes(kind) && match.awaitsPerson && walking() && rules.steps(match.state).map(String).includes(where));
    if (step.hidden) return;
    const [row, col] = turned(cell, size, size);
    step.style.setProperty("--row", row);
    step.style.setProperty("--col", col);
    step.dataset.seat = match.state.player + 1;
    step.dataset.press = `ghost:${where}`;
  });
}

function previewUnderPointer() {
  document.addEventListener("pointermove", (event) => {
    const target = event.target.closest("[data-press]")?.dataset.press;
    const wall = target && wallFor(target);
    ghost.hidden = !(wall && match.awaitsPerson && rules.mayWall(match.state, wall));
    if (!ghost.hidden) layWall(ghost, wall);
  });
}
