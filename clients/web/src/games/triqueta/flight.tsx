// Tokens that fly from where they were to where they are now. Copies fly, over everything and in
// nobody's way; the table itself is right at once. Without motion nothing flies.
import { render } from "preact";
import { Token, type Animal, type Back } from "../../art/art";
import type { Scene } from "../../skin";
import { grouped, type Event } from "./words";

export interface Flight {
  face: Animal | Back;
  /** Names of places: see data-at in the board, and data-seat in the list of players. */
  from: string;
  to: string;
}

const kMostAtOnce = 10;
const kStagger = 0.22;

/** What flies when this happened. */
export function flightsOf(events: readonly Event[], scene: Scene): Flight[] {
  const mine = (seat: number) => seat === scene.me;
  const flights: Flight[] = [];
  for (const event of events) {
    switch (event.event) {
      case "drew":
        event.columns.forEach((column, i) => {
          const shadow = event.backs[i] === "shadow";
          const home = shadow ? "hidden" : "bar";
          flights.push({
            face: shadow ? "shadow" : "light",
            from: `column-${column}`,
            to: mine(event.seat) ? home : `seat-${event.seat}`,
          });
        });
        break;
      case "placed":
        if (event.animal) {
          flights.push({
            face: event.animal,
            from: mine(event.seat) ? "bar" : `seat-${event.seat}`,
            to: `row-${event.row}-${event.animal}`,
          });
        }
        break;
      case "kept":
        if (mine(event.seat)) flights.push({ face: "light", from: "bar", to: "hidden" });
        break;
      case "discarded":
        flights.push({
          face: "light",
          from: mine(event.seat) ? "bar" : `seat-${event.seat}`,
          to: "waiting",
        });
        break;
      case "took":
        for (const [animal] of grouped(event.animals)) {
          flights.push({
            face: animal,
            from: `row-${event.row}`,
            to: mine(event.seat) ? `mine-${animal}` : `seat-${event.seat}`,
          });
        }
        break;
      case "revealed":
        for (const face of [...event.light, ...event.shadow]) {
          flights.push({ face, from: `seat-${event.seat}`, to: "rows" });
        }
        break;
    }
  }
  return flights.slice(0, kMostAtOnce);
}

function place(board: HTMLElement, name: string): DOMRect | undefined {
  const found = name.startsWith("seat-")
    ? document.querySelector(`[data-seat="${name.slice(5)}"]`)
    : board.querySelector(`[data-at="${name}"]`);
  const box = found?.getBoundingClientRect();
  return box && box.width > 0 ? box : undefined;
}

/** Lets them fly, each for `ms`, one after the other in little time. */
export function fly(board: HTMLElement, layer: HTMLElement, flights: Flight[], ms: number): void {
  if (ms <= 0 || typeof layer.animate !== "function") return;
  // Who plays faster than tokens fly sees the newest only.
  while (layer.childElementCount > kMostAtOnce) layer.firstElementChild!.remove();
  const size = parseFloat(getComputedStyle(board).getPropertyValue("--tok")) || 36;
  flights.forEach(({ face, from, to }, i) => {
    const start = place(board, from);
    const end = place(board, to);
    if (!start || !end) return;
    const middle = (box: DOMRect) =>
      `translate(${box.x + box.width / 2 - size / 2}px, ${box.y + box.height / 2 - size / 2}px)`;
    const copy = document.createElement("div");
    copy.className = "tq-flight";
    render(<Token face={face} />, copy);
    layer.append(copy);
    const delay = i * ms * kStagger;
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
    const landed = board.querySelector<HTMLElement>(`.token[data-at="${to}"]`);
    if (landed && !landed.classList.contains("many")) {
      landed.animate([{ opacity: 0 }, { opacity: 1 }], {
        duration: ms * 0.25,
        delay: delay + ms * 0.9,
        fill: "backwards",
      });
    }
  });
}
