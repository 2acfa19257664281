// The score sheet: animals down, players across. A tap on any number tells where it comes from.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { kAnimals, Marker, Token } from "../../art/art";
import { SeatHead } from "../../shell/parts";
import type { Scene, SheetProps, Translator } from "../../skin";
import {
  animalName,
  grouped,
  signed,
  tokensText,
  type Table,
  type Triqueta,
  type View,
} from "./words";

type Sheet = NonNullable<Table["scores"]>[number];
type Line = (typeof kAnimals)[number] | "rock" | "trees" | "total";

/** How the points of one line come about. */
export function why(sheet: Sheet, line: Line, name: string, t: Translator): string {
  if (line === "rock") return t("web.triqueta.why.rock", { name, points: sheet.rock });
  if (line === "trees") return t("web.triqueta.why.trees", { name, points: sheet.trees });
  if (line === "total") {
    return t("web.triqueta.why.total", {
      name,
      points: signed(t, sheet.total).replace("+", ""),
      tokens: sheet.tokens,
    });
  }
  const count = sheet.counts[line] ?? 0;
  const values = {
    name,
    animal: animalName(t, line),
    count,
    over: count - 3,
    points: signed(t, sheet.points[line] ?? 0).replace("+", ""),
  };
  if (count === 0) return t("web.triqueta.why.none", values);
  if (count < 3) return t("web.triqueta.why.few", values);
  return count === 3 ? t("web.triqueta.why.three", values) : t("web.triqueta.why.over", values);
}

/** The dearest of all triquetas: three of a kind, no more and no less. A winner's comes first. */
export function best({ table }: View, scene: Scene, t: Translator) {
  const { scores = [], winners = [] } = table;
  const trios = scores.flatMap(({ counts, points }, seat) =>
    kAnimals.flatMap((animal) =>
      counts[animal] === 3 ? [{ seat, animal, points: points[animal] ?? 0 }] : [],
    ),
  );
  const won = (seat: number) => Number(winners.includes(seat));
  const [first] = trios.sort((a, b) => b.points - a.points || won(b.seat) - won(a.seat));
  if (!first) return undefined;
  const { seat, animal, points } = first;
  const values = { name: scene.name(seat), animal: animalName(t, animal), points };
  return {
    seat,
    text: t("web.triqueta.best", values),
    picture: [1, 2, 3].map((each) => <Token key={each} face={animal} />),
  };
}

/** Of equal totals: who has more tokens, which decides. */
export function decided({ table }: View, scene: Scene, t: Translator): string | undefined {
  const { scores = [], winners = [] } = table;
  const most = Math.max(...scores.map(({ total }) => total));
  const tied = scores.flatMap(({ total, tokens }, seat) =>
    total === most ? [{ seat, tokens }] : [],
  );
  if (tied.length < 2) return undefined;
  if (tied.length === winners.length) {
    return t("web.triqueta.tie_together", { tokens: tied[0]!.tokens });
  }
  const counts = tied
    .sort((a, b) => b.tokens - a.tokens)
    .map(({ seat, tokens }) => t("web.triqueta.tie_count", { name: scene.name(seat), tokens }));
  return t("web.triqueta.tie", { counts: t.list(counts) });
}

/** What has given a player points, or cost some, in the order of the sheet. */
export function Points({ view, seat, t }: { view: View; seat: number; t: Translator }) {
  const sheet = view.table.scores?.[seat];
  if (!sheet) return null;
  const animals = kAnimals.map((animal) => ({
    picture: <Token face={animal} />,
    points: sheet.points[animal] ?? 0,
  }));
  const rest = (["rock", "trees"] as const).map((line) => ({
    picture: <Marker name={line === "rock" ? "rock" : "tree"} />,
    points: sheet[line],
  }));
  return (
    <span class="tq-came">
      {[...animals, ...rest]
        .filter(({ points }) => points !== 0)
        .map(({ picture, points }, i) => (
          <span key={i} class={points < 0 ? "bad" : ""}>
            {picture}
            <b>{signed(t, points)}</b>
          </span>
        ))}
    </span>
  );
}

/** The hidden tokens of each player, turned over one after the other. */
function Uncovered({ view, name, t }: Pick<SheetProps<Triqueta>, "view" | "name" | "t">) {
  const found = view.happened.flatMap((event) => {
    if (event.event !== "revealed") return [];
    const tokens = [
      ...event.light.map((animal) => ({ animal, back: "light" as const })),
      ...event.shadow.map((animal) => ({ animal, back: "shadow" as const })),
    ];
    return tokens.length > 0 ? [{ seat: event.seat, tokens }] : [];
  });
  if (found.length === 0) return null;
  let turn = 0;
  return (
    <section class="tq-uncovered" aria-labelledby="tq-uncovered">
      <h2 id="tq-uncovered">{t("web.triqueta.uncovered")}</h2>
      <ul>
        {found.map(({ seat, tokens }) => (
          <li key={seat}>
            <SeatHead seat={seat} name={name(seat)} />
            <span class="hidden">{tokensText(t, grouped(tokens.map(({ animal }) => animal)))}</span>
            <span class="tq-turned" aria-hidden="true">
              {tokens.map(({ animal, back }, i) => (
                <span key={i} style={{ "--turn": turn++ }}>
                  <Token face={back} />
                  <Token face={animal} />
                </span>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The words for a number, below its line: where that is in sight, they are. */
function Why({ columns, text }: { columns: number; text: string }) {
  const row = useRef<HTMLTableRowElement>(null);
  useLayoutEffect(() => row.current?.scrollIntoView?.({ block: "nearest" }), [text]);
  return (
    <tr class="tq-why" ref={row}>
      <td colSpan={columns}>{text}</td>
    </tr>
  );
}

export function ScoreSheet({ view, options, name, t }: SheetProps<Triqueta>) {
  const [asked, setAsked] = useState<{ seat: number; line: Line } | undefined>(undefined);
  const { scores, winners = [] } = view.table;
  if (!scores) return null;
  const wolves = (options.variant ?? "base") !== "base";
  const best = Math.max(...scores.map(({ total }) => total));
  const tied = scores.filter(({ total }) => total === best).length > 1;
  const rest = scores.map(({ total }) => total).filter((total) => total !== best);
  const tiedBelow = new Set(rest).size < rest.length;
  const lines: Line[] = [
    ...kAnimals.filter((animal) => wolves || animal !== "wolf"),
    "rock",
    "trees",
    "total",
  ];
  const title = (line: Line) =>
    line === "rock" || line === "trees" || line === "total"
      ? t(`web.triqueta.line.${line}`)
      : animalName(t, line);
  const points = (sheet: Sheet, line: Line) =>
    line === "rock" || line === "trees" || line === "total"
      ? sheet[line]
      : (sheet.points[line] ?? 0);
  return (
    <section class="tq-sheet" aria-label={t("web.triqueta.line.sheet")}>
      <Uncovered view={view} name={name} t={t} />
      <p class="note">{t("web.triqueta.why.tap")}</p>
      <table>
        <thead>
          <tr>
            <td />
            {scores.map((_, seat) => (
              <th key={seat} scope="col" class={winners.includes(seat) ? "won" : ""}>
                <SeatHead seat={seat} name={name(seat)} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => [
            <tr key={line} class={line === "total" ? "total" : ""}>
              <th scope="row">
                <span class="hidden">{title(line)}</span>
                <span aria-hidden="true">
                  {line === "rock" ? (
                    <Marker name="rock" />
                  ) : line === "trees" ? (
                    <Marker name="tree" />
                  ) : line === "total" ? (
                    title(line)
                  ) : (
                    <Token face={line} />
                  )}
                </span>
              </th>
              {scores.map((sheet, seat) => {
                const count = line in sheet.counts ? sheet.counts[line as never] : undefined;
                const value = points(sheet, line);
                const chosen = asked?.seat === seat && asked.line === line;
                return (
                  <td key={seat} class={winners.includes(seat) ? "won" : ""}>
                    <button
                      type="button"
                      class={`${chosen ? "chosen" : ""} ${value < 0 ? "bad" : ""} ${count === 3 ? "three" : ""}`}
                      aria-pressed={chosen}
                      onClick={() => setAsked(chosen ? undefined : { seat, line })}
                    >
                      <span class="hidden">{why(sheet, line, name(seat), t)}</span>
                      <b aria-hidden="true">{signed(t, value).replace("+", "")}</b>
                      {count ? <small aria-hidden="true">{`${t.number(count)}×`}</small> : null}
                    </button>
                  </td>
                );
              })}
            </tr>,
            asked?.line === line && (
              <Why
                key="why"
                columns={scores.length + 1}
                text={why(scores[asked.seat]!, line, name(asked.seat), t)}
              />
            ),
          ])}
        </tbody>
      </table>
      {tied && (
        <p class="note">
          {winners.length > 1 ? t("web.triqueta.why.shared") : t("web.triqueta.why.tie")}
        </p>
      )}
      {tiedBelow && <p class="note">{t("web.triqueta.why.tie_below")}</p>}
    </section>
  );
}
