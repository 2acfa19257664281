// What a person feels: how soon the page is there, whether it jumps, and how soon a tap is answered.
// The figures are printed and attached; times are not asserted, since machines differ.
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
