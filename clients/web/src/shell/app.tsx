// The page: one screen at a time, the state of the connection over it, and a place from which
// screen readers read aloud.
import { useEffect } from "preact/hooks";
import { translation } from "../i18n";
import { announcement, client } from "./app_state";
import { CreatePage } from "./create";
import { DiagnosticsPage } from "./diagnostics";
import { Home, JoinPage } from "./home";
import { LinkState, ServerNotice } from "./link_state";
import { RoomPage } from "./room_page";
import { route } from "./route";
import { RulesPage } from "./rules_page";
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
    case "join":
      return <JoinPage />;
    case "settings":
      return <SettingsPage />;
    case "rules":
      return <RulesPage game={now.word} />;
    case "diagnostics":
      return <DiagnosticsPage />;
    default:
      return <Home />;
  }
}

export function App() {
  const t = translation.value;
  const now = route.value;
  const lost = !["online", "connecting"].includes(client.connection.link.value.state);
  useEffect(() => {
    if (now.page !== "room") document.title = t("web.title");
  }, [now, t]);
  return (
    <div class={`page ${lost ? "lost" : ""}`}>
      <LinkState />
      <ServerNotice />
      <Page />
      <div class="hidden" role="log" aria-live="polite">
        <p>{announcement.value}</p>
      </div>
    </div>
  );
}
