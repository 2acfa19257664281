// What happened, in sentences, the newest last.
import { useEffect, useRef } from "preact/hooks";
import { translation } from "../i18n";
import type { AnySkin, Scene, Translator } from "../skin";
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

/** Once the match is over, each line leads to its step of the look back. */
export function LogList(props: { room: Room; skin: AnySkin; scene: Scene; looksBack: boolean }) {
  const { room, skin, scene, looksBack } = props;
  const match = room.room.value?.match ?? "";
  const t = translation.value;
  const list = useRef<HTMLOListElement>(null);
  const log = room.log.value;
  const since = room.seen.value === undefined ? undefined : room.seen.value + 1;
  useEffect(() => {
    list.current?.lastElementChild?.scrollIntoView({ block: "nearest" });
  }, [log.length]);
  if (log.length === 0) return <p class="note">{t("web.log.empty")}</p>;
  return (
    <ol class="log" ref={list}>
      {log.flatMap(({ rev, events, mine }) => [
        ...(rev === since
          ? [
              <li key="since" class="since">
                {t("web.log.since")}
              </li>,
            ]
          : []),
        ...events.flatMap((event, i) => {
          const text = eventText(skin, event, scene, t, mine);
          if (!text) return [];
          const line = looksBack ? (
            <button type="button" onClick={() => go(replayLink(room.code, match, rev))}>
              {text}
            </button>
          ) : (
            text
          );
          return [<li key={`${rev}-${i}`}>{line}</li>];
        }),
      ])}
    </ol>
  );
}
