// What a mouse, a pen or a finger does on the board: presses, shadows of what will be, pieces that are carried.
//
// A mouse shows the shadow of a move before it is pressed.  A finger hides what it presses: where a place has a `shadow`,
// its first tap lays the shadow there, a drag moves it about, and a tap on it makes the move.

const DRAG = 8; // pixels that a pointer goes before it drags: a finger trembles that much
const RAISED = 46; // pixels above a finger where what it carries is seen
const NOTCH = 60; // of a wheel's or a touchpad's turning, for one turn of the piece

export class Hand {
  constructor(view) {
    Object.assign(this, { view, grip: null, laid: null, over: null, turned: 0, kind: "mouse" });
    const { places } = view;
    places.addEventListener("pointerdown", (event) => this.down(event));
    places.addEventListener("click", (event) => this.click(event));
    places.addEventListener("pointerleave", (event) => this.leave(event));
    for (const name of ["pointermove", "pointerup", "pointercancel"]) document.addEventListener(name, (event) => this[name](event));
    view.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    view.addEventListener("contextmenu", (event) => this.other(event));
  }

  get coarse() {
    return this.kind !== "mouse";
  }

  /** Something is taken from beside the board: it is carried once the pointer has gone a little. */
  lift(event, held) {
    if (event.isPrimary && !event.button) this.grip = { ...this.gripOf(event), held };
  }

  gripOf({ pointerId, pointerType, clientX, clientY }) {
    this.kind = pointerType;
    this.pressed = false;
    return { id: pointerId, clientX, clientY, moved: false };
  }

  down(event) {
    if (!event.isPrimary || event.button) return;
    this.grip = { ...this.gripOf(event), from: this.view.aim(event) };
  }

  pointermove(event) {
    if (event.pointerType === "mouse" && !this.grip && this.view.places.contains(event.target)) return this.hover(event);
    if (this.grip?.id !== event.pointerId) return;
    const far = Math.hypot(event.clientX - this.grip.clientX, event.clientY - this.grip.clientY);
    if (!this.grip.moved && far > DRAG) this.begin(event);
    if (this.grip?.moved) this.carry(event);
  }

  /** The pointer drags from here on. */
  begin(event) {
    const { view, grip } = this;
    const { held, from } = grip;
    const moves = view.awaits && (held || from?.hand || view.hand || view.places.hasAttribute("data-drag"));
    if (!moves) {
      this.grip = null;
      return;
    }
    grip.moved = true;
    view.setPointerCapture(event.pointerId);
    if (held) view.tell("hold", held);
    else if (from?.hand) view.press(from);
    view.toggleAttribute("data-carries", true);
  }

  /** Where a drag points at: a finger's thing from beside the board is seen above it. */
  spot(event) {
    return this.grip.held && this.coarse ? { clientX: event.clientX, clientY: event.clientY - RAISED } : event;
  }

  carry(event) {
    const at = this.spot(event);
    const place = this.view.aim(at);
    this.show(place, at);
    this.view.carry(place ? null : this.grip.held && at);
  }

  pointerup(event) {
    const { grip, view } = this;
    if (grip?.id !== event.pointerId) return;
    this.grip = null;
    view.carry(null);
    view.toggleAttribute("data-carries", false);
    if (!grip.moved) return grip.from && this.tap(grip.from, event);
    this.pressed = true;
    const place = view.aim(grip.held && this.coarse ? { clientX: event.clientX, clientY: event.clientY - RAISED } : event);
    if (!place) this.drop(grip);
    else if (place.shadow && this.coarse) this.lay(place, event);
    else if (grip.from?.hand !== undefined && !view.game.carries) place.goes && view.press(place);
    else view.press(place);
  }

  pointercancel(event) {
    if (this.grip?.id !== event.pointerId) return;
    this.grip = null;
    this.view.carry(null);
    this.view.toggleAttribute("data-carries", false);
  }

  /** What was dropped beside the board is put away. */
  drop({ held }) {
    this.show(null);
    if (held) this.view.tell("hold", null);
  }

  /** A pointer went down and up in one place. */
  tap(place, event) {
    this.pressed = true;
    if (!this.coarse) this.view.press(place);
    else if (this.laid && this.view.covers(this.laid, event)) this.confirm();
    else if (place.shadow) this.lay(place, event);
    else this.view.press(place);
  }

  /** A key or a screen reader presses the place it is on; what a pointer does is done when it is lifted. */
  click(event) {
    const place = this.view.moves?.get(event.target.dataset?.place);
    if (place && !(event.detail && this.pressed)) this.view.press(place);
    this.pressed = false;
  }

  /** A finger's shadow lies where it was let go, until it is tapped or moved. */
  lay(place, event) {
    this.laid = place;
    this.show(place, event);
    this.view.tell("laid", place);
  }

  /** A tap on the shadow makes the move, or turns what does not fit as it lies. */
  confirm() {
    const place = this.laid;
    if (place.can || !this.view.hand) return this.view.press(place);
    this.view.tell("turn", "rotate");
  }

  hover(event) {
    this.show(this.view.aim(event), event);
  }

  leave(event) {
    if (event.pointerType === "mouse" && !this.grip) this.show(null);
  }

  /** Shows the shadow of a place; `at`: where the pointer is, to aim again when what is in hand was turned. */
  show(place, at = null) {
    this.over = place && at ? { clientX: at.clientX, clientY: at.clientY } : null;
    this.view.shade(place);
  }

  /** The board was drawn anew: what is in hand may lie in another way; after a move its shadow is gone. */
  renew(moved) {
    const { view } = this;
    if (moved || !view.awaits) this.over = this.laid = null;
    const place = this.over && view.aim(this.over);
    if (this.laid) this.laid = place?.shadow ? place : null;
    view.shade(!this.coarse || this.laid || this.grip ? place : null);
  }

  /** The wheel turns what is in hand, with Shift it flips it. */
  wheel(event) {
    if (!this.view.hand || !this.view.game.carries || event.ctrlKey) return;
    event.preventDefault();
    const turning = event.deltaY || event.deltaX; // Shift has some browsers send the other one
    this.turned = Math.sign(turning) === Math.sign(this.turned) ? this.turned + turning : turning;
    if (Math.abs(this.turned) < NOTCH) return;
    this.view.tell("turn", event.shiftKey ? "flip" : this.turned > 0 ? "rotate" : "back");
    this.turned = 0;
  }

  /** The other button flips what is in hand. */
  other(event) {
    if (!this.view.hand || !this.view.game.carries) return;
    event.preventDefault();
    if (!this.coarse) this.view.tell("turn", "flip");
  }
}
