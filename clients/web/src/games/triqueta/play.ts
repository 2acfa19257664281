// What can be done now, and the two steps of doing it: what I have begun and not yet done. The legal
// acts decide.
import { useMemo, useState } from "preact/hooks";
import type { BoardProps, Settings } from "../../skin";
import { controlsOf, drawsFrom, nextColumns, type Controls } from "./controls";
import { isSame, type Action, type Legal, type Triqueta } from "./words";

/** What I have begun and not yet done; it belongs to one state of the table. */
interface Begun {
  rev: number;
  /** To be confirmed in the bar. */
  act?: Legal;
  /** Columns of a draw that wants one more. */
  columns?: number[];
  /** Which of two tokens drawn I am deciding about. */
  token?: number;
}

/** Whether the settings want this act to be asked for again. */
function isAskedAgain(action: Action, { confirm }: Settings, hiddenSoFar: number): boolean {
  if (confirm === "never" || action.do === "reveal") return false;
  if (confirm === "always") return true;
  return action.do === "take" || (action.do === "keep" && hiddenSoFar > 0);
}

/** A choice that does not matter: columns with the same back on top are alike. */
function anyDraw(controls: Controls, chosen: number[], light: number[]): Legal | undefined {
  const draws = drawsFrom(controls.draw, chosen);
  const plain = draws.filter(({ action }) => action.columns.every((column) => light[column]));
  const among = plain.length > 0 ? plain : draws;
  return among[Math.floor(Math.random() * among.length)];
}

export const drawOf = ({ draw }: Controls, columns: number[]) =>
  draw.find(({ action }) => isSame(action.columns, columns));

export function usePlay(props: BoardProps<Triqueta>) {
  const { view, legal, settings, me } = props;
  const [kept, setBegun] = useState<Begun>({ rev: -1 });
  const begun: Begun = kept.rev === view.rev ? kept : { rev: view.rev };
  const controls = useMemo(() => controlsOf(legal), [legal]);
  const held = [...controls.tokens.keys()];
  const token =
    begun.token !== undefined && controls.tokens.has(begun.token) ? begun.token : held[0];
  const hidden = me === undefined ? 0 : view.table.seats[me]!.down;
  const begin = (more: Omit<Begun, "rev">) => setBegun({ ...begun, ...more, rev: view.rev });
  const cancel = () => setBegun({ rev: view.rev, token: begun.token });
  const commit = (offer: Legal) => {
    setBegun({ rev: view.rev });
    props.act(offer.action);
  };
  const pick = (offer: Legal | undefined) => {
    if (!offer) return;
    if (isAskedAgain(offer.action, settings, hidden)) begin({ act: offer, columns: undefined });
    else commit(offer);
  };
  const draw = (columns: number[]) => {
    const whole = drawOf(controls, columns);
    if (whole) pick(whole);
    else if (nextColumns(controls.draw, columns).size > 0) begin({ columns, act: undefined });
  };
  /** For data-act: the word of an act that one tap sends; none if it asks for more first. */
  const sends = (offer: Legal | undefined) =>
    offer && !isAskedAgain(offer.action, settings, hidden) ? offer.action.do : undefined;
  return {
    controls,
    begun,
    token,
    sends,
    hold: (index: number) => begin({ token: index, act: undefined }),
    /** Of two tokens drawn, I decide about the other one. */
    other: () =>
      held.length > 1 && begin({ token: held.find((each) => each !== token), act: undefined }),
    begin,
    cancel,
    commit,
    pick,
    column: (index: number) => draw([...(begun.columns ?? []), index]),
    drawAny: () => pick(anyDraw(controls, begun.columns ?? [], view.table.tower?.light ?? [])),
    /** What is to be confirmed is taken back by the same tap. */
    row: (index: number) => {
      const offer =
        controls.take.get(index) ??
        (token === undefined ? undefined : controls.tokens.get(token)!.place.get(index));
      if (offer && begun.act && isSame(begun.act.action, offer.action)) cancel();
      else pick(offer);
    },
    keep: () => token !== undefined && pick(controls.tokens.get(token)!.keep),
    discard: () => token !== undefined && pick(controls.tokens.get(token)!.discard),
  };
}

export type Play = ReturnType<typeof usePlay>;

/** What each part of the board gets. */
export type Part = BoardProps<Triqueta> & { play: Play };
