// The habits of real pages, in which one differs from the next: how a game ends, how its board lies, when its player
// moves.  An address asks for them (?end=dialog&turn=half), and every page of a game heeds them.

import { choice, integer, readSettings } from "./settings.js";

const fields = {
  // how a finished game shows: see ends.js
  end: choice("above", "below", "dialog", "blur", "veil", "blink", "recolour", "result", "alert", "reset", "dealt", "more"),
  endAfter: integer(400, 0, 60000), // ms from the last move's repaint to that
  // which way round the board lies
  turn: choice("none", "half", "mirror", "flip"), // half a turn; left and right exchanged; top and bottom exchanged
  // the buttons of colours that may not be played: pale, crossed out, smaller, without a face, left out, or like all
  // others
  barred: choice("faded", "fading", "crossed", "small", "missing", "gone", "plain"),
  counter: choice("above", "below", "none"), // where the number of moves stands
  about: choice("all", "none"), // all: who plays, whose turn it is, the scores, the marks of the starts
  starts: choice("mark", "rim", "tint", "star", "none"), // what marks start cells: a small mark, a thick rim, their
  // player's colour, or in Blokus that of who moves with a star on it
  pulse: choice("off", "on", "region", "lit", "pale", "glow", "bob", "hints", "latest"), // whether start cells and the pawn to move swell, all cells of who moves fade, or are lighter all the time, or others paler, that pawn is lit, it bobs in a ring as wide as its cell, the cells where it may go glow over the grooves, or what was played last fades for ten seconds
  icons: choice("off", "on"), // whether places that are no cells bear a sign
  cells: choice("square", "wide"), // wide: half as wide again as high
  faces: choice("plain", "gradient", "wide", "counts"), // of the colours' buttons; wide: their row is wider than the board; counts: a badge tells how many cells of theirs are left
  tips: choice("off", "on"), // whether a colour's button says what it is in a bubble above it while the pointer rests there
  lift: choice("off", "on", "panel"), // whether a cell moves up a little under the pointer, and a piece that waits grows; panel: what the board lies on is lit while the pointer is over it
  focus: choice("within", "around"), // where a cell shows that it was pressed last; around: in a ring that lies over the grooves
  crop: choice("none", "buttons", "board"), // what the window's lower edge cuts
  before: choice("nothing", "start", "level", "cookies", "rules"), // what stands before the board: see menu.js
  // how a player that is no person answers: apart from the move before it, with it in one repaint, or in two repaints,
  // of which the first only shows where
  answer: choice("apart", "together", "twice"),
  // how moves are made
  hover: choice("free", "needed"), // needed: what the pointer has not rested on hears no press
  stage: choice("none", "twice", "enter", "confirm"), // what makes a move final that is shown first
  lights: choice("on", "off"), // on: the button that makes a move final shows whether it does, as browsers draw them
  undo: choice("off", "on", "shown"), // on: a button that takes a move and its answer back, dark until there is one; shown: one that hides a move which is only shown
  passes: choice("over", "pressed"), // pressed: who cannot move, and is a person here, says so by a button
  tray: choice("bits", "solid", "glossy"), // the pieces of a tray: of cells, as silhouettes, or of shaded cells
  trays: choice("all", "own", "turn"), // whose pieces are shown; turn: those of who moves, to a person
  used: choice("gap", "none"), // what a piece that was laid leaves in its tray; none: what lies below comes up
  traysAt: choice("beside", "below"), // where: below the board few windows show both
  pieces: choice("carried", "set", "dragged"), // set: a piece that is picked shows on the board, and comes where that is pressed; dragged: it is in hand while the button is down, and lies where that is let go, and so are pawns
  held: choice("middle", "corner"), // which part of a piece in hand is at the pointer; corner: its upper left, and it shows only where all of it lies on the board
  follow: choice("now", "late"), // when a piece in hand shows where the pointer is; late: half a second after it came
  chosen: choice("ring", "lit"), // how the tray shows which piece was picked; lit: in white
  tells: choice("on", "off"), // whether a piece in hand is grey where it may not lie
  offers: choice("none", "dots"), // dots: where the piece in hand may be laid is marked
  turns: choice("all", "keys", "buttons", "wheel", "double", "tray", "listed", "lasting"), // what turns a piece; lasting: buttons that look the same with empty hands; double: a double click on it, which shows all eight forms in turn, as the wheel does; tray: the same where it waits, where it stays so; listed: keys and buttons lead on and back through a list of its forms
};

export const conventions = readSettings(fields);

const LOOKS = ["end", "barred", "counter", "about", "starts", "tray", "traysAt", "used", "chosen", "turns", "lights", "pulse", "icons", "faces", "cells", "crop", "tips", "lift", "focus"]; // what conventions.css heeds
for (const look of LOOKS) document.documentElement.dataset[look] = conventions[look];

const across = ["half", "mirror"].includes(conventions.turn);
const down = ["half", "flip"].includes(conventions.turn);

/** Where a cell [row, col] of a board of so many shows, and the other way round: which one shows there. */
export const turned = ([row, col], rows, cols) => [down ? rows - 1 - row : row, across ? cols - 1 - col : col];
