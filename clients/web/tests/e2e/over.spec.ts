// The end: who came where, which of them I am, a picture of it, and how many games this device has seen.
import { readFileSync } from "node:fs";
import { faults } from "./faults";
import { play } from "./playing";
import { expect, test } from "./table";

for (const dark of [false, true]) {
  test(`the end has places, a picture and a count: ${dark ? "dark" : "light"}`, async ({
    person,
  }) => {
    const ada = await person({
      width: dark ? 1280 : 320,
      height: dark ? 800 : 568,
      dark,
      still: true,
    });
    const { page } = ada;
    await page.goto(`${ada.server.url}#bots`);
    await ada.introduce("Ada");
    await ada.choose("triqueta");
    await page.evaluate(() =>
      localStorage.setItem(
        "triquetra.played",
        JSON.stringify({ triqueta: { played: 1, won: 1, last: ["another"] } }),
      ),
    );
    await page.locator("form .primary").click();
    await page.locator(".table").waitFor();
    expect(await play(ada)).toBe("over");
    const places = await page.locator(".standings .place > [aria-hidden]").allInnerTexts();
    const points = await page
      .locator(".standings [data-total]")
      .evaluateAll((all) => all.map((each) => parseInt(each.textContent!.replace("−", "-"), 10)));
    // Who share a place are seen to.
    const numbers = places.map((each) => each.replace("=", ""));
    expect(numbers[0]).toBe("1");
    points.forEach((each, i) => {
      const isEqual = i > 0 && numbers[i] === numbers[i - 1];
      expect(i === 0 || points[i - 1]! >= each).toBe(true);
      expect(isEqual || numbers[i] === String(i + 1)).toBe(true);
      const shares = numbers.filter((other) => other === numbers[i]).length > 1;
      expect(places[i]!.startsWith("=")).toBe(shares);
    });
    await expect(page.locator(".standings li", { hasText: "you" })).toHaveCount(1);
    await expect(page.locator(".standings li", { hasText: "you" })).toContainText("Ada");
    // How the points came: what stands below each adds up.
    const sums = await page
      .locator(".standings li")
      .evaluateAll((all) =>
        all.map((each) =>
          [...each.querySelectorAll(".came b")]
            .map(({ textContent }) => Number(textContent!.replace("\u2212", "-")))
            .reduce((sum, points) => sum + points, 0),
        ),
      );
    expect(sums).toEqual(points);
    // Somebody may have no trio: then none is praised.
    const trios = await page.locator(".tq-sheet tbody tr:not(.total) .three").count();
    await expect(page.locator(".best-trio")).toHaveCount(trios > 0 ? 1 : 0);
    if (trios > 0) await expect(page.locator(".best-trio .token")).toHaveCount(3);
    // Why a number is what it is stands where it was asked, whole.
    for (const line of [".total", "tr:nth-child(3)"]) {
      await page.locator(`.tq-sheet tbody ${line} button`).first().click();
      await expect(page.locator(".tq-why")).toBeInViewport({ ratio: 1 });
      await expect(page.locator(".tq-why")).toContainText("Ada");
    }
    expect(await faults(page)).toEqual([]);
    // Opened again, it is the same game.
    await expect(page.locator(".over-played")).toContainText("2 games of Triqueta");
    await page.reload();
    await expect(page.locator(".over-played")).toContainText("2 games of Triqueta");
    const [picture] = await Promise.all([
      page.waitForEvent("download"),
      page.locator(".over-doors button", { hasText: "A picture" }).click(),
    ]);
    const bytes = readFileSync(await picture.path());
    expect(bytes.subarray(1, 4).toString()).toBe("PNG");
    expect(bytes.readUInt32BE(16)).toBe(1200);
    // The table as it was at the end is no look back.
    await page.getByRole("button", { name: "The table as it ended" }).click();
    await page.locator(".over-back").click();
    // Once more by one tap; or with others, or another way, by the lobby, which begins at its top.
    if (dark) {
      await page.locator(".over .primary").click();
      await expect(page.locator(".table")).toBeVisible();
    } else {
      await page.locator(".over-doors button", { hasText: "Change players" }).click();
      await expect(page.locator(".lobby h1")).toBeInViewport();
      expect(await page.evaluate(() => scrollY)).toBe(0);
    }
  });
}
