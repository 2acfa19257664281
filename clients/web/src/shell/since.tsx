// What has happened since my last act, in a few lines where there is no room for the log: they stay for my
// whole turn. No live region: what happens is spoken once, when it does.
import { useRef } from "preact/hooks";
import { translation } from "../i18n";
import type { AnySkin, Scene } from "../skin";
import { Icon } from "./icons";
import { flightsOf, sinceMine, Told, useLines } from "./log";
import type { Room } from "./room";
import { since } from "./settings";

/** More than any window shows. */
const kMostLines = 10;

export function Since({ room, skin, scene }: { room: Room; skin: AnySkin; scene: Scene }) {
  const t = translation.value;
  const { me } = scene;
  const button = useRef<HTMLButtonElement>(null);
  const told = useLines(room, skin, scene, t);
  if (me === undefined) return null;
  const { lines: all, acted } = sinceMine(told, me);
  const title = t(acted ? "web.log.since_mine" : "web.log.title");
  const events = all.map(({ event }) => event);
  const lines = all.filter(
    ({ event }) => event.seat === me || !skin.isMinor?.(event as never, events as never),
  );
  const folded = since.value === "folded";
  const fold = () => (since.value = folded ? "open" : "folded");
  // Where there is no button nothing can be folded, and a tap is one beside everything.
  const foldByTap = (event: Event) => {
    if (button.current?.getClientRects().length === 0) return;
    event.stopPropagation();
    fold();
  };
  return (
    <div class={`since-mine ${folded ? "folded" : ""}`} role="group" aria-label={title}>
      <div class="since-told" onClick={foldByTap}>
        <b class="since-title" aria-hidden="true">
          {title}
        </b>
        <ul>
          {lines.slice(-kMostLines).map((line) => {
            const { event } = line;
            const kind = skin.isMilestone?.(event as never)
              ? "milestone"
              : event.seat === me
                ? "own"
                : "";
            return (
              <li key={line.key} class={kind}>
                <Told line={line} flights={flightsOf(line, skin, scene)} scene={scene} />
              </li>
            );
          })}
        </ul>
      </div>
      <button
        ref={button}
        type="button"
        class="round"
        aria-expanded={!folded}
        aria-label={title}
        onClick={fold}
      >
        <Icon name={folded ? "down" : "up"} size={18} />
      </button>
    </div>
  );
}
