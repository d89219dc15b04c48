// Flood-It at the table.

import { flooding } from "./flooding.js";

export default {
  ...flooding,
  fields: ["rows", "cols", "colours", "limit"],
  counts(board) {
    const flooded = board.marks.owner.flat().filter(Boolean).length;
    const left = board.numbers.left === undefined ? "" : `, ${board.numbers.left} moves left`;
    return [`${flooded} of ${board.grid.flat().filter((kind) => kind >= 0).length} cells${left}`];
  },
  verdict: (answer) => (answer.score === null ? "" : `${answer.score} moves to the end${answer.proven ? ", proven shortest" : ""}`),
};
