// What happened, as a story: who did it, in a sentence and with the pieces; the newest last, with a line
// between rounds. Pointing at a line shows where on the table it was.
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Flight } from "../board/flight";
import { focusNext } from "../board/roving";
import { translation } from "../i18n";
import type { AnySkin, Scene, Translator } from "../skin";
import { markForAWhile, markPlaces, unmark } from "./marks";
import { Avatar, BotMark } from "./parts";
import type { Room } from "./room";
import { go, replayLink } from "./route";

/** The sentence of one event, with what I alone learned by it; undefined if it says nothing. */
export function eventText(
  skin: AnySkin,
  event: unknown,
  scene: Scene,
  t: Translator,
  mine?: unknown,
): string | undefined {
  const said = skin.describe(event as never, scene, t, mine as never);
  return said && t(said.key, said.values);
}

export interface Line {
  key: string;
  rev: number;
  text: string;
  event: { seat?: number };
  mine: unknown;
}

/** All that happened and says something, the oldest first. */
export function useLines(room: Room, skin: AnySkin, scene: Scene, t: Translator): Line[] {
  const log = room.log.value;
  return useMemo(
    () =>
      log.flatMap(({ rev, events, mine }) =>
        events.flatMap((each, i) => {
          const text = eventText(skin, each, scene, t, mine);
          const event = each as Line["event"];
          return text ? [{ key: `${rev}-${i}`, rev, text, event, mine }] : [];
        }),
      ),
    [log, skin, scene, t],
  );
}

/** The pieces of a line. */
export const flightsOf = ({ event, mine }: Line, skin: AnySkin, scene: Scene): Flight[] =>
  skin.flights?.([event] as never, scene, mine as never) ?? [];

/**
 * All since my last act before others acted: in the middle of my turn it still tells what led to it. From the
 * beginning if I have done nothing before: then it is not `acted`.
 */
export function sinceMine(lines: readonly Line[], me: number): { lines: Line[]; acted: boolean } {
  const others = lines.findLastIndex(({ event }) => event.seat !== me);
  const last = lines.findLastIndex(({ event }, i) => i < others && event.seat === me);
  return { lines: lines.slice(last + 1), acted: last >= 0 };
}

/** A line as it is seen: who, the sentence, the pieces. */
export function Told(props: { line: Line; flights: Flight[]; scene: Scene }) {
  const { line, flights, scene } = props;
  const { seat } = line.event;
  return (
    <>
      {seat !== undefined && <Avatar seat={seat} name={scene.name(seat)} />}
      {seat !== undefined && <BotMark scene={scene} seat={seat} />}
      <span class="log-text">{line.text}</span>
      {flights.length > 0 && (
        <span class="log-pieces" aria-hidden="true">
          {flights.map(({ picture }, i) => (
            <span key={i}>{picture}</span>
          ))}
        </span>
      )}
    </>
  );
}

export function LogList(props: {
  room: Room;
  skin: AnySkin;
  scene: Scene;
  /** Once the match is over, each line leads to its step of the look back. */
  looksBack: boolean;
  /** A line was tapped: whatever lies over the table may go. */
  done?(): void;
}) {
  const { room, skin, scene, looksBack, done } = props;
  const match = room.room.value?.match ?? "";
  const t = translation.value;
  const list = useRef<HTMLOListElement>(null);
  const lines = useLines(room, skin, scene, t);
  const since = room.seen.value === undefined ? undefined : room.seen.value + 1;
  const first = lines.find(({ rev }) => rev === since);
  const { me } = scene;
  const mine = me === undefined || looksBack ? undefined : sinceMine(lines, me);
  useEffect(() => {
    list.current?.lastElementChild?.scrollIntoView({ block: "nearest" });
  }, [lines.length]);
  useEffect(() => () => unmark(), []);
  if (lines.length === 0) return <p class="note">{t("web.log.empty")}</p>;
  const choose = (rev: number, places: string[]) => {
    if (looksBack) return go(replayLink(room.code, match, rev));
    done?.();
    markForAWhile(places);
  };
  return (
    <ol class="log" ref={list} onKeyDown={focusNext}>
      {lines.map((line) => {
        const { key, rev, event } = line;
        const { seat } = event;
        const flights = flightsOf(line, skin, scene);
        const places = [
          ...flights.flatMap(({ from, to }) => [from, to]),
          ...(seat === undefined ? [] : [`seat-${seat}`]),
        ];
        const content = <Told line={line} flights={flights} scene={scene} />;
        const ends = skin.isMilestone?.(event as never) === true;
        return [
          line === first && (
            <li key="since" class="since">
              {t("web.log.since")}
            </li>
          ),
          mine?.acted && line === mine.lines[0] && (
            <li key="since-mine" class="since">
              {t("web.log.since_mine")}
            </li>
          ),
          <li key={key} class={ends ? "milestone" : ""}>
            {places.length > 0 || looksBack ? (
              <button
                type="button"
                tabIndex={line === lines.at(-1) ? 0 : -1}
                onClick={() => choose(rev, places)}
                onPointerEnter={() => markPlaces(places)}
                onPointerLeave={() => unmark()}
                onFocus={() => markPlaces(places)}
                onBlur={() => unmark()}
              >
                {content}
              </button>
            ) : (
              content
            )}
          </li>,
        ];
      })}
    </ol>
  );
}
