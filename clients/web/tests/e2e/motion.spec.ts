// Pieces go from where they were to where they are: what changes its owner flies, what makes room slides, and
// who gets something is lit. All can be touched meanwhile, and without motion nothing moves.
import { readFileSync } from "node:fs";
import path from "node:path";
import { oneTable, type Fixture } from "./one_table";
import { expect, test } from "./table";

const file = path.resolve(import.meta.dirname, "../fixtures/mayhem.json");
const table = (JSON.parse(readFileSync(file, "utf8")) as Fixture[]).find(
  ({ name }) => name === "unchecked_more",
)!;

for (const still of [false, true]) {
  test(`who takes what is seen ${still ? "by what stands" : "by what moves"}`, async ({
    person,
  }) => {
    const ada = await person({ width: 390, height: 844, still });
    const { page } = ada;
    // So slowly that it has not ended when the test looks, however slow the machine is.
    await page.addInitScript(() => {
      const animate = Element.prototype.animate;
      Element.prototype.animate = function (frames, how) {
        return animate.call(this, frames, { ...(how as object), duration: 60_000, delay: 0 });
      };
    });
    const say = await oneTable(page, table);
    await page.goto(`${ada.server.url}r/${table.room.room}`);
    await page.locator(".table").waitFor();
    const shown = table.view.table as { triangles: { id: number; cards: object[] }[] };
    const [taken, next] = shown.triangles as [{ id: number; cards: object[] }, { id: number }];
    const rev = table.view.rev + 1;
    say({
      ...table.view,
      rev,
      table: { ...shown, triangles: shown.triangles.slice(1) },
      happened: [
        { event: "triangle", seat: 2, triangle: taken.id, cards: [...taken.cards], points: 3 },
        {
          event: "play",
          seat: 1,
          triangle: next.id,
          card: { cut: "vertical", number: 2, color: "red" },
          fast: false,
          how: "extend",
        },
      ],
    });
    await expect(page.locator(".table")).toHaveAttribute("data-rev", String(rev));
    const moving = (selector: string) =>
      page.locator(selector).evaluate((each) => each.getAnimations().length);
    const some = still ? 0 : 1;
    await expect(page.locator(".flight")).toHaveCount(2 * some);
    // It makes room; what flies to it is another piece.
    expect(await moving(`[data-at="triangle-${shown.triangles[2]!.id}"]`)).toBe(some);
    expect(await moving(".chip[data-seat='2']")).toBe(some);
    if (still) expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
    // Who did it stands there also when nothing moves.
    await expect(page.locator(`[data-at="triangle-${next.id}"] .by .avatar`)).toBeVisible();
    await page.locator("[data-act=end]").click();
    await expect(page.locator(".board")).toHaveAttribute("aria-busy", "true");
  });
}
