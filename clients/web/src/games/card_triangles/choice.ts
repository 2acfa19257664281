// What I have begun and not yet done: cards that I have tapped, a joker, an act to be confirmed. It
// belongs to one state of the table. The legal acts decide which cards can be tapped.
import { useMemo, useState } from "preact/hooks";
import type { BoardProps, Settings } from "../../skin";
import { isPiece, type Card } from "../../triangles/pieces";
import {
  actsOf,
  isPure,
  leadsToDeadEnd,
  spotOf,
  spotsOf,
  type Action,
  type CardTriangles,
  type Complete,
  type From,
  type View,
} from "./words";

interface Begun {
  rev: number;
  /** Cards tapped: pieces of a triangle, or what is to be discarded. */
  spots: string[];
  /** The joker whose dialog is open. */
  joker?: Card;
  /** To be confirmed in the bar. */
  act?: Action;
  /** Why the card that was tapped last can do nothing now, until the next tap. */
  why?: string;
}

/** Why this card can do nothing now; what is wanted of me may be on its way, then nothing is said. */
function whyNot(
  props: BoardProps<CardTriangles>,
  card: Card,
  from: From,
  isBegun: boolean,
): string {
  const { legal, view, me, name, t } = props;
  const { turn } = view.table;
  if (legal.length === 0) {
    return turn === undefined || turn === me
      ? ""
      : t("web.card_triangles.why_not.turn", { name: name(turn) });
  }
  if (actsOf(legal, "discard").length > 0) return t("web.card_triangles.why_not.saved");
  // C30: nobody empties their hand before somebody has called.
  if (from === "hand" && view.mine?.hand.length === 1 && view.table.caller === undefined) {
    return t("web.card_triangles.why_not.last");
  }
  if (!isPiece(card)) return t("web.card_triangles.why_not.joker");
  return t(`web.card_triangles.why_not.${isBegun ? "others" : "piece"}`);
}

/** Whether the settings want this act to be asked for again; those of two steps never are. */
function isAskedAgain(action: Action, { confirm }: Settings, view: View): boolean {
  if (confirm === "never") return false;
  const isBig = (action.do === "end" && action.last_round) || leadsToDeadEnd(view, action);
  return isBig || (confirm === "always" && (action.do === "draw" || action.do === "end"));
}

/** The triangles that hold all the cards tapped, each with the ways to save. */
function waysWith(completes: readonly Complete[], spots: readonly string[]): Complete[][] {
  const ways = new Map<string, Complete[]>();
  for (const each of completes) {
    const own = spotsOf(each);
    if (!spots.every((spot) => own.includes(spot))) continue;
    ways.set(own.join(), [...(ways.get(own.join()) ?? []), each]);
  }
  return [...ways.values()];
}

/** The best to look at first: pure ones, then those that take most from the hand. */
const rank = ([way]: Complete[]) =>
  (isPure(way!) ? 10 : 0) + way!.pieces.filter(({ from }) => from === "hand").length;

export function useChoice(props: BoardProps<CardTriangles>) {
  const { view, legal, settings, act } = props;
  const [kept, setBegun] = useState<Begun>({ rev: -1, spots: [] });
  const none: Begun = { rev: view.rev, spots: [] };
  const begun = kept.rev === view.rev ? kept : none;
  const offers = useMemo(
    () => ({
      draws: actsOf(legal, "draw"),
      discards: actsOf(legal, "discard"),
      completes: actsOf(legal, "complete"),
      jokers: actsOf(legal, "joker"),
      ends: actsOf(legal, "end"),
    }),
    [legal],
  );
  const ways = waysWith(offers.completes, begun.spots);
  const all = useMemo(
    () => waysWith(offers.completes, []).sort((a, b) => rank(b) - rank(a)),
    [offers],
  );
  /** With cards tapped that only one triangle has: its ways to save, one of which completes it. */
  const whole = begun.spots.length > 0 && ways.length === 1 ? ways[0] : undefined;
  const toDiscard = offers.discards.find(({ card }) => begun.spots[0] === spotOf(card, "hand"));
  const open = useMemo(
    () => new Set(ways.flatMap((each) => spotsOf(each[0]!))),
    [offers, kept, view.rev],
  );
  const jokerActs = (card: Card) =>
    offers.jokers.filter((each) => each.card.cut === card.cut && each.card.color === card.color);

  const commit = (action: Action) => {
    setBegun(none);
    act(action);
  };
  const pick = (action: Action | undefined) => {
    if (!action) return;
    if (isAskedAgain(action, settings, view))
      setBegun({ rev: view.rev, spots: begun.spots, act: action });
    else commit(action);
  };
  const canTap = (card: Card, from: From): boolean => {
    if (from === "hand" && offers.discards.length > 0) return true;
    if (!isPiece(card)) return from === "hand" && jokerActs(card).length > 0;
    return open.has(spotOf(card, from)) || begun.spots.includes(spotOf(card, from));
  };
  const tap = (card: Card, from: From) => {
    if (!canTap(card, from)) {
      const why = whyNot(props, card, from, begun.spots.length > 0);
      setBegun({ ...begun, why });
      props.announce(why);
      return;
    }
    const spot = spotOf(card, from);
    if (offers.discards.length > 0) {
      const discard = offers.discards.find((each) => spotOf(each.card, "hand") === spot);
      if (settings.confirm === "never") pick(discard);
      else setBegun({ rev: view.rev, spots: begun.spots.includes(spot) ? [] : [spot] });
    } else if (!isPiece(card)) {
      setBegun({ ...none, joker: card });
    } else {
      const spots = begun.spots.includes(spot)
        ? begun.spots.filter((each) => each !== spot)
        : [...begun.spots, spot];
      setBegun({ rev: view.rev, spots });
    }
  };
  return {
    ...offers,
    begun,
    /** How many triangles can be completed. */
    count: all.length,
    whole,
    toDiscard,
    canTap,
    isTapped: (card: Card, from: From) =>
      begun.spots.includes(spotOf(card, from)) ||
      (whole !== undefined && spotsOf(whole[0]!).includes(spotOf(card, from))),
    tap,
    /** One triangle after the other, the best first. */
    next: () => {
      const at = whole ? all.findIndex((each) => each[0] === whole[0]) : -1;
      const way = all[(at + 1) % all.length];
      if (way) setBegun({ rev: view.rev, spots: spotsOf(way[0]!) });
    },
    jokerActs,
    draw: (from: "pile" | "discard") => pick(offers.draws.find((each) => each.from === from)),
    end: (last: boolean) => pick(offers.ends.find((each) => each.last_round === last)),
    pick,
    commit,
    cancel: () => setBegun(none),
    isBegun: begun.spots.length > 0 || begun.act !== undefined,
    /** For data-act: the word of an act that one tap sends; none if it asks for more first. */
    sends: (action: Action | undefined) =>
      action && !isAskedAgain(action, settings, view) ? action.do : undefined,
  };
}

export type Choice = ReturnType<typeof useChoice>;

/** What each part of the board gets. */
export type Part = BoardProps<CardTriangles> & { choice: Choice };
