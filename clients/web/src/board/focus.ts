// Where the focus goes when the table has changed under it, and that it stays in sight.
import { useLayoutEffect, useRef } from "preact/hooks";
import { showFocus } from "../shell/in_sight";

/**
 * If the focus was on the board, it goes on to what can be done next (data-first) when the `question`
 * changes; never from elsewhere. When `asked` comes up, which is somebody's own doing, it goes to the
 * button that confirms (data-role=commit) from wherever it was: Enter shall press that and nothing else.
 * When that is taken back, it returns.
 */
export function useFocus(
  root: { current: HTMLElement | null },
  question: unknown,
  mine: boolean,
  asked: unknown,
): void {
  const inside = useRef(false);
  // All of it before the next key can be pressed: what had the focus may be gone.
  useLayoutEffect(() => {
    const listen = (event: FocusEvent) =>
      (inside.current = root.current!.contains(event.target as Node));
    document.addEventListener("focusin", listen);
    return () => document.removeEventListener("focusin", listen);
  }, []);
  const focus = (what: string) => root.current!.querySelector<HTMLElement>(what)?.focus();
  useLayoutEffect(() => {
    const active = document.activeElement;
    const free = active === document.body || root.current!.contains(active);
    if (mine && inside.current && free) focus("[data-first]");
  }, [question, mine]);
  const before = useRef<HTMLElement | null>(null);
  useLayoutEffect(() => {
    const active = document.activeElement as HTMLElement;
    const commit = root.current!.querySelector<HTMLElement>("[data-role=commit]");
    if (asked) {
      before.current ??= root.current!.contains(active) ? active : null;
      commit?.focus();
      return;
    }
    const isLost = active === document.body || active.matches(":disabled");
    if (mine && isLost) before.current?.focus();
    before.current = null;
  }, [asked]);
  useLayoutEffect(() => showFocus(root.current!));
  // Words above the board, or a notice, may have become longer.
  useLayoutEffect(() => {
    const watch = new ResizeObserver(() => showFocus(root.current!));
    watch.observe(root.current!);
    return () => watch.disconnect();
  }, []);
}
