// Waving to the others: eight things to say by a tap, and text where the host allows it. What arrives is
// never silent: it is heard, stands at the seat for a while, and is counted until it is read.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { translation } from "../i18n";
import type { RoomFrame } from "../protocol/wire.gen";
import type { Scene } from "../skin";
import { announce } from "./app_state";
import { Icon } from "./icons";
import { kReactions, ReactionPicture } from "./reaction";
import type { Room } from "./room";
import { sceneOf } from "./scene";
import { Sheet } from "./sheet";
import { play } from "./sound";

const kLongestText = 200;

export function Talk(props: { room: Room; frame: RoomFrame; scene: Scene; done(): void }) {
  const { room, frame, scene, done } = props;
  const t = translation.value;
  const text = room.draft.value;
  const [asking, setAsking] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const count = room.said.value.length;
  useLayoutEffect(() => {
    room.unread.value = 0;
    list.current?.lastElementChild?.scrollIntoView({ block: "nearest" });
  }, [count]);
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
              <ReactionPicture reaction={reaction} />
              {t(`reaction.${reaction}`)}
            </button>
          </li>
        ))}
      </ul>
      {frame.chat === "text" && (
        <>
          <ul class="said" ref={list} tabIndex={0} aria-label={t("web.talk.said")}>
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

/** Opens the talk, and tells how much has not been read. Nothing where nobody may talk. */
export function TalkButton({ room, frame }: { room: Room; frame: RoomFrame }) {
  const t = translation.value;
  const [open, setOpen] = useState(false);
  const count = room.unread.value;
  if (frame.chat === "off" || room.me.value === undefined) return null;
  return (
    <>
      <button
        type="button"
        class="round talk-button"
        aria-label={count > 0 ? t("web.talk.unread", { count }) : t("web.talk.title")}
        onClick={() => setOpen(true)}
      >
        <Icon name="smile" />
        {count > 0 && (
          <b class="unread" aria-hidden="true">
            {t.number(count)}
          </b>
        )}
      </button>
      {open && (
        <Sheet title={t("web.talk.title")} close={() => setOpen(false)}>
          <Talk
            room={room}
            frame={frame}
            scene={sceneOf(frame, room.me.value, t)}
            done={() => setOpen(false)}
          />
        </Sheet>
      )}
    </>
  );
}

/** Says and sounds what others say and wave, once; on every screen of the room. */
export function useTalk(room: Room | undefined): void {
  const t = translation.value;
  const heard = useRef(Date.now());
  const said = room?.said.value ?? [];
  const reactions = room?.reactions.value ?? [];
  useEffect(() => {
    const frame = room?.room.value;
    if (!room || !frame) return;
    const scene = sceneOf(frame, room.me.value, t);
    const texts = said.map(({ seat, text, at }) => ({ seat, text, at }));
    const waves = reactions.map(({ seat, reaction, at }) => ({
      seat,
      text: t(`reaction.${reaction}`),
      at,
    }));
    const fresh = [...texts, ...waves].filter(
      ({ seat, at }) =>
        at > heard.current && seat !== scene.me && !room.muted.value.has(scene.name(seat)),
    );
    heard.current = Math.max(heard.current, ...[...said, ...reactions].map(({ at }) => at));
    for (const { seat, text } of fresh) {
      announce(t("web.talk.heard", { name: scene.name(seat), text }));
    }
    if (fresh.length > 0) play("talk");
  }, [said, reactions]);
}

const kBubbleMs = 6000;

/** What a player says or waves to the others, at their seat for a few seconds. useTalk speaks it. */
export function Bubble({ room, seat, name }: { room: Room; seat: number; name: string }) {
  const t = translation.value;
  const [, redraw] = useState(0);
  const wave = room.reactions.value.findLast((each) => each.seat === seat);
  const text = room.said.value.findLast((each) => each.seat === seat);
  const newest = !wave || (text && text.at > wave.at) ? text : wave;
  const left = newest ? newest.at + kBubbleMs - Date.now() : 0;
  useEffect(() => {
    if (left <= 0) return;
    const timer = window.setTimeout(() => redraw((n) => n + 1), left);
    return () => window.clearTimeout(timer);
  }, [newest]);
  if (!newest || left <= 0 || room.muted.value.has(name)) return null;
  return (
    <span class="bubble" aria-hidden="true">
      {"text" in newest ? (
        newest.text
      ) : (
        <>
          <ReactionPicture reaction={newest.reaction} />
          {t(`reaction.${newest.reaction}`)}
        </>
      )}
    </span>
  );
}
