// Waving to the others: eight things to say by a tap, and text where the host allows it.
import { useState } from "preact/hooks";
import { translation } from "../i18n";
import type { ReactRequest, RoomFrame } from "../protocol/wire.gen";
import type { Scene } from "../skin";
import type { Room } from "./room";

const kReactions: readonly ReactRequest["reaction"][] = [
  "hello",
  "clap",
  "laugh",
  "wow",
  "think",
  "sad",
  "hurry",
  "thanks",
];
const kLongestText = 200;

export function Talk(props: { room: Room; frame: RoomFrame; scene: Scene; done(): void }) {
  const { room, frame, scene, done } = props;
  const t = translation.value;
  const text = room.draft.value;
  const [asking, setAsking] = useState(false);
  // What is refused stays in the field; what was typed meanwhile stays, too.
  const say = async () => {
    if (!text.trim() || asking) return;
    setAsking(true);
    const ok = await room.ask({ type: "say", room: room.code, text: text.trim() });
    setAsking(false);
    if (ok && room.draft.value === text) room.draft.value = "";
  };
  return (
    <div class="talk">
      <ul class="reactions">
        {kReactions.map((reaction) => (
          <li key={reaction}>
            <button
              type="button"
              onClick={() => {
                void room.ask({ type: "react", room: room.code, reaction });
                done();
              }}
            >
              {t(`reaction.${reaction}`)}
            </button>
          </li>
        ))}
      </ul>
      {frame.chat === "text" && (
        <>
          <ul class="said">
            {room.said.value
              .filter(({ seat }) => !room.muted.value.has(scene.name(seat)))
              .map((said, i) => (
                <li key={i}>
                  <b>{scene.name(said.seat)}</b> {said.text}
                </li>
              ))}
          </ul>
          <form
            class="say"
            onSubmit={(event) => {
              event.preventDefault();
              void say();
            }}
          >
            <input
              aria-label={t("web.talk.text")}
              value={text}
              maxLength={kLongestText}
              onInput={(event) => (room.draft.value = event.currentTarget.value)}
            />
            <button type="submit">{t("web.talk.send")}</button>
          </form>
        </>
      )}
    </div>
  );
}
