// Things that go from where they were to where they are now. What changes its owner flies as a copy, over
// everything and in nobody's way; what only makes room slides; who gets something is lit when it lands. The
// table itself is right at once, and can be touched. Without motion nothing moves.
import { render, type VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import "./flight.css";

export interface Flight {
  picture: VNode;
  /** Names of places: data-at on the board, or "seat-2" for a chip in the list of players. */
  from: string;
  to: string;
}

const kMostAtOnce = 10;
const kStagger = 0.22;

const kMostSliding = 40;
const kStillPx = 2;

type Places = Map<string, DOMRect>;

function boxOf(board: HTMLElement, name: string): DOMRect | undefined {
  const found = name.startsWith("seat-")
    ? document.querySelector(`[data-seat="${name.slice(5)}"]`)
    : board.querySelector(`[data-at="${name}"]`);
  const box = found?.getBoundingClientRect();
  return box && box.width > 0 ? box : undefined;
}

/** The board's own place, beside those on it. */
const kBoard = "";

/** Where everything with a name stands now. */
function placesOf(board: HTMLElement): Places {
  const places: Places = new Map([[kBoard, board.getBoundingClientRect()]]);
  for (const each of board.querySelectorAll<HTMLElement>("[data-at]")) {
    const box = each.getBoundingClientRect();
    if (box.width > 0) places.set(each.dataset.at!, box);
  }
  return places;
}

/** A player to whom something comes is lit as it lands. */
function light(seat: string, ms: number, delay: number): void {
  const chip = document.querySelector<HTMLElement>(`[data-seat="${seat.slice(5)}"]`);
  chip?.animate(
    [
      { boxShadow: "0 0 0 0 transparent" },
      { boxShadow: "0 0 0 5px var(--focus)", offset: 0.3 },
      { boxShadow: "0 0 0 5px transparent" },
    ],
    { duration: ms * 2, delay: delay + ms * 0.8 },
  );
}

/** Lets them fly, each for `ms`, one after the other in little time. */
function fly(
  board: HTMLElement,
  layer: HTMLElement,
  flights: Flight[],
  before: Places,
  ms: number,
): void {
  if (typeof layer.animate !== "function") return;
  // Who plays faster than things fly sees the newest only.
  while (layer.childElementCount > kMostAtOnce) layer.firstElementChild!.remove();
  flights.slice(0, kMostAtOnce).forEach(({ picture, from, to }, i) => {
    const start = before.get(from) ?? boxOf(board, from);
    const end = boxOf(board, to) ?? before.get(to);
    if (!start || !end) return;
    const copy = document.createElement("div");
    copy.className = "flight";
    render(picture, copy);
    layer.append(copy);
    const { width, height } = copy.getBoundingClientRect();
    const middle = (box: DOMRect) =>
      `translate(${box.x + box.width / 2 - width / 2}px, ${box.y + box.height / 2 - height / 2}px)`;
    const delay = i * ms * kStagger;
    if (to.startsWith("seat-")) light(to, ms, delay);
    const flight = copy.animate(
      [
        { transform: `${middle(start)} scale(1)`, opacity: 1 },
        { transform: `${middle(end)} scale(1.15)`, opacity: 1, offset: 0.8 },
        { transform: `${middle(end)} scale(0.9)`, opacity: 0 },
      ],
      { duration: ms * 1.2, delay, easing: "cubic-bezier(.3,.1,.2,1)", fill: "backwards" },
    );
    flight.onfinish = () => copy.remove();
    flight.oncancel = () => copy.remove();
    // What is in it, not itself: it may have the focus, which can be seen meanwhile.
    for (const landed of board.querySelectorAll(`[data-at="${to}"][data-lands] > *`)) {
      landed.animate([{ opacity: 0 }, { opacity: 1 }], {
        duration: ms * 0.25,
        delay: delay + ms * 0.9,
        fill: "backwards",
      });
    }
  });
}

/** What stands elsewhere on the board than before, and does not arrive there just now, slides. */
function slide(
  board: HTMLElement,
  before: Places,
  arriving: ReadonlySet<string>,
  ms: number,
): void {
  const then = before.get(kBoard);
  const now = board.getBoundingClientRect();
  // Who plays by keyboard (shell/in_sight.ts): what has the focus is under nothing, not even for a moment.
  if (document.documentElement.dataset.keys === "on") return;
  // Another size of the window is no move of anything.
  if (!then || then.width !== now.width || typeof board.animate !== "function") return;
  const names = new Map<string, HTMLElement | undefined>();
  for (const each of board.querySelectorAll<HTMLElement>("[data-at]")) {
    const name = each.dataset.at!;
    // Of several with one name nobody knows which is which.
    names.set(name, names.has(name) ? undefined : each);
  }
  let sliding = 0;
  for (const [name, each] of names) {
    const old = before.get(name);
    if (!each || !old || arriving.has(name) || sliding >= kMostSliding) continue;
    const box = each.getBoundingClientRect();
    // The page may have scrolled meanwhile.
    const x = old.x - then.x - (box.x - now.x);
    const y = old.y - then.y - (box.y - now.y);
    if (box.width === 0 || Math.hypot(x, y) < kStillPx) continue;
    ++sliding;
    each.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], {
      duration: ms,
      easing: "cubic-bezier(.3,.1,.2,1)",
    });
  }
}

/**
 * After each step from one view to the next, `flightsOf` says what flies. Gives back the refs of
 * the board and of the layer in it.
 */
export function useFlights(
  view: { match: string; rev: number },
  flightsOf: () => Flight[],
  ms: number,
) {
  const root = useRef<HTMLDivElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const shown = useRef({ match: view.match, rev: view.rev, places: new Map() as Places });
  useLayoutEffect(() => {
    const { match, rev, places } = shown.current;
    const isNext = match === view.match && view.rev === rev + 1;
    if (ms > 0 && isNext) {
      const flights = flightsOf();
      slide(root.current!, places, new Set(flights.map(({ to }) => to)), ms);
      fly(root.current!, layer.current!, flights, places, ms);
    }
    const now = ms > 0 ? placesOf(root.current!) : new Map();
    shown.current = { match: view.match, rev: view.rev, places: now };
  }, [view]);
  return { root, layer };
}
