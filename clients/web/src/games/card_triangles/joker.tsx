// The dialog of a joker: what it stands for, and whose saved piece it takes, if any.
import { useLayoutEffect, useRef } from "preact/hooks";
import { KeyHint } from "../../board/key_hint";
import { digitOf, useKeys } from "../../board/keys";
import { Sheet } from "../../shell/sheet";
import { cardText, type Card } from "../../triangles/pieces";
import { CardFace, Triangle } from "../../triangles/triangle";
import type { Part } from "./choice";
import { leadsToDeadEnd, type Joker } from "./words";

/** One button for each piece that can be taken from a player, however many copies there are. */
function thefts(acts: readonly Joker[]): Map<number, Joker[]> {
  const found = new Map<number, Joker[]>();
  for (const each of acts) {
    if (!each.steal) continue;
    const { seat } = each.steal;
    found.set(seat, [...(found.get(seat) ?? []), each]);
  }
  return found;
}

export function JokerSheet(props: Part & { joker: Card }) {
  const { view, name, t, choice, joker, live, settings } = props;
  const acts = choice.jokerActs(joker);
  const plain = acts.find(({ steal }) => !steal);
  const stolen = thefts(acts);
  const all = [...(plain ? [plain] : []), ...[...stolen.values()].flat()];
  const keys = (act: Joker) => {
    const number = all.indexOf(act) + 1;
    return settings.shortcuts && number < 10 && <KeyHint keys={t.number(number)} />;
  };
  useKeys(
    live && settings.shortcuts,
    (event) => {
      const act = event.shiftKey ? undefined : all[Number(digitOf(event)) - 1];
      return act && (() => choice.pick(act));
    },
    true,
  );
  const values = {
    card: cardText(t, joker),
    cut: t(`deck.cut.${joker.cut}`),
    color: t(`deck.color.${joker.color}`),
  };
  const body = useRef<HTMLDivElement>(null);
  // What the joker does, not the way out, is what Enter means.
  useLayoutEffect(() => body.current!.querySelector("button")?.focus(), []);
  return (
    <Sheet title={t("web.card_triangles.joker.title", values)} close={choice.cancel}>
      <div class="ct-joker" ref={body}>
        <p class="ct-stands">
          <Triangle cards={[joker]} quiet />
          <span>{t("web.card_triangles.joker.stands", values)}</span>
        </p>
        {plain && (
          <button
            type="button"
            class="big primary"
            data-act={choice.sends(plain)}
            onClick={() => choice.pick(plain)}
          >
            {t("web.card_triangles.joker.plain")}
            {keys(plain)}
          </button>
        )}
        {plain && leadsToDeadEnd(view, plain) && (
          <p class="ct-warning">{t("web.card_triangles.dead_end")}</p>
        )}
        {[...stolen].map(([seat, ways]) => (
          <section key={seat} aria-labelledby={`ct-steal-${seat}`}>
            <h3 id={`ct-steal-${seat}`}>
              {t("web.card_triangles.joker.steal", { name: name(seat) })}
            </h3>
            <ul class="ct-thefts">
              {ways.map((way, i) => (
                <li key={i}>
                  <button
                    type="button"
                    class="ct-way"
                    data-act={choice.sends(way)}
                    onClick={() => choice.pick(way)}
                  >
                    <span class="hidden">
                      {t("web.card_triangles.joker.take", {
                        card: cardText(t, way.steal!.card),
                        name: name(seat),
                      })}
                    </span>
                    <CardFace card={way.steal!.card} />
                    {keys(way)}
                  </button>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Sheet>
  );
}
