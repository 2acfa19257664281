// What the person at this browser has chosen, kept by the browser alone. Each setting is a signal,
// so that a change shows at once, also in the middle of a game.
import { computed, effect, signal, type Signal } from "@preact/signals";
import { chosen, kLanguages, speak, stretched, type Language } from "../i18n";
import type { Settings } from "../skin";
import { store } from "./store";

function setting<T extends string>(name: string, values: readonly T[]): Signal<T> {
  const kept = store.get(name) as T | null;
  const value = signal<T>(kept && values.includes(kept) ? kept : values[0]!);
  let first = true;
  effect(() => {
    const now = value.value;
    if (!first) store.set(name, now);
    first = false;
  });
  return value;
}

function media(query: string): Signal<boolean> {
  const list = window.matchMedia(query);
  const value = signal(list.matches);
  list.addEventListener("change", () => (value.value = list.matches));
  return value;
}

/** The values of each setting, the default first. */
export const kChoices = {
  theme: ["auto", "light", "dark"],
  sound: ["on", "off"],
  motion: ["normal", "fast", "slow", "off"],
  confirm: ["taking", "always", "never"],
  delay: ["off", "on"],
  shortcuts: ["on", "off"],
  text: ["normal", "large", "larger"],
  hand: ["right", "left"],
  kids: ["off", "on"],
  notify: ["off", "on"],
  remind: ["off", "on"],
  hints: ["on", "off"],
  sign: ["letter", "star", "moon", "heart", "leaf", "sun", "crown", "bolt"],
  since: ["open", "folded"],
  bots: ["2", "1", "3", "4"],
  level: ["easy", "normal", "hard", "expert"],
  hue: ["seat", "0", "1", "2", "3", "4", "5", "6", "7"],
} as const;

export const theme = setting("theme", kChoices.theme);
export const sound = setting("sound", kChoices.sound);
export const motion = setting("motion", kChoices.motion);
export const confirm = setting("confirm", kChoices.confirm);
export const shortcuts = setting("shortcuts", kChoices.shortcuts);
export const delay = setting("delay", kChoices.delay);
export const text = setting("text", kChoices.text);
export const hand = setting("hand", kChoices.hand);
export const kids = setting("kids", kChoices.kids);
export const notify = setting("notify", kChoices.notify);
export const remind = setting("remind", kChoices.remind);
/** How I stand at tables that I look at here: nobody is told of it. */
export const sign = setting("sign", kChoices.sign);
export const hue = setting("hue", kChoices.hue);
/** What has happened since my last act: whole, or its two newest lines. */
export const since = setting("since", kChoices.since);
/** Against whom a game begins by one tap. */
export const botCount = setting("bots", kChoices.bots);
export const botLevel = setting("level", kChoices.level);
const hints = setting("hints", kChoices.hints);
/** Points in advance, where the table has them. */
export const seesHints = computed(() => hints.value === "on" || kids.value === "on");
export const setHints = (on: boolean) => (hints.value = on ? "on" : "off");

const wished = [new URLSearchParams(location.search).get("lang"), store.get("language")];
export const language = signal<Language>(chosen([...wished, ...navigator.languages]));
// The usual name of a language that nobody speaks.
stretched.value = wished.includes("qps");

const prefersDark = media("(prefers-color-scheme: dark)");
const prefersStill = media("(prefers-reduced-motion: reduce)");
const kMotionMs = { off: 0, fast: 160, normal: 300, slow: 700 };

/** How long a move waits before it is sent, in ms, so that it can be taken back. */
const kDelayMs = 1500;
export const delay_ms = computed(() =>
  delay.value === "on" || kids.value === "on" ? kDelayMs : 0,
);

/** What a skin hears of it. */
export const settings = computed<Settings>(() => ({
  motion_ms: prefersStill.value ? 0 : kMotionMs[motion.value],
  confirm: confirm.value,
  theme: theme.value === "auto" ? (prefersDark.value ? "dark" : "light") : theme.value,
  shortcuts: shortcuts.value === "on",
}));

/** From now on the page follows the settings. Resolves when the first catalogue is there. */
export async function follow(): Promise<void> {
  effect(() => {
    const root = document.documentElement;
    root.dataset.theme = settings.value.theme;
    root.dataset.motion = settings.value.motion_ms === 0 ? "off" : "on";
    root.dataset.text = text.value;
    root.dataset.hand = hand.value;
    root.dataset.kids = kids.value;
  });
  await speak(language.value);
}

export function setLanguage(wanted: string): void {
  const found = kLanguages.find((each) => each === wanted);
  if (!found) return;
  language.value = found;
  store.set("language", found);
  void speak(found);
}
