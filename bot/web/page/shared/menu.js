// What stands before the board on real pages: a start screen, with the choice of a level or without, or a banner or a dialog.

import { conventions } from "./conventions.js";
import { element } from "./element.js";

const button = (text) => element("button", { type: "button", class: "new" }, text);

const start = (title) => element("section", { class: "shell menu" }, element("h1", {}, title),
  button("Play vs CPU"), button("Two players"));

const level = (title) => element("section", { class: "shell menu" }, element("h1", {}, title),
  element("select", { id: "level", "aria-label": "Level" }, ...["Easy", "Medium", "Hard"].map((each) => element("option", {}, each))),
  button("Go!"));

const cookies = () => element("section", { class: "cookies", role: "dialog", "aria-label": "Privacy" },
  element("p", {}, "We and our 812 partners value your privacy."), button("Accept"));

const rules = (title) => element("section", { class: "rules", role: "dialog", "aria-modal": "true", "aria-label": "Rules" },
  element("div", {}, element("h2", {}, `How to play ${title}`), element("p", {}, "Read this first."), button("Got it")));

/** Puts before the page `shell` what the conventions say, until one of its buttons is pressed. */
export function showBefore(title, shell) {
  const shown = { start, level, cookies, rules }[conventions.before]?.(title);
  if (!shown) return;
  shell.hidden = !["cookies", "rules"].includes(conventions.before);
  document.body.append(shown);
  shown.addEventListener("click", (event) => {
    event.stopPropagation(); // no press of the game's
    if (!event.target.closest("button")) return;
    shown.remove();
    shell.hidden = false;
    window.dispatchEvent(new Event("resize")); // the board takes its size
  });
}
