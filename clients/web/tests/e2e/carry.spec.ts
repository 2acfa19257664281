// What taps and keys do, carrying does too; whoever points at a piece sees where it may go; and one stands at
// the table with a sign and a colour of one's own.
import { readFileSync } from "node:fs";
import path from "node:path";
import { faults } from "./faults";
import { oneTable, type Fixture } from "./one_table";
import { expect, test } from "./table";

const kCarried = [
  ["mayhem", "unchecked_more", '[data-at="hand-v2p"]', '[data-at="triangle-6"]'],
  ["triqueta", "base_resolve", ".tq-bar .token", '[data-at="row-0"]'],
  ["card_triangles", "three_discard", '[data-at^="hand-"]', '[data-at="discard"]'],
] as const;
for (const [game, name, piece, place] of kCarried) {
  test(`a piece is carried to its place: ${game}`, async ({ person }) => {
    const ada = await person({ width: 1280, height: 800, still: true });
    const { page } = ada;
    const file = path.resolve(import.meta.dirname, `../fixtures/${game}.json`);
    const all = JSON.parse(readFileSync(file, "utf8")) as Fixture[];
    const fixture = all.find((each) => each.name === name)!;
    await oneTable(page, fixture);
    await page.goto(`${ada.server.url}r/${fixture.room.room}`);
    const from = page.locator(`.board ${piece}`).first();
    const to = page.locator(`.board ${place}`);
    await from.hover();
    await expect(to).toHaveAttribute("data-target", "");
    const middle = async (what: typeof from) => {
      const { x, y, width, height } = (await what.boundingBox())!;
      return [x + width / 2, y + height / 2] as const;
    };
    const board = page.locator(".board");
    // Put down where it may not lie, it is where it was.
    await page.mouse.down();
    await page.mouse.move(640, 12, { steps: 4 });
    await expect(page.locator(".carried")).toHaveCount(1);
    await page.mouse.up();
    await expect(page.locator(".carried")).toHaveCount(0);
    await expect(board).toHaveAttribute("aria-busy", "false");
    await from.hover();
    await page.mouse.down();
    await page.mouse.move(...(await middle(to)), { steps: 4 });
    await page.mouse.up();
    await expect(page.locator(".carried, [data-target]")).toHaveCount(0);
    await expect(board).toHaveAttribute("aria-busy", "true");
  });
}

test("a sign and a colour of my own", async ({ person }) => {
  const ada = await person({ width: 320, height: 568 });
  const { page } = ada;
  await page.goto(`${ada.server.url}#bots`);
  await ada.introduce("Ada");
  await page.goto(`${ada.server.url}#settings`);
  await page.getByRole("radio", { name: "Crown" }).check();
  await page.getByRole("radio", { name: "Violet" }).check();
  expect(await faults(page)).toEqual([]);
  await page.goto(`${ada.server.url}#bots`);
  await page.locator("form .primary").click();
  const mine = page.locator(".chip.me .avatar");
  await expect(mine).toHaveClass(/own seat-0 hue-7/);
  await expect(mine.locator("svg")).toBeVisible();
  await expect(page.locator(".chip:not(.me) .avatar.own")).toHaveCount(0);
});
