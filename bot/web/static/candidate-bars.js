// <candidate-bars>: a bar for each move a solver looked at, the best first; then the legal moves it said nothing of,
// and those that the rules forbid.

import { el } from "./dom.js";
import { say } from "./words.js";

const SHOWN = 14;

class CandidateBars extends HTMLElement {
  /** `answer`: as `boardsight solve` prints it, or null; `actions`: every move there ever is, or null;
   *  `words`: what a score says, null for the candidates' own words. */
  show({ answer, others = [], legal, actions, face, words, awaits }) {
    const candidates = answer?.candidates ?? [];
    const later = new Set(others.map((other) => other.move));
    const best = new Set(answer?.best ?? []);
    const rows = candidates.filter(({ move, score }) => score !== null || !later.has(move))
      .map((candidate) => ({ ...candidate, chosen: candidate.move === answer.move, best: best.has(candidate.move) }));
    if (answer && !candidates.some(({ move }) => move === answer.move)) rows.unshift({ move: answer.move, score: answer.score, visits: null, chosen: true });
    const shown = new Set(rows.map(({ move }) => move));
    const rough = (other) => Boolean(answer?.proven) && !other.proven;
    rows.push(...others.filter(({ move }) => !shown.has(move)).map((other) => ({ ...other, visits: null, later: true, best: best.has(other.move), rough: rough(other) })));
    const known = new Set(rows.map(({ move }) => move));
    const rest = legal.filter((move) => !known.has(move)).map((move) => ({ move, silent: true }));
    const barred = (actions ?? []).filter((move) => !legal.includes(move)).map((move) => ({ move, illegal: true }));
    const lengths = lengthsOf(rows);
    const items = [...rows, ...rest, ...barred].map((row, at) => this.row(row, lengths[at], { face, words, awaits }));
    const told = answer ? rows.filter(({ score, visits, chosen }) => score !== null || visits || chosen).length : SHOWN;
    const few = items.slice(0, Math.max(Math.min(SHOWN, told), actions?.length ?? 0));
    const parts = [el("ul", { class: "bars" }, ...few)];
    if (items.length > few.length) parts.push(this.more(items.slice(few.length)));
    this.replaceChildren(...parts);
  }

  more(items) {
    const fold = el("details", { class: "more" }, el("summary", {}, say("moves.more", { count: items.length })));
    fold.addEventListener("toggle", () => fold.children.length < 2 && fold.append(el("ul", { class: "bars" }, ...items)));
    return fold;
  }

  row(row, length, { face, words, awaits }) {
    const said = row.illegal ? say("not.allowed") : row.silent ? "" : row.score === null ? "–" : words === null ? row.words : row.at_most ? say("at.most", { score: words(row.score) }) : (row.rough ? "≈ " : "") + words(row.score);
    const visits = row.visits === null || row.visits === undefined ? "" : say("visits", { count: row.visits });
    const bar = el("span", { class: "bar", "aria-hidden": "true" }, el("i"));
    bar.firstChild.style.width = `${length ?? 0}%`;
    const state = row.illegal ? "illegal" : row.silent ? "silent" : row.chosen ? "chosen" : row.best ? "best" : row.later ? "later" : "looked-at";
    const button = el(
      "button",
      {
        type: "button",
        disabled: row.illegal || !awaits,
        click: () => this.dispatchEvent(new CustomEvent("choose", { detail: row.move, bubbles: true })),
        pointerenter: () => this.hint(row.move),
        pointerleave: () => this.hint(null),
        focus: () => this.hint(row.move),
        blur: () => this.hint(null),
      },
      el("span", { class: "move" }, face(row.move)),
      bar,
      el("span", { class: "score" }, said, row.chosen ? el("span", { class: "hidden" }, ` ${say("chosen")}`) : null),
      el("span", { class: "visits" }, visits),
      row.line?.length > 1 ? el("span", { class: "pv" }, ...row.line.slice(1, 12).flatMap((move) => [face(move), " "])) : null,
    );
    return el("li", { "data-move": row.move, "data-state": state, "data-score": row.score, "data-visits": row.visits, "data-bound": row.at_most }, button);
  }

  hint(move) {
    this.dispatchEvent(new CustomEvent("hint", { detail: move, bubbles: true }));
  }
}

/** How long each row's bar is, in percent: by visits where there are any, else by score, the first the longest. */
function lengthsOf(rows) {
  if (rows.some((row) => row.visits)) {
    const most = Math.max(...rows.map((row) => row.visits ?? 0));
    return rows.map((row) => (100 * (row.visits ?? 0)) / most);
  }
  const scores = rows.filter((row) => !row.at_most).map((row) => row.score).filter((score) => typeof score === "number");
  const [low, high] = [Math.min(...scores), Math.max(...scores)];
  const fewerIsBetter = scores.length > 1 && scores[0] < scores.at(-1);
  return rows.map((row) => {
    if (typeof row.score !== "number" || row.at_most) return 0;
    const share = high === low ? 1 : (row.score - low) / (high - low);
    return 12 + 88 * (fewerIsBetter ? 1 - share : share);
  });
}

customElements.define("candidate-bars", CandidateBars);
