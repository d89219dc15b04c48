// <board-view>: the board as a drawing, and over it a button for each place where something can be done.
//
// What is special to a game comes from its module in games/: where its cells lie, what is drawn, what a place does.

import { el, pin, svg } from "./dom.js";

const SHOWN = 8; // moves of an expected line that are drawn

class BoardView extends HTMLElement {
  connectedCallback() {
    this.drawing = svg("svg", { "aria-hidden": "true", focusable: "false" });
    this.layers = Object.fromEntries(["ground", "pieces", "marks", "line", "ghost"].map((name) => [name, svg("g", { class: name })]));
    this.drawing.append(...Object.values(this.layers));
    this.places = el("div", { class: "places", role: "group" });
    this.append(this.drawing, this.places);
    this.places.addEventListener("keydown", (event) => this.walk(event));
    this.places.addEventListener("click", (event) => this.press(event.target.dataset?.place));
    for (const name of ["pointerdown", "pointerup"]) document.addEventListener(name, (event) => this.dragged(event));
    this.places.addEventListener("focusin", (event) => this.roam(event.target));
    for (const name of ["pointerover", "focusin"]) this.places.addEventListener(name, (event) => this.hover(event.target));
    for (const name of ["pointerleave", "focusout"]) this.places.addEventListener(name, () => this.showGhost(null));
    this.addEventListener("wheel", (event) => this.turn(event), { passive: false });
  }

  /** Draws `board` by the module `game`; `awaits`: whether a person may move; `hand`: what a person holds. */
  show(game, board, { awaits, hand }) {
    Object.assign(this, { game, board, awaits, hand });
    const size = game.size(board);
    this.size = size;
    this.drawing.setAttribute("viewBox", `0 0 ${size.w} ${size.h}`);
    this.style.setProperty("--shape", size.w / size.h);
    this.dataset.game = game.name;
    this.toggleAttribute("data-outlined", Boolean(game.outlined));
    for (const name of ["ground", "pieces", "marks", "ghost"]) this.layers[name].replaceChildren();
    game.draw(this.layers, board, { awaits, hand });
    if (board.last.length) this.layers.marks.append(svg("path", { class: "last", d: game.outline(board.last, board) }));
    this.places.setAttribute("aria-label", `${game.title} board`);
    this.layPlaces(game.places(board, { awaits, hand }));
  }

  layPlaces(places) {
    const known = new Map([...this.places.children].map((button) => [button.dataset.place, button]));
    const same = known.size === places.length && places.every((place) => known.has(place.id));
    if (!same) this.places.replaceChildren(...places.map(({ id }) => el("button", { type: "button", "data-place": id, tabindex: -1 })));
    this.moves = new Map();
    [...this.places.children].forEach((button, at) => {
      const place = places[at];
      pin(button, place, this.size);
      button.setAttribute("aria-label", place.label);
      button.setAttribute("aria-disabled", String(!place.can));
      button.dataset.kind = place.kind ?? "cell";
      this.moves.set(place.id, place);
    });
    if (!this.places.querySelector('[tabindex="0"]')) this.places.firstElementChild?.setAttribute("tabindex", "0");
  }

  press(id) {
    const place = this.moves.get(id);
    if (place) this.dispatchEvent(new CustomEvent("place", { detail: place, bubbles: true }));
  }

  /** A piece that is dragged to another place is taken in hand, and laid down if it fits there. */
  dragged({ type, clientX, clientY }) {
    const [from, to] = [this.dragFrom, document.elementFromPoint(clientX, clientY)?.dataset.place];
    this.dragFrom = type === "pointerdown" ? to : null;
    const place = this.moves?.get(from);
    if (type === "pointerdown" || place?.hand === undefined || !this.moves.has(to) || to === from) return;
    if (place.hand) this.press(from);
    if (this.moves.get(to).goes) this.press(to);
  }

  hover(target) {
    const place = this.moves?.get(target.dataset?.place);
    this.over = place ?? null;
    this.showGhost(place && this.awaits ? this.game.ghost(place, this.board, this.hand) : null);
  }

  /** Shows what a move would change: {cells, fits}. */
  showGhost(ghost) {
    const seat = this.board && (ghost?.fits ? `seat-${this.game.colourOf(this.board)}` : "no");
    this.layers.ghost.replaceChildren(...(ghost?.cells.length ? this.shape("ghost-fill", "ghost-shape", ghost.cells, seat) : []));
  }

  /** The area of `cells` and their outline. */
  shape(area, outline, cells, seat) {
    const fill = this.game.area?.(cells, this.board) ?? cells.map((cell) => {
      const { x, y, w, h } = this.game.rect(cell, this.board);
      return `M${x} ${y}h${w}v${h}h${-w}z`;
    }).join("");
    return [svg("path", { class: `${area} ${seat}`, d: fill }), svg("path", { class: `${outline} ${seat}`, d: this.game.outline(cells, this.board) })];
  }

  turn(event) {
    if (!this.game?.keys?.r || !this.hand || event.ctrlKey) return;
    event.preventDefault();
    this.dispatchEvent(new CustomEvent("turn", { detail: event.deltaY > 0 ? "rotate" : "back", bubbles: true }));
  }

  /** Draws the expected line: a numbered outline for each of its first moves. */
  showLine(steps) {
    const drawn = new Set();
    const parts = steps.slice(0, SHOWN).flatMap((step, at) => {
      if (!step.cells.length) return [];
      const free = step.cells.find((cell) => !drawn.has(String(cell))) ?? step.cells[0];
      const middle = this.game.label?.(step.cells, this.board) ?? this.game.rect(free, this.board);
      drawn.add(String(free));
      const [x, y] = [middle.x + middle.w / 2, middle.y + middle.h / 2];
      const seat = this.game.seatOf(step, this.board);
      return [
        ...this.shape("step-fill", "step", step.cells, `seat-${seat}`),
        svg("circle", { class: `step-dot seat-${seat}`, cx: x, cy: y, r: 17 }),
        svg("text", { class: "step-number", x, y, "data-step": step.move }, String(at + 1)),
      ];
    });
    this.layers.line.replaceChildren(...parts);
  }

  roam(button) {
    if (!button.dataset?.place) return;
    for (const other of this.places.querySelectorAll('[tabindex="0"]')) other.setAttribute("tabindex", "-1");
    button.setAttribute("tabindex", "0");
  }

  /** Arrow keys go to the nearest place in their direction. */
  walk(event) {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    const here = this.moves.get(event.target.dataset.place);
    if (!way || !here || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    const centre = ({ x, y, w, h }) => [x + w / 2, y + h / 2];
    const [hx, hy] = centre(here);
    let [best, nearest] = [null, Infinity];
    for (const place of this.moves.values()) {
      const [dx, dy] = [centre(place)[0] - hx, centre(place)[1] - hy];
      const along = dx * way[0] + dy * way[1];
      const aside = Math.abs(dx * way[1]) + Math.abs(dy * way[0]);
      const far = along + 3 * aside;
      if (along > 1 && far < nearest) [best, nearest] = [place, far];
    }
    if (best) this.places.querySelector(`[data-place="${best.id}"]`).focus();
  }
}

customElements.define("board-view", BoardView);
