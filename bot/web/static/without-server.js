// <without-server>: says that the server does not answer, and what can be played without it.  Also has the browser keep
// the pages for that case.

import { el } from "./dom.js";
import { say } from "./words.js";

const WAIT = 400; // milliseconds without a connection after which it is said: a server that is started again needs less

class WithoutServer extends HTMLElement {
  connectedCallback() {
    this.setAttribute("role", "alert");
    new MutationObserver(() => this.look()).observe(document.documentElement, { attributeFilter: ["data-link"] });
    this.look();
  }

  /** Waits a little, and then looks whether it is still so. */
  look() {
    clearTimeout(this.due);
    if (document.documentElement.dataset.link === "not connected") this.due = setTimeout(() => this.tell(), WAIT);
    else this.hidden = true;
  }

  async tell() {
    const refused = await fetch("runs").then(({ status }) => status === 403, () => false);
    if (document.documentElement.dataset.link !== "not connected" || !this.hidden) return;
    this.hidden = false;
    this.replaceChildren(
      el("p", {}, el("strong", {}, say(refused ? "offline.token" : "offline")), " ", say(refused ? "offline.token.how" : "offline.how")),
      el("p", {}, el("a", { class: "button", href: "pages/" }, say("offline.pages")), " ", say("offline.pages.how")));
  }
}

/** Says in the page's head whether it is connected. */
export function showLink(connected) {
  document.querySelector(".link").textContent = say(connected ? "link.on" : "link.off");
  document.documentElement.dataset.link = connected ? "connected" : "not connected";
}

customElements.define("without-server", WithoutServer);

/** Has the browser keep the pages, once this one has been drawn; not every window lets it. */
const keep = () => navigator.serviceWorker?.register("worker.js").catch(() => {});

if (document.readyState === "complete") keep();
else addEventListener("load", keep);
