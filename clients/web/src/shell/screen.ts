// A change of screen is perceived by everybody: each screen has a title of its own for the window, and
// the focus goes to its heading.
import { signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";

/** What the screen of now is called; empty on the first screen. */
export const screenTitle = signal("");

/** The page has just been opened: the focus is where the browser begins. */
let opened = true;

/** For a screen with this title: the ref of its heading, which has to be `tabIndex={-1}`. */
export function useScreen(title: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    screenTitle.value = title;
  }, [title]);
  useLayoutEffect(() => {
    // A screen begins at its top, also where the address stays the same.
    if (!opened) {
      window.scrollTo(0, 0);
      heading.current?.focus({ preventScroll: true });
    }
    opened = false;
  }, []);
  return heading;
}
