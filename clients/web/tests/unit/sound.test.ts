// Sounds are made of parts that end soon, and nothing is made when they are switched off or nobody looks.
// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { sound } from "../../src/shell/settings";
import { kSounds, play, wakeSound } from "../../src/shell/sound";
import type { Sound } from "../../src/skin";

/** What was started, and until when it is heard. */
let heard: { kind: string; from: number; to: number }[] = [];

class Context {
  currentTime = 0;
  sampleRate = 8000;
  state = "running";
  destination = {};
  private node(kind?: string) {
    const one = { kind: kind ?? "", from: 0, to: 0 };
    const param = {
      value: 0,
      setValueAtTime() {},
      linearRampToValueAtTime() {},
      exponentialRampToValueAtTime: (value: number) => expect(value).toBeGreaterThan(0),
    };
    return {
      gain: param,
      frequency: param,
      Q: param,
      connect: <T>(next: T) => next,
      start: (at: number) => (one.from = at),
      stop: (at: number) => heard.push({ ...one, to: at }),
    };
  }
  createGain = () => this.node();
  createBiquadFilter = () => this.node();
  createOscillator = () => this.node("tone");
  createBufferSource = () => this.node("hiss");
  createBuffer = (_: number, length: number) => ({
    getChannelData: () => new Float32Array(length),
  });
}

beforeEach(() => {
  vi.stubGlobal("AudioContext", Context);
  wakeSound();
  heard = [];
  sound.value = "on";
});
afterEach(() => vi.unstubAllGlobals());

const names = Object.keys(kSounds) as Sound[];

test.each(names)("%s begins at once and is over within a second", (name) => {
  play(name);
  expect(Math.min(...heard.map(({ from }) => from))).toBe(0);
  for (const { from, to } of heard) {
    expect(to).toBeGreaterThan(from);
    expect(to).toBeLessThan(1);
  }
});

test("tokens sound of wood, and cards of paper", () => {
  const kinds = (name: Sound) => {
    heard = [];
    play(name);
    return heard.map(({ kind }) => kind);
  };
  expect(kinds("place")).toContain("tone");
  expect(kinds("deal")).toEqual(["hiss"]);
  // No two things sound the same.
  const parts = names.map((name) => JSON.stringify(kSounds[name]));
  expect(new Set(parts).size).toBe(names.length);
});

test("nothing is heard when it is switched off, and of who looks elsewhere the turn alone", () => {
  sound.value = "off";
  names.forEach(play);
  expect(heard).toEqual([]);
  sound.value = "on";
  const hidden = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  play("place");
  expect(heard).toEqual([]);
  play("turn");
  expect(heard).toHaveLength(2);
  hidden.mockRestore();
});
