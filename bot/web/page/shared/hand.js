// The way of every press from the page to the game, with the faults a test asks for.

import { conventions } from "./conventions.js";
import { letStrike } from "./faults.js";

const REST = 60; // ms on a target, after which a page that wants the pointer to rest there hears a press

/**
 * Delivers presses on elements with a `data-press` name ("colour:3", "cell:4,5", "new") to `act(name)`.
 *
 * act returns what came of it: "move", "ignored" or another word for the log.
 * Every press is logged as {number, x, y, at, by, hit, target, effect}; `number` counts those that hit something,
 * and `hit` is the part of the name before the colon, or "none" beside everything.  Late ones tell when they were `heard`.
 * drags: a press on one name that is released on another is a press on "drag:FROM>TO".
 */
export function followHand({ lag, drop, faults = null, drags = false }, clicks, act) {
  let hits = 0;
  let dragged = null; // the name a drag began on, where the page hears drags
  let begun = null; // the name the last press began on
  let [over, since, rested] = [null, 0, true]; // the name under the pointer, since when, and whether it rested there
  const nextFault = letStrike(faults ?? [], () => window.boardsightReferee, act);

  const deliver = (entry) => {
    entry.number = ++hits;
    entry.hit = entry.target.split(":")[0];
    const fault = nextFault();
    const late = fault?.kind === "late" ? Math.max(lag, 1000 * fault.seconds) : lag;
    if (drop.includes(hits) || fault?.kind === "drop") {
      entry.effect = "dropped";
    } else if (late > 0) {
      entry.effect = "waiting";
      setTimeout(() => Object.assign(entry, { effect: act(entry.target), heard: performance.now() }), late);
    } else {
      entry.effect = act(entry.target);
    }
    if (fault?.kind === "double") setTimeout(() => act(entry.target), late);
  };

  const log = (event, by, target) => {
    const { clientX: x = null, clientY: y = null } = event ?? {};
    const entry = { x, y, at: performance.now(), by, hit: "none", target, effect: "none" };
    clicks.push(entry);
    if (by === "pointer" && target && !rested) Object.assign(entry, { hit: target.split(":")[0], effect: "swallowed" });
    else if (target) deliver(entry);
  };

  const nameOf = (event) => event.target.closest?.("[data-press]")?.dataset.press ?? null;

  if (conventions.hover === "needed") {
    document.addEventListener("pointermove", (event) => {
      if (nameOf(event) !== over) [over, since] = [nameOf(event), event.timeStamp];
    }, true);
    document.addEventListener("pointerdown", (event) => {
      rested = nameOf(event) === over && event.timeStamp - since >= REST;
    }, true);
  }

  document.addEventListener("keydown", (event) => { // a move that is shown waits for Return, whatever has the focus
    if (event.key !== "Enter" || document.documentElement.dataset.staging !== "enter") return;
    event.preventDefault();
    event.stopPropagation();
    log(null, "keyboard", "confirm");
  }, true);

  document.addEventListener("click", (event) => {
    if (dragged === "done" && event.detail > 0) return; // the browser calls the end of a drag a click, too
    const by = event.detail === 0 ? "keyboard" : "pointer"; // Return or space on a focused button has no click count
    log(event, by, nameOf(event));
    if (by === "pointer" && begun && !nameOf(event)) { // the end of a drag that this page does not hear
      Object.assign(clicks.at(-1), { hit: "drag", target: `drag:${begun}`, effect: "ignored" });
    }
  });
  document.addEventListener("pointerdown", (event) => {
    begun = nameOf(event);
  }, true);

  if (drags) {
    for (const kind of ["selectstart", "dragstart"]) { // what the browser makes of a drag itself, and then tells no page of its end
      document.addEventListener(kind, (event) => dragged && event.preventDefault());
    }
    document.addEventListener("pointerdown", (event) => {
      dragged = nameOf(event);
    });
    document.addEventListener("pointerup", (event) => {
      const under = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-press]")?.dataset.press;
      if (!dragged || !under || under === dragged) return;
      log(event, "pointer", `drag:${dragged}>${under}`);
      dragged = "done";
    });
  }

  document.addEventListener("again", () => act("new")); // the page begins another game by itself

  /** A press by a key instead of the pointer. */
  return (target) => log(null, "keyboard", target);
}
