// How the device says that it is my turn: title, dot on the icon, badge, sound, buzz, and a
// notification for who asked for it and looks elsewhere. And it keeps the screen on in a game.
import type { Translator } from "../skin";
import { notify, remind } from "./settings";
import { play } from "./sound";

const kPlainIcon = "icon.svg";
const kDotIcon = "icon-turn.svg";

function setIcon(file: string): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (link && !link.href.endsWith(file)) link.href = file;
}

/** Who has done nothing for so long may want to be called once more. */
const kRemindAfterMs = 60_000;

let shown: number | undefined;
let reminder: number | undefined;

/** Calls for the decision with this id; none: nobody asks me. `title` is the page's own. */
export function myTurn(
  asked: number | undefined,
  t: Translator,
  game: string,
  title: string,
): void {
  document.title = asked === undefined ? title : t("web.attention.title", { game });
  setIcon(asked === undefined ? kPlainIcon : kDotIcon);
  if (asked === shown) return;
  const goes_on = shown !== undefined;
  shown = asked;
  window.clearTimeout(reminder);
  if (asked === undefined) {
    void navigator.clearAppBadge?.();
    return;
  }
  reminder = window.setTimeout(() => remind.value === "on" && call(t, game), kRemindAfterMs);
  if (goes_on) return;
  void navigator.setAppBadge?.(1);
  call(t, game);
}

function call(t: Translator, game: string): void {
  play("turn");
  // Browsers complain about a buzz before the first tap.
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(30);
  if (notify.value === "on" && document.visibilityState === "hidden") {
    try {
      new Notification(t("web.table.your_turn"), { body: game, tag: "turn", icon: kPlainIcon });
    } catch {
      // Some browsers want a service worker for that.
    }
  }
}

/** Whether notifications can be asked for here: browsers want an encrypted connection. */
export const canNotify = () => "Notification" in window && window.isSecureContext;

// ---- The screen stays on

let wanted = false;
let lock: WakeLockSentinel | undefined;

async function take(): Promise<void> {
  if (!wanted || lock || document.visibilityState !== "visible" || !("wakeLock" in navigator)) {
    return;
  }
  try {
    lock = await navigator.wakeLock.request("screen");
    lock.addEventListener("release", () => (lock = undefined));
  } catch {
    // The battery is low, or the browser does not want to.
  }
}
document.addEventListener("visibilitychange", () => void take());

export function keepAwake(on: boolean): void {
  wanted = on;
  if (on) void take();
  else void lock?.release();
}
