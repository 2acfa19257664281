// A room that is being made. The tab keeps what it has asked for until the server has answered: a page
// that is loaded again meanwhile asks again under the same id, so that one room comes of it, and
// still knows what it has promised for the shuffle.
import { signal } from "@preact/signals";
import type { CreateRequest } from "../protocol/wire.gen";
import type { Client } from "./client";
import { drawEntropy, keepEntropy, type Entropy } from "./entropy";
import { tabStore } from "./store";

export type Wish = Omit<CreateRequest, "id" | "entropy_hash">;
/** How strong a bot can be, from the weakest on. */
export const kLevels = ["easy", "normal", "hard", "expert"] as const;
/** Who plays against me, if the game is to begin at once. */
export interface Bots {
  count: number;
  level: (typeof kLevels)[number];
}
interface Making {
  id: string;
  wish: Wish;
  chance: Entropy;
  bots?: Bots;
}
type Maker = Pick<Client, "connection" | "enter">;

const kKey = "making";
export const isMaking = signal(false);

/** Makes the room, and begins if there are bots; gives back its code. */
export function makeRoom(client: Maker, wish: Wish, bots?: Bots): Promise<string> {
  const making = { id: client.connection.freshId(), wish, chance: drawEntropy(), bots };
  tabStore.set(kKey, JSON.stringify(making));
  return carryOut(client, making);
}

/** What the page before this one has begun; undefined if it has begun nothing. */
export function goOnMaking(client: Maker): Promise<string> | undefined {
  const kept = tabStore.get(kKey);
  return kept === null ? undefined : carryOut(client, JSON.parse(kept) as Making);
}

async function carryOut(client: Maker, { id, wish, chance, bots }: Making): Promise<string> {
  const { connection } = client;
  isMaking.value = true;
  try {
    const { room } = await connection.request({ ...wish, entropy_hash: chance.hash }, { id });
    keepEntropy(room!, chance);
    tabStore.set(kKey, null);
    if (bots) {
      await client.enter(room!);
      for (let i = 0; i < bots.count; ++i) {
        await connection.request({ type: "add_bot", room: room!, level: bots.level });
      }
      await connection.request({ type: "start", room: room! });
    }
    return room!;
  } finally {
    tabStore.set(kKey, null);
    isMaking.value = false;
  }
}
