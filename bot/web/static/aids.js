// Two small buttons at the page's top: whether it sounds, and the sheet of its keys.

import { el, svg } from "./dom.js";
import { isMute, setMute, sound } from "./sound.js";
import { say } from "./words.js";

const LOUDSPEAKER = "M3 9v6h4l5 4V5L7 9z";
const WAVES = "M15 9.2a4 4 0 0 1 0 5.6M17.6 6.6a7.6 7.6 0 0 1 0 10.8";
const CROSS = "M15.5 9.5l5 5m0-5l-5 5";

const icon = (...parts) => svg("svg", { class: "icon", viewBox: "0 0 24 24", width: 20, height: 20, "aria-hidden": "true" }, ...parts);

function muteButton() {
  const button = el("button", { type: "button", class: "aid", "data-aid": "mute" });
  const draw = () => {
    const mute = isMute();
    button.setAttribute("aria-pressed", String(!mute));
    button.setAttribute("aria-label", say("sounds"));
    button.title = say(mute ? "sounds.off" : "sounds.on");
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

/** Keys of every game, and what each does. */
const SHEET = { steps: ["←", "→"], ends: ["Home", "End"], places: ["↑", "↓", "←", "→"], undo: ["U"], new: ["N"], think: ["T"], mute: ["M"], sheet: ["?"] };

let dialog = null;

/** Opens the sheet of the keys, with those of the game. */
export function openSheet({ drawing, board }) {
  dialog?.remove();
  const digits = drawing?.actions(board)?.filter((move) => /^\d$/u.test(move)) ?? [];
  const rows = Object.entries({ ...drawing?.sheet, ...SHEET }).flatMap(([name, keys]) => [
    el("dt", {}, ...(keys === "digits" ? [digits[0], "…", digits.at(-1)] : keys).map((key) => el("kbd", {}, key))), el("dd", {}, say(`sheet.${name}`)),
  ]);
  dialog = el("dialog", { class: "sheet", "aria-labelledby": "sheet-title" },
    el("form", { method: "dialog" }, el("h2", { id: "sheet-title" }, say("keys")), el("dl", {}, ...rows), el("button", { type: "submit" }, say("close"))));
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close()); // beside it
  document.body.append(dialog);
  dialog.showModal();
}

/** The buttons; `shown`: the drawing and the board whose keys are asked for. */
export function aids(shown) {
  const keys = el("button", { type: "button", class: "aid", "data-aid": "keys", "aria-label": say("keys"), title: say("keys.title"), "aria-haspopup": "dialog", click: () => openSheet(shown) }, "?");
  return el("div", { class: "aids" }, muteButton(), keys);
}
