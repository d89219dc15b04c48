// <start-card>: which game, on which board, which side, how strong the other one is, and whether there is a clock.

import { el, svg } from "./dom.js";
import { variantFields, variantIn } from "./variant-fields.js";
import { say } from "./words.js";

const KEPT = "boardsight:start";
const SIDES = ["first", "second", "lot", "both"];
const MINUTES = [0, 1, 3, 5, 10];
const USUAL = { game: null, side: "first", level: 3, clock: 0, boards: {} };

/** A small picture of what boards look like that are `drawn` so, for one or for two. */
function picture({ drawn, players }) {
  const square = (x, y, kind, more = {}) => svg("rect", { class: kind, x: 10 * x + 0.6, y: 10 * y + 0.6, width: 8.8, height: 8.8, rx: 1.2, ...more });
  const disc = (x, y, kind) => svg("circle", { class: kind, cx: 10 * x + 5, cy: 10 * y + 5, r: 3.9 });
  const every = [0, 1, 2, 3].flatMap((y) => [0, 1, 2, 3].map((x) => [x, y]));
  const pictures = {
    coloured: () => [...every.map(([x, y]) => square(x, y, `fill-${[0, 0, 3, 2, 0, 1, 2, 2, 4, 1, 1, 3, 4, 4, 3, 3][4 * y + x]}`)),
      svg("circle", { class: "start seat-1", cx: 5, cy: 5, r: 2.2 }), ...(players > 1 ? [svg("circle", { class: "start seat-2", cx: 35, cy: 35, r: 2.2 })] : [])],
    discs: () => [svg("rect", { class: "rack", width: 40, height: 40, rx: 4 }), ...every.map(([x, y]) => disc(x, y, { 13: "disc seat-1", 14: "disc seat-2", 10: "disc seat-1", 9: "disc seat-2", 12: "disc seat-1" }[4 * y + x] ?? "hole"))],
    squares: () => [svg("rect", { class: "felt", width: 40, height: 40, rx: 3 }), ...[[0, 0, 1], [0, 1, 1], [1, 1, 1], [2, 2, 1], [3, 3, 2], [3, 2, 2], [2, 1, 2], [3, 1, 2]].map(([x, y, seat]) => square(x, y, `fill-seat seat-${seat}`))],
    grooves: () => [...every.map(([x, y]) => square(x, y, "square")), svg("rect", { class: "wall", x: 0.5, y: 18.9, width: 19, height: 2.2 }), svg("rect", { class: "wall", x: 28.9, y: 10.5, width: 2.2, height: 19 }), disc(1, 3, "pawn seat-1"), disc(2, 0, "pawn seat-2")],
    stones: () => [...every.map(([x, y]) => square(x, y, "square")), disc(1, 1, "disc seat-1"), disc(2, 2, "disc seat-1"), disc(2, 1, "disc seat-2"), disc(1, 2, "disc seat-2"), disc(3, 1, "disc seat-1")],
  };
  return svg("svg", { viewBox: "0 0 40 40", "aria-hidden": "true" }, ...(pictures[drawn] ?? pictures.stones)());
}

class StartCard extends HTMLElement {
  /** Offers the `games` of the catalogue, `game` chosen; `back`: whether there is a game to go back to. */
  offer(games, game, back) {
    const kept = this.usual(games);
    Object.assign(this, { games, boards: kept.boards });
    const chosen = game ?? kept.game;
    const tiles = games.map((info) => this.radio("game", info.name, info.name === chosen, picture(info), el("span", {}, info.title)));
    const form = el("form", { "aria-labelledby": "start-title" },
      el("h2", { id: "start-title" }, say("start")),
      el("fieldset", { class: "tiles" }, el("legend", { class: "hidden" }, say("games")), ...tiles),
      this.choice("side", SIDES, kept.side, (side) => say(`side.${side}`)),
      this.choice("level", [1, 2, 3, 4, 5, 6, 7, 8], kept.level, String),
      this.choice("clock", MINUTES, kept.clock, (minutes) => (minutes ? say("minutes", { minutes }) : say("clock.none"))),
      el("details", { class: "ask-board" }, el("summary", {})),
      el("p", { class: "alone" }, say("alone")),
      el("p", { class: "denied", role: "alert" }),
      el("div", { class: "row go" },
        el("button", { type: "submit", class: "main" }, say("mode.play")),
        el("button", { type: "button", "data-do": "watch" }, say("watch")),
        el("button", { type: "button", "data-do": "table" }, say("mode.analyse")),
        back ? el("button", { type: "button", "data-do": "resume" }, say("resume")) : null));
    for (const kind of ["input", "change"]) form.addEventListener(kind, () => this.fit());
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const { options, ...wish } = this.wish;
      this.boards[wish.game] = options;
      localStorage.setItem(KEPT, JSON.stringify({ ...wish, boards: this.boards }));
      this.dispatchEvent(new CustomEvent("begin", { detail: { ...wish, options }, bubbles: true }));
    });
    this.replaceChildren(form);
    delete this.dataset.fields;
    this.fit();
  }

  /** What was chosen last, of the `games` there are. */
  usual(games) {
    const kept = { ...USUAL, ...JSON.parse(localStorage.getItem(KEPT) ?? "{}") };
    return { ...kept, game: games.some(({ name }) => name === kept.game) ? kept.game : games[0].name };
  }

  /** What is chosen: {game, side, level, clock, options}; no options on the usual board. */
  get wish() {
    const chosen = new FormData(this.firstElementChild);
    return { game: chosen.get("game"), side: chosen.get("side"), level: Number(chosen.get("level")), clock: Number(chosen.get("clock")), options: this.board };
  }

  get board() {
    const { options: usual } = this.info;
    const filled = variantIn(this);
    return Object.entries(filled).some(([name, value]) => usual[name] !== value) ? filled : {};
  }

  /** The line of the catalogue of the game that is chosen. */
  get info() {
    const chosen = this.querySelector("[name=game]:checked").value;
    return this.games.find(({ name }) => name === chosen);
  }

  /** Asks nothing that does not hold for the game: alone there are no sides, and without levels no level. */
  fit() {
    const { name, players, levels, fields, options } = this.info;
    if (this.dataset.fields !== name) {
      this.dataset.fields = name;
      const board = this.boards[name] ?? {};
      this.querySelector(".ask-board").replaceChildren(el("summary", {}), variantFields(fields, Object.keys(board).length ? board : options));
    }
    const { side } = this.wish;
    const { variant, rows, cols } = variantIn(this);
    const shown = [variant, rows && cols && `${rows} × ${cols}`].filter(Boolean).join(", ");
    this.querySelector("summary").replaceChildren(el("span", {}, say("start.board")), " ", el("b", {}, shown || say("variant.usual")));
    this.querySelector(".ask-side").hidden = players === 1;
    this.querySelector(".ask-level").hidden = players === 1 || !levels || side === "both";
    this.querySelector(".alone").hidden = players > 1;
    this.querySelector('[data-do="watch"]').hidden = players === 1;
  }

  choice(name, values, chosen, label) {
    const usual = values.includes(chosen) ? chosen : USUAL[name];
    return el("fieldset", { class: `ask-${name}` }, el("legend", {}, say(`start.${name}`)),
      el("div", { class: "segments" }, ...values.map((value) => this.radio(name, value, value === usual, el("span", {}, label(value))))));
  }

  radio(name, value, checked, ...inside) {
    return el("label", {}, el("input", { type: "radio", class: "hidden", name, value, checked }), ...inside);
  }
}

customElements.define("start-card", StartCard);
