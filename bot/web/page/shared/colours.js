// Boards whose cells are colours: their names, their buttons and the repainting of cells.

import { element } from "./element.js";

const NAMES = ["red", "green", "blue", "yellow", "violet", "cyan", "orange", "pink", "brown", "grey"];

/** What a person calls a colour. */
export const nameOf = (colour) => NAMES[colour];

/** A row of one button for each colour. */
export function buildColourButtons(colours) {
  const row = element("div", { class: "colours", role: "group", "aria-label": "Colours" });
  row.append(...NAMES.slice(0, colours).map((name, colour) =>
    element("button", { type: "button", class: "colour", "data-colour": colour, "data-press": `colour:${colour}`,
      "aria-label": name, "aria-keyshortcuts": (colour + 1) % 10, title: name })));
  return row;
}

/**
 * Gives every cell its colour of `grid`.
 * repainted: [row, col, steps] of the cells that change slowly: a ripple of `animation` ms from the cell of 0 steps.
 */
export function paintCells(cells, grid, repainted, animation) {
  const farthest = Math.max(1, ...repainted.map(([, , steps]) => steps));
  for (const [row, col, steps] of repainted) {
    const { style } = cells[row][col];
    style.setProperty("--wait", `${Math.round((animation * 0.6 * steps) / farthest)}ms`);
    style.setProperty("--fade", `${Math.round(animation * 0.4)}ms`);
  }
  if (repainted.length === 0) for (const cell of cells.flat()) cell.removeAttribute("style");
  cells.forEach((line, row) => line.forEach((cell, col) => {
    const colour = String(grid[row][col]);
    if (cell.dataset.colour !== colour) cell.dataset.colour = colour;
  }));
}
