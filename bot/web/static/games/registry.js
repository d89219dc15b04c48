// Which module draws each game, as the catalogue says: its own, or the one that fits its facts; it is fetched when the game
// is first played.

import { number } from "../dom.js";

/** The drawing of a game of the catalogue. */
export async function drawingOf({ name, title, drawing, players = 2, fields = [] }) {
  const words = (score) => number(score, players > 1); // one player alone counts moves
  return { words, ...(await import(`./${drawing}.js`)).default, name, title, fields };
}
