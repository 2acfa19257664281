// Short sounds made on the spot, no files: wood for tokens, paper for cards, notes for what calls somebody.
// Silent until the first gesture, as browsers want it.
import type { Sound } from "../skin";
import { sound } from "./settings";

/** All times in seconds, from the beginning of the sound. */
type Part =
  /** Something hard on wood: two tones that die away at once, and a click. */
  | { wood: number; at: number; loud?: number }
  /** A card: air between paper, that hisses for so long. */
  | { card: number; at: number; loud?: number }
  /** A note of so many Hz, for so long. */
  | { note: number; at: number; length: number };

export const kSounds: Record<Sound, readonly Part[]> = {
  draw: [
    { card: 0.09, at: 0, loud: 0.4 },
    { wood: 620, at: 0.07, loud: 0.5 },
  ],
  place: [{ wood: 430, at: 0 }],
  take: [
    { wood: 430, at: 0, loud: 0.8 },
    { wood: 510, at: 0.07, loud: 0.9 },
    { wood: 390, at: 0.15 },
  ],
  deal: [{ card: 0.12, at: 0 }],
  lay: [
    { card: 0.05, at: 0, loud: 0.7 },
    { wood: 240, at: 0.045, loud: 0.5 },
  ],
  sweep: [
    { card: 0.1, at: 0 },
    { card: 0.16, at: 0.08 },
    { wood: 260, at: 0.2, loud: 0.6 },
  ],
  turn: [
    { note: 587, at: 0, length: 0.16 },
    { note: 784, at: 0.14, length: 0.28 },
  ],
  talk: [
    { note: 880, at: 0, length: 0.06 },
    { note: 660, at: 0.07, length: 0.1 },
  ],
  tick: [{ wood: 1250, at: 0, loud: 0.5 }],
  end: [
    { note: 523, at: 0, length: 0.2 },
    { note: 659, at: 0.16, length: 0.2 },
    { note: 784, at: 0.32, length: 0.45 },
  ],
};
const kVolume = 0.12;
const kSoon = 0.012;
/** Loudness cannot fall to nothing on a curve. */
const kSilence = 0.001;

let context: AudioContext | undefined;
let hiss: AudioBuffer | undefined;

/** Call from a gesture: from then on sounds can be heard. */
export function wakeSound(): void {
  if (context || !("AudioContext" in window)) return;
  context = new AudioContext();
}

/** Loudness that rises at once and dies away; what goes in is heard. */
function dying(on: AudioContext, at: number, length: number, loud: number): GainNode {
  const gain = on.createGain();
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(kVolume * loud, at + kSoon / 3);
  gain.gain.exponentialRampToValueAtTime(kSilence, at + length);
  gain.connect(on.destination);
  return gain;
}

function tone(on: AudioContext, at: number, frequency: number, length: number, loud: number): void {
  const oscillator = on.createOscillator();
  oscillator.type = "sine";
  oscillator.frequency.value = frequency;
  oscillator.connect(dying(on, at, length, loud));
  oscillator.start(at);
  oscillator.stop(at + length + kSoon);
}

function rustle(on: AudioContext, at: number, length: number, around: number, loud: number): void {
  if (!hiss) {
    hiss = on.createBuffer(1, on.sampleRate / 2, on.sampleRate);
    const samples = hiss.getChannelData(0);
    for (let i = 0; i < samples.length; ++i) samples[i] = 2 * Math.random() - 1;
  }
  const source = on.createBufferSource();
  source.buffer = hiss;
  const band = on.createBiquadFilter();
  band.type = "bandpass";
  band.frequency.value = around;
  band.Q.value = 0.8;
  source.connect(band).connect(dying(on, at, length, loud));
  source.start(at);
  source.stop(at + length + kSoon);
}

export function play(name: Sound): void {
  if (sound.value === "off" || !context) return;
  // Who looks elsewhere wants to hear of nothing but their turn.
  if (document.visibilityState === "hidden" && name !== "turn") return;
  if (context.state === "suspended") void context.resume();
  for (const part of kSounds[name]) {
    const at = context.currentTime + part.at;
    if ("note" in part) {
      tone(context, at, part.note, part.length, 1);
    } else if ("wood" in part) {
      const { wood, loud = 1 } = part;
      tone(context, at, wood, 0.09, loud);
      // Wood rings a little beside its tone, and shorter.
      tone(context, at, wood * 2.42, 0.04, loud * 0.5);
      rustle(context, at, 0.02, 2200, loud * 0.6);
    } else {
      rustle(context, at, part.card, 4200, part.loud ?? 1);
    }
  }
}
