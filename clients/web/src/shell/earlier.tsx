// The games of a room before the one of now: a list of those that this browser has seen end, and
// the look back at one of them, which its address leads to as long as the server keeps it.
import { useEffect, useState } from "preact/hooks";
import { translation } from "../i18n";
import type { RoomFrame } from "../protocol/wire.gen";
import { endedIn } from "./app_state";
import { skinFor } from "./games_known";
import { PageLink, Screen, Waiting } from "./parts";
import { Replay } from "./replay_later";
import type { MatchRecord, Room } from "./room";
import { go, replayLink, roomLink } from "./route";

/** Nothing where there is none. */
export function EarlierGames({ room, match }: { room: string; match: string }) {
  const t = translation.value;
  const ended = endedIn(room).filter((each) => each.match !== match);
  if (ended.length === 0) return null;
  const time = new Intl.DateTimeFormat(t.language, { dateStyle: "short", timeStyle: "short" });
  return (
    <section class="continue earlier" aria-labelledby="earlier-title">
      <h2 id="earlier-title">{t("web.earlier.title")}</h2>
      <ul>
        {ended.toReversed().map(({ match: earlier, at, winners }) => (
          <li key={earlier}>
            <a
              class="card"
              href={replayLink(room, earlier)}
              onClick={(event) => {
                event.preventDefault();
                go(replayLink(room, earlier));
              }}
            >
              <b>
                {winners.length === 0
                  ? t("web.over.nobody")
                  : t("web.over.won", { names: t.list(winners), count: winners.length })}
              </b>
              <small>{time.format(at)}</small>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The room as it was in that match. */
const frameOf = (now: RoomFrame, { match, options, seats }: MatchRecord): RoomFrame => ({
  ...now,
  match,
  options,
  status: "over",
  seats: seats.map(({ kind, name, level }, seat) => ({ seat, kind, name, level })),
});

export function EarlierGame(props: { room: Room; frame: RoomFrame; match: string; step: number }) {
  const { room, frame, match, step } = props;
  const t = translation.value;
  const [record, setRecord] = useState<MatchRecord | undefined>(undefined);
  const [gone, setGone] = useState(false);
  const [before] = useState(frame.status);
  const asked = room.asked.value !== undefined;
  useEffect(() => {
    void room.record(match).then((found) => (found ? setRecord(found) : setGone(true)));
  }, [room, match]);
  const skin = skinFor(frame.game);
  const close = () => go(roomLink(room.code));
  if (gone) {
    return (
      <Screen title={t("web.over.replay")}>
        <p role="alert">{t("web.earlier.gone")}</p>
        <button type="button" class="big primary" onClick={close}>
          {t("web.earlier.back")}
        </button>
        <PageLink page="home" class="big button">
          {t("web.home.back")}
        </PageLink>
      </Screen>
    );
  }
  if (!record || !skin) return <Waiting />;
  const last = record.steps.length;
  return (
    <Replay
      room={room}
      frame={frameOf(frame, record)}
      skin={skin}
      last={last}
      from={step}
      close={close}
    >
      {(asked || frame.status !== before) && (
        <p class="notice" role="status">
          <span>{asked ? t("web.table.your_turn") : t("web.earlier.next")}</span>
          <button type="button" onClick={close}>
            {t("web.earlier.back")}
          </button>
        </p>
      )}
    </Replay>
  );
}
