// The games that the server knows, each with its skin if there is one.
import { signal } from "@preact/signals";
import { kGamesWithSkin, skinOf } from "../games";
import { translation } from "../i18n";
import type { AnySkin } from "../skin";
import { genericSkin } from "./generic";
import { root } from "./route";

export interface KnownGame {
  name: string;
  min_seats: number;
  max_seats: number;
}
export const games = signal<KnownGame[] | undefined>(undefined);
const skins = signal<ReadonlyMap<string, AnySkin>>(new Map());

export async function loadGames(): Promise<void> {
  const answer = await fetch(new URL("api/v1/games", root), { cache: "no-store" });
  const known = ((await answer.json()) as { games: KnownGame[] }).games;
  // Games with a skin first: they are the ones that people come for.
  const rank = ({ name }: KnownGame) =>
    kGamesWithSkin.includes(name) ? kGamesWithSkin.indexOf(name) : kGamesWithSkin.length;
  games.value = known.sort((a, b) => rank(a) - rank(b));
}

const loading = new Map<string, Promise<AnySkin>>();

/** The skin of a game, or one made for any game; undefined while it is on its way. */
export function skinFor(game: string): AnySkin | undefined {
  const found = skins.value.get(game);
  if (!found) void loadSkin(game);
  return found;
}

export function loadSkin(game: string): Promise<AnySkin> {
  let load = loading.get(game);
  if (!load) {
    load = skinOf(game).then((skin) => {
      const found = skin ?? genericSkin(game);
      skins.value = new Map(skins.value).set(game, found);
      return found;
    });
    // After a failure, a change of the version for example, it may be tried again.
    load.catch(() => loading.delete(game));
    loading.set(game, load);
  }
  return load;
}

/** The name of a game, and its skin is fetched, since it will be wanted. */
export function gameTitle(game: string): string {
  void skinFor(game);
  return gameName(game);
}

/** The name of a game; of one without a skin, the word of the wire made readable. */
export function gameName(game: string): string {
  const t = translation.value;
  const key = skins.value.get(game)?.title ?? `${game}.title`;
  if (t.has(key)) return t(key);
  const words = game.replace(/_/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
