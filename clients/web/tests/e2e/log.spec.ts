// The log is a story that leads back to the table: who, the pieces, rounds apart; whoever points at a line,
// by mouse, key or finger, sees where it happened.
import { readFileSync } from "node:fs";
import path from "node:path";
import { faults } from "./faults";
import { oneTable, type Fixture } from "./one_table";
import { expect, test } from "./table";

const named = (game: string, name: string): Fixture => {
  const file = path.resolve(import.meta.dirname, `../fixtures/${game}.json`);
  return (JSON.parse(readFileSync(file, "utf8")) as Fixture[]).find((each) => each.name === name)!;
};

/** What one does with a row, a triangle and a pile, and where each of it is. */
const kStories = {
  triqueta: {
    table: "base_turn",
    events: [
      { event: "drew", seat: 1, columns: [2], backs: ["light"] },
      { event: "placed", seat: 1, row: 1, animal: "rabbit" },
      { event: "round_over", round: 1, rock: 1, boxed: 2 },
    ],
    places: ["column-2", "row-1-rabbit", undefined],
  },
  mayhem: {
    table: "unchecked_more",
    events: [
      {
        event: "play",
        seat: 1,
        triangle: 9,
        card: { cut: "vertical", number: 2, color: "red" },
        fast: false,
        how: "extend",
      },
      { event: "draw", seat: 1, count: 2 },
    ],
    places: ["triangle-9", "pile"],
  },
  card_triangles: {
    table: "three_joker",
    events: [
      {
        event: "discarded",
        seat: 1,
        card: { cut: "vertical", number: 2, color: "red" },
      },
      { event: "drew", seat: 1, from: "pile" },
    ],
    places: ["discard", "pile"],
  },
};

for (const [game, { table, events, places }] of Object.entries(kStories)) {
  test(`the log tells a story, and shows where it happened: ${game}`, async ({ person }) => {
    const ada = await person({ width: 1280, height: 800, dark: game === "mayhem", still: true });
    const { page } = ada;
    const fixture = named(game, table);
    const { room, view } = fixture;
    const rev = view.rev + 1;
    const say = await oneTable(page, fixture);
    await page.goto(`${ada.server.url}r/${room.room}`);
    await page.locator(".table").waitFor();
    const now = { ...view, rev, happened: events };
    say(now);
    await expect(page.locator(".table")).toHaveAttribute("data-rev", String(rev));
    const lines = page.locator(".side-log .log li:not(.since)");
    // After those that led here.
    await expect(lines.last()).not.toBeEmpty();
    const before = (await lines.count()) - events.length;
    const mine = (i: number) => lines.nth(before + i);
    const marked = page.locator("[data-marked]");
    for (const [i, place] of places.entries()) {
      const line = mine(i);
      if (place === undefined) {
        await expect(line).toHaveClass("milestone");
        continue;
      }
      await expect(line.locator(".avatar")).toHaveCount(1);
      await expect(line.locator(".log-pieces svg").first()).toBeVisible();
      const there = page.locator(`.board [data-at="${place}"]`);
      await line.locator("button").hover();
      await expect(there).toHaveAttribute("data-marked", "");
      await expect(page.locator(".chip[data-seat='1']")).toHaveAttribute("data-marked", "");
      await page.mouse.move(2, 2);
      await expect(marked).toHaveCount(0);
      await line.locator("button").focus();
      await expect(there).toHaveAttribute("data-marked", "");
      await page.keyboard.press("ArrowUp");
      await page.locator(".side-log").focus();
      await expect(marked).toHaveCount(0);
    }
    expect(await faults(page)).toEqual([]);
    // On a phone the log lies over the table, and goes when a line is tapped.
    await page.setViewportSize({ width: 320, height: 568 });
    await page.locator(".log-button").click();
    await page.locator("dialog .log li:not(.since) button", { hasText: /./ }).last().click();
    await expect(page.locator("dialog")).toHaveCount(0);
    await expect(marked.first()).toBeVisible();
    await expect(marked).toHaveCount(0);
  });
}

const kLooks = [
  [320, 568, false],
  [390, 844, true],
  [844, 390, false],
] as const;
for (const [width, height, dark] of kLooks) {
  test(`what others did since my act stays for my whole turn: ${width} x ${height}`, async ({
    person,
  }) => {
    const ada = await person({ width, height, dark, still: true });
    const { page } = ada;
    const fixture = named("triqueta", "wolves_turn");
    const { room, view } = fixture;
    const me = view.seat;
    const [first, second] = [(me + 1) % 3, (me + 2) % 3];
    const say = await oneTable(page, fixture);
    await page.goto(`${ada.server.url}r/${room.room}`);
    await page.locator(".table").waitFor();
    let { rev } = view;
    const go = async (happened: object[], more: object = {}) => {
      say({ ...view, decisions: [], legal: [], ...more, rev: ++rev, happened });
      await expect(page.locator(".table")).toHaveAttribute("data-rev", String(rev));
    };
    const mine = { seat: me, down: [], drawn: [], shadow: ["boar", "wolf"] };
    const drew = { event: "drew", seat: me, columns: [0], backs: ["shadow"] };
    await go([drew], { mine });
    const strip = page.locator(".since-mine");
    // What I have drawn is seen at once, and stays among what I have.
    if (width > 320) await expect(strip.locator("li .token.wolf")).toBeVisible();
    await expect(page.locator(".tq-strip .tq-hidden .token.wolf")).toBeVisible();
    await go([{ event: "drew", seat: first, columns: [1], backs: ["light"] }], { mine });
    await go([{ event: "placed", seat: first, token: 0, row: 1, animal: "bear" }], { mine });
    await go(
      [
        { event: "took", seat: second, row: 1, animals: ["bear", "deer"] },
        { event: "round_over", round: 2, rock: second, boxed: { light: 1, shadow: 0 } },
        { event: "tower", seat: second, round: 3, tower: 0 },
      ],
      { mine, decisions: view.decisions, legal: view.legal },
    );
    await expect(page.locator(".banner.mine")).toBeVisible();
    // Whoever draws and places is told of once.
    const lines = strip.locator("li");
    await expect(lines).toHaveCount(4);
    const isLow = height < 700;
    await expect(lines.nth(0).locator(".token.bear")).toBeVisible();
    await expect(lines.nth(1).locator(".token")).toHaveCount(2);
    await expect(lines.nth(2)).toHaveClass("milestone");
    await expect(lines.last()).toBeInViewport({ ratio: 1 });
    await expect(lines.last().locator(".log-text")).toBeVisible();
    expect(await faults(page)).toEqual([]);
    if (!isLow) {
      const button = strip.getByRole("button", { name: "Since your last move" });
      await button.click();
      await expect(button).toHaveAttribute("aria-expanded", "false");
      await expect(lines.nth(1)).toBeHidden();
      await expect(lines.last()).toBeInViewport({ ratio: 1 });
    } else {
      // Without a button nothing is folded, nor is that remembered.
      await strip.locator(".since-told").click();
      await expect(strip).not.toHaveClass(/folded/);
    }
    await page.reload();
    await page.locator(".table").waitFor();
    await expect(lines).toHaveCount(4);
    if (!isLow) {
      // Folded stays folded.
      await expect(lines.nth(1)).toBeHidden();
      await strip.locator(".since-told").click();
      await expect(lines.nth(1)).toBeVisible();
    }
    // The server's history has nothing of what I alone knew; this tab has.
    await page.locator(".log-button").click();
    await expect(page.locator("dialog .log .since")).toHaveText("Since your last move");
    await expect(page.locator("dialog .log li:has(+ .since)")).toContainText("wolf");
    await expect(page.locator("dialog .log li:has(+ .since) .token.wolf")).toHaveCount(1);
    await page.keyboard.press("Escape");
    // While I act it still tells what led to that; then what comes of it.
    const turn = { mine, decisions: view.decisions, legal: view.legal };
    await go([{ event: "drew", seat: me, columns: [1], backs: ["light"] }], turn);
    await expect(lines).toHaveCount(5);
    await go([{ event: "took", seat: me, row: 0, animals: ["owl"] }], { mine });
    await go([{ event: "kept", seat: first, token: 0 }], turn);
    await expect(lines).toHaveCount(1);
  });
}
