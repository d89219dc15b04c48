// Which module draws each game, as the catalogue says; it is fetched when the game is first played.

/** The drawing of a game of the catalogue. */
export async function drawingOf({ name, title, drawing }) {
  return { ...(await import(`./${drawing}.js`)).default, name, title };
}
