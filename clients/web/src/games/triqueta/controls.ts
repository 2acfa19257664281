// Which control does what: the legal acts that the server sent, put where they can be reached. Every
// legal act belongs to exactly one control.
import type { Action, Kind, Legal, Table } from "./words";

/** A legal act together with what it is. */
export type Offer<K extends Action["do"]> = Legal & { action: Kind<K> };

export interface TokenControls {
  /** By row. */
  place: Map<number, Offer<"place">>;
  keep?: Offer<"keep">;
  discard?: Offer<"discard">;
}

export interface Controls {
  draw: Offer<"draw">[];
  /** By row. */
  take: Map<number, Offer<"take">>;
  /** By the number of the token drawn. */
  tokens: Map<number, TokenControls>;
  tower: Offer<"tower">[];
  reveal: Offer<"reveal">[];
}

export function controlsOf(legal: readonly Legal[]): Controls {
  const found: Controls = { draw: [], take: new Map(), tokens: new Map(), tower: [], reveal: [] };
  const token = (index: number): TokenControls => {
    const known = found.tokens.get(index) ?? { place: new Map() };
    found.tokens.set(index, known);
    return known;
  };
  for (const { action, preview, worth } of legal) {
    switch (action.do) {
      case "draw":
        found.draw.push({ action, preview });
        break;
      case "take":
        found.take.set(action.row, { action, preview });
        break;
      case "place":
        token(action.token).place.set(action.row, { action, preview, worth });
        break;
      case "keep":
        token(action.token).keep = { action, preview };
        break;
      case "discard":
        token(action.token).discard = { action, preview };
        break;
      case "tower":
        found.tower.push({ action, preview });
        break;
      case "reveal":
        found.reveal.push({ action, preview, worth });
        break;
    }
  }
  return found;
}

/** What an act does to the rock: the last row brings it, and any other takes it from whoever has it. */
export function rockBy({ action }: Legal, { rock, rows }: Table, me: number | undefined): number {
  if (action.do !== "take") return 0;
  const left = rows.filter(({ taken_by }) => taken_by === undefined).length;
  return Number(left === 1) - Number(rock === me);
}

/** The same for the catalogue. */
export const rockWord = (by: number) => ["goes", "no", "comes"][by + 1]!;

/**
 * What a hint says of an act: what its animals bring. A row says the same to whoever may place in it and
 * to whoever may take it; the rock has a mark of its own.
 */
export function hintOf(offer: Legal | undefined, rock = 0): number | undefined {
  if (offer?.preview === undefined) return offer?.worth;
  return offer.worth ?? offer.preview - rock;
}

/** The draws that begin with these columns; the one that is exactly these is complete. */
export const drawsFrom = (draws: Controls["draw"], columns: readonly number[]) =>
  draws.filter(({ action }) => columns.every((column, i) => action.columns[i] === column));

/** The column that comes next in each of these draws. */
export const nextColumns = (draws: Controls["draw"], chosen: readonly number[]): Set<number> =>
  new Set(drawsFrom(draws, chosen).flatMap(({ action }) => action.columns[chosen.length] ?? []));

/** The answer with the best preview; the first if there are none. */
export function bestReveal(reveals: Controls["reveal"]): boolean[] | undefined {
  let best = reveals[0];
  for (const each of reveals) {
    if ((each.preview ?? -Infinity) > (best?.preview ?? -Infinity)) best = each;
  }
  return best?.action.keep;
}
