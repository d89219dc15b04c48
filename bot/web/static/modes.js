// Playing and analysing are two modes; a card begins a game.  The address says which:
//
//   (nothing), #play, #play/GAME   the card
//   ?player=NAME#play/GAME         a game against that player, such as one of a training; on its board, where that is named
//   #GAME, #analyse                a new game on the analyst's table, of that name or of the one played last
//   #GAME?moves=...                a game that somebody shared, see game-text.js

import { $, infoOf, table } from "./state.js";

/** Goes over to "start", "play" or "analyse". */
export function setMode(mode) {
  table.mode = mode;
  document.documentElement.dataset.mode = mode;
  for (const link of document.querySelectorAll("[data-mode-link]")) {
    if ((link.dataset.modeLink === "analyse") === (mode === "analyse")) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  for (const link of $(".games").children) link.href = mode === "analyse" ? `#${link.dataset.game}` : `#play/${link.dataset.game}`;
}

/** Shows the card, with a game chosen if one is named. */
export function openStart(game = null) {
  setMode("start");
  document.title = "Boardsight";
  $("start-card").offer(table.games, game, Boolean(table.played && !table.result));
}

/** What the address asks for: {mode, game, query}. */
export function wanted() {
  const [path, query = ""] = location.hash.slice(1).split("?");
  const [first, second] = path.split("/");
  if (infoOf(first)) return { mode: "analyse", game: first, query };
  if (first === "analyse") return { mode: "analyse", game: $("start-card").usual(table.games).game, query: "" };
  return { mode: "start", game: infoOf(second) ? second : null, query: "" };
}

/** The game, the player and its board that the address names, null for none. */
export function challenge() {
  const { game } = wanted();
  const { player, ...board } = Object.fromEntries(new URLSearchParams(location.search));
  const options = Object.fromEntries(Object.entries(board).map(([name, value]) => [name, name === "variant" ? value : Number(value)]));
  return infoOf(game)?.solvers.includes(player) ? { game, player, options } : null;
}

/** Has the address say what is shown, without going anywhere. */
export const setAddress = (hash) => history.replaceState(null, "", `./${hash}`);
