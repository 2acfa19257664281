// The second half of a double tap may meet a screen that the first half has brought: it counts for
// nothing there.

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
      if (last && screen !== last.screen && isDouble(last.event, event)) {
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
