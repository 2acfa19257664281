// Triqueta in sentences: events, the state of play, what is asked.
import type { Animal } from "../../art/art";
import { waitingText } from "../../shell/scene";
import type { Message, Scene, Sound, Translator, Value } from "../../skin";
import { controlsOf } from "./controls";
import {
  countsOf,
  grouped,
  leftInTower,
  tokensText,
  type Action,
  type Event,
  type Mine,
  type View,
} from "./words";

const sum = (boxed: number | { light: number; shadow: number }) =>
  typeof boxed === "number" ? boxed : boxed.light + boxed.shadow;

/**
 * What I have drawn, in the order of the columns: the light tokens are in my hand, the shadow tokens came
 * last to the others. Undefined if they have gone on since.
 */
export function drawnBy({ backs }: Event & { event: "drew" }, mine: Mine): Animal[] | undefined {
  const shadows = backs.filter((back) => back === "shadow").length;
  const light = mine.drawn.flatMap(({ animal }) => animal ?? []);
  const shadow = shadows === 0 ? [] : mine.shadow.slice(-shadows);
  if (light.length + shadow.length !== backs.length) return undefined;
  return backs.map((back) => (back === "shadow" ? shadow.shift()! : light.shift()!));
}

function drawnValues(event: Event & { event: "drew" }, mine: Mine, t: Translator) {
  const drawn = drawnBy(event, mine);
  if (!drawn) return undefined;
  const light = drawn.filter((_, i) => event.backs[i] !== "shadow");
  const shadow = drawn.filter((_, i) => event.backs[i] === "shadow");
  return {
    lights: light.length,
    light: tokensText(t, grouped(light)),
    shadows: shadow.length,
    shadow: tokensText(t, grouped(shadow)),
  };
}

/** The sentence of an event; its values have the names that the messages know. */
export function describe(event: Event, scene: Scene, t: Translator, mine?: Mine): Message {
  const tokens = (animals: readonly Animal[]) => tokensText(t, grouped(animals));
  const who = (seat: number) => (seat === scene.me ? "me" : "other");
  const values: Record<string, Value> = {};
  if ("seat" in event) {
    values.who = who(event.seat);
    values.name = scene.name(event.seat);
  }
  switch (event.event) {
    case "drew": {
      values.count = event.columns.length;
      values.columns = t.list(event.columns.map((column) => t.number(column + 1)));
      const drawn = mine && event.seat === scene.me && drawnValues(event, mine, t);
      if (drawn) return { key: "web.triqueta.drew", values: { ...values, ...drawn } };
      values.shadows = event.backs.filter((back) => back === "shadow").length;
      break;
    }
    case "placed":
      values.row = event.row + 1;
      values.animal = event.animal ? tokens([event.animal]) : "";
      break;
    case "took":
      values.row = event.row + 1;
      if (event.animals.length === 0) return { key: "web.triqueta.took_empty", values };
      values.animals = tokens(event.animals);
      break;
    case "round_over":
      values.round = event.round;
      values.rock = scene.name(event.rock);
      values.has_rock = who(event.rock);
      values.boxed = sum(event.boxed);
      break;
    case "tower":
      values.tower = event.tower + 1;
      values.round = event.round;
      break;
    case "revealed":
      values.light = tokens(event.light);
      values.boxed = event.boxed;
      values.shadow_count = event.shadow.length;
      values.shadow = tokens(event.shadow);
      break;
    case "over":
      values.winner_count = event.winners.length;
      values.winners = t.list(event.winners.map((seat) => scene.name(seat)));
      break;
  }
  return { key: `triqueta.event.${event.event}`, values };
}

/** An act in words, as its seat saw the table before it. */
export function actText(action: Action, view: View, _scene: Scene, t: Translator): string {
  const { table, mine } = view;
  const tokens = (animals: readonly (Animal | undefined)[]) =>
    tokensText(t, grouped(animals.flatMap((animal) => animal ?? [])));
  const values: Record<string, Value> = {};
  if (action.do === "draw") {
    values.columns = t.list(action.columns.map((column) => t.number(column + 1)));
    values.count = action.columns.length;
  }
  if ("row" in action) values.row = action.row + 1;
  if ("tower" in action) values.tower = action.tower + 1;
  if (action.do === "take") {
    const row = table.rows[action.row]?.tokens ?? [];
    values.tokens = row.length > 0 ? tokens(row) : t("web.triqueta.empty");
  }
  if ("token" in action) {
    const drawn = mine?.drawn.find(({ token }) => token === action.token);
    values.tokens = tokens([drawn?.animal]);
  }
  if (action.do === "reveal") {
    values.tokens = tokens((mine?.down ?? []).filter((_, place) => action.keep[place]));
  }
  return t(`screen.triqueta.do.${action.do}`, values);
}

export function sound(event: Event): Sound | undefined {
  const sounds: Partial<Record<Event["event"], Sound>> = {
    drew: "draw",
    placed: "place",
    kept: "place",
    discarded: "place",
    took: "take",
    over: "end",
  };
  return sounds[event.event];
}

export function status({ table }: View, t: Translator): string {
  const { round } = table;
  if (!table.tower) return t("triqueta.round", { round }).replace(/\.$/, "");
  return t("web.triqueta.status", { round, left: leftInTower(table) });
}

export function question(view: View, _scene: Scene, t: Translator): string | undefined {
  const { draw, take, tokens, tower, reveal } = controlsOf(view.legal ?? []);
  if (draw.length > 0) {
    return t("web.triqueta.question.draw", { count: draw[0]!.action.columns.length });
  }
  if (take.size > 0) return t("web.triqueta.question.take");
  if (tokens.size > 0) return t("web.triqueta.question.resolve");
  if (tower.length > 0) return t("web.triqueta.question.tower");
  if (reveal.length > 0) return t("web.triqueta.question.reveal");
  return undefined;
}

/** Which part of the rules is about what is asked now. */
export function rule(view: View): string {
  const { take, tokens, tower, draw } = controlsOf(view.legal ?? []);
  const { phase } = view.table;
  if (tokens.size > 0 || phase === "resolve") return "place";
  if (tower.length > 0 || phase === "tower") return "round";
  if (phase === "reveal") return "duo";
  if (phase === "over") return "end";
  return draw.length === 0 && take.size > 0 ? "take" : "draw";
}

export function waitsFor({ table }: View, t: Translator): string | undefined {
  const { phase, pending } = table;
  if (phase === "over") return undefined;
  const mustTake = phase === "turn" && leftInTower(table) === 0;
  const count = pending?.tokens.length ?? 1;
  return t(`web.triqueta.waits.${mustTake ? "take" : phase}`, { count });
}

/** What a row holds, or who has taken it. */
export function rowText(view: View, row: number, scene: Scene, t: Translator): string {
  const { tokens, taken_by } = view.table.rows[row]!;
  if (taken_by !== undefined) return t("triqueta.row_taken", { name: scene.name(taken_by) });
  return tokens.length === 0 ? t("web.triqueta.empty") : tokensText(t, grouped(tokens));
}

/** What is in front of a player, in words. */
export function playerText(view: View, seat: number, scene: Scene, t: Translator): string {
  const { up, down, shadow, trees } = view.table.seats[seat]!;
  return t("triqueta.player", {
    seat: seat + 1,
    name: scene.name(seat),
    tokens: tokensText(t, countsOf(up)),
    down,
    shadow,
    trees,
    rock: view.table.rock === seat ? "yes" : "no",
  });
}

export function summary(view: View, scene: Scene, t: Translator): string {
  const parts = [status(view, t)];
  const { rows, phase } = view.table;
  const asked = question(view, scene, t);
  if (asked !== undefined) parts.push(asked);
  else if (phase !== "over") parts.push(waitingText(view, scene, t, waitsFor(view, t)));
  rows.forEach((_, row) =>
    parts.push(t("triqueta.row", { row: row + 1, tokens: rowText(view, row, scene, t) })),
  );
  if (scene.me !== undefined) {
    parts.push(playerText(view, scene.me, scene, t));
    const held = (view.mine?.drawn ?? []).flatMap(({ animal }) => animal ?? []);
    if (held.length > 0) parts.push(t("triqueta.held", { tokens: tokensText(t, grouped(held)) }));
  }
  return parts.map((part) => (/[.!?]$/.test(part) ? part : `${part}.`)).join(" ");
}

/** For the list of players, to be heard: the same as Badge shows. */
export function badge(view: View, seat: number, t: Translator): string | undefined {
  const player = view.table.seats[seat];
  if (!player) return undefined;
  const { down, shadow, trees, row } = player;
  return t("web.triqueta.badge", {
    out: row === undefined ? "no" : "yes",
    down,
    shadow,
    trees,
    rock: view.table.rock === seat ? "yes" : "no",
  });
}
