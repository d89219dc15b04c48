// <value-curve>: what was thought of each position of the game, from the first player's view.

import { number, svg } from "./dom.js";
import { say } from "./words.js";

const [WIDTH, HEIGHT, EDGE] = [320, 96, 8];

class ValueCurve extends HTMLElement {
  /** `values`: [score, proven, chance] or null for each ply; `ply`: the one that is looked at; `costly`: those after
   *  which a move cost much.  Where there are chances they are drawn, else the scores. */
  show(values, ply, costly = []) {
    const hopes = values.some((value) => value && value[2] !== null);
    const known = values.flatMap((value, at) => (value && (!hopes || value[2] !== null) ? [{ at, told: value[0], score: hopes ? 2 * value[2] - 1 : value[0], proven: value[1] }] : []));
    const most = Math.max(1, ...known.map(({ score }) => Math.abs(score)));
    const least = hopes || known.some(({ score }) => score < 0) ? -most : 0;
    const x = (at) => EDGE + ((WIDTH - 2 * EDGE) * at) / Math.max(values.length - 1, 1);
    const y = (score) => HEIGHT - EDGE - ((HEIGHT - 2 * EDGE) * (score - least)) / (most - least);
    const path = known.map(({ at, score }, index) => `${index ? "L" : "M"}${x(at)} ${y(score)}`).join("");
    const last = known.at(-1);
    const label = last
      ? say(last.proven ? "curve.proven" : "curve.judged", { known: known.length, count: values.length, ply: last.at, score: number(last.told, true) })
      : say("curve.empty");
    const drawing = svg(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label },
      svg("line", { class: "zero", x1: EDGE, x2: WIDTH - EDGE, y1: y(0), y2: y(0) }),
      svg("line", { class: "now", x1: x(ply), x2: x(ply), y1: EDGE / 2, y2: HEIGHT - EDGE / 2 }),
      svg("path", { class: "curve", d: path }),
      ...known.map(({ at, score, proven }) => svg("circle", { class: costly.includes(at) ? "costs" : proven ? "proven" : "guess", cx: x(at), cy: y(score), r: costly.includes(at) ? 4.5 : 2.5, "data-ply": at })),
      svg("text", { x: WIDTH - EDGE, y: 9 }, last ? (hopes ? "100%" : number(most, least < 0)) : ""),
    );
    drawing.addEventListener("click", (event) => {
      const box = drawing.getBoundingClientRect();
      const share = ((event.clientX - box.left) / box.width) * WIDTH - EDGE;
      const at = Math.round((share / (WIDTH - 2 * EDGE)) * (values.length - 1));
      this.dispatchEvent(new CustomEvent("look", { detail: Math.min(Math.max(at, 0), values.length - 1), bubbles: true }));
    });
    this.replaceChildren(drawing);
  }
}

customElements.define("value-curve", ValueCurve);
