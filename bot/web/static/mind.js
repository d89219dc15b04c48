// How it decides: the candidates, the verdict, the expected line, the value over the game.

import "./candidate-bars.js";
import "./value-curve.js";
import { el, number } from "./dom.js";
import { $, PERSON, awaitsPerson, table } from "./state.js";
import { parts, say } from "./words.js";

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
  $("value-curve").show(values.length ? values : [null], board.ply, table.review?.reply?.costly.map(({ ply }) => ply + 1));
}

function drawVerdict(answer) {
  const { board, drawing, thought, thinking } = table;
  $(".verdict").textContent = answer ? drawing.verdict(answer, board) || say("score.none") : thinking ? say("thinking") : "";
  $(".verdict").toggleAttribute("data-proven", Boolean(answer?.proven));
  $(".preparing").textContent = table.preparing ? say("preparing", { seconds: Math.round(table.preparing) }) : "";
  $(".line").replaceChildren(...(answer?.line.length > 1 ? parts("expected", { line: answer.line.slice(0, 12).flatMap((move) => [drawing.face(move), " "]) }) : []));
  const spent = thought && { solver: thought.solver, count: answer.nodes, seconds: number(answer.seconds) };
  const cost = spent ? say(thought.done ? "cost" : "cost.sofar", spent) : "";
  $(".cost").textContent = thought?.depth ? say("depth", { depth: thought.depth, cost }) : cost;
}

function drawThinking() {
  const { board, thinking } = table;
  const button = $('[data-do="think"]');
  button.textContent = say(thinking ? "stop" : "think");
  button.setAttribute("aria-pressed", String(thinking));
  button.disabled = !thinking && (Boolean(table.over) || !(board.analyst || board.seats[board.player] !== PERSON));
}

/** Draws the expected line on the board, unless a piece is in hand. */
export function showLine() {
  const { thought, hand } = table;
  $("board-view").showLine(thought && $("setup-form").wish("line") && !hand ? thought.line : []);
}
