// How a game is played: its ways to play, its seats and its further options, to be chosen for a new room
// and, by the host, for one that waits; and what has been chosen, in words.
import { translation } from "../i18n";
import type { RoomFrame } from "../protocol/wire.gen";
import type { AnySkin, Translator } from "../skin";
import type { KnownGame } from "./games_known";
import { Choice } from "./parts";
import { kids } from "./settings";

type Words = Record<string, unknown>;

/** What has been chosen so far; what is absent is as usual. */
export interface Chosen {
  way?: number;
  seats?: number;
  /** By option, which of its values. */
  more: Record<string, number>;
}

/** The ways to play a game: those of its skin, or the one that the game has by default. */
function waysOf(game: KnownGame, skin: AnySkin | undefined) {
  if (skin && skin.variants.length > 0) return skin.variants;
  return [{ key: "", options: {}, seats: [game.min_seats, game.max_seats] as [number, number] }];
}

/** What a choice comes to. `fewest`: seats that are taken; `usual`: how many there are if nobody says. */
export function playedBy(
  game: KnownGame,
  skin: AnySkin | undefined,
  chosen: Chosen,
  { fewest = 0, usual }: { fewest?: number; usual?: number },
) {
  const ways = waysOf(game, skin).filter(({ seats: [, most] }) => most >= fewest);
  const way = ways[Math.min(chosen.way ?? 0, ways.length - 1)]!;
  const [least, most] = [Math.max(fewest, way.seats[0]), way.seats[1]];
  const seats = Math.min(most, Math.max(least, chosen.seats ?? usual ?? most));
  const choices = skin?.choices ?? [];
  const at = ({ option, values, kids: forKids }: (typeof choices)[number]) =>
    chosen.more[option] ?? Math.max(0, kids.value === "on" ? values.indexOf(forKids) : 0);
  const options: Words = { ...(way.options as Words) };
  for (const choice of choices) {
    const index = at(choice);
    // What the rules say needs no word.
    if (index > 0) options[choice.option] = choice.values[index];
  }
  return { ways, way, least, most, seats, choices, at, options };
}
type Played = ReturnType<typeof playedBy>;

interface Choosing {
  played: Played;
  chosen: Chosen;
  choose(chosen: Chosen): void;
}

export function WayChoice({ played: { ways, way }, chosen, choose }: Choosing) {
  const t = translation.value;
  if (ways.length < 2) return null;
  return (
    <fieldset class="variants">
      <legend>{t("web.create.variant")}</legend>
      {ways.map(({ key, seats: [min, max] }, i) => (
        <label key={key} class={`card ${way.key === key ? "chosen" : ""}`}>
          <input
            type="radio"
            name="variant"
            checked={way.key === key}
            onChange={() => choose({ ...chosen, way: i })}
          />
          <span>
            <b>{t(key)}</b>
            <small>
              {t("web.create.players", { min, max, same: min === max ? "yes" : "no" })}{" "}
              {t.has(`${key}_text`) && t(`${key}_text`)}
            </small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

export function SeatsChoice(props: Choosing & { legend: string }) {
  const { least, most, seats } = props.played;
  if (least >= most) return null;
  return (
    <Choice
      legend={props.legend}
      name="seats"
      value={String(seats)}
      options={Array.from({ length: most - least + 1 }, (_, i) => String(least + i)).map(
        (value) => ({ value, label: value }),
      )}
      choose={(value) => props.choose({ ...props.chosen, seats: Number(value) })}
    />
  );
}

export function MoreChoices({ played: { choices, at }, chosen, choose }: Choosing) {
  const t = translation.value;
  return (
    <>
      {choices.map((choice) => (
        <Choice
          key={choice.option}
          legend={t(choice.key)}
          name={choice.option}
          value={String(at(choice))}
          options={choice.values.map((value, i) => ({
            value: String(i),
            label: choice.label(value, t),
          }))}
          choose={(index) =>
            choose({ ...chosen, more: { ...chosen.more, [choice.option]: Number(index) } })
          }
        />
      ))}
    </>
  );
}

/** Which of the ways a room's options are: of several that fit, the one that says most. */
function wayOf(options: Words, ways: Played["ways"]): number {
  const said = ways.map((way) => Object.entries((way.options ?? {}) as Words));
  const fits = said.map((words) => words.every(([key, value]) => options[key] === value));
  return said.reduce(
    (best, words, i) => (fits[i] && (best < 0 || words.length > said[best]!.length) ? i : best),
    -1,
  );
}

/** What has been chosen for a room, as if it had just been. */
export function chosenIn(frame: RoomFrame, skin: AnySkin, kind: KnownGame): Chosen {
  const options = (frame.options ?? {}) as Words;
  const more: Chosen["more"] = {};
  for (const { option, values } of skin.choices ?? []) {
    more[option] = Math.max(0, values.indexOf(options[option] as never));
  }
  const way = Math.max(0, wayOf(options, waysOf(kind, skin)));
  return { way, seats: frame.seats.length, more };
}

/** What is played in a room: the name of its way, if its game has several. */
export function wayTitle(frame: RoomFrame, skin: AnySkin | undefined, t: Translator) {
  const ways = skin?.variants ?? [];
  const way = ways[wayOf((frame.options ?? {}) as Words, ways)];
  return way && ways.length > 1 ? t(way.key) : undefined;
}

/** How a room is played, in a few words each: the way, and whatever is not as usual. */
export function wordsOf(frame: RoomFrame, skin: AnySkin | undefined, t: Translator): string[] {
  const options = (frame.options ?? {}) as Words;
  const more = (skin?.choices ?? []).flatMap(({ option, key, values, label }) => {
    const index = values.indexOf(options[option] as never);
    if (index <= 0) return [];
    const what = t(key);
    const value = label(values[index], t);
    return [t("web.create.chosen", { what, value, asks: what.endsWith("?") ? "yes" : "no" })];
  });
  return [wayTitle(frame, skin, t) ?? [], ...more].flat();
}

/** How few may play this room's game with these options. */
export function fewestSeats(frame: RoomFrame, skin: AnySkin | undefined): number {
  const ways = skin?.variants ?? [];
  return ways[wayOf((frame.options ?? {}) as Words, ways)]?.seats[0] ?? 1;
}
