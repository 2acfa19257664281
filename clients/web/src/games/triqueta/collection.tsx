// What a player has: as a strip on the board, and in full in a sheet; hidden tokens for their owner.
import { kAnimals, kValues, Marker, Token, type Animal, type Back } from "../../art/art";
import type { SheetProps, Translator } from "../../skin";
import { playerText } from "./describe";
import { animalName, grouped, tokensText, type Options, type Triqueta, type View } from "./words";

type Part = SheetProps<Triqueta> & { seat: number };

/** The animals that are in the game. */
const animalsOf = (options: Options) =>
  (options.variant ?? "base") === "base" ? kAnimals.filter((each) => each !== "wolf") : kAnimals;

/**
 * Three dots, filled as far as the triqueta goes; what is too many stands beside them. `dark` more are
 * shadow tokens, which count too and which only I know.
 */
function Dots({ count, dark = 0, t }: { count: number; dark?: number; t: Translator }) {
  const all = count + dark;
  const state = `${all === 3 ? "three" : all > 3 ? "beyond" : ""} ${dark > 0 ? "dark" : ""}`;
  return (
    <span class={`tq-dots ${state}`} data-why="dots">
      {all > 3
        ? `3+${t.number(all - 3)}`
        : [1, 2, 3].map((each) => (
            <i key={each} class={each <= count ? "full" : each <= all ? "dark" : ""} />
          ))}
    </span>
  );
}

interface CellProps {
  animal: Animal;
  count: number;
  dark: number;
  t: Translator;
}

function Cell({ animal, count, dark, t }: CellProps) {
  return (
    <span class={`tq-cell ${count > 0 ? "" : dark > 0 ? "only-dark" : "none"}`} aria-hidden="true">
      <Token face={animal} at={`mine-${animal}`} />
      <Dots count={count} dark={dark} t={t} />
      <small class="tq-value">{t.number(kValues[animal])}</small>
    </span>
  );
}

/** Of what I hide, so many stand on the strip; all are in the sheet. */
const kMostFaces = 2;

/** What lies upon one kind of back: all of it if it is little or of one kind, else how many and the newest. */
function Faces({ back, faces, count }: { back: Back; faces: Animal[]; count: number }) {
  const kinds = grouped(faces);
  const isAll = kinds.length === 1 || (kinds.length > 0 && count <= kMostFaces);
  const shown = isAll ? kinds : faces.slice(-1).map((animal): [Animal, number] => [animal, 1]);
  return (
    <b>
      <Token face={back} count={isAll ? 1 : count} />
      {shown.map(([animal, many]) => (
        <Token key={animal} face={animal} count={many} class="tq-face" />
      ))}
    </b>
  );
}

export function Strip(props: Part & { open(): void }) {
  const { view, options, seat, t } = props;
  const { up, down, shadow } = view.table.seats[seat]!;
  const own = view.mine?.shadow ?? [];
  return (
    <button type="button" class="tq-strip" onClick={props.open}>
      <span class="hidden">
        {`${t("web.keys.mine")}: ${playerText(view, seat, props, t)}.`}
        {own.length > 0 &&
          ` ${t("triqueta.mine", { kind: "shadow", tokens: tokensText(t, grouped(own)) })}`}
      </span>
      {animalsOf(options).map((animal) => (
        <Cell
          key={animal}
          animal={animal}
          count={up[animal] ?? 0}
          dark={own.filter((each) => each === animal).length}
          t={t}
        />
      ))}
      <span class="tq-cell tq-hidden" data-at="hidden" aria-hidden="true">
        {[
          { back: "light" as const, count: down, faces: view.mine?.down ?? [] },
          { back: "shadow" as const, count: shadow, faces: view.mine?.shadow ?? [] },
        ].map(
          ({ back, count, faces }) =>
            count > 0 && <Faces key={back} back={back} count={count} faces={faces} />,
        )}
        {down + shadow === 0 && <i class="tq-hollow" />}
      </span>
    </button>
  );
}

function Hidden({ view, t }: { view: View; t: Translator }) {
  const { down = [], shadow = [] } = view.mine ?? {};
  if (down.length + shadow.length === 0) return null;
  return (
    <section class="tq-secret">
      <h3>{t("web.generic.mine")}</h3>
      <ul>
        {[
          { back: "light" as const, animals: down },
          { back: "shadow" as const, animals: shadow },
        ].map(
          ({ back, animals }) =>
            animals.length > 0 && (
              <li key={back}>
                <Token face={back} />
                <span class="tq-arrow" aria-hidden="true" />
                {grouped(animals).map(([animal, count]) => (
                  <span key={animal} class="tq-named">
                    <Token face={animal} count={count} />
                    {animalName(t, animal)}
                  </span>
                ))}
              </li>
            ),
        )}
      </ul>
    </section>
  );
}

export function Collection({ view, options, seat, me, t }: Part) {
  const player = view.table.seats[seat]!;
  const { up, down, shadow, trees } = player;
  return (
    <div class="tq-collection">
      <ul class="tq-animals">
        {animalsOf(options).map((animal) => {
          const count = up[animal] ?? 0;
          return (
            <li key={animal} class={count === 0 ? "none" : ""}>
              <Token face={animal} />
              <span>
                <b>{t("web.triqueta.some", { count, animal: animalName(t, animal) })}</b>
                <small>{t("web.triqueta.worth", { value: kValues[animal] })}</small>
              </span>
              <Dots count={count} t={t} />
            </li>
          );
        })}
      </ul>
      <ul class="tq-facts">
        {view.table.rock === seat && (
          <li>
            <Marker name="rock" /> {t("web.triqueta.rock")}
          </li>
        )}
        {trees > 0 && (
          <li>
            <Marker name="tree" /> {t("web.triqueta.trees", { count: trees })}
          </li>
        )}
        {down > 0 && (
          <li>
            <Token face="light" /> {t("web.triqueta.hidden", { count: down })}
          </li>
        )}
        {shadow > 0 && (
          <li>
            <Token face="shadow" /> {t("web.triqueta.shadows", { count: shadow })}
          </li>
        )}
      </ul>
      {seat === me && <Hidden view={view} t={t} />}
    </div>
  );
}

/** Each kind in its place, so that players are compared at a glance. */
export function Panel({ view, options, seat }: { view: View; options: Options; seat: number }) {
  const player = view.table.seats[seat];
  if (!player) return null;
  const kinds = animalsOf(options);
  return (
    <span class={`tq-panel kinds-${kinds.length}`}>
      {kinds.map((animal) => {
        const count = player.up[animal] ?? 0;
        const state = count === 0 ? "none" : count === 3 ? "three" : count > 3 ? "beyond" : "";
        return (
          <span key={animal} class={state}>
            <Token face={animal} />
            <b>{count > 0 && count}</b>
          </span>
        );
      })}
    </span>
  );
}

/** On the chip of a player: out of the round, hidden tokens, rock, trees; badge() says the same. */
export function Badge(props: { view: View; seat: number; mine?: View["mine"] }) {
  const { view, seat, mine } = props;
  const player = view.table.seats[seat];
  if (!player) return null;
  const { row, down, shadow, trees } = player;
  return (
    <span class="tq-badge" aria-hidden="true">
      {row !== undefined && <i class="tq-tick" />}
      {view.table.rock === seat && <Marker name="rock" />}
      {mine
        ? grouped([...(mine.down ?? []), ...(mine.shadow ?? [])]).map(([animal, count]) => (
            <Token key={animal} face={animal} count={count} />
          ))
        : [
            { back: "light" as const, count: down },
            { back: "shadow" as const, count: shadow },
          ].map(
            ({ back, count }) =>
              count > 0 && (
                <span key={back}>
                  <Token face={back} />
                  {count}
                </span>
              ),
          )}
      {trees > 0 && (
        <span>
          <Marker name="tree" />
          {trees}
        </span>
      )}
    </span>
  );
}
