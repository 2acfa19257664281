// The games of the Triangles deck: what every screen is held to in the middle of a game and at its
// end, turns by keyboard alone, and cards that fly in nobody's way.
import { faults } from "./faults";
import { kTaps, play } from "./playing";
import { expect, test, type Look, type Person } from "./table";

/** A game against bots, begun with the page's own buttons. */
async function start(person: Person, game: string, seats: number): Promise<void> {
  const { page, server } = person;
  await page.goto(`${server.url}#bots`);
  await page.locator("form").waitFor();
  await person.introduce("Maximiliane-Charlotte-XY");
  await person.choose(game);
  await page.locator(`input[name=seats][value="${seats}"]`).check();
  await page.locator("form .primary").click();
  await person.turn();
}

/** What differs most to look at: each is looked at once, if it comes up. */
const kStates = [
  ".mh-open",
  ".mh-place.can",
  ".mh-card.fast",
  ".ct-piles",
  ".ct-way",
  ".ct-card.chosen",
  ".ct-card.new",
  "dialog[open]",
  ".ct-call",
  ".ct-called",
  ".ct-warning",
];
const small: Look = { width: 320, height: 568 };
const large: Look = { width: 1280, height: 800 };
const kWalks: { game: string; seats: number; looks: Look[] }[] = [
  {
    game: "mayhem",
    seats: 5,
    looks: [
      { ...small, language: "qps", dark: true },
      { ...large, language: "de" },
    ],
  },
  {
    game: "card_triangles",
    seats: 6,
    looks: [
      { ...small, language: "qps" },
      { ...large, language: "en", dark: true },
    ],
  },
];

for (const { game, seats, looks } of kWalks) {
  for (const look of looks) {
    const name = `${look.width} px, ${look.language}, ${look.dark ? "dark" : "light"}`;
    test(`${game}, from the first card to the result: ${name}`, async ({ person }) => {
      const ada = await person({ ...look, still: true });
      const { page } = ada;
      const check = async (screen: string) => {
        expect.soft(await faults(page), screen).toEqual([]);
        // In words longer than any language's a full hand may scroll; reach.spec.ts tries what is then in reach.
        if (screen === "over" || look.language === "qps") return;
        const height = await page.evaluate(() => document.documentElement.scrollHeight);
        expect.soft(height, `${screen} is higher than the window`).toBe(look.height);
      };
      await start(ada, game, seats);
      const unseen = new Set(kStates);
      for (;;) {
        const state = await play(ada, { taps: kTaps, until: [...unseen], still: true });
        if (state === "over") break;
        expect(unseen.delete(state), state).toBe(true);
        await check(state);
      }
      await check("over");
      await page.locator(".over-replay").click();
      await page.locator(".replay").waitFor();
      await page.keyboard.press("End");
      await check("the end of the replay");
    });
  }
}

test("turns of 21/15/9 by keyboard alone", async ({ person }) => {
  const ada = await person({ width: 1280, height: 800 });
  const { page } = ada;
  const { keyboard } = page;
  let legal: { action: { do: string } }[] = [];
  page.on("websocket", (socket) =>
    socket.on("framereceived", ({ payload }) => {
      const frame = JSON.parse(String(payload)) as { type: string; legal?: typeof legal };
      if (frame.type === "view") legal = frame.legal ?? [];
    }),
  );
  /** Ends the turn by a key, if that is a choice: where nothing else is left to do it ends by itself. */
  const endTurn = async (key: string) => {
    expect(legal.map(({ action }) => action.do)).toContain("end");
    expect(legal.length).toBeGreaterThan(1);
    await keyboard.press(key);
  };
  await start(ada, "card_triangles", 3);
  // Tab leads to the pile; from there on the focus goes where the next thing is to do.
  for (
    let tabs = 0;
    !(await page.evaluate(() => document.activeElement?.matches("[data-at=pile]")));
  ) {
    expect(++tabs).toBeLessThan(40);
    await keyboard.press("Tab");
  }
  await keyboard.press("Enter");
  await expect(page.locator(".ct-card:focus")).toBeVisible();
  const before = await page.locator(":focus").getAttribute("data-at");
  await keyboard.press("ArrowRight");
  await expect(page.locator(`:focus:not([data-at="${before}"])`)).toBeVisible();
  await keyboard.press("Enter");
  await expect(page.locator("[data-role=commit]:focus")).toBeVisible();
  await keyboard.press("Enter");
  const end = page.locator("[data-act=end]:focus");
  const next = page.locator("[data-at=pile]:focus");
  await expect(end.or(next)).toBeVisible();
  if (await end.isVisible()) await endTurn("Enter");
  await expect(next).toBeVisible();

  // The same with shortcuts; T shows a triangle if there is one.
  for (let turns = 0; turns < 3; ++turns) {
    await expect(page.locator("[data-at=pile]")).toBeEnabled();
    const table = page.locator(".table");
    const rev = await table.getAttribute("data-rev");
    if (await page.locator(".ct-next").isVisible()) {
      await keyboard.press("t");
      await expect(page.locator(".ct-card.chosen").first()).toBeVisible();
      await keyboard.press("Escape");
      await expect(page.locator(".ct-card.chosen")).toHaveCount(0);
      await keyboard.press("8");
      await page.locator("[data-role=commit]").first().focus();
      await keyboard.press("Enter");
    } else {
      await keyboard.press("0");
      await expect(page.locator(".ct-card.new")).toBeVisible();
      await page.locator(".ct-card.new").focus();
      await keyboard.press("Enter");
      await keyboard.press("9");
    }
    await expect(table).not.toHaveAttribute("data-rev", rev!);
    const choice = page.locator("[data-act=end]");
    await expect(choice.or(page.locator("[data-at=pile]:enabled")).first()).toBeVisible();
    if (await choice.first().isVisible()) await endTurn("0");
    await expect(choice).toHaveCount(0);
  }
});

test("a card that flies is in nobody's way", async ({ person }) => {
  const ada = await person({ width: 390, height: 844 });
  const { page } = ada;
  await page.addInitScript(() => localStorage.setItem("triquetra.motion", "slow"));
  await start(ada, "mayhem", 2);
  const flights = page.locator(".flight");
  // A card that fits several triangles wants to know which: another tap.
  await expect(async () => {
    if ((await flights.count()) === 0) await play(ada, { taps: kTaps, most: 1 });
    expect(await flights.count()).toBeGreaterThan(0);
  }).toPass({ intervals: [30] });
  // Still in the air, and the next card can be played already.
  const rev = Number(await page.locator(".table").getAttribute("data-rev"));
  await expect(async () => {
    if (await ada.isOver.isVisible()) return;
    await play(ada, { taps: kTaps, most: 1 });
    const now = Number(await page.locator(".table").getAttribute("data-rev", { timeout: 1000 }));
    expect(now).toBeGreaterThan(rev);
  }).toPass();
  await expect(flights).toHaveCount(0);
});
