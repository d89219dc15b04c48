// Two small buttons at the page's top: whether it sounds, and the sheet of its keys.

import { el, svg } from "./dom.js";
import { isMute, setMute, sound } from "./sound.js";

const LOUDSPEAKER = "M3 9v6h4l5 4V5L7 9z";
const WAVES = "M15 9.2a4 4 0 0 1 0 5.6M17.6 6.6a7.6 7.6 0 0 1 0 10.8";
const CROSS = "M15.5 9.5l5 5m0-5l-5 5";

const icon = (...parts) => svg("svg", { class: "icon", viewBox: "0 0 24 24", width: 20, height: 20, "aria-hidden": "true" }, ...parts);

function muteButton() {
  const button = el("button", { type: "button", class: "aid", "data-aid": "mute" });
  const draw = () => {
    const mute = isMute();
    button.setAttribute("aria-pressed", String(!mute));
    button.setAttribute("aria-label", "Sounds");
    button.title = mute ? "Sounds are off (M)" : "Sounds are on (M)";
    button.replaceChildren(icon(svg("path", { class: "solid", d: LOUDSPEAKER }), svg("path", { d: mute ? CROSS : WAVES })));
  };
  button.addEventListener("click", () => {
    setMute(!isMute());
    draw();
    sound("move"); // how it sounds now
  });
  draw();
  return button;
}

const SHEET = [
  ["← →", "one move back, one on"],
  ["Home End", "the first position, the last"],
  ["Arrows on the board", "another place; Enter presses it"],
  ["U", "take back"],
  ["N", "new game"],
  ["T", "think, stop thinking"],
  ["M", "sounds on or off"],
  ["?", "this sheet"],
];

let dialog = null;

/** Opens the sheet of the keys, with those of the game. */
export function openSheet(drawing) {
  dialog?.remove();
  const rows = [...(drawing?.sheet ?? []), ...SHEET].flatMap(([keys, does]) => [el("dt", {}, ...keys.split(" ").map((key) => el("kbd", {}, key))), el("dd", {}, does)]);
  dialog = el("dialog", { class: "sheet", "aria-labelledby": "sheet-title" },
    el("form", { method: "dialog" }, el("h2", { id: "sheet-title" }, "Keys"), el("dl", {}, ...rows), el("button", { type: "submit" }, "Close")));
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close()); // beside it
  document.body.append(dialog);
  dialog.showModal();
}

/** The buttons; `drawing`: tells which game's keys are asked for. */
export function aids(drawing) {
  const keys = el("button", { type: "button", class: "aid", "data-aid": "keys", "aria-label": "Keys", title: "Keys (?)", "aria-haspopup": "dialog", click: () => openSheet(drawing()) }, "?");
  return el("div", { class: "aids" }, muteButton(), keys);
}
