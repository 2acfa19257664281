// A text reaches the clipboard in each way that a browser may have, and the focus stays where it was.
// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from "vitest";
import { copyText } from "../../src/shell/copy";

let selected: string | undefined;
function browser(write: ((text: string) => Promise<void>) | undefined, old: boolean): void {
  const clipboard = write && { writeText: write };
  Object.defineProperty(navigator, "clipboard", { value: clipboard, configurable: true });
  document.execCommand = () => {
    selected = document.querySelector("textarea")?.value;
    return old;
  };
}
beforeEach(() => {
  selected = undefined;
  document.body.innerHTML = "<button>Copy</button>";
  document.querySelector("button")!.focus();
});

test("the new way, where there is an encrypted connection", async () => {
  const write = vi.fn(async () => {});
  browser(write, false);
  expect(await copyText("BCDFGH")).toBe(true);
  expect(write).toHaveBeenCalledWith("BCDFGH");
  expect(selected).toBeUndefined();
});

test.each([
  ["there is no other", undefined],
  ["the new one is refused", () => Promise.reject(new Error("no"))],
])("the old way, where %s", async (_, write) => {
  browser(write, true);
  expect(await copyText("BCDFGH")).toBe(true);
  expect(selected).toBe("BCDFGH");
  expect(document.querySelector("textarea")).toBeNull();
  expect(document.activeElement!.tagName).toBe("BUTTON");
});

test("says so if there is no way", async () => {
  browser(undefined, false);
  expect(await copyText("BCDFGH")).toBe(false);
});
