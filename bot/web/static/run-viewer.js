// <run-viewer>: a run turn by turn, as a film: what was seen, why the move was chosen, what was pressed, how long it took.
//
// It shows runs that go on and saved ones alike.  Only the turn that is looked at is drawn, and of the strip what is in sight.

import "./candidate-bars.js";
import { el, number, svg } from "./dom.js";
import { parts, say, written } from "./words.js";

const UNSURE = 0.5; // as bot.runs.viewing says it
const FRAME = 84; // pixels from a picture of the strip to the next
const PACE = 700; // milliseconds a turn is shown while the film plays
const LEAST = 8; // of the least sure cells that are named
const TABS = ["seen", "why", "pressed", "times"];
const KEYS = ["turn", "ends", "play", "doubt", "tabs", "cell"];

class RunViewer extends HTMLElement {
  connectedCallback() {
    const button = (act, face, words, extra = {}) => el("button", { type: "button", "data-do": act, title: words, ...extra }, face);
    this.film = el("div", { class: "film" });
    this.strip = el("div", { class: "strip", "aria-hidden": "true" }, this.film);
    this.scrubber = el("input", { type: "range", class: "scrub", "aria-label": say("turn"), min: 1, value: 1 });
    this.ply = el("output", { class: "ply" });
    const transport = el("div", { class: "transport", role: "group", "aria-label": say("turns") },
      button("back", "‹", say("turn.back"), { "aria-label": say("back") }), button("play", say("film.play"), say("film.title"), { "aria-pressed": "false" }),
      button("forth", "›", say("turn.forth"), { "aria-label": say("forth") }), this.scrubber, this.ply,
      button("doubt", "", say("doubt.title")),
      button("live", say("follow"), say("follow.title"), { "aria-pressed": "true", hidden: !this.hasAttribute("live") }));
    this.image = el("img", { class: "seen", alt: "" });
    this.overlay = svg("svg", { class: "overlay", "aria-hidden": "true", focusable: "false" });
    this.board = el("div", { class: "frame", tabindex: 0, role: "group", "aria-label": say("picture") }, this.image, this.overlay);
    this.screen = el("figure", { class: "whole", hidden: true }, el("div", { class: "frame" }, el("img", { alt: "" }), svg("svg", { class: "overlay", "aria-hidden": "true" })), el("figcaption"));
    this.drawn = el("input", { type: "checkbox", name: "overlay", checked: true });
    this.heading = el("h2", { class: "turn", role: "status", "aria-live": "polite" });
    this.tabs = el("div", { role: "tablist", "aria-label": say("turn.of") }, ...TABS.map((name) => (
      el("button", { type: "button", role: "tab", id: `tab-${name}`, "data-tab": name, "aria-controls": `panel-${name}` }, say(`tab.${name}`)))));
    this.panels = Object.fromEntries(TABS.map((name) => (
      [name, el("div", { role: "tabpanel", id: `panel-${name}`, "aria-labelledby": `tab-${name}`, tabindex: 0 })])));
    this.append(
      el("div", { class: "reel" }, this.strip, transport),
      el("section", { class: "stage", "aria-label": say("saw") }, this.board, el("label", {}, this.drawn, " ", say("overlay"))),
      el("section", { class: "mind", "aria-label": say("thought") }, this.heading, this.tabs, ...Object.values(this.panels)),
      this.screen,
      el("details", { class: "keys" }, el("summary", {}, say("keys")), el("dl", {}, ...KEYS.flatMap((name) => [el("dt", {}, say(`key.${name}`)), el("dd", {}, say(`does.${name}`))]))),
    );
    this.begin();
    this.choose("seen");
    this.listen();
  }

  listen() {
    this.addEventListener("click", (event) => {
      const { target } = event;
      this.acts[target.closest("[data-do]")?.dataset.do]?.();
      if (target.closest("[data-tab]")) this.choose(target.closest("[data-tab]").dataset.tab);
      if (target.closest("[data-turn]")) this.look(Number(target.closest("[data-turn]").dataset.turn));
      if (target.closest("[data-cell]")) this.zoom(target.closest("[data-cell]").dataset.cell.split(",").map(Number));
    });
    this.board.addEventListener("click", (event) => this.point(event));
    this.board.addEventListener("keydown", (event) => this.walk(event));
    this.tabs.addEventListener("keydown", (event) => this.turnTab(event));
    this.scrubber.addEventListener("input", () => this.look(Number(this.scrubber.value) - 1));
    this.strip.addEventListener("scroll", () => requestAnimationFrame(() => this.drawStrip()));
    new ResizeObserver(() => this.drawStrip()).observe(this.strip);
    this.drawn.addEventListener("change", () => this.draw());
    document.addEventListener("keydown", (event) => this.press(event));
    this.acts = {
      back: () => this.look(this.at - 1),
      forth: () => this.look(this.at + 1),
      play: () => this.play(!this.timer),
      doubt: () => this.look(this.doubtful(this.at)),
      live: () => this.follow(!this.live),
    };
  }

  /** Forgets what was shown. */
  begin() {
    Object.assign(this, { boards: {}, turns: [], between: {}, at: -1, cell: null, live: this.hasAttribute("live") });
    this.draw();
  }

  /** A board of the full picture, as `board_told` gives it, with the address of that picture. */
  addBoard(number, board) {
    this.boards[number] = board;
    if (this.at < 0) this.draw();
  }

  /** The next turn: {number, played, doubts} and `load`, which gives its line of the journal, with the address of its picture. */
  addTurn(turn) {
    this.turns.push(turn);
    this.drawSoon(this.live || this.at < 0);
  }

  /** An answer or a note, after so many turns. */
  addBetween(after, line) {
    (this.between[after] ??= []).push(line);
    if (after === this.at + 1) this.drawSoon(false);
  }

  /** Draws once for all that comes together; `latest`: the last turn of all. */
  drawSoon(latest) {
    if (latest && this.hasAttribute("live")) this.at = this.turns.length - 1;
    this.waiting ??= requestAnimationFrame(() => {
      this.waiting = null;
      this.draw();
    });
  }

  /** Shows the turn at `at`, the nearest there is; the film of a run that goes on no longer follows it. */
  look(at) {
    if (!this.turns.length) return;
    this.at = Math.min(Math.max(at, 0), this.turns.length - 1);
    this.live = false;
    this.draw();
    this.dispatchEvent(new CustomEvent("turn", { detail: this.turns[this.at].number, bubbles: true }));
  }

  follow(live) {
    this.live = live;
    if (live) this.at = this.turns.length - 1;
    this.draw();
  }

  play(on) {
    clearInterval(this.timer);
    this.timer = null;
    if (on && this.turns.length) {
      this.look(this.at + 1 < this.turns.length ? this.at + 1 : 0);
      this.timer = setInterval(() => (this.at + 1 < this.turns.length ? this.look(this.at + 1) : this.play(false)), PACE);
    }
    const button = this.querySelector('[data-do="play"]');
    button.textContent = say(this.timer ? "film.pause" : "film.play");
    button.setAttribute("aria-pressed", String(Boolean(this.timer)));
  }

  /** The next doubtful turn after `at`, from the first again after the last; where there is none, `at`. */
  doubtful(at) {
    const order = [...this.turns.keys()];
    return [...order.slice(at + 1), ...order.slice(0, at + 1)].find((each) => this.turns[each].doubts.length) ?? at;
  }

  choose(name) {
    for (const tab of this.tabs.children) {
      const chosen = tab.dataset.tab === name;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
      this.panels[tab.dataset.tab].hidden = !chosen;
    }
  }

  press(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || event.target.closest?.("input, select, textarea")) return;
    if (event.key === " " && event.target.closest?.("button, summary")) return;
    const tab = TABS[Number(event.key) - 1];
    const act = {
      ArrowLeft: this.acts.back, ArrowRight: this.acts.forth, " ": this.acts.play, d: this.acts.doubt, D: this.acts.doubt,
      Home: () => this.look(0), End: () => this.look(this.turns.length - 1),
    }[event.key] ?? (tab && (() => this.choose(tab)));
    if (!act) return;
    event.preventDefault();
    act();
  }

  turnTab(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = TABS[(TABS.indexOf(event.target.dataset.tab) + step + TABS.length) % TABS.length];
    this.choose(next);
    this.tabs.querySelector(`[data-tab="${next}"]`).focus();
  }

  draw() {
    const { turns, at } = this;
    this.ply.textContent = turns.length ? say("turn.at", { number: at + 1, count: turns.length }) : say("turn.none");
    Object.assign(this.scrubber, { max: Math.max(turns.length, 1), value: at + 1, disabled: !turns.length });
    for (const act of ["back", "play", "forth"]) this.querySelector(`[data-do="${act}"]`).disabled = !turns.length;
    const doubtful = turns.filter(({ doubts }) => doubts.length).length;
    Object.assign(this.querySelector('[data-do="doubt"]'), { disabled: !doubtful, textContent: doubtful ? say("doubt.next", { count: doubtful }) : say("doubt.none") });
    this.querySelector('[data-do="live"]').setAttribute("aria-pressed", String(this.live));
    this.film.style.width = `${turns.length * FRAME}px`;
    this.strip.scrollLeft = (at + 0.5) * FRAME - this.strip.clientWidth / 2;
    this.drawStrip();
    this.turn = at < 0 ? null : turns[at].load();
    this.drawTurn(this.turn, this.boards[this.turn?.calibration ?? Object.keys(this.boards).at(-1)]);
  }

  /** The pictures of the strip that are in sight. */
  drawStrip() {
    const first = Math.max(0, Math.floor(this.strip.scrollLeft / FRAME) - 1);
    const last = Math.min(this.turns.length, first + Math.ceil(this.strip.clientWidth / FRAME) + 3);
    this.kept = new Map([...(this.kept ?? [])].filter(([turn]) => this.turns.indexOf(turn, first) < last));
    const shown = this.turns.slice(first, last).map((turn, index) => {
      const at = first + index;
      if (!this.kept.has(turn)) {
        const number = el("span", {}, `${turn.number}: ${turn.played}`);
        this.kept.set(turn, el("div", { "data-turn": at, title: [say("turn.number", { number: turn.number }), ...turn.doubts].join(", ") }, el("img", { src: turn.load().picture, alt: "" }), number));
      }
      const item = this.kept.get(turn);
      item.style.left = `${at * FRAME}px`;
      item.toggleAttribute("data-now", at === this.at);
      item.toggleAttribute("data-doubtful", turn.doubts.length > 0);
      return item;
    });
    this.film.replaceChildren(...shown);
  }

  drawTurn(turn, board) {
    this.board.hidden = this.drawn.parentElement.hidden = !turn;
    this.cell = null;
    this.drawScreen(turn, board);
    if (!turn) {
      this.heading.textContent = say(board ? "turn.found" : "turn.unplayed");
      Object.values(this.panels).forEach((panel) => panel.replaceChildren());
      return this.panels.seen.append(el("ul", { class: "then" }, ...(this.between[0] ?? []).map((line) => el("li", {}, ...words(line, board)))));
    }
    this.image.alt = say("picture.before", { number: turn.number });
    this.image.onload = () => this.drawOverlay(turn, board);
    this.image.src = turn.picture;
    this.heading.replaceChildren(...parts("turn.plays", { number: turn.number, move: face(turn.played, board), outcome: turn.outcome }));
    this.panels.seen.replaceChildren(...this.seen(turn, board));
    this.panels.why.replaceChildren(...this.why(turn, board));
    this.panels.pressed.replaceChildren(...this.pressed(turn, board));
    this.panels.times.replaceChildren(times(turn.milliseconds));
    return undefined;
  }

  seen(turn, board) {
    const cells = turn.grid.flatMap((row, at) => row.map((kind, col) => ({ at: [at, col], kind, sure: turn.confidence[at][col] })));
    const least = cells.filter(({ sure }) => sure < 1).sort((a, b) => a.sure - b.sure).slice(0, LEAST);
    const { doubts } = this.turns[this.at];
    this.closer = el("div", { class: "closer" }, el("p", { class: "line" }, say("closer")));
    return [
      el("p", { class: doubts.length ? "doubts" : "line" }, doubts.length ? say("doubt.these", { doubts: doubts.join(", ") }) : say("doubt.free", { count: cells.length })),
      this.closer,
      least.length ? el("p", { class: "line" }, say("least")) : null,
      el("div", { class: "row least" }, ...least.map(({ at, sure }) => el("button", { type: "button", "data-cell": at.join(",") }, say("least.cell", { row: at[0] + 1, col: at[1] + 1, sure: number(sure) })))),
      this.position(turn),
      turn.state ? el("p", { class: "line text" }, turn.state) : null,
    ].filter(Boolean);
  }

  /** The position that was read as a drawing, by the page's `drawPosition` where it has one. */
  position(turn) {
    const place = el("div", { class: "position" });
    this.drawPosition?.(place, turn);
    return place;
  }

  why(turn, board) {
    const { decision } = turn;
    const { score = null, proven = false, line = [], nodes = null, seconds = null, more = 0 } = decision;
    const candidates = (decision.candidates ?? []).map((each) => ({ ...each, words: each.words ?? (typeof each.score === "number" ? number(each.score) : "–") }));
    const bars = el("candidate-bars");
    const best = decision.best ?? [];
    bars.show({ answer: { ...decision, score, best, candidates, move: turn.played }, legal: [], actions: null, face: (move) => face(move, board), words: null, awaits: false });
    const judged = score === null ? say("score.none") : decision.words ?? say("score", { score: number(score) });
    const verdict = proven ? say("proven", { verdict: judged }) : judged;
    const cost = [nodes === null ? "" : say("positions", { count: nodes }), seconds === null ? "" : say("seconds", { seconds: number(seconds) })].filter(Boolean).join(", ");
    const told = [
      el("p", { class: "verdict", "data-proven": proven }, verdict),
      bars,
      more ? el("p", { class: "line" }, say("more", { count: more })) : null,
      line.length > 1 ? el("p", { class: "line" }, ...parts("expected", { line: line.slice(0, 12).flatMap((move) => [face(move, board), " "]) })) : null,
      el("p", { class: "cost" }, cost),
    ];
    return told.filter(Boolean);
  }

  pressed(turn, board) {
    const clicks = turn.clicks.map(({ target, spot }) => el("li", {}, say("press", { target, spot: spot.map((at) => written(at, 1)).join("; ") })));
    const told = (this.between[this.at + 1] ?? []).map((line) => el("li", {}, ...words(line, board)));
    const first = this.at === 0 ? (this.between[0] ?? []).map((line) => el("li", {}, say("before"), " ", ...words(line, board))) : [];
    return [
      el("ol", { class: "clicks" }, ...(clicks.length ? clicks : [el("li", {}, say("nothing"))])),
      el("p", {}, turn.tries > 1 ? say("tries", { outcome: turn.outcome, count: turn.tries }) : turn.outcome),
      el("ul", { class: "then" }, ...first, ...told),
      el("p", { class: "line text" }, say("then", { position: turn.after || say("then.start") })),
    ];
  }

  /** The whole screen with the board marked in it, and in its place the picture of the turn. */
  drawScreen(turn, board) {
    this.screen.hidden = !board?.picture;
    if (this.screen.hidden) return;
    const image = this.screen.querySelector("img");
    const draw = () => {
      const [[x, y], [w, h]] = corner(board, [0, 0]);
      const layer = this.screen.querySelector("svg");
      layer.setAttribute("viewBox", `0 0 ${image.naturalWidth} ${image.naturalHeight}`);
      const now = turn ? [svg("image", { href: turn.picture, x: turn.offset[0], y: turn.offset[1], width: this.image.naturalWidth, height: this.image.naturalHeight })] : [];
      layer.replaceChildren(...now, svg("rect", { class: "found", x, y, width: w, height: h }), ...(turn ? presses(turn, board, [0, 0]) : []));
    };
    image.alt = say("screen.found");
    this.drawWhole = draw;
    image.onload = draw;
    if (image.getAttribute("src") !== board.picture) image.src = board.picture;
    const [across, down] = board.pitch;
    this.screen.querySelector("figcaption").textContent = say("screen", { size: board.size, across: written(across, 2), down: written(down, 2), sure: number(board.confidence) });
  }

  /** The lattice, each place as sure as it was read, and the presses, over the board's picture. */
  drawOverlay(turn, board) {
    if (turn !== this.turn) return;
    this.drawWhole?.();
    this.image.style.setProperty("--shape", this.image.naturalWidth / this.image.naturalHeight); // the lines lie on all of it
    this.overlay.setAttribute("viewBox", `0 0 ${this.image.naturalWidth} ${this.image.naturalHeight}`);
    if (!board || !this.drawn.checked) return this.overlay.replaceChildren();
    const [[x, y], [w, h]] = corner(board, turn.offset);
    const [across, down] = board.pitch;
    const lines = Array.from({ length: board.cols + 1 }, (_, at) => `M${x + at * across} ${y}v${h}`)
      .concat(Array.from({ length: board.rows + 1 }, (_, at) => `M${x} ${y + at * down}h${w}`));
    const cells = turn.grid.flatMap((row, at) => row.map((kind, col) => {
      const sure = turn.confidence[at][col];
      if (grooved(turn, board) && !kind && sure >= UNSURE) return null;
      const [cx, cy] = middle(turn, board, [at, col]);
      const fill = board.palette[colour(turn, board, [at, col])] ?? "none";
      return svg("circle", { class: kind < 0 ? "cell unread" : sure < UNSURE ? "cell doubtful" : "cell", fill, cx, cy, r: Math.min(across, down) / 9, "fill-opacity": Math.max(sure, 0.2) });
    })).filter(Boolean);
    return this.overlay.replaceChildren(svg("path", { class: "lattice", d: lines.join("") }), ...cells, ...presses(turn, board, turn.offset), svg("rect", { class: "chosen-cell", visibility: "hidden" }));
  }

  /** The place of the grid that was pointed at. */
  point(event) {
    const board = this.boards[this.turn.calibration];
    const box = this.image.getBoundingClientRect();
    const scale = this.image.naturalWidth / box.width;
    const [x, y] = [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
    let [best, nearest] = [null, Infinity];
    this.turn.grid.forEach((row, at) => row.forEach((_, col) => {
      const [cx, cy] = middle(this.turn, board, [at, col]);
      if (Math.hypot(cx - x, cy - y) < nearest) [best, nearest] = [[at, col], Math.hypot(cx - x, cy - y)];
    }));
    if (best) this.zoom(best);
  }

  walk(event) {
    const [down, right] = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key] ?? [0, 0];
    if (event.key === "Escape") this.zoom(null);
    if (!(down || right) || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const { grid } = this.turn;
    const [row, col] = this.cell ?? [-down, -right];
    this.zoom([Math.min(Math.max(row + down, 0), grid.length - 1), Math.min(Math.max(col + right, 0), grid[0].length - 1)]);
  }

  /** Looks closely at a place of the grid, null for none: its pixels, what was read there and how surely. */
  zoom(cell) {
    this.cell = cell;
    const mark = this.overlay.querySelector(".chosen-cell");
    mark?.setAttribute("visibility", cell ? "visible" : "hidden");
    if (!cell) return this.closer.replaceChildren();
    this.choose("seen");
    const { turn, boards } = this;
    const board = boards[turn.calibration];
    const [[cx, cy], [row, col]] = [middle(turn, board, cell), cell];
    const [w, h] = board.pitch.map((pitch) => pitch * 1.5);
    const [x, y] = [cx - w / 2, cy - h / 2];
    for (const [name, value] of Object.entries({ x: cx - w / 3, y: cy - h / 3, width: w / 1.5, height: h / 1.5 })) mark?.setAttribute(name, value);
    const glass = el("canvas", { width: 160, height: Math.round((160 * h) / w), role: "img", "aria-label": say("cell.enlarged", { row: row + 1, col: col + 1 }) });
    const pen = glass.getContext("2d");
    pen.imageSmoothingEnabled = false;
    pen.drawImage(this.image, x, y, w, h, 0, 0, glass.width, glass.height);
    const [kind, sure] = [turn.grid[row][col], turn.confidence[row][col]];
    const shown = board.palette[colour(turn, board, cell)];
    const chip = shown ? el("i", { class: "tint" }) : "";
    if (shown) chip.style.background = shown;
    const read = kind === -1 ? say("unread") : kind < 0 ? say("cell.none") : say("kind", { kind });
    return this.closer.replaceChildren(glass, el("div", {},
      el("p", {}, say("cell", { row: row + 1, col: col + 1 })), el("p", {}, chip, ` ${read}`),
      el("p", {}, say("confidence", { sure: number(sure) })), el("meter", { min: 0, max: 1, low: UNSURE, value: sure, "aria-label": say("confidence.label") })));
  }
}

/** A move's text, with its colour where it names one. */
function face(move, board) {
  const tint = board?.filled && /^[0-9a-f]$/u.test(move) ? board.palette[parseInt(move, 16)] : null;
  if (!tint) return el("span", { class: "text" }, move);
  const chip = el("i", { class: "tint" });
  chip.style.background = tint;
  return el("span", { class: "text" }, chip, ` ${move}`);
}

/** What an answer or a note says. */
function words(line, board) {
  if (line.kind === "note") return [line.text];
  if (!line.seats.length) return [say("anew")];
  return parts("answered", { seat: line.seats[0] + 1, moves: line.moves.flatMap((move) => [face(move, board), " "]) });
}

function times(milliseconds) {
  const most = Math.max(...Object.values(milliseconds), 1);
  return el("dl", { class: "times" }, ...Object.entries(milliseconds).flatMap(([stage, spent]) => {
    const bar = el("i");
    bar.style.width = `${(100 * spent) / most}%`;
    return [el("dt", {}, stage), el("dd", {}, el("span", { class: "bar", "aria-hidden": "true" }, bar), el("span", { class: "score" }, say("milliseconds", { spent: written(spent, 1) })))];
  }));
}

/** The presses of a turn over a picture that begins at `offset` of the full one. */
function presses(turn, board, offset) {
  return turn.clicks.map(({ pixel }) => svg("circle", { class: "click", cx: pixel[0] - offset[0], cy: pixel[1] - offset[1], r: Math.min(...board.pitch) / 4 }));
}

/** The board's top left corner in a picture that begins at `offset`, and its width and height. */
function corner(board, offset) {
  const [across, down] = board.pitch;
  const at = [board.origin[0] - offset[0] - across / 2, board.origin[1] - offset[1] - down / 2];
  return [at, [across * board.cols, down * board.rows]];
}

/** Whether every other place of the grid is a groove between cells. */
const grooved = (turn, board) => turn.grid.length === 2 * board.rows - 1 && board.rows > 1;

/** The middle of a place of the grid, in the picture of the turn. */
function middle(turn, board, [row, col]) {
  const share = grooved(turn, board) ? 2 : 1;
  return [board.origin[0] - turn.offset[0] + (col * board.pitch[0]) / share, board.origin[1] - turn.offset[1] + (row * board.pitch[1]) / share];
}

/** Where in the palette the colour of a place stands: with grooves it holds cells, grooves and pawns, but no walls. */
function colour(turn, board, [row, col]) {
  const kind = turn.grid[row][col];
  if (!grooved(turn, board)) return kind;
  if (row % 2 || col % 2) return kind === 0 ? 1 : -1;
  return kind > 0 ? kind + 1 : kind;
}

customElements.define("run-viewer", RunViewer);
