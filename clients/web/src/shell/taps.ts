// The second half of a double tap may meet a screen that the first half has brought; a tap may meet what has
// just moved, or a control that has just come to be where another one was: all of them count for nothing.
import { hasJustMoved } from "./in_sight";

const kDoubleTapMs = 400;
/** A finger does not come down twice at the same point. */
const kNear = 24;
/** Nobody reads sooner what has come under the finger. */
const kUnreadMs = 400;
/** As many changes of the page as matter within that time; older ones are forgotten first. */
const kChanges = 32;

const kControls = "button, a[href], summary, [role=button]";

const screenNow = () => document.querySelector("dialog[open]") ?? document.querySelector("main");

/** What a control is, whatever it counts or says of its state: a place or a player by name, else its words. */
const nameOf = ({ dataset, textContent }: HTMLElement): string =>
  dataset.at ?? dataset.seat ?? textContent;

/** Where a control is, and what it is. */
interface Place {
  name: string;
  box: DOMRect;
}

const placesNow = (): Place[] =>
  [...(screenNow() ?? document.body).querySelectorAll<HTMLElement>(kControls)].map((control) => ({
    name: nameOf(control),
    box: control.getBoundingClientRect(),
  }));

const holds = ({ box }: Place, { clientX, clientY }: MouseEvent): boolean =>
  clientX >= box.left && clientX <= box.right && clientY >= box.top && clientY <= box.bottom;

/** What stood where, a moment ago: kept from the first press on, since nobody taps before. */
class Before {
  private places: Place[] = [];
  private past: { until: number; places: Place[] }[] = [];
  private began = 0;
  /** The page has changed since `places`. */
  private isDue = false;
  private isWatching = false;

  press({ timeStamp }: MouseEvent): void {
    this.began = timeStamp;
    if (this.isDue) this.look();
    this.places = placesNow();
    if (!this.isWatching) this.watch();
  }

  private look(): void {
    this.isDue = false;
    this.past = [...this.past, { until: performance.now(), places: this.places }].slice(-kChanges);
    this.places = placesNow();
  }

  private watch(): void {
    this.isWatching = true;
    // Once a frame, when what is new has its place.
    const change = () => {
      if (!this.isDue) requestAnimationFrame(() => this.isDue && this.look());
      this.isDue = true;
    };
    const all = { childList: true, characterData: true, subtree: true };
    new MutationObserver(change).observe(document.body, all);
    // What one scrolls under one's own finger has replaced nothing.
    const forget = () => {
      this.past = [];
      this.places = placesNow();
    };
    document.addEventListener("scroll", forget, { capture: true, passive: true });
    window.addEventListener("resize", forget);
  }

  /** Whether the tap means a control that was not there yet when it began, or only just. */
  wasOther(tap: MouseEvent): boolean {
    const control = tap.target instanceof Element && tap.target.closest<HTMLElement>(kControls);
    if (!control) return false;
    const name = nameOf(control);
    const recent = this.past.filter(({ until }) => this.began - until < kUnreadMs);
    return [...recent.map(({ places }) => places), this.places].some((places) => {
      const here = places.filter((place) => holds(place, tap));
      return here.length > 0 && here.every((place) => place.name !== name);
    });
  }
}

export function ignoreDoubleTaps(): void {
  let last: { event: MouseEvent; screen: Element | null } | undefined;
  const before = new Before();
  document.addEventListener("pointerdown", (event) => before.press(event), true);
  document.addEventListener(
    "click",
    (event) => {
      // Keys and programs have no finger.
      if (event.detail === 0) return;
      const screen = screenNow();
      const isSecond = last && screen !== last.screen && isDouble(last.event, event);
      const isOnBoard = event.target instanceof Element && event.target.closest(".board");
      const isUnread = (isTouch(event) || event.detail > 1) && before.wasOther(event);
      if (isSecond || isUnread || (isOnBoard && hasJustMoved(event.timeStamp))) {
        event.preventDefault();
        event.stopImmediatePropagation();
        return;
      }
      last = { event, screen };
    },
    true,
  );
}

/** Some browsers do not count the taps of fingers. */
const isTouch = (event: MouseEvent): boolean => (event as PointerEvent).pointerType === "touch";

function isDouble(first: MouseEvent, second: MouseEvent): boolean {
  if (second.timeStamp - first.timeStamp > kDoubleTapMs) return false;
  if (second.detail > 1) return true;
  const far = Math.hypot(second.clientX - first.clientX, second.clientY - first.clientY);
  return isTouch(second) && far < kNear;
}
