// A board for any game: its views as lists, its legal acts as buttons. Plain, but it can be played.
import type { AnySkin, BoardProps, LegalAct, SheetProps, Translator } from "../skin";
import type { GameWords } from "../skin";

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const words = (key: string) => key.replace(/_/g, " ");

/** A value in one line if it fits there: words, numbers, and what is made of few of them. */
function short(value: unknown): string | undefined {
  if (Array.isArray(value)) {
    const parts = value.map(short);
    return parts.includes(undefined) ? undefined : parts.join(", ") || "–";
  }
  if (isObject(value)) {
    const parts = Object.entries(value).map(([key, each]) => {
      const text = Array.isArray(each) || isObject(each) ? undefined : short(each);
      return text === undefined ? undefined : `${words(key)} ${text}`;
    });
    return parts.includes(undefined) || parts.length > 4 ? undefined : parts.join(", ") || "–";
  }
  return words(String(value));
}

/** Any value as nested lists. */
export function Fields({ value, t }: { value: unknown; t: Translator }) {
  const text = short(value);
  if (value === undefined) return <p class="note">{t("web.generic.nothing")}</p>;
  if (text !== undefined) return <span>{text}</span>;
  if (Array.isArray(value)) {
    return (
      <ol class="fields">
        {value.map((each, i) => (
          <li key={i}>
            <Fields value={each} t={t} />
          </li>
        ))}
      </ol>
    );
  }
  return (
    <dl class="fields">
      {Object.entries(value as object).map(([key, each]) => (
        <div key={key}>
          <dt>{words(key)}</dt>
          <dd>
            <Fields value={each} t={t} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** An act in words: what it does, then with what. */
export function actText(action: unknown): string {
  if (!isObject(action)) return short(action) ?? JSON.stringify(action);
  const { do: verb, ...rest } = action;
  const more = Object.entries(rest).map(
    ([key, value]) => `${words(key)} ${short(value) ?? JSON.stringify(value)}`,
  );
  return [verb === undefined ? "" : words(String(verb)), ...more].filter(Boolean).join(" · ");
}

function Board({ view, legal, pending, act, t }: BoardProps<GameWords>) {
  return (
    <div class="generic">
      <div class="generic-views">
        <section>
          <h2>{t("web.generic.table")}</h2>
          <Fields value={view.table} t={t} />
        </section>
        {view.mine !== undefined && (
          <section>
            <h2>{t("web.generic.mine")}</h2>
            <Fields value={view.mine} t={t} />
          </section>
        )}
      </div>
      {pending !== undefined && (
        <p class="note" role="status">
          {actText(pending)}
        </p>
      )}
      {legal.length > 0 && (
        <ul class="acts" aria-label={t("web.generic.acts")}>
          {legal.map((each: LegalAct<unknown>) => (
            <li key={JSON.stringify(each.action)}>
              <button
                type="button"
                data-act={isObject(each.action) ? String(each.action.do) : ""}
                onClick={() => act(each.action)}
              >
                {actText(each.action)}
                {each.preview !== undefined && (
                  <b class="preview">{`${each.preview > 0 ? "+" : ""}${each.preview}`}</b>
                )}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function ScoreSheet({ view, t }: SheetProps<GameWords>) {
  return <Fields value={view.table} t={t} />;
}

/** The end, in the words that games of ours use for it: winners, and scores with a total. */
function resultOf(table: unknown): { totals: number[]; winners: number[] } | undefined {
  const { winners, scores } = (isObject(table) ? table : {}) as Record<string, unknown>;
  if (!Array.isArray(winners)) return undefined;
  const totals = (Array.isArray(scores) ? scores : []).map((score: unknown) =>
    Number(isObject(score) ? score.total : score),
  );
  return { winners: winners as number[], totals: totals.filter(Number.isFinite) };
}

export function genericSkin(game: string): AnySkin {
  return {
    title: `${game}.title`,
    variants: [],
    Board,
    describe: (event, scene) => {
      const {
        event: kind,
        seat,
        ...rest
      } = (isObject(event) ? event : {}) as {
        event?: string;
        seat?: number;
      };
      return {
        key: "web.generic.event",
        values: {
          who: seat === undefined ? "" : scene.name(seat),
          what: actText({ do: kind, ...rest }),
        },
      };
    },
    status: () => "",
    question: () => undefined,
    summary: (view) => JSON.stringify(view.table),
    ScoreSheet,
    result: ({ table }) => resultOf(table),
    Rules: ({ t }) => <p>{t("web.generic.no_rules")}</p>,
  };
}
