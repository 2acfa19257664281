// The contract between the shell, which knows no game, and the skin of a game, which knows no
// socket. A skin is one lazy chunk: src/games/<game>/index.ts exports its `skin`. A game without a
// skin is played on the generic board, so everything here has a way without it.
import type { ComponentChildren, ComponentType } from "preact";
import type { Flight } from "./board/flight";
import type { RoomFrame, ViewFrame } from "./protocol/wire.gen";

/** The words of one game's wire: see src/protocol/games/<game>.gen.ts. */
export interface GameWords {
  Options: unknown;
  Action: unknown;
  Event: unknown;
  Table: unknown;
  Mine: unknown;
}

/**
 * An act that may be sent now. If hints are on, `preview` is what it changes my score by, and `worth`
 * the points of what it puts together, such as a row, which are nobody's as yet.
 */
export interface LegalAct<Action> {
  action: Action;
  preview?: number;
  worth?: number;
}

/** What the server sent, with the game's own words in it. */
export type GameView<G extends GameWords> = Omit<
  ViewFrame,
  "table" | "mine" | "legal" | "happened" | "answer"
> & {
  table: G["Table"];
  /** What only my seat knows; absent when watching. */
  mine?: G["Mine"];
  /** As it came, to tell what is asked; what the board may send now stands in its props. */
  legal?: LegalAct<G["Action"]>[];
  happened: G["Event"][];
  answer?: G["Action"];
};

export type Value = string | number;
/** A message of i18n/*.json with its arguments filled in; in the language of the moment. */
export interface Translator {
  (key: string, values?: Record<string, Value>): string;
  /** "a, b and c" */
  list(words: string[]): string;
  /** 1,234 */
  number(value: number): string;
  has(key: string): boolean;
  /** "en", "de", "fr" */
  language: string;
}

/** How long a movement takes, in ms; 0 means none (reduced motion): show the end at once. */
export interface Settings {
  motion_ms: number;
  /** always: before each act that cannot be taken back. taking: before the big ones. */
  confirm: "always" | "taking" | "never";
  theme: "light" | "dark";
  /** Letters and digits as shortcuts; arrows and Enter work anyway. */
  shortcuts: boolean;
}

/** Who sits where, and how to call them. */
export interface Scene {
  /** My seat; absent when watching and in a public replay. */
  me?: number;
  seats: RoomFrame["seats"];
  /** "Ada", "Bot 2": never "you". */
  name(seat: number): string;
}

export interface BoardProps<G extends GameWords> extends Scene {
  view: GameView<G>;
  options: G["Options"];
  /** Open to me now; empty while I wait, watch, replay, or while an act is on its way. */
  legal: LegalAct<G["Action"]>[];
  /** An act of mine that was sent and is not answered yet: show it as busy. */
  pending?: G["Action"];
  /** Sends the act; the shell sees to its id, to sending it again, and to refusals. */
  act(action: G["Action"]): void;
  /** Shows a text to screen readers, politely. */
  announce(text: string): void;
  t: Translator;
  settings: Settings;
  /** False in a replay: no acts, no hurry. */
  live: boolean;
}

/** A sentence: a key of the catalogue and its values. */
export interface Message {
  key: string;
  values: Record<string, Value>;
}

export interface SheetProps<G extends GameWords> extends Scene {
  view: GameView<G>;
  options: G["Options"];
  t: Translator;
  settings: Settings;
}

export type Sound =
  "draw" | "place" | "take" | "deal" | "lay" | "sweep" | "turn" | "tick" | "talk" | "end";

/** One way to play, as a card on the page where a room is made. */
export interface Variant<G extends GameWords> {
  /** A key of the catalogue for its name; key + "_text" is one sentence about it. */
  key: string;
  options: G["Options"];
  seats: [fewest: number, most: number];
}

/** One more thing to choose where a room is made: an option of the game, beside its ways to play. */
export interface OptionChoice<G extends GameWords> {
  option: keyof G["Options"] & string;
  /** A key of the catalogue: what is chosen. */
  key: string;
  /** The first is what the rules say; undefined leaves it to them. */
  values: (string | number | boolean | undefined)[];
  /** What it is where the page is set for children. */
  kids?: string | number | boolean;
  label(value: string | number | boolean | undefined, t: Translator): string;
}

export interface Skin<G extends GameWords> {
  /** A key of the catalogue: the name of the game. */
  title: string;
  variants: Variant<G>[];
  choices?: OptionChoice<G>[];
  /**
   * A button that sends an act at once carries data-act with the act's word ("draw", "take"), so
   * that tests of the shell find it. The whole table fills its container (at 320 x 568 it gets
   * 320 x 420) and never scrolls it. What tells there what happened last has a class that ends in "-news":
   * in a look back it stands elsewhere.
   */
  Board: ComponentType<BoardProps<G>>;
  /**
   * What each event of a view's `happened` says, in the log and to screen readers; none: nothing. `mine`
   * is what my seat knew when it had happened: what I alone learned by it is said with it.
   */
  describe(event: G["Event"], scene: Scene, t: Translator, mine?: G["Mine"]): Message | undefined;
  /** An act in words, as its seat saw the table before it; none: the generic list of its fields. */
  actText?(action: G["Action"], view: GameView<G>, scene: Scene, t: Translator): string;
  /** The state of play in a few words for the top bar, such as "Round 2 of 4 - 9 left". */
  status(view: GameView<G>, t: Translator): string;
  /** What I am asked for, in a few words, such as "Draw or take a row"; none: the shell's words. */
  question(view: GameView<G>, scene: Scene, t: Translator): string | undefined;
  /** What kind of question that is, where it may change in words alone: it is spoken once. None: the words are it. */
  questionKind?(view: GameView<G>): string;
  /**
   * What the others are asked for, as far as everybody knows it, to stand behind "Waiting for Ada
   * to"; none: the shell's words.
   */
  waitsFor?(view: GameView<G>, t: Translator): string | undefined;
  /** Everything that S and a screen reader's user wants to hear: turn, rows, my collection. */
  summary(view: GameView<G>, scene: Scene, t: Translator): string;
  /** The result, once the game is over: a table that explains each point. */
  ScoreSheet: ComponentType<SheetProps<G>>;
  /** Totals by seat (none in a game without points) and the winners, once the game is over. */
  result(view: GameView<G>): { totals: number[]; winners: number[] } | undefined;
  /** Why it ended so, once the game is over, where points do not tell it: what decided, in a sentence or two. */
  decided?(view: GameView<G>, scene: Scene, t: Translator): string | undefined;
  /** Where there are no points: the seats, once the game is over, the best first. */
  ranking?(view: GameView<G>): number[];
  /** The best that anybody has put together, once the game is over, with whose it is. */
  best?(
    view: GameView<G>,
    scene: Scene,
    t: Translator,
    past: readonly G["Event"][],
  ): { seat: number; text: string; picture: ComponentChildren } | undefined;
  /** How a seat's points came, once the game is over: each with its picture. The sheet has the words. */
  Points?: ComponentType<{ view: GameView<G>; seat: number; t: Translator }>;
  /** The short rules in our own words, with pictures. */
  Rules: ComponentType<{ t: Translator }>;
  /** Which part of them (its data-rule) is about what I am asked now, or the table is. */
  rule?(view: GameView<G>): string | undefined;
  /** A line under a player's name in the list of players, such as "2 hidden, 1 tree". */
  badge?(view: GameView<G>, seat: number, t: Translator): string | undefined;
  /** The same as a picture, about 40 px wide; without it the words are shown. */
  Badge?: ComponentType<{
    view: GameView<G>;
    seat: number;
    /** What that seat alone knows: in a look back with everything open. */
    mine?: G["Mine"];
  }>;
  /**
   * What everybody sees that a player has, as small pieces under the name, where there is room; to be
   * seen only. `past` is what has happened in the match, as far as this page knows it.
   */
  Panel?: ComponentType<{
    view: GameView<G>;
    options: G["Options"];
    seat: number;
    past: readonly G["Event"][];
  }>;
  /** What a player has, when their chip is tapped; absent: the generic list. */
  Collection?: ComponentType<SheetProps<G> & { seat: number; past?: readonly G["Event"][] }>;
  /** What a thing is that carries this word as `data-why`: a sentence or two. */
  explain?(word: string, t: Translator): string | undefined;
  /** What moves from where to where by these events: pictures for the board and for the log. */
  flights?(events: readonly G["Event"][], scene: Scene, mine?: G["Mine"]): Flight[];
  sound?(event: G["Event"]): Sound | undefined;
  /** Whether an act should wait a moment where people want to be able to take moves back. */
  isDelayed?(action: G["Action"], view: GameView<G>): boolean;
  /** What follows from an act of mine without a choice, such as the end of my turn: sent without a tap. */
  follows?(view: GameView<G>): G["Action"] | undefined;
  /** Whether an event ends a part of the game, such as a round: marks on the slider of a replay. */
  isMilestone?(event: G["Event"]): boolean;
  /** Whether a short account may leave an event out, as the others in it tell enough. */
  isMinor?(event: G["Event"], account: readonly G["Event"][]): boolean;
  /** Rows of the help for the keyboard beside the shell's own. */
  shortcuts?(t: Translator): { keys: string; does: string }[];
}

/** A skin whose game's words do not matter. */
export type AnySkin = Skin<any>;
