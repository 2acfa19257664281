// How many games this browser has played, and won: on this device alone, told to nobody.
import { signal } from "@preact/signals";
import { store } from "./store";

interface Played {
  played: number;
  won: number;
  /** The last that were counted: whoever opens one again has not played it twice. */
  last: string[];
}
const kMostLast = 40;
const kKey = "played";

function read(): Record<string, Played> {
  try {
    return JSON.parse(store.get(kKey) ?? "{}") as Record<string, Played>;
  } catch {
    return {};
  }
}
/** By game. */
export const played = signal(read());

export function countPlayed(game: string, match: string, won: boolean): void {
  // Another tab may have counted.
  const all = read();
  const before = all[game] ?? { played: 0, won: 0, last: [] };
  if (before.last.includes(match)) return;
  all[game] = {
    played: before.played + 1,
    won: before.won + Number(won),
    last: [...before.last, match].slice(-kMostLast),
  };
  played.value = all;
  store.set(kKey, JSON.stringify(all));
}
