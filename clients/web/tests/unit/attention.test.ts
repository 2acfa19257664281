// How the page calls for its player: once for a turn, however many questions it has; once more after
// a minute for who wants that; and title and icon say it as long as it is so.
// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { myTurn } from "../../src/shell/attention";
import { remind } from "../../src/shell/settings";
import * as sounds from "../../src/shell/sound";
import { translator } from "../../src/i18n";

const t = translator({ "web.attention.title": "● Your turn – {game}" }, "en");
const call = (asked: number | undefined) => myTurn(asked, t, "Triqueta", "Triquetra");
const kMinute = 60_000;

let play: ReturnType<typeof vi.spyOn>;
const badge = { set: vi.fn(), clear: vi.fn() };
beforeEach(() => {
  vi.useFakeTimers();
  play = vi.spyOn(sounds, "play");
  document.head.innerHTML = '<link rel="icon" href="icon.svg">';
  Object.assign(navigator, { setAppBadge: badge.set, clearAppBadge: badge.clear });
  badge.set.mockClear();
  badge.clear.mockClear();
});
afterEach(() => {
  call(undefined);
  remind.value = "off";
  vi.useRealTimers();
  vi.restoreAllMocks();
});
const icon = () => document.querySelector<HTMLLinkElement>("link")!.getAttribute("href");

test("a turn is called out by title, icon, badge and sound", () => {
  call(7);
  expect(document.title).toBe("● Your turn – Triqueta");
  expect(icon()).toBe("icon-turn.svg");
  expect(badge.set).toHaveBeenCalledOnce();
  expect(play).toHaveBeenCalledExactlyOnceWith("turn");
  call(undefined);
  expect(document.title).toBe("Triquetra");
  expect(icon()).toBe("icon.svg");
  expect(badge.clear).toHaveBeenCalledOnce();
});

test("the second question of one turn makes no sound", () => {
  call(7);
  call(8);
  call(8);
  expect(play).toHaveBeenCalledTimes(1);
  call(undefined);
  call(9);
  expect(play).toHaveBeenCalledTimes(2);
});

test("nobody is reminded who does not want to be", () => {
  call(7);
  vi.advanceTimersByTime(5 * kMinute);
  expect(play).toHaveBeenCalledTimes(1);
});

test("who wants to be is reminded once, a minute after the last question", () => {
  remind.value = "on";
  call(7);
  vi.advanceTimersByTime(kMinute - 1000);
  call(8);
  vi.advanceTimersByTime(kMinute - 1000);
  expect(play).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(2000);
  expect(play).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(10 * kMinute);
  expect(play).toHaveBeenCalledTimes(2);
});

test("nobody is reminded of a turn that is over", () => {
  remind.value = "on";
  call(7);
  call(undefined);
  vi.advanceTimersByTime(2 * kMinute);
  expect(play).toHaveBeenCalledTimes(1);
});
