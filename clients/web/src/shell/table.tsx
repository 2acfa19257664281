// The table: a frame around the board of a game. Top bar, whose turn it is, the players, the log,
// talk; after the end the score sheet. Knows no game.
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { translation } from "../i18n";
import type { RoomFrame, ViewFrame } from "../protocol/wire.gen";
import type { AnySkin, BoardProps, Scene } from "../skin";
import { announce, endedIn, raiseAlarm, rememberEnd } from "./app_state";
import { keepAwake } from "./attention";
import { beamer, BeamerButton } from "./beamer";
import { EarlierGames } from "./earlier";
import { Explain } from "./explain";
import { gameTitle, skinFor } from "./games_known";
import { actText } from "./generic";
import { Icon } from "./icons";
import { onShellKey } from "./keys";
import { Leave } from "./leave";
import { Invite } from "./lobby";
import { eventText, LogList } from "./log";
import { Over } from "./over";
import { Dismiss, PageLink, Refusal, RoomNews, Waiting } from "./parts";
import { countPlayed } from "./played";
import { Absent, Players, PlayerSheet, Silent } from "./players";
import { Replay } from "./replay_later";
import { RulesSheet } from "./rules_sheet";
import { go, replayLink, roomLink, route } from "./route";
import type { Room } from "./room";
import { sceneOf, waitingText } from "./scene";
import { useScreen } from "./screen";
import { delay_ms, seesHints, settings, sound } from "./settings";
import { SettingsForm } from "./settings_page";
import { Sheet } from "./sheet";
import { Since } from "./since";
import { play, wakeSound } from "./sound";
import { TalkButton } from "./talk";
import { useNow } from "./use";

type SheetName =
  "menu" | "log" | "rules" | "keys" | "settings" | "invite" | "earlier" | { seat: number };

export function Table(props: { room: Room; frame: RoomFrame; view: ViewFrame }) {
  const skin = skinFor(props.frame.game);
  if (!skin) return <Waiting />;
  return <TableWith {...props} skin={skin} />;
}

function TableWith(props: { room: Room; frame: RoomFrame; view: ViewFrame; skin: AnySkin }) {
  const { room, frame, view, skin } = props;
  const t = translation.value;
  const [sheet, setSheet] = useState<SheetName | undefined>(undefined);
  const [looking, setLooking] = useState(false);
  const me = room.me.value;
  const scene = useMemo(() => sceneOf(frame, me, t), [frame, me, t]);
  const [began] = useState(frame.match);
  const [playing] = useState(frame.status === "playing");
  const over = frame.status === "over";
  const title = gameTitle(frame.game);

  useEvents(room, view, skin, scene);
  const asks = bannerText(room, frame, view, skin, scene);
  const follows = useFollowing(room, view, skin);
  useQuestion(asks, room.asked.value?.id, over || follows || room.pending.value !== undefined);
  useEffect(() => {
    keepAwake(!over);
    return () => keepAwake(false);
  }, [over]);
  // Before the button of the next match can be pressed.
  useLayoutEffect(() => {
    const result = over ? skin.result(view as never) : undefined;
    if (!result) return;
    rememberEnd(room.code, frame.match, result.winners.map(scene.name));
    if (me !== undefined) countPlayed(frame.game, frame.match, result.winners.includes(me));
  }, [over, view]);
  useLayoutEffect(
    () =>
      onShellKey({
        log: () => setSheet("log"),
        mine: () => me !== undefined && setSheet({ seat: me }),
        mute: () => toggleSound(),
        summary: () => announce(skin.summary(view as never, scene, t)),
        help: () => setSheet("keys"),
        rules: () => setSheet("rules"),
      }),
    [view, scene, t],
  );

  const step = route.value.page === "room" ? route.value.step : undefined;
  if (over && step !== undefined) {
    const close = () => go(roomLink(room.code));
    const past = { room, frame, skin, last: view.rev, from: step, close };
    return <Replay key={frame.match} {...past} />;
  }
  if (over && !looking) {
    const fresh = playing || began !== frame.match;
    return (
      <Over
        fresh={fresh}
        room={room}
        frame={frame}
        view={view}
        skin={skin}
        scene={scene}
        look={() => setLooking(true)}
        replay={() => go(replayLink(room.code, frame.match))}
      />
    );
  }
  const open = seesHints.value ? (view.legal ?? []) : (view.legal ?? []).map(withoutPoints);
  // What an expert would do stands alone on the board, until all is wanted again.
  const hinted = room.hint.value?.rev === view.rev ? room.hint.value : undefined;
  const best = open.filter(({ action }) => hinted && isSame(action, hinted.action));
  const legal = best.length > 0 ? best : open;
  const sent = room.pending.value ?? room.soon.value;
  const board: BoardProps<never> = {
    ...scene,
    view: view as never,
    options: frame.options as never,
    legal: sent || follows || room.asked.value === undefined ? [] : (legal as never),
    pending: sent?.action as never,
    act: (action) => {
      wakeSound();
      const wait = skin.isDelayed?.(action, view as never) ? delay_ms.value : 0;
      if (wait > 0) room.actSoon(action, wait);
      else room.act(action);
    },
    announce,
    t,
    settings: settings.value,
    live: true,
  };
  const Board = skin.Board;
  return (
    <main
      class={`table ${me === undefined ? "watching" : ""}`}
      data-rev={view.rev}
      onClick={cancelBeside}
    >
      <TopBar
        status={skin.status(view as never, t) || title}
        open={setSheet}
        talk={me === undefined ? <BeamerButton /> : <TalkButton room={room} frame={frame} />}
      />
      <Banner room={room} view={view} asks={asks} title={title}>
        {beamer.value && (
          <p class="beamer-said" aria-hidden="true">
            {(view.happened as unknown[])
              .flatMap((event) => eventText(skin, event, scene, t) ?? [])
              .join(" ")}
          </p>
        )}
      </Banner>
      <Players
        room={room}
        view={view}
        scene={scene}
        skin={skin}
        options={frame.options}
        past={room.happened.value}
        open={(seat) => setSheet({ seat })}
      />
      {!over && <Since room={room} skin={skin} scene={scene} />}
      <div
        class={`board ${room.pending.value ? "sending" : ""} ${best.length > 0 && !sent ? "advised" : ""}`}
        aria-busy={sent !== undefined}
      >
        <Board {...(board as never as BoardProps<never>)} />
      </div>
      <aside class="side-log" aria-labelledby="side-log-title" tabIndex={0}>
        <h2 id="side-log-title">{t("web.log.title")}</h2>
        <LogList room={room} skin={skin} scene={scene} looksBack={over} />
      </aside>
      {over && (
        <button type="button" class="big primary over-back" onClick={() => setLooking(false)}>
          {t("web.over.sheet")}
        </button>
      )}
      {room.soon.value && <Soon room={room} />}
      <Notices
        room={room}
        frame={frame}
        view={view}
        scene={scene}
        tooEarly={step !== undefined}
        show={() => setSheet("log")}
      />
      <Explain skin={skin} />
      {sheet !== undefined && <Sheets {...props} scene={scene} sheet={sheet} open={setSheet} />}
    </main>
  );
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
const withoutPoints = ({ action }: NonNullable<ViewFrame["legal"]>[number]) => ({ action });

function toggleSound(): void {
  wakeSound();
  sound.value = sound.value === "on" ? "off" : "on";
}

/** A tap beside everything that can be pressed takes back what was begun, as Escape does. */
function cancelBeside({ target }: Event): void {
  if (!(target instanceof Element) || target.closest("button, a, input, select, label, dialog"))
    return;
  document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
}

/** Says and sounds what happened, once for each new view. */
function useEvents(room: Room, view: ViewFrame, skin: AnySkin, scene: Scene): void {
  const t = translation.value;
  const heard = useRef(`${view.match}/${view.rev}`);
  useEffect(() => {
    const now = `${view.match}/${view.rev}`;
    if (heard.current === now) return;
    heard.current = now;
    const events = view.happened as unknown[];
    const sentences = events.flatMap((event) => eventText(skin, event, scene, t, view.mine) ?? []);
    if (sentences.length > 0) announce(sentences.join(" "));
    const sounds = events.flatMap((event) => skin.sound?.(event as never) ?? []);
    // My own turn has a sound of its own.
    if (room.asked.value === undefined || sounds.includes("end")) sounds.slice(-1).forEach(play);
  }, [view]);
}

/**
 * Sends what follows from the act that was done here, without a choice, but for who wants to be asked before
 * everything. Whether it is about to: once for each view, so what the server refuses is offered on the board.
 */
function useFollowing(room: Room, view: ViewFrame, skin: AnySkin): boolean {
  const now = `${view.match}/${view.rev}`;
  const sentFor = useRef("");
  // As it was set when the view came: nobody ends a turn by changing it.
  const came = useRef({ now: "", asksAlways: false });
  if (came.current.now !== now) {
    came.current = { now, asksAlways: settings.value.confirm === "always" };
  }
  const { match, rev } = room.acted.value ?? {};
  const isMine = match === view.match && rev === view.rev;
  const mayFollow = isMine && room.asked.value !== undefined && !came.current.asksAlways;
  const action: unknown = mayFollow ? skin.follows?.(view as never) : undefined;
  const follows = action !== undefined && sentFor.current !== now;
  // The act before may be on its way still, though its view is there.
  const isFree = room.pending.value === undefined;
  useEffect(() => {
    if (!follows || !isFree) return;
    sentFor.current = now;
    room.act(action, true);
  }, [now, follows, isFree]);
  return follows;
}

interface Asks {
  turn: boolean;
  text: string;
  /** Which question it is, if that is not the same as its words. */
  kind?: string;
}

/** Says what is asked, and of whom, once that is new: after what has led to it. */
function useQuestion({ turn, text, kind }: Asks, asked: number | undefined, silent: boolean): void {
  const t = translation.value;
  const yours = t("web.table.your_turn");
  const said = turn ? (text ? `${yours}: ${text}` : yours) : text;
  const question = kind === undefined ? said : `${yours}: ${kind}`;
  useEffect(() => {
    // Of an act on its way, what it leads to is said.
    if (!silent) announce(said);
  }, [question, asked, silent]);
}

/** Whose turn it is, and what is asked, in words. */
function bannerText(
  room: Room,
  frame: RoomFrame,
  view: ViewFrame,
  skin: AnySkin,
  scene: Scene,
): Asks {
  const t = translation.value;
  const turn = room.asked.value !== undefined;
  if (frame.status === "over") return { turn, text: t("web.table.over") };
  if (frame.status === "closed") return { turn, text: t("room.closed") };
  const hint = room.hint.value;
  if (turn && hint?.rev === view.rev) {
    // In the place of the question: whatever lay over the board would cover what is advised.
    if (hint.action === undefined) return { turn, text: t("hint.wait") };
    const act =
      skin.actText?.(hint.action as never, view as never, scene, t) ?? actText(hint.action);
    return { turn, text: t("hint.text", { act }) };
  }
  if (turn) {
    const text = skin.question(view as never, scene, t) ?? "";
    return { turn, text, kind: skin.questionKind?.(view as never) };
  }
  return { turn, text: waitingText(view, scene, t, skin.waitsFor?.(view as never, t)) };
}

function TopBar(props: { status: string; talk: ComponentChildren; open(sheet: SheetName): void }) {
  const t = translation.value;
  return (
    <header class="top-bar">
      <button
        type="button"
        class="round"
        aria-label={t("web.menu.title")}
        onClick={() => props.open("menu")}
      >
        <Icon name="menu" />
      </button>
      <p class="top-status">{props.status}</p>
      <button
        type="button"
        class="round rules-button"
        aria-label={t("web.rules.title")}
        onClick={() => props.open("rules")}
      >
        <Icon name="book" />
      </button>
      {props.talk}
      <button
        type="button"
        class="round log-button"
        aria-label={t("web.log.title")}
        onClick={() => props.open("log")}
      >
        <Icon name="log" />
      </button>
      <button
        type="button"
        class="round"
        aria-label={t("web.menu.sound")}
        aria-pressed={sound.value === "on"}
        onClick={toggleSound}
      >
        <Icon name={sound.value === "on" ? "sound" : "mute"} />
      </button>
    </header>
  );
}

/** Whose turn it is, in words, colour and with a mark; and how long it may take. Spoken by useQuestion. */
function Banner(props: {
  room: Room;
  view: ViewFrame;
  asks: Asks;
  title: string;
  children?: ComponentChildren;
}) {
  const { room, view, asks } = props;
  const t = translation.value;
  const heading = useScreen(props.title);
  const text = room.pending.value ? t("web.table.sending") : asks.text;
  const hinted = room.hint.value?.rev === view.rev;
  return (
    <div class={`banner ${asks.turn ? "mine" : ""}`}>
      <h1 class="hidden" ref={heading} tabIndex={-1}>
        {props.title}
      </h1>
      <p>
        {asks.turn && (
          <b>
            <span class="turn-mark" aria-hidden="true" />
            {t("web.table.your_turn")}
          </b>
        )}
        <span>{text}</span>
      </p>
      {hinted && (
        <button type="button" class="banner-all" onClick={() => (room.hint.value = undefined)}>
          {t("web.hint.all")}
        </button>
      )}
      <TimeLeft room={room} view={view} />
      {props.children}
    </div>
  );
}

const kLowSeconds = 10;

function TimeLeft({ room, view }: { room: Room; view: ViewFrame }) {
  const t = translation.value;
  useNow(500);
  // Not the clock of the device: somebody may set it.
  const now = performance.now();
  const arrived = useRef({ view, at: now });
  if (arrived.current.view !== view) arrived.current = { view, at: now };
  const mine = room.asked.value;
  const wanted = mine?.id ?? view.decisions[0]?.id;
  const left = view.left_ms?.find((each) => each.decision === wanted);
  const seconds =
    left === undefined
      ? undefined
      : Math.max(0, Math.ceil((left.ms - (now - arrived.current.at)) / 1000));
  const low = mine !== undefined && seconds !== undefined && seconds <= kLowSeconds;
  useEffect(() => {
    if (low && seconds > 0) play("tick");
  }, [low, seconds]);
  useEffect(() => {
    if (low && seconds > 0) raiseAlarm(t("web.table.time_low", { seconds }));
  }, [low, wanted]);
  if (seconds === undefined) return null;
  return (
    <span class={`time ${low ? "low" : ""}`}>
      <Icon name="clock" size={16} />
      {t("web.table.seconds", { seconds })}
      {low && <i class="time-bar" style={{ "--left": seconds / kLowSeconds }} />}
    </span>
  );
}

/** What should be noticed and then be gone: refusals, and what happened while I was away. */
function Notices(props: {
  room: Room;
  frame: RoomFrame;
  view: ViewFrame;
  scene: Scene;
  /** The address asks for a look back at a game that is not over. */
  tooEarly: boolean;
  show(): void;
}) {
  const { room, frame, view, scene, tooEarly, show } = props;
  const t = translation.value;
  const missed = room.missed.value;
  return (
    <div class="notices">
      <Refusal room={room} />
      <RoomNews room={room} />
      <Silent room={room} frame={frame} view={view} scene={scene} />
      <Absent room={room} frame={frame} view={view} scene={scene} />
      {tooEarly && (
        <p class="notice" role="status">
          <span>{t("web.replay.not_yet")}</span>
          <Dismiss close={() => go(roomLink(room.code))} />
        </p>
      )}
      {missed > 0 && (
        <p class="notice" role="status">
          <span>{t("web.log.missed", { count: missed })}</span>
          <button
            type="button"
            onClick={() => {
              room.missed.value = 0;
              show();
            }}
          >
            {t("web.log.show")}
          </button>
          <Dismiss close={() => (room.missed.value = 0)} />
        </p>
      )}
    </div>
  );
}

/** A move that is about to be sent can still be taken back. */
function Soon({ room }: { room: Room }) {
  const t = translation.value;
  useLayoutEffect(() => {
    // A tap beside the board is no key, and takes back nothing that was decided.
    const listen = ({ key, isTrusted }: KeyboardEvent) =>
      key === "Escape" && isTrusted && room.takeBack();
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [room]);
  return (
    <p class="soon" role="status" style={{ "--delay": `${delay_ms.value}ms` }}>
      <span>{t("web.table.soon")}</span>
      <button type="button" onClick={() => room.takeBack()}>
        {t("web.table.take_back")}
      </button>
    </p>
  );
}

function Sheets(props: {
  room: Room;
  frame: RoomFrame;
  view: ViewFrame;
  skin: AnySkin;
  scene: Scene;
  sheet: SheetName;
  open(sheet: SheetName | undefined): void;
}) {
  const { room, frame, view, skin, scene, sheet, open } = props;
  const t = translation.value;
  const close = () => open(undefined);
  if (typeof sheet === "object") {
    return (
      <PlayerSheet
        room={room}
        frame={frame}
        view={view}
        skin={skin}
        scene={scene}
        seat={sheet.seat}
        past={room.happened.value}
        close={close}
      />
    );
  }
  switch (sheet) {
    case "log":
      return (
        <Sheet title={t("web.log.title")} close={close}>
          <LogList
            room={room}
            skin={skin}
            scene={scene}
            looksBack={frame.status === "over"}
            done={close}
          />
        </Sheet>
      );
    case "earlier":
      return (
        <Sheet title={t("web.earlier.title")} close={close}>
          <EarlierGames room={room.code} match={frame.match} />
        </Sheet>
      );
    case "rules":
      return <RulesSheet skin={skin} game={frame.game} view={view} close={close} />;
    case "settings":
      return (
        <Sheet title={t("web.settings.title")} close={close}>
          <SettingsForm />
        </Sheet>
      );
    case "invite":
      return (
        <Sheet title={t("web.lobby.invite")} close={close}>
          <Invite code={room.code} game={frame.game} />
        </Sheet>
      );
    case "keys":
      return (
        <Sheet title={t("web.keys.title")} close={close}>
          <Keys skin={skin} />
        </Sheet>
      );
    case "menu":
      return (
        <Sheet title={t("web.menu.title")} close={close}>
          <Menu room={room} frame={frame} open={open} close={close} />
        </Sheet>
      );
  }
}

function Menu(props: {
  room: Room;
  frame: RoomFrame;
  open(sheet: SheetName): void;
  close(): void;
}) {
  const t = translation.value;
  const { room, frame, open, close } = props;
  // Asked for, never pushed.
  const mayAsk = frame.hints && seesHints.value && room.asked.value !== undefined;
  return (
    <ul class="menu">
      <li>
        <button type="button" onClick={() => open("log")}>
          <Icon name="log" />
          {t("web.log.title")}
        </button>
      </li>
      {endedIn(room.code).some(({ match }) => match !== frame.match) && (
        <li>
          <button type="button" onClick={() => open("earlier")}>
            <Icon name="play" />
            {t("web.earlier.title")}
          </button>
        </li>
      )}
      <li>
        <button type="button" onClick={() => open("settings")}>
          <Icon name="cog" />
          {t("web.settings.title")}
        </button>
      </li>
      <li>
        <button type="button" onClick={() => open("rules")}>
          <Icon name="book" />
          {t("web.rules.title")}
        </button>
      </li>
      <li>
        <button type="button" onClick={() => open("keys")}>
          <Icon name="keyboard" />
          {t("web.keys.title")}
        </button>
      </li>
      {mayAsk && (
        <li>
          <button
            type="button"
            onClick={() => {
              void room.askHint();
              close();
            }}
          >
            <Icon name="bulb" />
            {t("hint.ask")}
          </button>
        </li>
      )}
      <li>
        <button type="button" onClick={() => open("invite")}>
          <Icon name="eye" />
          {t("web.menu.invite", { room: room.code })}
        </button>
      </li>
      <li>
        {room.me.value === undefined ? (
          <Leave room={room} frame={frame} />
        ) : (
          <PageLink page="home" class="button">
            <Icon name="home" />
            {t("web.room.pause")}
          </PageLink>
        )}
      </li>
    </ul>
  );
}

function Keys({ skin }: { skin: AnySkin }) {
  const t = translation.value;
  const rows = [
    ...(skin.shortcuts?.(t) ?? []),
    { keys: t("web.keys.log_key"), does: t("web.log.title") },
    { keys: t("web.keys.mine_key"), does: t("web.keys.mine") },
    { keys: t("web.keys.summary_key"), does: t("web.keys.summary") },
    { keys: t("web.keys.mute_key"), does: t("web.menu.sound") },
    { keys: t("web.keys.rules_key"), does: t("web.rules.title") },
    { keys: "?", does: t("web.keys.explain") },
    { keys: t("web.keys.replay_key"), does: t("web.keys.replay") },
  ];
  return (
    <table class="keys">
      <tbody>
        {rows.map(({ keys, does }) => (
          <tr key={keys}>
            <th scope="row">
              <kbd>{keys}</kbd>
            </th>
            <td>{does}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
