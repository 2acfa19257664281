// The table of Triangle Mayhem: open triangles above, my hand below. A tap on a card plays it; if it
// could go to several triangles, these can be tapped then, or their numbers typed. Who wants to be asked
// taps the place, too.
import { useEffect, useState } from "preact/hooks";
import { useCarry } from "../../board/carry";
import { once } from "../../board/once";
import { useFlights } from "../../board/flight";
import { useFocus } from "../../board/focus";
import { KeyHint } from "../../board/key_hint";
import { confirmKey, digitOf, useKeys } from "../../board/keys";
import { By } from "../../shell/parts";
import type { BoardProps } from "../../skin";
import { cardsText, cardText, codeOf, isSameCard, type Piece } from "../../triangles/pieces";
import { CardBack, CardFace, Triangle } from "../../triangles/triangle";
import { flightsOf } from "./flight";
import { describe, playsOf, type Legal, type Mayhem, type Play, type View } from "./words";
import "./mayhem.css";

function Points({ points }: { points: number | undefined }) {
  return points ? (
    <b class="mh-points" data-why="points" aria-hidden="true">
      {points > 0 ? `+${points}` : `\u2212${-points}`}
    </b>
  ) : null;
}

/** What I have begun and not yet done. It belongs to one question: a window beside it changes nothing. */
interface Begun {
  question: string;
  /** A card that wants a place. */
  card?: Piece;
  /** The number of its place, as far as it is typed. */
  typed?: string;
  /** To be confirmed: the end of the turn. */
  act?: Legal;
}

/** What is typed for a place: the number that it has on the table; 0 begins a new triangle. */
const numberOf = ({ action }: Play): string => String(action.onto ?? 0);

/** In a window there is no time for questions; else who wants to be asked before all is asked. */
const isAskedAgain = ({ settings }: BoardProps<Mayhem>, rest: Legal | undefined) =>
  settings.confirm === "always" && rest?.action.do !== "lapse";

/** Why a card cannot be played now. */
const whyNot = ({ legal, view, t, name }: BoardProps<Mayhem>): string => {
  if (legal.length > 0) return t("web.mayhem.why_not.fast");
  const turn = view.decisions.find(({ kind }) => kind !== "window")?.seats[0];
  return turn === undefined ? "" : t("web.mayhem.why_not.turn", { name: name(turn) });
};

function usePlay(props: BoardProps<Mayhem>) {
  const { view, me, legal } = props;
  const [kept, setBegun] = useState<Begun>({ question: "" });
  const asked = view.decisions.filter(({ seats }) => me !== undefined && seats.includes(me));
  const question = asked.map(({ id }) => id).join();
  const begun: Begun = kept.question === question ? kept : { question };
  const [why, setWhy] = useState({ rev: -1, text: "" });
  const rest = legal.find(({ action }) => action.do !== "play");
  const asks = isAskedAgain(props, rest);
  const needsPlace = (ways: Play[]) => ways.length > 1 || (ways.length === 1 && asks);
  const plays = begun.card ? playsOf(legal, begun.card) : [];
  const { card: chosen, typed = "" } = begun;
  return {
    begun,
    rest,
    plays,
    /** The place whose whole number is typed, though that of another one begins with it. */
    meant: plays.find((way) => numberOf(way) === typed),
    /** Whether its number begins with what is typed. */
    isTyped: (way: Play) => typed !== "" && numberOf(way).startsWith(typed),
    needsPlace,
    asks,
    /** Why the card that was tapped last goes nowhere. */
    why: why.rev === view.rev ? why.text : "",
    /** One step back: what is typed, then the card. */
    cancel: () => setBegun(typed ? { question, card: chosen } : { question }),
    choose: (card: Piece) => {
      const ways = playsOf(legal, card);
      if (chosen && isSameCard(card, chosen)) setBegun({ question });
      else if (needsPlace(ways)) setBegun({ question, card });
      else if (ways.length === 1) props.act(ways[0]!.action);
      else {
        const text = whyNot(props);
        setWhy({ rev: view.rev, text });
        props.announce(text);
      }
    },
    /** A digit of the number of a place; one that leads to none counts for nothing. */
    type: (digit: string) => {
      const number = typed + digit;
      if (!plays.some((way) => numberOf(way).startsWith(number))) return;
      const way = plays.find((each) => numberOf(each) === number);
      // Who means 12 may not lay at 1, even if 12 cannot be chosen.
      const isWhole = view.table.triangles.every(
        ({ id }) => String(id) === number || !String(id).startsWith(number),
      );
      if (way && isWhole) props.act(way.action);
      else setBegun({ question, card: chosen, typed: number });
    },
    finish: () => {
      if (rest && asks) setBegun({ question, act: rest });
      else if (rest) props.act(rest.action);
    },
  };
}
type Doing = ReturnType<typeof usePlay>;
type Part = BoardProps<Mayhem> & { play: Doing };

function keyOf(
  event: KeyboardEvent,
  board: HTMLElement | null,
  play: Doing,
  hand: readonly Piece[],
  digits: boolean,
): (() => void) | undefined {
  const isBegun = play.begun.card || play.begun.act;
  if (event.key === "Escape" && isBegun) return play.cancel;
  const confirm = isBegun && confirmKey(event, board);
  if (confirm) return confirm;
  const digit = event.shiftKey || !digits ? undefined : digitOf(event);
  if (digit !== undefined && play.begun.card) return () => play.type(digit);
  if (digit === "0") return play.finish;
  const card = digit === undefined ? undefined : hand[Number(digit) - 1];
  return card && (() => play.choose(card));
}

export function Board(props: BoardProps<Mayhem>) {
  const { view, legal, settings, live } = props;
  const play = usePlay(props);
  useKeys(live, (event) =>
    keyOf(event, root.current, play, view.mine?.hand ?? [], settings.shortcuts),
  );
  const { root, layer } = useFlights(
    view,
    () => flightsOf(view.happened, props),
    settings.motion_ms,
  );
  useCarry(root, (from) => {
    const card = view.mine?.hand.find((each) => `hand-${codeOf(each)}` === from);
    return new Map(
      (card ? playsOf(legal, card) : []).map(({ action }) => [
        action.onto === undefined ? "open" : `triangle-${action.onto}`,
        () => props.act(action),
      ]),
    );
  });
  // What others do in their windows asks me nothing new, and leaves my focus where it is.
  const { question, act, card, typed } = play.begun;
  useFocus(root, question, legal.length > 0, act ?? (card && codeOf(card) + (typed ?? "")));
  return (
    <div class="mh" ref={root}>
      <Open {...props} play={play} />
      <News {...props} play={play} />
      {view.mine && <Hand {...props} play={play} />}
      {view.mine && (
        <div class="mh-rest">
          <Rest {...props} play={play} />
        </div>
      )}
      <div class="flights" ref={layer} aria-hidden="true" />
    </div>
  );
}

function Open({ view, act, t, play, name, settings }: Part) {
  const played = view.happened.flatMap((event) => (event.event === "play" ? [event] : []));
  const { triangles } = view.table;
  const fresh = play.plays.find(({ action }) => action.onto === undefined);
  const several = play.plays.length > 1 ? "" : undefined;
  const able = triangles.find(({ id }) => play.plays.some(({ action }) => action.onto === id));
  const first = play.meant ? play.meant.action.onto : able?.id;
  return (
    <ul class="mh-open" data-at="open" aria-label={t("web.mayhem.open_title")} tabIndex={0}>
      {triangles.map(({ id, cards }) => {
        const way = play.plays.find(({ action }) => action.onto === id);
        const last = played.find(({ triangle }) => triangle === id);
        return (
          <li key={id} data-why="open">
            <button
              type="button"
              class={`mh-place ${way ? "can" : ""} ${last ? "last" : ""} ${way && play.isTyped(way) ? "typed" : ""}`}
              disabled={!way}
              data-at={`triangle-${id}`}
              data-act={way && "play"}
              data-role={first === id ? "commit" : undefined}
              data-several={several}
              onClick={() => way && act(way.action)}
            >
              <span class="hidden">
                {t("web.mayhem.triangle", { triangle: id, cards: cardsText(t, cards) })}
              </span>
              <b class="mh-id" aria-hidden="true">
                {t.number(id)}
              </b>
              <Triangle cards={cards} />
              <Points points={way?.preview} />
              {last && <By seat={last.seat} name={name(last.seat)} />}
            </button>
          </li>
        );
      })}
      {fresh && (
        <li>
          <button
            type="button"
            class="mh-place can"
            data-act="play"
            data-role={first === undefined ? "commit" : undefined}
            data-several={several}
            onClick={() => act(fresh.action)}
          >
            <span class="hidden">{t("web.mayhem.fresh")}</span>
            <span class="mh-plus" aria-hidden="true" />
            {settings.shortcuts && <KeyHint keys={t.number(0)} />}
          </button>
        </li>
      )}
      {triangles.length === 0 && !fresh && <li class="note">{t("web.mayhem.none_open")}</li>}
    </ul>
  );
}

function News(props: Part) {
  const { view, announce, play, t, settings } = props;
  const choosing = play.begun.card !== undefined;
  const keys = t("web.mayhem.place_keys", {
    fresh: play.plays.some(({ action }) => action.onto === undefined) ? "yes" : "no",
  });
  useEffect(() => {
    if (!choosing) return;
    const byKeys = settings.shortcuts && document.documentElement.dataset.keys === "on";
    announce(byKeys ? `${t("web.mayhem.place")} ${keys}` : t("web.mayhem.place"));
  }, [choosing]);
  const said = view.happened.flatMap((event) => describe(event, props, t, view.mine) ?? []);
  return (
    <div class="mh-news">
      <span
        aria-hidden="true"
        class={`mh-pile ${view.table.pile === 0 ? "none" : ""}`}
        data-at="pile"
      >
        <CardBack />
        <b data-why="pile">{t.number(view.table.pile)}</b>
      </span>
      {choosing ? (
        <p class="mh-asks" aria-hidden="true">
          {t("web.mayhem.place")} {settings.shortcuts && <span class="by-keys">{keys}</span>}
        </p>
      ) : (
        <p aria-hidden="true">
          {play.why || said.map(({ key, values }) => t(key, values)).join(" ")}
        </p>
      )}
    </div>
  );
}

/** How long my window was still open when this view was sent; undefined if none is or no clock runs. */
function windowLeft(view: View, me: number | undefined): number | undefined {
  const mine = view.decisions.find(
    ({ kind, seats }) => kind === "window" && me !== undefined && seats.includes(me),
  );
  return view.left_ms?.find(({ decision }) => decision === mine?.id)?.ms;
}

function Hand({ view, me, legal, live, t, play, settings }: Part) {
  const { hand = [], fast = [] } = view.mine ?? {};
  const left = live ? windowLeft(view, me) : undefined;
  const first = hand.findIndex((card) => playsOf(legal, card).length > 0);
  return (
    <ul class="mh-hand" data-at="hand" aria-label={t("web.mayhem.hand_title")}>
      {hand.map((card, i) => {
        const ways = playsOf(legal, card);
        const quick = ways.length > 0 && fast.some((each) => isSameCard(each, card));
        const chosen = play.begun.card && isSameCard(card, play.begun.card);
        return (
          <li key={i}>
            <button
              type="button"
              class={`mh-card ${ways.length > 0 ? "can" : ""} ${quick ? "fast" : ""}`}
              aria-disabled={ways.length === 0}
              tabIndex={ways.length > 0 ? 0 : -1}
              aria-pressed={play.needsPlace(ways) ? chosen === true : undefined}
              data-at={`hand-${codeOf(card)}`}
              data-act={ways.length === 1 && !play.asks ? "play" : undefined}
              data-first={i === first ? "" : undefined}
              onClick={() => play.choose(card)}
            >
              <span class="hidden">{cardText(t, card)}</span>
              <CardFace card={card} />
              <Points points={ways.length === 1 ? ways[0]!.preview : undefined} />
              {settings.shortcuts && ways.length > 0 && !play.begun.card && (
                <KeyHint keys={t.number(i + 1)} />
              )}
              {quick && left !== undefined && (
                <span
                  key={view.rev}
                  class="mh-ring"
                  style={{ animationDuration: `${left}ms` }}
                  aria-hidden="true"
                />
              )}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** The end of the turn or of the window, and the question about it; or the way back from a card begun. */
function Rest({ act, legal, t, play, settings }: Part) {
  const { rest, begun } = play;
  const { card } = begun;
  if (card) {
    // Not beside the end of the turn, which nobody means now.
    return (
      <button
        type="button"
        class="big mh-cancel"
        data-role="back"
        onClick={once(() => play.choose(card))}
      >
        {t("web.mayhem.back")}
        <KeyHint keys="Esc" />
      </button>
    );
  }
  if (!rest) return null;
  // As long as a card can be played, that is the thing to do.
  const isMain = legal.every(({ action }) => action.do !== "play");
  if (begun.act) {
    return (
      <div class="mh-sure">
        <button
          type="button"
          class="big primary"
          data-role="commit"
          data-act={rest.action.do}
          onClick={() => act(rest.action)}
        >
          {t("web.mayhem.sure")}
        </button>
        <button type="button" class="big" data-role="back" onClick={play.cancel}>
          {t("web.cancel")}
        </button>
      </div>
    );
  }
  return (
    <button
      type="button"
      class={`big ${isMain ? "primary" : ""}`}
      data-first=""
      data-act={play.asks ? undefined : rest.action.do}
      onClick={once(play.finish)}
    >
      {rest.action.do === "lapse" ? t("web.mayhem.lapse") : t("web.mayhem.end")}
      {settings.shortcuts && <KeyHint keys={t.number(0)} />}
    </button>
  );
}
