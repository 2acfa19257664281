// What is asked between and after the rounds: the next tower, and which hidden tokens shall count.
import { useState } from "preact/hooks";
import { Marker, Pile, Token } from "../../art/art";
import { KeyHint } from "../../board/key_hint";
import { digitOf, useKeys } from "../../board/keys";
import { focusNext } from "../../board/roving";
import { bestReveal, hintOf } from "./controls";
import type { Part } from "./play";
import { animalName, isSame, signed, tone } from "./words";

export function TowerChoice({ options, t, play, settings }: Part) {
  const shadow = (options.variant ?? "base") === "base" ? 0 : 1;
  const { tower } = play.controls;
  return (
    <section class="tq-choice">
      <p>{t("web.triqueta.all_alike", { count: tower.length })}</p>
      <ul aria-label={t("web.triqueta.question.tower")} onKeyDown={focusNext}>
        {tower.map((offer, i) => (
          <li key={offer.action.tower}>
            <button
              type="button"
              class="tq-card"
              data-first={i === 0 ? "" : undefined}
              data-act={play.sends(offer)}
              tabIndex={i === 0 ? 0 : -1}
              onClick={() => play.pick(offer)}
            >
              <span class="tq-card-tower" aria-hidden="true">
                {[0, 1, 2].map((column) => (
                  <Pile key={column} light={3} shadow={shadow} />
                ))}
              </span>
              <span class="tq-card-name">
                <Marker name="tree" />{" "}
                {t("web.triqueta.tower_name", { tower: offer.action.tower + 1 })}
              </span>
              {settings.shortcuts && <KeyHint keys={t.number(offer.action.tower + 1)} />}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The secret decision at the end; what I answered stays to be seen until all have. */
export function Ballot({ view, t, play, live, settings }: Part) {
  const { reveal } = play.controls;
  const down = view.mine?.down ?? [];
  const [mine, setMine] = useState<boolean[] | undefined>(undefined);
  const answer = view.answer?.do === "reveal" ? view.answer.keep : undefined;
  const wish = mine ?? answer ?? bestReveal(reveal) ?? down.map(() => true);
  const offer = reveal.find(({ action }) => isSame(action.keep, wish));
  const hint = hintOf(offer);
  const turn = (index: number) =>
    reveal.length > 0 && setMine(wish.map((each, i) => (i === index ? !each : each)));
  useKeys(live && settings.shortcuts, (event) => {
    const digit = event.shiftKey ? undefined : digitOf(event);
    const index = Number(digit) - 1;
    if (digit === "0" && offer) return () => play.commit(offer);
    return index in down ? () => turn(index) : undefined;
  });
  return (
    <section class="tq-ballot" aria-labelledby="tq-ballot">
      <h2 id="tq-ballot" class="hidden">
        {t("web.triqueta.question.reveal")}
      </h2>
      <ul onKeyDown={focusNext}>
        {down.map((animal, i) => (
          <li key={i}>
            <button
              type="button"
              class={`tq-card ${wish[i] ? "chosen" : "boxed"}`}
              aria-pressed={wish[i]}
              aria-disabled={reveal.length === 0}
              tabIndex={i === 0 ? 0 : -1}
              onClick={() => turn(i)}
            >
              <span class="hidden">
                {t("web.triqueta.vote", {
                  animal: animalName(t, animal),
                  counts: wish[i] ? "yes" : "no",
                })}
              </span>
              <Token face={animal} />
              <b aria-hidden="true">{animalName(t, animal)}</b>
              <span aria-hidden="true">
                {t(wish[i] ? "web.triqueta.counts" : "web.triqueta.counts_not")}
              </span>
              {settings.shortcuts && offer && <KeyHint keys={t.number(i + 1)} />}
            </button>
          </li>
        ))}
      </ul>
      {offer ? (
        <button
          type="button"
          class="big primary"
          data-first=""
          data-role="commit"
          data-act="reveal"
          onClick={() => play.commit(offer)}
        >
          {t("web.triqueta.decide")}
          {hint !== undefined && <b class={`tq-points ${tone(hint)}`}>{signed(t, hint)}</b>}
          {settings.shortcuts && <KeyHint keys={t.number(0)} />}
        </button>
      ) : (
        <p class="note">{t("web.triqueta.decided")}</p>
      )}
    </section>
  );
}
