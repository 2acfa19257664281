// Before the game: who sits where, how others get here, and the host's start.
import { useEffect, useRef, useState } from "preact/hooks";
import { kGamesWithSkin } from "../games";
import { translation } from "../i18n";
import type { RoomFrame } from "../protocol/wire.gen";
import type { AnySkin } from "../skin";
import { announce, playerName } from "./app_state";
import { copyText } from "./copy";
import { EarlierGames } from "./earlier";
import { games, gameTitle, loadGames, skinFor } from "./games_known";
import { Icon } from "./icons";
import { Leave } from "./leave";
import { LessonLink } from "./lesson_link";
import { kLevels } from "./making";
import { NameForm } from "./name_form";
import { Avatar, BotMark, DoorButtons, PageLink, Refusal, RoomNews } from "./parts";
import type { Room } from "./room";
import { root, roomLink } from "./route";
import { seatName } from "./scene";
import { useScreen } from "./screen";
import { Sheet } from "./sheet";
import { Bubble, TalkButton } from "./talk";
import {
  chosenIn,
  fewestSeats,
  MoreChoices,
  playedBy,
  SeatsChoice,
  WayChoice,
  wordsOf,
  type Chosen,
} from "./ways";

/** A drawing of the link that a camera reads. */
function Qr({ text }: { text: string }) {
  const t = translation.value;
  const [path, setPath] = useState<{ size: number; d: string } | undefined>(undefined);
  useEffect(() => {
    let wanted = true;
    void import("uqr").then(({ encode }) => {
      if (!wanted) return;
      const { data, size } = encode(text, { border: 2 });
      const d = data
        .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
        .join("");
      setPath({ size, d });
    });
    return () => {
      wanted = false;
    };
  }, [text]);
  if (!path) return <div class="qr" />;
  return (
    <svg
      class="qr"
      viewBox={`0 0 ${path.size} ${path.size}`}
      role="img"
      aria-label={t("web.lobby.qr")}
    >
      <path d={path.d} />
    </svg>
  );
}

/** Whether this page was opened by an address that means every computer itself. */
export const isOwnAddress = ({ hostname }: URL) =>
  /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);

/** What others need: a link, a picture for their camera, a code for the telephone. */
export function Invite({ code, game }: { code: string; game: string }) {
  const t = translation.value;
  const [copied, setCopied] = useState(false);
  const link = roomLink(code);
  const copy = async () => {
    if (await copyText(link)) setCopied(true);
    else window.getSelection()?.selectAllChildren(document.getElementById("invite-link")!);
  };
  const local = isOwnAddress(root);
  return (
    <section class="invite card" aria-labelledby="invite-title">
      <h2 id="invite-title">{t("web.lobby.invite")}</h2>
      {local ? <p>{t("web.lobby.local")}</p> : <Qr text={link} />}
      <p class="invite-code">
        <span>{t("web.lobby.code")}</span>
        <b>{code}</b>
      </p>
      <p id="invite-link" class="invite-link">
        {link}
      </p>
      <div class="buttons">
        <button type="button" onClick={() => void copy()}>
          <Icon name={copied ? "check" : "copy"} />
          {copied ? t("web.lobby.copied") : t("web.lobby.copy")}
        </button>
        {"share" in navigator && !local && (
          <button
            type="button"
            onClick={() =>
              void navigator
                .share({
                  title: gameTitle(game),
                  text: t("web.lobby.invitation", {
                    name: playerName.value,
                    game: gameTitle(game),
                    room: code,
                  }),
                  url: link,
                })
                .catch(() => {})
            }
          >
            <Icon name="share" />
            {t("web.lobby.share")}
          </button>
        )}
      </div>
    </section>
  );
}

export function Lobby({ room, frame }: { room: Room; frame: RoomFrame }) {
  const t = translation.value;
  const [naming, setNaming] = useState(false);
  const me = room.me.value;
  const isHost = me !== undefined && frame.host === me;
  const taken = frame.seats.filter((seat) => seat.kind !== "empty").length;
  const fewest = fewestSeats(frame, skinFor(frame.game));
  const ready = taken >= fewest;
  const host = frame.host === undefined ? undefined : seatName(frame.seats, frame.host, t);
  // While friends are missing, what they need comes first. Nothing changes its place under a finger later.
  const [wanting] = useState(
    isHost &&
      taken < frame.seats.length &&
      frame.seats.every(({ kind, seat }) => kind !== "human" || seat === me),
  );
  const heading = useScreen(t("web.lobby.title"));
  useArrivals(frame, me);
  return (
    <main class="screen lobby">
      <header class="screen-head">
        <PageLink page="home" class="round">
          <Icon name="back" />
          <span class="hidden">{t("web.room.pause")}</span>
        </PageLink>
        <h1 ref={heading} tabIndex={-1}>
          {gameTitle(frame.game)}
        </h1>
        <TalkButton room={room} frame={frame} />
        <PageLink page="rules" word={frame.game} class="round">
          <Icon name="book" />
          <span class="hidden">{t("web.rules.title")}</span>
        </PageLink>
      </header>
      {!isHost && frame.status !== "starting" && (
        <p role="status" class="lobby-in">
          {me === undefined ? t("web.room.watching") : t("web.lobby.in", { name: host ?? "" })}
        </p>
      )}
      <div class={`lobby-columns ${wanting ? "wanting" : ""}`}>
        <section class="card" aria-labelledby="seats-title">
          <h2 id="seats-title">{t("web.lobby.seats", { taken, seats: frame.seats.length })}</h2>
          <HowPlayed room={room} frame={frame} isHost={isHost} />
          <ol class="seats">
            {frame.seats.map((seat) => (
              <SeatLine
                key={seat.seat}
                room={room}
                frame={frame}
                seat={seat}
                isHost={isHost}
                rename={() => setNaming(true)}
              />
            ))}
          </ol>
          {frame.watching > 0 && (
            <p class="note">{t("web.lobby.watching", { count: frame.watching })}</p>
          )}
          <Refusal room={room} />
          <RoomNews room={room} />
          {frame.status === "starting" ? (
            <p role="status">{t("room.starting")}</p>
          ) : (
            isHost && (
              <>
                <button
                  type="button"
                  class="big primary"
                  disabled={!ready}
                  onClick={() => void room.ask({ type: "start", room: room.code })}
                >
                  {t("web.lobby.start")}
                </button>
                {!ready && <p class="note">{t("web.lobby.more", { count: fewest })}</p>}
                <DoorButtons room={room} frame={frame} />
              </>
            )
          )}
        </section>
        {isHost ? (
          <Invite code={room.code} game={frame.game} />
        ) : (
          <div class="lobby-meanwhile">
            {kGamesWithSkin.includes(frame.game) && <LessonLink game={frame.game} meanwhile />}
            <PageLink page="rules" word={frame.game} class="button">
              <Icon name="book" size={18} />
              {t("web.rules.title")}
            </PageLink>
            <details class="more">
              <summary>{t("web.lobby.invite")}</summary>
              <Invite code={room.code} game={frame.game} />
            </details>
          </div>
        )}
      </div>
      <EarlierGames room={room.code} match={frame.match} />
      <Leave room={room} frame={frame} />
      {naming && (
        <Sheet title={t("web.name.change")} close={() => setNaming(false)}>
          <NameForm
            taken={frame.seats.flatMap(({ seat, name }) => (name && seat !== me ? [name] : []))}
            done={() => setNaming(false)}
          />
        </Sheet>
      )}
    </main>
  );
}

/** Says who comes and who goes. */
function useArrivals({ seats }: RoomFrame, me: number | undefined): void {
  const t = translation.value;
  const known = useRef<Map<number, string> | undefined>(undefined);
  useEffect(() => {
    const taken = seats.filter(({ kind }) => kind !== "empty");
    const names = new Map(taken.map(({ seat }) => [seat, seatName(seats, seat, t)]));
    const before = known.current;
    known.current = names;
    if (!before) return;
    for (const [seat, name] of names) {
      if (seat !== me && !before.has(seat)) announce(t("web.lobby.arrived", { name }));
    }
    for (const [seat, name] of before) {
      if (seat !== me && !names.has(seat)) announce(t("web.lobby.gone", { name }));
    }
  }, [seats]);
}

/** How it is played, for everybody to see; the host may still change it. */
function HowPlayed({ room, frame, isHost }: { room: Room; frame: RoomFrame; isHost: boolean }) {
  const t = translation.value;
  const [changing, setChanging] = useState(false);
  const skin = skinFor(frame.game);
  const words = wordsOf(frame, skin, t);
  const mayChange = isHost && skin && frame.status === "open";
  if (words.length === 0 && !mayChange) return null;
  return (
    <div class="how-played">
      {words.length > 0 && <p>{words.join(" · ")}</p>}
      {mayChange && (
        <button type="button" onClick={() => setChanging(true)}>
          {t("web.lobby.change_game")}
        </button>
      )}
      {changing && mayChange && (
        <Sheet title={t("web.lobby.change_game")} close={() => setChanging(false)}>
          <ChangeForm room={room} frame={frame} skin={skin} done={() => setChanging(false)} />
        </Sheet>
      )}
    </div>
  );
}

function ChangeForm(props: { room: Room; frame: RoomFrame; skin: AnySkin; done(): void }) {
  const t = translation.value;
  const { room, frame, skin, done } = props;
  useEffect(() => void loadGames().catch(() => {}), []);
  const [picked, choose] = useState<Chosen | undefined>(undefined);
  const kind = games.value?.find(({ name }) => name === frame.game);
  if (!kind) return <p role="status">{t("web.link.connecting")}</p>;
  const chosen = picked ?? chosenIn(frame, skin, kind);
  // Chairs go from the end: up to the last one that somebody sits on.
  const fewest =
    1 + Math.max(...frame.seats.map(({ kind, seat }) => (kind === "empty" ? 0 : seat)));
  const played = playedBy(kind, skin, chosen, { fewest });
  const choosing = { played, chosen, choose };
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        const { options, seats } = played;
        void room.ask({ type: "options", room: room.code, options, seats });
        done();
      }}
    >
      <WayChoice {...choosing} />
      <SeatsChoice {...choosing} legend={t("web.create.seats")} />
      <MoreChoices {...choosing} />
      <button type="submit" class="big primary">
        {t("web.lobby.change_take")}
      </button>
    </form>
  );
}

function SeatLine(props: {
  room: Room;
  frame: RoomFrame;
  seat: RoomFrame["seats"][number];
  isHost: boolean;
  rename(): void;
}) {
  const t = translation.value;
  const { room, frame, seat, isHost } = props;
  const name = seatName(frame.seats, seat.seat, t);
  const isMe = room.me.value === seat.seat;
  const level = seat.level ?? "normal";
  if (seat.kind === "empty") {
    return (
      <li class="seat empty">
        <span class="avatar" aria-hidden="true" />
        <span class="seat-name">{t("web.lobby.empty")}</span>
        {isHost && (
          <span class="seat-actions">
            <button
              type="button"
              onClick={() =>
                void room.ask({
                  type: "add_bot",
                  room: room.code,
                  seat: seat.seat,
                  level: "normal",
                })
              }
            >
              <Icon name="plus" size={18} />
              {t("web.lobby.add_bot")}
            </button>
          </span>
        )}
      </li>
    );
  }
  // A program over the network has no level: it is a player, who may be asked to leave.
  const isServersBot = seat.kind === "bot" && seat.level !== undefined;
  const about = [
    // Who may change it has a button that says it.
    isServersBot && !isHost ? t(`web.level.${level}`) : "",
    seat.kind === "bot" && !isServersBot ? t("web.table.is_bot") : "",
    isMe ? t("web.lobby.you") : "",
    frame.host === seat.seat ? t("web.lobby.host") : "",
    seat.presence === "away" ? t("web.table.away") : "",
  ].filter(Boolean);
  /** The next stronger one, or the weakest. */
  const changeLevel = () => {
    const next = kLevels[(kLevels.findIndex((each) => each === level) + 1) % kLevels.length]!;
    return room.ask({ type: "set_level", room: room.code, seat: seat.seat, level: next });
  };
  return (
    <li class="seat">
      <Avatar seat={seat.seat} name={name} />
      <span class="seat-name">
        {name} <BotMark scene={frame} seat={seat.seat} />
        <small>{about.join(" · ")}</small>
        <Bubble room={room} seat={seat.seat} name={name} />
      </span>
      <span class="seat-actions">
        {isMe && (
          <button type="button" onClick={props.rename}>
            {t("web.name.change")}
          </button>
        )}
        {isHost && isServersBot && (
          <button
            type="button"
            aria-label={t("web.lobby.level", { name, level: t(`web.level.${level}`) })}
            title={t.has(`web.level.${level}_text`) ? t(`web.level.${level}_text`) : undefined}
            onClick={() => void changeLevel()}
          >
            {t(`web.level.${level}`)}
          </button>
        )}
        {isHost && !isMe && (
          <button
            type="button"
            aria-label={t("web.lobby.remove", { name })}
            onClick={() =>
              void room.ask(
                isServersBot
                  ? { type: "remove_bot", room: room.code, seat: seat.seat }
                  : { type: "kick", room: room.code, seat: seat.seat },
              )
            }
          >
            <Icon name="close" size={20} />
          </button>
        )}
      </span>
    </li>
  );
}
