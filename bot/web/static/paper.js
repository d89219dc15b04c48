// The dialog in which a game is kept as text and read again.

import { begin, send } from "./asking.js";
import { el } from "./dom.js";
import { formatGame, parseGame } from "./game-text.js";
import { $, PERSON, infoOf, table } from "./state.js";
import { say } from "./words.js";

const paper = $(".paper");
const text = $(".paper textarea");

/** Opens it with the game that is shown, or empty. */
export function openPaper(filled) {
  text.value = filled ? formatGame({ game: table.name, ...table.board }) : "";
  $(".paper .wrong").textContent = "";
  paper.showModal();
}

function load() {
  try {
    const game = parseGame(text.value);
    const info = infoOf(game.game);
    if (!info) throw new Error(say("paper.unknown", { game: game.game }));
    send({ ...begin(game.game, game.options), start: game.start, moves: game.moves, seats: Array(info.players).fill(PERSON) });
    paper.close();
  } catch (error) {
    $(".paper .wrong").textContent = error.message;
  }
}

function save() {
  const url = URL.createObjectURL(new Blob([text.value], { type: "text/plain" }));
  el("a", { href: url, download: `${table.name}.txt` }).click();
  URL.revokeObjectURL(url);
}

$('[data-do="load"]').addEventListener("click", load);
$('[data-do="save"]').addEventListener("click", save);
