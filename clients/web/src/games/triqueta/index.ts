// The skin of Triqueta and of Hidden Wolves.
import { kAnimals, kValues } from "../../art/art";
import { firstSeat } from "../../board/first_seat";
import type { Skin } from "../../skin";
import { Board } from "./board";
import { Badge, Collection, Panel } from "./collection";
import {
  actText,
  badge,
  describe,
  question,
  rule,
  sound,
  status,
  summary,
  waitsFor,
} from "./describe";
import { flightsOf } from "./flight";
import { Rules } from "./rules";
import { best, decided, Points, ScoreSheet } from "./score";
import { animalName, type Triqueta } from "./words";

const variant = (name: "base" | "wolves" | "duo", seats: [fewest: number, most: number]) => ({
  key: `web.triqueta.variant.${name}`,
  options: { variant: name },
  seats,
});

export const skin: Skin<Triqueta> = {
  title: "triqueta.title",
  variants: [variant("base", [2, 5]), variant("wolves", [3, 5]), variant("duo", [2, 2])],
  choices: [firstSeat],
  Board,
  describe,
  actText,
  status,
  question,
  waitsFor,
  summary,
  explain: (word, t) => {
    const animal = kAnimals.find((each) => each === word);
    if (animal) {
      return t("web.triqueta.is.animal", { animal: animalName(t, animal), value: kValues[animal] });
    }
    const key = `web.triqueta.is.${word}`;
    return t.has(key) ? t(key) : undefined;
  },
  ScoreSheet,
  best,
  decided,
  Points,
  result: ({ table }) =>
    table.scores && {
      totals: table.scores.map(({ total }) => total),
      winners: table.winners ?? [],
    },
  Rules,
  rule,
  badge,
  flights: flightsOf,
  Badge,
  Panel,
  Collection,
  sound,
  // A draw is followed by a choice anyway, and taking is asked for again.
  isDelayed: (action) => action.do !== "draw" && action.do !== "take",
  isMilestone: ({ event }) => event === "round_over",
  // Where a token went tells that it was drawn; a shadow token stays where it is.
  isMinor: (event, account) =>
    event.event === "drew" &&
    !event.backs.includes("shadow") &&
    account
      .slice(account.indexOf(event))
      .some(
        (other) =>
          ["placed", "kept", "discarded"].includes(other.event) &&
          "seat" in other &&
          other.seat === event.seat,
      ),
  shortcuts: (t) => [
    { keys: `0 ${t("web.triqueta.keys.draw_key")}`, does: t("web.triqueta.keys.draw") },
    { keys: "1-5", does: t("web.triqueta.keys.row") },
    { keys: `9 ${t("web.triqueta.keys.keep_key")}`, does: t("web.triqueta.keys.keep") },
    { keys: `8 ${t("web.triqueta.keys.discard_key")}`, does: t("web.triqueta.keys.discard") },
    { keys: t("web.triqueta.keys.column_key"), does: t("web.triqueta.keys.column") },
    { keys: "7", does: t("web.triqueta.keys.other") },
    { keys: t("web.keys.commit_key"), does: t("web.keys.commit") },
    { keys: t("web.keys.arrows_key"), does: t("web.triqueta.keys.arrows") },
  ],
};
