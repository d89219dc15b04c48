// Connect Four in the browser.

import * as rules from "./rules/connect_four.js";
import { element } from "./shared/element.js";
import { buildGrid } from "./shared/grid.js";
import { followHand } from "./shared/hand.js";
import { buildPlayers, Match, SEATS, seatOptions } from "./shared/match.js";
import { freshSeed } from "./shared/random.js";
import { seatReferee } from "./shared/referee.js";
import { choice, COMMON, integer, readSettings } from "./shared/settings.js";
import { buildShell, fitBoard } from "./shared/shell.js";

const SKINS = ["classic", "dark", "flat", "lines", "pastel", "marks"];

const settings = readSettings({
  ...COMMON,
  ...SEATS,
  rows: integer(6, 2, 20),
  cols: integer(7, 2, 20),
  length: integer(4, 3, 10), // discs in a row that win
  skin: choice(...SKINS),
  // columns: a click anywhere in one; arrows: buttons above them; rings: such that a disc fills under the pointer; pale:
  // hardly darker than the page, in a row as wide as the board with its frame
  controls: choice("columns", "arrows", "rings", "pale"),
  // what tells the column under the pointer: a disc above it, nothing, its own light, darker holes, a strip down to its
  // lowest hole with a faint disc where it will lie, an arrow over the hole pointed at, or over that where it will lie
  preview: choice("on", "off", "column", "holes", "strip", "arrow", "landing"),
  leave: choice("clears", "stays"), // whether that is gone, or stays and comes back each turn, once the pointer left the board
});
const { rows, cols } = settings;
const seats = [settings.first, settings.second];
const byArrows = settings.controls !== "columns";
const arrow = { class: { rings: "arrow ring", pale: "arrow pale" }[settings.controls] ?? "arrow" };

const label = `Connect Four board, ${rows} rows, ${cols} columns`;
const { board, cells } = buildGrid({ rows, cols, walkable: !byArrows, label, upright: true });
const above = element("div", { class: "above" }, ...Array.from({ length: cols }, (_, col) => (byArrows
  ? element("button",
    { type: "button", ...arrow, "data-press": `column:${col}`, "aria-label": `Column ${col + 1}` })
  : element("div", { class: "over", "data-col": col }))));
board.prepend(above);
const players = buildPlayers(seats);
const page = buildShell({
  title: "Connect Four",
  skin: settings.skin,
  board,
  players: players.chips,
  options: [
    ["Rows", "rows", { min: 2, max: 20 }, rows],
    ["Columns", "cols", { min: 2, max: 20 }, cols],
    ["In a row", "length", { min: 3, max: 10 }, settings.length],
    ["Look", "skin", SKINS, settings.skin],
    ["Play with", "controls", ["columns", "arrows", "rings", "pale"], settings.controls],
    ...seatOptions(settings),
    ["Animation (ms)", "animation", { min: 0, max: 10000 }, settings.animation],
  ],
});
const match = new Match({
  rules,
  begin: () => rules.begin(rows, cols, settings.length),
  seats,
  seed: settings.seed ?? freshSeed(),
  pause: settings.pause,
  draw,
  marks: (col) => [cells[Math.max(0, rules.landing(match.state, col))][col]],
});
const clicks = seatReferee({ ...match.truths("connect_four"), grid: () => match.state.grid });
const press = followHand(settings, clicks, act);
fitBoard({ shell: page.shell, board, rows: rows + 0.8, cols, fixed: settings.cell });
board.style.setProperty("--fall", `${settings.animation}ms`);
document.addEventListener("keydown", pressByKey);
let pointed = null;
if (settings.preview !== "off" && !byArrows) document.addEventListener("pointermove", (event) => {
  const here = event.target.closest(".cell, .over");
  if (settings.leave === "clears" || here) showPreview(here);
});
match.start();

function act(target) {
  const [kind, where] = target.split(":");
  if (kind === "new") return match.restart();
  if (kind === "confirm") return match.confirm();
  if (kind === "undo") return match.undo();
  if (kind === "cell" && byArrows) return "ignored";
  return match.wish(Number(where.split(",").at(-1)));
}

function draw(match) {
  const { state, moves, last } = match;
  cells.forEach((line, row) => line.forEach((cell, col) => putDisc(cell, state.grid[row][col], row)));
  const newest = last === null ? null : cells[rules.landing(state, last) + 1][last];
  const winning = rules.winningLine(state).map(([row, col]) => cells[row][col]);
  for (const cell of cells.flat()) {
    cell.toggleAttribute("data-newest", cell === newest);
    cell.toggleAttribute("data-winning", winning.includes(cell));
    cell.removeAttribute("data-landing");
    cell.removeAttribute("data-ghost");
  }
  for (const over of above.children) delete over.dataset.owner;
  if (settings.leave === "stays" && pointed) showPreview(pointed);
  page.say(...players.show(match, ["", ""]));
  page.count(`Move ${moves.length}`);
  page.note(`Game ${match.seed}`);
}

function putDisc(cell, owner, row) {
  if (Number(cell.dataset.owner ?? -1) === owner) return;
  cell.dataset.owner = owner;
  cell.replaceChildren(...(owner ? [element("i", { class: "disc" })] : []));
  cell.style.setProperty("--height", row + 1);
}

function showPreview(here) {
  pointed = here;
  const col = Number(here?.dataset.col ?? -1);
  const under = match.awaitsPerson && match.legal.includes(col) ? col : -1;
  const landing = under >= 0 ? cells[rules.landing(match.state, under)][under] : null;
  for (const cell of cells.flat()) {
    cell.toggleAttribute("data-under", settings.preview === "column" && Number(cell.dataset.col) === under);
    cell.toggleAttribute("data-dark", settings.preview === "holes" && Number(cell.dataset.col) === under);
    cell.toggleAttribute("data-arrow", settings.preview === "arrow" && cell === here && col === under);
    cell.toggleAttribute("data-strip", settings.preview === "strip" && Number(cell.dataset.col) === under);
    cell.toggleAttribute("data-ghost", settings.preview === "strip" && cell === landing);
    cell.toggleAttribute("data-landing", settings.preview === "landing" && cell === landing);
  }
  [...above.children].forEach((over, index) => {
    if (settings.preview === "on" && index === under) over.dataset.owner = match.state.player + 1;
    else delete over.dataset.owner;
  });
}

function pressByKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("input, select")) return;
  const col = "123456789".indexOf(event.key);
  if (col >= 0 && col < cols) press(`column:${col}`);
  if (event.key === "n") press("new");
}
