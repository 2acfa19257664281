// After a rematch the game before is still there: from the lobby, from the menu of the table, and by
// an address that leads to the same step, after a reload and for others in the room.
import { faults } from "./faults";
import { play } from "./playing";
import { expect, kGames, test } from "./table";

test("the game before a rematch can be looked back at", async ({ person }) => {
  const ada = await person({ still: true, width: 320, height: 568, language: "fr" });
  const { page, server } = ada;
  const code = await ada.create(kGames[2]!, "Ada");
  await page.locator(".seat.empty button").first().click();
  await expect(page.locator(".seat:not(.empty)")).toHaveCount(2);
  await page.locator(".lobby .card > .primary").click();
  expect(await play(ada)).toBe("over");
  const headline = await page.locator(".over h1").textContent();
  await expect(page.locator(".earlier")).toHaveCount(0);
  await page.getByRole("button", { name: "Changer de joueurs ou de façon de jouer" }).click();

  // From the lobby of the next match.
  await page.locator(".lobby").waitFor();
  await expect(page.locator(".earlier a")).toHaveCount(1);
  expect(await faults(page)).toEqual([]);
  await page.locator(".earlier a").click();
  const at = page.locator(".replay");
  await expect(at).toHaveAttribute("data-rev", "0");
  expect(await faults(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.locator(".lobby .card > .primary").click();

  // From the table, while the next match is played.
  await page.locator(".banner.mine").waitFor();
  await page.locator(".top-bar button").first().click();
  await page.locator(".menu button").nth(1).click();
  await page.locator(".earlier a").click();
  await expect(at).toHaveAttribute("data-rev", "0");
  const bar = page.locator(".replay-bar input");
  const half = Math.floor(Number(await bar.getAttribute("max")) / 2);
  expect(half).toBeGreaterThan(10);
  await bar.fill(String(half));
  await expect(at).toHaveAttribute("data-rev", String(half));
  await expect(page).toHaveURL(new RegExp(`r/${code}#replay/${half}/[0-9a-f]{32}$`));
  const address = page.url();
  const names = page.locator(".replay .chip-name");
  await expect(names).toHaveText(["Ada", /2/]);
  // Meanwhile the table waits for her.
  await expect(page.locator(".notice")).toBeVisible();
  expect(await faults(page)).toEqual([]);
  await page.reload();
  await expect(at).toHaveAttribute("data-rev", String(half));

  // Somebody who saw nothing of it, in the same room.
  const late = await person({ still: true });
  await late.page.goto(address);
  await late.introduce("Zoé");
  await late.page.locator(".screen .primary").click();
  await expect(late.page.locator(".replay")).toHaveAttribute("data-rev", String(half));
  await late.page.keyboard.press("End");
  await late.page.locator("body").press("Escape");
  await expect(late.page.locator(".table:not(.replay)")).toBeVisible();

  // A match that nobody knows.
  await page.goto(`${server.url}r/${code}#replay/3/${"0".repeat(32)}`);
  await page.locator(".screen [role=alert]").waitFor();
  await page.locator(".screen .primary").click();
  await expect(page.locator(".banner")).toBeVisible();
  expect(headline).toBeTruthy();
});
