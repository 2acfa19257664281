// The words of Triangle Mayhem's wire, and how they are said. Nothing here knows a rule.
import type { Action, Event, Mine, Options, Table } from "../../protocol/games/mayhem.gen";
import { waitingText } from "../../shell/scene";
import type { GameView, GameWords, LegalAct, Message, Scene, Translator, Value } from "../../skin";
import { cardsText, cardText, isSameCard, type Piece } from "../../triangles/pieces";

export interface Mayhem extends GameWords {
  Options: Options;
  Action: Action;
  Event: Event;
  Table: Table;
  Mine: Mine;
}
export type View = GameView<Mayhem>;
export type Legal = LegalAct<Action>;
export type { Action, Event, Mine, Options };
export type Play = Legal & { action: Extract<Action, { do: "play" }> };

/** The ways in which a card may be played now. */
export const playsOf = (legal: readonly Legal[], card: Piece): Play[] =>
  legal.filter(
    (each): each is Play => each.action.do === "play" && isSameCard(each.action.card, card),
  );

export function describe(
  event: Event,
  scene: Scene,
  t: Translator,
  mine?: Mine,
): Message | undefined {
  const values: Record<string, Value> = {};
  if ("seat" in event) {
    values.who = event.seat === scene.me ? "me" : "other";
    values.name = scene.name(event.seat);
  }
  switch (event.event) {
    case "play":
      values.card = event.card ? cardText(t, event.card) : "";
      values.fast = event.fast ? "yes" : "no";
      values.how = event.how;
      values.triangle = event.triangle;
      break;
    case "triangle":
      values.cards = cardsText(t, event.cards);
      values.points = event.points ?? 0;
      values.pure = event.pure ? "yes" : "no";
      break;
    case "draw":
      values.cards =
        event.seat === scene.me && mine?.drew?.length ? cardsText(t, mine.drew) : "none";
      values.count = event.count;
      break;
    case "over":
      values.winners = t.list(event.winners.map((seat) => scene.name(seat)));
      values.winner_count = event.winners.length;
      break;
    case "window_open":
      // Mine is what I am asked.
      if (event.seat === scene.me) return undefined;
      break;
    case "skip":
      break;
    default:
      return undefined;
  }
  return { key: `mayhem.event.${event.event}`, values };
}

/** An act in words, as its seat saw the table before it. */
export function actText(action: Action, view: View, _scene: Scene, t: Translator): string {
  const key = `screen.mayhem.do.${action.do}`;
  if (action.do !== "play") return t(key);
  const { card, onto } = action;
  const cards = view.table.triangles.find(({ id }) => id === onto)?.cards ?? [];
  const kind = onto === undefined ? "start" : cards.length === 2 ? "complete" : "extend";
  const what = t(`mayhem.act.${kind}`, {
    cards: cardsText(t, cards),
    pure: cards.every(({ color }) => color === card.color) ? "yes" : "no",
  });
  return t(key, { card: cardText(t, card), onto: onto ?? 0, what });
}

export const status = ({ table }: View, t: Translator): string =>
  t("web.mayhem.status", { pile: table.pile });

const kindsOf = ({ legal = [] }: View) => new Set(legal.map(({ action }) => action.do));

/** Whose time runs beside it is no part of it. */
export const questionKind = (view: View): string => [...kindsOf(view)].sort().join(" ");

export function question(view: View, scene: Scene, t: Translator): string | undefined {
  const kinds = kindsOf(view);
  if (kinds.has("lapse")) return t("web.mayhem.question.fast");
  if (kinds.has("play") && kinds.has("end")) return t("web.mayhem.question.more");
  if (kinds.has("play")) {
    const { window } = view.table;
    if (!window || window.seat === scene.me) return t("web.mayhem.question.play");
    return t("web.mayhem.question.play_ends", { name: scene.name(window.seat) });
  }
  return kinds.has("end") ? t("web.mayhem.end") : undefined;
}

/** Which part of the rules is about what is asked now. */
export function rule({ table, legal = [] }: View): string {
  if (table.winners) return "end";
  return table.window || legal.some(({ action }) => action.do === "lapse") ? "fast" : "turn";
}

export const waitsFor = ({ table }: View, t: Translator): string =>
  t(`web.mayhem.waits.${table.played === 0 ? "play" : "more"}`);

export function summary(view: View, scene: Scene, t: Translator): string {
  const waiting = view.table.winners ? "" : waitingText(view, scene, t, waitsFor(view, t));
  const open = view.table.triangles
    .map(({ id, cards }) => t("web.mayhem.triangle", { triangle: id, cards: cardsText(t, cards) }))
    .join("; ");
  const parts = [
    status(view, t),
    question(view, scene, t) ?? waiting,
    open ? t("web.mayhem.open", { tokens: open }) : t("web.mayhem.none_open"),
  ];
  if (view.mine) parts.push(t("web.mayhem.hand", { cards: cardsText(t, view.mine.hand) }));
  return parts
    .filter(Boolean)
    .map((part) => (/[.!?]$/.test(part) ? part : `${part}.`))
    .join(" ");
}

export function badge(view: View, seat: number, t: Translator): string | undefined {
  const player = view.table.seats[seat];
  if (!player) return undefined;
  const { triangles, cards, sheet } = player;
  return t("web.mayhem.badge", { triangles, cards, points: sheet ? String(sheet.points) : "none" });
}
