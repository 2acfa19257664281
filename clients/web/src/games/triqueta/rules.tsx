// The short rules, in our own words and with the pictures of the game.
import type { ComponentChildren } from "preact";
import { kAnimals, kValues, Marker, Pile, Token, type Animal } from "../../art/art";
import type { Translator } from "../../skin";
import { animalName } from "./words";

function Page(props: { name: string; title: string; text: string; children?: ComponentChildren }) {
  return (
    <section class="tq-page" data-rule={props.name}>
      <h2>{props.title}</h2>
      <div class="tq-picture" aria-hidden="true">
        {props.children}
      </div>
      <p>{props.text}</p>
    </section>
  );
}

const Some = ({ face, count }: { face: Animal; count: number }) => (
  <>
    {Array.from({ length: count }, (_, i) => (
      <Token key={i} face={face} />
    ))}
  </>
);

const Result = ({ points, bad }: { points: string; bad?: boolean }) => (
  <b class={`tq-points ${bad ? "bad" : "good"}`}>{points}</b>
);

function Goal() {
  return (
    <div class="tq-examples">
      <div>
        <Some face="bear" count={1} />
        <Result points="1" />
      </div>
      <div>
        <Some face="owl" count={2} />
        <Result points="2" />
      </div>
      <div>
        <Some face="ram" count={3} />
        <Result points="9" />
      </div>
      <div>
        <Some face="deer" count={5} />
        <Result points={"\u22122"} bad />
      </div>
    </div>
  );
}

function Values({ t }: { t: Translator }) {
  return (
    <ul class="tq-values">
      {kAnimals.map((animal) => (
        <li key={animal}>
          <Token face={animal} />
          <span>{animalName(t, animal)}</span>
          <b>{t.number(kValues[animal])}</b>
        </li>
      ))}
    </ul>
  );
}

export function Rules({ t }: { t: Translator }) {
  const page = (name: string, picture: ComponentChildren) => (
    <Page
      name={name}
      title={t(`web.triqueta.rules.${name}_title`)}
      text={t(`web.triqueta.rules.${name}`)}
    >
      {picture}
    </Page>
  );
  return (
    <div class="tq-rules">
      {page("goal", <Goal />)}
      <section class="tq-page">
        <h2>{t("web.triqueta.rules.values_title")}</h2>
        <Values t={t} />
      </section>
      {page(
        "draw",
        <>
          {[3, 2, 3, 1, 3].map((light, i) => (
            <Pile key={i} light={light} shadow={0} />
          ))}
        </>,
      )}
      {page(
        "place",
        <>
          <Token face="rabbit" />
          <span class="tq-arrow" />
          <span class="tq-mini-row">
            <Token face="bear" count={2} />
            <Token face="owl" />
            <Token face="rabbit" class="last" />
          </span>
          <span class="tq-or" />
          <Token face="light" />
        </>,
      )}
      {page(
        "take",
        <>
          <span class="tq-mini-row">
            <Token face="deer" count={2} />
            <Token face="ram" />
          </span>
          <span class="tq-arrow" />
          <Token face="deer" count={3} />
          <Token face="ram" />
        </>,
      )}
      {page(
        "round",
        <>
          <Marker name="rock" />
          <Result points="1" />
          <Marker name="tree" />
          <Result points="1" />
        </>,
      )}
      {page(
        "end",
        <>
          <Token face="light" />
          <span class="tq-arrow" />
          <Token face="boar" />
        </>,
      )}
      {page(
        "wolves",
        <>
          <Pile light={2} shadow={1} />
          <Pile light={0} shadow={1} />
          <span class="tq-arrow" />
          <Token face="shadow" />
          <span class="tq-arrow" />
          <Token face="wolf" />
        </>,
      )}
      {page(
        "duo",
        <>
          <Token face="bear" />
          <Token face="owl" />
        </>,
      )}
    </div>
  );
}
