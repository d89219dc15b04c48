// A game to hand on: by a link that holds all of it, as text, or as a picture of the board.

import { el } from "./dom.js";
import { formatGame, formatLink } from "./game-text.js";
import { pictureOf } from "./picture.js";
import { $, infoOf, table } from "./state.js";
import { say } from "./words.js";

const dialog = $(".share");
const field = $(".share [name=link]");

/** The address under which the game is opened at the same place. */
function address() {
  const { board, name } = table;
  return `${location.origin}${location.pathname}${formatLink({ game: name, ...board }, infoOf())}`;
}

/** Opens the sheet. */
export function openShare() {
  field.value = address();
  tell("");
  dialog.showModal();
}

const tell = (text) => { $(".share .told").textContent = text; };

/** Copies a text; where that is not allowed it is downloaded as a file, but for a link, which can be copied by hand. */
async function copyText(text, name) {
  try {
    await navigator.clipboard.writeText(text);
    tell(say("copied"));
  } catch {
    if (name) download(URL.createObjectURL(new Blob([text], { type: "text/plain" })), name);
    else field.select();
    tell(name ? say("downloaded") : say("copy.by.hand"));
  }
}

function download(url, name) {
  el("a", { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}

async function copyPicture() {
  const picture = await pictureOf($("board-view").drawing);
  try {
    await navigator.clipboard.write([new ClipboardItem({ "image/png": picture })]);
    tell(say("copied"));
  } catch {
    download(URL.createObjectURL(picture), `${table.name}.png`);
    tell(say("downloaded"));
  }
}

const DOES = {
  link: () => copyText(field.value, null),
  text: () => copyText(formatGame({ game: table.name, ...table.board }), `${table.name}.txt`),
  picture: copyPicture,
};
dialog.addEventListener("click", ({ target }) => (target === dialog ? dialog.close() : DOES[target.dataset.copy]?.()));
