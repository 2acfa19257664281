// When something does not work: what this page knows about its way to the server, to be copied.
import { useEffect, useRef, useState } from "preact/hooks";
import { translation } from "../i18n";
import { client } from "./app_state";
import { socketUrl } from "./client";
import { copyText } from "./copy";
import { kProtocol } from "./connection";
import { Icon } from "./icons";
import { Screen } from "./parts";
import { root } from "./route";

type Test = "running" | "good" | "bad";

export function DiagnosticsPage() {
  const t = translation.value;
  const [http, setHttp] = useState<Test>("running");
  const [version, setVersion] = useState("");
  const [copied, setCopied] = useState(false);
  const link = client.connection.link.value;
  const failed = useRef(false);
  if (link.state === "online") failed.current = false;
  if (link.lost || link.state === "waiting" || link.state === "ended") failed.current = true;
  const socket: Test = link.state === "online" ? "good" : failed.current ? "bad" : "running";
  useEffect(() => {
    client.connection.check();
    fetch(new URL("version", root), { cache: "no-store" })
      .then((answer) => answer.json())
      .then((answer: { version: string; web: string }) => {
        setVersion(`${answer.version} (${answer.web})`);
        setHttp("good");
      })
      .catch(() => setHttp("bad"));
  }, []);
  const latency = client.connection.latency.value;
  const rows: [string, string][] = [
    [t("web.diagnostics.address"), socketUrl(root.href)],
    [t("web.diagnostics.http"), t(`web.diagnostics.${http}`)],
    [t("web.diagnostics.socket"), t(`web.diagnostics.${socket}`)],
    [t("web.diagnostics.version"), version || t("web.diagnostics.unknown")],
    [t("web.diagnostics.protocol"), String(kProtocol)],
    [
      t("web.diagnostics.latency"),
      latency === undefined
        ? t("web.diagnostics.unknown")
        : t("web.diagnostics.ms", { ms: latency }),
    ],
    [t("web.diagnostics.browser"), navigator.userAgent],
  ];
  const text = rows.map(([name, value]) => `${name}: ${value}`).join("\n");
  const copy = async () => {
    if (await copyText(text)) setCopied(true);
    else window.getSelection()?.selectAllChildren(document.getElementById("facts")!);
  };
  return (
    <Screen title={t("web.diagnostics.title")}>
      <dl class="facts" id="facts">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {http === "good" && socket === "bad" && <p role="alert">{t("web.diagnostics.proxy")}</p>}
      {http === "bad" && <p role="alert">{t("web.diagnostics.network")}</p>}
      <div class="buttons">
        <button type="button" onClick={() => client.connection.retryNow()}>
          {t("web.link.retry")}
        </button>
        <button type="button" onClick={() => void copy()}>
          <Icon name={copied ? "check" : "copy"} />
          {t("web.diagnostics.copy")}
        </button>
      </div>
    </Screen>
  );
}
