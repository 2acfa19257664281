// The skin of Triangle Mayhem.
import { firstSeat } from "../../board/first_seat";
import type { Skin, Variant } from "../../skin";
import { explainCard } from "../../triangles/pieces";
import { Board } from "./board";
import { flightsOf } from "./flight";
import { Badge, best, Collection, Panel, Points, Rules, ScoreSheet } from "./pages";
import {
  actText,
  badge,
  describe,
  question,
  questionKind,
  rule,
  status,
  summary,
  waitsFor,
  type Mayhem,
} from "./words";

const variant = (claims: "checked" | "unchecked"): Variant<Mayhem> => ({
  key: `web.mayhem.variant.${claims}`,
  options: { claims },
  seats: [2, 8],
});

export const skin: Skin<Mayhem> = {
  title: "mayhem.title",
  variants: [variant("checked"), variant("unchecked")],
  choices: [
    {
      option: "window_ms",
      key: "web.mayhem.window",
      values: [3000, 0, 5000, 10_000],
      kids: 10_000,
      label: (value, t) => t("web.mayhem.window_value", { seconds: Number(value) / 1000 }),
    },
    firstSeat,
  ],
  Board,
  describe,
  actText,
  status,
  question,
  questionKind,
  waitsFor,
  summary,
  explain: (word, t) => {
    const key = `web.mayhem.is.${word}`;
    return explainCard(word, t) ?? (t.has(key) ? t(key) : undefined);
  },
  ScoreSheet,
  best,
  Points,
  result: ({ table }) =>
    table.winners && {
      totals: table.seats.map(({ sheet }) => sheet?.points ?? 0),
      winners: table.winners,
    },
  Rules,
  rule,
  badge,
  flights: flightsOf,
  Badge,
  Panel,
  Collection,
  sound: ({ event }) =>
    (({ play: "lay", triangle: "sweep", draw: "deal", over: "end" }) as const)[event as "play"],
  // In a window there is no time for second thoughts.
  isDelayed: ({ do: word }, { legal = [] }) =>
    word === "play" && !legal.some(({ action }) => action.do === "lapse"),
  // Everybody fills the hand at the end of a turn, and the triangle tells what completed it.
  isMinor: (event, account) =>
    event.event === "draw" ||
    event.event === "window_open" ||
    (event.event === "play" &&
      event.how === "complete" &&
      account.some(
        (other) =>
          other.event === "triangle" &&
          other.seat === event.seat &&
          other.triangle === event.triangle,
      )),
  shortcuts: (t) => [
    { keys: "1-3", does: t("web.mayhem.keys.play") },
    { keys: t("web.mayhem.keys.place_key"), does: t("web.mayhem.keys.place") },
    { keys: "0", does: t("web.mayhem.keys.end") },
    { keys: t("web.keys.commit_key"), does: t("web.keys.commit") },
  ],
};
