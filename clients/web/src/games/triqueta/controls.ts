// Which control does what: the legal acts that the server sent, put where they can be reached. Every
// legal act belongs to exactly one control.
import type { Action, Kind, Legal } from "./words";

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

/** What a hint says of an act: of a row or an answer what it is worth, else what it brings now. */
export const hintOf = (offer: Legal | undefined): number | undefined =>
  offer?.worth ?? offer?.preview;

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
