// What my seat knew when I had acted, kept by the tab: the server's history tells what all have seen, and so
// a page that is loaded again still says which card I drew. Another tab or device does without.
import { tabStore } from "./store";

/** Of these the newest; each takes less than 2 kB. */
const kMostParts = 120;

interface Kept {
  match: string;
  /** By revision, the oldest first. */
  parts: [rev: number, mine: unknown][];
}

function read(key: string): Kept {
  try {
    return JSON.parse(tabStore.get(key) ?? "") as Kept;
  } catch {
    return { match: "", parts: [] };
  }
}

export interface OwnParts {
  /** Keeps what I knew at this revision. Another match than before: what was kept is forgotten. */
  keep(match: string, rev: number, mine: unknown): void;
  /** What I knew then, if it is kept. */
  of(match: string, rev: number): unknown;
}

/** Those of a room. */
export function ownParts(code: string): OwnParts {
  const key = `own.${code}`;
  let kept = read(key);
  return {
    keep(match, rev, mine) {
      const before = kept.match === match ? kept.parts.filter(([known]) => known !== rev) : [];
      kept = { match, parts: [...before, [rev, mine] as Kept["parts"][number]].slice(-kMostParts) };
      tabStore.set(key, JSON.stringify(kept));
    },
    of: (match, rev) =>
      kept.match === match ? kept.parts.find(([known]) => known === rev)?.[1] : undefined,
  };
}
