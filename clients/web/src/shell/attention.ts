// How the device says that it is my turn: title, dot on the icon, badge, sound, buzz, and a
// notification for who asked for it and looks elsewhere. And it keeps the screen on in a game.
import type { Translator } from "../skin";
import { notify } from "./settings";
import { play } from "./sound";

const kPlainIcon = "icon.svg";
const kDotIcon = "icon-turn.svg";

function setIcon(file: string): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (link && !link.href.endsWith(file)) link.href = file;
}

let shown = false;

export function myTurn(mine: boolean, t: Translator, game: string): void {
  document.title = mine ? t("web.attention.title", { game }) : game;
  setIcon(mine ? kDotIcon : kPlainIcon);
  if (mine === shown) return;
  shown = mine;
  if (!mine) {
    void navigator.clearAppBadge?.();
    return;
  }
  void navigator.setAppBadge?.(1);
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
