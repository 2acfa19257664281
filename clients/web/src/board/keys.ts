// The keys of a board, while its game is live: not while somebody types, not behind a dialog, and
// the browser's own are left alone.
import { useLayoutEffect, useRef } from "preact/hooks";
import { isTyping } from "../shell/keys";

/** The number key of the row above the letters or of the number pad, whatever the layout makes of it. */
export const digitOf = (event: KeyboardEvent): string | undefined =>
  /^(?:Digit|Numpad)(\d)$/.exec(event.code)?.[1];

/**
 * What Enter does to what was begun, where nothing has the focus that could be pressed: it presses the
 * button that confirms (data-role=commit). If that is one of several (data-several), it leads there.
 */
export function confirmKey(
  event: KeyboardEvent,
  board: HTMLElement | null,
): (() => void) | undefined {
  if (event.key !== "Enter") return undefined;
  if (event.target instanceof Element && event.target.closest("button, a, summary"))
    return undefined;
  const commit = board?.querySelector<HTMLElement>("[data-role=commit]");
  if (!commit) return undefined;
  return () => ("several" in commit.dataset ? commit.focus() : commit.click());
}

/** `does` says what a key does now, or nothing; always the newest one is asked. `inSheet`: of a sheet's own. */
export function useKeys(
  live: boolean,
  does: (event: KeyboardEvent) => (() => void) | undefined,
  inSheet = false,
) {
  const now = useRef(does);
  now.current = does;
  // Whoever sees the board may press a key.
  useLayoutEffect(() => {
    if (!live) return;
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const isBehind = (document.querySelector("dialog[open]") !== null) !== inSheet;
      if (isTyping(event.target) || isBehind) return;
      // Who leans on a key means it once: it answers no second question, as Enter on a button would.
      if (event.repeat) return event.key === "Enter" ? event.preventDefault() : undefined;
      const act = now.current(event);
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [live]);
}
