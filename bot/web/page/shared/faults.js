// What goes wrong on a page on purpose: a fault plan, ?faults=[{"kind": "move", "move": 3, "after": 0.2, "x": 40}, ...]
//
// The kinds are those of `bot.faults` that a page can bring about.  A fault strikes `after` seconds after `move` moves.

import { element } from "./element.js";

const PRESSES = ["drop", "double", "late"];
const TITLES = { dialog: "Updates are ready", window: "Updates are ready", tooltip: "A hint", cursor: "", locked: "" };

/** The plan in the text of an address; throws RangeError for what is none. */
export function parseFaults(text) {
  let plan;
  try {
    plan = JSON.parse(text);
  } catch {
    throw new RangeError("needs a list of faults in JSON");
  }
  if (!Array.isArray(plan) || !plan.every((fault) => typeof fault?.kind === "string")) {
    throw new RangeError("needs a list of faults, each with a kind");
  }
  return plan;
}

/**
 * Lets the faults of `plan` strike while the game goes on.
 *
 * truth: gives the page's referee.  act: plays what a press names, such as "new".
 * What struck is told to tests as `window.boardsightFaults`, a list of {kind, at}.
 * Returns `next()`, which takes the fault that befalls the press made now, null where there is none.
 */
export function letStrike(plan, truth, act) {
  const waiting = [...plan];
  const presses = [];
  const struck = [];
  let deaf = false;
  Object.defineProperty(window, "boardsightFaults", { get: () => structuredClone(struck) });

  const strike = (fault) => {
    struck.push({ kind: fault.kind, at: performance.now() });
    if (PRESSES.includes(fault.kind)) presses.push(fault);
    else if (fault.kind === "deaf") deaf = true;
    else if (fault.kind === "deal") act("new");
    else if (fault.kind === "close") document.querySelector("main")?.remove();
    else if (fault.kind in TITLES) cover(fault);
    else alter(fault);
  };

  const look = () => {
    const moves = truth()?.moves.length ?? 0;
    for (const fault of waiting.filter((each) => (each.move ?? 0) <= moves)) {
      waiting.splice(waiting.indexOf(fault), 1);
      setTimeout(() => { if (!truth().over) strike(fault); }, 1000 * (fault.after ?? 0));
    }
  };
  if (plan.length) setInterval(look, 20);
  return () => (deaf ? { kind: "drop" } : presses.shift() ?? null);
}

/** Moves, grows or repaints the whole page. */
function alter({ kind, x = 0, y = 0, factor = 1 }) {
  const page = document.querySelector("main");
  if (kind === "recolour") document.documentElement.dataset.skin = x % 2 ? "dark" : "pastel";
  if (kind === "resize" || kind === "zoom") page.style.zoom = (Number(page.style.zoom) || 1) * Math.min(factor, 1);
  if (kind === "move" || kind === "zoom") page.style.translate = `${x}px 0`;
  if (kind === "scroll" || kind === "zoom" || kind === "move") {
    document.body.style.minHeight = "calc(100vh + 80px)";
    scrollTo(0, Math.abs(y));
  }
}

/** Lays something over the board for a while. */
function cover({ kind, x = 0.4, y = 0.4, seconds = 2 }) {
  const board = document.querySelector(".board") ?? document.querySelector("main");
  const { left, top, width, height } = board.getBoundingClientRect();
  const [over, down, wide, high] = {
    dialog: [left + 0.2 * width, top + 0.2 * height, 0.7 * width, 0.5 * height],
    tooltip: [left + x * width, top + y * height, 96, 26],
    cursor: [left + x * width, top + y * height, 12, 18],
  }[kind] ?? [0, 0, innerWidth, innerHeight];
  const window = element("div", { class: `fault ${kind}`, "aria-hidden": true }, TITLES[kind]);
  Object.assign(window.style, { left: `${over}px`, top: `${down}px`, width: `${wide}px`, height: `${high}px` });
  if (kind === "cursor") window.style.pointerEvents = "none"; // a picture of another hand, which takes no presses
  document.body.append(window);
  setTimeout(() => window.remove(), 1000 * seconds);
}
