// Links that people send each other: what they show before anybody goes in, what becomes of one that
// was mistyped, and what stands there without JavaScript.
import { faults } from "./faults";
import { expect, kGames, test } from "./table";

test("an invitation says who invites to what, unless the table is closed", async ({ person }) => {
  const ada = await person();
  const code = await ada.create({ ...kGames[1]!, seats: 4 }, "Ada");
  for (const look of [{ language: "de" as const }, { width: 320, height: 568, dark: true }]) {
    const bob = await person(look);
    await bob.page.goto(`${bob.server.url}r/${code}`);
    const german = look.language === "de";
    await expect(bob.page.locator(".invited h2")).toHaveText(
      german ? "Ada lädt dich zu Triqueta ein." : "Ada invites you to play Triqueta.",
    );
    await expect(bob.page.locator(".invited p")).toContainText("1");
    await expect(bob.page.locator(".invited p")).toContainText("4");
    expect(await faults(bob.page)).toEqual([]);
  }
  await ada.page.locator(".buttons button", { hasText: "Close the door" }).click();
  await expect(ada.page.locator(".buttons button", { hasText: "Open the door" })).toBeVisible();
  const eve = await person();
  const asked = eve.page.waitForResponse(/api\/v1\/rooms\//);
  await eve.page.goto(`${eve.server.url}r/${code}`);
  expect(await (await asked).json()).toEqual({});
  await expect(eve.page.locator("input[autocomplete=nickname]")).toBeVisible();
  await expect(eve.page.locator(".invited")).toHaveCount(0);
});

test("a link that was mistyped leads to where it can be put right", async ({ person }) => {
  const ada = await person();
  const code = await ada.create(kGames[0]!, "Ada");
  const bob = await person({ language: "de" });
  await bob.page.goto(`${bob.server.url}r/${code.toLowerCase()}/`);
  await expect(bob.page.locator("h1")).toHaveText(`An Tisch ${code} mitspielen`);
  await expect(bob.page).toHaveURL(`${bob.server.url}r/${code.toLowerCase()}`);
  await bob.page.goto(`${bob.server.url}r/`);
  await expect(bob.page.locator(".code-input")).toBeVisible();
  // The browser says in its console that this was no page of ours: so it is a person without one.
  const context = await bob.page.context().browser()!.newContext({ locale: "fr" });
  const page = await context.newPage();
  const answer = await page.goto(`${bob.server.url}r/12345`);
  expect(answer!.status()).toBe(404);
  await expect(page.locator("[role=alert]")).toContainText(/12345.*n’est pas le code/);
  expect(await faults(page)).toEqual([]);
  await page.locator(".code-input").fill(code);
  await page.locator(".primary").click();
  await expect(page).toHaveURL(`${bob.server.url}r/${code}`);
  await expect(page.locator("h1")).toContainText(code);
  await context.close();
});

test("without JavaScript the page says what it needs, and is no blank", async ({
  browser,
  server,
}) => {
  for (const colorScheme of ["light", "dark"] as const) {
    const context = await browser.newContext({ javaScriptEnabled: false, colorScheme });
    const page = await context.newPage();
    for (const path of ["", "r/BCDFGH", "r/12345", "r/BCDFGH/"]) {
      await page.goto(server.url + path);
      await expect(page.locator("h1")).toBeVisible();
      const said = (await page.locator("noscript p").allInnerTexts()).join(" ");
      for (const word of ["needs JavaScript", "braucht JavaScript", "besoin de JavaScript"]) {
        expect(said).toContain(word);
      }
      await expect(page.locator("meta[property='og:title']")).toHaveAttribute("content", /Triq/);
    }
    await context.close();
  }
});

test("no screen scrolls to the side beside a bar to scroll by", async ({ person }) => {
  // What a window of 320 px leaves beside a bar of 15.
  const ada = await person({ width: 305, height: 568, language: "de" });
  await ada.page.goto(ada.server.url);
  await ada.page.locator(".home").waitFor();
  const wide = () => ada.page.evaluate(() => document.documentElement.scrollWidth);
  expect(await wide()).toBe(305);
  for (const screen of ["create", "bots", "join", "settings", "rules/triqueta", "about"]) {
    await ada.page.goto(`${ada.server.url}#${screen}`);
    await ada.page.locator(".screen h1").waitFor();
    expect(await wide(), screen).toBe(305);
  }
  await ada.create({ ...kGames[1]!, seats: 5 }, "Ada");
  expect(await wide(), "lobby").toBe(305);
});

test("the host changes how it is played in the lobby, and everybody sees it", async ({
  person,
}) => {
  const ada = await person({ width: 320, height: 568 });
  const code = await ada.create(kGames[0]!, "Ada");
  const bob = await person({ language: "de" });
  await bob.join(`${bob.server.url}r/${code}`, "Bob");
  await expect(bob.page.locator(".how-played p")).toHaveText("Triqueta");
  await expect(bob.page.locator(".how-played button")).toHaveCount(0);
  await ada.page.locator(".how-played button").click();
  expect(await faults(ada.page)).toEqual([]);
  // Of those who sit here, none loses the seat: two may play each way.
  await expect(ada.page.locator("dialog input[name=variant]")).toHaveCount(3);
  await ada.page.locator("dialog input[name=variant]").nth(1).check();
  // Another way to play brings no more chairs than there were.
  await expect(ada.page.locator("dialog input[name=seats][value='3']")).toBeChecked();
  await ada.page.locator("dialog input[name=seats][value='4']").check();
  await ada.page.locator("dialog .primary").click();
  await expect(bob.page.locator(".how-played p")).toHaveText("Verborgene Wölfe");
  await expect(bob.page.locator(".seats .seat")).toHaveCount(4);
  await expect(bob.page.locator(".notice")).toContainText("geändert, wie gespielt wird");
  await expect(ada.page.locator(".notice")).toHaveCount(0);
  await ada.page.locator(".seat.empty button").first().click();
  await expect(ada.page.locator(".seat:not(.empty)")).toHaveCount(3);
  // Now three sit here, and two is too few.
  await ada.page.locator(".how-played button").click();
  await expect(ada.page.locator("dialog input[name=variant]")).toHaveCount(2);
  await expect(ada.page.locator("dialog input[name=variant]").nth(1)).toBeChecked();
  await ada.page.keyboard.press("Escape");
  await ada.page.locator(".lobby .card > .primary").click();
  await ada.page.locator(".table").waitFor();
});
