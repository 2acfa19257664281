// Whether the page is used by keyboard: keys that act say so, others do not.
// @vitest-environment happy-dom
import { afterEach, beforeAll, expect, test } from "vitest";
import { followKeys } from "../../src/shell/in_sight";

const { dataset } = document.documentElement;
beforeAll(followKeys);
afterEach(() => {
  delete dataset.keys;
  document.body.innerHTML = "";
});

const press = (key: string, more: KeyboardEventInit = {}, target: Element = document.body) =>
  target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, ...more }));
const field = (html: string) => {
  document.body.innerHTML = html;
  return document.body.firstElementChild!;
};

test.each(["Tab", "Enter", " ", "ArrowLeft", "Home", "1", "d", "é"])("%s acts", (key) => {
  press(key);
  expect(dataset.keys).toBe("on");
});

test.each(["Escape", "Shift", "Control", "Alt", "CapsLock", "F5", "AudioVolumeUp", "Unidentified"])(
  "%s does not",
  (key) => {
    press(key);
    expect(dataset.keys).toBeUndefined();
  },
);

test("nor does a word that is typed, but to leave its field by Tab does", () => {
  const input = field("<input type='text'>");
  press("a", {}, input);
  press("Enter", {}, input);
  expect(dataset.keys).toBeUndefined();
  press("Tab", {}, input);
  expect(dataset.keys).toBe("on");
});

test("what is chosen among a few by arrows is no word", () => {
  press("ArrowDown", {}, field("<input type='radio'>"));
  expect(dataset.keys).toBe("on");
});

test("nor do the browser's own", () => {
  press("l", { ctrlKey: true });
  expect(dataset.keys).toBeUndefined();
});
