// A game of two seats or more, each a person's at this page or a simple player's.

import { conventions } from "./conventions.js";
import { element } from "./element.js";
import { below, mulberry32 } from "./random.js";
import { choice, integer } from "./settings.js";

/** What every page for two understands beside COMMON. */
export const SEATS = {
  first: choice("person", "random", "greedy"),
  second: choice("random", "person", "greedy"),
  pause: integer(400, 0, 60000), // ms a player that is no person takes to move
};

/** Those settings as fields of the options form. */
export const seatOptions = ({ first, second }) => [
  ["First player", "first", ["person", "random", "greedy"], first],
  ["Second player", "second", ["person", "random", "greedy"], second],
];

/**
 * One game after another.
 *
 * rules: {legal(state) -> moves, play(state, move), outcome(state), formatMove(move, state), format(state)}, promise(state,
 * move), a number that a greedy player wants large, and, where a player may be unable to move, pass(state), and, where
 * pages let a loser move once more, late(state) -> what it may play then.
 * States have `player`, the seat to move, from 0.  begin(seed): the start position.  draw(match): called after each change.
 * marks(move): the elements that show a move not made yet.  lacks(move): whether the game has it, though this page's rules
 * do not.  confirms: whether some moves are made by a button.
 * All of them choose move floor(u * n) of n, all or the most promising ones, for the next u of mulberry32(seed + 1).
 */
export class Match {
  constructor({ rules, begin, seats, seed, pause, draw, marks, lacks = () => false, confirms = conventions.stage === "confirm" }) {
    Object.assign(this, { rules, begin, seats, seed, pause, draw, marks, lacks, staged: null });
    const facts = { type: "button", class: "new confirm", "data-press": "confirm", disabled: true };
    this.button = element("button", facts, "Confirm");
    if (confirms) document.querySelector(".table").after(element("div", { class: "confirms" }, this.button));
    this.takeBack = element("button", { type: "button", class: "new", "data-press": "undo", disabled: true }, "Undo");
    if (conventions.undo !== "off") document.querySelector(".table").after(element("div", { class: "confirms" }, this.takeBack));
    const passing = element("button", { type: "button", class: "new", "data-press": "pass" }, "Pass");
    if (conventions.passes === "pressed") document.querySelector(".table").before(element("div", { class: "confirms" }, passing));
    this.reset();
  }

  /** Whether a person here is to move. */
  get awaitsPerson() {
    return !this.outcome && this.seats[this.state.player] === "person";
  }

  /** A person's wish to play `move`, which is made `how`; says what came of it, for the log of presses. */
  wish(move, how = conventions.stage) {
    if (!this.awaitsPerson) return "ignored";
    const known = this.rules.formatMove(move, this.state);
    const legal = this.legal.find((other) => this.rules.formatMove(other, this.state) === known);
    const final = how === "none" || (how === "twice" && this.staged?.known === known);
    if (!final) this.stage({ known, legal, how }, this.marks(move));
    if (legal === undefined) return this.lacks(move) ? "lacking" : "illegal";
    if (final) this.play(legal);
    return final ? "move" : "shown";
  }

  /** A person's wish to play the move that is shown. */
  confirm() {
    if (!this.awaitsPerson || this.staged?.legal === undefined || this.staged.how === "twice") return "ignored";
    this.play(this.staged.legal);
    return "move";
  }

  /** Whether there is something that the button for it takes back. */
  get mayUndo() {
    return conventions.undo === "shown" ? Boolean(this.staged) : this.earlier.length > 0;
  }

  /** Takes the last moves back, to the position that a person here moved in, or the move that is shown. */
  undo() {
    if (!this.awaitsPerson || !this.mayUndo) return "ignored";
    if (conventions.undo === "shown") {
      this.stage(null);
      return "hidden";
    }
    const { state, moves } = this.earlier.pop();
    Object.assign(this, { state, moves, before: null, last: null });
    this.stage(null);
    this.look();
    this.start();
    return "undone";
  }

  /** Shows `staged`, a move that is not made yet, by elements of the page; null shows none. */
  stage(staged, shown = []) {
    for (const each of document.querySelectorAll("[data-staged]")) delete each.dataset.staged;
    for (const each of shown) each.dataset.staged = staged.legal === undefined ? "no" : this.state.player + 1;
    this.staged = staged;
    this.takeBack.disabled = !this.mayUndo;
    this.button.disabled = !staged?.how || staged.legal === undefined;
    document.documentElement.dataset.staging = staged?.how ?? "";
  }

  /** Begins another game, on the next seed. */
  restart() {
    clearTimeout(this.timer);
    this.seed = (this.seed + 1) >>> 0;
    this.reset();
    this.start();
    return "new game";
  }

  /** Draws the position, and lets a player that is no person think. */
  start() {
    const thinks = !this.outcome && !this.awaitsPerson;
    if (!thinks || conventions.answer !== "together" || this.moves.length === 0) this.draw(this);
    if (thinks) this.timer = setTimeout(() => this.answer(this.choose()), this.pause);
    else if (conventions.end === "more") this.timer = setTimeout(() => this.showMore(), this.pause);
  }

  /** Plays the move of a player that is no person. */
  answer(move) {
    if (conventions.answer !== "twice") return this.play(move);
    this.stage({ legal: move }, this.marks(move));
    this.timer = setTimeout(() => this.play(move), this.pause);
  }

  /** Draws one more move of a player that has lost and is no person: some pages make it before they look who won. */
  showMore() {
    const { player } = this.state;
    if ([undefined, null, player].includes(this.outcome?.winner) || this.seats[player] === "person") return;
    const moves = this.rules.late?.(this.state) ?? [];
    if (!moves.length) return;
    const last = moves[below(this.random, moves.length)];
    this.draw({ ...this, state: this.rules.play(this.state, last), last, awaitsPerson: false });
  }

  choose() {
    let moves = this.legal;
    if (this.seats[this.state.player] === "greedy") {
      const promises = moves.map((move) => this.rules.promise(this.state, move));
      const best = Math.max(...promises);
      moves = moves.filter((_, index) => promises[index] === best);
    }
    return moves[below(this.random, moves.length)];
  }

  reset() {
    this.random = mulberry32(this.seed + 1);
    this.ended ??= []; // the games before this one
    this.state = this.begin(this.seed);
    this.moves = [];
    this.earlier = []; // what a person here moved in
    this.stage(null);
    this.before = null; // the position before the last move
    this.last = null; // the last move
    this.look();
  }

  look() {
    this.outcome = this.rules.outcome(this.state);
    if (this.outcome) this.ended.push({ at: performance.now(), seed: this.seed, moves: this.moves, ...this.outcome });
    this.legal = this.outcome ? [] : this.rules.legal(this.state);
  }

  play(move) {
    if (this.awaitsPerson) this.earlier.push({ state: this.state, moves: [...this.moves] });
    this.stage(null);
    if (conventions.pulse === "latest") {
      for (const mark of document.querySelectorAll("[data-latest]")) mark.removeAttribute("data-latest");
      for (const mark of this.marks(move)) mark.dataset.latest = "";
    }
    this.moves.push(this.rules.formatMove(move, this.state));
    [this.before, this.last] = [this.state, move];
    this.state = this.rules.play(this.state, move);
    this.look();
    this.passOver();
    this.start();
  }

  /** Passes over all that cannot move, but a person here that is to say so. */
  passOver() {
    while (!this.outcome && this.legal.length === 0 && !(conventions.passes === "pressed" && this.awaitsPerson)) this.pass();
  }

  pass() {
    this.moves.push("-");
    this.state = this.rules.pass(this.state);
    this.look();
  }

  /** A person's wish to pass, who cannot move. */
  wishPass() {
    if (!this.awaitsPerson || this.legal.length > 0) return "ignored";
    this.pass();
    this.passOver();
    this.start();
    return "passed";
  }

  /** What a referee of this match may tell. */
  truths(game) {
    return {
      game: () => game,
      position: () => this.rules.format(this.state),
      moves: () => this.moves,
      legal: () => this.legal.map((move) => this.rules.formatMove(move, this.state)),
      player: () => this.state.player,
      seats: () => this.seats,
      seed: () => this.seed,
      over: () => this.outcome !== null,
      winner: () => this.outcome?.winner ?? null,
      scores: () => this.outcome?.scores ?? null,
      ended: () => this.ended, // every game that was played to its end, this one included
      animating: () => document.getAnimations().length > 0,
    };
  }
}

const NAMES = { random: "Random", greedy: "Greedy" };
const ORDER = ["First", "Second", "Third", "Fourth"];

/** The chips of all players, which tell whose turn it is; `swatch` classes show their colours. */
export function buildPlayers(seats) {
  const people = seats.filter((seat) => seat === "person").length;
  const chips = seats.map((seat, index) => {
    const name = NAMES[seat] ?? (people === 1 ? "You" : ORDER[index]);
    const score = element("b");
    const chip = element("div", { class: "player", "data-seat": index + 1 }, element("i", { class: "swatch" }), name, score);
    return { chip, name, score };
  });
  return {
    chips: chips.map(({ chip }) => chip),
    /** scores: what to show beside the names.  Returns the sentence for the message. */
    show({ state, outcome, seats: who }, scores) {
      chips.forEach(({ chip, score }, seat) => {
        score.textContent = scores[seat];
        chip.toggleAttribute("data-turn", !outcome && state.player === seat);
      });
      if (!outcome) {
        const { name } = chips[state.player];
        if (name === "You") return ["Your move"];
        return [who[state.player] === "person" ? `${name} to move` : "Thinking"];
      }
      if (outcome.winner === null) return ["A draw", "lost"];
      const { name } = chips[outcome.winner];
      return [name === "You" ? "You win!" : `${name} wins`, who[outcome.winner] === "person" ? "won" : "lost"];
    },
  };
}
