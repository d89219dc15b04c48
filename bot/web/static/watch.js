// Watching the bot: the pictures and decisions of a run, while it goes on or long after.

import "./address.js";
import "./board-view.js";
import "./language-choice.js";
import { showLink } from "./without-server.js";
import "./run-viewer.js";
import { el } from "./dom.js";
import { drawingOf } from "./games/registry.js";
import { say } from "./words.js";

const $ = (selector) => document.querySelector(selector);
const viewer = $("run-viewer");
let [drawing, turns] = [null, 0];

function open() {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const socket = new WebSocket(`${scheme}//${location.host}/watch${location.search}`);
  socket.addEventListener("open", () => {
    showLink(true);
    begin(null); // it is told from its first line on
  });
  socket.addEventListener("message", (event) => hear(JSON.parse(event.data)));
  socket.addEventListener("close", () => {
    showLink(false);
    setTimeout(open, 2000);
  });
}

function begin(run) {
  turns = 0;
  viewer.begin();
  $(".about").textContent = run ?? say("watch.waiting");
  $(".ending").textContent = "";
}

function hear({ type, run, line, picture, board, game, doubts, position, message }) {
  if (type === "ERROR") $(".ending").textContent = message;
  else if (line.kind === "run") begin(run);
  else if (line.kind === "playing") {
    $(".about").textContent = say("watch.about", { game: game?.title ?? line.game, solver: line.solver, run });
    drawing = game && drawingOf(game);
  } else if (line.kind === "calibrated") viewer.addBoard(line.number, { ...board, picture: `/${picture}` });
  else if (line.kind === "turn") {
    turns += 1;
    viewer.addTurn({ number: line.number, played: line.played, doubts, load: () => ({ ...line, picture: `/${picture}`, position }) });
  } else if (line.kind === "answer" || line.kind === "note") viewer.addBetween(turns, line);
  else if (line.kind === "end") {
    $(".ending").dataset.cause = line.cause;
    $(".ending").replaceChildren(el("strong", {}, line.cause), ` ${line.message}`);
  }
}

/** Draws the position that was read into `place`, as the table does. */
viewer.drawPosition = async (place, { position }) => {
  if (!position || !drawing) return;
  const game = { ...await drawing, places: () => [] };
  const view = el("board-view");
  place.replaceChildren(view);
  if (place.isConnected) view.show(game, { ...position, legal: [], taps: [], last: [] }, { awaits: false, hand: null });
};
open();
