// The table of Triangle Mayhem: open triangles above, my hand below. A tap on a card plays it; if it
// could go to several triangles, these can be tapped then.
import { useEffect, useRef, useState } from "preact/hooks";
import { isTyping } from "../../shell/keys";
import type { BoardProps } from "../../skin";
import { Triangle } from "./triangle";
import {
  describe,
  isSamePiece,
  pieceText,
  playsOf,
  trianglePieces,
  type Mayhem,
  type Piece,
  type Play,
} from "./words";
import "./mayhem.css";

function Points({ points }: { points: number | undefined }) {
  return points ? (
    <b class="mh-points" aria-hidden="true">
      {points > 0 ? `+${points}` : `\u2212${-points}`}
    </b>
  ) : null;
}

export function Board(props: BoardProps<Mayhem>) {
  const { view, legal, live, act, t } = props;
  const [kept, setChosen] = useState<{ rev: number; card?: Piece }>({ rev: -1 });
  const hand = view.mine?.hand ?? [];
  const fast = view.mine?.fast ?? [];
  const chosen = kept.rev === view.rev ? kept.card : undefined;
  const plays = chosen ? playsOf(legal, chosen) : [];
  const choose = (card: Piece) => {
    const ways = playsOf(legal, card);
    if (ways.length === 1) act(ways[0]!.action);
    else if (ways.length > 1) setChosen({ rev: view.rev, card });
  };
  const rest = legal.find(({ action }) => action.do !== "play");

  const now = useRef({ choose, hand, rest, act });
  now.current = { choose, hand, rest, act };
  useEffect(() => {
    if (!live) return;
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      if (isTyping(event.target) || document.querySelector("dialog[open]")) return;
      const digit = /^(?:Digit|Numpad)(\d)$/.exec(event.code)?.[1];
      const { choose, hand, rest, act } = now.current;
      if (event.key === "Escape") setChosen({ rev: -1 });
      if (digit === undefined) return;
      const card = hand[Number(digit) - 1];
      if (digit === "0" && rest) act(rest.action);
      else if (card) choose(card);
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [live]);

  const fresh = plays.find(({ action }) => action.onto === undefined);
  return (
    <div class="mh">
      <Open {...props} plays={plays} fresh={fresh} />
      <News {...props} />
      {view.mine && (
        <ul class="mh-hand" aria-label={t("web.mayhem.hand_title")}>
          {hand.map((card, i) => {
            const ways = playsOf(legal, card);
            const quick = fast.some((each) => isSamePiece(each, card));
            return (
              <li key={i}>
                <button
                  type="button"
                  class={`mh-card ${ways.length > 0 ? "can" : ""} ${quick ? "fast" : ""}`}
                  disabled={ways.length === 0}
                  aria-pressed={ways.length > 1 ? card === chosen : undefined}
                  data-act={ways.length === 1 ? "play" : undefined}
                  onClick={() => choose(card)}
                >
                  <span class="hidden">{pieceText(t, card)}</span>
                  <Triangle cards={[card]} />
                  <Points points={ways.length === 1 ? ways[0]!.preview : undefined} />
                </button>
              </li>
            );
          })}
        </ul>
      )}
      {rest && (
        <button
          type="button"
          class="big primary"
          data-act={rest.action.do}
          onClick={() => act(rest.action)}
        >
          {rest.action.do === "lapse" ? t("web.mayhem.lapse") : t("web.mayhem.end")}
        </button>
      )}
    </div>
  );
}

function Open(props: BoardProps<Mayhem> & { plays: Play[]; fresh: Play | undefined }) {
  const { view, act, t, plays, fresh } = props;
  const played = view.happened.flatMap((event) => (event.event === "play" ? event.triangle : []));
  const { triangles } = view.table;
  return (
    <ul class="mh-open" aria-label={t("web.mayhem.open_title")}>
      {triangles.map(({ id, cards }) => {
        const play = plays.find(({ action }) => action.onto === id);
        return (
          <li key={id}>
            <button
              type="button"
              class={`mh-place ${play ? "can" : ""} ${played.includes(id) ? "last" : ""}`}
              disabled={!play}
              data-act={play && "play"}
              onClick={() => play && act(play.action)}
            >
              <span class="hidden">{trianglePieces(t, cards)}</span>
              <Triangle cards={cards} />
              <Points points={play?.preview} />
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
            onClick={() => act(fresh.action)}
          >
            <span class="hidden">{t("web.mayhem.fresh")}</span>
            <span class="mh-plus" aria-hidden="true" />
          </button>
        </li>
      )}
      {triangles.length === 0 && !fresh && <li class="note">{t("web.mayhem.none_open")}</li>}
    </ul>
  );
}

function News(props: BoardProps<Mayhem>) {
  const { view, t } = props;
  const said = view.happened.flatMap((event) => describe(event, props, t) ?? []);
  return (
    <p class="mh-news" aria-hidden="true">
      {said.map(({ key, values }) => t(key, values)).join(" ")}
    </p>
  );
}
