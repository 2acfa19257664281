// What stands beside the table of Triangle Mayhem: the score sheet, what a player has, the rules.
import type { SheetProps, Translator } from "../../skin";
import type { Piece } from "../../triangles/pieces";
import { Triangle } from "../../triangles/triangle";
import { badge, type Mayhem, type View } from "./words";

export function ScoreSheet({ view, name, t }: SheetProps<Mayhem>) {
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
                {name(seat)}
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
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="note">{t("web.mayhem.sheet.why")}</p>
    </div>
  );
}

/** The same as badge() says, as a picture. */
export function Badge({ view, seat }: { view: View; seat: number }) {
  const player = view.table.seats[seat];
  if (!player) return null;
  return (
    <span class="mh-badge" aria-hidden="true">
      <span>
        <i>{"\u25b2"}</i>
        {player.triangles}
      </span>
      <span>
        <i>{"\u25af"}</i>
        {player.cards}
      </span>
    </span>
  );
}

export const Collection = ({ view, seat, t }: SheetProps<Mayhem> & { seat: number }) => (
  <p>{badge(view, seat, t)}</p>
);

const card = (cut: Piece["cut"], number: number, color: Piece["color"]): Piece => ({
  cut,
  number,
  color,
});

export function Rules({ t }: { t: Translator }) {
  const red = [1, 2, 3].map((number) => card("centered", number, "red"));
  return (
    <div class="mh-rules">
      <section class="card">
        <h2>{t("web.mayhem.rules.goal_title")}</h2>
        <div class="mh-picture">
          <Triangle cards={[card("horizontal", 1, "pink"), card("horizontal", 3, "green")]} />
          <Triangle cards={[card("horizontal", 2, "green")]} />
          <Triangle cards={red} />
        </div>
        <p>{t("web.mayhem.rules.goal")}</p>
      </section>
      <section class="card">
        <h2>{t("web.mayhem.rules.turn_title")}</h2>
        <div class="mh-picture">
          <Triangle cards={[card("vertical", 2, "green"), card("vertical", 1, "pink")]} />
          <Triangle cards={[card("centered", 1, "red")]} />
        </div>
        <p>{t("web.mayhem.rules.turn")}</p>
      </section>
      <section class="card">
        <h2>{t("web.mayhem.rules.fast_title")}</h2>
        <p>{t("web.mayhem.rules.fast")}</p>
      </section>
      <section class="card">
        <h2>{t("web.mayhem.rules.end_title")}</h2>
        <p>{t("web.mayhem.rules.end")}</p>
      </section>
    </div>
  );
}
