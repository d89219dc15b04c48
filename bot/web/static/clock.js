// The clock of a game: how long each side has left, counted down in the page alone.
//
// The page decides who runs out of time: the server keeps nothing of a game beyond its connection, and takes it up again
// from the page.  Whoever would cheat would only cheat themselves.

export class Clock {
  /** `seconds` for each of so many seats. */
  constructor(seconds, seats) {
    Object.assign(this, { spent: Array(seats).fill(0), seconds, running: null, since: 0 });
  }

  /** From now on the time of `seat` runs, null for nobody's. */
  turn(seat) {
    if (seat === this.running) return;
    if (this.running !== null) this.spent[this.running] = this.used(this.running);
    Object.assign(this, { running: seat, since: performance.now() });
  }

  used(seat) {
    return this.spent[seat] + (seat === this.running ? (performance.now() - this.since) / 1000 : 0);
  }

  /** Seconds that a seat has left. */
  left(seat) {
    return Math.max(this.seconds - this.used(seat), 0);
  }

  /** The seat that has run out of time, null for none. */
  get fallen() {
    return this.running !== null && this.left(this.running) === 0 ? this.running : null;
  }

  /** What a seat has left, as people write it. */
  face(seat) {
    const left = this.left(seat);
    const whole = Math.ceil(left);
    return left < 10 ? left.toFixed(1) : `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
  }
}
