// A first game of each: played to its end by doing what has a frame, in small and large windows, and by keyboard;
// nothing is asked of the server for it.
import type { Page } from "@playwright/test";
import { faults } from "./faults";
import { expect, test, type Look, type Person } from "./table";

const kGames = ["triqueta", "mayhem", "card_triangles"];
/** What can be pressed on a board, the next one first. */
const kNext =
  ".board button:enabled:not([aria-disabled=true], [data-role=back], .tq-strip), .board-sheet button:enabled";
const kMostTaps = 30;

/** What glows, by what it is: nothing that leads back, and beside what completes an act nothing else. */
const glowing = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>(".board button")]
      .filter((each) => {
        return getComputedStyle(each).outlineStyle === "dashed";
      })
      .map(({ dataset, className }) => dataset.role ?? dataset.act ?? className),
  );

/** Until something else is said; gives back what had been. */
async function steps(person: Person, look: () => Promise<void>): Promise<string[]> {
  const { page } = person;
  const said: string[] = [];
  const end = page.locator(".lesson-end");
  const mine = page.locator(".coach.mine p");
  for (let taps = 0; taps < kMostTaps; ++taps) {
    await mine.or(end).first().waitFor();
    if (await end.isVisible()) return said;
    const text = (await mine.textContent())!;
    if (said.at(-1) !== text) {
      said.push(text);
      await look();
    }
    const glows = await glowing(page);
    expect(glows).not.toContain("back");
    expect(glows).not.toContain("help");
    expect(glows).not.toContain("round");
    if (glows.includes("commit")) expect(glows).toEqual(["commit"]);
    const pressed = page.locator(kNext);
    // What is to be confirmed, else what does something, else the next piece.
    const which = await pressed.evaluateAll((all, taps) => {
      const found = all.findIndex((each) => each.matches("[data-role=commit], [data-act]"));
      return found >= 0 ? found : taps % all.length;
    }, taps);
    await pressed.nth(which).click();
    await page.waitForFunction(() =>
      document.getAnimations().every(({ effect }) => effect?.getTiming().iterations !== 1),
    );
  }
  throw new Error("the lesson does not end");
}

const kLooks: Look[] = [
  { width: 320, height: 568, language: "de", dark: true, still: true },
  { width: 844, height: 390, language: "fr", still: true },
  { width: 1280, height: 800, language: "en", dark: true, still: true },
];
for (const game of kGames) {
  for (const look of kLooks) {
    test(`a first game of ${game}: ${look.width} px, ${look.language}`, async ({ person }) => {
      const ada = await person(look);
      const { page } = ada;
      await page.goto(ada.server.url);
      await page.locator(".games .learn").nth(kGames.indexOf(game)).waitFor();
      await page.goto(`${ada.server.url}#learn/${game}`);
      await page.locator(".lesson .board").waitFor();
      // It needs no server.
      await page.context().setOffline(true);
      let looks = 0;
      const said = await steps(ada, async () => {
        // The smallest window at each step; the others have the same parts, and begin and end.
        if (looks++ === 0 || look.width === 320) expect.soft(await faults(page)).toEqual([]);
        const { width } = (await page.locator(".board").boundingBox())!;
        expect
          .soft(width, "the board has the width that there is")
          .toBeGreaterThan(look.width! / 2);
      });
      expect(said.length).toBe(5);
      // The end is marked as such.
      await expect.soft(page.locator(".coach.done b")).toBeVisible();
      expect.soft(await faults(page), "the end").toEqual([]);
      // All of it was spoken, in its order.
      await page.context().setOffline(false);
      await page.locator(".lesson-end button").click();
      await expect(page.locator(".coach")).toContainText(said[0]!);
    });
  }
}

test("a first game asks again as a real one does, and what is to be pressed has a frame", async ({
  person,
}) => {
  const ada = await person({ still: true });
  const { page } = ada;
  await page.goto(`${ada.server.url}#learn/triqueta`);
  const framed = page.locator(".board button").filter({ visible: true });
  const frames = () =>
    framed.evaluateAll((all) =>
      all.flatMap((each) =>
        getComputedStyle(each).outlineStyle === "dashed" ? [each.className.split(" ")[0]] : [],
      ),
    );
  const rev = (number: number) =>
    expect(page.locator(".lesson")).toHaveAttribute("data-rev", String(number));
  await page.locator(".coach.mine").waitFor();
  expect(await frames()).toEqual(["tq-column", "primary"]);
  await page.locator(".tq-column.can").click();
  await page.locator(".tq-row.can").click();
  await rev(6);
  await page.locator(".tq-column.can").click();
  await page.locator(".tq-keep").click();
  await rev(12);
  expect(await frames()).toEqual(["tq-row"]);
  await page.locator(".tq-row.can").click();
  await expect(page.locator(".tq-cancel")).toBeVisible();
  expect(await frames()).toEqual(["primary"]);
  await page.locator(".tq-cancel").click();
  await rev(12);
  await page.locator(".tq-row.can").click();
  await page.locator("[data-role=commit]").click();
  await page.locator(".coach.done").waitFor();
});

test("a first game is offered to newcomers, against bots and beside the rules", async ({
  person,
}) => {
  const ada = await person();
  const { page } = ada;
  await page.goto(ada.server.url);
  await page.locator(".games .learn").nth(1).click();
  await expect(page.locator(".lesson h1")).toHaveText(/21\/15\/9|Mayhem/);
  await page.locator(".top-bar button").first().click();
  await expect(page.locator(".home")).toBeVisible();
  await page.goto(`${ada.server.url}#rules/mayhem`);
  await page.locator(".learn").click();
  await expect(page.locator(".lesson h1")).toHaveText("Triangle Mayhem");
  await page.goto(`${ada.server.url}#bots`);
  await ada.introduce("Ada");
  await page.locator("form .learn").click();
  await page.locator(".lesson .board").waitFor();
  // What is done is heard, with what I alone learned by it, and then what is asked.
  await page.locator("[data-act=draw]:enabled").first().click();
  await expect(page.locator("[role=log] p").last()).toContainText("A bear!");
  await expect(page.locator("[role=log]")).toContainText("bear");
});
