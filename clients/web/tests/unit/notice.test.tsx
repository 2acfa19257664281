// What whoever runs the server says to everybody: shown as text, until it was read.
// @vitest-environment happy-dom
import { render } from "preact";
import { act } from "preact/test-utils";
import { expect, test } from "vitest";
import { speak } from "../../src/i18n";
import { client } from "../../src/shell/app_state";
import { ServerNotice } from "../../src/shell/link_state";

test("a notice is shown as text until it is read, and the next one again", async () => {
  await speak("en");
  const place = document.createElement("div");
  render(<ServerNotice />, place);
  expect(place.textContent).toBe("");
  for (const text of ["Backup at <b>nine</b>", "Once more"]) {
    await act(() => client["heard"]({ type: "notice", text }));
    expect(place.querySelector("[role=status]")?.textContent).toContain(text);
    expect(place.querySelector("b")).toBeNull();
    await act(() => place.querySelector("button")?.click());
    expect(place.textContent).toBe("");
  }
});
