// The skin of 21/15/9-Card Triangles.
import { firstSeat } from "../../board/first_seat";
import type { Skin, Variant } from "../../skin";
import { explainCard } from "../../triangles/pieces";
import { Board } from "./board";
import { flightsOf } from "./flight";
import { Badge, best, Collection, decided, ranking, Rules, ScoreSheet } from "./pages";
import {
  actText,
  badge,
  describe,
  question,
  rule,
  status,
  summary,
  waitsFor,
  type CardTriangles,
} from "./words";

const variant = (
  name: "usual" | "free",
  options: CardTriangles["Options"],
): Variant<CardTriangles> => ({
  key: `web.card_triangles.variant.${name}`,
  options,
  seats: [2, 6],
});

export const skin: Skin<CardTriangles> = {
  title: "card_triangles.title",
  variants: [variant("usual", {}), variant("free", { call: "free" })],
  choices: [
    {
      option: "caller_multi",
      key: "web.card_triangles.finale",
      values: [false, true],
      label: (value, t) => t("web.card_triangles.finale_value", { many: value ? "yes" : "no" }),
    },
    firstSeat,
  ],
  Board,
  describe,
  actText,
  status,
  question,
  waitsFor,
  summary,
  explain: (word, t) => {
    const key = `web.card_triangles.is.${word}`;
    return explainCard(word, t) ?? (t.has(key) ? t(key) : undefined);
  },
  ScoreSheet,
  best,
  decided,
  ranking,
  // There are no points: somebody wins, or nobody.
  result: ({ table }) => table.winners && { totals: [], winners: table.winners },
  Rules,
  rule,
  badge,
  flights: flightsOf,
  Badge,
  Collection,
  sound: ({ event }) =>
    (
      ({
        drew: "deal",
        discarded: "lay",
        completed: "sweep",
        joker: "sweep",
        last_round: "tick",
        over: "end",
      }) as const
    )[event as "drew"],
  // All else has two steps, or takes nothing that one would want back.
  isDelayed: ({ do: word }) => word === "discard",
  follows: ({ legal = [] }) => {
    const [only] = legal.map(({ action }) => action);
    return legal.length === 1 && only?.do === "end" ? only : undefined;
  },
  isMilestone: ({ event }) => event === "last_round" || event === "dead_end",
  // Whoever discards has drawn from the pile.
  isMinor: (event, account) =>
    event.event === "drew" &&
    event.from === "pile" &&
    account.some((other) => other.event === "discarded" && other.seat === event.seat),
  shortcuts: (t) => [
    { keys: "0", does: t("web.card_triangles.keys.draw") },
    { keys: "9", does: t("web.card_triangles.keys.discards") },
    { keys: `8 ${t("web.card_triangles.keys.next_key")}`, does: t("web.card_triangles.keys.next") },
    { keys: "7", does: t("web.card_triangles.keys.call") },
    { keys: "1-9", does: t("web.card_triangles.keys.way") },
    { keys: t("web.keys.arrows_key"), does: t("web.card_triangles.keys.arrows") },
    { keys: t("web.keys.commit_key"), does: t("web.keys.commit") },
  ],
};
