// <end-banner>: who won and why, over the board; what can be done next goes into its `acts`.

import { el } from "./dom.js";
import { say } from "./words.js";

class EndBanner extends HTMLElement {
  connectedCallback() {
    this.who = el("b", {});
    this.why = el("span", {});
    this.acts = el("div", { class: "acts" });
    const close = el("button", { type: "button", class: "away", "aria-label": say("end.away"), title: say("end.away"), click: () => this.hide() }, "×");
    this.append(el("p", {}, this.who, this.why), this.acts, close);
    this.hide();
  }

  /** Shows the result; `seat`: the winner's colour, 0 for nobody. */
  show({ who, why, seat }) {
    this.who.textContent = who;
    this.why.textContent = why;
    this.className = `seat-${seat}`;
    this.hidden = false;
  }

  hide() {
    this.hidden = true;
  }
}

customElements.define("end-banner", EndBanner);
