// <board-view>: the board as a drawing, and over it a button for each place where something can be done.
//
// What is special to a game comes from its module in games/: where its cells lie, what is drawn, what a place does.

import { el, pin, svg } from "./dom.js";
import { Hand } from "./hand.js";
import { Motion } from "./motion.js";
import { say } from "./words.js";

const SHOWN = 8; // moves of an expected line that are drawn
const FINGER = 25; // pixels: 24 are the least a target may measure, WCAG 2.5.8, and one is lost between pixels

const holds = ({ x, y, w, h }, at) => at.x >= x && at.x <= x + w && at.y >= y && at.y <= y + h;

class BoardView extends HTMLElement {
  connectedCallback() {
    this.drawing = svg("svg", { "aria-hidden": "true", focusable: "false" });
    this.layers = Object.fromEntries(["ground", "pieces", "marks", "worths", "line", "ghost"].map((name) => [name, svg("g", { class: name })]));
    this.drawing.append(...Object.values(this.layers));
    this.rim = el("div", { class: "rim", "aria-hidden": "true" });
    this.places = el("div", { class: "places", role: "group" });
    this.carried = el("div", { class: "carried", "aria-hidden": "true" });
    this.append(this.drawing, this.rim, this.places, this.carried);
    this.motion = new Motion();
    this.holder = new Hand(this);
    this.places.addEventListener("keydown", (event) => this.walk(event));
    this.places.addEventListener("focusin", (event) => this.focused(event.target));
    this.places.addEventListener("focusout", () => this.keyed && this.shade(null));
  }

  /** Whether the board is seen from its other side. */
  get turned() {
    return this.hasAttribute("data-turned");
  }

  /** Draws `board` by the module `game`; `awaits`: whether a person may move; `hints`: whether it is marked where;
   *  `hand`: what a person holds. */
  show(game, board, { awaits, hints = awaits, hand }) {
    this.motion.follow(game, this.game?.name === game.name ? this.board : null, board);
    const moved = this.board?.ply !== board.ply || this.board?.text !== board.text;
    Object.assign(this, { game, board, awaits, hand });
    const size = game.size(board);
    this.size = size;
    this.drawing.setAttribute("viewBox", `0 0 ${size.w} ${size.h}`);
    this.style.setProperty("--shape", size.w / size.h);
    this.dataset.game = game.name;
    this.toggleAttribute("data-outlined", Boolean(game.outlined));
    for (const name of ["ground", "pieces", "marks", "ghost"]) this.layers[name].replaceChildren();
    game.draw(this.layers, board, { awaits: hints, hand });
    if (board.last.length) this.layers.marks.append(svg("path", { class: "last", "data-at": "last", d: game.outline(board.last, board) }));
    this.motion.play(Object.values(this.layers));
    this.places.setAttribute("aria-label", say("board.of", { game: game.title }));
    this.layPlaces(game.places(board, { awaits, hand }));
    this.drawRim(game.edges?.(board) ?? { files: [], ranks: [] });
    this.holder.renew(moved);
  }

  /** What files and ranks are called, as moves name them, beside the board: [[name, where its middle is]]. */
  drawRim({ files, ranks }) {
    const key = JSON.stringify([files, ranks, this.size, this.turned]);
    if (key === this.rim.dataset.key) return;
    this.rim.dataset.key = key;
    this.dataset.rim = `${files.length ? "files" : ""} ${ranks.length ? "ranks" : ""}`;
    const place = (at, most) => `${(100 * (this.turned ? most - at : at)) / most}%`;
    const mark = (kind, name, side, where) => {
      const node = el("span", { class: kind }, name);
      node.style[side] = where;
      return node;
    };
    this.rim.replaceChildren(
      ...files.map(([name, at]) => mark("file", name, "left", place(at, this.size.w))),
      ...ranks.map(([name, at]) => mark("rank", name, "top", place(at, this.size.h))),
    );
  }

  /** Where on the board a pointer is, in the drawing's units: the one place that knows how the board lies on the screen. */
  unitsAt({ clientX, clientY }) {
    const box = this.drawing.getBoundingClientRect();
    const [across, down] = [(clientX - box.left) / box.width, (clientY - box.top) / box.height];
    return { x: (this.turned ? 1 - across : across) * this.size.w, y: (this.turned ? 1 - down : down) * this.size.h };
  }

  /** The place that a pointer means, null beside the board. */
  aim(pointer) {
    if (!this.game) return null;
    const at = this.unitsAt(pointer);
    if (at.x < 0 || at.y < 0 || at.x > this.size.w || at.y > this.size.h) return null;
    if (this.game.aim) return this.game.aim(at, this.board, { awaits: this.awaits, coarse: this.holder.coarse, finger: this.finger, hand: this.hand, places: this.moves });
    return [...this.moves.values()].find((place) => holds(place, at)) ?? null;
  }

  /** The least that a target may measure, in the drawing's units. */
  get finger() {
    return (FINGER * this.size.w) / this.drawing.getBoundingClientRect().width;
  }

  /** Whether a pointer is on the shadow of `place`, or as near to it as a finger comes. */
  covers(place, pointer) {
    const at = this.unitsAt(pointer);
    const near = this.finger / 2;
    const cells = this.game.ghost(place, this.board, this.hand)?.cells ?? [];
    return cells.map((cell) => this.game.rect(cell, this.board)).some(({ x, y, w, h }) => {
      const [wide, high] = [Math.max(near - w / 2, 0), Math.max(near - h / 2, 0)];
      return holds({ x: x - wide, y: y - high, w: w + 2 * wide, h: h + 2 * high }, at);
    });
  }

  layPlaces(places) {
    const known = [...this.places.children];
    const same = known.length === places.length && places.every(({ id }, at) => known[at].dataset.place === id);
    const before = same && this.laidOn === `${this.size.w} ${this.size.h}` ? this.moves : null;
    this.laidOn = `${this.size.w} ${this.size.h}`;
    if (!same) this.places.replaceChildren(...places.map(({ id }) => el("button", { type: "button", "data-place": id, tabindex: -1 })));
    this.moves = new Map();
    [...this.places.children].forEach((button, at) => {
      const place = places[at];
      const was = before?.get(place.id);
      if (!was || ["x", "y", "w", "h"].some((part) => was[part] !== place[part])) pin(button, place, this.size);
      if (was?.label !== place.label) button.setAttribute("aria-label", place.label);
      if (!was || Boolean(was.can) !== Boolean(place.can)) button.setAttribute("aria-disabled", String(!place.can));
      button.dataset.kind = place.kind ?? "cell";
      button.toggleAttribute("data-drag", Boolean(place.hand || place.shadow));
      this.moves.set(place.id, place);
    });
    this.places.toggleAttribute("data-drag", places.some((place) => place.shadow));
    if (!this.places.querySelector('[tabindex="0"]')) this.places.firstElementChild?.setAttribute("tabindex", "0");
  }

  /** Does what a press on a place does, or tells that it does nothing. */
  press(place) {
    this.tell(place.can && this.awaits ? "place" : "wrong", place);
  }

  tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }

  focused(button) {
    this.roam(button);
    this.keyed = button.matches(":focus-visible"); // a finger's shadow stays where it was laid
    if (this.keyed) this.shade(this.moves?.get(button.dataset?.place));
  }

  /** Shows the shadow of what a press on `place` would do. */
  shade(place) {
    this.showGhost(place && this.awaits ? this.game.ghost(place, this.board, this.hand) : null);
  }

  /** Shows what is carried at a pointer beside the board. */
  carry(pointer) {
    const picture = pointer && this.hand && this.game.carried?.(this.hand, this.board);
    if (!picture) return this.carried.replaceChildren();
    picture.style.width = `${picture.getAttribute("width") * (this.drawing.getBoundingClientRect().width / this.size.w)}px`;
    this.carried.style.translate = `${pointer.clientX}px ${pointer.clientY}px`;
    this.carried.replaceChildren(picture);
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
    if (this.turned) way.forEach((step, axis) => { way[axis] = -step; });
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
