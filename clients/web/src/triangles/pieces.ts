// The cards of the Triangles deck, which two games share, and how they are said. A piece has a number;
// a joker, a whole triangle of one cut and colour, has none.
import type { Translator } from "../skin";

export const kCuts = ["horizontal", "vertical", "centered"] as const;
export const kColors = ["pink", "red", "green"] as const;
export type Cut = (typeof kCuts)[number];
export type Color = (typeof kColors)[number];
export interface Card {
  cut: Cut;
  number?: number;
  color: Color;
}
export type Piece = Card & { number: number };

export const isPiece = (card: Card): card is Piece => card.number !== undefined;

export const isSameCard = (a: Card, b: Card) =>
  a.cut === b.cut && a.number === b.number && a.color === b.color;

/** One word for all copies of a card, as it is typed in a terminal: "v2r", "vJr". */
export const codeOf = ({ cut, number, color }: Card): string =>
  `${cut[0]}${number ?? "J"}${color[0]}`;

export const cardText = (t: Translator, card: Card): string => {
  const { color, number } = card;
  const cut = t(`deck.cut.${card.cut}`);
  if (number === undefined) return t("deck.joker", { cut, color: t(`deck.color.${color}`) });
  return t("deck.piece", { cut, number, color });
};

export const cardsText = (t: Translator, cards: readonly Card[]): string =>
  t.list(cards.map((card) => cardText(t, card)));

/** What a card is, by its code; undefined if that is none. */
export function explainCard(code: string, t: Translator): string | undefined {
  const [, cut, number, color] = /^([hvc])([123J])([prg])$/.exec(code) ?? [];
  if (!cut) return undefined;
  const card: Card = {
    cut: kCuts.find((each) => each.startsWith(cut))!,
    color: kColors.find((each) => each.startsWith(color!))!,
    ...(number !== "J" && { number: Number(number) }),
  };
  return t(isPiece(card) ? "web.deck.is.piece" : "web.deck.is.joker", { card: cardText(t, card) });
}
