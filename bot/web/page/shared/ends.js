// How a page shows that a game is over, as real pages do: beside the board, over it, on it, or instead of it.

import { conventions } from "./conventions.js";
import { element } from "./element.js";

let timer = null;
let clear = () => {};

const box = (text) => element("div", { class: "verdict", role: "dialog", "aria-label": "The game is over" },
  element("p", {}, text), element("button", { type: "button", class: "new", "data-press": "new" }, "Play again"));

/** Shows an element until the next game. */
function lay(parent, shown) {
  parent.append(shown);
  clear = () => shown.remove();
}

/** By the words of `conventions.end`: what is done with the sentence that tells who won. */
const ENDS = {
  dialog: (text) => lay(document.body, element("div", { class: "backdrop" }, box(text))),
  blur: (text) => lay(document.body, box(text)), // and the board as conventions.css says
  veil: (text, { board }) => lay(board, element("div", { class: "veil" }, text)),
  result: (text, { shell }) => {
    const page = element("section", { class: "shell result" }, element("h1", {}, text), box("Thank you for playing."));
    shell.hidden = true;
    document.body.append(page);
    clear = () => {
      page.remove();
      shell.hidden = false;
    };
  },
  alert: (text) => window.alert(text),
  dealt: (text) => { // before the last position is painted
    window.alert(text);
    document.dispatchEvent(new Event("again"));
  },
  reset: () => document.dispatchEvent(new Event("again")),
};

/** Shows the end of a game whose last position was just drawn. */
export function showEnd(text, page) {
  clearEnd();
  const show = () => {
    document.documentElement.dataset.ended = conventions.end;
    ENDS[conventions.end]?.(text, page);
  };
  if (conventions.endAfter === 0 && conventions.end !== "reset") show();
  else timer = setTimeout(show, conventions.endAfter);
}

/** Shows the board of a game that goes on. */
export function clearEnd() {
  clearTimeout(timer);
  clear();
  clear = () => {};
  delete document.documentElement.dataset.ended;
}
