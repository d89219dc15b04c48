// <setup-form>: who plays, how long, and the variant of the next game.

import { el } from "./dom.js";

const LEVELS = [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60];
const VARIANTS = {
  rows: ["Rows", 1, 64], cols: ["Columns", 1, 64], colours: ["Colours", 2, 10], walls: ["Walls each", 0, 99],
  length: ["In a row", 2, 10], players: ["Players", 1, 4], limit: ["Moves allowed", 0, 500],
};

class SetupForm extends HTMLElement {
  /** Offers what `info`, a game of the catalogue, can; `now`: {seats, analyst, seconds, options}; `fields`: see games. */
  offer(info, now, fields) {
    const key = JSON.stringify([info.name, now]);
    if (key === this.key) return;
    this.key = key;
    this.info = info;
    const seats = now.seats.map((seat, at) => this.choice(now.seats.length > 1 ? `Player ${at + 1}` : "Player", `seat-${at}`, ["person", ...info.solvers], seat));
    const analyst = this.choice("Analyst", "analyst", ["", ...info.solvers], now.analyst);
    const who = el("fieldset", {}, el("legend", {}, "Who plays"), ...seats, analyst, this.level(now.seconds));
    who.addEventListener("change", () => this.dispatchEvent(new CustomEvent("seats", { detail: this.who(now.seats.length), bubbles: true })));
    const variant = el("fieldset", {}, el("legend", {}, "Next game"), ...fields.map((field) => this.field(field, now.options)));
    variant.addEventListener("change", ({ target }) => {
      if (target.name === "variant") for (const input of variant.querySelectorAll("input")) input.value = ""; // its own
    });
    variant.append(el("button", { type: "submit" }, "New game"));
    const look = el("fieldset", {}, el("legend", {}, "Look"), this.tick("letters", "Letters and shapes beside colours"), this.tick("line", "Draw the expected line"), this.tick("hints", "Mark legal moves"));
    look.addEventListener("change", () => this.dispatchEvent(new CustomEvent("look-changed", { bubbles: true })));
    const form = el("form", { "aria-label": "Set up" }, who, variant, look);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.dispatchEvent(new CustomEvent("begin", { detail: this.variant(fields), bubbles: true }));
    });
    this.replaceChildren(form);
  }

  choice(label, name, values, chosen) {
    const every = values.includes(chosen) ? values : [...values, chosen];
    const options = every.map((value) => el("option", { value, selected: value === chosen }, value || "none"));
    return el("label", {}, el("span", {}, label), el("select", { name }, ...options));
  }

  level(seconds) {
    const every = LEVELS.includes(seconds) ? LEVELS : [...LEVELS, seconds].sort((a, b) => a - b);
    const options = every.map((value) => el("option", { value, selected: value === seconds }, `${value} s`));
    return el("label", {}, el("span", {}, "A move"), el("select", { name: "seconds" }, ...options));
  }

  field(name, options) {
    if (Array.isArray(name)) return this.choice("Variant", "variant", name, options.variant ?? "");
    const [label, min, max] = VARIANTS[name];
    return el("label", {}, el("span", {}, label), el("input", { type: "number", name, min, max, value: options[name] ?? "" }));
  }

  tick(name, label) {
    return el("label", { class: "tick" }, el("input", { type: "checkbox", name, checked: this.wish(name) }), el("span", {}, label));
  }

  /** Whether the person wants letters, the line or hints; kept in this browser. */
  wish(name) {
    const kept = localStorage.getItem(`boardsight:${name}`);
    return kept === null ? name !== "letters" : kept === "yes";
  }

  /** Keeps the wishes as they are ticked. */
  keepWishes() {
    for (const box of this.querySelectorAll(".tick input")) localStorage.setItem(`boardsight:${box.name}`, box.checked ? "yes" : "no");
  }

  who(count) {
    const value = (name) => this.querySelector(`[name="${name}"]`).value;
    return { seats: Array.from({ length: count }, (_, at) => value(`seat-${at}`)), analyst: value("analyst"), seconds: Number(value("seconds")) };
  }

  variant(fields) {
    const options = {};
    for (const name of fields.map((field) => (Array.isArray(field) ? "variant" : field))) {
      const { value } = this.querySelector(`[name="${name}"]`);
      if (value !== "") options[name] = name === "variant" ? value : Number(value);
    }
    return options;
  }
}

customElements.define("setup-form", SetupForm);
