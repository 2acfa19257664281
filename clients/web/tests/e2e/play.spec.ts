// Three people with three languages and three kinds of screens play whole games to the same score.
import { expect, kDeckGames, kGames, press, tap, test, type Game, type Person } from "./table";

/** What the server's own table says of the end, as each browser was told. */
async function totals(person: Person): Promise<string[]> {
  // Numbers only: the words differ by language.
  const texts = await person.page.locator("[data-total]").allTextContents();
  return texts.map((text) => text.replace("\u2212", "-").replace(/[^-\d]/g, ""));
}

/** Presses what can be pressed, for whoever is asked, until the game is over for all. */
async function playToTheEnd(people: Person[], { game }: Game): Promise<void> {
  for (let quiet = 0; quiet < 400;) {
    let moved = false;
    for (const person of people) {
      if (await person.isOver.isVisible()) continue;
      if (!(await person.page.locator(".banner.mine").isVisible())) continue;
      moved = (await (game === "triqueta" ? press(person) : tap(person))) || moved;
    }
    if (await everybody(people, (person) => person.isOver.isVisible())) return;
    quiet = moved ? 0 : quiet + 1;
    if (!moved) await people[0]!.page.waitForTimeout(25);
  }
  throw new Error("nobody can move");
}

async function everybody(people: Person[], is: (person: Person) => Promise<boolean>) {
  return (await Promise.all(people.map(is))).every(Boolean);
}

for (const game of [...kGames, ...kDeckGames]) {
  test(`${game.game}, ${game.variant}: a whole game on ${game.seats} screens`, async ({
    person,
  }) => {
    const ada = await person({ language: "en", width: 320, height: 568 });
    const others = [await person({ language: "de", width: 390, height: 844 })];
    if (game.seats > 2) others.push(await person({ language: "fr", width: 1280, height: 800 }));
    const people = [ada, ...others];

    const code = await ada.create(game, "Ada");
    for (const [i, other] of others.entries()) await other.join(code, ["Karl", "Zoé"][i]!);
    for (let bots = 0; bots < (game.bots ?? 0); ++bots) {
      await ada.page.locator(".seat.empty button").first().click();
      await expect(ada.page.locator(".seat:not(.empty)")).toHaveCount(people.length + bots + 1);
    }
    await expect(ada.page.locator(".seat:not(.empty)")).toHaveCount(game.seats);
    await ada.page.locator(".lobby .card > .primary").click();
    for (const each of people) await expect(each.page.locator(".table")).toBeVisible();

    await playToTheEnd(people, game);

    const sheets = await Promise.all(people.map(totals));
    expect(sheets[0]!.length).toBe(game.seats);
    for (const sheet of sheets) expect(sheet).toEqual(sheets[0]);

    // And once more, with everybody in their seats.
    await ada.page.locator(".over .primary").click();
    for (const each of people) await expect(each.page.locator(".lobby")).toBeVisible();
    await expect(ada.page.locator(".seat:not(.empty)")).toHaveCount(game.seats);
  });
}
