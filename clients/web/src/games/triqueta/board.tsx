// The table of Triqueta: tower, rows, what I have, and a bar for what I hold and must confirm. A tap
// on a column draws, a tap on a row places or takes; big moves are asked for again in the bar.
import { useEffect, useState } from "preact/hooks";
import { Marker, Pile, Token } from "../../art/art";
import { useCarry } from "../../board/carry";
import { useFlights } from "../../board/flight";
import { useFocus } from "../../board/focus";
import { KeyHint } from "../../board/key_hint";
import { confirmKey, digitOf, useKeys } from "../../board/keys";
import { once } from "../../board/once";
import { focusNext } from "../../board/roving";
import { Avatar } from "../../shell/parts";
import { Sheet } from "../../shell/sheet";
import type { BoardProps } from "../../skin";
import { Bar, Rock } from "./bar";
import { Collection, Strip } from "./collection";
import { hintOf, nextColumns, rockBy, rockWord } from "./controls";
import { rowText } from "./describe";
import { flightsOf } from "./flight";
import { Ballot, TowerChoice } from "./phases";
import { drawOf, usePlay, type Part, type Play } from "./play";
import { grouped, isSame, leftInTower, signed, tone, type Triqueta, type View } from "./words";
import "./triqueta.css";

function keyOf(
  event: KeyboardEvent,
  board: HTMLElement | null,
  play: Play,
  letter: (key: string) => string | false,
  digits: boolean,
): (() => void) | undefined {
  const digit = digits ? digitOf(event) : undefined;
  const key = event.key.toUpperCase();
  const { act, columns } = play.begun;
  if (key === "ESCAPE" && (act || columns)) return play.cancel;
  const confirm = act && confirmKey(event, board);
  if (confirm) return confirm;
  if (digit === "0" || key === letter("web.triqueta.keys.draw_key")) return play.drawAny;
  if (digit === "9" || key === letter("web.triqueta.keys.keep_key")) return play.keep;
  if (digit === "8" || key === letter("web.triqueta.keys.discard_key")) return play.discard;
  if (digit === undefined) return undefined;
  const index = Number(digit) - 1;
  if (columns || event.shiftKey) return () => play.column(index);
  if (digit === "7") return play.other;
  const tower = play.controls.tower.find(({ action }) => action.tower === index);
  return tower ? () => play.pick(tower) : () => play.row(index);
}

/** True from my first shadow token on until I have drawn or taken again; `tell` is called once. */
function useFirstShadow(view: View, live: boolean, tell: () => void): boolean {
  const count = view.mine?.shadow.length ?? 0;
  const [before, setBefore] = useState({ rev: view.rev, count, isNew: false });
  if (before.rev !== view.rev) {
    const acted = view.happened.some(
      (event) => (event.event === "drew" || event.event === "took") && event.seat === view.seat,
    );
    const isNew = live && count > 0 && (before.count === 0 || (before.isNew && !acted));
    setBefore({ rev: view.rev, count, isNew });
  }
  useEffect(() => {
    if (!before.isNew) return;
    // What happened is told first.
    const timer = window.setTimeout(tell);
    return () => window.clearTimeout(timer);
  }, [before.isNew]);
  return before.isNew;
}

export function Board(props: BoardProps<Triqueta>) {
  const { view, me, settings, t, live } = props;
  const play = usePlay(props);
  const [looking, setLooking] = useState(false);
  const letter = (key: string) => settings.shortcuts && t(key);
  useKeys(live, (event) => keyOf(event, root.current, play, letter, settings.shortcuts));
  const { root, layer } = useFlights(
    view,
    () => flightsOf(view.happened, props),
    settings.motion_ms,
  );
  useCarry(root, (from) => {
    const held = play.token === undefined ? undefined : play.controls.tokens.get(play.token);
    if (from !== "bar" || !held) return new Map();
    const rows = [...held.place.keys()].map((row) => [`row-${row}`, () => play.row(row)] as const);
    return new Map([...rows, ...(held.keep ? [["hidden", play.keep] as const] : [])]);
  });
  useFocus(root, view.rev, props.legal.length > 0, play.begun.act);

  const isNew = useFirstShadow(view, live, () => props.announce(t("web.triqueta.first_shadow")));
  const { phase } = view.table;
  const choosing = play.controls.tower.length > 0;
  const voting = phase === "reveal" && me !== undefined && (view.mine?.down.length ?? 0) > 0;
  return (
    <div class={`tq rows-${view.table.rows.length}`} ref={root}>
      {!choosing && !voting && <TowerStrip {...props} play={play} />}
      {choosing ? (
        <TowerChoice {...props} play={play} />
      ) : voting ? (
        <Ballot {...props} play={play} />
      ) : (
        <Rows {...props} play={play} />
      )}
      {me !== undefined && (
        <div class="tq-own">
          <Strip {...props} seat={me} open={() => setLooking(true)} />
          {isNew && <p class="tq-note">{t("web.triqueta.first_shadow")}</p>}
        </div>
      )}
      <Bar {...props} play={play} />
      <div class="flights" ref={layer} aria-hidden="true" />
      {looking && me !== undefined && (
        <Sheet title={t("web.keys.mine")} close={() => setLooking(false)}>
          <Collection {...props} seat={me} />
        </Sheet>
      )}
    </div>
  );
}

function TowerStrip({ view, options, t, play, pending, settings }: Part) {
  const { tower, waiting } = view.table;
  const hasShadows = (options.variant ?? "base") !== "base";
  const chosen = play.begun.columns ?? [];
  const open = nextColumns(play.controls.draw, chosen);
  const drew = view.happened.flatMap((event) => (event.event === "drew" ? event.columns : []));
  const busy = pending?.do === "draw" ? pending.columns : [];
  return (
    <section
      class="tq-tower"
      aria-label={t("web.triqueta.tower", { left: leftInTower(view.table) })}
    >
      <ul onKeyDown={focusNext}>
        {[0, 1, 2, 3, 4].map((column) => {
          const light = tower?.light[column] ?? 0;
          const shadow = tower?.shadow[column] ?? 0;
          const can = open.has(column);
          const state = [
            can ? "can" : "",
            chosen.includes(column) ? "chosen" : "",
            drew.includes(column) ? "last" : "",
            busy.includes(column) ? "busy" : "",
          ].join(" ");
          return (
            <li key={column}>
              <button
                type="button"
                class={`tq-column ${state}`}
                data-at={`column-${column}`}
                data-act={play.sends(drawOf(play.controls, [...chosen, column]))}
                aria-disabled={!can}
                tabIndex={column === (open.size > 0 ? Math.min(...open) : 0) ? 0 : -1}
                aria-label={t("web.triqueta.column", {
                  act: can ? "draw" : "look",
                  column: column + 1,
                  light,
                  shadow,
                })}
                onClick={() => play.column(column)}
              >
                <Pile light={light} shadow={shadow} />
                {settings.shortcuts && can && (
                  <KeyHint keys={`${play.begun.columns ? "" : "\u21e7"}${t.number(column + 1)}`} />
                )}
              </button>
            </li>
          );
        })}
      </ul>
      <p class="tq-waiting" data-at="waiting">
        <span class="hidden">
          {t("web.triqueta.waiting", {
            count: waiting.length,
            shadows: hasShadows ? "yes" : "no",
          })}
        </span>
        <span aria-hidden="true">
          {waiting.map((id) => (
            <span key={id} class="tq-next" data-why={hasShadows ? "tree_shadows" : "tree"}>
              <Marker name="tree" />
              {hasShadows && <i class="tq-shade" />}
            </span>
          ))}
        </span>
      </p>
    </section>
  );
}

function Rows(props: Part) {
  const { view, me, t, play, pending } = props;
  const { rows } = view.table;
  const { controls, token, begun } = play;
  const places = token === undefined ? undefined : controls.tokens.get(token)!.place;
  const offers = rows.map((_, row) => controls.take.get(row) ?? places?.get(row));
  const first = offers.findIndex(Boolean);
  return (
    <ol class="tq-rows" data-at="rows" aria-label={t("web.triqueta.rows")} onKeyDown={focusNext}>
      {rows.map((row, index) => {
        const offer = offers[index];
        const rock = offer ? rockBy(offer, view.table, me) : 0;
        const points = hintOf(offer, rock);
        const placed = view.happened.flatMap((event) =>
          event.event === "placed" && event.row === index && event.animal ? event.animal : [],
        );
        const took = view.happened.some((event) => event.event === "took" && event.row === index);
        const chosen = begun.act !== undefined && isSame(begun.act.action, offer?.action);
        const busy = pending !== undefined && "row" in pending && pending.row === index;
        const state = [
          offer ? "can" : "",
          offer?.action.do === "place" ? "place" : "",
          chosen ? "chosen" : "",
          busy ? "busy" : "",
          took ? "last" : "",
          row.taken_by === undefined ? "" : "taken",
        ].join(" ");
        return (
          <li key={index}>
            <button
              type="button"
              class={`tq-row ${state}`}
              data-at={`row-${index}`}
              data-act={play.sends(offer)}
              data-first={index === first && controls.draw.length === 0 ? "" : undefined}
              aria-disabled={!offer}
              tabIndex={index === Math.max(0, first) ? 0 : -1}
              onClick={once(() => play.row(index))}
            >
              <span class="hidden">
                {t("web.triqueta.row", {
                  act: offer?.action.do ?? "look",
                  row: index + 1,
                  tokens: rowText(view, index, props, t),
                  hint: points === undefined ? "no" : "yes",
                  points: points === undefined ? "" : signed(t, points),
                  rock: rockWord(rock),
                })}
              </span>
              <span class="tq-number" aria-hidden="true">
                {t.number(index + 1)}
              </span>
              <span class="tq-tokens" aria-hidden="true">
                {row.taken_by === undefined ? (
                  grouped(row.tokens).map(([animal, count]) => (
                    <Token
                      key={animal}
                      face={animal}
                      count={count}
                      at={`row-${index}-${animal}`}
                      class={placed.includes(animal) ? "last" : ""}
                    />
                  ))
                ) : (
                  <span class="tq-taken">
                    <Avatar seat={row.taken_by} name={props.name(row.taken_by)} />{" "}
                    {rowText(view, index, props, t)}
                  </span>
                )}
              </span>
              {points !== undefined && (
                <span class="tq-brings" aria-hidden="true">
                  <b class={`tq-points ${tone(points)}`} data-why="points">
                    {signed(t, points)}
                  </b>
                  <Rock by={rock} t={t} />
                </span>
              )}
            </button>
          </li>
        );
      })}
    </ol>
  );
}
