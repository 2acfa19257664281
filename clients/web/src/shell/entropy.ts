// The chance that this browser adds to a shuffle, so that nobody has to trust the server with it:
// its hash goes out before the server can know it, the bytes when all hashes are in. See
// docs/FAIRNESS.md. Kept by the browser until it is opened, so that a reload does not lose it.
import { hex, sha256 } from "./sha256";
import { store } from "./store";

export const randomBytes = (count: number) => crypto.getRandomValues(new Uint8Array(count));

export interface Entropy {
  entropy: string;
  hash: string;
}

export function drawEntropy(): Entropy {
  const bytes = randomBytes(32);
  return { entropy: hex(bytes), hash: hex(sha256(bytes)) };
}

const key = (room: string) => `entropy.${room}`;

export const keepEntropy = (room: string, { entropy, hash }: Entropy) =>
  store.set(key(room), `${entropy} ${hash}`);
export const forgetEntropy = (room: string) => store.set(key(room), null);

export function keptEntropy(room: string): Entropy | undefined {
  const [entropy, hash] = store.get(key(room))?.split(" ") ?? [];
  return entropy && hash ? { entropy, hash } : undefined;
}

/** What is kept for the room's next match, or is from now on. */
export function entropyFor(room: string): Entropy {
  const kept = keptEntropy(room);
  if (kept) return kept;
  const fresh = drawEntropy();
  keepEntropy(room, fresh);
  return fresh;
}
