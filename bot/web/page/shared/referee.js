// What tests may look at and the bot may not: the truth about the game and every press on the page.

/**
 * Shows `truths` (name -> function) as read-only `window.boardsightReferee`, with `clicks`, the log of presses.
 * Each getter gives a copy. Returns the log for the page's own hand to write.
 */
export function seatReferee(truths) {
  const clicks = [];
  const all = { ...truths, clicks: () => clicks };
  const getters = Object.entries(all).map(([name, truth]) => [
    name,
    { enumerable: true, get: () => structuredClone(truth()) },
  ]);
  const referee = Object.freeze(Object.defineProperties({}, Object.fromEntries(getters)));
  Object.defineProperty(window, "boardsightReferee", { value: referee });
  return clicks;
}
