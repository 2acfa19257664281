// The table of 21/15/9-Card Triangles: piles, what everybody has saved, my cards, and a bar for what I
// am about to do. Tapping pieces builds a triangle; tapping a pile draws; a joker opens a dialog.
import { useCarry } from "../../board/carry";
import { useFlights } from "../../board/flight";
import { useFocus } from "../../board/focus";
import { KeyHint } from "../../board/key_hint";
import { confirmKey, digitOf, useKeys } from "../../board/keys";
import { focusNext } from "../../board/roving";
import { By } from "../../shell/parts";
import type { BoardProps, Translator } from "../../skin";
import { cardText, isSameCard, type Card } from "../../triangles/pieces";
import { CardBack, CardFace, Triangle } from "../../triangles/triangle";
import { Bar } from "./bar";
import { useChoice, type Choice, type Part } from "./choice";
import { flightsOf } from "./flight";
import { JokerSheet } from "./joker";
import {
  calledText,
  playerText,
  sortedHand,
  spotOf,
  stacked,
  triangles,
  type CardTriangles,
  type From,
  type View,
} from "./words";
import "./card_triangles.css";

function keyOf(
  event: KeyboardEvent,
  board: HTMLElement | null,
  choice: Choice,
  letter: (key: string) => string | false,
  digits: boolean,
): (() => void) | undefined {
  const digit = digits ? digitOf(event) : undefined;
  const key = event.key.toUpperCase();
  const { draws, ends, toDiscard, whole = [] } = choice;
  const plain = !event.shiftKey;
  if (key === "ESCAPE" && choice.isBegun) return choice.cancel;
  const confirm = choice.isBegun && confirmKey(event, board);
  if (confirm) return confirm;
  if (key === letter("web.card_triangles.keys.next_key") || (plain && digit === "8")) {
    return choice.next;
  }
  if (!plain) return undefined;
  if (digit === "0") return draws.length > 0 ? () => choice.draw("pile") : () => choice.end(false);
  if (digit === "7" && ends.length > 0) return () => choice.end(true);
  const way = whole.length > 1 && !choice.begun.act ? whole[Number(digit) - 1] : undefined;
  if (way) return () => choice.pick(way);
  if (digit !== "9") return undefined;
  return toDiscard ? () => choice.pick(toDiscard) : () => choice.draw("discard");
}

export function Board(props: BoardProps<CardTriangles>) {
  const { view, me, legal, settings, live, t } = props;
  const choice = useChoice(props);
  const letter = (key: string) => settings.shortcuts && t(key);
  useKeys(live, (event) => keyOf(event, root.current, choice, letter, settings.shortcuts));
  const { root, layer } = useFlights(
    view,
    () => flightsOf(view.happened, props, view.mine),
    settings.motion_ms,
  );
  const { begun, whole, toDiscard } = choice;
  useCarry(root, (from) => {
    const discard = choice.discards.find(({ card }) => spotOf(card, "hand") === from);
    if (discard) return new Map([["discard", () => choice.pick(discard)]]);
    const draw = choice.draws.find((each) => each.from === from);
    return new Map(draw ? [["hand", () => choice.draw(draw.from)]] : []);
  });
  useFocus(root, view.rev, legal.length > 0, begun.act ?? whole?.[0] ?? toDiscard);
  return (
    <div class={`ct seats-${view.table.seats.length}`} ref={root}>
      <Piles {...props} choice={choice} />
      <Others {...props} />
      <Bar {...props} choice={choice} />
      {me !== undefined && <Mine {...props} choice={choice} />}
      <div class="flights" ref={layer} aria-hidden="true" />
      {begun.joker && !begun.act && <JokerSheet {...props} choice={choice} joker={begun.joker} />}
    </div>
  );
}

function Piles(props: Part) {
  const { view, t, choice, name, settings } = props;
  const { pile, discards, top, jokers_played, idle_left, seats } = view.table;
  const canDraw = choice.draws.some(({ from }) => from === "pile");
  const take = choice.draws.find(({ from }) => from === "discard");
  const put = choice.toDiscard;
  const called = calledText(view, props, t);
  const laid = view.happened.findLast(
    (each) => each.event === "discarded" || each.event === "completed",
  );
  return (
    <section class="ct-piles" aria-label={t("web.card_triangles.piles")}>
      <button
        type="button"
        class={`ct-stack ${canDraw ? "can" : ""}`}
        disabled={!canDraw}
        data-at="pile"
        data-first={canDraw ? "" : undefined}
        data-act={choice.sends(choice.draws.find(({ from }) => from === "pile"))}
        onClick={() => choice.draw("pile")}
      >
        <span class="hidden">
          {t("web.card_triangles.pile", { act: canDraw ? "draw" : "look", count: pile })}
        </span>
        <CardBack />
        <b data-why="pile" aria-hidden="true">
          {t.number(pile)}
        </b>
        {settings.shortcuts && canDraw && <KeyHint keys={t.number(0)} />}
      </button>
      <button
        type="button"
        class={`ct-stack ${take || put ? "can" : ""} ${laid ? "last" : ""}`}
        disabled={!take && !put}
        data-at="discard"
        data-act={put ? "discard" : choice.sends(take)}
        onClick={() => (put ? choice.pick(put) : choice.draw("discard"))}
      >
        <span class="hidden">
          {t("web.card_triangles.discards", {
            act: put ? "put" : take ? "draw" : "look",
            count: discards,
            top: top ? cardText(t, top) : "",
            card: put ? cardText(t, put.card) : "",
          })}
        </span>
        {top ? <CardFace card={top} /> : <span class="ct-empty" />}
        {laid && "seat" in laid && <By seat={laid.seat} name={name(laid.seat)} />}
        <b data-why="discards" aria-hidden="true">
          {t.number(discards)}
        </b>
        {settings.shortcuts && (take || put) && <KeyHint keys={t.number(9)} />}
      </button>
      <div class="ct-facts">
        {called && (
          <p class="ct-called" role="status">
            {called}
          </p>
        )}
        {idle_left <= 3 * seats.length && view.table.phase !== "over" && (
          <p class="note">{t("web.card_triangles.idle", { count: idle_left })}</p>
        )}
        <p class="ct-jokers" data-at="jokers">
          <span class="hidden">
            {t("web.card_triangles.jokers_played", {
              count: jokers_played.length,
              cards: t.list(jokers_played.map((card) => cardText(t, card))),
            })}
          </span>
          {jokers_played.map((card, i) => (
            <Triangle key={i} cards={[card]} quiet />
          ))}
        </p>
      </div>
    </section>
  );
}

/** What a player has saved, put together to triangles. */
export function Saved({ saved, t }: { saved: readonly Card[]; t: Translator }) {
  if (saved.length === 0) {
    return (
      <span class="note" aria-hidden="true">
        {t("web.card_triangles.nothing_saved")}
      </span>
    );
  }
  return (
    <span class="ct-made" data-why="saved" aria-hidden="true">
      {triangles(saved).map((cards, i) => (
        <Triangle key={i} cards={cards} quiet />
      ))}
    </span>
  );
}

const after = (me: number | undefined, count: number): number[] =>
  me === undefined
    ? Array.from({ length: count }, (_, seat) => seat)
    : Array.from({ length: count - 1 }, (_, i) => (me + 1 + i) % count);

function Others(props: BoardProps<CardTriangles>) {
  const { view, me, name, t } = props;
  const { seats, turn, caller } = view.table;
  return (
    <ul class="ct-others" aria-label={t("web.card_triangles.others")} tabIndex={0}>
      {after(me, seats.length).map((seat) => {
        const { hand, saved, out } = seats[seat]!;
        return (
          <li
            key={seat}
            data-at={`player-${seat}`}
            class={`${turn === seat ? "turn" : ""} ${out ? "out" : ""}`}
          >
            <span class="hidden">{playerText(view, seat, props, t)}</span>
            <span class="ct-name" aria-hidden="true">
              {name(seat)}
            </span>
            <span class="ct-count" data-why="hand" aria-hidden="true">
              {out ? "\u2715" : t.number(hand)}
            </span>
            {caller === seat && (
              <b class="ct-flag" data-why="caller" aria-hidden="true">
                !
              </b>
            )}
            {!out && <Saved saved={saved} t={t} />}
          </li>
        );
      })}
    </ul>
  );
}

function Mine(props: Part) {
  const { view, me, t, choice } = props;
  const { saved } = view.table.seats[me!]!;
  const hand = view.mine?.hand ?? [];
  const groups = [
    { name: "web.card_triangles.saved", cards: [...saved], from: "saved" as const },
    ...sortedHand(hand).map((group) => ({ ...group, from: "hand" as const })),
  ].filter(({ cards }) => cards.length > 0);
  const able = groups.flatMap(({ cards, from }) => cards.map((card) => ({ card, from })));
  const first = able.find(({ card, from }) => choice.canTap(card, from)) ?? able[0];
  return (
    <div class="ct-mine" data-at="hand" onKeyDown={focusNext}>
      {groups.map(({ name, cards, from }) => (
        <section key={name} class={`ct-group ${from}`} aria-label={t(name)}>
          <h3 aria-hidden="true">
            {t(from === "saved" ? "web.card_triangles.saved_title" : name)}
          </h3>
          <ul>
            {stacked(cards).map(({ card, count }) => (
              <li key={spotOf(card, from)}>
                <Tap
                  {...{ card, count, from, choice, t, view }}
                  first={first?.from === from && isSameCard(first.card, card)}
                />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function Tap(props: {
  card: Card;
  count: number;
  from: From;
  choice: Choice;
  first: boolean;
  view: View;
  t: Translator;
}) {
  const { card, count, from, choice, first, view, t } = props;
  const can = choice.canTap(card, from);
  const tapped = choice.isTapped(card, from);
  const drawn = view.mine?.drawn;
  const isAllThereIs = choice.draws.length === 0 && choice.ends.length === 0;
  const isNew = from === "hand" && drawn !== undefined && isSameCard(card, drawn);
  return (
    <button
      type="button"
      class={`ct-card ${can ? "can" : ""} ${tapped ? "chosen" : ""} ${isNew ? "new" : ""}`}
      aria-pressed={can ? tapped : undefined}
      aria-disabled={!can}
      tabIndex={first ? 0 : -1}
      data-at={spotOf(card, from)}
      data-lands=""
      data-first={first && isAllThereIs ? "" : undefined}
      onClick={() => choice.tap(card, from)}
    >
      <span class="hidden">
        {t("web.card_triangles.card", {
          card: cardText(t, card),
          count,
          from,
          drawn: isNew ? "yes" : "no",
        })}
      </span>
      <CardFace card={card} />
      {count > 1 && (
        <b class="ct-times" aria-hidden="true">
          {`\u00d7${t.number(count)}`}
        </b>
      )}
    </button>
  );
}
