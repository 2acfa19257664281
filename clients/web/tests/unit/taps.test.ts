// A double tap whose first half changed the screen does nothing with its second, and a tap means no control
// that has just taken another's place.
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

const frames: (() => void)[] = [];
vi.stubGlobal("requestAnimationFrame", (frame: () => void) => frames.push(frame));

const button = () => document.querySelector("button")!;
/** Says something else on the button from then on. */
async function relabel(text: string, after: number): Promise<void> {
  vi.spyOn(performance, "now").mockReturnValue(time + after);
  button().textContent = text;
  await new Promise((resolve) => setTimeout(resolve));
  for (const frame of frames.splice(0)) frame();
}

function press(after: number): void {
  const event = new MouseEvent("pointerdown", { bubbles: true });
  Object.defineProperty(event, "timeStamp", { value: time + after });
  button().dispatchEvent(event);
}

/** How often a button was pressed by a tap that began so long after, if it became another one at 100. */
async function anew(tapped: Tap & { began: number }, words = "Complete"): Promise<number> {
  button().textContent = "Show";
  button().getBoundingClientRect = () => new DOMRect(0, 0, 200, 200);
  press(0);
  tap({ detail: 1, pointerType: tapped.pointerType });
  expect(pressed).toHaveBeenCalledTimes(1);
  await relabel(words, 100);
  press(tapped.began);
  tap(tapped);
  return pressed.mock.calls.length - 1;
}

test("a finger means no button that has just become another", async () => {
  const touch = { detail: 1, pointerType: "touch" };
  expect(await anew({ ...touch, began: 300, after: 360 })).toBe(0);
});

test("nor one that became another under it", async () => {
  button().textContent = "End your turn";
  button().getBoundingClientRect = () => new DOMRect(0, 0, 200, 200);
  press(0);
  await relabel("Do not play fast", 50);
  tap({ detail: 1, pointerType: "touch", after: 90 });
  expect(pressed).not.toHaveBeenCalled();
});

test("what stands there long enough to be read counts", async () => {
  const touch = { detail: 1, pointerType: "touch" };
  expect(await anew({ ...touch, began: 510, after: 560 })).toBe(1);
});
test.each([
  ["the same button", { detail: 1, pointerType: "touch" }, "Show"],
  ["a key", { detail: 0 }, "Complete"],
  ["a click of its own", { detail: 1 }, "Complete"],
])("%s counts at once", async (_, tapped, words) => {
  expect(await anew({ ...tapped, began: 150, after: 200 }, words)).toBe(1);
});

test("the second half of a double click meets no new button", async () => {
  expect(await anew({ detail: 2, began: 150, after: 200 })).toBe(0);
});
