// Which cards fly when something has happened.
import type { Flight } from "../../board/flight";
import type { Scene } from "../../skin";
import { codeOf } from "../../triangles/pieces";
import { CardBack, CardFace, Triangle } from "../../triangles/triangle";
import type { Event, Mine } from "./words";

/** With `mine`, what I knew then, my cards are seen as I draw them. */
export function flightsOf(events: readonly Event[], scene: Scene, mine?: Mine): Flight[] {
  const flights: Flight[] = [];
  for (const event of events) {
    switch (event.event) {
      case "play":
        if (event.card) {
          const hand = `hand-${codeOf(event.card)}`;
          flights.push({
            picture: <CardFace card={event.card} />,
            from: event.seat === scene.me ? hand : `seat-${event.seat}`,
            to: `triangle-${event.triangle}`,
          });
        }
        break;
      case "triangle":
        flights.push({
          picture: (
            <span class="mh-flying">
              <Triangle cards={event.cards} quiet />
            </span>
          ),
          from: `triangle-${event.triangle}`,
          to: `seat-${event.seat}`,
        });
        break;
      case "draw": {
        const drawn = event.seat === scene.me ? mine?.drew : undefined;
        for (let i = 0; i < event.count; ++i) {
          const card = drawn?.[i];
          flights.push({
            picture: card ? <CardFace card={card} /> : <CardBack />,
            from: "pile",
            to: event.seat === scene.me ? "hand" : `seat-${event.seat}`,
          });
        }
        break;
      }
    }
  }
  return flights;
}
