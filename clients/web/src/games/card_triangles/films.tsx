// The rules of 21/15/9 as pictures that move: each stands as it ends, and shows once how it came to that, when
// it comes into sight and when somebody wants to see it again. Without motion it stands.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../../shell/icons";
import type { Translator } from "../../skin";
import type { Card, Color, Cut } from "../../triangles/pieces";
import { CardFace, Triangle } from "../../triangles/triangle";

const card = (cut: Cut, number: number, color: Color): Card => ({ cut, number, color });

function Film({ t, children }: { t: Translator; children: ComponentChildren }) {
  const stage = useRef<HTMLDivElement>(null);
  const [shown, show] = useState(0);
  useEffect(() => {
    if (typeof IntersectionObserver === "undefined") return;
    const watch = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        watch.disconnect();
        show(1);
      },
      { threshold: 0.6 },
    );
    watch.observe(stage.current!);
    return () => watch.disconnect();
  }, []);
  return (
    <div class="ct-film" ref={stage}>
      {/* Another key is another picture, which moves anew. */}
      <div key={shown} class={`ct-stage ${shown > 0 ? "runs" : ""}`} aria-hidden="true">
        {children}
      </div>
      <button
        type="button"
        class="round ct-again"
        aria-label={t("web.card_triangles.film.again")}
        onClick={() => show((times) => times + 1)}
      >
        <Icon name="play" />
      </button>
    </div>
  );
}

/** A place on the stage, with its name. */
const Zone = (props: { name: string; class?: string; children?: ComponentChildren }) => (
  <span class={`ct-zone ${props.class ?? ""}`}>
    <small>{props.name}</small>
    <span>{props.children}</span>
  </span>
);

/** What comes from elsewhere on the stage: so many widths of a card to the left and upwards. */
const Comes = (props: { x: number; y?: number; at: number; children: ComponentChildren }) => (
  <span class="ct-comes" style={{ "--x": -props.x, "--y": -(props.y ?? 0), "--at": props.at }}>
    {props.children}
  </span>
);

const Hole = () => <span class="ct-hole" />;

export function Saving({ t }: { t: Translator }) {
  const [one, two, three] = [
    card("horizontal", 1, "pink"),
    card("horizontal", 2, "green"),
    card("horizontal", 3, "red"),
  ] as const;
  return (
    <Film t={t}>
      <Zone name={t("web.card_triangles.film.hand")}>
        {[one, two, three].map((_, i) => (
          <Hole key={i} />
        ))}
      </Zone>
      <span class="ct-arrow" />
      <span class="ct-zones">
        <Zone name={t("web.card_triangles.film.saved")} class="saved">
          <Comes x={3} y={-0.8} at={0}>
            <CardFace card={two} />
          </Comes>
        </Zone>
        <Zone name={t("web.card_triangles.film.discards")}>
          <Comes x={4} y={0.8} at={1}>
            <CardFace card={one} />
          </Comes>
          <Comes x={3} y={0.8} at={2}>
            <CardFace card={three} />
          </Comes>
        </Zone>
      </span>
    </Film>
  );
}

export function Jokers({ t }: { t: Translator }) {
  return (
    <Film t={t}>
      <span class="ct-zones">
        <Zone name={t("web.card_triangles.film.out")}>
          <Comes x={-3.4} y={-0.8} at={0}>
            <Triangle cards={[{ cut: "vertical", color: "pink" }]} />
          </Comes>
        </Zone>
        <Zone name={t("web.card_triangles.film.theirs")} class="saved">
          <Hole />
        </Zone>
      </span>
      <span class="ct-arrow" />
      <Zone name={t("web.card_triangles.film.hand")}>
        <Hole />
        <Comes x={3.4} y={-0.8} at={2}>
          <CardFace card={card("vertical", 3, "green")} />
        </Comes>
      </Zone>
    </Film>
  );
}

/** You call, each of the others has one turn more, and then yours takes the last card. */
export function Round({ t }: { t: Translator }) {
  const turns = ["!", "2", "3", "\u2713"];
  return (
    <Film t={t}>
      <span class="ct-turns">
        {turns.map((sign, i) => (
          <span key={i} class={`ct-turn ${i % 3 === 0 ? "mine" : ""}`} style={{ "--at": i }}>
            <b>{sign}</b>
            {i === 0 && <CardFace card={card("centered", 1, "green")} />}
            {i === turns.length - 1 && <Hole />}
          </span>
        ))}
      </span>
    </Film>
  );
}

export function DeadEnd({ t }: { t: Translator }) {
  return (
    <Film t={t}>
      <Zone name={t("web.card_triangles.film.hand")}>
        <CardFace card={card("centered", 3, "red")} />
      </Zone>
      <Zone name={t("web.card_triangles.film.saved")} class="saved">
        <CardFace card={card("vertical", 2, "pink")} />
        <CardFace card={card("horizontal", 1, "green")} />
      </Zone>
      <b class="ct-turn out" style={{ "--at": 2 }}>
        {"\u2715"}
      </b>
    </Film>
  );
}
