// What stands beside the table of 21/15/9-Card Triangles: the result, what a player has, the rules.
import type { ComponentChildren } from "preact";
import type { Scene, SheetProps, Translator } from "../../skin";
import { cardText, type Card, type Color, type Cut } from "../../triangles/pieces";
import { CardBack, CardFace, Triangle } from "../../triangles/triangle";
import { Saved } from "./board";
import { DeadEnd, Jokers, Round, Saving } from "./films";
import { badge, describe, playerText, type CardTriangles, type Event, type View } from "./words";

/** Why a player came to this place, in a sentence. */
export function why(view: View, seat: number, name: string, t: Translator): string {
  const { hand, out } = view.table.seats[seat]!;
  const won = view.table.winners?.includes(seat);
  const how = won ? (view.table.reason ?? "idle") : out ? "out" : "left";
  return t("web.card_triangles.why", { how, name, count: hand });
}

/** A pure triangle is the best that there is: the first one of a winner, or else of anybody. */
export function best({ table }: View, scene: Scene, t: Translator, past: readonly Event[]) {
  const won = (seat: number) => Number(table.winners?.includes(seat) ?? false);
  const [first] = past
    .flatMap((event) => (event.event === "completed" && event.pure ? [event] : []))
    .sort((a, b) => won(b.seat) - won(a.seat));
  const cards = first?.pieces.flatMap(({ card }) => card ?? []) ?? [];
  if (!first || cards.length === 0) return undefined;
  return {
    seat: first.seat,
    text: t("web.card_triangles.best", { name: scene.name(first.seat) }),
    picture: <Triangle cards={cards} />,
  };
}

/** What has ended the game, in a sentence. */
export function decided(view: View, scene: Scene, t: Translator): string {
  const { winners = [], reason = "idle" } = view.table;
  const { key, values } = describe({ event: "over", winners, reason }, scene, t)!;
  return t(key, values);
}

/** Who won, then who has the fewest cards left, then who is out. */
export function ranking({ table }: View): number[] {
  const behind = (seat: number) => {
    const { hand, out } = table.seats[seat]!;
    if (table.winners?.includes(seat)) return -1;
    return out ? Infinity : hand;
  };
  return table.seats
    .map((_, seat) => seat)
    .sort((a, b) => (behind(a) < behind(b) ? -1 : Number(behind(a) > behind(b))));
}

export function ScoreSheet(props: SheetProps<CardTriangles>) {
  const { view, name, me, t } = props;
  const { seats, winners = [] } = view.table;
  return (
    <section class="ct-sheet" aria-label={t("web.card_triangles.sheet.title")}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("web.card_triangles.sheet.player")}</th>
            <th scope="col">{t("web.card_triangles.sheet.cards")}</th>
            <th scope="col">{t("web.card_triangles.saved")}</th>
          </tr>
        </thead>
        <tbody>
          {ranking(view).map((seat) => {
            const { hand, saved, out } = seats[seat]!;
            return (
              <tr key={seat} class={winners.includes(seat) ? "won" : ""}>
                <th scope="row">
                  {name(seat)} {seat === me && <b class="you">{t("web.lobby.you")}</b>}
                  <small>{why(view, seat, name(seat), t)}</small>
                </th>
                <td data-total={seat}>{out ? "\u2013" : t.number(hand)}</td>
                <td>
                  <span class="hidden">{t.list(saved.map((card) => cardText(t, card)))}</span>
                  <Saved saved={saved} t={t} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <p class="note">{t("web.card_triangles.sheet.why")}</p>
    </section>
  );
}

/** What badge() says, as a picture; what is saved lies on the board. */
export function Badge({ view, seat }: { view: View; seat: number }) {
  const player = view.table.seats[seat];
  if (!player) return null;
  if (player.out) return <span aria-hidden="true">{"\u2715"}</span>;
  return (
    <span class="ct-badge" aria-hidden="true">
      {view.table.caller === seat && <b data-why="caller">!</b>}
      <span data-why="hand">
        <i class="tri-hand" />
        {player.hand}
      </span>
    </span>
  );
}

export function Collection(props: SheetProps<CardTriangles> & { seat: number }) {
  const { view, seat, t } = props;
  const { saved } = view.table.seats[seat]!;
  return (
    <div class="ct-collection">
      <p class="hidden">{playerText(view, seat, props, t)}</p>
      <p aria-hidden="true">{badge(view, seat, t)}</p>
      <p class="ct-cards" aria-hidden="true">
        {saved.map((card, i) => (
          <CardFace key={i} card={card} />
        ))}
      </p>
    </div>
  );
}

const card = (cut: Cut, number: number, color: Color): Card => ({ cut, number, color });
const pure = (cut: Cut, color: Color) => [1, 2, 3].map((number) => card(cut, number, color));

function Page(props: {
  name: string;
  t: Translator;
  film?: ComponentChildren;
  children?: ComponentChildren;
}) {
  const { name, t, film, children } = props;
  return (
    <section class="card" data-rule={name}>
      <h2>{t(`web.card_triangles.rules.${name}_title`)}</h2>
      {film}
      {children && (
        <div class="ct-picture" aria-hidden="true">
          {children}
        </div>
      )}
      <p>{t(`web.card_triangles.rules.${name}`)}</p>
    </section>
  );
}

export function Rules({ t }: { t: Translator }) {
  const mixed = [
    card("horizontal", 1, "pink"),
    card("horizontal", 2, "green"),
    card("horizontal", 3, "red"),
  ];
  return (
    <div class="ct-rules">
      <Page name="goal" t={t}>
        <Triangle cards={mixed} />
        <Triangle cards={pure("centered", "green")} />
      </Page>
      <Page name="turn" t={t}>
        <CardBack />
        <i class="ct-arrow" />
        <CardFace card={card("vertical", 2, "red")} />
      </Page>
      <Page name="save" t={t} film={<Saving t={t} />} />
      <Page name="pure" t={t}>
        {pure("vertical", "pink").map((each, i) => (
          <CardFace key={i} card={each} />
        ))}
      </Page>
      <Page name="joker" t={t} film={<Jokers t={t} />}>
        <CardFace card={{ cut: "vertical", color: "pink" }} />
        <Triangle cards={pure("vertical", "pink")} />
        <Triangle cards={pure("horizontal", "pink")} />
      </Page>
      <Page name="last" t={t} film={<Round t={t} />} />
      <Page name="dead" t={t} film={<DeadEnd t={t} />} />
    </div>
  );
}
