// The colours of the animals, computed anew: each can be seen on the token, and any two can be told
// apart by every kind of colour vision.
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const css = readFileSync(path.resolve(import.meta.dirname, "../../src/theme.css"), "utf8");
const colour = (name: string) => new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(css)![1]!;
const kAnimals = ["rabbit", "owl", "deer", "boar", "ram", "bear", "wolf"];
type Three = [number, number, number];

/** Linear light, 0 to 1. */
const linear = (hex: string): Three =>
  [1, 3, 5].map((at) => {
    const value = parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as Three;

const times = (matrix: Three[], [a, b, c]: Three): Three =>
  matrix.map(([x, y, z]) => x * a + y * b + z * c) as Three;

/** Machado, Oliveira and Fernandes 2009, severity 1, on linear light. */
const kVision: Record<string, Three[]> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritan: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const luminance = ([r, g, b]: Three) => 0.2126 * r + 0.7152 * g + 0.0722 * b;

function contrast(a: string, b: string): number {
  const [dark, bright] = [luminance(linear(a)), luminance(linear(b))].sort((x, y) => x - y);
  return (bright! + 0.05) / (dark! + 0.05);
}

function lab(rgb: Three): Three {
  const clipped = rgb.map((value) => Math.min(1, Math.max(0, value))) as Three;
  const [x, y, z] = times(
    [
      [0.4124564, 0.3575761, 0.1804375],
      [0.2126729, 0.7151522, 0.072175],
      [0.0193339, 0.119192, 0.9503041],
    ],
    clipped,
  );
  const f = (t: number) => (t > 216 / 24389 ? Math.cbrt(t) : (24389 / 27 / 116) * t + 16 / 116);
  const [fx, fy, fz] = [f(x / 0.95047), f(y), f(z / 1.08883)];
  return [116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)];
}

/** CIEDE2000, after Sharma, Wu and Dalal 2005. */
function difference([l1, a1, b1]: Three, [l2, a2, b2]: Three): number {
  const rad = Math.PI / 180;
  const mean = (Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2;
  const g = 0.5 * (1 - Math.sqrt(mean ** 7 / (mean ** 7 + 25 ** 7)));
  const [p1, p2] = [a1 * (1 + g), a2 * (1 + g)];
  const [c1, c2] = [Math.hypot(p1, b1), Math.hypot(p2, b2)];
  const hue = (b: number, a: number) =>
    a === 0 && b === 0 ? 0 : (Math.atan2(b, a) / rad + 360) % 360;
  const [h1, h2] = [hue(b1, p1), hue(b2, p2)];
  const grey = c1 * c2 === 0;
  let turn = h2 - h1;
  if (turn > 180) turn -= 360;
  if (turn < -180) turn += 360;
  const dh = grey ? 0 : 2 * Math.sqrt(c1 * c2) * Math.sin((turn / 2) * rad);
  const l = (l1 + l2) / 2;
  const c = (c1 + c2) / 2;
  let h = h1 + h2;
  if (!grey) h = (Math.abs(h1 - h2) > 180 ? (h < 360 ? h + 360 : h - 360) : h) / 2;
  const t =
    1 -
    0.17 * Math.cos((h - 30) * rad) +
    0.24 * Math.cos(2 * h * rad) +
    0.32 * Math.cos((3 * h + 6) * rad) -
    0.2 * Math.cos((4 * h - 63) * rad);
  const sl = 1 + (0.015 * (l - 50) ** 2) / Math.sqrt(20 + (l - 50) ** 2);
  const sc = 1 + 0.045 * c;
  const sh = 1 + 0.015 * c * t;
  const rc = 2 * Math.sqrt(c ** 7 / (c ** 7 + 25 ** 7));
  const rt = -Math.sin(2 * 30 * Math.exp(-(((h - 275) / 25) ** 2)) * rad) * rc;
  const [dl, dc] = [(l2 - l1) / sl, (c2 - c1) / sc];
  return Math.sqrt(dl ** 2 + dc ** 2 + (dh / sh) ** 2 + rt * dc * (dh / sh));
}

test("the difference is that of the published pairs", () => {
  expect(difference([50, 2.6772, -79.7751], [50, 0, -82.7485])).toBeCloseTo(2.0425, 3);
  expect(difference([50, 2.5, 0], [73, 25, -18])).toBeCloseTo(27.1492, 3);
  expect(difference([2.0776, 0.0795, -1.135], [0.9033, -0.0636, -0.5514])).toBeCloseTo(0.9082, 3);
});

const deck = readFileSync(
  path.resolve(import.meta.dirname, "../../src/triangles/triangle.css"),
  "utf8",
);
const kPieces = ["pink", "red", "green"];
const ofDeck = (name: string) => new RegExp(`--tri-${name}: (#[0-9a-f]{6});`).exec(deck)![1]!;

test("every pattern of the Triangles deck can be seen on its colour, and every sign on a card", () => {
  for (const piece of kPieces) {
    expect(contrast(ofDeck(piece), ofDeck(`${piece}-mark`)), piece).toBeGreaterThanOrEqual(2);
    expect(contrast(ofDeck("ink"), ofDeck("ground"))).toBeGreaterThanOrEqual(7);
  }
});

test("every piece of the Triangles deck stands out from its ground by 3:1, in the light and in the dark", () => {
  // One ground for both: nothing redefines it, and all that holds pieces has it.
  expect(deck.match(/--tri-(ground|pink|red|green): /g)).toHaveLength(4);
  expect(css).not.toContain("--tri-");
  for (const holder of [".tri-card", ".tri .tri-plate"]) {
    const rule = deck.slice(deck.indexOf(`${holder} {`));
    expect(rule.slice(0, rule.indexOf("}"))).toMatch(/(background|fill): var\(--tri-ground\)/);
  }
  for (const piece of kPieces) {
    expect(contrast(ofDeck(piece), ofDeck("ground")), piece).toBeGreaterThanOrEqual(3);
  }
  // Where a piece is missing.
  expect(contrast(ofDeck("edge"), ofDeck("ground"))).toBeGreaterThanOrEqual(3);
  const dark = css.slice(css.indexOf('data-theme="dark"'));
  for (const page of [css, dark]) {
    const under = /--card: (#[0-9a-f]{6});/.exec(page)![1]!;
    const [rim, ground] = [ofDeck("edge"), ofDeck("ground")].map((each) => contrast(each, under));
    expect(Math.max(rim!, ground!), `a plate on ${under}`).toBeGreaterThanOrEqual(3);
  }
});

test("words and edges can be seen on the wood of the table, in the light and in the dark", () => {
  for (const theme of [css, css.slice(css.indexOf('data-theme="dark"'))]) {
    const now = (name: string) => new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(theme)![1]!;
    for (const wood of ["wood", "wood-dark"].map(now)) {
      expect(contrast(now("ink"), wood), `ink on ${wood}`).toBeGreaterThanOrEqual(7);
      expect(contrast(now("ink-soft"), wood), `soft ink on ${wood}`).toBeGreaterThanOrEqual(4.5);
      expect(contrast(now("line-strong"), wood), `edges on ${wood}`).toBeGreaterThanOrEqual(3);
    }
  }
});

test("every animal stands out from its token by 3:1, in the light and in the dark", () => {
  const dark = css.slice(css.indexOf('data-theme="dark"'));
  const tokens = [colour("token"), /--token: (#[0-9a-f]{6});/.exec(dark)![1]!];
  expect(new Set(tokens).size).toBe(2);
  for (const token of tokens) {
    for (const animal of kAnimals) {
      expect(contrast(colour(animal), token), `${animal} on ${token}`).toBeGreaterThanOrEqual(3);
    }
  }
});

/** The least difference between any two of these colours. */
function least(colours: string[], matrix: Three[]): number {
  const labs = colours.map((each) => lab(times(matrix, linear(each))));
  const pairs = labs.flatMap((one, i) => labs.slice(0, i).map((other) => difference(one, other)));
  return Math.min(...pairs);
}

for (const [vision, matrix] of Object.entries(kVision)) {
  test(`any two animals, and any two colours of pieces, differ by 15 and more: ${vision}`, () => {
    expect(least(kAnimals.map(colour), matrix)).toBeGreaterThanOrEqual(15);
    expect(least(kPieces.map(ofDeck), matrix)).toBeGreaterThanOrEqual(15);
  });
}
