// The look back, which is fetched when somebody wants it.
import { later } from "./later";
import type { Replay as Part } from "./replay";

export const Replay = later<Parameters<typeof Part>[0]>(
  async () => (await import("./replay")).Replay,
);
