// Which screen the address means. A room has an address of its own, r/CODE, that can be sent to
// others; the screens around it stand behind a # of the page.
import { signal } from "@preact/signals";

export type Page =
  | "home"
  | "create"
  | "bots"
  | "try"
  | "learn"
  | "join"
  | "settings"
  | "rules"
  | "diagnostics"
  | "about";
export type Route = { page: Page; word?: string } | RoomRoute;
/**
 * `step` is there when a finished game of the room is to be looked back at, from that step on;
 * `match` says which one: without it the newest.
 */
export type RoomRoute = { page: "room"; code: string; step?: number; match?: string };

const kLongestCode = 12;
const kPages: readonly Page[] = [
  "home",
  "create",
  "bots",
  "try",
  "learn",
  "join",
  "settings",
  "rules",
  "diagnostics",
  "about",
];

/** The folder in which the page stands, wherever a proxy has put it; ends with a slash. */
export const root = new URL(document.baseURI.replace(/\/r\/$/, "/").replace(/[^/]*$/, ""));

export function routeOf(address: URL, base: URL = root): Route {
  const rest = address.pathname.slice(base.pathname.length);
  const room = /^r\/([A-Za-z]+)\/?$/.exec(rest);
  if (room) {
    const code = room[1]!.toUpperCase();
    const back = /^#replay(?:\/(\d{1,6})(?:\/([0-9a-f]{32}))?)?$/.exec(address.hash);
    if (!back) return { page: "room", code };
    const [, step = 0, match] = back;
    return { page: "room", code, step: Number(step), ...(match && { match }) };
  }
  // A link that was mistyped: whoever has it can put it right.
  const wrong = /^r\/([^/]+)$/.exec(rest);
  if (wrong) return { page: "join", word: wrong[1]!.slice(0, kLongestCode) };
  const [page = "", word] = address.hash.slice(1).split("/");
  const known = kPages.find((each) => each === page) ?? "home";
  return word ? { page: known, word } : { page: known };
}

export const route = signal<Route>(routeOf(new URL(location.href)));

/** The room's code in what somebody has typed or pasted: its link, or letters with anything between. */
export function codeIn(text: string): string {
  const link = /\/r\/([A-Za-z]+)/.exec(text);
  return (link?.[1] ?? text)
    .toUpperCase()
    .replace(/[^A-Z]/g, "")
    .slice(0, kLongestCode);
}

export const roomLink = (code: string) => new URL(`r/${code}`, root).href;
/** For others in the room too: it names the match, since a rematch may have begun by then. */
export const replayLink = (code: string, match: string, step = 0) =>
  `${roomLink(code)}#replay/${step}/${match}`;
export const pageLink = (page: Page, word?: string) =>
  page === "home" ? root.href : `${root.href}#${page}${word ? `/${word}` : ""}`;

let steps = 0;
/** Whether "back" leads to another screen of this page. */
export const cameFromHere = () => steps > 0;

export function go(address: string, replace = false): void {
  if (!replace) ++steps;
  if (replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  route.value = routeOf(new URL(location.href));
  window.scrollTo(0, 0);
}

/** Follows the browser's own back and forward. */
export function followAddress(): void {
  // Else the address of the screen would decide what "./assets" means.
  document.querySelector("base")!.href = root.href;
  const follow = () => (route.value = routeOf(new URL(location.href)));
  window.addEventListener("popstate", follow);
  window.addEventListener("hashchange", follow);
}
