// The rules lie over the table, open at what is asked now; those of 21/15/9 have pictures that move once.
import { readFileSync } from "node:fs";
import path from "node:path";
import { faults } from "./faults";
import { oneTable, type Fixture } from "./one_table";
import { expect, test } from "./table";

const kAsked = [
  ["triqueta", "base_turn", "draw"],
  ["triqueta", "base_resolve", "place"],
  ["mayhem", "checked_fast", "fast"],
  ["card_triangles", "three_joker", "joker"],
  ["card_triangles", "two_guest", "last"],
] as const;
for (const [game, name, part] of kAsked) {
  test(`the rules open at what is asked now: ${name}`, async ({ person }) => {
    const small = name !== "base_turn";
    const size = small ? { width: 320, height: 568 } : { width: 1280, height: 800 };
    const ada = await person({ ...size, language: "de", still: true, dark: small });
    const { page } = ada;
    const file = path.resolve(import.meta.dirname, `../fixtures/${game}.json`);
    const all = JSON.parse(readFileSync(file, "utf8")) as Fixture[];
    const fixture = all.find((each) => each.name === name)!;
    await oneTable(page, fixture);
    await page.goto(`${ada.server.url}r/${fixture.room.room}`);
    await page.locator(".table").waitFor();
    await page.keyboard.press("r");
    const now = page.locator("dialog [data-now]");
    await expect(now).toHaveAttribute("data-rule", part);
    await expect(now.locator("h2")).toBeInViewport();
    await expect(now.locator("h2")).toBeFocused();
    expect(await faults(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await expect(page.locator("dialog")).toHaveCount(0);
    if (small) {
      await page.locator(".top-bar button").first().click();
      await page.locator(".menu button", { hasText: "Regeln" }).click();
    } else {
      await page.locator(".rules-button").click();
    }
    await expect(now).toHaveAttribute("data-rule", part);
  });
}

for (const still of [false, true]) {
  test(`the pictures of 21/15/9 ${still ? "stand" : "move once, and again when asked"}`, async ({
    person,
  }) => {
    const ada = await person({ still });
    const { page } = ada;
    await page.goto(`${ada.server.url}#rules/card_triangles`);
    const films = page.locator(".ct-film");
    await expect(films).toHaveCount(4);
    for (const film of await films.all()) {
      await film.scrollIntoViewIfNeeded();
      await expect(film.locator(".runs")).toHaveCount(1);
      const moving = () =>
        film.evaluate((each) =>
          each
            .getAnimations({ subtree: true })
            .map((one) => Number(one.effect!.getComputedTiming().endTime)),
        );
      const ends = await moving();
      expect(ends.length > 0).toBe(!still);
      // What moves for longer would have to be stopped by who reads.
      for (const ms of ends) expect(ms).toBeLessThan(5000);
      await film.locator("button").click();
      expect((await moving()).length > 0).toBe(!still);
    }
    expect(await faults(page)).toEqual([]);
  });
}
