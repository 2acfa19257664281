// Shows on the table where something happened: whoever points at a line of the log sees its places.

function show(names: readonly string[]): void {
  for (const each of document.querySelectorAll("[data-marked]"))
    each.removeAttribute("data-marked");
  for (const name of names) {
    const seat = /^seat-(\d+)$/.exec(name)?.[1];
    const place = seat === undefined ? `.board [data-at="${name}"]` : `[data-seat="${seat}"]`;
    document.querySelector(place)?.setAttribute("data-marked", "");
  }
}

const kMarkedMs = 2500;
let timer: number | undefined;

/** Marks the parts of the table with these names: data-at on the board, or "seat-2" for a player. */
export function markPlaces(names: readonly string[]): void {
  window.clearTimeout(timer);
  timer = undefined;
  show(names);
}

/** Nothing is pointed at any more. What was tapped stays marked for its while. */
export function unmark(): void {
  if (timer === undefined) show([]);
}

/** The same for a while, for whoever tapped. */
export function markForAWhile(names: readonly string[]): void {
  markPlaces(names);
  timer = window.setTimeout(() => markPlaces([]), kMarkedMs);
}
