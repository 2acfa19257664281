// The banner tells everybody else who is waited for, and what for, out of what everybody sees.
// @vitest-environment happy-dom
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { skin as cardTriangles } from "../../src/games/card_triangles/index";
import { skin as mayhem } from "../../src/games/mayhem/index";
import { skin as triqueta } from "../../src/games/triqueta/index";
import { translator, type Messages } from "../../src/i18n";
import type { RoomFrame, ViewFrame } from "../../src/protocol/wire.gen";
import { sceneOf, waitingText } from "../../src/shell/scene";
import type { AnySkin } from "../../src/skin";

const read = (file: string): unknown =>
  JSON.parse(readFileSync(path.resolve(import.meta.dirname, file), "utf8"));
const skins: Record<string, AnySkin> = { triqueta, mayhem, card_triangles: cardTriangles };
const tables = Object.keys(skins).flatMap(
  (game) =>
    read(`../fixtures/${game}.json`) as { name: string; room: RoomFrame; view: ViewFrame }[],
);

/** What somebody reads who watches this table. */
function banner(name: string, language: "en" | "de" | "fr"): string {
  const { room, view } = tables.find((each) => each.name === name)!;
  const t = translator(read(`../../../../i18n/${language}.json`) as Messages, language);
  const what = skins[room.game]!.waitsFor!(view as never, t);
  return waitingText(view, sceneOf(room, undefined, t), t, what);
}

test.each([
  ["wolves_turn", "Waiting for Ada to draw or take a row"],
  ["wolves_last_tower", "Waiting for Ada to draw or take a row"],
  ["wolves_resolve", "Waiting for Zoé to decide where the token goes"],
  ["duo_two", "Waiting for Karl to decide where the tokens go"],
  ["wolves_tower", "Waiting for Zoé to choose the next tower"],
  ["wolves_answered", "Waiting for Karl and Zoé to decide which hidden tokens count"],
  ["base_answered", "Waiting for 4 players to decide which hidden tokens count"],
  ["checked_start", "Waiting for Ada to play a card"],
  ["checked_more", "Waiting for Karl to play on or end the turn"],
  // Whose window it is holds nobody up.
  ["checked_fast", "Waiting for Karl to play a card"],
  ["three_turn", "Waiting for Karl to draw or complete a triangle"],
  ["three_discard", "Waiting for Zoé to discard a card"],
  ["three_joker", "Waiting for Karl to play a joker or end the turn"],
  ["three_guest", "Waiting for Zoé to play all they can in the last round"],
  ["three_over", "One moment\u00a0…"],
])("%s: %s", (name, text) => expect(banner(name, "en")).toBe(text));

test("who has to take a row is not said to draw", () => {
  const { view } = structuredClone(tables.find(({ name }) => name === "wolves_turn")!);
  const t = translator({ "web.triqueta.waits.take": "take a row" }, "en");
  const tower = (view.table as { tower: { light: number[]; shadow: number[] } }).tower;
  tower.light = tower.light.map(() => 0);
  tower.shadow = tower.shadow.map(() => 0);
  expect(triqueta.waitsFor!(view as never, t)).toBe("take a row");
});

test.each([
  ["wolves_turn", "Warten auf Ada: ziehen oder eine Reihe nehmen"],
  ["wolves_answered", "Warten auf Karl und Zoé: Welche versteckten Plättchen zählen?"],
  ["checked_more", "Warten auf Karl: weiterspielen oder den Zug beenden"],
  ["three_discard", "Warten auf Zoé: eine Karte abwerfen"],
])("%s: %s", (name, text) => expect(banner(name, "de")).toBe(text));

test.each([
  ["wolves_turn", "C’est à Ada de piocher ou de prendre une rangée"],
  ["duo_two", "C’est à Karl de décider où vont les jetons"],
  ["checked_more", "C’est à Karl de continuer ou de terminer son tour"],
  ["three_turn", "C’est à Karl de piocher ou de compléter un triangle"],
])("%s: %s", (name, text) => expect(banner(name, "fr")).toBe(text));
