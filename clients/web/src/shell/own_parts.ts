// What my seat knew when I had acted, kept by the tab: the server's history tells what all have seen, and so
// a page that is loaded again still says which card I drew. Another tab or device does without.
import { tabStore } from "./store";

/** Of these the newest; each takes less than 2 kB. */
const kMostParts = 120;
/** One for all rooms: the next match takes the place of the one before. */
const kKey = "own";

/** Whose parts: of one seat, in one match of a room. */
interface Place {
  code: string;
  match: string;
  seat: number;
}
interface Kept extends Place {
  /** By revision, the oldest first. */
  parts: [rev: number, mine: unknown][];
}

/** What I knew in this seat, by revision: none if another place's are kept. */
export function ownParts({ code, match, seat }: Place): Map<number, unknown> {
  try {
    const kept = JSON.parse(tabStore.get(kKey) ?? "") as Kept;
    const isThere = kept.code === code && kept.match === match && kept.seat === seat;
    return new Map(isThere ? kept.parts : []);
  } catch {
    return new Map();
  }
}

/** Keeps what I knew at this revision. Those of another place are forgotten. */
export function keepOwnPart({ code, match, seat }: Place, rev: number, mine: unknown): void {
  const known = [...ownParts({ code, match, seat })].filter(([each]) => each !== rev);
  const parts = [...known, [rev, mine]].slice(-kMostParts);
  tabStore.set(kKey, JSON.stringify({ code, match, seat, parts } as Kept));
}

/** For who becomes another player. */
export function forgetOwnParts(): void {
  tabStore.set(kKey, null);
}
