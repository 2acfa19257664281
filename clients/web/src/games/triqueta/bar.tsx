// The bar under the board: what I hold and where it may go, what I am about to do, and while others
// think, what happened last.
import { Marker, Token } from "../../art/art";
import { KeyHint } from "../../board/key_hint";
import { once } from "../../board/once";
import type { Translator } from "../../skin";
import { hintOf, rockBy, rockWord } from "./controls";
import { describe } from "./describe";
import type { Part } from "./play";
import { animalName, grouped, signed, tokensText, tone, type Legal, type View } from "./words";

/** After so many the game is over. */
const kRounds = 4;

/** Hidden tokens of the light kind that a player may have. */
const kMostHidden = 2;

export function Bar(props: Part) {
  const { play } = props;
  return (
    <div class="tq-bar" data-at="bar">
      {play.begun.act ? (
        <Confirm {...props} offer={play.begun.act} />
      ) : play.controls.tokens.size > 0 ? (
        <Held {...props} />
      ) : play.controls.draw.length > 0 ? (
        <Draw {...props} />
      ) : (
        <Quiet {...props} />
      )}
    </div>
  );
}

function Points({ points, t }: { points: number | undefined; t: Translator }) {
  if (points === undefined) return null;
  return (
    <b class={`tq-points ${tone(points)}`} data-why="points">
      {signed(t, points)}
    </b>
  );
}

/** That the rock comes or goes with an act; `by` is what rockBy says. */
export function Rock({ by, t }: { by: number; t: Translator }) {
  if (by === 0) return null;
  return (
    <b class={`tq-rock ${tone(by)}`} data-why={`rock_${rockWord(by)}`}>
      {signed(t, by)}
      <Marker name="rock" />
    </b>
  );
}

/** What I am about to do, in words. */
function aboutTo(offer: Legal, view: View, t: Translator): string {
  const { action } = offer;
  const drawn = (token: number) => {
    const animal = view.mine?.drawn.find((each) => each.token === token)?.animal;
    return animal ? animalName(t, animal) : "";
  };
  switch (action.do) {
    case "take": {
      const { tokens } = view.table.rows[action.row]!;
      const rock = rockWord(rockBy(offer, view.table, view.seat));
      if (tokens.length === 0) return t("web.triqueta.get_nothing", { rock });
      return t("web.triqueta.get", { tokens: tokensText(t, grouped(tokens)), rock });
    }
    case "draw":
      return t("web.triqueta.about.draw", {
        count: action.columns.length,
        columns: t.list(action.columns.map((column) => t.number(column + 1))),
      });
    case "place":
      return t("web.triqueta.about.place", { animal: drawn(action.token), row: action.row + 1 });
    case "keep":
      return t("web.triqueta.about.keep", {
        animal: drawn(action.token),
        last: (view.table.seats[view.seat ?? 0]?.down ?? 0) + 1 >= kMostHidden ? "yes" : "no",
      });
    case "discard":
      return t("web.triqueta.about.discard", { animal: drawn(action.token) });
    case "tower":
      return t("web.triqueta.about.tower", { tower: action.tower + 1 });
    case "reveal":
      return t("web.triqueta.question.reveal");
  }
}

function Confirm({ view, me, t, play, offer }: Part & { offer: Legal }) {
  const rock = rockBy(offer, view.table, me);
  const points = hintOf(offer, rock);
  return (
    <>
      <p class="tq-about">{aboutTo(offer, view, t)}</p>
      <button
        type="button"
        class="primary tq-commit"
        data-role="commit"
        data-act={offer.action.do}
        onClick={once(() => play.commit(offer))}
      >
        {offer.action.do === "take" ? t("web.triqueta.take") : t("web.yes")}
        {points !== undefined && (
          <span class="tq-brings">
            <Points points={points} t={t} />
            <Rock by={rock} t={t} />
          </span>
        )}
      </button>
      <button type="button" class="tq-cancel" onClick={play.cancel}>
        {t("web.cancel")}
      </button>
    </>
  );
}

function Draw({ t, play, settings }: Part) {
  const { columns } = play.begun;
  if (columns) {
    return (
      <>
        <p class="tq-about">{t("web.triqueta.second", { column: columns[0]! + 1 })}</p>
        <button type="button" class="tq-cancel" onClick={play.cancel}>
          {t("web.cancel")}
        </button>
      </>
    );
  }
  const count = play.controls.draw[0]!.action.columns.length;
  return (
    <>
      <button
        type="button"
        class="primary tq-draw"
        data-first=""
        data-act={play.sends(play.controls.draw[0])}
        onClick={once(play.drawAny)}
      >
        {t("web.triqueta.draw", { count })}
        {settings.shortcuts && <KeyHint keys={t.number(0)} />}
      </button>
      <p class="tq-about">{t("web.triqueta.or_row")}</p>
    </>
  );
}

function Held({ view, me, t, play, settings }: Part) {
  const { controls, token } = play;
  const here = controls.tokens.get(token!)!;
  const hidden = me === undefined ? 0 : view.table.seats[me]!.down;
  const drawn = (view.mine?.drawn ?? []).filter((each) => controls.tokens.has(each.token));
  return (
    <>
      <span
        class={`tq-held ${drawn.length > 1 ? "two" : ""}`}
        role="group"
        aria-label={t("web.triqueta.holding")}
      >
        {drawn.map(({ token: index, animal }) =>
          drawn.length === 1 ? (
            <span key={index} role="img" aria-label={animal && animalName(t, animal)}>
              {animal && <Token face={animal} class="held" />}
            </span>
          ) : (
            <button
              key={index}
              type="button"
              class={`tq-pick ${index === token ? "chosen" : ""}`}
              aria-pressed={index === token}
              aria-label={animal && animalName(t, animal)}
              onClick={() => play.hold(index)}
            >
              {animal && <Token face={animal} class="held" />}
              {settings.shortcuts && index !== token && <KeyHint keys={t.number(7)} />}
            </button>
          ),
        )}
      </span>
      {here.place.size > 0 && <p class="tq-about">{t("web.triqueta.tap_row")}</p>}
      {here.keep && (
        <button
          type="button"
          class="tq-keep"
          data-act={play.sends(here.keep)}
          onClick={once(play.keep)}
        >
          <span>
            {t("web.triqueta.keep")}
            <small>{t("web.triqueta.keep_left", { left: kMostHidden - hidden })}</small>
          </span>
          <Points points={here.keep.preview} t={t} />
          {settings.shortcuts && <KeyHint keys={t.number(9)} />}
        </button>
      )}
      {here.discard && (
        <button
          type="button"
          class="tq-keep"
          data-act={play.sends(here.discard)}
          onClick={once(play.discard)}
        >
          {t("web.triqueta.discard")}
          {settings.shortcuts && <KeyHint keys={t.number(8)} />}
        </button>
      )}
    </>
  );
}

function Quiet(props: Part) {
  const { view, me, t, play } = props;
  if (play.controls.take.size > 0) return <p class="tq-about">{t("web.triqueta.only_row")}</p>;
  const said = view.happened.map((event) => describe(event, props, t, view.mine));
  const isOut = me !== undefined && view.table.seats[me]!.row !== undefined;
  return (
    <p class="tq-about tq-news">
      {isOut && (
        <b>{t("web.triqueta.out", { last: view.table.round === kRounds ? "yes" : "no" })} </b>
      )}
      <span aria-hidden="true">{said.map(({ key, values }) => t(key, values)).join(" ")}</span>
    </p>
  );
}
