// Every screen, small and large, light and dark: nothing that axe objects to, nothing wider than
// the window, nothing too small for a finger.
import { faults } from "./faults";
import { play } from "./playing";
import { expect, kGames, test, type Look, type Person } from "./table";

const kLooks: Look[] = [
  { width: 320, height: 568, language: "de" },
  { width: 320, height: 568, language: "fr", dark: true },
  { width: 320, height: 568, language: "qps" },
  { width: 1280, height: 800, language: "de", dark: true },
];

/** Walks through the page; `look` is called on each screen. */
async function walk(person: Person, look: (name: string) => Promise<void>): Promise<void> {
  const { page, home } = person;
  await page.goto(home);
  await page.locator(".home").waitFor();
  await look("home");
  await page.goto(`${home}#create`);
  await page.locator("form").waitFor();
  await look("name");
  await person.introduce("Maximiliane-Charlotte-XY");
  await page.locator(".more summary").click();
  await look("create");
  for (const screen of [
    "bots",
    "join",
    "settings",
    "rules",
    "rules/triqueta",
    "rules/mayhem",
    "rules/card_triangles",
    "diagnostics",
    "about",
  ]) {
    await page.goto(`${home}#${screen}`);
    await page.locator(".screen h1").waitFor();
    await look(screen);
  }
  await person.create({ ...kGames[1]!, seats: 5 }, "Maximiliane-Charlotte-XY");
}

/** A sheet has come up, and stands. */
const risen = ({ page }: Person) =>
  page
    .locator("dialog[open]")
    .evaluate((each) => Promise.all(each.getAnimations().map((rises) => rises.finished)))
    .then(() => {});

for (const look of kLooks) {
  const name = `${look.width} px, ${look.language}, ${look.dark ? "dark" : "light"}`;
  test(`screens around the table: ${name}`, async ({ person }) => {
    const ada = await person({ ...look, shared: true });
    const check = async (screen: string) => expect.soft(await faults(ada.page), screen).toEqual([]);
    await walk(ada, check);
    await ada.page.locator(".qr path").waitFor();
    await check("lobby");
    for (let bots = 1; bots < 5; ++bots) {
      await ada.page.locator(".seat.empty button").first().click();
      await expect(ada.page.locator(".seat:not(.empty)")).toHaveCount(bots + 1);
    }
    await check("full lobby");
    await ada.page.locator(".lobby .card > .primary").click();
    await ada.page.locator(".banner.mine").waitFor();
    await check("table");
    const sheets = [".top-bar button >> nth=0", ".chip >> nth=0", ".chip >> nth=1"];
    for (const sheet of sheets) {
      await ada.page.locator(sheet).click();
      await risen(ada);
      await check(`sheet ${sheet}`);
      await ada.page.keyboard.press("Escape");
      await expect(ada.page.locator("dialog")).toHaveCount(0);
    }
    await ada.page.keyboard.press("?");
    await risen(ada);
    await check("keyboard help");
  });
}

const kWolves = { variant: 1, seats: 5 };
const kMidGame: [Look, { variant: number; seats: number }][] = [
  [kLooks[0]!, kWolves],
  [kLooks[1]!, { variant: 2, seats: 2 }],
  [kLooks[2]!, kWolves],
  [kLooks[3]!, { variant: 0, seats: 5 }],
];
for (const [look, game] of kMidGame) {
  const name = `${look.width} px, ${look.language}, ${look.dark ? "dark" : "light"}`;
  const title = `a whole game, its end and the way back: variant ${game.variant}, ${name}`;
  test(title, async ({ person }) => {
    const ada = await person({ ...look, still: true });
    const { page } = ada;
    const check = async (screen: string) => {
      expect.soft(await faults(page), screen).toEqual([]);
      // In words longer than any language's the page may scroll; reach.spec.ts tries what is then in reach.
      if (look.height! < 600 && screen !== "over" && look.language !== "qps") {
        // The others may have ended the game meanwhile, and the score sheet may be higher.
        const { height, over } = await page.evaluate(() => ({
          height: document.documentElement.scrollHeight,
          over: document.querySelector(".over") !== null,
        }));
        const wanted = over ? height : look.height;
        expect.soft(height, `${screen} is higher than the window`).toBe(wanted);
      }
    };
    await page.goto(`${ada.server.url}#bots`);
    await page.locator("form").waitFor();
    await ada.introduce("Maximiliane-Charlotte-XY");
    await ada.choose("triqueta");
    await page.locator("input[name=variant]").nth(game.variant).check();
    const seats = page.locator(`input[name=seats][value="${game.seats}"]`);
    if ((await seats.count()) > 0) await seats.check();
    await page.locator("form .primary").click();
    for (let acts = 4; (await play(ada, { most: acts === 4 ? 4 : 9 })) !== "over"; acts += 9) {
      await check(`act ${acts}`);
      if (acts % 27 === 13 && (await page.locator(".tq-strip").isVisible())) {
        // What is pressed at random may have opened it already.
        if ((await page.locator("dialog[open]").count()) === 0) {
          await page.locator(".tq-strip").click();
        }
        await check(`what I have at act ${acts}`);
        await page.keyboard.press("Escape");
        await page.locator("dialog").waitFor({ state: "detached" });
      }
    }
    await check("over");
    await page.locator(".over-replay").click();
    await page.locator(".replay").waitFor();
    await check("the beginning of the replay");
    await page.keyboard.press("End");
    await check("the end of the replay");
    await page.keyboard.press("Escape");
    await expect(ada.isOver).toBeVisible();
  });
}
