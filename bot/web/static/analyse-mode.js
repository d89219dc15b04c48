// What only the analyst's table has: a bar of who leads, values over the board, two solvers that are watched.

import { seat, send } from "./asking.js";
import { svg } from "./dom.js";
import { $, PERSON, table } from "./state.js";
import { say, written } from "./words.js";

const PACES = [3, 1.5, 0.8, 0.35, 0.1, 0]; // seconds between two moves, the slowest first
const MOST = 40; // moves whose values are written on the board

/** Draws all of it. */
export function drawAnalysis() {
  drawBar();
  drawWorths();
  drawWatch();
}

/** The first player's chance to win, as far as it is known. */
function drawBar() {
  const { board, thought, values } = table;
  const bar = $(".eval-bar");
  const chance = thought?.chance ?? values[board.ply]?.[2] ?? null;
  bar.hidden = table.mode !== "analyse" || board.seats.length !== 2;
  bar.toggleAttribute("data-unknown", chance === null);
  bar.style.setProperty("--chance", chance ?? 0.5);
  const text = chance === null ? say("bar.none") : say("bar", { chance: `${Math.round(100 * chance)}%` });
  bar.setAttribute("aria-label", text);
  bar.title = text;
}

/** What the solver gives for each move, on the places where it is made: a learned player's Q-values or shares. */
function drawWorths() {
  const { board, drawing, thought } = table;
  const wished = table.mode === "analyse" && $("setup-form").wish("worths");
  const rows = wished && thought ? [...thought.answer.candidates, ...thought.others] : [];
  const scored = rows.filter(({ score }) => typeof score === "number").slice(0, MOST);
  const [low, high] = [Math.min(...scored.map(({ score }) => score)), Math.max(...scored.map(({ score }) => score))];
  const down = scored.length > 1 && scored[0].score < scored.at(-1).score; // fewer is better
  const taken = new Set();
  const layer = $("board-view").layers.worths;
  layer.replaceChildren(...scored.flatMap(({ move, score }) => {
    const cells = drawing.cellsOf(move, board);
    const box = cells.length && (drawing.label?.(cells, board) ?? drawing.rect(cells[0], board));
    const at = box && `${box.x},${box.y}`;
    if (!at || taken.has(at)) return [];
    taken.add(at);
    const share = high === low ? 1 : (down ? high - score : score - low) / (high - low);
    const text = { class: "worth-number", x: box.x + box.w / 2, y: box.y + box.h / 2, "data-worth": move };
    return [svg("path", { class: "worth", d: drawing.outline(cells, board), "fill-opacity": 0.12 + 0.55 * share }), svg("text", text, shortly(score))];
  }));
  layer.parentNode.toggleAttribute("data-worths", scored.length > 0);
}

const shortly = (score) => (Number.isInteger(score) ? written(score) : written(score, Math.abs(score) < 10 ? 2 : 0));

/** Two solvers are watched: at a pace, or step by step. */
function drawWatch() {
  const { board, over } = table;
  const watch = $(".watch");
  watch.hidden = table.mode !== "analyse" || board.seats.includes(PERSON);
  const still = table.pace === null;
  const pause = $('[data-do="pause"]');
  pause.textContent = still ? say("film.play") : say("film.pause");
  pause.disabled = Boolean(over);
  $('[data-do="step"]').disabled = Boolean(over) || table.thinking;
  $('[name="pace"]').value = PACES.indexOf(table.lastPace);
}

function setPace(pace) {
  table.pace = pace;
  if (pace !== null) table.lastPace = pace;
  seat();
}

/** Lets the solvers wait, or go on. */
export const pause = () => setPace(table.pace === null ? table.lastPace : null);

/** Has the one whose turn it is make one move. */
export function step() {
  if (table.pace !== null) setPace(null);
  send({ type: "THINK", on: true });
}

$('[name="pace"]').addEventListener("change", ({ target }) => setPace(PACES[target.value]));
$('[name="lines"]').addEventListener("change", ({ target }) => {
  table.lines = Number(target.value);
  seat();
});
