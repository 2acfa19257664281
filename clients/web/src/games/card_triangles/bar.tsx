// The bar above my cards: what I am about to do, what it costs, and the buttons for it; while others
// think, what happened last.
import { useEffect, useRef } from "preact/hooks";
import { KeyHint } from "../../board/key_hint";
import { focusNext } from "../../board/roving";
import { cardsText, cardText } from "../../triangles/pieces";
import { CardFace } from "../../triangles/triangle";
import type { Part } from "./choice";
import { describe, discardsOf, isPure, leadsToDeadEnd, type Action, type Complete } from "./words";

export function Bar(props: Part) {
  const { choice, legal } = props;
  const { begun, whole, toDiscard } = choice;
  // A turn that ends or begins says nothing: what was said last stands.
  const { view, t } = props;
  const said = view.happened.flatMap((event) => describe(event, props, t, view.mine) ?? []);
  const news = useRef(said);
  if (said.length > 0) news.current = said;
  return (
    <div class={`ct-bar ${begun.why ? "answers" : ""}`} data-at="bar">
      {begun.why && (
        <p class="ct-about ct-why" aria-hidden="true">
          {begun.why}
        </p>
      )}
      {begun.act ? (
        <Confirm {...props} action={begun.act} />
      ) : toDiscard ? (
        <Discard {...props} />
      ) : whole ? (
        <Whole {...props} ways={whole} />
      ) : begun.spots.length > 0 ? (
        <More {...props} />
      ) : legal.length > 0 ? (
        <Offers {...props} />
      ) : (
        <p class="ct-about ct-news" aria-hidden="true">
          {news.current.map(({ key, values }) => props.t(key, values)).join(" ")}
        </p>
      )}
    </div>
  );
}

/** What is asked now, to be seen and to be heard. */
function About(props: Part & { text: string; warns?: boolean }) {
  const { text, warns, announce, t } = props;
  useEffect(() => announce(warns ? `${text} ${t("web.card_triangles.dead_end")}` : text), [text]);
  return (
    <p class="ct-about">
      {text} {warns && <DeadEnd {...props} />}
    </p>
  );
}

function DeadEnd({ t }: Part) {
  return (
    <span class="ct-warning">
      <b aria-hidden="true">{"\u26a0"}</b> {t("web.card_triangles.dead_end")}
    </span>
  );
}

function Cancel({ t, choice }: Part) {
  return (
    <button
      type="button"
      class="ct-cancel"
      data-role="back"
      aria-label={t("web.cancel")}
      onClick={choice.cancel}
    >
      {"\u2715"}
    </button>
  );
}

function Confirm(props: Part & { action: Action }) {
  const { view, t, choice, action } = props;
  const key = action.do === "end" && action.last_round ? "call" : action.do;
  return (
    <>
      <About
        {...props}
        text={t(`web.card_triangles.sure.${key}`)}
        warns={leadsToDeadEnd(view, action)}
      />
      <button
        type="button"
        class="primary"
        data-role="commit"
        data-act={action.do}
        onClick={() => choice.commit(action)}
      >
        {t("web.yes")}
      </button>
      <Cancel {...props} />
    </>
  );
}

function Discard(props: Part) {
  const { t, choice } = props;
  const action = choice.toDiscard!;
  return (
    <>
      <About
        {...props}
        text={t("web.card_triangles.discard_this", { card: cardText(t, action.card) })}
      />
      <button
        type="button"
        class="primary"
        data-role="commit"
        data-act="discard"
        onClick={() => choice.pick(action)}
      >
        {t("web.card_triangles.discard")}
      </button>
      <Cancel {...props} />
    </>
  );
}

/** A triangle is found: which of its pieces is saved? */
function Whole(props: Part & { ways: Complete[] }) {
  const { view, t, choice, ways, settings } = props;
  const [first] = ways;
  const isOne = ways.length === 1;
  const about = isOne
    ? t("web.card_triangles.saves", {
        pure: isPure(first!) ? "yes" : "no",
        cards: cardsText(t, first!.save),
      })
    : t("web.card_triangles.which");
  return (
    <>
      <About {...props} text={about} warns={ways.every((way) => leadsToDeadEnd(view, way))} />
      {isOne ? (
        <button
          type="button"
          class="primary"
          data-role="commit"
          data-act={choice.sends(first)}
          onClick={() => choice.pick(first)}
        >
          {t("web.card_triangles.complete")}
        </button>
      ) : (
        <span class="ct-ways" role="group" aria-label={about} onKeyDown={focusNext}>
          {ways.map((way, i) => (
            <button
              key={i}
              type="button"
              class="ct-way"
              data-role={i === 0 ? "commit" : undefined}
              data-several=""
              data-act={choice.sends(way)}
              onClick={() => choice.pick(way)}
            >
              <span class="hidden">
                {t("web.card_triangles.save_this", {
                  card: cardsText(t, way.save),
                  count: discardsOf(way).length,
                  discarded: cardsText(t, discardsOf(way)),
                })}
              </span>
              {way.save.map((card, j) => (
                <CardFace key={j} card={card} />
              ))}
              {settings.shortcuts && <KeyHint keys={t.number(i + 1)} />}
            </button>
          ))}
        </span>
      )}
      <Cancel {...props} />
    </>
  );
}

function More(props: Part) {
  return (
    <>
      <About {...props} text={props.t("web.card_triangles.more")} />
      <Cancel {...props} />
    </>
  );
}

/** Nothing is begun yet: what there is to do. */
function Offers(props: Part) {
  const { view, options, t, choice, settings } = props;
  const { ends, discards, draws, jokers, count } = choice;
  const call = ends.find(({ last_round }) => last_round);
  const end = ends.find(({ last_round }) => !last_round);
  // A call that is sure to come true is the thing to do; a bluff is not.
  const callFirst = call !== undefined && (options.call ?? "provable") === "provable";
  let hint = "none";
  if (discards.length > 0) hint = "discard";
  else if (callFirst) hint = "call";
  else if (jokers.length > 0) hint = "joker";
  else if (draws.length > 0) hint = count > 0 ? "either" : "draw";
  else if (count > 0) hint = "complete";
  return (
    <>
      <p class="ct-about">
        {hint !== "none" && t(`web.card_triangles.hint.${hint}`)}{" "}
        {end && leadsToDeadEnd(view, end) && <DeadEnd {...props} />}
      </p>
      {count > 0 && (
        <button type="button" class="ct-next" data-role="help" onClick={choice.next}>
          {t("web.card_triangles.triangles", { count })}
          {settings.shortcuts && <KeyHint keys={t.number(8)} />}
        </button>
      )}
      {call && (
        <button
          type="button"
          class={`ct-call ${callFirst ? "primary" : ""}`}
          data-first={callFirst ? "" : undefined}
          data-act={choice.sends(call)}
          onClick={() => choice.end(true)}
        >
          {t("web.card_triangles.call")}
          {settings.shortcuts && <KeyHint keys={t.number(7)} />}
        </button>
      )}
      {end && (
        <button
          type="button"
          class={callFirst ? "" : "primary"}
          data-first=""
          data-act={choice.sends(end)}
          onClick={() => choice.end(false)}
        >
          {call ? t("web.card_triangles.end_silently") : t("web.card_triangles.end")}
          {settings.shortcuts && draws.length === 0 && <KeyHint keys={t.number(0)} />}
        </button>
      )}
    </>
  );
}
