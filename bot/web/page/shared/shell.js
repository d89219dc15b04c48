// What stands round every board: title, counter, message, controls, options; and the size that makes it all fit.

import { conventions } from "./conventions.js";
import { element } from "./element.js";
import { clearEnd, showEnd } from "./ends.js";
import { showBefore } from "./menu.js";

/**
 * Builds the page round `board`.
 *
 * beside: what stands left and right of it.  controls: what stands below it, or null.  players: the chips of two players.
 * options: a form's fields as [label, name, values or {min, max}, current].
 * Returns {say, count, note, shell}: setters of the message, the counter and the small print.
 */
export function buildShell({ title, skin, board, beside = [], controls = null, options, players = [] }) {
  document.documentElement.dataset.skin = skin;
  const counter = element("p", { class: "counter" });
  const message = element("p", { class: "message", role: "status" });
  const note = element("span");
  const restart = element("button", { type: "button", class: "new", "data-press": "new" }, "New game");
  const shell = element(
    "main",
    { class: "shell" },
    element("header", {}, element("h1", {}, title), counter, restart),
    element("div", { class: "talk" }, ...players.slice(0, 1), message, ...players.slice(1)),
    element("div", { class: "table" }, ...beside.slice(0, 1), board, ...beside.slice(1)),
    ...(controls ? [controls] : []),
    element("footer", {}, optionsForm(options), note),
  );
  document.body.append(shell);
  showBefore(title, shell);
  return {
    shell,
    say: (text, mood = "") => {
      message.textContent = text;
      document.body.dataset.state = mood || "playing";
      if (mood) showEnd(text, { shell, board });
      else clearEnd();
    },
    count: (text) => { counter.textContent = text; },
    note: (text) => { note.textContent = text; },
  };
}

function optionsForm(options) {
  const fields = options.map(([label, name, values, current]) =>
    element("label", {}, label, Array.isArray(values)
      ? element("select", { name }, ...values.map((value) => element("option", { value, selected: value === current }, value)))
      : element("input", { name, type: "number", value: current, ...values })));
  return element("details", {}, element("summary", {}, "Options"),
    element("form", { method: "get" }, ...fields, element("button", { type: "submit" }, "Play")));
}

/**
 * Keeps the pitch of `board` as large as the window allows, in whole CSS pixels, or at `fixed`.
 * rows, cols: how many pitches the board measures.
 */
export function fitBoard({ shell, board, rows, cols, fixed = null, most = 72 }) {
  const fit = () => {
    const table = board.parentElement;
    const inRow = getComputedStyle(table).flexDirection === "row"; // what stands beside the board, not above and below
    const rim = 2 * parseFloat(getComputedStyle(board).paddingTop);
    const sides = 2 * parseFloat(getComputedStyle(shell).paddingLeft) + (inRow ? table.scrollWidth - board.offsetWidth : 0) + rim;
    const whole = inRow || conventions.traysAt === "below" ? table : board; // what shares the window's height with others
    const rest = shell.offsetHeight - whole.offsetHeight + rim;
    const across = (document.documentElement.clientWidth - sides) / cols;
    const down = (window.innerHeight - rest) / rows;
    const pitch = fixed ?? Math.max(3, Math.min(most, Math.floor(Math.min(across, down))));
    board.style.setProperty("--pitch", `${pitch}px`);
  };
  fit();
  if (conventions.traysAt !== "below") window.addEventListener("resize", fit);
}
