// How the way to the server is: nothing while it is good, words and a button when it is not.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { translation } from "../i18n";
import { client } from "./app_state";
import { PageLink } from "./parts";
import { go, roomLink, root } from "./route";
import { useNow } from "./use";

/** Short interruptions are not worth a word. */
const kQuietMs = 1500;
/** Then the first connection needs help. */
const kLongMs = 5000;

export function LinkState() {
  const t = translation.value;
  const now = useNow(500);
  const { state, since, lost, why, retry_at, slow } = client.connection.link.value;
  const age = now - since;
  const seconds = Math.max(0, Math.ceil(((retry_at ?? now) - now) / 1000));
  if (client.newVersion.value || (state === "ended" && why === "unsupported_protocol")) {
    return <Again kind="version" text={t("web.link.new_version")} />;
  }
  if (state === "ended") return <Again kind="lost" text={t(`error.${why}`)} />;
  if (why === "restarting") return <Bar kind="restarting" text={t("web.link.restarting")} />;
  if (why === "offline") {
    return (
      <Bar kind="offline" text={t("web.link.offline")}>
        <Retry />
      </Bar>
    );
  }
  // Hello or a request was refused, and is said again.
  if (why) {
    return <Bar kind="later" text={t("error.later", { why: t(`error.${why}`), seconds })} />;
  }
  if (state === "online") return slow ? <Bar kind="slow" text={t("web.link.slow")} /> : null;
  if (!lost) {
    return age < kLongMs ? null : <NeverYet />;
  }
  if (age < kQuietMs) return null;
  return (
    <Bar kind="lost" text={t("web.link.lost_retry", { seconds })}>
      <Retry />
    </Bar>
  );
}

/** The first connection does not come about: is it the server, or what stands before it? */
function NeverYet() {
  const t = translation.value;
  const [arrives, setArrives] = useState(false);
  const { retry_at } = client.connection.link.value;
  useEffect(() => {
    fetch(new URL("readyz", root), { cache: "no-store" })
      .then((answer) => setArrives(answer.ok))
      .catch(() => setArrives(false));
  }, [retry_at]);
  return (
    <Bar kind="lost" text={t(arrives ? "web.link.pages_only" : "web.link.connecting_long")}>
      <Retry />
      <PageLink page="diagnostics" class="button">
        {t("web.diagnostics.title")}
      </PageLink>
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

/** Nothing goes on but by loading the page. */
function Again(props: { kind: string; text: string }) {
  const t = translation.value;
  return (
    <Bar {...props}>
      <button type="button" onClick={() => location.reload()}>
        {t("web.link.reload")}
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
