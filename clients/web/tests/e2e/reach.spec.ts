// Whatever is legal can be reached and is under nothing: every kind of question of each game, for two to
// eight, in low, narrow and large windows, in each size of the text, for children, and with the spaces
// that some people need between letters. The frames are those that a real server once sent.
import { readFileSync } from "node:fs";
import path from "node:path";
import { oneTable, type Fixture } from "./one_table";
import { expect, test } from "./table";

const kWindows: [width: number, height: number][] = [
  [320, 480],
  [320, 568],
  [390, 844],
  [640, 400],
  [667, 375],
  [844, 390],
  [1280, 800],
  [1920, 1080],
];
/** Every kind of question, at the fullest table that there is of it. */
const kTables = {
  triqueta: ["base_turn", "base_resolve", "base_tower", "base_reveal", "duo_two"],
  mayhem: ["unchecked_more", "checked_fast"],
  card_triangles: ["six_discard", "three_call", "two_guest", "three_joker"],
};
const named = (game: string, names: readonly string[]): Fixture[] => {
  const file = path.resolve(import.meta.dirname, `../fixtures/${game}.json`);
  const all = JSON.parse(readFileSync(file, "utf8")) as Fixture[];
  return names.map((name) => all.find((each) => each.name === name)!);
};

/** The same table with so many people at it: those who are there, again. */
function crowd({ name, room, view }: Fixture, count: number): Fixture {
  const people = room.seats as { seat: number }[];
  const seats = Array.from({ length: count }, (_, seat) => ({
    ...people[seat % people.length]!,
    seat,
  }));
  const { table } = view as unknown as { table: { seats: object[] } };
  const more = Array.from({ length: count }, (_, i) => table.seats[i % table.seats.length]!);
  return {
    name: `${name} for ${count}`,
    room: { ...room, seats },
    view: { ...view, table: { ...table, seats: more } },
  };
}

/** In the page: what cannot be reached or is covered, in each way to read. */
function outOfReach(isNarrow: boolean): string[] {
  const root = document.documentElement;
  const spaces = new CSSStyleSheet();
  spaces.replaceSync(
    "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }",
  );
  const ways: [name: string, text: string, kids: string, sheets: CSSStyleSheet[]][] = [
    ["normal", "normal", "off", []],
    ["very large", "larger", "off", []],
    ["very large, for children", "larger", "on", []],
    ...(isNarrow ? [["spaced", "normal", "off", [spaces]] as (typeof ways)[number]] : []),
  ];
  const found: string[] = [];
  for (const [name, text, kids, sheets] of ways) {
    root.dataset.text = text;
    root.dataset.kids = kids;
    document.adoptedStyleSheets = sheets;
    const controls = document.querySelectorAll<HTMLElement>(
      ".board button:not(:disabled, [aria-disabled=true]), .top-bar button, .chip",
    );
    if (controls.length < 4) found.push(`${name}: only ${controls.length} controls`);
    for (const each of controls) {
      if (each.offsetParent === null) continue;
      each.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
      const { left, top, right, bottom } = each.getBoundingClientRect();
      const says = (fault: string) =>
        found.push(`${name}: ${each.className} ${each.textContent?.slice(0, 40)}: ${fault}`);
      if (left < -1 || right > innerWidth + 1) says(`from ${left} to ${right}`);
      const high = bottom - top > innerHeight;
      if (!high && (top < -1 || bottom > innerHeight + 1)) says(`from ${top} to ${bottom} down`);
      // Its middle, and near its edges.
      for (const [x, y] of [
        [0.5, 0.5],
        [0.08, 0.5],
        [0.92, 0.5],
        [0.5, 0.1],
        [0.5, 0.9],
      ] as const) {
        const at = [left + x * (right - left), top + y * (bottom - top)] as const;
        if (high && (at[1] < 0 || at[1] > innerHeight)) continue;
        const hit = document.elementFromPoint(...at);
        if (!hit || !each.contains(hit)) {
          says(`at ${x}, ${y} is ${hit?.className}`);
          break;
        }
      }
    }
    if (root.scrollWidth > innerWidth) found.push(`${name}: ${root.scrollWidth} px wide`);
  }
  root.dataset.text = "normal";
  root.dataset.kids = "off";
  document.adoptedStyleSheets = [];
  return found;
}

/** The same table with points of up to three digits, and a bot or two who may play fast. */
function pointed({ name, room, view }: Fixture): Fixture {
  const { table } = view as unknown as { table: { seats: object[] } };
  const points = [24, 3, 12, 102, 0, 9, 108, 15];
  const seats = table.seats.map((seat, i) => ({
    ...seat,
    sheet: { points: points[i], pure: 1, unpure: 1 },
  }));
  const people = (room.seats as object[]).map((seat, i) =>
    i === 0 ? seat : { ...seat, kind: "bot", level: "hard" },
  );
  const window = { id: 990, kind: "window", seats: [3] };
  return {
    name: `${name}, with points`,
    room: { ...room, seats: people },
    view: {
      ...view,
      decisions: [...view.decisions!, window],
      table: { ...table, seats },
    },
  };
}

/** In the page: points that are not whole on their chip, and what is cut in halves beside them. */
function cutOnChips(): string[] {
  const found: string[] = [];
  for (const text of ["normal", "larger"]) {
    document.documentElement.dataset.text = text;
    for (const chip of document.querySelectorAll(".chip")) {
      const outer = [...chip.querySelectorAll(".chip-state, .mh-badge")].concat(chip);
      const frame = outer.map((each) => each.getBoundingClientRect());
      const left = Math.max(...frame.map((box) => box.left)) - 1;
      const right = Math.min(...frame.map((box) => box.right)) + 1;
      const top = Math.max(...frame.map((box) => box.top)) - 1;
      const bottom = Math.min(...frame.map((box) => box.bottom)) + 1;
      for (const part of chip.querySelectorAll(".mh-badge > *")) {
        const box = part.getBoundingClientRect();
        const isIn =
          box.left >= left && box.right <= right && box.top >= top && box.bottom <= bottom;
        const isOut = box.top >= bottom - 3 || box.left >= right - 3;
        const isPoints = part.matches(".mh-sum");
        if (!isIn && (isPoints || !isOut))
          found.push(`${text}: ${chip.textContent}: ${part.textContent}`);
      }
      if (!chip.querySelector(".mh-sum")) found.push(`${text}: ${chip.textContent}: no points`);
    }
  }
  document.documentElement.dataset.text = "normal";
  return found;
}

for (const [game, names] of Object.entries(kTables)) {
  test(`everything legal can be reached: ${game}`, async ({ person }) => {
    test.slow();
    const ada = await person({ width: 1280, height: 800, language: "de", still: true });
    const { page } = ada;
    const tables = named(game, names);
    if (game === "mayhem") {
      tables.push(crowd(tables[0]!, 8), pointed(crowd(named(game, ["checked_more"])[0]!, 8)));
    }
    const [{ room, view }] = tables as [Fixture];
    const say = await oneTable(page, tables[0]!);
    await page.goto(`${ada.server.url}r/${room.room}`);
    await page.locator(".table").waitFor();
    let rev = view.rev;
    for (const [width, height] of kWindows) {
      await page.setViewportSize({ width, height });
      for (const each of tables) {
        const here = { room: room.room, match: room.match };
        say({ ...each.room, ...here });
        say({ ...each.view, ...here, rev: ++rev });
        await expect(page.locator(".table")).toHaveAttribute("data-rev", String(rev));
        const faults = await page.evaluate(outOfReach, width < 400);
        const where = `${each.name}, ${width} x ${height}`;
        expect.soft(faults, where).toEqual([]);
        if (!each.name.endsWith("with points")) continue;
        expect.soft(await page.evaluate(cutOnChips), where).toEqual([]);
        await expect.soft(page.locator(".chip-quick"), where).toHaveCount(1);
        await expect.soft(page.locator(".chip.asked"), where).toHaveCount(1);
      }
    }
  });
}

const kAdvised: [game: keyof typeof kTables, name: string][] = [
  ["triqueta", "base_turn"],
  ["mayhem", "unchecked_more"],
  ["card_triangles", "three_joker"],
];
for (const [game, name] of kAdvised) {
  test(`what an expert would do is said beside the board: ${game}`, async ({ person }) => {
    const ada = await person({ width: 320, height: 568, language: "de", still: true });
    const { page } = ada;
    const [table] = named(game, [name]) as [Fixture];
    await oneTable(page, table);
    await page.goto(`${ada.server.url}r/${table.room.room}`);
    for (const [width, height] of [kWindows[1]!, kWindows[5]!]) {
      await page.setViewportSize({ width, height });
      await page.locator(".top-bar button").first().click();
      await page.getByRole("button", { name: "Was täte ein Profi?" }).click();
      await expect(page.locator(".banner")).toContainText("Profi täte");
      await expect(page.locator("dialog")).toHaveCount(0);
      const all = page.getByRole("button", { name: "Alles zeigen" });
      expect(await page.evaluate(outOfReach, false), `${width} x ${height}`).toEqual([]);
      await page.evaluate(() => scrollTo(0, 0));
      await expect(page.locator(".notices > *")).toHaveCount(0);
      await all.click();
      await expect(page.locator(".banner")).not.toContainText("Profi täte");
    }
  });
}

test("the field of the talk is in sight above a keyboard", async ({ person }) => {
  const ada = await person({ width: 740, height: 160, still: true });
  const { page } = ada;
  const [{ name, room, view }] = named("triqueta", ["base_turn"]) as [Fixture];
  await oneTable(page, { name, room: { ...room, chat: "text" }, view });
  await page.goto(`${ada.server.url}r/${room.room}`);
  await page.locator(".talk-button").click();
  const field = page.locator(".say input");
  await expect(field).toBeInViewport({ ratio: 1 });
  const reactions = await page.locator(".reactions").boundingBox();
  expect(reactions!.height).toBeGreaterThan(40);
});
