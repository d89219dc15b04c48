// The runs there are: trainings with their curves while they go on, and games that were played, to be watched.

import "./address.js";
import "./language-choice.js";
import { showLink } from "./without-server.js";
import { el } from "./dom.js";
import { measured } from "./learning-curve.js";
import { language, say, written } from "./words.js";

const AGAIN = 5000; // milliseconds until the server is asked again
const FRESH = 180; // seconds without a word after which a training has ended, or was stopped: three checkpoints' time
const FIRST = 3; // figures that are shown at once
const $ = (selector) => document.querySelector(selector);

const shown = new Map(); // name of a run -> {changed, player, card}
const sight = new IntersectionObserver((entries) => entries.filter((entry) => entry.isIntersecting).forEach(({ target }) => fill(target)), { rootMargin: "300px" });

async function ask() {
  try {
    const answer = await fetch("runs");
    if (!answer.ok) throw new Error();
    draw(await answer.json());
    showLink(true);
  } catch {
    showLink(false);
  }
  setTimeout(() => (document.hidden ? document.addEventListener("visibilitychange", ask, { once: true }) : ask()), AGAIN);
}

function draw(runs) {
  for (const [list, trained] of [[$(".trained"), true], [$(".played"), false]]) {
    const mine = runs.filter((run) => run.trained === trained);
    const cards = mine.map(cardOf);
    if (cards.length !== list.childElementCount || cards.some((card, at) => card !== list.children[at])) list.replaceChildren(...cards); // else the focus would go
    list.nextElementSibling.hidden = mine.length > 0;
  }
}

/** The card of a run: as it was, where nothing was written since. */
function cardOf(run) {
  const known = shown.get(run.name);
  if (known?.changed === run.changed && known.player === run.player) {
    known.card.querySelector(".when").textContent = ago(run.changed);
    return known.card;
  }
  const card = run.trained ? trainedCard(run) : playedCard(run);
  const before = known?.card.querySelector(".curves");
  if (before) card.querySelector(".curves").replaceWith(before); // until the new ones are here
  shown.set(run.name, { changed: run.changed, player: run.player, card });
  return card;
}

function trainedCard(run) {
  const ended = run.player && !run.learning;
  const going = !ended && Date.now() / 1000 - run.changed < FRESH;
  const card = el("li", { class: "card", "data-run": run.name },
    el("h3", {}, run.name),
    el("p", { class: "facts" }, el("span", {}, run.title || say("runs.unknown")), el("span", {}, run.method), el("span", { class: "when" }, ago(run.changed)),
      going ? el("strong", { class: "going" }, say("runs.going")) : null),
    el("p", { class: "reached" }),
    el("div", { class: "curves" }),
    el("div", { class: "row" }, run.player
      ? el("a", { class: "button", href: `./?${new URLSearchParams({ player: run.player, ...run.board })}#play/${run.game}` }, say(run.alone ? "runs.watch" : "runs.play"))
      : el("span", { class: "soft" }, say("runs.unfinished"))),
    run.learning ? el("p", { class: "soft" }, say("runs.learning")) : null,
    ended || going ? null : el("p", { class: "soft" }, say("runs.stopped"), " ", el("code", {}, "boardsight train … --resume")),
    run.note ? el("p", { class: "soft" }, run.note) : null);
  Object.assign(card, { run });
  sight.observe(card);
  return card;
}

function playedCard(run) {
  return el("li", { class: "card", "data-run": run.name },
    el("h3", {}, run.name),
    el("p", { class: "facts" }, el("span", {}, run.title || say("runs.unknown")), el("span", {}, run.method), el("span", { class: "when" }, ago(run.changed))),
    el("div", { class: "row" }, el("a", { class: "button", href: `watch.html?run=${encodeURIComponent(run.name)}` }, say("runs.watch"))));
}

/** Draws the curves of a training, once it is in sight. */
async function fill(card) {
  sight.unobserve(card);
  if (!card.run) return;
  const answer = await fetch(`runs/${encodeURIComponent(card.run.name)}`);
  if (!answer.ok) return;
  const { step, seconds, figures } = await answer.json();
  card.querySelector(".reached").textContent = step ? say("runs.reached", { step, time: spent(seconds) }) : "";
  const drawn = Object.entries(figures).map(([name, points]) => measured(name, points));
  const rest = drawn.splice(FIRST);
  const more = rest.length ? el("details", {}, el("summary", {}, say("runs.more", { count: rest.length })), ...rest) : null;
  card.querySelector(".curves").replaceChildren(...drawn, ...(more ? [more] : []));
}

/** How long ago a time was, seconds since 1970, in words. */
function ago(time) {
  const words = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  const seconds = Math.max(0, Date.now() / 1000 - time);
  for (const [unit, size] of [["day", 86400], ["hour", 3600], ["minute", 60]]) {
    if (seconds >= size) return words.format(-Math.floor(seconds / size), unit);
  }
  return words.format(0, "minute");
}

/** A length of time in the largest fitting unit. */
function spent(seconds) {
  if (seconds >= 5400) return say("time.hours", { time: written(seconds / 3600, 1) });
  return seconds >= 90 ? say("time.minutes", { time: written(seconds / 60, 0) }) : say("seconds", { seconds: written(seconds, 0) });
}

ask();
