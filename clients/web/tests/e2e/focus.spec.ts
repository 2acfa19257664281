// What has the focus is under nothing: at tables that are full, beside notices and bars that come up,
// when the table changes under it. The frames are those that a real server once sent.
import { readFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "@playwright/test";
import { oneTable, type Fixture } from "./one_table";
import { expect, test, type Look, type Person } from "./table";
import { hiddenFocus, hiddenStops, numberTabStops } from "./typist";

const fixtures = ["triqueta", "mayhem", "card_triangles"].flatMap((game) => {
  const file = path.resolve(import.meta.dirname, `../fixtures/${game}.json`);
  return JSON.parse(readFileSync(file, "utf8")) as Fixture[];
});
const named = (name: string) => fixtures.find((each) => each.name === name)!;

const kTables = [
  "wolves_turn",
  "wolves_resolve",
  "wolves_tower",
  "wolves_reveal",
  "unchecked_fast",
  "unchecked_end",
  "six_call",
  "six_discard",
  "three_joker",
];
const kLooks: (Look & { text: string })[] = [
  { width: 320, height: 568, language: "de", text: "normal" },
  { width: 320, height: 568, language: "fr", text: "larger" },
  { width: 1280, height: 800, language: "qps", text: "normal" },
];

/** What whoever runs the server says to everybody. */
const kNotice = {
  type: "notice",
  text: "The server goes down for a few minutes at noon. ".repeat(3),
};

/** Opens the table of a fixture, by keyboard; gives back how the server goes on. */
async function open({ page, server }: Person, fixture: Fixture, hash = "") {
  const say = await oneTable(page, fixture, { act: "illegal" });
  // A new query, since another hash alone loads nothing.
  await page.goto(`${server.url}r/${fixture.room.room}?${fixture.name}${hash}`);
  await page.locator(".table, .over").first().waitFor();
  await page.keyboard.press("Tab");
  return say;
}

/** Once everything stands where it belongs. */
const drawn = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));

/** What is wrong with what Tab leads to. */
async function everyStop(page: Page): Promise<string[]> {
  await drawn(page);
  expect(await page.evaluate(numberTabStops)).toBeGreaterThan(3);
  return page.evaluate<string[]>(`(${hiddenStops})(${hiddenFocus})`);
}

for (const look of kLooks) {
  const name = `${look.width} px, ${look.language}, ${look.text} text`;
  test(`under nothing, whatever comes up: ${name}`, async ({ person }) => {
    const ada = await person(look);
    const { page } = ada;
    await page.addInitScript((size) => localStorage.setItem("triquetra.text", size), look.text);
    for (const table of kTables) {
      // A look back at a game that is not over is a notice.
      const say = await open(ada, named(table), "#replay");
      await expect(page.locator(".notice")).toHaveCount(1);
      expect.soft(await everyStop(page), `${table}, a notice`).toEqual([]);
      say(kNotice);
      await expect(page.locator(".link-bar")).toHaveCount(1);
      expect.soft(await everyStop(page), `${table}, a notice and a bar`).toEqual([]);
    }
  });
}

/** The same table with so many open triangles, on each of which my first card may go. */
function crowded({ name, room, view }: Fixture, count: number, more: object = {}): Fixture {
  type Open = { triangles: { id: number; cards: object[] }[] };
  const { table, mine } = view as unknown as { table: Open; mine: { hand: object[] } };
  const triangles = Array.from({ length: count }, (_, i) => ({
    ...table.triangles[i % table.triangles.length]!,
    id: 1000 + i,
  }));
  const plays = triangles.map(({ id }) => ({ do: "play", card: mine.hand[0], onto: id }));
  const legal = [...plays, { do: "end" }].map((action) => ({ action }));
  return { name, room, view: { ...view, table: { ...table, triangles }, legal, ...more } };
}

for (const look of kLooks) {
  const name = `${look.width} px, ${look.language}, ${look.text} text`;
  test(`each of many triangles can be seen: ${name}`, async ({ person }) => {
    const ada = await person(look);
    const { page } = ada;
    await page.addInitScript((size) => localStorage.setItem("triquetra.text", size), look.text);
    for (const count of [12, 17, 30]) {
      await open(ada, crowded(named("unchecked_more"), count));
      await page.keyboard.press("Digit1");
      await expect(page.locator(".mh-place.can")).toHaveCount(count);
      expect.soft(await everyStop(page), `${count} triangles`).toEqual([]);
      // The server says no, and asks on.
      await page.locator(".mh-place.can").first().press("Enter");
      await expect(page.locator(".refused")).toHaveCount(1);
      await page.keyboard.press("Digit1");
      await expect(page.locator(".mh-place.can")).toHaveCount(count);
      expect.soft(await everyStop(page), `${count} triangles, refused`).toEqual([]);
    }
  });

  test(`what has the focus stays in sight when the table changes: ${name}`, async ({ person }) => {
    const ada = await person(look);
    const { page } = ada;
    await page.addInitScript((size) => localStorage.setItem("triquetra.text", size), look.text);
    const fixture = crowded(named("unchecked_more"), 16);
    const hidden = () => page.evaluate(hiddenFocus, "body *");
    for (const which of ["first", "last"] as const) {
      const say = await open(ada, fixture);
      await page.keyboard.press("Digit1");
      const place = page.locator(".mh-place.can").nth(which === "first" ? 0 : -1);
      await place.focus();
      expect(await hidden(), `${which} of 16`).toBe("");
      // What others do asks me nothing new.
      for (const [i, count] of [28, 16].entries()) {
        say(crowded(fixture, count, { rev: fixture.view.rev + i + 1 }).view);
        await expect(page.locator(".mh-place")).toHaveCount(count);
        await expect(page.locator(".mh-place:focus")).toHaveCount(1);
        expect.soft(await hidden(), `${which} of 16, now of ${count}`).toBe("");
      }
      say(kNotice);
      await expect(page.locator(".link-bar")).toHaveCount(1);
      await drawn(page);
      expect.soft(await hidden(), `${which}, beside a bar`).toBe("");
    }
  });
}

test("under nothing: a table that is looked at after the end", async ({ person }) => {
  const ada = await person({ width: 320, height: 568, language: "de" });
  const { page } = ada;
  for (const table of ["wolves_over", "checked_over", "six_over"]) {
    const say = await open(ada, named(table));
    await page.locator(".over-doors button").nth(1).click();
    await page.locator(".over-back").waitFor();
    await page.keyboard.press("Tab");
    expect.soft(await everyStop(page), table).toEqual([]);
    say(kNotice);
    await expect(page.locator(".link-bar")).toHaveCount(1);
    expect.soft(await everyStop(page), `${table}, beside a bar`).toEqual([]);
  }
});

test("under nothing: the sheets", async ({ person }) => {
  const ada = await person({ width: 320, height: 568, language: "fr", still: true });
  const { page } = ada;
  await page.addInitScript(() => localStorage.setItem("triquetra.text", "larger"));
  const say = await open(ada, named("wolves_turn"));
  say(kNotice);
  for (const sheet of [".top-bar button >> nth=0", ".top-bar button >> nth=1", ".chip >> nth=1"]) {
    await page.locator(sheet).press("Enter");
    await page.locator("dialog[open]").waitFor();
    expect.soft(await everyStop(page), sheet).toEqual([]);
    await page.keyboard.press("Escape");
    await expect(page.locator("dialog")).toHaveCount(0);
  }
  await page.locator(".top-bar button").first().press("Enter");
  await page.locator(".menu button").nth(1).press("Enter");
  await page.locator("dialog input[name=language]").first().waitFor();
  expect.soft(await everyStop(page), "settings").toEqual([]);
});

test("under nothing: screens under a bar", async ({ person }) => {
  const ada = await person({ width: 320, height: 568, language: "fr" });
  const { page } = ada;
  await page.addInitScript(() => localStorage.setItem("triquetra.name", "Ada"));
  const say = await oneTable(page, named("wolves_turn"));
  for (const screen of ["create", "settings", "rules"]) {
    await page.goto(`${ada.server.url}?${screen}#${screen}`);
    await page.locator(".screen h1").waitFor();
    await page.keyboard.press("Tab");
    // The page has to be greeted first.
    await expect(async () => {
      say(kNotice);
      await expect(page.locator(".link-bar.notice")).toHaveCount(1, { timeout: 200 });
    }).toPass();
    expect.soft(await everyStop(page), screen).toEqual([]);
  }
});

test("who takes the mouse hits what it is on, whatever keys were pressed before", async ({
  person,
}) => {
  const ada = await person({ width: 320, height: 568 });
  const { page } = ada;
  const say = await open(ada, named("base_turn"), "#replay");
  say(kNotice);
  await expect(page.locator(".link-bar")).toHaveCount(1);
  await drawn(page);
  // A tap on what has just moved counts for nothing.
  await page.waitForTimeout(500);
  await page.locator(".tq-row").first().click();
  await expect(page.locator("[data-role=commit]")).toBeVisible();
  // The bar stands above the table, over nothing of it, but for what is scrolled below it.
  const gap = await page.evaluate(() => {
    scrollTo(0, 0);
    const edge = (what: string) => document.querySelector(what)!.getBoundingClientRect();
    return edge(".table").top - edge(".link-bars").bottom;
  });
  expect(gap).toBeGreaterThanOrEqual(0);
});
