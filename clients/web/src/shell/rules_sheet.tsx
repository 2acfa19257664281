// The rules over the table, open at what is asked now.
import { useLayoutEffect, useRef } from "preact/hooks";
import { translation } from "../i18n";
import type { ViewFrame } from "../protocol/wire.gen";
import type { AnySkin } from "../skin";
import { PageLink } from "./parts";
import { Sheet } from "./sheet";

export function RulesSheet(props: { skin: AnySkin; game: string; view: ViewFrame; close(): void }) {
  const { skin, game, view, close } = props;
  const t = translation.value;
  const rules = useRef<HTMLDivElement>(null);
  const word = skin.rule?.(view as never);
  useLayoutEffect(() => {
    const part = rules.current?.querySelector<HTMLElement>(`[data-rule="${word}"]`);
    const heading = part?.querySelector("h2");
    if (!part || !heading) return;
    part.dataset.now = t("web.rules.now");
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    part.scrollIntoView({ block: "start" });
  }, []);
  return (
    <Sheet title={t("web.rules.title")} close={close}>
      <div class="rules" ref={rules}>
        <skin.Rules t={t} />
      </div>
      <PageLink page="rules" word={game} class="button">
        {t("web.rules.page")}
      </PageLink>
    </Sheet>
  );
}
