// What a person feels: how soon the page is there, whether it jumps, and how soon a tap is answered.
// The figures are printed and attached; times are not asserted, since machines differ.
import { readFileSync } from "node:fs";
import path from "node:path";
import { oneTable, type Fixture } from "./one_table";
import { Finger } from "./playing";
import { expect, kGames, test } from "./table";

interface Felt {
  first_paint_ms: number;
  largest_paint_ms: number;
  shift: number;
  taps: number[];
}

test("how soon the page is there, and how soon a tap is answered", async ({ person }, info) => {
  const ada = await person({ width: 390, height: 844 });
  const { page } = ada;
  await page.addInitScript(() => {
    const felt: Felt = { first_paint_ms: 0, largest_paint_ms: 0, shift: 0, taps: [] };
    (window as unknown as { felt: Felt }).felt = felt;
    const watch = (type: string, hear: (entry: PerformanceEntry) => void) =>
      new PerformanceObserver((list) => list.getEntries().forEach(hear)).observe({
        type,
        buffered: true,
        // Without it the browser leaves out what is quick.
        durationThreshold: 16,
      } as PerformanceObserverInit);
    watch("paint", ({ name, startTime }) => {
      if (name === "first-contentful-paint") felt.first_paint_ms = Math.round(startTime);
    });
    watch("largest-contentful-paint", ({ startTime }) => {
      felt.largest_paint_ms = Math.round(startTime);
    });
    watch("layout-shift", (entry) => {
      const { value, hadRecentInput } = entry as unknown as {
        value: number;
        hadRecentInput: boolean;
      };
      if (!hadRecentInput) felt.shift += value;
    });
    watch("event", (entry) => {
      if (/^(pointerdown|pointerup|click|keydown)$/.test(entry.name))
        felt.taps.push(entry.duration);
    });
  });
  const felt = () => page.evaluate(() => (window as unknown as { felt: Felt }).felt);

  await page.goto(ada.server.url);
  await page.locator(".home").waitFor();
  await page.waitForTimeout(300);
  const start = await felt();
  expect(start.shift).toBeLessThan(0.1);

  await ada.create({ ...kGames[1]!, seats: 3 }, "Ada");
  for (let bots = 1; bots < 3; ++bots) {
    await page.locator(".seat.empty button").first().click();
    await expect(page.locator(".seat:not(.empty)")).toHaveCount(bots + 1);
  }
  await page.locator(".lobby .primary").click();
  const finger = new Finger(ada);
  const acts = ["[data-role=commit]", "[data-act]", "button"];
  for (let touches = 0; touches < 25 && (await finger.touch(acts)); ++touches);
  const taps = (await felt()).taps.sort((a, b) => a - b);
  // What was answered within a frame is not told.
  expect(taps.length).toBeGreaterThan(0);
  const figures = {
    ...start,
    taps: taps.length,
    tap_median_ms: taps[Math.floor(taps.length / 2)],
    tap_p95_ms: taps[Math.floor(taps.length * 0.95)],
    tap_worst_ms: taps.at(-1),
  };
  console.log(JSON.stringify(figures));
  await info.attach("figures", { body: JSON.stringify(figures), contentType: "application/json" });
});

test("what a page audit asks of a page", async ({ person, request, server }) => {
  const text = await (await request.get(server.url)).text();
  expect(text).toMatch(/<html lang="\w+"/);
  expect(text).toMatch(/<title>[^<]+<\/title>/);
  expect(text).toMatch(/<meta\s+name="description"\s+content="[^"]{20,}"/);
  expect(text).toMatch(/<meta name="viewport" content="[^"]*width=device-width/);
  expect(text).not.toMatch(/user-scalable=no|maximum-scale/);
  const { page } = await person();
  await page.goto(server.url);
  await page.locator(".home").waitFor();
  // Deprecated or blocking things that audits mark down, and pictures of the wrong shape.
  const found = await page.evaluate(() => ({
    doctype: document.compatMode,
    charset: document.characterSet,
    blocking: document.querySelectorAll("head script:not([type=module]):not([async]):not([defer])")
      .length,
    withoutText: [...document.querySelectorAll("a, button")].filter(
      (each) => !each.textContent?.trim() && !each.getAttribute("aria-label"),
    ).length,
  }));
  expect(found).toEqual({ doctype: "CSS1Compat", charset: "UTF-8", blocking: 0, withoutText: 0 });
});

// ---- Beside other tables: the figures of docs/WEB.md

/** Kinds of facts that everybody may know, and where each of them stands. */
const kPublic: Record<string, { table: string; facts: Record<string, string> }> = {
  triqueta: {
    table: "base_turn",
    facts: {
      "whose turn": ".banner p",
      "round and tokens left": ".top-status",
      "each column": ".tq-column",
      "each row": ".tq-row",
      "hidden tokens, rock, trees of each": ".chip .tq-badge",
      "open tokens of each": ".chip .tq-panel",
    },
  },
  mayhem: {
    table: "unchecked_more",
    facts: {
      "whose turn": ".banner p",
      pile: ".mh-pile",
      "each open triangle": ".mh-place",
      "what happened last": ".mh-news p",
      "cards and triangles of each": ".chip .mh-badge",
    },
  },
  card_triangles: {
    table: "three_joker",
    facts: {
      "whose turn": ".banner p",
      "both piles": ".ct-stack",
      "last round, jokers": ".ct-facts",
      "cards of each": ".chip .ct-badge",
      "what each has saved": ".ct-others li",
    },
  },
};

/** What is played with, on each board. */
const kPiece = ".tq-row .token, .mh-hand .tri-card, .ct-mine .tri-card";

/** In the page: which of these stand whole in the window. */
function inSight(facts: Record<string, string>): string[] {
  return Object.entries(facts).flatMap(([fact, where]) => {
    const all = [...document.querySelectorAll<HTMLElement>(where)];
    const seen = all.filter((each) => {
      const { width, height, left, top, right, bottom } = each.getBoundingClientRect();
      const isWhole = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
      return isWhole && (each.textContent === "" || width * height > 0) && each.checkVisibility();
    });
    return all.length > 0 && seen.length === all.length ? [fact] : [];
  });
}

test("what stands in sight, and how soon whose turn it is", async ({ person }, info) => {
  const ada = await person({ width: 1280, height: 800, still: true });
  const { page } = ada;
  const figures: Record<string, unknown>[] = [];
  for (const [game, { table, facts }] of Object.entries(kPublic)) {
    const file = path.resolve(import.meta.dirname, `../fixtures/${game}.json`);
    const all = JSON.parse(readFileSync(file, "utf8")) as Fixture[];
    const fixture = all.find(({ name }) => name === table)!;
    await page.unrouteAll();
    const say = await oneTable(page, { ...fixture, view: { ...fixture.view, decisions: [] } });
    await page.goto(`${ada.server.url}r/${fixture.room.room}?${game}`);
    await page.locator(".table").waitFor();
    await expect(page.locator(".banner.mine")).toHaveCount(0);
    const before = Date.now();
    say({ ...fixture.view, rev: fixture.view.rev + 1 });
    await page.locator(".banner.mine").waitFor();
    const turn_ms = Date.now() - before;
    const seen: Record<string, string> = {};
    for (const [width, height] of [
      [320, 568],
      [390, 844],
      [1280, 800],
      [1920, 1080],
    ] as const) {
      await page.setViewportSize({ width, height });
      const found = await page.evaluate(inSight, facts);
      const piece_px = await page
        .locator(kPiece)
        .first()
        .evaluate((each) => each.clientWidth);
      const lacks = Object.keys(facts).filter((fact) => !found.includes(fact));
      seen[`${width} px, pieces of ${piece_px} px`] = [
        `${found.length} of ${Object.keys(facts).length}`,
        ...lacks,
      ].join(", without ");
      // Larger windows show all that is public.
      if (width > 320) expect.soft(lacks, `${game}, ${width} px`).toEqual([]);
    }
    const signs = await page.evaluate(() => ({
      banner: document.querySelector(".banner.mine") !== null,
      chip: document.querySelectorAll(".chip.asked").length,
      title: document.title,
    }));
    expect(signs.banner).toBe(true);
    expect(signs.chip).toBeGreaterThan(0);
    figures.push({ game, turn_ms, seen, signs });
  }
  console.log(JSON.stringify(figures, null, 1));
  await info.attach("figures", { body: JSON.stringify(figures), contentType: "application/json" });
});

test("how many clicks to the first move, and how many bytes", async ({ person }) => {
  const ada = await person({ width: 1280, height: 800 });
  const { page } = ada;
  await page.addInitScript(() => {
    const count = () => Number(sessionStorage.getItem("clicks") ?? 0);
    document.addEventListener(
      "click",
      ({ detail }) => detail > 0 && sessionStorage.setItem("clicks", String(count() + 1)),
      true,
    );
  });
  const bodies: Promise<number>[] = [];
  page.on("requestfinished", (request) => {
    bodies.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  const clicks = () => page.evaluate(() => Number(sessionStorage.getItem("clicks") ?? 0));
  await page.goto(ada.server.url);
  await page.locator('a[href$="#try/triqueta"]').first().click();
  await ada.introduce("Ada");
  await page.locator(".banner.mine").waitFor();
  await page.locator("[data-act=draw]:enabled").first().click();
  await page.locator(".tq-held").waitFor();
  const newcomer = await clicks();
  // The card of the game, and the act; between them one's name.
  expect(newcomer).toBe(2);
  const to_the_table = (await Promise.all(bodies)).reduce((sum, each) => sum + each, 0);
  await page.evaluate(() => sessionStorage.setItem("clicks", "0"));
  await page.goto(`${ada.server.url}?again`);
  await page.locator('a[href$="#try/triqueta"]').first().click();
  await page.locator(".banner.mine").waitFor();
  await page.locator("[data-act=draw]:enabled").first().click();
  await page.locator(".tq-held").waitFor();
  expect(await clicks()).toBe(2);

  // Who follows a link types a name and sits.
  const code = await ada.create(kGames[0]!, "Ada");
  const bob = await person();
  await bob.page.goto(`${bob.server.url}r/${code}`);
  await bob.introduce("Bob");
  await bob.page.locator(".lobby").waitFor();
  console.log(JSON.stringify({ newcomer, to_the_table }));
});
