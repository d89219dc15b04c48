// Filler at the table.

import { number } from "../dom.js";
import { flooding } from "./flooding.js";

export default {
  ...flooding,
  fields: ["rows", "cols", "colours", ["", "phone", "uniform", "majority", "ring", "gain"]],
  counts: (board) => board.marks.cells.map((cells) => `${cells} ${cells === 1 ? "cell" : "cells"}`),
  words: (score) => number(score, true),
  verdict: (answer) => (answer.score === null ? "" : `${answer.score ? `${number(answer.score, true)} cells for the side to move` : "level"}${answer.proven ? ", proven" : ""}`),
};
