// What is said about the way to the server, state by state.
// @vitest-environment happy-dom
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, test } from "vitest";
import { speak } from "../../src/i18n";
import { client } from "../../src/shell/app_state";
import type { Link } from "../../src/shell/connection";
import { LinkState } from "../../src/shell/link_state";

let place: HTMLElement;
beforeEach(async () => {
  await speak("en");
  place = document.createElement("div");
});
afterEach(() => render(null, place));

async function shown(link: Partial<Link>, age_ms: number): Promise<string> {
  const since = Date.now() - age_ms;
  client.connection.link.value = { state: "online", since, ...link };
  await act(() => render(<LinkState />, place));
  return place.textContent!;
}
const buttons = () => [...place.querySelectorAll("button, a")].map((each) => each.textContent);

test.each<[Partial<Link>, number]>([
  [{ state: "online" }, 9000],
  [{ state: "connecting" }, 3000],
  [{ state: "lost" }, 500],
])("nothing is said: %o after %d ms", async (link, age_ms) => {
  expect(await shown(link, age_ms)).toBe("");
});

test("a first connection that takes long leads to the diagnostics", async () => {
  expect(await shown({ state: "connecting" }, 6000)).toContain("does not answer yet");
  expect(buttons()).toEqual(["Try now", "Diagnostics"]);
});

test("a lost one says when it tries again, and can be hurried", async () => {
  const retry_at = Date.now() + 2600;
  expect(await shown({ state: "lost", retry_at }, 2000)).toMatch(/lost.* 3 s/);
  expect(buttons()).toEqual(["Try now"]);
});

test("a device without network, and a server that restarts, keep the game", async () => {
  expect(await shown({ state: "offline" }, 0)).toContain("Your game is kept");
  expect(await shown({ state: "restarting" }, 0)).toContain("restarts. Your game is kept");
  expect(buttons()).toEqual([]);
});

test("another version waits for a tap", async () => {
  expect(await shown({ state: "outdated" }, 0)).toContain("new version");
  expect(buttons()).toEqual(["Load it"]);
});

test("a slow connection says so", async () => {
  expect(await shown({ slow: true }, 0)).toContain("slow");
});
