// The people at the table, as equal chips; a tap shows what one of them has.
import { useRef, useState } from "preact/hooks";
import { translation } from "../i18n";
import type { RoomFrame, ViewFrame } from "../protocol/wire.gen";
import type { AnySkin, Scene } from "../skin";
import { Fields } from "./generic";
import { Icon } from "./icons";
import { Avatar, Dismiss, DoorButtons, Refusal, Switch } from "./parts";
import type { Room } from "./room";
import { settings } from "./settings";
import { Sheet } from "./sheet";
import { Bubble } from "./talk";
import { useNow } from "./use";

export function Players(props: {
  room?: Room;
  view: ViewFrame;
  scene: Scene;
  skin: AnySkin;
  options: unknown;
  /** What has happened in the match. */
  past: readonly unknown[];
  /** What that seat alone saw, where that is open to all. */
  mineOf?(seat: number): unknown;
  open(seat: number): void;
}) {
  const { room, view, scene, skin, options, past, mineOf, open } = props;
  const t = translation.value;
  const seatsOf = (decisions: ViewFrame["decisions"]) =>
    new Set(decisions.flatMap((decision) => decision.seats));
  const askedSeats = seatsOf(view.decisions.filter(({ kind }) => kind !== "window"));
  const quickSeats = seatsOf(view.decisions.filter(({ kind }) => kind === "window"));
  const seats = scene.seats.filter((seat) => seat.kind !== "empty");
  return (
    <ul class="players" aria-label={t("web.table.players")}>
      {seats.map((seat, index) => {
        const name = scene.name(seat.seat);
        const asked = askedSeats.has(seat.seat);
        const mayBeQuick = !asked && quickSeats.has(seat.seat);
        const away = seat.presence === "away";
        const badge = skin.badge?.(view as never, seat.seat, t);
        const states = [
          asked ? t("web.table.is_asked") : mayBeQuick ? t("web.table.is_quick") : "",
          seat.kind === "bot" ? t("web.table.is_bot") : "",
          seat.sent_away
            ? t("web.table.is_sent_away")
            : seat.covered
              ? t("web.table.is_covered")
              : "",
          away ? t("web.table.away") : "",
          seat.seat === scene.me ? t("web.lobby.you") : "",
          badge ?? "",
        ].filter(Boolean);
        return (
          <li key={seat.seat} class={2 * index >= seats.length ? "across" : ""}>
            <button
              type="button"
              data-seat={seat.seat}
              class={`chip ${asked ? "asked" : ""} ${seat.seat === scene.me ? "me" : ""}`}
              onClick={() => open(seat.seat)}
            >
              <Avatar seat={seat.seat} name={name} />
              <span class="chip-name">
                {mayBeQuick && (
                  <span class="chip-quick">
                    <Icon name="flash" size={12} />
                  </span>
                )}
                {name}
              </span>
              <span class="hidden">{states.map((state) => `, ${state}`).join("")}</span>
              <span class="chip-state" aria-hidden="true">
                {(seat.kind === "bot" || seat.covered) && (
                  <span class={seat.level && !seat.covered ? "own-bot" : ""}>
                    <Icon name="bot" size={16} />
                  </span>
                )}
                {away && <Icon name="moon" size={14} />}
                {skin.Badge ? (
                  <skin.Badge
                    view={view as never}
                    seat={seat.seat}
                    mine={mineOf?.(seat.seat) as never}
                  />
                ) : (
                  badge
                )}
              </span>
              {skin.Panel && (
                <span class="chip-panel" aria-hidden="true">
                  <skin.Panel
                    view={view as never}
                    options={options as never}
                    seat={seat.seat}
                    past={past as never}
                  />
                </span>
              )}
            </button>
            {room && <Bubble room={room} seat={seat.seat} name={name} />}
          </li>
        );
      })}
    </ul>
  );
}

/** A short absence is not worth a word. */
const kAbsentAfterMs = 10_000;
/** Then the server lets a bot play, where no clock sees to that. */
const kCoverAfterMs = 60_000;

/** Who is waited for, and is not there; and what can be done about it. */
export function Absent(props: { room: Room; frame: RoomFrame; view: ViewFrame; scene: Scene }) {
  const { room, frame, view, scene } = props;
  const t = translation.value;
  const now = useNow(1000);
  const since = useRef(new Map<number, number>());
  const [read, setRead] = useState<number | undefined>(undefined);
  const asked = new Set(view.decisions.flatMap((decision) => decision.seats));
  const gone = frame.seats.filter(
    ({ seat, kind, presence, covered }) =>
      kind === "human" && presence === "away" && !covered && asked.has(seat) && seat !== scene.me,
  );
  for (const seat of since.current.keys()) {
    if (!gone.some((each) => each.seat === seat)) since.current.delete(seat);
  }
  return (
    <>
      {gone.map(({ seat }) => {
        if (!since.current.has(seat)) since.current.set(seat, now);
        const age_ms = now - since.current.get(seat)!;
        if (age_ms < kAbsentAfterMs || read === since.current.get(seat)) return null;
        const mayCover =
          scene.me !== undefined && frame.clock === undefined && age_ms >= kCoverAfterMs;
        return (
          <p key={seat} class="notice" role="status">
            <Icon name="moon" size={18} />
            <span>{t("web.table.absent", { name: scene.name(seat) })}</span>
            <Dismiss close={() => setRead(since.current.get(seat))} />
            {mayCover && (
              <button
                type="button"
                onClick={() => void room.ask({ type: "cover", room: room.code, seat })}
              >
                {t("web.table.cover", { name: scene.name(seat) })}
              </button>
            )}
          </p>
        );
      })}
    </>
  );
}

/** Then the server lets a bot play for somebody who is there and does nothing, if a person asks. */
const kSilentAfterMs = 300_000;

/** Who is asked, is there, and has done nothing for long; where no clock sees to that. */
export function Silent(props: { room: Room; frame: RoomFrame; view: ViewFrame; scene: Scene }) {
  const { room, frame, view, scene } = props;
  const t = translation.value;
  const now = useNow(1000);
  const since = useRef(new Map<number, number>());
  const open = new Set(view.decisions.map(({ id }) => id));
  for (const id of since.current.keys()) if (!open.has(id)) since.current.delete(id);
  for (const id of open) if (!since.current.has(id)) since.current.set(id, now);
  if (scene.me === undefined || frame.clock !== undefined) return null;
  const silent = view.decisions.flatMap(({ id, seats }) =>
    now - since.current.get(id)! < kSilentAfterMs ? [] : seats,
  );
  const here = frame.seats.filter(
    ({ seat, presence, covered }) =>
      silent.includes(seat) && presence === "here" && !covered && seat !== scene.me,
  );
  return (
    <>
      {here.map(({ seat }) => (
        <p key={seat} class="notice" role="status">
          <span>{t("web.table.stalls", { name: scene.name(seat) })}</span>
          <button
            type="button"
            onClick={() => void room.ask({ type: "cover", room: room.code, seat })}
          >
            {t("web.table.cover", { name: scene.name(seat) })}
          </button>
        </p>
      ))}
    </>
  );
}

export function PlayerSheet(props: {
  /** Where something can still be done about somebody's absence. */
  room?: Room;
  frame: RoomFrame;
  view: ViewFrame;
  skin: AnySkin;
  scene: Scene;
  seat: number;
  past: readonly unknown[];
  close(): void;
}) {
  const { room, frame, view, skin, scene, seat, past, close } = props;
  const t = translation.value;
  const line = frame.seats.find((each) => each.seat === seat);
  const common = {
    ...scene,
    view: view as never,
    options: frame.options as never,
    t,
    settings: settings.value,
  };
  const others = scene.me !== undefined && scene.me !== seat && frame.status === "playing";
  const away = line?.kind === "human" && line.presence === "away" && !line.covered;
  // It takes two at least: the server hears no single voice.
  const voices = frame.seats.filter(
    (each) => each.kind === "human" && each.seat !== seat && !each.sent_away,
  );
  const mayVote = voices.length >= 2 && voices.some((each) => each.seat === scene.me);
  return (
    <Sheet title={scene.name(seat)} close={close}>
      {skin.Collection ? (
        <skin.Collection {...common} seat={seat} past={past as never} />
      ) : (
        <Fields value={seat === scene.me ? view.mine : undefined} t={t} />
      )}
      {room && others && line?.kind === "human" && (
        <div class="buttons">
          {away && (
            <button
              type="button"
              onClick={() => void room.ask({ type: "cover", room: room.code, seat })}
            >
              <Icon name="bot" />
              {t("web.table.cover", { name: scene.name(seat) })}
            </button>
          )}
          {mayVote && (
            <button
              type="button"
              onClick={() =>
                void room.ask({ type: line.sent_away ? "readmit" : "kick", room: room.code, seat })
              }
            >
              {t(line.sent_away ? "web.table.readmit" : "web.table.kick", {
                name: scene.name(seat),
              })}
            </button>
          )}
        </div>
      )}
      {room && seat === scene.me && frame.host === seat && (
        <DoorButtons room={room} frame={frame} />
      )}
      {room && frame.chat !== "off" && seat !== scene.me && line?.name !== undefined && (
        <Switch
          label={t("web.talk.hear", { name: line.name })}
          on={!room.muted.value.has(line.name)}
          set={(on) => room.mute(line.name!, !on)}
        />
      )}
      {room && <Refusal room={room} />}
    </Sheet>
  );
}
