// Seeded chance, so that a board can be dealt again, also outside the browser.

/**
 * mulberry32: a generator of numbers in [0, 1) from a 32-bit seed.
 * bot/web/pages.py holds its twin; both must give the same numbers for ever.
 */
export function mulberry32(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** A whole number from 0 to n - 1. */
export const below = (random, n) => Math.floor(random() * n);

/** A seed nobody chose, small enough to be read aloud. */
export const freshSeed = () => crypto.getRandomValues(new Uint32Array(1))[0] % 1000000;
