// Which cards fly when something has happened.
import type { Flight } from "../../board/flight";
import type { Scene } from "../../skin";
import type { Card } from "../../triangles/pieces";
import { CardBack, CardFace } from "../../triangles/triangle";
import { spotOf, type Event, type Mine } from "./words";

export function flightsOf(events: readonly Event[], scene: Scene, mine?: Mine): Flight[] {
  const home = (seat: number) => (seat === scene.me ? "hand" : `seat-${seat}`);
  const handOf = (seat: number, card: Card) =>
    seat === scene.me ? spotOf(card, "hand") : `seat-${seat}`;
  const savedOf = (seat: number, card: Card) =>
    seat === scene.me ? spotOf(card, "saved") : `player-${seat}`;
  const flight = (card: Card, from: string, to: string): Flight => ({
    picture: <CardFace card={card} />,
    from,
    to,
  });
  const flights = (event: Event): Flight[] => {
    switch (event.event) {
      case "drew": {
        const card = event.card ?? (event.seat === scene.me ? mine?.drawn : undefined);
        if (!card) return [{ picture: <CardBack />, from: event.from, to: home(event.seat) }];
        return [flight(card, event.from, handOf(event.seat, card))];
      }
      case "discarded":
        return event.card ? [flight(event.card, handOf(event.seat, event.card), "discard")] : [];
      case "completed":
        return [
          ...event.discarded.map((card) => flight(card, handOf(event.seat, card), "discard")),
          ...event.saved.map((card) =>
            flight(card, handOf(event.seat, card), savedOf(event.seat, card)),
          ),
        ];
      case "joker":
        return event.card ? [flight(event.card, handOf(event.seat, event.card), "jokers")] : [];
      case "stole":
        return event.card
          ? [flight(event.card, savedOf(event.victim, event.card), handOf(event.seat, event.card))]
          : [];
      default:
        return [];
    }
  };
  return events.flatMap(flights);
}
