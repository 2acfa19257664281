// What stands above a result: the evening after the game. Hills, a tower, trees, a triangle, bunting and a sun
// that goes down; its colours are those of the theme.

const kTree = "M0 0l7 10h-4l6 9h-4l7 10H-12l7-10h-4l6-9h-4z";
const kFlags = [
  [28, 15, 0],
  [62, 22, 1],
  [98, 27, 2],
  [136, 30, 0],
  [174, 30, 1],
  [212, 28, 2],
  [248, 23, 0],
  [284, 16, 1],
] as const;

export function OverArt() {
  return (
    <svg class="over-art" viewBox="0 0 320 110" aria-hidden="true" focusable="false">
      <circle class="sun" cx="160" cy="78" r="34" />
      <circle class="glow" cx="160" cy="78" r="48" />
      <path class="far" d="M0 88Q50 58 104 80T214 72T320 82V110H0z" />
      <g class="stone">
        <path d="M236 92V56h5v-6h6v6h6v-6h6v6h6v-6h6v6h5v36z" />
        <path class="door" d="M250 92V76a6 6 0 0 1 12 0v16z" />
      </g>
      <path class="near" d="M0 98Q70 74 150 94T320 90V110H0z" />
      <path class="tree" d={kTree} transform="translate(46 62) scale(1.1)" />
      <path class="tree" d={kTree} transform="translate(74 72) scale(.8)" />
      <g class="plate" transform="translate(96 66)">
        <path class="one" d="M16 0l5.300 9.300H10.700z" />
        <path class="two" d="M10.700 9.300h10.600l5.400 9.300H5.300z" />
        <path class="three" d="M5.300 18.600h21.400L32 28H0z" />
      </g>
      <path class="string" d="M4 8Q160 52 316 8" />
      {kFlags.map(([x, y, colour]) => (
        <path key={x} class={`flag-${colour}`} d={`M${x - 8} ${y - 1}l16 2-8 14z`} />
      ))}
    </svg>
  );
}
