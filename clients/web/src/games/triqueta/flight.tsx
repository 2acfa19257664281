// Which tokens fly when something has happened.
import { Token, type Animal, type Back } from "../../art/art";
import type { Flight } from "../../board/flight";
import type { Scene } from "../../skin";
import { drawnBy } from "./describe";
import { grouped, type Event, type Mine } from "./words";

interface TokenFlight {
  face: Animal | Back;
  from: string;
  to: string;
}

/** What flies when this happened; with `mine`, what I knew then, with the faces that I had drawn. */
export function flightsOf(events: readonly Event[], scene: Scene, mine?: Mine): Flight[] {
  return tokenFlights(events, scene, mine).map(({ face, from, to }) => ({
    picture: <Token face={face} />,
    from,
    to,
  }));
}

export function tokenFlights(events: readonly Event[], scene: Scene, known?: Mine): TokenFlight[] {
  const mine = (seat: number) => seat === scene.me;
  const flights: TokenFlight[] = [];
  for (const event of events) {
    switch (event.event) {
      case "drew": {
        const drawn = known && mine(event.seat) ? drawnBy(event, known) : undefined;
        event.columns.forEach((column, i) => {
          const shadow = event.backs[i] === "shadow";
          const home = shadow ? "hidden" : "bar";
          flights.push({
            face: drawn?.[i] ?? (shadow ? "shadow" : "light"),
            from: `column-${column}`,
            to: mine(event.seat) ? home : `seat-${event.seat}`,
          });
        });
        break;
      }
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
        flights.push(
          mine(event.seat)
            ? { face: "light", from: "bar", to: "hidden" }
            : { face: "light", from: `seat-${event.seat}`, to: `seat-${event.seat}` },
        );
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
  return flights;
}
