// The chance that this browser adds to a shuffle, so that nobody has to trust the server with it:
// its hash goes out before the server can know it, the bytes when all hashes are in. See
// docs/FAIRNESS.md. Kept by the browser, for all its tabs, until the match for which it was promised
// has been dealt; never promised for two matches.
import { hex, sha256 } from "./sha256";
import { store } from "./store";

export const randomBytes = (count: number) => crypto.getRandomValues(new Uint8Array(count));

export interface Entropy {
  entropy: string;
  hash: string;
  /** The match for which it was promised; absent until the first frame of the room tells. */
  match?: string;
}

export function drawEntropy(): Entropy {
  const bytes = randomBytes(32);
  return { entropy: hex(bytes), hash: hex(sha256(bytes)) };
}

/** Whether it may be promised, and then opened, for this match. */
export const isFor = ({ match }: Entropy, wanted: string) =>
  match === undefined || match === wanted;

const key = (room: string) => `entropy.${room}`;

export const keepEntropy = (room: string, { entropy, hash, match = "" }: Entropy) =>
  store.set(key(room), `${entropy} ${hash} ${match}`.trim());
export const forgetEntropy = (room: string) => store.set(key(room), null);

export function keptEntropy(room: string): Entropy | undefined {
  const [entropy, hash, match] = store.get(key(room))?.split(" ") ?? [];
  if (!entropy || !hash) return undefined;
  return match ? { entropy, hash, match } : { entropy, hash };
}
