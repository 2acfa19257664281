// The second half of a double tap may meet a screen that the first half has brought, and a tap may meet
// what has just moved: both count for nothing.
import { hasJustMoved } from "./in_sight";

const kDoubleTapMs = 400;
/** A finger does not come down twice at the same point. */
const kNear = 24;

const screenNow = () => document.querySelector("dialog[open]") ?? document.querySelector("main");

export function ignoreDoubleTaps(): void {
  let last: { event: MouseEvent; screen: Element | null } | undefined;
  document.addEventListener(
    "click",
    (event) => {
      // Keys and programs have no finger.
      if (event.detail === 0) return;
      const screen = screenNow();
      const isSecond = last && screen !== last.screen && isDouble(last.event, event);
      const isOnBoard = event.target instanceof Element && event.target.closest(".board");
      if (isSecond || (isOnBoard && hasJustMoved(event.timeStamp))) {
        event.preventDefault();
        event.stopImmediatePropagation();
        return;
      }
      last = { event, screen };
    },
    true,
  );
}

function isDouble(first: MouseEvent, second: MouseEvent): boolean {
  if (second.timeStamp - first.timeStamp > kDoubleTapMs) return false;
  if (second.detail > 1) return true;
  // Some browsers do not count the taps of fingers.
  const isTouch = (second as PointerEvent).pointerType === "touch";
  const far = Math.hypot(second.clientX - first.clientX, second.clientY - first.clientY);
  return isTouch && far < kNear;
}
