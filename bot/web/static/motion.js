// How boards change before one's eyes: what differs between two boards arrives, each thing in the manner of its game.
//
// A drawing names its manner as `arrives`: it is asked with the cells that differ and tells how each of them comes in.
// What is drawn says by `data-at` which cell, or which other part, it shows.  An animation never holds anything up: the
// drawing is whole at once, and one that is drawn anew goes on where the last one was.

const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const MOST = 450; // cells that come in at once: beyond it frames are lost on a phone
const BEYOND = 2; // plies between two boards of which one follows from the other: a move and its answer

/** The arrivals of one board-view, and how far they have come. */
export class Motion {
  constructor() {
    this.arrivals = new Map();
  }

  /** Notes what comes in when `after` is drawn in the place of `before`. */
  follow(game, before, after) {
    const now = document.timeline.currentTime ?? 0;
    for (const [at, { ends }] of this.arrivals) if (ends <= now) this.arrivals.delete(at);
    if (!before || before === after) return;
    const near = before.start === after.start && Math.abs(before.ply - after.ply) <= BEYOND;
    const changes = near ? changesOf(before, after, game) : null;
    if (!near || STILL.matches || changes.length > MOST) this.arrivals.clear();
    else for (const { at, frames, ...times } of game.arrives(changes, { before, after, game })) {
      const timing = { duration: 180, delay: 0, easing: "ease-out", fill: "backwards", ...times };
      this.arrivals.set(String(at), { frames, timing, since: now, ends: now + timing.delay + timing.duration });
    }
  }

  /** Sets in motion what was drawn in these layers. */
  play(layers) {
    if (!this.arrivals.size) return;
    for (const node of layers.flatMap((layer) => [...layer.children])) {
      const coming = this.arrivals.get(node.dataset.at);
      if (coming) node.animate(coming.frames, coming.timing).startTime = coming.since;
    }
  }
}

/** The cells whose look differs: [{cell, was, is}]; a game with territories has those of another owner among them. */
function changesOf(before, after, game) {
  const found = [];
  after.grid.forEach((line, row) => line.forEach((is, col) => {
    const was = before.grid[row]?.[col];
    if (was !== is || game.differs?.(before, after, row, col)) found.push({ cell: [row, col], was, is });
  }));
  return found;
}

const shift = (x, y) => `translate(${x}px, ${y}px)`;
const HERE = "none";

/** Shakes something that says no. */
export function shake(node) {
  if (!STILL.matches) node.animate([{ translate: "0" }, { translate: "-4px" }, { translate: "4px" }, { translate: "0" }], { duration: 150, iterations: 2 });
}

/** Things that fall from above the board to their cells, ever faster, and bounce once. */
export function fall(changes, { game }) {
  return changes.filter(({ is }) => is > 0).map(({ cell }) => {
    const { y, h } = game.rect(cell);
    const high = y + h;
    const bounce = Math.min(0.06 * high, 0.22 * h);
    return {
      at: cell,
      duration: 150 + 9.5 * Math.sqrt(high), // 245 ms for the nearest row, 380 for the sixth
      easing: "linear",
      frames: [
        { transform: shift(0, -high), easing: "cubic-bezier(0.5, 0, 0.9, 0.7)" },
        { transform: HERE, offset: 0.68, easing: "cubic-bezier(0.2, 0.6, 0.5, 1)" },
        { transform: shift(0, -bounce), offset: 0.84, easing: "cubic-bezier(0.5, 0, 0.8, 0.4)" },
        { transform: HERE },
      ],
    };
  });
}

/** Things that come down on the table: one that moved glides, one that changed sides turns over, others are put down. */
export function settle(changes, { game }) {
  const gone = changes.filter(({ was, is }) => was > 0 && is <= 0);
  const come = changes.filter(({ was, is }) => is > 0 && was <= 0);
  const centre = come.length ? come[come.length >> 1].cell : null;
  return changes.filter(({ is }) => is > 0).map((change) => {
    const { cell, was, is } = change;
    const far = centre ? Math.hypot(cell[0] - centre[0], cell[1] - centre[1]) : 0;
    if (was > 0) return turnOver(cell, Math.min(40 * far, 240));
    const from = gone.filter((other) => other.was === is);
    if (from.length === 1 && come.filter((other) => other.is === is).length === 1) return glide(from[0].cell, cell, game);
    const { h } = game.rect(cell);
    return {
      at: cell, duration: 190, delay: Math.min(16 * far, 64), easing: "cubic-bezier(0.3, 1.35, 0.6, 1)",
      frames: [{ transform: `${shift(0, -0.3 * h)} scale(1.18)`, opacity: 0 }, { opacity: 1, offset: 0.45 }, { transform: HERE, opacity: 1 }],
    };
  });
}

/** A thing that goes from one cell to another in a straight line. */
export function glide(from, to, game) {
  const [start, end] = [game.rect(from), game.rect(to)];
  return { at: to, duration: 220, easing: "cubic-bezier(0.3, 0, 0.2, 1)", frames: [{ transform: shift(start.x - end.x, start.y - end.y) }, { transform: HERE }] };
}

/** A thing that is turned over, so that its other side is up. */
export function turnOver(at, delay = 0) {
  return { at, delay, duration: 200, easing: "ease-out", frames: [{ transform: "scaleX(0.05)", opacity: 0.3 }, { transform: HERE, opacity: 1 }] };
}

/** A thing that is pushed in from `x`, `y` beside its place. */
export function slide(at, x, y) {
  return { at, duration: 210, easing: "cubic-bezier(0.2, 0.8, 0.3, 1)", frames: [{ transform: shift(x, y), opacity: 0 }, { opacity: 1, offset: 0.5 }, { transform: HERE, opacity: 1 }] };
}
