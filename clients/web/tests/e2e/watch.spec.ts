// Who only watches: needs no name, and may have the table so large that it reads from across a room.
import { faults } from "./faults";
import { expect, kDeckGames, kGames, test } from "./table";

for (const game of [kGames[0]!, ...kDeckGames]) {
  for (const [width, height] of [
    [1280, 800],
    [1920, 1080],
  ] as const) {
    test(`${game.game} on a beamer of ${width} px`, async ({ person }) => {
      const ada = await person();
      const code = await ada.create({ ...game, seats: 3 }, "Ada");
      for (let bots = 1; bots < 3; ++bots) {
        await ada.page.locator(".seat.empty button").first().click();
        await expect(ada.page.locator(".seat:not(.empty)")).toHaveCount(bots + 1);
      }
      await ada.page.locator(".lobby .card > .primary").click();
      await ada.page.locator(".table").waitFor();
      const hall = await person({ width, height, dark: width > 1500, still: true });
      const { page } = hall;
      await page.goto(`${hall.server.url}r/${code}`);
      await page.locator(".screen > button.big").click();
      await page.locator(".table.watching").waitFor();
      await page.reload();
      await page.locator(".table.watching").waitFor();
      const sizes = () =>
        page
          .locator(".banner p, .chip-name")
          .evaluateAll((all) => all.map((each) => parseFloat(getComputedStyle(each).fontSize)));
      const before = Math.min(...(await sizes()));
      await page.locator(".beamer-button").click();
      await expect(page.locator("html")).toHaveAttribute("data-beamer", "on");
      // Words of a fortieth of the height read from across a room.
      await expect.poll(async () => Math.min(...(await sizes()))).toBeGreaterThan(height / 41);
      expect(await faults(page)).toEqual([]);
      const beyond = await page.evaluate(
        () => document.documentElement.scrollHeight - window.innerHeight,
      );
      expect(beyond, "it fits the screen").toBeLessThanOrEqual(0);
      await page.locator(".beamer-button").click();
      await expect.poll(async () => Math.min(...(await sizes()))).toBe(before);
    });
  }
}
