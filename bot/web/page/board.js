// Any game in the browser: the server that sent this page knows the rules, and answers what each move leads to.

import { element } from "./shared/element.js";
import { buildGrid } from "./shared/grid.js";
import { followHand } from "./shared/hand.js";
import { buildPlayers } from "./shared/match.js";
import { below, freshSeed, mulberry32 } from "./shared/random.js";
import { seatReferee } from "./shared/referee.js";
import { choice, COMMON, given, integer, readSettings } from "./shared/settings.js";
import { buildShell, fitBoard } from "./shared/shell.js";

const SKINS = ["classic", "dark"];
const WHO = ["person", "random"];
const size = given(integer(null, 1, 64));

const settings = readSettings({
  ...COMMON,
  game: (text) => text ?? "",
  first: choice("person", "random"),
  second: choice("random", "person"),
  pause: integer(400, 0, 60000), // ms a player that is no person takes to move
  skin: choice(...SKINS),
  rows: size,
  cols: size,
});
const seats = [settings.first, settings.second];
const game = { seed: settings.seed ?? freshSeed(), moves: [], state: null, taps: [], random: null };

/**
 * What the rules say of the start, or of the position after `move` in `position`:
 * {title, drawn, players, position, grid, player, legal: [{move, taps}], over: {scores, winner, reason} or null}.
 * taps: the cells to press for a move, one after the other, each a list of those that do alike.
 */
async function ask(more) {
  const asked = { game: settings.game, rows: settings.rows, cols: settings.cols, ...more };
  const words = Object.entries(asked).filter(([, value]) => value !== null);
  const answer = await (await fetch(`rules?${new URLSearchParams(words)}`)).json();
  if (answer.error) throw new Error(answer.error);
  return answer;
}

const first = await ask({ seed: game.seed });
document.documentElement.dataset.drawn = first.drawn;
const rows = first.grid.length;
const cols = first.grid[0].length;
const { board, cells } = buildGrid({ rows, cols, walkable: true, label: `${first.title} board, ${rows} rows, ${cols} columns` });
const others = element("div", { class: "moves", role: "group", "aria-label": "Other moves" });
const players = buildPlayers(seats.slice(0, first.players));
const page = buildShell({
  title: first.title,
  skin: settings.skin,
  board,
  controls: others,
  players: players.chips,
  options: [
    ["Look", "skin", SKINS, settings.skin],
    ["First player", "first", WHO, settings.first],
    ["Second player", "second", ["random", "person"], settings.second],
  ],
});
const form = document.querySelector("footer form"); // the game stays the same, whatever else is chosen
for (const name of ["game", "rows", "cols"]) if (settings[name]) form.append(element("input", { type: "hidden", name, value: settings[name] }));

const clicks = seatReferee({
  game: () => settings.game,
  position: () => game.state.position,
  moves: () => game.moves,
  legal: () => game.state.legal.map(({ move }) => move),
  grid: () => game.state.grid,
  player: () => game.state.player,
  seats: () => seats,
  seed: () => game.seed,
  over: () => game.state.over !== null,
  winner: () => game.state.over?.winner ?? null,
  scores: () => game.state.over?.scores ?? null,
  animating: () => document.getAnimations().length > 0,
});
followHand({ ...settings, drags: true }, clicks, act);
fitBoard({ shell: page.shell, board, rows, cols, fixed: settings.cell });
begin(first);

function begin(state) {
  Object.assign(game, { state, moves: [], taps: [], random: mulberry32(game.seed + 1) });
  goOn();
}

/** Draws the position, and lets a player that is no person move. */
function goOn() {
  draw();
  const { over, legal, player } = game.state;
  if (over || seats[player] === "person") return;
  game.timer = setTimeout(() => play(legal[below(game.random, legal.length)].move), settings.pause);
}

async function play(move) {
  const { position } = game.state;
  game.taps = null; // until the answer is here, nobody may move
  const state = await ask({ position, move });
  Object.assign(game, { state, taps: [] });
  game.moves.push(move);
  goOn();
}

async function restart() {
  clearTimeout(game.timer);
  game.taps = null;
  game.seed = (game.seed + 1) >>> 0;
  begin(await ask({ seed: game.seed }));
}

function act(target) {
  if (game.taps === null) return "ignored";
  if (target.startsWith("drag:")) return drag(...target.slice(5).split(">"));
  const [kind, what] = target.split(":");
  if (kind === "new") {
    restart();
    return "new game";
  }
  if (game.state.over || seats[game.state.player] !== "person") return "ignored";
  if (kind === "move") return wish(what);
  return tap(what);
}

/** A press on a cell: the next of those that make a move, or the first of another one. */
function tap(cell) {
  for (const taps of [[...game.taps, cell], [cell]]) {
    const fitting = game.state.legal.filter((one) => taps.every((at, index) => one.taps[index]?.includes(at)));
    const whole = fitting.find((one) => one.taps.length === taps.length);
    if (whole) return wish(whole.move);
    if (fitting.length) {
      game.taps = taps;
      draw();
      return "held";
    }
  }
  game.taps = [];
  draw();
  return "illegal";
}

/** A press on one cell that is released on another: a move that is made on these two, or nothing. */
function drag(...ends) {
  const { over, legal, player } = game.state;
  if (over || seats[player] !== "person") return "ignored";
  const cells = ends.map((end) => end.replace("cell:", ""));
  const whole = legal.find(({ taps }) => taps.length === 2 && taps.every((those, at) => those.includes(cells[at])));
  return whole ? wish(whole.move) : "ignored";
}

function wish(move) {
  play(move);
  return "move";
}

function draw() {
  const { grid, legal, over, player, players: count } = game.state;
  cells.forEach((line, row) => line.forEach((cell, col) => {
    const owner = String(grid[row][col]);
    cell.toggleAttribute("data-held", game.taps?.includes(`${row},${col}`) ?? false);
    if (cell.dataset.owner === owner) return;
    cell.dataset.owner = owner;
    cell.replaceChildren(...(grid[row][col] > 0 ? [element("i", { class: "disc" })] : []));
  }));
  const awaits = !over && seats[player] === "person";
  const without = awaits ? legal.filter(({ taps }) => !taps.length) : [];
  others.replaceChildren(...without.map(({ move }) => element("button", { type: "button", "data-press": `move:${move}` }, move)));
  page.say(...players.show({ state: { player }, outcome: over, seats }, Array(count).fill("")));
  page.count(`Move ${game.moves.length}`);
  page.note(over ? `${over.reason} · Game ${game.seed}` : `Game ${game.seed}`);
}
