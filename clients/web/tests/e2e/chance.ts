// All chance of the tests comes from one seed: the deals and what the server's bots choose (by
// --test-seed, which only builds with tests have), what the page draws, and what the tests press. A test
// that fails says it, and TRIQUETRA_SEED gives it back.
//
// A seed does not fix time: when a window or a clock runs out, who of several that may act does so first,
// and what was shown at the moment of a press. Nor ids, tokens and codes of rooms, which decide nothing,
// nor what bots choose in a room that a server has read again after a restart.
import { createHash, randomInt } from "node:crypto";
import path from "node:path";
import type { BrowserContext, TestInfo } from "@playwright/test";

/** The seed of this run, drawn once for all its processes if nobody has chosen one. */
export const kSeed = (process.env.TRIQUETRA_SEED ??= String(randomInt(1_000_000_000)));

/** The command that plays a test again with the same chance. */
export function again({ file, title }: TestInfo): string {
  // As a pattern between quotes of a shell.
  const pattern = title.replace(/[.*+?^${}()|[\]\\'"`!]/g, ".");
  return `TRIQUETRA_SEED=${kSeed} npx playwright test ${path.basename(file)} -g "${pattern}"`;
}

/** Numbers of at least 0 and less than 1; of the same seed always the same ones. Also for the page. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Replaces what the page draws; what it adds to a shuffle is the only thing of 32 bytes. */
function fixPage(make: (seed: number) => () => number, seed: number): void {
  Math.random = make(seed);
  const next = make(seed + 1);
  const real = crypto.getRandomValues.bind(crypto);
  crypto.getRandomValues = <T extends ArrayBufferView | null>(array: T): T => {
    if (!(array instanceof Uint8Array) || array.length !== 32) return real(array as never) as T;
    array.forEach((_, i) => (array[i] = next() * 256));
    return array;
  };
}

/** The chance of one thing in a test. */
export class Chance {
  private readonly seed: number;
  readonly next: () => number;

  /** Another name, other numbers. */
  constructor(private readonly name: string) {
    this.seed = createHash("sha256").update(`${kSeed} ${name}`).digest().readUInt32LE();
    this.next = numbers(this.seed);
  }

  for(name: string): Chance {
    return new Chance(`${this.name} ${name}`);
  }

  /** So many numbers, to be used by a page. */
  many(count: number): number[] {
    return Array.from({ length: count }, this.next);
  }

  is(probability: number): boolean {
    return this.next() < probability;
  }

  oneOf<T>(all: readonly T[]): T {
    return all[Math.floor(this.next() * all.length)]!;
  }

  /** From now on pages of this browser draw from here, each from the beginning. */
  async fix(context: BrowserContext): Promise<void> {
    await context.addInitScript({ content: `(${fixPage})(${numbers}, ${this.seed})` });
  }
}
