// Every piece and number explains itself: to a mouse that rests, a finger that stays, and to "?".
import { readFileSync } from "node:fs";
import path from "node:path";
import { oneTable, type Fixture } from "./one_table";
import { expect, test, type Person } from "./table";

const wolves: unknown = JSON.parse(
  readFileSync(path.resolve(import.meta.dirname, "../fixtures/triqueta.json"), "utf8"),
);

const learn = async (person: Person, game: string) => {
  await person.page.goto(`${person.server.url}#learn/${game}`);
  await person.page.locator(".lesson .board").waitFor();
};

test("a mouse that rests hears what lies under it, also where nothing can be pressed", async ({
  person,
}) => {
  const ada = await person({ width: 1280, height: 800, still: true });
  const { page } = ada;
  const tip = page.locator("[role=tooltip]");
  await learn(ada, "triqueta");
  await page.locator(".tq-column .token").first().hover();
  await expect(tip).toContainText("face down");
  await page.locator(".tq-strip [data-why=bear]").hover();
  await expect(tip).toContainText("worth 10 points");
  await expect(page.locator("[role=log]")).toContainText("worth 10 points");
  const { x, y, width, height } = (await tip.boundingBox())!;
  expect(x >= 0 && y >= 0 && x + width <= 1280 && y + height <= 800).toBe(true);
  const bear = (await page.locator(".tq-strip [data-why=bear]").boundingBox())!;
  expect(x < bear.x && bear.x + bear.width < x + width, "it stands over the bear").toBe(true);
  expect(Math.abs(bear.y - y - height)).toBeLessThan(20);
  await page.keyboard.press("Escape");
  await expect(tip).toHaveCount(0);
  await learn(ada, "mayhem");
  await page.locator(".mh-card[aria-disabled=true] .tri-card").first().hover();
  await expect(tip).toContainText("the pieces 1, 2 and 3");
  await learn(ada, "card_triangles");
  await page.locator(".ct-card [data-why$=J] , .ct-card [data-why*=J]").first().hover();
  await expect(tip).toContainText("take a saved piece");
});

test("a finger that stays asks, and does nothing else", async ({ person }) => {
  const ada = await person({ language: "de", still: true });
  const { page } = ada;
  await learn(ada, "triqueta");
  const token = page.locator("[data-act=draw] .token").first();
  const { x, y, width, height } = (await token.boundingBox())!;
  const at = { x: x + width / 2, y: y + height / 2 };
  const touch = await page.context().newCDPSession(page);
  await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [at] });
  await expect(page.locator("[role=tooltip]")).toContainText("verdecktes Plättchen");
  await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await expect(page.locator(".lesson")).toHaveAttribute("data-rev", "0");
  await expect(page.locator("[role=tooltip]")).toBeVisible();
  // A tap is a tap as before.
  await token.tap();
  await expect(page.locator(".lesson")).toHaveAttribute("data-rev", "1");
  await expect(page.locator("[role=tooltip]")).toHaveCount(0);
});

test("what does nothing else explains itself by a tap", async ({ person }) => {
  const ada = await person({ still: true });
  const fixture = (wolves as unknown as Fixture[]).find(({ name }) => name === "wolves_start")!;
  await oneTable(ada.page, fixture);
  await ada.page.goto(`${ada.server.url}r/${fixture.room.room}`);
  await ada.page.locator(".tq-next").first().tap();
  await expect(ada.page.locator("[role=tooltip]")).toContainText("five dark shadow tokens");
  await ada.page.locator(".tq-column.can").first().tap();
  await expect(ada.page.locator("[role=tooltip]")).toHaveCount(0);
});

test("what has the focus explains itself by a key, and else that shows the keys", async ({
  person,
}) => {
  const ada = await person({ width: 1280, height: 800, still: true });
  const { page } = ada;
  await page.goto(`${ada.server.url}#bots`);
  await ada.introduce("Ada");
  await page.locator("form .primary").click();
  await page.locator(".banner.mine").waitFor();
  await page.locator(".tq-column:not([aria-disabled=true])").first().focus();
  await page.keyboard.press("?");
  await expect(page.locator("[role=tooltip]")).toContainText("face down");
  await expect(page.locator("dialog")).toHaveCount(0);
  await page.keyboard.press("Tab");
  await expect(page.locator("[role=tooltip]")).toHaveCount(0);
  await page.locator(".chip").first().focus();
  await page.keyboard.press("?");
  await expect(page.locator("dialog .keys")).toBeVisible();
});
