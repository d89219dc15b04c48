// The fields of a variant: its numbers, and its name where there are several.

import { el } from "./dom.js";
import { say } from "./words.js";

/** The least and the most of each number that makes a variant. */
const NUMBERS = { rows: [1, 64], cols: [1, 64], colours: [2, 10], walls: [0, 20], length: [2, 10], players: [1, 4], limit: [0, 500] };

/** A field for each of `names`, filled in as in `options`; a list of them are the names of variants. */
export function variantFields(names, options) {
  const made = el("div", { class: "variant-fields" }, ...names.map((name) => (Array.isArray(name) ? nameField(name, options) : numberField(name, options))));
  made.addEventListener("change", ({ target }) => {
    if (target.name === "variant") for (const input of made.querySelectorAll("input")) input.value = ""; // its own
  });
  return made;
}

function nameField(names, { variant = "" }) {
  const every = names.includes(variant) ? names : [...names, variant];
  return el("label", {}, el("span", {}, say("variant")),
    el("select", { name: "variant" }, ...every.map((value) => el("option", { value, selected: value === variant }, value || say("variant.usual")))));
}

function numberField(name, options) {
  const [min, max] = NUMBERS[name];
  return el("label", {}, el("span", {}, say(`variant.${name}`)), el("input", { type: "number", name, min, max, value: options[name] ?? "" }));
}

/** The options that are filled in. */
export function variantIn(form) {
  const filled = [...form.querySelectorAll(".variant-fields :is(input, select)")].filter(({ value }) => value !== "");
  return Object.fromEntries(filled.map(({ name, value }) => [name, name === "variant" ? value : Number(value)]));
}
