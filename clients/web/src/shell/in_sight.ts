// What has the focus is never under anything. Who plays by keyboard has notices and bars beside the table
// (data-keys in shell.css); who taps has them over it, since nothing may jump under a finger.

/** Keeps data-keys while the page is used by keyboard. */
export function followKeys(): void {
  const { dataset } = document.documentElement;
  const press = ({ ctrlKey, metaKey, altKey }: KeyboardEvent) => {
    if (!ctrlKey && !metaKey && !altKey) dataset.keys = "on";
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

/** Tells the style how high the bars at the top are, until the function that it gives back is called. */
export function measureBars(bars: HTMLElement): () => void {
  const { documentElement, body } = document;
  const watch = new ResizeObserver(() => {
    documentElement.style.setProperty("--bars", `${bars.offsetHeight}px`);
    showFocus(body);
  });
  watch.observe(bars);
  return () => watch.disconnect();
}
