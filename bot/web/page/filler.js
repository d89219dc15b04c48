// Filler in the browser.

import * as rules from "./rules/filler.js";
import { parseGrid } from "./rules/grid.js";
import { buildColourButtons, paintCells } from "./shared/colours.js";
import { element } from "./shared/element.js";
import { bracket, buildGrid, cornerCell } from "./shared/grid.js";
import { followHand } from "./shared/hand.js";
import { buildPlayers, Match, SEATS, seatOptions } from "./shared/match.js";
import { freshSeed } from "./shared/random.js";
import { seatReferee } from "./shared/referee.js";
import { choice, COMMON, given, integer, readSettings, SKINS } from "./shared/settings.js";
import { buildShell, fitBoard } from "./shared/shell.js";

const settings = readSettings({
  ...COMMON,
  ...SEATS,
  size: integer(null, 2, 64),
  rows: integer(null, 2, 64),
  cols: integer(null, 2, 64),
  colours: integer(6, 3, 10),
  deal: choice("phone", "uniform"), // phone: no two like neighbours
  corners: choice("diagonal", "sides"), // diagonal: top left and bottom right; sides: bottom left and top right
  patch: choice("region", "cell"), // what each owns at the start: all cells of one colour there, or the corner alone
  paint: choice("taken", "owner"), // what cells turn to that are taken: the colour named, or one of their player's own
  over: choice("full", "majority", "patient", "passing"), // when the game ends: nothing is left to take, somebody owns
  // more than half, where nobody takes anything, later than elsewhere, or when all is taken, for who cannot is passed over
  bars: choice("both", "own"), // whose colours may not be named
  controls: choice("buttons", "cells", "rows"), // rows: buttons for each player, who may press their own alone
  board: given(parseGrid), // the rows of a position text instead of a dealt board
});
const rows = settings.board?.length ?? settings.rows ?? settings.size ?? 7;
const cols = settings.board?.[0].length ?? settings.cols ?? settings.size ?? 8;
const colours = Math.max(settings.colours, ...(settings.board?.flat() ?? []).map((colour) => colour + 1));
const corners = settings.corners === "sides" ? ["bottom-left", "top-right"] : ["top-left", "bottom-right"];
const starts = corners.map((corner) => cornerCell(corner, rows, cols));
const seats = [settings.first, settings.second];

const byCells = settings.controls === "cells";
const label = `Filler board, ${rows} rows, ${cols} columns`;
const { board, cells } = buildGrid({ rows, cols, walkable: byCells, label });
const brackets = corners.map(bracket);
board.append(...brackets);
for (const [row, col] of starts) cells[row][col].dataset.start = "";
const own = Math.max(0, seats.indexOf("person"));
const rowsOfButtons = seats.map(() => buildColourButtons(colours));
for (const button of rowsOfButtons[1 - own].children) button.dataset.press = `rival:${button.dataset.colour}`;
const controls = settings.controls === "rows" ? element("div", { class: "rows" }, ...rowsOfButtons) : rowsOfButtons[own];
controls.hidden = byCells;
const players = buildPlayers(seats);
const page = buildShell({
  title: "Filler",
  skin: settings.skin,
  board,
  controls,
  players: players.chips,
  options: [
    ["Rows", "rows", { min: 2, max: 64 }, rows],
    ["Columns", "cols", { min: 2, max: 64 }, cols],
    ["Colours", "colours", { min: 3, max: 10 }, colours],
    ["Look", "skin", SKINS, settings.skin],
    ["Corners", "corners", ["diagonal", "sides"], settings.corners],
    ["Play with", "controls", ["buttons", "cells", "rows"], settings.controls],
    ...seatOptions(settings),
    ["Animation (ms)", "animation", { min: 0, max: 10000 }, settings.animation],
  ],
});
const match = new Match({
  rules,
  begin: (seed) => rules.begin(settings.board ?? deal(seed), colours, starts, {
    single: settings.patch === "cell",
    kept: settings.paint === "owner",
    majority: settings.over === "majority",
    patient: settings.over === "patient",
    passing: settings.over === "passing",
    shared: settings.bars === "own",
  }),
  seats,
  seed: settings.seed ?? freshSeed(),
  pause: settings.pause,
  draw,
  marks: (colour) => rules.grown(match.state, colour)
    .filter(([row, col]) => settings.paint === "taken" || match.state.owner[row][col] === 0) // what will look otherwise
    .map(([row, col]) => cells[row][col]),
});
const clicks = seatReferee({
  ...match.truths("filler"),
  grid: () => match.state.grid,
  owner: () => match.state.owner,
  starts: () => starts,
  colours: () => colours,
});
const press = followHand(settings, clicks, act);
fitBoard({ shell: page.shell, board, rows, cols, fixed: settings.cell });
document.addEventListener("keydown", pressByKey);
match.start();

function deal(seed) {
  return rules.deal(seed, { rows, cols, colours, starts, unlike: settings.deal === "phone" });
}

function act(target) {
  const [kind, where] = target.split(":");
  if (kind === "new") return match.restart();
  if (kind === "confirm") return match.confirm();
  if (kind === "undo") return match.undo();
  if (kind === "colour") return match.wish(Number(where));
  if (kind === "rival") return "ignored";
  const [row, col] = where.split(",").map(Number);
  return byCells ? match.wish(match.state.grid[row][col]) : "ignored";
}

function draw(match) {
  const { state, before, last, seed, moves } = match;
  paintCells(cells, state.grid, before ? rules.grown(before, last) : [], settings.animation);
  cells.forEach((line, row) => line.forEach((cell, col) => {
    cell.toggleAttribute("data-winning", state.owner[row][col] - 1 === match.outcome?.winner);
    cell.toggleAttribute("data-moves", !match.outcome && state.owner[row][col] - 1 === state.player);
  }));
  const current = rules.current(state);
  [...brackets, ...players.chips].forEach((mark, index) => { mark.dataset.colour = current[index % 2]; });
  const allowed = rules.allowed(state, own);
  for (const button of rowsOfButtons[own].children) button.disabled = !allowed.includes(Number(button.dataset.colour));
  const shows = (colour) => state.grid.some((line) => line.includes(colour));
  controls.hidden &&= !allowed.length || allowed.some(shows); // else no cell could be pressed
  const scores = [0, 1].map((seat) => rules.territory(state, seat).length);
  page.say(...players.show(match, scores));
  page.count(`Move ${moves.length}`);
  page.note(settings.board ? "Given board" : `Board ${seed}`);
}

function pressByKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("input, select")) return;
  const colour = "1234567890".indexOf(event.key);
  if (colour >= 0 && colour < colours) press(`colour:${colour}`);
  if (event.key === "n") press("new");
}
