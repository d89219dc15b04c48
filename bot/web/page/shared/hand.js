// The way of every press from the page to the game, with the faults a test asks for.

/**
 * Delivers presses on elements with a `data-press` name ("colour:3", "cell:4,5", "new") to `act(name)`.
 *
 * act returns what came of it: "move", "ignored" or another word for the log.
 * Every press is logged as {number, x, y, at, by, hit, target, effect}; `number` counts those that hit something,
 * and `hit` is the part of the name before the colon, or "none" beside everything.
 */
export function followHand({ lag, drop }, clicks, act) {
  let hits = 0;

  const deliver = (entry) => {
    entry.number = ++hits;
    entry.hit = entry.target.split(":")[0];
    if (drop.includes(hits)) {
      entry.effect = "dropped";
    } else if (lag > 0) {
      entry.effect = "waiting";
      setTimeout(() => { entry.effect = act(entry.target); }, lag);
    } else {
      entry.effect = act(entry.target);
    }
  };

  document.addEventListener("click", (event) => {
    const by = event.detail === 0 ? "keyboard" : "pointer"; // Return or space on a focused button has no click count
    const entry = { x: event.clientX, y: event.clientY, at: event.timeStamp, by, hit: "none", target: null, effect: "none" };
    clicks.push(entry);
    const pressed = event.target.closest?.("[data-press]");
    if (!pressed) return;
    entry.target = pressed.dataset.press;
    deliver(entry);
  });

  /** A press by a key instead of the pointer. */
  return (target) => {
    const entry = { x: null, y: null, at: performance.now(), by: "keyboard", hit: "none", target, effect: "none" };
    clicks.push(entry);
    deliver(entry);
  };
}
