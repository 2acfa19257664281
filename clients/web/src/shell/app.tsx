// The page: one screen at a time, the state of the connection over it, and a place from which
// screen readers read aloud.
import { useLayoutEffect, useRef } from "preact/hooks";
import { kGamesWithSkin } from "../games";
import { translation } from "../i18n";
import { AboutPage } from "./about";
import { alarm, announcements, client } from "./app_state";
import { myTurn } from "./attention";
import { CreatePage } from "./create";
import { DiagnosticsPage } from "./diagnostics";
import { gameTitle } from "./games_known";
import { Home, JoinPage } from "./home";
import { LessonPage } from "./lesson_link";
import { measureBars } from "./in_sight";
import { LinkState, ServerNotice, TurnCall } from "./link_state";
import type { Room } from "./room";
import { RoomPage } from "./room_page_later";
import { route } from "./route";
import { RulesPage } from "./rules_page";
import { screenTitle } from "./screen";
import { SettingsPage } from "./settings_page";

function Page() {
  const now = route.value;
  switch (now.page) {
    case "room":
      return <RoomPage key={now.code} code={now.code} />;
    case "create":
      return <CreatePage key="friends" bots={false} />;
    case "bots":
      return <CreatePage key="bots" bots />;
    case "try":
      return <CreatePage key={`try-${now.word}`} bots trial={now.word} />;
    case "learn":
      return <LessonPage key={now.word} game={now.word ?? kGamesWithSkin[0]!} />;
    case "join":
      return <JoinPage wrong={now.word} />;
    case "settings":
      return <SettingsPage />;
    case "rules":
      return <RulesPage game={now.word} />;
    case "about":
      return <AboutPage />;
    case "diagnostics":
      return <DiagnosticsPage />;
    default:
      return <Home />;
  }
}

/** The decision that waits for me there. */
const isAsked = (room: Room) =>
  room.room.value?.status === "playing" && room.gone.value === undefined
    ? room.asked.value?.id
    : undefined;

export function App() {
  const t = translation.value;
  const now = route.value;
  const { lost, why, state } = client.connection.link.value;
  const isAway = lost || why === "offline" || why === "restarting" || state === "ended";
  const room = client.here.value;
  const asked = room && isAsked(room);
  const game = room?.room.value ? gameTitle(room.room.value.game) : t("web.title");
  const whose = now.page === "room" ? game : t("web.title");
  const title = [screenTitle.value, whose].filter((each, i, all) => each && each !== all[i + 1]);
  useLayoutEffect(() => myTurn(asked, t, game, title.join(" – ")), [asked, t, game, ...title]);
  const bars = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => measureBars(bars.current!), []);
  return (
    <div class={`page ${isAway ? "lost" : ""}`}>
      <div class="link-bars" ref={bars}>
        <LinkState />
        <ServerNotice />
        {asked !== undefined && now.page !== "room" && <TurnCall code={room!.code} />}
      </div>
      <Page />
      <div class="hidden" role="log" aria-live="polite">
        {announcements.value.map(({ id, text }) => (
          <p key={id}>{text}</p>
        ))}
      </div>
      <div class="hidden" aria-live="assertive">
        <p>{alarm.value}</p>
      </div>
    </div>
  );
}
