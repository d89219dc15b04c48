// What a training measured, as a small drawing: a figure over the steps.

import { el, number, svg } from "./dom.js";
import { say } from "./words.js";

const [WIDTH, HEIGHT, EDGE] = [240, 64, 4];

/** A figure of a training: its name, its last value, and its curve; `points`: [step, value] in order. */
export function measured(name, points) {
  const title = name.replaceAll("_", " ");
  const values = points.map(([, value]) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const [first, last] = [points[0], points.at(-1)];
  const x = (step) => EDGE + ((WIDTH - 2 * EDGE) * (step - first[0])) / (last[0] - first[0] || 1);
  const y = (value) => HEIGHT - EDGE - ((HEIGHT - 2 * EDGE) * (high === low ? 0.5 : (value - low) / (high - low)));
  const label = say("runs.curve", { figure: title, first: number(first[1]), last: number(last[1]), step: last[0] });
  return el("figure", { class: "measured", "data-figure": name },
    el("figcaption", {}, el("span", {}, title), el("b", {}, number(last[1]))),
    el("p", { class: "bounds", "aria-hidden": "true" }, el("span", {}, number(high)), el("span", {}, number(low))),
    svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": label },
      svg("path", { class: "curve", d: points.map(([step, value], at) => `${at ? "L" : "M"}${x(step).toFixed(1)} ${y(value).toFixed(1)}`).join("") }),
      points.length === 1 ? svg("circle", { class: "guess", cx: WIDTH / 2, cy: HEIGHT / 2, r: 3 }) : null));
}
