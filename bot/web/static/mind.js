// How it decides: the candidates, the verdict, the expected line, the value over the game.

import "./candidate-bars.js";
import "./value-curve.js";
import { el, number } from "./dom.js";
import { $, PERSON, awaitsPerson, table } from "./state.js";

/** Draws what was thought of the position. */
export function drawMind() {
  const { board, drawing, thought, values } = table;
  const answer = thought?.answer ?? null;
  $("candidate-bars").show({
    answer, others: thought?.others, legal: board.legal, actions: table.over ? null : drawing.actions(board),
    face: (move) => drawing.face(move), words: drawing.words, awaits: awaitsPerson(),
  });
  drawVerdict(answer);
  drawThinking();
  showLine();
  $("value-curve").show(values.length ? values : [null], board.ply);
}

function drawVerdict(answer) {
  const { board, drawing, thought, thinking } = table;
  $(".verdict").textContent = answer ? drawing.verdict(answer, board) || "no score" : thinking ? "thinking" : "";
  $(".verdict").toggleAttribute("data-proven", Boolean(answer?.proven));
  $(".preparing").textContent = table.preparing ? `The strong solver is being prepared, once: about ${Math.round(table.preparing)} s. A light one plays meanwhile.` : "";
  $(".line").replaceChildren(...(answer?.line.length > 1 ? [el("span", {}, "Expected: "), ...answer.line.slice(0, 12).flatMap((move) => [drawing.face(move), " "])] : []));
  $(".cost").textContent = thought ? `${thought.solver}: ${answer.nodes.toLocaleString("en")} positions, ${number(answer.seconds)} s${thought.done ? "" : " so far"}` : "";
}

function drawThinking() {
  const { board, thinking } = table;
  const button = $('[data-do="think"]');
  button.textContent = thinking ? "Stop" : "Think";
  button.setAttribute("aria-pressed", String(thinking));
  button.disabled = !thinking && (Boolean(table.over) || !(board.analyst || board.seats[board.player] !== PERSON));
}

/** Draws the expected line on the board, unless a piece is in hand. */
export function showLine() {
  const { thought, hand } = table;
  $("board-view").showLine(thought && $("setup-form").wish("line") && !hand ? thought.line : []);
}
