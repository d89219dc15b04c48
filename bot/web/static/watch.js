// Watching the bot: the pictures and decisions of a run, while it goes on or long after.

import "./address.js";
import "./candidate-bars.js";
import { el, number, svg } from "./dom.js";

const DOUBTFUL = 0.5;
const $ = (selector) => document.querySelector(selector);
const shown = { run: null, boards: {}, events: [], turns: [], at: -1, live: true };

function open() {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const socket = new WebSocket(`${scheme}//${location.host}/watch${location.search}`);
  socket.addEventListener("open", () => { $(".link").textContent = "connected"; });
  socket.addEventListener("message", (event) => hear(JSON.parse(event.data)));
  socket.addEventListener("close", () => {
    $(".link").textContent = "not connected";
    setTimeout(open, 2000);
  });
}

function hear({ type, run, line, picture, board, message }) {
  if (type === "ERROR") return say(message);
  if (line.kind === "run") Object.assign(shown, { run, boards: {}, events: [], turns: [], at: -1 });
  if (line.kind === "calibrated") shown.boards[line.number] = board;
  if (line.kind === "turn") shown.turns.push({ ...line, source: picture });
  shown.events.push({ ...line, turn: shown.turns.length });
  if (shown.live) shown.at = shown.turns.length - 1;
  if (line.kind === "calibrated" && !shown.turns.length) showPicture(picture, board, null);
  draw(line);
}

function draw(line) {
  const about = shown.events.find(({ kind }) => kind === "playing");
  $(".about").textContent = about ? `${about.game.replaceAll("_", " ")}, ${about.solver}, run ${shown.run}` : shown.run;
  $(".ply").textContent = shown.turns.length ? `turn ${shown.at + 1} of ${shown.turns.length}` : "no turn yet";
  $('[data-do="live"]').setAttribute("aria-pressed", String(shown.live));
  drawLog();
  if (line?.kind === "end") say(`${line.cause}: ${line.message}`);
  const turn = shown.turns[shown.at];
  if (turn) drawTurn(turn);
}

function drawTurn(turn) {
  showPicture(turn.source, shown.boards[turn.calibration], turn);
  const { decision } = turn;
  const legal = decision.candidates.map(({ move }) => move);
  $("candidate-bars").show({ answer: decision, legal, actions: null, face: (move) => move, words: null, awaits: false });
  $(".verdict").textContent = decision.score === null ? "no score" : `${decision.words ?? `score ${number(decision.score)}`}${decision.proven ? ", proven" : ""}`;
  $(".verdict").toggleAttribute("data-proven", decision.proven);
  $(".line").textContent = decision.line.length > 1 ? `Expected: ${decision.line.slice(0, 12).join(" ")}` : "";
  $(".cost").textContent = `${decision.nodes.toLocaleString("en")} positions, ${number(decision.seconds)} s`;
  const cells = turn.confidence.flat();
  const least = Math.min(...cells);
  const unsure = cells.filter((sure) => sure < DOUBTFUL).length;
  $(".reading").textContent = `${cells.length} cells, the least sure ${number(least)}${unsure ? `, ${unsure} doubtful` : ""}`;
  $(".grid").textContent = turn.grid.map((row) => row.map((kind) => (kind < 0 ? "·" : kind.toString(36))).join(" ")).join("\n");
  const most = Math.max(...Object.values(turn.milliseconds), 1);
  $(".times").replaceChildren(...Object.entries(turn.milliseconds).flatMap(([stage, spent]) => {
    const bar = el("i");
    bar.style.width = `${(100 * spent) / most}%`;
    return [el("dt", {}, stage), el("dd", {}, el("span", { class: "bar", "aria-hidden": "true" }, bar), el("span", { class: "score" }, `${spent.toFixed(1)} ms`))];
  }));
  const clicks = turn.clicks.map(({ target, spot }) => `${target} at ${spot.map((at) => at.toFixed(0)).join(", ")}`).join("; ");
  say(`Turn ${turn.number}: plays ${turn.played}${clicks ? `, clicks ${clicks}` : ""}; ${turn.outcome}`);
}

/** The picture with the lattice, each cell as sure as it was read, and the clicks. */
function showPicture(source, board, turn) {
  const image = $(".seen");
  image.alt = turn ? `the board before turn ${turn.number}` : "the screen on which the board was found";
  image.onload = () => drawOverlay(image, board, turn);
  image.src = `/${source}`;
}

function drawOverlay(image, board, turn) {
  const overlay = $(".overlay");
  overlay.setAttribute("viewBox", `0 0 ${image.naturalWidth} ${image.naturalHeight}`);
  if (!board || !$("[name=overlay]").checked) return overlay.replaceChildren();
  const [offX, offY] = turn?.offset ?? [0, 0];
  const [across, down] = board.pitch;
  const [x0, y0] = [board.origin[0] - offX - across / 2, board.origin[1] - offY - down / 2];
  const [w, h] = [across * board.cols, down * board.rows];
  const lines = Array.from({ length: board.cols + 1 }, (_, at) => `M${x0 + at * across} ${y0}v${h}`)
    .concat(Array.from({ length: board.rows + 1 }, (_, at) => `M${x0} ${y0 + at * down}h${w}`));
  const parts = [svg("path", { class: "lattice", d: lines.join("") })];
  if (turn) {
    const grooved = turn.grid.length === 2 * board.rows - 1 && board.rows > 1;
    const [stepX, stepY] = grooved ? [across / 2, down / 2] : [across, down];
    turn.grid.forEach((row, at) => row.forEach((kind, col) => {
      if (grooved && !kind) return;
      const sure = turn.confidence[at][col];
      parts.push(svg("circle", {
        class: kind < 0 ? "cell unread" : sure < DOUBTFUL ? "cell doubtful" : "cell", fill: board.palette[kind] ?? "none",
        cx: x0 + across / 2 + col * stepX, cy: y0 + down / 2 + at * stepY, r: Math.min(stepX, stepY) / 7, "fill-opacity": Math.max(sure, 0.2),
      }));
    }));
    for (const { pixel } of turn.clicks) {
      const [x, y] = [pixel[0] - offX, pixel[1] - offY];
      parts.push(svg("circle", { class: "click", cx: x, cy: y, r: Math.min(across, down) / 4 }));
    }
  }
  overlay.replaceChildren(...parts);
}

function drawLog() {
  const items = shown.events.flatMap((event) => {
    if (event.kind === "turn") return [el("button", { type: "button", "aria-current": event.turn - 1 === shown.at ? "step" : null, click: () => look(event.turn - 1) }, `${event.number}: ${event.played}`)];
    if (event.kind === "answer") return [`other side: ${event.moves.join(" ")}`];
    if (event.kind === "note") return [event.text];
    if (event.kind === "end") return [`${event.cause}: ${event.message}`];
    return [];
  });
  $(".log ol").replaceChildren(...items.map((item) => el("li", {}, item)));
  $(".log [aria-current]")?.scrollIntoView({ block: "nearest" });
}

function look(at) {
  shown.at = Math.min(Math.max(at, 0), shown.turns.length - 1);
  shown.live = false;
  draw();
}

function say(text) {
  $(".say").textContent = text;
}

const ACTS = {
  back: () => look(shown.at - 1),
  forth: () => look(shown.at + 1),
  live: () => {
    Object.assign(shown, { live: !shown.live });
    if (shown.live) shown.at = shown.turns.length - 1;
    draw();
  },
};
document.addEventListener("click", (event) => ACTS[event.target.closest("[data-do]")?.dataset.do]?.());
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input")) return;
  ({ ArrowLeft: ACTS.back, ArrowRight: ACTS.forth })[event.key]?.();
});
$("[name=overlay]").addEventListener("change", () => draw());
open();
