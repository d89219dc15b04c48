// Tricks a page plays on the pointer, and a witness of every press; runs before the scripts of every page and frame.
//
// The address of the outermost page tells the tricks: ?tricks=[{"kind": "popup", "on": "target", ...}, ...], see tricks.py.
// What is ours to play a trick with has `data-trick`; presses on it are swallowed and never reach the game.
(() => {
  const plan = JSON.parse(new URLSearchParams(top.location.search).get("tricks") ?? "[]");

  /** What lies at a place of the outermost page: the name of what the game hears, and of the trick that lies there. */
  const lookAt = ([x, y]) => {
    let [page, found] = [top.document, top.document.elementFromPoint(x, y)];
    while (found?.tagName === "IFRAME" && found.contentDocument) {
      const { left, top: upper } = found.getBoundingClientRect();
      [x, y, page] = [x - left - found.clientLeft, y - upper - found.clientTop, found.contentDocument];
      found = page.elementFromPoint(x, y);
    }
    const over = found?.closest?.(".over");
    return {
      name: found?.closest?.("[data-press]")?.dataset.press ?? (over ? `above:${over.dataset.col}` : ""),
      trick: found?.closest?.("[data-trick]")?.dataset.trick ?? "",
      ground: found?.nodeType ? getComputedStyle(found).backgroundColor : "",
    };
  };

  /** Remembers each press, what it met, and since when that was there while the pointer rested. */
  const seatWitness = () => {
    const told = { presses: [], struck: [] };
    let [place, arrived, known, since, heard] = [null, 0, "", 0, () => {}];
    const look = (atOnce = false) => { // atOnce: what the pointer's arrival brings about, whatever it takes to draw it
      if (!place) return null;
      const met = lookAt(place);
      const words = `${met.name} ${met.trick}`;
      if (words !== known) [known, since] = [words, atOnce ? arrived : Date.now()];
      return met;
    };
    const arrive = (x, y) => {
      if (place && Math.abs(place[0] - x) < 1 && Math.abs(place[1] - y) < 1) return; // a frame that moved rounds anew
      [place, arrived, known] = [[x, y], Date.now(), null];
      look(true);
    };
    const press = (by, x, y) => {
      arrive(x, y);
      const met = look();
      told.presses.push({ by, x, y, at: Date.now(), arrived, since, ...met });
      heard();
    };
    const release = (x, y) => {
      const [down] = told.presses.slice(-1);
      const met = lookAt([x, y]);
      if (met.trick && down && !down.trick) told.presses.push({ by: "release", x, y, at: Date.now(), arrived, since: Date.now(), ...met });
    };
    const key = (name, element) => told.presses.push({
      by: "key", x: 0, y: 0, at: Date.now(), arrived: 0, since: 0, name: `key:${name.toLowerCase()}`, ground: "",
      trick: element.closest?.("[data-trick]")?.dataset.trick ?? "",
    });
    const watch = () => { look(); requestAnimationFrame(watch); };
    watch();
    return { told, look, arrive, press, release, key, whenPressed: (act) => { heard = act; } };
  };
  if (window === top) top.boardsightWitness = seatWitness();
  const witness = top.boardsightWitness;

  const inTop = ({ clientX: x, clientY: y }) => {
    for (let frame = window.frameElement; frame; frame = frame.ownerDocument.defaultView.frameElement) {
      const { left, top: upper } = frame.getBoundingClientRect();
      [x, y] = [x + left + frame.clientLeft, y + upper + frame.clientTop];
    }
    return [x, y];
  };
  addEventListener("mousemove", (event) => witness.arrive(...inTop(event)), true);
  addEventListener("mousedown", (event) => witness.press("mouse", ...inTop(event)), true);
  addEventListener("mouseup", (event) => witness.release(...inTop(event)), true);
  addEventListener("keydown", (event) => witness.key(event.key, event.target), true);
  addEventListener("click", (event) => { if (event.target.closest?.("[data-trick]")) event.stopImmediatePropagation(); }, true);

  let arriving = false; // while what follows from the pointer's arrival is done
  /** Does `change` and lets the witness see it. */
  const strike = (trick, change) => {
    change();
    witness.told.struck.push({ kind: trick.kind, at: Date.now() });
    witness.look(arriving);
  };
  const later = (seconds, act) => (seconds > 0 ? setTimeout(act, 1000 * seconds) : act());
  /** `act`, the first `times` times; always where that is 0. */
  const limited = (times, act) => { let left = times || Infinity; return (...what) => { if (left-- > 0) act(...what); }; };

  const mulberry = (seed) => () => {
    seed = (seed + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), seed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };

  const box = ({ kind, word, ground, ink, size = 14 }, [left, upper, width, height]) => {
    const made = document.createElement("div");
    made.dataset.trick = kind;
    made.textContent = word;
    Object.assign(made.style, {
      position: "fixed", zIndex: 99, left: `${left}px`, top: `${upper}px`, width: `${width}px`, height: `${height}px`,
      display: "grid", placeItems: "center", overflow: "hidden", background: ground, color: ink, font: `600 ${size}px sans-serif`,
      boxShadow: "0 1px 4px rgb(0 0 0 / 40%)", cursor: "pointer",
    });
    document.body.append(made);
    return made;
  };

  // ---- what happens when the pointer comes to a part of the page, or leaves it ----

  /** The parts that are pressed, and all of them: colour buttons, or arrows above columns, else the board's own. */
  const parts = () => {
    if (document.querySelector(".colours")) return { target: ".colour", board: ".colours" };
    if (document.querySelector(".arrow")) return { target: ".arrow", board: ".above" };
    return { target: ".cell, .square, .groove", board: ".board" };
  };

  /** Calls `enter(part, event)` when the pointer comes to a part, and what that gave when it left it. */
  const onHover = ({ on, after, times }, enter) => {
    let [here, undo, waiting] = [null, null, 0];
    const begin = limited(times, (part, event) => { undo = enter(part, event); });
    const arrive = (event, part) => {
      if (part === here || (undo?.made && undo.made.contains(event.target))) return;
      clearTimeout(waiting);
      undo?.();
      [here, undo] = [part, null];
      arriving = true;
      if (part) waiting = later(after, () => begin(part, event));
      arriving = false;
    };
    addEventListener("mousemove", (event) => arrive(event, event.target.closest?.(parts()[on]) ?? null), true);
    document.documentElement.addEventListener("mouseleave", (event) => arrive(event, null)); // out of a frame
  };
  /** Ends what lasts so many seconds, or where that is 0, when the pointer leaves. */
  const lasting = (seconds, end, made = null) => {
    const once = limited(1, () => { end(); witness.look(); });
    if (seconds > 0) setTimeout(once, 1000 * seconds);
    return Object.assign(seconds > 0 ? () => {} : once, { made });
  };

  /** The colour behind an element's text: its own, or that of the first element round it that has any. */
  const groundOf = (part) => {
    const colour = getComputedStyle(part).backgroundColor.match(/[\d.]+/g).map(Number);
    return colour[3] !== 0 || !part.parentElement ? colour : groundOf(part.parentElement);
  };

  const face = (trick, part) => {
    const [red, green, blue] = groundOf(part);
    const over = document.createElement("span");
    over.textContent = trick.word;
    const { width, height } = part.getBoundingClientRect();
    const size = Math.max(6, Math.min(0.7 * height, (1.6 * width) / Math.max(1, trick.word.length)));
    Object.assign(over.style, {
      position: "absolute", inset: 0, zIndex: 3, display: "grid", placeItems: "center", pointerEvents: "none", overflow: "hidden",
      color: 0.3 * red + 0.59 * green + 0.11 * blue > 140 ? "#000" : "#fff", font: `700 ${size}px/1 sans-serif`,
    });
    const before = part.style.position;
    if (getComputedStyle(part).position === "static") part.style.position = "relative";
    part.dataset.trick = "face";
    part.append(over);
    return () => { over.remove(); delete part.dataset.trick; part.style.position = before; };
  };

  const page = () => document.querySelector("main");
  const HOVERED = {
    popup: (trick, part, { clientX: x, clientY: y }) => {
      const { width, height } = trick;
      const made = box(trick, [x + trick.x * width, y + trick.y * height, width, height]);
      return lasting(trick.seconds, () => made.remove(), made);
    },
    rescale: (trick) => {
      if (trick.x < 0) page().style.zoom = trick.factor;
      else Object.assign(page().style, { scale: trick.factor, transformOrigin: `${100 * trick.x}% ${100 * trick.y}%` });
      return lasting(trick.seconds, () => { page().style.zoom = page().style.scale = ""; });
    },
    shift: (trick) => {
      page().style.translate = `${trick.x}px ${trick.y}px`;
      return lasting(trick.seconds, () => { page().style.translate = ""; });
    },
    face: (trick, part) => {
      const changed = part.matches(parts().target) ? part : document.querySelector(parts().target);
      return changed.dataset.trick ? lasting(1, () => {}) : lasting(trick.seconds, face(trick, changed));
    },
  };
  HOVERED.pay = HOVERED.popup;

  // ---- what happens after a press, after a time, or is there from the first ----

  const moves = () => window.boardsightReferee?.moves.length ?? 0;
  const afterMoves = ({ move, after }, act) => {
    const waiting = setInterval(() => { if (moves() >= move) { clearInterval(waiting); later(after, act); } }, 20);
  };
  const afterPress = ({ after, times }, act) => {
    const each = limited(times, act);
    addEventListener("click", () => later(after, each));
  };

  const BEGUN = {
    faces: (trick) => afterMoves(trick, () => strike(trick, () => {
      const random = mulberry(trick.seed);
      for (const part of document.querySelectorAll(parts().target)) {
        if (part.dataset.trick || random() >= trick.factor) continue;
        const undo = face(trick, part);
        if (trick.seconds > 0) setTimeout(() => { undo(); witness.look(); }, 1000 * trick.seconds);
      }
    })),
    reorder: (trick) => {
      const random = mulberry(trick.seed);
      afterPress(trick, () => strike(trick, () => {
        const row = document.querySelector(".colours");
        for (let count = row.children.length; count > 0; count--) row.append(row.children[Math.floor(random() * count)]);
      }));
    },
    scroll: (trick) => {
      document.body.style.minHeight = `calc(100vh + ${2 * Math.abs(trick.y)}px)`;
      let down = false;
      afterPress(trick, () => strike(trick, () => { down = !down; scrollBy(0, down ? Math.abs(trick.y) : -Math.abs(trick.y)); }));
    },
    decoy: (trick) => {
      const random = mulberry(trick.seed);
      const board = document.querySelector(".board");
      const { left, top: upper, width } = board.getBoundingClientRect();
      const factor = Math.min(trick.factor, (left - 24) / width);
      if (factor < 0.2) return;
      const holder = document.createElement("div");
      holder.dataset.trick = trick.word ? "decoy" : "twin";
      holder.append(board.cloneNode(true));
      for (const part of holder.querySelectorAll("[data-press]")) delete part.dataset.press;
      for (const part of holder.querySelectorAll(".cell[data-colour]")) part.dataset.colour = Math.floor(4 * random());
      if (trick.word) {
        const goods = document.createElement("div");
        goods.style.cssText = "display: flex; gap: 14px; padding-top: 14px; font: 700 15px sans-serif";
        for (const paint of ["--c0", "--c1", "--c2", "--c3"]) {
          const swatch = document.createElement("div");
          swatch.textContent = trick.word;
          swatch.style.cssText = `width: 48px; height: 48px; display: grid; place-items: end center; background: var(${paint})`;
          goods.append(swatch);
        }
        holder.append(goods);
      }
      const at = trick.x < 0 ? `left: ${12}px` : `right: ${12}px`;
      holder.style.cssText = `position: fixed; ${at}; top: ${upper}px; zoom: ${factor}; cursor: pointer`;
      strike(trick, () => document.body.append(holder));
    },
    dialog: (trick) => afterMoves(trick, () => strike(trick, () => {
      const rects = [...document.querySelectorAll(".board, .colours, header, .talk")].map((part) => part.getBoundingClientRect());
      const free = Math.min(...rects.slice(0, 1).map(({ left }) => left)) - 24;
      const [width, height] = [Math.min(trick.width, free - 24), Math.min(trick.height, innerHeight - 40)];
      if (width < 60) return;
      const lowest = Math.max(...rects.filter(({ left }) => left < free).map(({ bottom }) => bottom), 0);
      const [x, y] = [trick.x < 0 ? 12 : innerWidth - 12 - width, 20 + trick.y * (innerHeight - 40 - height)];
      const made = box(trick, [x, Math.max(y, Math.min(lowest, innerHeight - height)), width, height]);
      if (trick.seconds > 0) setTimeout(() => made.remove(), 1000 * trick.seconds);
    })),
  };

  /** A frame in a frame, of which the outer one moves; the inner one shows the page ?inner=ADDRESS. */
  const framed = (trick) => {
    const deep = new URLSearchParams(location.search).has("deep");
    const frame = document.createElement("iframe");
    const inner = new URLSearchParams(top.location.search).get("inner");
    frame.src = deep ? inner : "frames.html?deep=1";
    const [width, height] = deep ? ["100vw", "100vh"] : [`${innerWidth - 160}px`, `${innerHeight - 100}px`];
    frame.style.cssText = `position: absolute; left: ${deep ? 0 : 80}px; top: ${deep ? 0 : 50}px; width: ${width}; height: ${height}; border: 0`;
    document.body.style.cssText = "margin: 0; overflow: hidden";
    document.body.append(frame);
    if (deep) return;
    let away = false;
    const go = limited(trick.times, () => strike(trick, () => { away = !away; frame.style.translate = away ? `${trick.x}px ${trick.y}px` : ""; }));
    if (trick.on === "press") witness.whenPressed(() => setTimeout(go, 1000 * trick.after));
    else setInterval(go, 1000 * trick.seconds);
  };

  const begin = () => {
    const frames = plan.find(({ kind }) => kind === "frame");
    if (frames && location.pathname.endsWith("/frames.html")) return framed(frames);
    const ready = () => {
      if (!document.querySelector(".board")?.style.getPropertyValue("--pitch") || !window.boardsightReferee) return requestAnimationFrame(ready);
      for (const trick of plan) {
        const { kind } = trick;
        if (kind in HOVERED) onHover(trick, (part, event) => { let undo; strike(trick, () => { undo = HOVERED[kind](trick, part, event); }); return undo; });
        else BEGUN[kind]?.(trick);
      }
      return null;
    };
    return ready();
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
})();
