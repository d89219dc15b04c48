// The habits of real pages, in which one differs from the next: how a game ends, how its board lies, when its player
// moves.  An address asks for them (?end=dialog&turn=half), and every page of a game heeds them.

import { choice, integer, readSettings } from "./settings.js";

const fields = {
  // how a finished game shows: see ends.js
  end: choice("above", "below", "dialog", "blur", "veil", "blink", "recolour", "result", "alert", "reset", "more"),
  endAfter: integer(400, 0, 60000), // ms from the last move's repaint to that
  // which way round the board lies
  turn: choice("none", "half", "mirror", "flip"), // half a turn; left and right exchanged; top and bottom exchanged
  // how a player that is no person answers
  answer: choice("apart", "together"), // together: the move before it is shown with it, in one repaint
};

export const conventions = readSettings(fields);

/** What the fields of conventions.js that no script heeds look like is said in conventions.css. */
Object.assign(document.documentElement.dataset, { end: conventions.end });

const across = ["half", "mirror"].includes(conventions.turn);
const down = ["half", "flip"].includes(conventions.turn);

/** Where a cell [row, col] of a board of so many shows, and the other way round: which one shows there. */
export const turned = ([row, col], rows, cols) => [down ? rows - 1 - row : row, across ? cols - 1 - col : col];
