// What the page says, in the reader's language: words/<language>.json holds a text for each key, in its plural forms.
//
// A language is there as soon as its file is; what a file lacks is said in English.  A saved page holds the files itself.

const KEPT = "boardsight:language";
const ENGLISH = "en";

const inside = document.querySelector("script#words");
const files = inside ? JSON.parse(inside.textContent) : {};

/** The languages there are, by the names of their files. */
export const languages = inside ? Object.keys(files) : (await fetched("languages")) ?? [ENGLISH];
/** The one that is spoken: the one that was chosen here, else the first that the browser asks for. */
export const language = [chosenOne(), ...navigator.languages].map(closest).find(Boolean) ?? ENGLISH;

const [english, own] = await Promise.all([ENGLISH, language].map(async (name) => files[name] ?? await fetched(`words/${name}.json`) ?? {}));
const formats = new Map();
const split = new Map(); // text -> its pieces and, between them, the names of its values
const plurals = { [ENGLISH]: new Intl.PluralRules(ENGLISH), [language]: new Intl.PluralRules(language) };

/** The text of `key` with its `values`; `count` among them chooses the plural form. */
export function say(key, values = {}) {
  return parts(key, values).join("");
}

/** The same as its pieces, where a value is an element, or a list of them. */
export function parts(key, values = {}) {
  const spoken = own[key] === undefined ? ENGLISH : language;
  const forms = own[key] ?? english[key] ?? key;
  const text = typeof forms === "string" ? forms : forms[plurals[spoken].select(values.count)] ?? forms.other;
  if (!split.has(text)) split.set(text, text.split(/\{(\w+)\}/u));
  return split.get(text).flatMap((piece, at) => (at % 2 ? shown(values[piece]) : piece)).filter((piece) => piece !== "");
}

/** A number as it is written here, with `digits` after the point. */
export function written(value, digits = null) {
  if (!formats.has(digits)) {
    const format = digits === null ? {} : { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false };
    formats.set(digits, new Intl.NumberFormat(language, format)); // which takes longer to make than a hundred numbers to write
  }
  return formats.get(digits).format(value).replace("-", "−");
}

/** Speaks another language from now on: the page is loaded again, for everything on it is said anew. */
export function speak(name) {
  localStorage.setItem(KEPT, name);
  location.reload();
}

/** What a language is called by those who speak it. */
export const nameOf = (name) => new Intl.DisplayNames([name], { type: "language" }).of(name);

/** Says what the page's own elements name: `data-say` its text, `data-say-label` its label, `data-say-title` its title. */
function sayAll(root) {
  for (const node of root.querySelectorAll("[data-say]")) node.textContent = say(node.dataset.say);
  for (const node of root.querySelectorAll("[data-say-label]")) node.setAttribute("aria-label", say(node.dataset.sayLabel));
  for (const node of root.querySelectorAll("[data-say-title]")) node.title = say(node.dataset.sayTitle);
}

const shown = (value) => (typeof value === "number" ? written(value) : value);

/** The language there is that is nearest to `name`: itself, or what is left without its region or script. */
function closest(name) {
  for (let tag = name ?? ""; tag; tag = tag.slice(0, Math.max(tag.lastIndexOf("-"), 0))) {
    const found = languages.find((each) => each.toLowerCase() === tag.toLowerCase());
    if (found) return found;
  }
  return null;
}

function chosenOne() {
  try {
    return localStorage.getItem(KEPT);
  } catch { // a saved page may have no storage
    return null;
  }
}

async function fetched(path) {
  try {
    const answer = await fetch(path);
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

document.documentElement.lang = language;
if (language !== ENGLISH) sayAll(document);
