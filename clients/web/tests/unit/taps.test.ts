// A double tap whose first half changed the screen does nothing with its second.
// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from "vitest";
import { ignoreDoubleTaps } from "../../src/shell/taps";

ignoreDoubleTaps();

const pressed = vi.fn();
let time = 0;
beforeEach(() => {
  pressed.mockClear();
  time += 10_000;
  document.body.innerHTML = "";
  screen();
});

/** Another screen, with one button. */
function screen(): void {
  const main = document.createElement("main");
  main.append(document.createElement("button"));
  main.firstElementChild!.addEventListener("click", pressed);
  document.body.replaceChildren(main);
}

interface Tap {
  detail: number;
  after?: number;
  pointerType?: string;
  x?: number;
}

function tap({ detail, after = 0, pointerType = "mouse", x = 100 }: Tap): void {
  const event = new MouseEvent("click", { bubbles: true, cancelable: true, detail });
  const more = { timeStamp: time + after, pointerType, clientX: x, clientY: 100 };
  for (const [key, value] of Object.entries(more)) Object.defineProperty(event, key, { value });
  document.querySelector("button")!.dispatchEvent(event);
}

/** How often a button was pressed when the screen changed between two taps. */
function twice(first: Tap, second: Tap): number {
  tap(first);
  screen();
  tap(second);
  return pressed.mock.calls.length;
}

test("the second half of a double click meets no new screen", () => {
  expect(twice({ detail: 1 }, { detail: 2, after: 150 })).toBe(1);
});

test("nor does that of a finger, where taps are not counted", () => {
  const touch = { detail: 1, pointerType: "touch" };
  expect(twice(touch, { ...touch, after: 150 })).toBe(1);
});

test("another place, a pause, or a key is no double tap", () => {
  const touch = { detail: 1, pointerType: "touch" };
  expect(twice(touch, { ...touch, after: 150, x: 180 })).toBe(2);
  time += 10_000;
  expect(twice(touch, { ...touch, after: 900 })).toBe(4);
  time += 10_000;
  expect(twice({ detail: 1 }, { detail: 0, after: 50 })).toBe(6);
});

test("on the same screen both count", () => {
  tap({ detail: 1 });
  tap({ detail: 2, after: 150 });
  expect(pressed).toHaveBeenCalledTimes(2);
});

test("a sheet is a screen of its own", () => {
  tap({ detail: 1 });
  const sheet = document.createElement("dialog");
  sheet.setAttribute("open", "");
  document.body.append(sheet);
  tap({ detail: 2, after: 100 });
  expect(pressed).toHaveBeenCalledTimes(1);
});
