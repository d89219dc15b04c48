// <language-choice>: the languages there are, where there are several.

import { el } from "./dom.js";
import { language, languages, nameOf, say, speak } from "./words.js";

class LanguageChoice extends HTMLElement {
  connectedCallback() {
    if (languages.length < 2) return;
    const options = languages.map((name) => el("option", { value: name, lang: name, selected: name === language }, nameOf(name)));
    const choice = el("select", { name: "language", "aria-label": say("language") }, ...options);
    choice.addEventListener("change", () => this.dispatchEvent(new CustomEvent("leave", { bubbles: true })) && speak(choice.value));
    this.replaceChildren(choice);
  }
}

customElements.define("language-choice", LanguageChoice);
