// A triangle cut in three: horizontally, vertically, or from its middle. The pieces that are there
// are filled; each colour has a sign too.
import type { Piece } from "./words";

type Cut = Piece["cut"];
/** The corners of each piece, and where its number stands. */
const kPieces: Record<Cut, [corners: string, x: number, y: number][]> = {
  horizontal: [
    ["30,2 39.300,18.700 20.700,18.700", 30, 16.5],
    ["20.700,18.700 39.300,18.700 48.700,35.300 11.300,35.300", 30, 31.5],
    ["11.300,35.300 48.700,35.300 58,52 2,52", 30, 48.2],
  ],
  vertical: [
    ["2,52 20.700,18.600 20.700,52", 15, 48],
    ["20.700,18.600 30,2 39.300,18.600 39.300,52 20.700,52", 30, 38],
    ["39.300,18.600 58,52 39.300,52", 45, 48],
  ],
  centered: [
    ["30,2 44,27 30,35.300 16,27", 30, 25],
    ["2,52 16,27 30,35.300 30,52", 18.5, 47],
    ["58,52 44,27 30,35.300 30,52", 41.5, 47],
  ],
};
const kSigns: Record<Piece["color"], string> = { pink: "\u25cf", red: "\u25b2", green: "\u25a0" };

export function Triangle({ cards }: { cards: readonly Piece[] }) {
  const cut = cards[0]?.cut ?? "horizontal";
  return (
    <span class="mh-triangle" aria-hidden="true">
      <svg viewBox="0 0 60 54" focusable="false">
        {kPieces[cut].map(([corners, x, y], i) => {
          const card = cards.find(({ number }) => number === i + 1);
          return (
            <g key={i} class={card ? `piece ${card.color}` : "gap"}>
              <polygon points={corners} />
              {card && (
                <text x={x} y={y}>
                  {card.number}
                </text>
              )}
            </g>
          );
        })}
      </svg>
      <span class="mh-signs">
        {cards.map(({ color }, i) => (
          <i key={i} class={color}>
            {kSigns[color]}
          </i>
        ))}
      </span>
    </span>
  );
}
