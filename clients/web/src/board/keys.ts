// The keys of a board, while its game is live: not while somebody types, not behind a dialog, and
// the browser's own are left alone.
import { useEffect, useRef } from "preact/hooks";
import { isTyping } from "../shell/keys";

/** The number key of the row above the letters or of the number pad, whatever the layout makes of it. */
export const digitOf = (event: KeyboardEvent): string | undefined =>
  /^(?:Digit|Numpad)(\d)$/.exec(event.code)?.[1];

/** `does` says what a key does now, or nothing; always the newest one is asked. */
export function useKeys(live: boolean, does: (event: KeyboardEvent) => (() => void) | undefined) {
  const now = useRef(does);
  now.current = does;
  useEffect(() => {
    if (!live) return;
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (isTyping(event.target) || document.querySelector("dialog[open]")) return;
      const act = now.current(event);
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [live]);
}
