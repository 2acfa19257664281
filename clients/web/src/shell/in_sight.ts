// What has the focus is never under anything. Bars stand above the table, and a tap on what has just moved
// for one counts for nothing. Who plays by keyboard has notices beside the table, too (data-keys in
// shell.css); who taps has them over it.

/** Keys by which one moves or acts; Escape, Shift or the keys of a phone's sides are none. */
const kActs = /^(?:.|Tab|Enter|Home|End|PageUp|PageDown|Arrow.+)$/u;
const kFields = "input:not([type=radio], [type=checkbox], [type=range]), textarea, select";

/** Keeps data-keys while the page is used by keyboard: to type a word is no such use. */
export function followKeys(): void {
  const { dataset } = document.documentElement;
  const press = ({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent) => {
    if (ctrlKey || metaKey || altKey || !kActs.test(key)) return;
    if (key !== "Tab" && target instanceof Element && target.matches(kFields)) return;
    dataset.keys = "on";
  };
  // Not before a click is done: what it is on would have moved away.
  const point = ({ detail }: MouseEvent) => detail > 0 && setTimeout(() => delete dataset.keys);
  document.addEventListener("keydown", press, true);
  document.addEventListener("click", point, true);
}

/**
 * Scrolls to what has the focus here, if somebody was led there by keyboard: something has changed. Who
 * scrolls with a finger is left alone.
 */
export function showFocus(place: HTMLElement): void {
  const active = document.activeElement;
  if (!active || !place.contains(active) || !active.matches(":focus-visible")) return;
  active.scrollIntoView({ block: "nearest", inline: "nearest" });
}

let moved_at = -Infinity;
/** A finger that is on its way down does not see so soon that everything has moved. */
const kUnseenMs = 350;
/** Whether a bar has come or gone just before this moment of the page's own clock. */
export const hasJustMoved = (at: number) => at - moved_at < kUnseenMs;

/** Tells the style how high the bars at the top are, until the function that it gives back is called. */
export function measureBars(bars: HTMLElement): () => void {
  const { documentElement, body } = document;
  let height = bars.offsetHeight;
  const watch = new ResizeObserver(() => {
    if (bars.offsetHeight !== height) moved_at = performance.now();
    height = bars.offsetHeight;
    documentElement.style.setProperty("--bars", `${height}px`);
    showFocus(body);
  });
  watch.observe(bars);
  return () => watch.disconnect();
}
