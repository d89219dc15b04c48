// <setup-form>: who plays, how long, and the variant of the next game.

import { el } from "./dom.js";
import { variantFields, variantIn } from "./variant-fields.js";
import { say, written } from "./words.js";

const LEVELS = [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60];

class SetupForm extends HTMLElement {
  /** Offers what `info`, a game of the catalogue, can; `now`: {seats, analyst, seconds, options}; `fields`: see games.
   *  Only the part that changed is made again: what somebody wished for the next game outlives a change of seats. */
  offer(info, now, fields) {
    const { options, ...who } = now;
    const keys = { form: info.name, who: JSON.stringify([info.name, who]), variant: JSON.stringify([info.name, options]) };
    const changed = (part) => keys[part] !== this.keys?.[part];
    if (changed("form")) this.begin();
    if (changed("who")) this.querySelector(".who").replaceWith(this.seats(info, now));
    if (changed("variant")) this.querySelector(".variant").replaceWith(this.nextGame(fields, options));
    this.keys = keys;
  }

  /** An empty form with the wishes that hold for every game. */
  begin() {
    const look = el("fieldset", {}, el("legend", {}, say("look")), ...["letters", "line", "hints", "worths"].map((name) => this.tick(name)));
    look.addEventListener("change", () => this.dispatchEvent(new CustomEvent("look-changed", { bubbles: true })));
    const form = el("form", { "aria-label": say("setup") }, el("fieldset", { class: "who" }), el("fieldset", { class: "variant" }), look);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.dispatchEvent(new CustomEvent("begin", { detail: variantIn(form), bubbles: true }));
    });
    this.replaceChildren(form);
  }

  seats(info, now) {
    const label = (at) => (now.seats.length > 1 ? say("player", { number: at + 1 }) : say("player.only"));
    const levels = Array.from({ length: info.levels }, (_, at) => `level:${at + 1}`);
    const every = [...info.solvers.filter((name) => name !== "level"), ...levels, ...info.models];
    const seats = now.seats.map((seat, at) => this.choice(label(at), `seat-${at}`, ["person", ...every], seat));
    const analyst = this.choice(say("analyst"), "analyst", ["", ...every], now.analyst);
    const who = el("fieldset", { class: "who" }, el("legend", {}, say("who")), ...seats, analyst, this.level(now.seconds));
    who.addEventListener("change", () => {
      const detail = this.who(now.seats.length);
      this.keys.who = JSON.stringify([info.name, detail]); // is shown already, and the focus stays
      this.dispatchEvent(new CustomEvent("seats", { detail, bubbles: true }));
    });
    return who;
  }

  nextGame(fields, options) {
    return el("fieldset", { class: "variant" }, el("legend", {}, say("next")), variantFields(fields, options), el("button", { type: "submit" }, say("new")));
  }

  choice(label, name, values, chosen) {
    const every = values.includes(chosen) ? values : [...values, chosen];
    const options = every.map((value) => el("option", { value, selected: value === chosen }, value === "person" ? say("person") : value || say("none")));
    return el("label", {}, el("span", {}, label), el("select", { name }, ...options));
  }

  level(seconds) {
    const every = LEVELS.includes(seconds) ? LEVELS : [...LEVELS, seconds].sort((a, b) => a - b);
    const options = every.map((value) => el("option", { value, selected: value === seconds }, say("seconds", { seconds: written(value, value % 1 ? String(value).length - 2 : 0) })));
    return el("label", {}, el("span", {}, say("move.time")), el("select", { name: "seconds" }, ...options));
  }

  tick(name) {
    return el("label", { class: "tick" }, el("input", { type: "checkbox", name, checked: this.wish(name) }), el("span", {}, say(`look.${name}`)));
  }

  /** Whether the person wants letters, the line or hints; kept in this browser. */
  wish(name) {
    const kept = localStorage.getItem(`boardsight:${name}`);
    return kept === null ? !["letters", "worths"].includes(name) : kept === "yes";
  }

  /** Keeps the wishes as they are ticked. */
  keepWishes() {
    for (const box of this.querySelectorAll(".tick input")) localStorage.setItem(`boardsight:${box.name}`, box.checked ? "yes" : "no");
  }

  who(count) {
    const value = (name) => this.querySelector(`[name="${name}"]`).value;
    return { seats: Array.from({ length: count }, (_, at) => value(`seat-${at}`)), analyst: value("analyst"), seconds: Number(value("seconds")) };
  }
}

customElements.define("setup-form", SetupForm);
