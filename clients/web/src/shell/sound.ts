// Short sounds made on the spot, no files. Silent until the first gesture, as browsers want it.
import type { Sound } from "../skin";
import { sound } from "./settings";

/** Notes: frequency in Hz, start and length in seconds. */
type Note = [frequency: number, start: number, length: number];
const kSounds: Record<Sound, { wave: OscillatorType; notes: Note[] }> = {
  draw: { wave: "triangle", notes: [[520, 0, 0.07]] },
  place: { wave: "triangle", notes: [[240, 0, 0.09]] },
  take: {
    wave: "triangle",
    notes: [
      [260, 0, 0.08],
      [330, 0.07, 0.12],
    ],
  },
  turn: {
    wave: "sine",
    notes: [
      [587, 0, 0.16],
      [784, 0.14, 0.28],
    ],
  },
  talk: {
    wave: "sine",
    notes: [
      [880, 0, 0.06],
      [660, 0.07, 0.1],
    ],
  },
  tick: { wave: "square", notes: [[900, 0, 0.03]] },
  end: {
    wave: "sine",
    notes: [
      [523, 0, 0.2],
      [659, 0.16, 0.2],
      [784, 0.32, 0.45],
    ],
  },
};
const kVolume = 0.12;

let context: AudioContext | undefined;

/** Call from a gesture: from then on sounds can be heard. */
export function wakeSound(): void {
  if (context || !("AudioContext" in window)) return;
  context = new AudioContext();
}

export function play(name: Sound): void {
  if (sound.value === "off" || !context) return;
  // Who looks elsewhere wants to hear of nothing but their turn.
  if (document.visibilityState === "hidden" && name !== "turn") return;
  if (context.state === "suspended") void context.resume();
  const { wave, notes } = kSounds[name];
  for (const [frequency, start, length] of notes) {
    const at = context.currentTime + start;
    const oscillator = context.createOscillator();
    const gain = context.createGain();
    oscillator.type = wave;
    oscillator.frequency.value = frequency;
    gain.gain.setValueAtTime(0, at);
    gain.gain.linearRampToValueAtTime(wave === "square" ? kVolume / 4 : kVolume, at + 0.012);
    gain.gain.exponentialRampToValueAtTime(0.001, at + length);
    oscillator.connect(gain).connect(context.destination);
    oscillator.start(at);
    oscillator.stop(at + length + 0.02);
  }
}
