// Which module draws each game; it is fetched when the game is first played.

const MODULES = {
  flood_it: () => import("./flood_it.js"),
  filler: () => import("./filler.js"),
  connect_four: () => import("./connect_four.js"),
  blokus: () => import("./blokus.js"),
  quoridor: () => import("./quoridor.js"),
};

/** The drawing of a game, null where there is none. */
export async function drawingOf(name) {
  return name in MODULES ? (await MODULES[name]()).default : null;
}

/** The games that can be drawn. */
export const DRAWN = Object.keys(MODULES);
