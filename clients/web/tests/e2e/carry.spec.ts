// What taps and keys do, carrying does too; whoever points at a piece sees where it may go; and one stands at
// the table with a sign and a colour of one's own.
import { readFileSync } from "node:fs";
import path from "node:path";
import { faults } from "./faults";
import { oneTable, type Asked, type Fixture } from "./one_table";
import { expect, test, type Person } from "./table";

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

/** The page of a phone with a table that a real server sent, and what it was sent. */
async function onPhone(ada: Person, game: string, name: string) {
  const file = path.resolve(import.meta.dirname, `../fixtures/${game}.json`);
  const all = JSON.parse(readFileSync(file, "utf8")) as Fixture[];
  const fixture = all.find((each) => each.name === name)!;
  const acts: Asked[] = [];
  const say = await oneTable(ada.page, fixture, {}, acts);
  await ada.page.goto(`${ada.server.url}r/${fixture.room.room}`);
  await ada.page.locator(".board").waitFor();
  return { fixture, acts, say };
}

for (const [game, name, piece] of kCarried) {
  test(`a tap marks no place as if it were asked for: ${game}`, async ({ person }) => {
    const ada = await person({ width: 390, height: 844, still: true });
    const { page } = ada;
    const { fixture, say } = await onPhone(ada, game, name);
    const marked = page.locator("[data-target]");
    await page.locator(`.board ${piece}`).first().tap();
    await expect(marked).toHaveCount(0);
    // Nor when it is my turn again, with the focus led to what is next.
    const { view } = fixture;
    say({ ...view, rev: view.rev + 1, legal: [], decisions: [] });
    await expect(page.locator(`[data-rev="${view.rev + 1}"]`)).toBeVisible();
    say({ ...view, rev: view.rev + 2 });
    await expect(page.locator(`[data-rev="${view.rev + 2}"]`)).toBeVisible();
    await expect(marked).toHaveCount(0);
  });
}

test("a finger that comes down twice shows a triangle, and completes none", async ({ person }) => {
  const ada = await person({ width: 390, height: 844, still: true });
  const { page } = ada;
  const { acts } = await onPhone(ada, "card_triangles", "two_turn");
  const { x, y, width, height } = (await page.locator(".ct-next").boundingBox())!;
  const at = [x + width - 60, y + height / 2] as const;
  await Promise.all([page.touchscreen.tap(...at), page.touchscreen.tap(...at)]);
  const commit = page.locator("[data-role=commit]").first();
  await expect(commit).toBeVisible();
  expect(acts).toEqual([]);
  // Once it can have been read, it does what it says.
  await page.waitForTimeout(500);
  await commit.tap();
  await expect.poll(() => acts.length).toBe(1);
});

test("a button that becomes another under a finger does nothing", async ({ person }) => {
  const ada = await person({ width: 390, height: 844, still: true });
  const { page } = ada;
  const { acts, fixture, say } = await onPhone(ada, "mayhem", "checked_more");
  const button = page.locator(".mh-rest button");
  const words = await button.textContent();
  const { x, y, width, height } = (await button.boundingBox())!;
  const finger = await page.context().newCDPSession(page);
  const touchPoints = [{ x: x + width / 2, y: y + height / 2 }];
  await finger.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints });
  const { view } = fixture;
  const legal = [{ action: { do: "lapse" } }];
  say({ ...view, rev: view.rev + 1, legal });
  await expect(button).not.toHaveText(words!);
  await finger.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await page.waitForTimeout(500);
  expect(acts).toEqual([]);
  await button.tap();
  await expect.poll(() => acts.length).toBe(1);
});

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
