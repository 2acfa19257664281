// Where the focus goes when the table has changed under it.
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

/**
 * If the focus was on the board, it goes on to what can be done next (data-first), and to the
 * button that confirms (data-role=commit) when `asked` comes up; never from elsewhere.
 */
export function useFocus(
  root: { current: HTMLElement | null },
  rev: number,
  mine: boolean,
  asked: unknown,
): void {
  const inside = useRef(false);
  useEffect(() => {
    const listen = (event: FocusEvent) =>
      (inside.current = root.current!.contains(event.target as Node));
    document.addEventListener("focusin", listen);
    return () => document.removeEventListener("focusin", listen);
  }, []);
  // Before the next key can be pressed: what had the focus may be gone.
  const focus = (what: string) => {
    const active = document.activeElement;
    const free = active === document.body || root.current!.contains(active);
    if (inside.current && free) root.current!.querySelector<HTMLElement>(what)?.focus();
  };
  useLayoutEffect(() => {
    if (mine) focus("[data-first]");
  }, [rev, mine]);
  useLayoutEffect(() => {
    if (asked) focus("[data-role=commit]");
  }, [asked]);
}
