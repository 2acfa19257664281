// What is said about the way to the server, state by state.
// @vitest-environment happy-dom
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { speak } from "../../src/i18n";
import { client } from "../../src/shell/app_state";
import type { Link } from "../../src/shell/connection";
import { LinkState } from "../../src/shell/link_state";

let place: HTMLElement;
/** Whether the server says that it is ready. */
const pages = (ok: boolean) => vi.stubGlobal("fetch", () => Promise.resolve({ ok }));
beforeEach(async () => {
  await speak("en");
  pages(false);
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
  [{ state: "greeting" }, 3000],
  [{ state: "waiting" }, 3000],
  [{ state: "waiting", lost: true }, 500],
])("nothing is said: %o after %d ms", async (link, age_ms) => {
  expect(await shown(link, age_ms)).toBe("");
});

test.each(["connecting", "greeting", "waiting"] as const)(
  "a first connection that takes long leads to the diagnostics: %s",
  async (state) => {
    expect(await shown({ state }, 6000)).toContain("does not answer yet");
    expect(buttons()).toEqual(["Try now", "Diagnostics"]);
  },
);

test("a proxy that lets pages through and no live connection is told apart", async () => {
  pages(true);
  await shown({ state: "waiting" }, 6000);
  await vi.waitFor(() => expect(place.textContent).toContain("Pages arrive, but the live"));
  expect(buttons()).toEqual(["Try now", "Diagnostics"]);
});

test("a lost one says when it tries again, and can be hurried", async () => {
  const retry_at = Date.now() + 2600;
  expect(await shown({ state: "waiting", lost: true, retry_at }, 2000)).toMatch(/lost.* 3 s/);
  expect(buttons()).toEqual(["Try now"]);
});

test("a device without network, and a server that restarts, keep the game", async () => {
  expect(await shown({ state: "waiting", why: "offline" }, 0)).toContain("Your game is kept");
  expect(await shown({ state: "connecting", why: "restarting" }, 0)).toContain(
    "restarting. Your game is kept",
  );
  expect(buttons()).toEqual([]);
});

test.each(["greeting", "online"] as const)(
  "what is put off says why and until when: %s",
  async (state) => {
    const retry_at = Date.now() + 59_600;
    expect(await shown({ state, why: "too_fast", retry_at }, 0)).toBe(
      "Too fast. Wait a moment. Trying again in 60 seconds.",
    );
  },
);

test("another version waits for a tap", async () => {
  expect(await shown({ state: "ended", why: "unsupported_protocol" }, 0)).toContain("new version");
  expect(buttons()).toEqual(["Load it"]);
});

test("any other end says why", async () => {
  expect(await shown({ state: "ended", why: "unknown_field" }, 0)).toContain("does not know");
  expect(buttons()).toEqual(["Load it"]);
});

test("a slow connection says so", async () => {
  expect(await shown({ slow: true }, 0)).toContain("slow");
});
