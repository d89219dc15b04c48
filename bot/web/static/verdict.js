// What a decision says of the position, to a person: the server's words in the reader's language.

import { say } from "./words.js";

/** The sayings of scores that there are, as the server writes them, and how the page says them. */
const SAYINGS = [
  [/^(wins|loses)$/u, ([, end]) => say(`verdict.${end}`)],
  [/^(wins|loses) in ([\d,]+)$/u, ([, end, count]) => say(`verdict.in.${end}`, { count: whole(count) })],
  [/^seems (won|lost)$/u, ([, end]) => say(`verdict.seems.${end}`)],
  [/^a draw$/u, () => say("verdict.draw")],
  [/^level$/u, () => say("verdict.level")],
  [/^([\d,.]+) \w+ (ahead|behind)$/u, ([, count, side]) => say(`verdict.lead.${side}`, { count: whole(count) })],
  [/^([\d,]+) moves? to the end$/u, ([, count]) => say("verdict.moves", { count: whole(count) })],
  [/^value (\S+)$/u, ([, value]) => say("verdict.value", { value })],
];

const whole = (text) => Number(text.replaceAll(",", ""));

/** What `answer` says of `board`, "" for nothing; a saying that is not known stays as the server says it. */
export function verdict({ words, proven }, board) {
  if (!words) return "";
  const [match, told] = SAYINGS.map(([form, tell]) => [form.exec(words), tell]).find(([found]) => found) ?? [null];
  const said = match ? told(match) : words;
  const whose = board.seats?.length > 1 ? say("verdict.of", { player: say("player", { number: board.player + 1 }), verdict: said }) : said;
  return proven ? say("proven", { verdict: whose }) : whose;
}
