// Three people with three languages and three kinds of screens come in by the picture for cameras and
// play whole games to the same score, which is what the C++ rules make of the record.
import { Finger, kTaps, play } from "./playing";
import { answer, expect, kDeckGames, kGames, recount, test, type Person } from "./table";

/** By seat: the total, or in a game without points the cards left; as each browser was told. */
async function totals(person: Person): Promise<number[]> {
  const all = await person.page.locator("[data-total]").evaluateAll((each) =>
    each.map((shown) => ({
      seat: Number((shown as HTMLElement).dataset.total),
      text: shown.textContent!,
    })),
  );
  // Numbers only: the words differ by language.
  const number = (text: string) => Number(text.replace("\u2212", "-").replace(/[^-\d]/g, ""));
  return all.sort((a, b) => a.seat - b.seat).map(({ text }) => number(text));
}

for (const game of [...kGames, ...kDeckGames]) {
  test(`${game.game}, ${game.variant}: a whole game on ${game.seats} screens`, async ({
    person,
  }) => {
    const ada = await person({ language: "en", width: 320, height: 568, shared: true });
    // Things that fly on one screen are enough to be in the way.
    const others = [await person({ language: "de", still: true, shared: true })];
    if (game.seats > 2) {
      const wide = { language: "fr", width: 1280, height: 800 } as const;
      others.push(await person({ ...wide, still: true, shared: true }));
    }
    const people = [ada, ...others];

    const code = await ada.create(game, "Ada");
    const address = await ada.scanned();
    expect(address).toBe(`${ada.home}r/${code}`);
    for (const [i, other] of others.entries()) await other.join(address, ["Karl", "Zoé"][i]!);
    for (let bots = 0; bots < (game.bots ?? 0); ++bots) {
      await ada.page.locator(".seat.empty button").first().click();
      await expect(ada.page.locator(".seat:not(.empty)")).toHaveCount(people.length + bots + 1);
    }
    await expect(ada.page.locator(".seat:not(.empty)")).toHaveCount(game.seats);
    await ada.page.locator(".lobby .card > .primary").click();
    for (const each of people) await expect(each.page.locator(".table")).toBeVisible();

    // Whoever has a small screen plays with a finger.
    const taps = game.game === "triqueta" ? undefined : kTaps;
    const ends = others.map(async (each) => expect(await play(each, { taps })).toBe("over"));
    await Promise.all([new Finger(ada).play(taps), ...ends]);

    const { record } = await answer(ada, code, { type: "record" });
    const { scores, winners, table } = recount(record);
    const wanted = scores.length > 0 ? scores : table.seats.map(({ hand }) => hand);
    expect(wanted.length).toBe(game.seats);
    // That it is over is told before the last view.
    for (const each of people) await expect.poll(() => totals(each)).toEqual(wanted);
    if (scores.length > 0) {
      const won = await ada.page
        .locator(".standings .won [data-total]")
        .evaluateAll((all) => all.map((each) => Number((each as HTMLElement).dataset.total)));
      expect(won.sort()).toEqual(winners);
    }

    // And once more, with everybody in their seats: a guest asks for it, or the host starts it at once.
    if (game.game === "triqueta") {
      await others[0]!.page.locator(".over .primary").click();
      for (const each of people) await expect(each.page.locator(".lobby")).toBeVisible();
      await expect(ada.page.locator(".seat:not(.empty)")).toHaveCount(game.seats);
    } else {
      await ada.page.locator(".over .primary").click();
      for (const each of people) await expect(each.page.locator(".table")).toBeVisible();
      await expect(ada.page.locator(".chip")).toHaveCount(game.seats);
    }
  });
}
