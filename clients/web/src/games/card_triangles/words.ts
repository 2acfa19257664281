// The words of 21/15/9-Card Triangles' wire, and how they are said. What may be done stands in the
// view's legal acts; the one rule known here is what a warning needs.
import type { Action, Event, Mine, Options, Table } from "../../protocol/games/card_triangles.gen";
import type { GameView, GameWords, LegalAct, Message, Scene, Translator, Value } from "../../skin";
import { cardsText, cardText, codeOf, isPiece, kCuts, type Card } from "../../triangles/pieces";

export interface CardTriangles extends GameWords {
  Options: Options;
  Action: Action;
  Event: Event;
  Table: Table;
  Mine: Mine;
}
export type View = GameView<CardTriangles>;
export type Legal = LegalAct<Action>;
export type { Action, Event, Mine, Options };
export type Kind<K extends Action["do"]> = Extract<Action, { do: K }>;
export type Complete = Kind<"complete">;
export type Joker = Kind<"joker">;
export type From = Complete["pieces"][number]["from"];

/** Every copy of a card in one place is as good as the other. */
export const spotOf = (card: Card, from: From): string => `${from}-${codeOf(card)}`;

/** The acts of one kind. */
export const actsOf = <K extends Action["do"]>(legal: readonly Legal[], kind: K): Kind<K>[] =>
  legal.flatMap(({ action }) => (action.do === kind ? [action as Kind<K>] : []));

export const spotsOf = ({ pieces }: Complete): string[] =>
  pieces.map(({ card, from }) => spotOf(card, from));

export const isPure = ({ pieces }: Complete): boolean =>
  pieces.every(({ card }) => card.color === pieces[0]!.card.color);

/** What completing puts on the discard pile. */
export function discardsOf({ pieces, save }: Complete): Card[] {
  const kept = save.map(codeOf);
  return pieces.flatMap(({ card, from }) =>
    from === "hand" && !kept.includes(codeOf(card)) ? [card] : [],
  );
}

/** Whether a seat with so many cards and these saved pieces is out at the end of a turn (C36). */
export function isDeadEnd(cards: number, saved: readonly Card[]): boolean {
  const numbers = (cut: string) =>
    new Set(saved.flatMap((each) => (each.cut === cut ? [each.number] : []))).size;
  if (cards === 2) return saved.length === 0;
  return cards === 1 && kCuts.every((cut) => numbers(cut) <= 1);
}

/** Whether my turn, ended after this act, would put me out; a joker that may follow could help. */
export function leadsToDeadEnd(view: View, action: Action): boolean {
  if (view.seat === undefined) return false;
  const { hand, saved } = view.table.seats[view.seat]!;
  switch (action.do) {
    case "complete": {
      const used = action.pieces.filter(({ from }) => from === "hand").length;
      return isDeadEnd(hand - used, [...saved, ...action.save]);
    }
    case "joker":
      return isDeadEnd(hand - 1 + (action.steal ? 1 : 0), saved);
    case "end":
      return isDeadEnd(hand, saved);
    default:
      return false;
  }
}

/** Identical cards as one, with how many there are; in the order in which they come. */
export function stacked<C extends Card>(cards: readonly C[]): { card: C; count: number }[] {
  const stacks = new Map<string, { card: C; count: number }>();
  for (const card of cards) {
    const stack = stacks.get(codeOf(card)) ?? { card, count: 0 };
    ++stack.count;
    stacks.set(codeOf(card), stack);
  }
  return [...stacks.values()];
}

/** Saved pieces put together to triangles, as far as they go: cut by cut, each number once. */
export function triangles(saved: readonly Card[]): Card[][] {
  return kCuts.flatMap((cut) => {
    const made: Card[][] = [];
    for (const card of saved.filter((each) => each.cut === cut)) {
      const open = made.find((each) => each.every(({ number }) => number !== card.number));
      if (open) open.push(card);
      else made.push([card]);
    }
    return made;
  });
}

const listText = (t: Translator, cards: readonly Card[]) =>
  cards.length === 0 ? t("card_triangles.none") : cardsText(t, cards);

const jokerText = (t: Translator, { cut, color }: Card) =>
  t("web.card_triangles.joker_name", { cut: t(`deck.cut.${cut}`), color });

export function describe(
  event: Event,
  scene: Scene,
  t: Translator,
  mine?: Mine,
): Message | undefined {
  const who = (seat: number) => (seat === scene.me ? "me" : "other");
  const values: Record<string, Value> = {};
  if ("seat" in event) {
    values.who = who(event.seat);
    values.name = scene.name(event.seat);
  }
  switch (event.event) {
    // What the next one does says that a turn has ended and another begun.
    case "ended":
    case "turn":
      return undefined;
    case "drew": {
      values.from = event.from;
      const card = event.card ?? (event.seat === scene.me ? mine?.drawn : undefined);
      values.card = card ? cardText(t, card) : "none";
      break;
    }
    case "discarded":
      values.card = event.card ? cardText(t, event.card) : "";
      break;
    case "joker":
      values.card = event.card ? jokerText(t, event.card) : "";
      break;
    case "stole":
      values.card = event.card ? cardText(t, event.card) : "";
      values.whom = who(event.victim);
      values.victim = scene.name(event.victim);
      break;
    case "completed":
      values.pure = event.pure ? "yes" : "no";
      values.pieces = cardsText(
        t,
        event.pieces.flatMap(({ card }) => card ?? []),
      );
      values.saved = listText(t, event.saved);
      values.discards = event.discarded.length;
      values.discarded = listText(t, event.discarded);
      break;
    case "dead_end":
      values.hand = listText(t, event.hand);
      values.saved = listText(t, event.saved);
      break;
    case "reshuffled":
      values.count = event.count;
      break;
    case "over":
      values.reason = event.reason;
      values.winners = t.list(event.winners.map((seat) => scene.name(seat)));
      break;
  }
  return { key: `card_triangles.event.${event.event}`, values };
}

/** An act in words, as its seat saw the table before it. */
export function actText(action: Action, view: View, scene: Scene, t: Translator): string {
  const values: Record<string, Value> = {};
  switch (action.do) {
    case "draw":
      values.from = action.from;
      values.card = view.table.top ? cardText(t, view.table.top) : "";
      break;
    case "complete": {
      const discarded = discardsOf(action);
      values.pieces = cardsText(
        t,
        action.pieces.map(({ card }) => card),
      );
      values.pure = isPure(action) ? "yes" : "no";
      values.saved = listText(t, action.save);
      values.count = discarded.length;
      values.discarded = listText(t, discarded);
      break;
    }
    case "joker":
      values.steals = action.steal ? "yes" : "no";
      values.card = action.steal ? cardText(t, action.steal.card) : "";
      values.victim = action.steal ? scene.name(action.steal.seat) : "";
      break;
    case "end":
      values.calls = action.last_round ? "yes" : "no";
      break;
  }
  const key = `card_triangles.act.${action.do}`;
  const what = t.has(key) ? t(key, values) : "none";
  const card = action.do === "joker" || action.do === "discard" ? cardText(t, action.card) : "";
  return t(`screen.card_triangles.do.${action.do}`, { card, what });
}

export const status = ({ table }: View, t: Translator): string =>
  t("web.card_triangles.status", {
    pile: table.pile,
    last: table.caller === undefined ? "no" : "yes",
  });

/** Whether I have my one rich turn in somebody else's last round. */
export const isGuest = ({ table, seat }: View): boolean =>
  table.caller !== undefined && table.caller !== seat;

export function question(view: View, _scene: Scene, t: Translator): string | undefined {
  const kinds = new Set((view.legal ?? []).map(({ action }) => action.do));
  if (kinds.size === 0) return undefined;
  const drawn = view.mine?.drawn;
  if (kinds.has("discard")) {
    return t("web.card_triangles.question.discard", { card: drawn ? cardText(t, drawn) : "" });
  }
  if (isGuest(view)) return t("web.card_triangles.question.guest");
  if (kinds.has("joker")) return t("web.card_triangles.question.joker");
  if (kinds.has("end")) return t("web.card_triangles.question.end");
  return kinds.has("complete")
    ? t("web.card_triangles.question.either")
    : t("web.card_triangles.question.draw");
}

/** Which part of the rules is about what is asked now. */
export function rule(view: View): string {
  const kinds = new Set((view.legal ?? []).map(({ action }) => action.do));
  const { caller, seats } = view.table;
  const mine = view.seat === undefined ? undefined : seats[view.seat];
  if (mine && !mine.out && isDeadEnd(mine.hand, mine.saved)) return "dead";
  if (kinds.has("joker")) return "joker";
  if (caller !== undefined) return "last";
  if (kinds.has("complete")) return "save";
  const mayCall = (view.legal ?? []).some(({ action }) => action.do === "end" && action.last_round);
  return mayCall ? "last" : "turn";
}

export function waitsFor({ table }: View, t: Translator): string {
  const { phase, drew, completed, caller, turn } = table;
  if (phase === "discard") return t("web.card_triangles.waits.discard");
  if (caller !== undefined && caller !== turn) return t("web.card_triangles.waits.guest");
  return t(`web.card_triangles.waits.${drew || completed.length > 0 ? "joker" : "turn"}`);
}

export function calledText(view: View, scene: Scene, t: Translator): string | undefined {
  const { caller } = view.table;
  if (caller === undefined) return undefined;
  return t("card_triangles.last_round", {
    who: caller === scene.me ? "me" : "other",
    name: scene.name(caller),
  });
}

/** What a player holds and has saved, in words. */
export function playerText(view: View, seat: number, scene: Scene, t: Translator): string {
  const { hand, saved, out } = view.table.seats[seat]!;
  return t("card_triangles.player", {
    seat: seat + 1,
    name: scene.name(seat),
    state: out ? "out" : view.table.turn === seat ? "turn" : "waits",
    cards: hand,
    saved: listText(t, saved),
  });
}

export const pilesText = ({ table }: View, t: Translator): string =>
  t("card_triangles.piles", {
    pile: table.pile,
    discards: table.discards,
    top: table.top ? cardText(t, table.top) : "",
  });

export function summary(view: View, scene: Scene, t: Translator): string {
  const parts = [
    calledText(view, scene, t) ?? "",
    question(view, scene, t) ?? "",
    pilesText(view, t),
    ...view.table.seats.map((_, seat) => playerText(view, seat, scene, t)),
  ];
  if (view.mine) {
    parts.push(
      `${t("card_triangles.hand", { cards: view.mine.hand.length })} ${listText(t, view.mine.hand)}`,
    );
  }
  return parts
    .filter(Boolean)
    .map((part) => (/[.!?]$/.test(part) ? part : `${part}.`))
    .join(" ");
}

export function badge(view: View, seat: number, t: Translator): string | undefined {
  const player = view.table.seats[seat];
  return (
    player &&
    t("web.card_triangles.badge", {
      out: player.out ? "yes" : "no",
      cards: player.hand,
      saved: player.saved.length,
      caller: view.table.caller === seat ? "yes" : "no",
    })
  );
}

/** The pieces of a hand, cut by cut, and then the jokers: the order in which triangles are seen. */
export function sortedHand(hand: readonly Card[]): { name: string; cards: Card[] }[] {
  const groups = kCuts.map((cut) => ({
    name: `deck.cut.${cut}`,
    cards: hand.filter((card) => isPiece(card) && card.cut === cut),
  }));
  const jokers = {
    name: "web.card_triangles.jokers",
    cards: hand.filter((card) => !isPiece(card)),
  };
  return [...groups, jokers].filter(({ cards }) => cards.length > 0);
}
