// What the address of the page asks for: ?size=14&skin=dark&...

import { parseFaults } from "./faults.js";

/** A whole number from `least` to `most`. */
export const integer = (fallback, least, most) => (text) => {
  if (text === null || text === "") return fallback;
  const number = Number(text);
  if (!Number.isInteger(number) || number < least || number > most) {
    throw new RangeError(`needs a whole number from ${least} to ${most}, not "${text}"`);
  }
  return number;
};

/** One of some words; the first is the usual one. */
export const choice = (...words) => (text) => {
  if (text === null || text === "") return words[0];
  if (!words.includes(text)) throw new RangeError(`is one of ${words.join(", ")}, not "${text}"`);
  return text;
};

/** Whole numbers between commas. */
export const integers = () => (text) => {
  const numbers = (text ?? "").split(",").filter((word) => word.trim() !== "").map(Number);
  if (!numbers.every(Number.isInteger)) throw new RangeError(`needs whole numbers between commas, not "${text}"`);
  return numbers;
};

/** What `parse` makes of the text, null where there is none. */
export const given = (parse) => (text) => (text === null || text === "" ? null : parse(text));

/** The looks of the boards of colours. */
export const SKINS = ["rounded", "gaps", "borders", "plain", "gradient", "dark", "pastel", "discs"];

/** What every game page understands. */
export const COMMON = {
  seed: integer(null, 0, 4294967295),
  skin: choice(...SKINS),
  animation: integer(150, 0, 10000), // ms from the first to the last repainted cell
  cell: integer(null, 2, 200), // pitch in CSS pixels; as large as fits when not given
  lag: integer(0, 0, 60000), // fault: ms from a press to its effect
  faults: given(parseFaults), // what goes wrong besides
  drop: integers(), // fault: which presses (the first is 1) have no effect
};

/**
 * The settings `fields` describes, read from an address.
 * A value that makes no sense falls back to the usual one and is told in `complaints`.
 */
export function readSettings(fields, search = location.search) {
  const asked = new URLSearchParams(search);
  const settings = { complaints: [] };
  for (const [name, parse] of Object.entries(fields)) {
    try {
      settings[name] = parse(asked.get(name));
    } catch (error) {
      settings.complaints.push(`${name} ${error.message}`);
      settings[name] = parse(null);
    }
  }
  return settings;
}
