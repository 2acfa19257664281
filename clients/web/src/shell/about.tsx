// What this page is, what it keeps, and whose work it is.
import { useEffect, useState } from "preact/hooks";
import { translation } from "../i18n";
import { PageLink, Screen } from "./parts";
import { root } from "./route";

export function AboutPage() {
  const t = translation.value;
  const [version, setVersion] = useState("");
  useEffect(() => {
    fetch(new URL("version", root), { cache: "no-store" })
      .then((answer) => answer.json())
      .then((answer: { version: string }) => setVersion(answer.version))
      // Without a network the rest is still true.
      .catch(() => {});
  }, []);
  return (
    <Screen title={t("web.about.title")}>
      <div class="card about">
        <p>{t("web.about.what")}</p>
        <p>{t("web.about.kept")}</p>
        <p>{t("web.about.whose")}</p>
        {version && <p class="note">{t("web.about.version", { version })}</p>}
      </div>
      <PageLink page="diagnostics" class="big button">
        {t("web.diagnostics.title")}
      </PageLink>
    </Screen>
  );
}
