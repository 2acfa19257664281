// A table that reads from across a room: for who watches on a beamer or a television. The whole screen
// is the table's, words are as high as the screen lets them be, and what happened last stands large.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { translation } from "../i18n";
import { Icon } from "./icons";
import { onEscape } from "./keys";

export const beamer = signal(false);

/** For who watches: on and off; Escape ends it, and so does leaving the table. */
export function BeamerButton() {
  const t = translation.value;
  const on = beamer.value;
  useEffect(() => () => void (beamer.value = false), []);
  useEffect(() => {
    const root = document.documentElement;
    if (!on) return;
    root.dataset.beamer = "on";
    // Where that is not allowed, the window is large enough.
    void root.requestFullscreen?.().catch(() => {});
    const end = () => (beamer.value = false);
    const left = () => document.fullscreenElement === null && end();
    document.addEventListener("fullscreenchange", left);
    const unlisten = onEscape(end);
    return () => {
      document.removeEventListener("fullscreenchange", left);
      unlisten();
      delete root.dataset.beamer;
      if (document.fullscreenElement) void document.exitFullscreen().catch(() => {});
    };
  }, [on]);
  return (
    <button
      type="button"
      class="round beamer-button"
      aria-label={t("web.watch.beamer")}
      aria-pressed={on}
      onClick={() => (beamer.value = !on)}
    >
      <Icon name="beamer" />
    </button>
  );
}
