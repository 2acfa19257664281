// Every piece and number explains itself: to a mouse that rests on it, a finger that stays, and to "?" when
// it has the focus. What can be explained carries data-why with a word that the skin knows.
import { useEffect, useState } from "preact/hooks";
import type { AnySkin } from "../skin";
import { translation } from "../i18n";
import { announce } from "./app_state";

const kRestMs = 600;
const kHoldMs = 500;
/** A finger that stays is never quite still. */
const kStill = 12;
/** More in one place is a list that nobody reads. */
const kMostAtOnce = 4;
const kWidth = 280;
const kAway = 8;

interface Tip {
  text: string;
  left: string;
  /** From the top of the window, or from its bottom. */
  top?: string;
  bottom?: string;
}

function placed(text: string, { left, width, top, bottom }: DOMRect): Tip {
  const middle = left + width / 2 - kWidth / 2;
  const at = Math.max(kAway, Math.min(middle, window.innerWidth - kWidth - kAway));
  return top > window.innerHeight / 3
    ? { text, left: `${at}px`, bottom: `${window.innerHeight - top + kAway}px` }
    : { text, left: `${at}px`, top: `${bottom + kAway}px` };
}

const aboutIn = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>("main [data-why]") : null;

/** What "?" asks about: whatever has the focus on the board, and what lies on it. */
export function isExplained(): boolean {
  const focused = document.activeElement?.closest(".board *");
  return focused?.matches("[data-why], :has([data-why])") ?? false;
}

export function Explain({ skin }: { skin: AnySkin }) {
  const t = translation.value;
  const [tip, setTip] = useState<Tip | undefined>(undefined);
  useEffect(() => {
    const explain = (words: (string | undefined)[], where: Element) => {
      const known = [...new Set(words)].flatMap((word) => (word && skin.explain?.(word, t)) || []);
      if (known.length === 0) return;
      const text = known.slice(0, kMostAtOnce).join(" ");
      setTip(placed(text, where.getBoundingClientRect()));
      announce(text);
    };
    let timer = 0;
    let about: HTMLElement | null = null;
    let from = { x: 0, y: 0 };
    let asked = false;
    let held = false;
    const after = (ms: number, then: () => void) => {
      window.clearTimeout(timer);
      timer = window.setTimeout(then, ms);
    };
    const away = () => {
      window.clearTimeout(timer);
      about = null;
      setTip(undefined);
    };
    const over = (event: PointerEvent) => {
      if (event.pointerType !== "mouse") return;
      const next = aboutIn(event.target);
      if (next === about) return;
      away();
      about = next;
      asked = false;
    };
    const down = (event: PointerEvent) => {
      away();
      held = false;
      const next = event.pointerType === "mouse" ? null : aboutIn(event.target);
      if (!next) return;
      from = { x: event.clientX, y: event.clientY };
      after(kHoldMs, () => {
        held = true;
        explain([next.dataset.why], next);
      });
    };
    const move = (event: PointerEvent) => {
      if (event.pointerType === "mouse") {
        // What comes to lie under a pointer that rests has not been asked about.
        const what = about;
        if (what && !asked) after(kRestMs, () => explain([what.dataset.why], what));
        asked = true;
        return;
      }
      if (held) return;
      const far = Math.hypot(event.clientX - from.x, event.clientY - from.y);
      if (far > kStill) window.clearTimeout(timer);
    };
    const up = (event: PointerEvent) => {
      if (event.pointerType !== "mouse") window.clearTimeout(timer);
    };
    // A finger that has stayed has asked, and does nothing else; what does nothing at all explains itself.
    const click = (event: MouseEvent) => {
      const plain = aboutIn(event.target);
      if (!held && plain && !plain.closest("button, a, summary, label, [role=button]")) {
        // The same tap takes back what was begun, which puts any explanation away: this comes after it.
        window.setTimeout(() => explain([plain.dataset.why], plain));
      }
      if (!held) return;
      held = false;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    const menu = (event: Event) => {
      if (held) event.preventDefault();
    };
    const key = (event: KeyboardEvent) => {
      if (event.key !== "?" || !isExplained()) return away();
      const focused = document.activeElement!;
      const inside = [...focused.querySelectorAll<HTMLElement>("[data-why]")];
      const own = focused.closest<HTMLElement>("[data-why]");
      explain(
        [own, ...inside].map((each) => each?.dataset.why),
        focused,
      );
    };
    const listeners = {
      pointerover: over,
      pointerdown: down,
      pointermove: move,
      pointerup: up,
      pointercancel: up,
      contextmenu: menu,
      keydown: key,
      click,
      scroll: away,
    } as unknown as Record<string, EventListener>;
    // Before all others, who would take the click for a tap.
    for (const [name, listen] of Object.entries(listeners))
      window.addEventListener(name, listen, true);
    return () => {
      window.clearTimeout(timer);
      for (const [name, listen] of Object.entries(listeners)) {
        window.removeEventListener(name, listen, true);
      }
    };
  }, [skin, t]);
  if (!tip) return null;
  const { text, ...where } = tip;
  return (
    <p class="why" role="tooltip" style={where}>
      {text}
    </p>
  );
}
