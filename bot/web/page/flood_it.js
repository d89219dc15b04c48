// Flood-It in the browser.

import * as rules from "./rules/flood_it.js";
import { formatGrid, painted, parseGrid } from "./rules/grid.js";
import { buildColourButtons, nameOf, paintCells } from "./shared/colours.js";
import { bracket, buildGrid, cornerCell } from "./shared/grid.js";
import { followHand } from "./shared/hand.js";
import { freshSeed } from "./shared/random.js";
import { seatReferee } from "./shared/referee.js";
import { choice, COMMON, given, integer, readSettings, SKINS } from "./shared/settings.js";
import { buildShell, fitBoard } from "./shared/shell.js";

const CORNERS = ["top-left", "top-right", "bottom-left", "bottom-right"];

const settings = readSettings({
  ...COMMON,
  size: integer(14, 2, 64),
  rows: integer(null, 2, 64),
  cols: integer(null, 2, 64),
  colours: integer(6, 2, 10),
  limit: integer(null, 0, 100000), // 0: as many as you like
  start: (text) => (/^\d+,\d+$/.test(text) ? text : choice(...CORNERS)(text)), // a corner, or row,col from 0
  edge: choice("wall", "wraps", "corners"), // which cells are neighbours, too: at opposite edges, or at a corner
  obstacles: integer(0, 0, 100), // places of a dealt board that are no cells
  patch: choice("region", "cell"), // what floods first: all cells of the start's colour there, or the start alone
  controls: choice("buttons", "cells"),
  board: given(parseGrid), // a position text instead of a dealt board
});
const rows = settings.board?.length ?? settings.rows ?? settings.size;
const cols = settings.board?.[0].length ?? settings.cols ?? settings.size;
const colours = Math.max(settings.colours, ...(settings.board?.flat() ?? []).map((colour) => colour + 1));
const limit = settings.limit ?? rules.usualLimit(rows, cols, colours);
const atCorner = CORNERS.includes(settings.start);
const last = [rows - 1, cols - 1];
const start = atCorner ? cornerCell(settings.start, rows, cols)
  : settings.start.split(",").map((place, axis) => Math.min(Number(place), last[axis]));

let seed = settings.seed ?? freshSeed();
let grid = settings.board ?? deal();
let moves = [];
const ended = []; // every game that was played to its end

const byCells = settings.controls === "cells";
const label = `Flood-It board, ${rows} rows, ${cols} columns`;
const { board, cells } = buildGrid({ rows, cols, walkable: byCells, label });
if (atCorner) board.append(bracket(settings.start));
cells[start[0]][start[1]].dataset.start = "";
const controls = byCells ? null : buildColourButtons(colours);
const page = buildShell({
  title: "Flood-It",
  skin: settings.skin,
  board,
  controls,
  options: [
    ["Size", "size", { min: 2, max: 64 }, settings.size],
    ["Colours", "colours", { min: 2, max: 10 }, colours],
    ["Look", "skin", SKINS, settings.skin],
    ["Play with", "controls", ["buttons", "cells"], settings.controls],
    ["Start", "start", CORNERS, settings.start],
    ["Animation (ms)", "animation", { min: 0, max: 10000 }, settings.animation],
  ],
});
const clicks = seatReferee({
  game: () => "flood_it",
  grid: () => grid,
  position: () => formatGrid(grid) + (start[0] || start[1] ? ` @${start}` : ""),
  start: () => start,
  colours: () => colours,
  seed: () => seed,
  limit: () => limit || null,
  moves: () => moves,
  over: () => isOver(),
  won: () => isFlooded(),
  ended: () => ended,
  animating: () => document.getAnimations().length > 0,
});
const press = followHand(settings, clicks, act);

fitBoard({ shell: page.shell, board, rows, cols, fixed: settings.cell });
document.addEventListener("keydown", pressByKey);
show([]);

function deal() {
  return rules.withObstacles(rules.deal(seed, rows, cols, colours), seed, settings.obstacles, start);
}

function region() {
  return rules.region(grid, start, settings.edge);
}

function isFlooded() {
  return rules.isFlooded(grid, start, settings.edge);
}

function isOver() {
  return isFlooded() || (limit > 0 && moves.length >= limit);
}

function act(target) {
  const [kind, where] = target.split(":");
  if (kind === "new") return startAgain();
  if (kind === "colour") return play(Number(where));
  const [row, col] = where.split(",").map(Number);
  return byCells ? play(grid[row][col]) : "ignored";
}

function play(colour) {
  if (isOver() || colour < 0 || colour === grid[start[0]][start[1]]) return "ignored";
  const repainted = settings.patch === "cell" && moves.length === 0 ? [[...start, 0]] : region();
  grid = painted(grid, repainted, colour);
  moves = [...moves, colour];
  if (isOver()) ended.push({ at: performance.now(), seed, moves, won: isFlooded() });
  show(repainted);
  return "move";
}

function startAgain() {
  seed = (seed + 1) >>> 0;
  grid = deal();
  moves = [];
  show([]);
  return "new game";
}

function show(repainted) {
  paintCells(cells, grid, repainted, settings.animation);
  const own = new Set(isOver() ? [] : region().map(([row, col]) => cells[row][col]));
  for (const cell of cells.flat()) {
    cell.toggleAttribute("data-winning", isFlooded());
    cell.toggleAttribute("data-moves", own.has(cell));
  }
  for (const button of controls?.children ?? []) {
    const colour = Number(button.dataset.colour);
    button.toggleAttribute("data-current", colour === grid[start[0]][start[1]]);
    button.dataset.left = grid.flat().filter((kind) => kind === colour).length;
  }
  page.count(limit ? `${moves.length} / ${limit}` : `${moves.length}`);
  page.note(settings.board && moves.length === 0 ? "Given board" : `Board ${seed}`);
  page.say(...verdict());
}

function verdict() {
  const count = `${moves.length} ${moves.length === 1 ? "move" : "moves"}`;
  if (isFlooded()) return [`Flooded in ${count}. Well done!`, "won"];
  if (isOver()) return ["No moves left. Try again!", "lost"];
  if (settings.complaints.length) return [`Settings: ${settings.complaints.join("; ")}`];
  if (moves.length === 0) return [atCorner ? `Flood the board from its ${settings.start.replace("-", " ")} corner.` : "Flood the board."];
  return [`${region().length} cells of ${nameOf(grid[start[0]][start[1]])}`];
}

function pressByKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("input, select")) return;
  const colour = "1234567890".indexOf(event.key);
  if (colour >= 0 && colour < colours) press(`colour:${colour}`);
  if (event.key === "n") press("new");
}
