// Which games have a skin: every folder src/games/<game> with an index.ts that exports `skin`.
import type { AnySkin } from "./skin";

const modules = import.meta.glob<{ skin: AnySkin }>("./games/*/index.ts");

/** The skin of a game; undefined if it has none and is played on the generic board. */
export async function skinOf(game: string): Promise<AnySkin | undefined> {
  const load = modules[`./games/${game}/index.ts`];
  return load ? (await load()).skin : undefined;
}

/** What is offered first, for who does not know what to play. */
const kFirst = "triqueta";

export const kGamesWithSkin = Object.keys(modules)
  .map((path) => path.split("/")[2]!)
  .sort((a, b) => Number(b === kFirst) - Number(a === kFirst) || a.localeCompare(b));

const lessons = import.meta.glob<{ default: unknown }>("./games/*/lesson.json");

/** The first game of a game, to learn it by; undefined if it has none. */
export async function lessonOf<T>(game: string): Promise<T | undefined> {
  const load = lessons[`./games/${game}/lesson.json`];
  return load ? ((await load()).default as T) : undefined;
}
