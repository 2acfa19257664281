// The words of Triqueta's wire, and what the parts of the skin ask of a view. Nothing here knows a
// rule: what may be done stands in the view's legal acts.
import type { Animal } from "../../art/art";
import { kAnimals } from "../../art/art";
import type { Action, Event, Mine, Options, Table } from "../../protocol/games/triqueta.gen";
import type { GameView, GameWords, LegalAct, Translator } from "../../skin";

export interface Triqueta extends GameWords {
  Options: Options;
  Action: Action;
  Event: Event;
  Table: Table;
  Mine: Mine;
}
export type View = GameView<Triqueta>;
export type Legal = LegalAct<Action>;
export type { Action, Event, Mine, Options, Table };
export type Kind<K extends Action["do"]> = Extract<Action, { do: K }>;

export const animalName = (t: Translator, animal: Animal) => t(`triqueta.animal.${animal}`);

/** How many of each, in the order in which they first come. */
export function grouped(animals: readonly Animal[]): [Animal, number][] {
  const counts = new Map<Animal, number>();
  for (const animal of animals) counts.set(animal, (counts.get(animal) ?? 0) + 1);
  return [...counts];
}

export const countsOf = (up: Partial<Record<Animal, number>>): [Animal, number][] =>
  kAnimals.flatMap((animal): [Animal, number][] => (up[animal] ? [[animal, up[animal]]] : []));

/** "2 bear and owl": of no gender and no number, so that it is right in every language. */
export function tokensText(t: Translator, groups: [Animal, number][]): string {
  if (groups.length === 0) return t("triqueta.none");
  return t.list(
    groups.map(([animal, count]) =>
      count === 1
        ? animalName(t, animal)
        : t("web.triqueta.some", { count, animal: animalName(t, animal) }),
    ),
  );
}

/** "+3", "0", "−2" */
export function signed(t: Translator, points: number): string {
  const digits = t.number(Math.abs(points));
  return points > 0 ? `+${digits}` : points < 0 ? `\u2212${digits}` : digits;
}

/** The class for points that please or hurt. */
export const tone = (points: number) => ["bad", "", "good"][Math.sign(points) + 1]!;

export const leftInTower = ({ tower }: Table): number =>
  tower ? [...tower.light, ...tower.shadow].reduce((sum, n) => sum + n, 0) : 0;

export const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
