// How long the browser client waits: the numbers of docs/CLIENTS.md.
// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { pauseOf, waitAfter } from "../../src/shell/connection";

test.each([
  [1, 250],
  [2, 500],
  [5, 4000],
  [6, 8000],
  [1000, 8000],
])("after %d losses it waits %d ms, give or take a quarter", (losses, wait) => {
  expect(waitAfter(losses, 0.5)).toBe(wait);
  expect(waitAfter(losses, 0)).toBe(wait * 0.75);
  expect(waitAfter(losses, 1)).toBe(wait * 1.25);
});

test.each([
  [undefined, 1000],
  [3000, 3000],
  [0, 250],
  [1e9, 60_000],
])("a server that asks for %s ms gets %d or up to a quarter more", (asked, pause) => {
  expect(pauseOf(asked, 0)).toBe(pause);
  expect(pauseOf(asked, 1)).toBe(pause * 1.25);
});
