// What stands beside the table of Triangle Mayhem: the score sheet, what a player has, the rules.
import { SeatHead } from "../../shell/parts";
import type { Scene, SheetProps, Translator } from "../../skin";
import { cardsText, type Piece } from "../../triangles/pieces";
import { CardBack, CardFace, Triangle } from "../../triangles/triangle";
import { badge, type Event, type Mayhem, type View } from "./words";

const card = (cut: Piece["cut"], number: number, color: Piece["color"]): Piece => ({
  cut,
  number,
  color,
});

type Past = readonly Event[];

/** What one of each counts at the end. */
const kWorth = { pure: 6, unpure: 3, wrong: -3, left: -1 };

/** What so many give together, and nothing for none. */
const worth = (t: Translator, line: keyof typeof kWorth, count: number): string =>
  count === 0 ? "" : t.number(count * kWorth[line]);

export function ScoreSheet({ view, options, name, t }: SheetProps<Mayhem>) {
  const { seats, winners = [] } = view.table;
  const lines = ["pure", "unpure", "wrong", "left", "points"] as const;
  const shown = lines.filter((line) => seats.some(({ sheet }) => sheet?.[line] !== undefined));
  return (
    <div class="mh-sheet">
      <table>
        <thead>
          <tr>
            <td />
            {seats.map((_, seat) => (
              <th key={seat} scope="col" class={winners.includes(seat) ? "won" : ""}>
                <SeatHead seat={seat} name={name(seat)} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((line) => (
            <tr key={line} class={line}>
              <th scope="row">{t(`web.mayhem.sheet.${line}`)}</th>
              {seats.map(({ sheet }, seat) => (
                <td key={seat} class={winners.includes(seat) ? "won" : ""}>
                  {t.number(sheet?.[line] ?? 0)}
                  {line !== "points" && <small>{worth(t, line, sheet?.[line] ?? 0)}</small>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="note">
        {t("web.mayhem.sheet.why", { unchecked: options.claims === "unchecked" ? "yes" : "no" })}
      </p>
    </div>
  );
}

/** A pure triangle is the best that there is; who took the first of them is named. */
export function best(_: View, scene: Scene, t: Translator, past: Past) {
  const pure = past.flatMap((event) =>
    event.event === "triangle" && event.pure === true ? [event] : [],
  )[0];
  if (!pure) return undefined;
  const { seat, cards, points = kWorth.pure } = pure;
  return {
    seat,
    text: t("web.mayhem.best", { name: scene.name(seat), points }),
    picture: <Triangle cards={cards} />,
  };
}

/** What stands for each line of the sheet. */
const kSample: Record<keyof typeof kWorth, readonly Piece[]> = {
  pure: [1, 2, 3].map((number) => card("centered", number, "green")),
  unpure: [card("centered", 1, "pink"), card("centered", 2, "red"), card("centered", 3, "green")],
  wrong: [card("vertical", 1, "red"), card("vertical", 3, "pink")],
  left: [card("horizontal", 2, "pink")],
};

/** What has given a player points, or cost some. */
export function Points({ view, seat, t }: { view: View; seat: number; t: Translator }) {
  const sheet = view.table.seats[seat]?.sheet;
  if (!sheet) return null;
  return (
    <span class="mh-came">
      {(["pure", "unpure", "wrong", "left"] as const)
        .filter((line) => (sheet[line] ?? 0) > 0)
        .map((line) => (
          <span key={line} class={kWorth[line] < 0 ? "bad" : ""}>
            {line === "left" ? (
              <CardFace card={kSample[line][0]!} />
            ) : (
              <Triangle cards={kSample[line]} quiet />
            )}
            <b>{`\u00d7${t.number(sheet[line]!)} = ${worth(t, line, sheet[line]!)}`}</b>
          </span>
        ))}
    </span>
  );
}

/** The same as badge() says, as a picture; in a look back with everything open, the cards too. */
export function Badge(props: { view: View; seat: number; mine?: View["mine"] }) {
  const { view, seat, mine } = props;
  const player = view.table.seats[seat];
  if (!player) return null;
  return (
    <span class="mh-badge" aria-hidden="true">
      {player.sheet && (
        <b class="mh-sum" data-why="points_so_far">
          {player.sheet.points}
        </b>
      )}
      {mine ? (
        mine.hand.map((each, i) => <Triangle key={i} cards={[each]} quiet />)
      ) : (
        <span data-why="hand">
          <i class="tri-hand" />
          {player.cards}
        </span>
      )}
      <span data-why="taken">
        <i>{"\u25b2"}</i>
        {player.triangles}
      </span>
    </span>
  );
}

/** The triangles that a player has taken, as far as this page has seen it. */
const takenBy = (seat: number, past: Past) =>
  past.flatMap((event) => (event.event === "triangle" && event.seat === seat ? [event] : []));

export function Panel({ seat, past }: { seat: number; past: Past }) {
  return (
    <span class="mh-taken">
      {takenBy(seat, past).map(({ triangle, cards }) => (
        <Triangle key={triangle} cards={cards} quiet />
      ))}
    </span>
  );
}

export function Collection(props: SheetProps<Mayhem> & { seat: number; past?: Past }) {
  const { view, seat, past = [], t } = props;
  const taken = takenBy(seat, past);
  return (
    <>
      <p>{badge(view, seat, t)}</p>
      {taken.length > 0 && (
        <ul class="mh-taken large" aria-label={t("web.mayhem.taken")}>
          {taken.map(({ triangle, cards }) => (
            <li key={triangle}>
              <span class="hidden">{cardsText(t, cards)}</span>
              <Triangle cards={cards} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

export function Rules({ t }: { t: Translator }) {
  const red = [1, 2, 3].map((number) => card("centered", number, "red"));
  return (
    <div class="mh-rules">
      <section class="card" data-rule="goal">
        <h2>{t("web.mayhem.rules.goal_title")}</h2>
        <div class="mh-picture">
          <Triangle cards={[card("horizontal", 1, "pink"), card("horizontal", 3, "green")]} />
          <Triangle cards={[card("horizontal", 2, "green")]} />
          <Triangle cards={red} />
        </div>
        <p>{t("web.mayhem.rules.goal")}</p>
      </section>
      <section class="card" data-rule="turn">
        <h2>{t("web.mayhem.rules.turn_title")}</h2>
        <div class="mh-picture">
          <Triangle cards={[card("vertical", 2, "green"), card("vertical", 1, "pink")]} />
          <Triangle cards={[card("centered", 1, "red")]} />
        </div>
        <p>{t("web.mayhem.rules.turn")}</p>
      </section>
      <section class="card" data-rule="fast">
        <h2>{t("web.mayhem.rules.fast_title")}</h2>
        <div class="mh-picture" aria-hidden="true">
          <CardBack />
          <span class="mh-card fast">
            <CardFace card={card("horizontal", 2, "pink")} />
            <span class="mh-ring" />
          </span>
        </div>
        <p>{t("web.mayhem.rules.fast")}</p>
      </section>
      <section class="card" data-rule="end">
        <h2>{t("web.mayhem.rules.end_title")}</h2>
        <p>{t("web.mayhem.rules.end")}</p>
      </section>
      <section class="card" data-rule="unchecked">
        <h2>{t("web.mayhem.rules.unchecked_title")}</h2>
        <p>{t("web.mayhem.rules.unchecked")}</p>
      </section>
    </div>
  );
}
