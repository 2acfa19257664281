// Looking back: who comes late, or comes back, sees the whole of a finished game, step by step and
// through everybody's eyes; and nobody before it is over.
import { play } from "./playing";
import { answer, expect, kGames, test, type Person } from "./table";

const kReplay = { type: "replay", from: 0 };

/** The text of the board and of the chips, as they are now. */
const seen = (person: Person) =>
  person.page.locator(".replay .board, .replay .players").allInnerTexts();

for (const game of kGames.slice(1)) {
  test(`${game.variant}: looking back at a whole game`, async ({ person }) => {
    const ada = await person({ still: true, width: 1280, height: 800 });
    const { page, server } = ada;
    const code = await ada.create(game, "Ada");
    for (let bots = 1; bots < game.seats; ++bots) {
      await page.locator(".seat.empty button").first().click();
      await expect(page.locator(".seat:not(.empty)")).toHaveCount(bots + 1);
    }
    await page.locator(".lobby .primary").click();
    await page.locator(".banner.mine").waitFor();

    // Not yet: neither by the address nor by a request.
    await page.goto(`${server.url}r/${code}#replay`);
    await page.reload();
    await expect(page.locator(".notice")).toBeVisible();
    await expect(page.locator(".replay")).toHaveCount(0);
    expect((await answer(ada, code, kReplay)).code).toBe("record_not_ready");
    await page.locator(".notice .round").click();
    await expect(page.locator(".notice")).toHaveCount(0);

    expect(await play(ada)).toBe("over");
    expect((await answer(ada, code, kReplay)).type).toBe("ok");
    // The browser's own chance was in the shuffle.
    const { record } = (await answer(ada, code, { type: "record" })) as unknown as {
      record: { seats: { entropy: string }[] };
    };
    expect(record.seats[0]!.entropy).toMatch(/^[0-9a-f]{64}$/);

    // Somebody who saw nothing of it.
    const late = await person({ still: true });
    await late.page.goto(`${server.url}r/${code}`);
    await late.introduce("Zoé");
    await late.page.locator(".screen .primary").click();
    await late.isOver.waitFor();
    // And Ada, whose tab has forgotten all of it.
    await page.reload();
    await ada.isOver.waitFor();

    for (const each of [late, ada]) {
      const at = each.page.locator(".replay");
      await each.page.locator(".over-replay").click();
      await expect(at).toHaveAttribute("data-rev", "0");
      const last = Number(await each.page.locator(".replay-bar input").getAttribute("max"));
      expect(last).toBeGreaterThan(20);
      const sentences = new Set<string>();
      for (let step = 1; step <= last && each === late; ++step) {
        await each.page.keyboard.press(step % 2 ? "ArrowRight" : "]");
        await expect(at).toHaveAttribute("data-rev", String(step));
        sentences.add(await each.page.locator(".replay .banner").innerText());
      }
      if (each === late) expect(sentences.size).toBeGreaterThan(20);

      // Half way, through all eyes: each shows something else, and the same again when asked again.
      const half = Math.floor(last / 2);
      await each.page.locator(".replay-bar input").fill(String(half));
      await expect(at).toHaveAttribute("data-rev", String(half));
      const eyes = each.page.getByLabel("As seen by");
      const names = await eyes.locator("option").count();
      expect(names).toBe(game.seats + 2);
      const by = new Map<string, string>();
      for (const value of ["public", ...[...Array(game.seats).keys()].map(String), "all"]) {
        await eyes.selectOption(value);
        by.set(value, (await seen(each)).join());
      }
      await eyes.selectOption("public");
      expect((await seen(each)).join()).toBe(by.get("public"));
      expect(new Set(by.values()).size).toBeGreaterThan(game.seats);

      // What has happened is told once.
      const said = await each.page.locator(".replay .banner").innerText();
      const whole = await each.page.locator(".replay").innerText();
      expect(whole.split(said).length).toBe(2);
      // A mark says what it is, and leads there.
      const jump = each.page.getByLabel("Go to");
      const mark = jump.locator("option:enabled", { hasText: "Round 1 is over" });
      const rev = (await mark.getAttribute("value"))!;
      await jump.selectOption(rev);
      await expect(at).toHaveAttribute("data-rev", rev);
      await expect(each.page.locator(".replay .banner")).toContainText("Round 1 is over");

      // Playing by itself, and the address that leads back to the same step.
      await each.page.keyboard.press("Home");
      await expect(at).toHaveAttribute("data-rev", "0");
      await each.page.keyboard.press(" ");
      await expect(at).not.toHaveAttribute("data-rev", "0");
      await each.page.getByRole("button", { name: "Pause" }).click();

      // How fast it goes moves nothing.
      const speed = each.page.locator(".replay-speed");
      const lies = () =>
        each.page
          .locator(".replay-bar > *")
          .evaluateAll((all) => all.map((part) => part.getBoundingClientRect().x));
      const before = await lies();
      for (const word of ["fast", "slow", "normal"]) {
        await speed.click();
        await expect(speed).toHaveAccessibleName(word);
        expect(await lies()).toEqual(before);
      }

      await each.page.keyboard.press("End");
      await expect(each.page).toHaveURL(new RegExp(`#replay/${last}/[0-9a-f]{32}$`));
      await each.page.reload();
      await expect(at).toHaveAttribute("data-rev", String(last));
      await each.page.locator("body").press("Escape");
      await expect(each.isOver).toBeVisible();
    }
  });
}
