// A saved run in one page: its turns stand in it, a line each, and are read when they are looked at.

import "./run-viewer.js";

const viewer = document.querySelector("run-viewer");
const { boards, turns, between } = JSON.parse(document.querySelector("#run").textContent);
const lines = document.querySelector("#turns").textContent.split("\n");

for (const [number, board] of Object.entries(boards)) viewer.addBoard(number, board);
for (const [after, line] of between) viewer.addBetween(after, line);
for (const [at, turn] of turns.entries()) viewer.addTurn({ ...turn, load: () => JSON.parse(lines[at]) });

/** Shows the turn that the address names. */
function follow() {
  const named = Number(/^#turn-(\d+)$/u.exec(location.hash)?.[1]);
  viewer.look(Math.max(turns.findIndex(({ number }) => number === named), 0));
}

viewer.addEventListener("turn", ({ detail }) => history.replaceState(null, "", `#turn-${detail}`));
addEventListener("hashchange", follow);
follow();
