// The chance of the tests in browsers: a seed gives the same again, and a failing test says which.
import type { TestInfo } from "@playwright/test";
import { afterEach, expect, it, vi } from "vitest";

afterEach(() => vi.unstubAllEnvs());

async function seeded(seed: string) {
  vi.stubEnv("TRIQUETRA_SEED", seed);
  vi.resetModules();
  return import("../e2e/chance");
}

async function drawn(seed: string, name: string): Promise<number[]> {
  const { Chance } = await seeded(seed);
  return new Chance(name).many(50);
}

it("gives the same to the same seed and name, and something else to others", async () => {
  const first = await drawn("7", "a game");
  expect(await drawn("7", "a game")).toEqual(first);
  expect(await drawn("8", "a game")).not.toEqual(first);
  expect(await drawn("7", "another")).not.toEqual(first);
  expect(new Set(first).size).toBe(50);
  expect(first.every((each) => each >= 0 && each < 1)).toBe(true);
});

it("says how to play a test again", async () => {
  const { again } = await seeded("7");
  const title = 'a "game" (of $2), it\'s over?';
  const said = again({ file: "/somewhere/play.spec.ts", title } as TestInfo);
  const [, pattern] = /^TRIQUETRA_SEED=7 npx playwright test play.spec.ts -g "(.*)"$/.exec(said)!;
  expect(pattern).not.toMatch(/["'$`\\!]/);
  expect(title).toMatch(new RegExp(`^${pattern}$`));
});
