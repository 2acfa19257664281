// The drawings of the Triangles deck. A triangle is cut in three: horizontally, vertically, or from its
// middle; the pieces that are there are filled. Each colour has a pattern and a sign of its own, so
// that nobody needs colours to tell them apart.
import { codeOf, isPiece, type Card, type Color, type Cut } from "./pieces";
import patterns from "./patterns.svg?raw";
import "./triangle.css";

if (document.getElementById("tri-patterns") === null) {
  const host = document.createElement("div");
  host.id = "tri-patterns";
  host.setAttribute("aria-hidden", "true");
  host.innerHTML = patterns;
  document.body.prepend(host);
}

/** The corners of each piece, and where its number stands. */
const kPieces: Record<Cut, [corners: string, x: number, y: number][]> = {
  horizontal: [
    ["30,2 39.3,18.7 20.7,18.7", 30, 17],
    ["20.7,18.7 39.3,18.7 48.7,35.3 11.3,35.3", 30, 31.6],
    ["11.3,35.3 48.7,35.3 58,52 2,52", 30, 48.3],
  ],
  vertical: [
    ["2,52 20.7,18.6 20.7,52", 15, 48],
    ["20.7,18.6 30,2 39.3,18.6 39.3,52 20.7,52", 30, 38],
    ["39.3,18.6 58,52 39.3,52", 45, 48],
  ],
  centered: [
    ["30,2 44,27 30,35.3 16,27", 30, 25],
    ["2,52 16,27 30,35.3 30,52", 18.5, 47],
    ["58,52 44,27 30,35.3 30,52", 41.5, 47],
  ],
};
const kStar = "30,21 33,28.6 41,29.1 34.8,34.3 36.8,42 30,37.7 23.2,42 25.2,34.3 19,29.1 27,28.6";
const kSigns: Record<Color, string> = { pink: "\u25cf", red: "\u25b2", green: "\u25a0" };

const kWhole = "30,2 58,52 2,52";

/**
 * One to three pieces of a cut where they belong, or a joker, on a plate of their own. `quiet`: too small
 * for numbers. `onCard`: the card is ground enough.
 */
export function Triangle(props: { cards: readonly Card[]; quiet?: boolean; onCard?: boolean }) {
  const { cards, quiet, onCard } = props;
  const cut = cards[0]?.cut ?? "horizontal";
  const joker = cards.find((card) => !isPiece(card));
  return (
    <svg
      class="tri"
      viewBox={onCard ? "0 0 60 54" : "-4 -4 68 62"}
      aria-hidden="true"
      focusable="false"
    >
      {!onCard && <polygon class="tri-rim" points={kWhole} />}
      {!onCard && <polygon class="tri-plate" points={kWhole} />}
      {kPieces[cut].map(([corners, x, y], i) => {
        const card = joker ?? cards.find(({ number }) => number === i + 1);
        return (
          <g key={i} class={card ? `tri-piece ${card.color}` : "tri-gap"}>
            <polygon points={corners} />
            {card && <polygon class="tri-pattern" points={corners} />}
            {card && !joker && !quiet && (
              <text x={x} y={y} class={cut === "horizontal" && i === 0 ? "tri-tip" : ""}>
                {i + 1}
              </text>
            )}
          </g>
        );
      })}
      {joker && <polygon class="tri-star" points={kStar} />}
    </svg>
  );
}

/** A card as it lies in a hand: its number and the sign of its colour in the corners. */
export function CardFace({ card }: { card: Card }) {
  return (
    <span class={`tri-card ${card.color}`} data-why={codeOf(card)} aria-hidden="true">
      <b>{card.number ?? "\u2605"}</b>
      <i>{kSigns[card.color]}</i>
      <Triangle cards={[card]} quiet onCard />
    </span>
  );
}

/** The back of every card of the deck. */
export function CardBack() {
  return (
    <span class="tri-card tri-back" data-why="pile" aria-hidden="true">
      <svg class="tri" viewBox="0 0 60 54" focusable="false">
        <polygon points="30,4 56,50 4,50" />
        <polygon points="30,50 17,27 43,27" />
        <polygon class="tri-small" points="30,17 25,26 35,26" />
        <polygon class="tri-small" points="17,40 12,48.500 22,48.500" />
        <polygon class="tri-small" points="43,40 38,48.500 48,48.500" />
      </svg>
    </span>
  );
}
