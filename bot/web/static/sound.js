// Three short sounds, made here: a move, the end of a game, a press that could not be.  Whoever wants none is remembered.

const KEPT = "boardsight:mute";
const LOUD = 0.22; // of the loudest there is: beside music, not over it

/** Each sound as notes: {tone in Hz, after, lasts: seconds, wave, to: the tone it slides to}. */
const SOUNDS = {
  move: [{ tone: 520, to: 190, after: 0, lasts: 0.07, wave: "triangle" }, { tone: 1900, to: 900, after: 0, lasts: 0.018, wave: "square", soft: 0.16 }],
  end: [[523.25, 0], [659.25, 0.11], [783.99, 0.22]].map(([tone, after]) => ({ tone, to: tone, after, lasts: 0.3, wave: "triangle", soft: 0.7 })),
  wrong: [{ tone: 175, to: 120, after: 0, lasts: 0.13, wave: "sawtooth", soft: 0.35 }],
};

let air = null;

/** Whether sounds are wanted; kept in this browser. */
export const isMute = () => localStorage.getItem(KEPT) === "yes";

export function setMute(mute) {
  localStorage.setItem(KEPT, mute ? "yes" : "no");
}

/** Makes a sound, in so many milliseconds; none before somebody has pressed anything, as browsers have it. */
export function sound(name, wait = 0) {
  if (isMute() || !navigator.userActivation?.hasBeenActive) return;
  requestAnimationFrame(() => setTimeout(play, 0, name, wait)); // what was pressed is painted first: the air takes 90 ms to open
}

function play(name, wait) {
  air ??= new AudioContext({ latencyHint: "interactive" });
  if (air.state === "suspended") air.resume();
  for (const note of SOUNDS[name]) strike(note, air.currentTime + wait / 1000 + note.after);
}

function strike({ tone, to, lasts, wave, soft = 1 }, begins) {
  const [voice, loud] = [new OscillatorNode(air, { type: wave, frequency: tone }), new GainNode(air, { gain: 0 })];
  voice.frequency.exponentialRampToValueAtTime(to, begins + lasts);
  loud.gain.setValueAtTime(0, begins);
  loud.gain.linearRampToValueAtTime(LOUD * soft, begins + 0.004);
  loud.gain.exponentialRampToValueAtTime(0.0005, begins + lasts);
  voice.connect(loud).connect(air.destination);
  voice.start(begins);
  voice.stop(begins + lasts + 0.02);
}
