// The way into a room: who am I, is there a place, does it want a password; then the lobby, the
// table or the score sheet, as the room stands.
import { useEffect, useState } from "preact/hooks";
import { translation } from "../i18n";
import { client, forget, playerName, remember } from "./app_state";
import { Refused } from "./connection";
import { Lobby } from "./lobby";
import { NameForm } from "./name_form";
import { EarlierGame } from "./earlier";
import { Invitation, useInvitation } from "./invitation";
import { PageLink, Screen, Waiting } from "./parts";
import { route, type RoomRoute } from "./route";
import type { Room } from "./room";
import { tabStore } from "./store";
import { Table } from "./table";
import { useTalk } from "./talk";

/** Refusals after which one may still look on. */
const kMayWatch = new Set(["room_full", "already_started", "seat_taken"]);

export function RoomPage({ code }: { code: string }) {
  const t = translation.value;
  const welcome = client.welcome.value;
  const [room, setRoom] = useState<Room | undefined>(() => {
    const known = client.rooms.get(code);
    return known?.room.value ? known : undefined;
  });
  const [refused, setRefused] = useState<string | undefined>(undefined);
  const holdsSeat = welcome?.seats.some((held) => held.room === code) ?? false;
  // Who watched before a reload goes on watching, and needs no name for it.
  const watched = !holdsSeat && tabStore.get(`watching.${code}`) !== null;
  const named = playerName.value !== "" || holdsSeat || watched;

  const enter = async (how: { watch?: boolean; password?: string }) => {
    setRefused(undefined);
    try {
      setRoom(await client.enter(code, how));
      tabStore.set(`watching.${code}`, how.watch ? "yes" : null);
    } catch (error) {
      setRefused(error instanceof Refused ? error.code : "internal_error");
    }
  };
  useEffect(() => {
    if (welcome && named && !room && !refused) void enter(watched ? { watch: true } : {});
  }, [welcome !== undefined, named]);

  useTalk(room);
  const frame = room?.room.value;
  const view = room?.view.value;
  useEffect(() => {
    if (frame && room?.me.value !== undefined) remember(frame);
  }, [frame]);

  if (room?.gone.value) return <Gone code={room.gone.value} room={code} />;
  if (!named && !room && !refused) {
    return <Door key="name" code={code} watch={() => void enter({ watch: true })} />;
  }
  if (refused === "wrong_password") {
    return <Password room={code} enter={(password) => void enter({ password })} />;
  }
  if (refused) {
    return (
      <Screen key={refused} title={t("web.room.room", { room: code })}>
        <p role="alert">{t(`error.${refused}`)}</p>
        {kMayWatch.has(refused) && (
          <button type="button" class="big primary" onClick={() => void enter({ watch: true })}>
            {t("web.room.watch")}
          </button>
        )}
        <PageLink page="home" class="big button">
          {t("web.home.back")}
        </PageLink>
      </Screen>
    );
  }
  if (!room || !frame) return <Waiting />;
  const { match, step = 0 } = route.value as RoomRoute;
  if (match !== undefined && match !== frame.match) {
    return <EarlierGame key={match} room={room} frame={frame} match={match} step={step} />;
  }
  if (frame.status === "open" || frame.status === "starting") {
    return <Lobby room={room} frame={frame} />;
  }
  if (!view || view.match !== frame.match) return <Waiting />;
  return <Table room={room} frame={frame} view={view} />;
}

/** Whoever was never here is told who invites them, and asked for a name. */
function Door({ code, watch }: { code: string; watch(): void }) {
  const t = translation.value;
  const told = useInvitation(code);
  return (
    <Screen title={t("web.room.join", { room: code })}>
      <Invitation told={told} />
      <NameForm taken={told?.host === undefined ? [] : [told.host]} />
      <button type="button" class="big" onClick={watch}>
        {t("web.room.watch")}
      </button>
    </Screen>
  );
}

function Password(props: { room: string; enter(password: string): void }) {
  const t = translation.value;
  const [password, setPassword] = useState("");
  return (
    <Screen title={t("web.room.room", { room: props.room })}>
      <form
        class="card form"
        onSubmit={(event) => {
          event.preventDefault();
          props.enter(password);
        }}
      >
        <label>
          {t("web.room.password")}
          <input
            type="password"
            value={password}
            onInput={(event) => setPassword(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="big primary" disabled={!password}>
          {t("web.join.go")}
        </button>
      </form>
    </Screen>
  );
}

function Gone({ code, room }: { code: string; room: string }) {
  const t = translation.value;
  useEffect(() => forget(room), []);
  const key = `bye.${code}`;
  return (
    <Screen title={t("web.room.room", { room })}>
      <p role="alert">{t.has(key) ? t(key) : t(`error.${code}`)}</p>
      <PageLink page="home" class="big primary button">
        {t("web.home.back")}
      </PageLink>
    </Screen>
  );
}
