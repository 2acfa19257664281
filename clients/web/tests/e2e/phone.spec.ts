// The fullest table of Triqueta in the windows of phones: whatever it asks, nothing is below the edge.
// How high each part is does not depend on chance here: chips, rows, strip and question hold all they can.
import { readFileSync } from "node:fs";
import path from "node:path";
import { oneTable, type Fixture } from "./one_table";
import { expect, test } from "./table";

const kPhones: [width: number, height: number][] = [
  [320, 568],
  [360, 640],
  [375, 667],
  [390, 844],
];
const kLanguages = ["de", "en", "fr"] as const;
const kSeats = 5;
const kMine = 0;

const kRow = ["rabbit", "owl", "owl", "owl", "deer", "boar", "boar", "ram", "bear", "wolf"];
const kUp = { rabbit: 4, owl: 3, deer: 5, boar: 2, ram: 6, bear: 3, wolf: 1 };
/** All that a chip can show: out of the round, the rock, hidden tokens of both kinds, trees. */
const kPlayer = { up: kUp, down: 2, shadow: 5, trees: 4 };
const kShadow = ["owl", "bear", "wolf", "wolf", "rabbit"];

/** What is asked at a table where nothing has room to spare. */
interface Asks {
  phase: string;
  legal: { action: object; preview?: number }[];
  drawn?: string[];
  /** Rows that are still there. */
  rows?: number;
  shadow?: string[];
}

function fullest({ room, view }: Fixture, asks: Asks): Fixture {
  const { phase, legal, drawn = [], rows = kSeats, shadow = kShadow } = asks;
  const people = Array.from({ length: kSeats }, (_, seat) => ({
    seat,
    kind: seat % 2 === 0 ? "human" : "bot",
    name: "Maximiliane-Charlotte-XY",
    presence: "here",
    ...(seat % 2 === 1 && { level: "hard" }),
  }));
  const table = {
    phase,
    round: 4,
    rock: 1,
    turn: kMine,
    tower: { id: 1, light: [3, 3, 2, 3, 3], shadow: [3, 3, 3, 3, 3] },
    waiting: [2, 3, 4],
    ...(drawn.length > 0 && { pending: { tokens: drawn.map((_, token) => token) } }),
    rows: Array.from({ length: kSeats }, (_, row) =>
      row < rows ? { tokens: kRow } : { tokens: [], taken_by: row },
    ),
    box: { light: 7, shadow: 6 },
    seats: people.map(({ seat }) => ({
      ...kPlayer,
      ...(seat >= rows && { row: seat }),
      ...(seat === kMine && { shadow: shadow.length }),
    })),
  };
  const decisions = [{ id: 7, kind: "turn", seats: [kMine] }];
  const mine = {
    seat: kMine,
    down: ["owl", "bear"],
    shadow,
    drawn: drawn.map((animal, token) => ({ token, animal })),
  };
  return {
    name: phase,
    room: { ...room, options: { variant: "wolves" }, seats: people, host: kMine },
    view: { ...view, seat: kMine, decisions, table, mine, legal, answer: undefined },
  };
}

const each = <T>(make: (at: number) => T, count = kSeats): T[] =>
  Array.from({ length: count }, (_, at) => make(at));
const take = (row: number) => ({ action: { do: "take", row }, preview: -16 });
const draw = (column: number) => ({ action: { do: "draw", columns: [column] } });
const place = (row: number) => ({
  action: { do: "place", token: 0, row },
  preview: -16,
  worth: -7,
});
const keep = { action: { do: "keep", token: 0 }, preview: -16 };

const kTurn: Asks = { phase: "turn", legal: [...each(draw), ...each(take)] };
const kLastRow: Asks = { phase: "turn", rows: 1, legal: [...each(draw), take(0)] };
const kHeld: Asks = {
  phase: "resolve",
  drawn: ["wolf"],
  legal: [...each(place), keep],
};
const kTables: [name: string, asks: Asks, before?: Asks][] = [
  ["a turn", kTurn],
  ["the last row", kLastRow],
  ["a token in hand", kHeld],
  ["the first shadow token", { ...kTurn, shadow: ["wolf"] }, { ...kTurn, shadow: [] }],
];

for (const language of kLanguages) {
  test(`the fullest table stays in the window of a phone: ${language}`, async ({ person }) => {
    const ada = await person({ width: 320, height: 568, language, still: true });
    const { page } = ada;
    const file = path.resolve(import.meta.dirname, "../fixtures/triqueta.json");
    const all = JSON.parse(readFileSync(file, "utf8")) as Fixture[];
    const start = all.find(({ name }) => name === "wolves_turn")!;
    const say = await oneTable(page, start);
    await page.goto(`${ada.server.url}r/${start.room.room}`);
    await page.locator(".table").waitFor();
    let { rev } = start.view;
    // By an act of mine what was explained before it is over.
    const show = async (asks: Asks, acted: boolean) => {
      const { room, view } = fullest(start, asks);
      const happened: object[] = each(
        (at) => ({ event: "placed", seat: at + 1, token: 0, row: 0, animal: "owl" }),
        kSeats - 1,
      );
      say(room);
      if (acted) happened.unshift({ event: "took", seat: kMine, row: 0, animals: kRow });
      say({ ...view, happened, rev: ++rev });
      await expect(page.locator(".table")).toHaveAttribute("data-rev", String(rev));
    };
    for (const [width, height] of kPhones) {
      await page.setViewportSize({ width, height });
      for (const [name, asks, before] of kTables) {
        const fits = async (what: string) => {
          const where = `${name}${what}, ${width} x ${height}`;
          const high = await page.evaluate(() => document.documentElement.scrollHeight);
          expect.soft(high, where).toBe(height);
          const rows = page.locator(".tq-tokens");
          const wide = await rows.evaluateAll((all) => all.map((row) => row.scrollWidth));
          const rooms = await rows.evaluateAll((all) => all.map((row) => row.clientWidth));
          expect.soft(wide, `${where}: tokens over points`).toEqual(rooms);
        };
        if (before) await show(before, true);
        await show(asks, !before);
        if (before) await page.locator(".tq-note").waitFor();
        await fits("");
        if (asks.drawn) continue;
        // Not by a finger, to which what has just moved is deaf.
        await page.locator(".tq-row").first().dispatchEvent("click");
        await page.locator(".tq-commit").waitFor();
        await fits(", asked again");
        await page.locator(".tq-cancel").dispatchEvent("click");
      }
    }
  });
}
