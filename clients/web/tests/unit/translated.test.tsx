// A browser that translates replaces our texts; what changes afterwards is shown all the same. Without
// the remedy the words freeze, which the first test shows.
// @vitest-environment happy-dom
import { signal } from "@preact/signals";
import { render } from "preact";
import { act } from "preact/test-utils";
import { expect, test } from "vitest";
import { followTranslation } from "../../src/shell/translated";

const left = signal(15);
const mark = signal(false);

function Status() {
  return (
    <p>
      {mark.value && <b>!</b>}
      {left.value} left
      {left.value < 3 && " and soon over"}
    </p>
  );
}
const Page = () => (
  <main>
    <h1>Pile</h1>
    <Status />
    <button type="button">{left.value === 0 ? "Take row 1" : "Place in row 1"}</button>
  </main>
);

function start(): HTMLElement {
  const page = document.createElement("div");
  document.body.append(page);
  left.value = 15;
  mark.value = false;
  void act(() => render(<Page />, page));
  return page;
}

/** As browsers do it: each text becomes an element of the browser's own. */
function translate(page: HTMLElement, how: "replace" | "insert and remove"): void {
  const texts: Text[] = [];
  const walker = document.createTreeWalker(page, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts) {
    if (text.parentElement!.closest("font")) continue;
    const font = document.createElement("font");
    font.textContent = text.data.toUpperCase();
    if (how === "replace") text.replaceWith(font);
    else {
      text.before(font);
      text.remove();
    }
  }
}

const shown = (page: HTMLElement) =>
  [...page.querySelectorAll("p, button")].map((each) => each.textContent);

test("without a remedy words freeze", () => {
  const page = start();
  translate(page, "replace");
  void act(() => {
    left.value = 12;
  });
  expect(shown(page)[0]).toBe("15 LEFT");
  page.remove();
});

for (const how of ["replace", "insert and remove"] as const) {
  test(`what changes is shown, whatever stands in its place: ${how}`, () => {
    const page = start();
    followTranslation(page);
    translate(page, how);
    expect(page.querySelector("h1")!.textContent).toBe("PILE");
    void act(() => {
      left.value = 12;
    });
    expect(shown(page)).toEqual(["12 left", "Place in row 1"]);
    translate(page, how);
    void act(() => {
      left.value = 0;
      mark.value = true;
    });
    expect(shown(page)).toEqual(["!0 left and soon over", "Take row 1"]);
    translate(page, how);
    void act(() => {
      left.value = 7;
      mark.value = false;
    });
    expect(shown(page)).toEqual(["7 left", "Place in row 1"]);
    expect(page.querySelectorAll("p font, button font")).toHaveLength(0);
    page.remove();
  });
}
