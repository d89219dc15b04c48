// What presses do: moves that are made, things that are taken in hand, and what is said of a press that can do nothing.

import "./end-banner.js";
import { play } from "./asking.js";
import { sound } from "./sound.js";
import { drawBoard, tell } from "./stage.js";
import { $, PERSON, awaitsPerson, isPlayed, table } from "./state.js";
import { say } from "./words.js";

const view = $("board-view");

/** What a press on a place does. */
export function press(place) {
  if (place.hand !== undefined) hold(place.hand);
  else make(place.move);
}

/** Plays a move, and shows at once what the drawing knows of it: the server's answer tells how it is. */
export function make(move) {
  const { board, drawing } = table;
  if (!awaitsPerson()) return refuse({});
  if (!play(move)) return wrong(say("wrong.link"));
  if (!board.legal.includes(move)) return; // the server says what it thinks of it
  const after = drawing.after?.(move, board);
  view.show(drawing, after ? { ...after, ply: board.ply + 1, text: null, legal: [], taps: [] } : board, { awaits: false, hand: null });
  if (after) sound("move");
  else view.showGhost({ cells: drawing.cellsOf(move, board), fits: true });
}

/** Plays the move that a digit is; whether the game's moves are digits. */
export function digit(key) {
  const { board, drawing } = table;
  if (!drawing.actions(board)?.includes(key)) return false;
  if (board.legal.includes(key)) make(key);
  else refuse({ move: key });
  return true;
}

/** Takes something in hand, null to put it away. */
export function hold(hand) {
  const { piece, turn: way } = document.activeElement?.dataset ?? {};
  table.hand = hand;
  drawBoard();
  view.tell("held");
  document.querySelector(piece ? `[data-piece="${piece}"]` : way ? `[data-turn="${way}"]` : null)?.focus();
}

/** Turns what is in hand. */
export const turn = (way) => hold(table.drawing.turned(table.hand, way));

/** Says what a shadow that was laid down waits for. */
export function laid(place) {
  if (place.can) tell(say("shadow.tap"));
  else refuse(place);
}

/** Says why a press on a place does nothing. */
export function refuse(place) {
  const { asked, board, drawing, hand, over } = table;
  if (asked || (awaitsPerson() && !view.awaits)) wrong(say("wrong.sent"));
  else if (over) wrong(say("wrong.over"));
  else if (!awaitsPerson()) wrong(say("wrong.turn", { number: board.player + 1, who: board.seats[board.player] }));
  else wrong(drawing.why?.(place, board, hand) ?? say("wrong.nothing"));
}

/** Says and sounds that something did not go. */
export function wrong(text) {
  tell(text, true);
  sound("wrong");
}

/** Tells over the board how a game ended, where it has; once, where it was played to that end here. */
export function tellEnd() {
  const { board, result } = table;
  const banner = $("end-banner");
  const played = isPlayed() && board.ply === board.moves.length && String(result.moves) === String(board.moves);
  const end = played ? result : table.over;
  if (!end) return banner.hide();
  if (end.told) return;
  end.told = true;
  banner.show({ who: resultOf(end.seats ?? board.seats, end.winner), why: end.reason, seat: (end.winner ?? -1) + 1 });
  sound("end", 350); // once the last move lies
}

function resultOf(seats, winner) {
  if (seats.length === 1) return winner === null ? say("end.over") : say("end.done");
  if (winner === null) return seats.length === 2 ? say("end.draw") : say("end.over"); // as of one who gave up among several
  if (seats.filter((who) => who === PERSON).length !== 1) return say("end.wins", { number: winner + 1 });
  return seats[winner] === PERSON ? say("end.you") : say("end.lost");
}
