// How the way to the server is: nothing while it is good, words and a button when it is not.
import type { ComponentChildren } from "preact";
import { translation } from "../i18n";
import { client } from "./app_state";
import { PageLink } from "./parts";
import { go, roomLink } from "./route";
import { useNow } from "./use";

/** Short interruptions are not worth a word. */
const kQuietMs = 1500;
/** Then the first connection needs help. */
const kLongMs = 5000;

export function LinkState() {
  const t = translation.value;
  const now = useNow(500);
  const link = client.connection.link.value;
  if (client.newVersion.value || link.state === "outdated") {
    return (
      <Bar kind="version" text={t("web.link.new_version")}>
        <button type="button" onClick={() => location.reload()}>
          {t("web.link.reload")}
        </button>
      </Bar>
    );
  }
  const age = now - link.since;
  if (link.state === "online")
    return link.slow ? <Bar kind="slow" text={t("web.link.slow")} /> : null;
  if (link.state === "connecting") {
    if (age < kLongMs) return null;
    return (
      <Bar kind="lost" text={t("web.link.connecting_long")}>
        <Retry />
        <PageLink page="diagnostics" class="button">
          {t("web.diagnostics.title")}
        </PageLink>
      </Bar>
    );
  }
  if (link.state === "lost" && age < kQuietMs) return null;
  const seconds = Math.max(0, Math.ceil(((link.retry_at ?? now) - now) / 1000));
  const text =
    link.state === "offline"
      ? t("web.link.offline")
      : link.state === "restarting"
        ? t("web.link.restarting")
        : t("web.link.lost_retry", { seconds });
  return (
    <Bar kind={link.state} text={text}>
      {link.state !== "restarting" && <Retry />}
    </Bar>
  );
}

/** What the server has to say to everybody. */
export function ServerNotice() {
  const t = translation.value;
  const text = client.notice.value;
  if (text === undefined) return null;
  return (
    <Bar kind="notice" text={t("notice.text", { text })}>
      <button type="button" onClick={() => (client.notice.value = undefined)}>
        {t("web.notice.read")}
      </button>
    </Bar>
  );
}

/** On a screen away from the table: somebody waits for me there. */
export function TurnCall({ code }: { code: string }) {
  const t = translation.value;
  return (
    <Bar kind="turn" text={t("web.table.your_turn")}>
      <button type="button" onClick={() => go(roomLink(code))}>
        {t("web.earlier.back")}
      </button>
    </Bar>
  );
}

function Retry() {
  const t = translation.value;
  return (
    <button type="button" onClick={() => client.connection.retryNow()}>
      {t("web.link.retry")}
    </button>
  );
}

function Bar(props: { kind: string; text: string; children?: ComponentChildren }) {
  return (
    <div class={`link-bar ${props.kind}`} role="status">
      <span>{props.text}</span>
      {props.children}
    </div>
  );
}
