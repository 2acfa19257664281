// What holds for the page as a whole: its size, its policy, its language, movement,
// and that it opens without a network.
import type { Page } from "@playwright/test";
import { faults } from "./faults";
import { play } from "./playing";
import { expect, kGames, test, type Person } from "./table";

const kKilo = 1024;

/** Everything that a page asked for, by path, with its size on the wire. */
async function traffic(person: Person, address: string): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  person.page.on("requestfinished", async (request) => {
    const { responseBodySize } = await request.sizes();
    sizes.set(new URL(request.url()).pathname, responseBodySize);
  });
  await person.page.goto(address, { waitUntil: "networkidle" });
  await person.page.locator(".home").waitFor();
  return sizes;
}

const sum = (sizes: Map<string, number>, of: RegExp) =>
  [...sizes].filter(([path]) => of.test(path)).reduce((total, [, size]) => total + size, 0);

test("the first load is small, and so is each part that comes later", async ({ person }) => {
  const ada = await person({ shared: true });
  const sizes = await traffic(ada, ada.home);
  expect(sum(sizes, /./)).toBeLessThan(100 * kKilo);
  expect(sum(sizes, /\.js$/)).toBeLessThan(60 * kKilo);
  expect(sum(sizes, /\.css$/)).toBeLessThan(12 * kKilo);
  await ada.create(kGames[0]!, "Ada");
  await ada.page.locator(".qr path").waitFor();
  await ada.page.locator(".seat.empty button").first().click();
  await ada.page.locator(".seat.empty button").first().click();
  await ada.page.locator(".lobby .card > .primary").click();
  await ada.page.locator(".table .board").waitFor();
  // With the drawing for cameras, the game and all that it draws.
  expect(sum(sizes, /./)).toBeLessThan(130 * kKilo);
  for (const [path, size] of sizes) {
    if (/index-[^/]*\.js$/.test(path)) continue;
    expect(size, path).toBeLessThan(25 * kKilo);
  }
});

test("a game by one tap is against the bots that this device remembers", async ({ person }) => {
  const ada = await person({ width: 320, height: 568 });
  const { page } = ada;
  const asked: { type: string; level?: string }[] = [];
  page.on("websocket", (socket) =>
    socket.on("framesent", ({ payload }) => asked.push(JSON.parse(String(payload)))),
  );
  await page.goto(ada.server.url);
  const fold = page.locator(".opponents summary");
  await expect(fold).toHaveText("2 bots, easy");
  await fold.click();
  await page.locator("input[name=bot-count][value='3']").check();
  await page.locator("input[name=bot-level][value=hard]").check();
  await expect(fold).toHaveText("3 bots, hard");
  expect(await faults(page)).toEqual([]);
  await page.reload();
  await expect(fold).toHaveText("3 bots, hard");
  await page.locator('a[href$="#try/mayhem"]').first().click();
  await ada.introduce("Ada");
  await expect(page.locator(".chip")).toHaveCount(4);
  const bots = asked.filter(({ type }) => type === "add_bot");
  expect(bots.map(({ level }) => level)).toEqual(["hard", "hard", "hard"]);
  // Where everything can be chosen, that is chosen already.
  await page.goto(`${ada.server.url}#bots`);
  await expect(page.locator("input[name=seats][value='4']")).toBeChecked();
  await expect(page.locator("input[name=level][value=hard]")).toBeChecked();
  // And what is chosen there is remembered.
  await page.locator("input[name=seats][value='2']").check();
  await page.goto(ada.server.url);
  await expect(fold).toHaveText("1 bot, hard");
});

test("nothing on the page of a table changes its place while seats do", async ({ person }) => {
  const ada = await person();
  const { page } = ada;
  await ada.create(kGames[0]!, "Ada");
  const order = async () => {
    const [seats, invite] = await Promise.all(
      [".lobby .seats", ".invite"].map((each) => page.locator(each).boundingBox()),
    );
    return seats!.y < invite!.y;
  };
  const seats = page.locator(".seat:not(.empty)");
  const fill = () => page.locator(".seat.empty button").first().click();
  expect(await order()).toBe(false);
  await fill();
  await expect(seats).toHaveCount(2);
  await fill();
  await expect(seats).toHaveCount(3);
  expect(await order()).toBe(false);
  // Who comes to a full table sees who is there.
  await page.reload();
  await expect(seats).toHaveCount(3);
  expect(await order()).toBe(true);
  await page.getByRole("button", { name: /Bot 3/ }).last().click();
  await expect(seats).toHaveCount(2);
  expect(await order()).toBe(true);
});

test("who came by an invitation sees who is there first, and how to learn the game", async ({
  person,
}) => {
  for (const look of [{ width: 320, height: 568 }, { dark: true }]) {
    const otter = await person({ ...look, shared: true });
    const code = await otter.create(kGames[0]!, "Otter");
    const guest = await person({ ...look, shared: true });
    const { page } = guest;
    await page.goto(`${guest.home}r/${code}`);
    // Nobody is offered the name of who invites them.
    await expect(page.locator(".names button").first()).toHaveText("Robin");
    await page.locator(".names button").first().click();
    await expect(page.getByText("You are in. Waiting for Otter to start.")).toBeInViewport();
    await expect(page.locator(".seat").nth(1)).toBeInViewport({ ratio: 1 });
    await expect(page.locator(".seat").nth(1)).toContainText("you");
    await expect(page.locator(".qr")).toBeHidden();
    expect(await faults(page)).toEqual([]);
    await page.locator("details summary").click();
    await expect(page.locator(".qr path")).toBeVisible();
    expect(await faults(page)).toEqual([]);
    await page.getByRole("link", { name: "Learn it meanwhile" }).click();
    await expect(page.locator(".lesson")).toBeVisible();
    // For the host there are people too, now.
    await otter.page.reload();
    await expect(otter.page.locator(".seat").nth(1)).toBeInViewport({ ratio: 1 });
    await expect(otter.page.locator(".qr path")).toBeVisible();
  }
});

test("by an address that every computer has for itself nobody else is invited", async ({
  person,
}) => {
  const ada = await person();
  await ada.create(kGames[0]!, "Ada");
  await expect(ada.page.locator(".invite")).toContainText("works on this computer only");
  await expect(ada.page.locator(".invite-code b")).toBeVisible();
  await expect(ada.page.locator(".qr")).toHaveCount(0);
});

test("the policy is strict", async ({ request, server }) => {
  const answer = await request.get(server.url);
  const policy = answer.headers()["content-security-policy"]!;
  expect(policy).toContain("default-src 'self'");
  expect(policy).not.toContain("unsafe");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(answer.headers()["referrer-policy"]).toBe("no-referrer");
  expect(answer.headers()["cache-control"]).toBe("no-cache");
  const script = /src="\.\/(assets\/[^"]+\.js)"/.exec(await answer.text())![1]!;
  const kept = await request.get(server.url + script);
  expect(kept.headers()["cache-control"]).toContain("immutable");
  expect(kept.headers()["content-encoding"]).toBe("gzip");
});

test("another language in the middle of a game changes every word", async ({ person }) => {
  const ada = await person({ language: "en", width: 1280, height: 800 });
  await startAlone(ada);
  await ada.page.locator(".board button:enabled").first().waitFor();
  const english = await wordsOf(ada);
  await ada.page.locator(".top-bar button").first().click();
  await ada.page.locator(".menu button").nth(1).click();
  await ada.page.locator('input[name=language][value="fr"]').check();
  await ada.page.keyboard.press("Escape");
  await expect(ada.page.locator("html")).toHaveAttribute("lang", "fr");
  await expect(ada.page.locator("dialog")).toHaveCount(0);
  await expect(ada.page.locator(".side-log h2")).toHaveText("Ce qui s’est passé");
  expect(english.length).toBeGreaterThan(20);
  // Names stay, and words that both languages have. The title follows a moment later.
  const kBoth = /^(Ada|Bot \d|Triqueta|Menu|Triquetra)$/;
  const same = async () => {
    const french = await wordsOf(ada);
    return english.filter((each) => french.includes(each) && !kBoth.test(each));
  };
  await expect.poll(same).toEqual([]);
});

/** All texts and labels of the page that hold a word, each once. */
const wordsOf = ({ page }: Person): Promise<string[]> =>
  page.evaluate(() => {
    const texts: (string | null)[] = [document.title];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      // What stands there for browsers without JavaScript is in all languages at once.
      const isForOthers = walker.currentNode.parentElement?.closest("noscript");
      if (!isForOthers) texts.push(walker.currentNode.textContent);
    }
    for (const each of document.querySelectorAll("[aria-label], [title], [placeholder]")) {
      for (const name of ["aria-label", "title", "placeholder"])
        texts.push(each.getAttribute(name));
    }
    const words = texts.map((each) => each?.trim() ?? "").filter((each) => /\p{L}{2}/u.test(each));
    return [...new Set(words)];
  });

/** A game against two bots, begun with the page's own buttons. */
async function startAlone(person: Person, game = "triqueta"): Promise<void> {
  const { page, server } = person;
  await page.goto(`${server.url}#bots`);
  await page.locator("form").waitFor();
  await person.introduce("Ada");
  await person.choose(game);
  await page.locator("form .primary").click();
  await page.locator(".table").waitFor();
}

/** Waits until it is this person's turn, or the game is over. */
async function myTurn({ page }: Person): Promise<"turn" | "over"> {
  const turn = page.locator(".banner.mine");
  const over = page.locator(".over");
  await turn.or(over).first().waitFor();
  return (await over.isVisible()) ? "over" : "turn";
}

test("with reduced motion nothing moves", async ({ person }) => {
  const ada = await person({ still: true, width: 320, height: 568 });
  await startAlone(ada);
  for (let acts = 0; acts < 25 && (await play(ada, { most: 1 })) !== "over"; ++acts) {
    const moving = await ada.page.evaluate(() => document.getAnimations().length);
    expect(moving).toBe(0);
  }
});

test("what moves slowly holds nobody up", async ({ person }) => {
  const ada = await person();
  const { page } = ada;
  await page.addInitScript(() => {
    localStorage.setItem("triquetra.motion", "slow");
    // So slowly that it has not ended when the test looks, however slow the machine is.
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, how) {
      return animate.call(this, frames, { ...(how as KeyframeAnimationOptions), duration: 60_000 });
    };
  });
  await startAlone(ada);
  await myTurn(ada);
  await page.locator("[data-act=draw]:enabled").first().click();
  await page.locator("[data-act=place]:enabled").first().waitFor();
  await expect.poll(() => page.evaluate(() => document.getAnimations().length)).toBeGreaterThan(0);
  const rev = Number(await page.locator(".table").getAttribute("data-rev"));
  await page.locator("[data-act=place]:enabled").first().click();
  await expect
    .poll(async () => Number(await page.locator(".table").getAttribute("data-rev")))
    .toBeGreaterThan(rev);
});

/** Waits in the page for what is there for a moment, and presses its button if that is wanted. */
const soon = (page: Page, is_pressed: boolean) =>
  page.evaluateHandle((is_pressed) => {
    const came = new Promise<void>((resolve) => {
      const watch = new MutationObserver(() => {
        const button = document.querySelector<HTMLElement>(".soon button");
        if (!button) return;
        watch.disconnect();
        if (is_pressed) button.click();
        resolve();
      });
      watch.observe(document.body, { childList: true, subtree: true });
    });
    return { came };
  }, is_pressed);

test("a move waits a moment where that is wished, and can be taken back", async ({ person }) => {
  const ada = await person();
  const { page } = ada;
  await page.goto(`${ada.server.url}#settings`);
  await page.locator('[role=switch]:near(:text("For children"))').first().check();
  await startAlone(ada);
  await myTurn(ada);
  await page.locator("[data-act=draw]:enabled").first().click();
  const place = page.locator("[data-act=place]:enabled").first();
  const wish = async (taken_back: boolean) => {
    const seen = await soon(page, taken_back);
    await place.click();
    await seen.evaluate(({ came }) => came);
    await expect(page.locator(".soon")).toHaveCount(0);
  };
  // What was drawn is there.
  await expect(place).toBeEnabled();
  const rev = await page.locator(".table").getAttribute("data-rev");
  await wish(true);
  await expect(place).toBeEnabled();
  expect(await page.locator(".table").getAttribute("data-rev")).toBe(rev);
  await wish(false);
  await expect(page.locator(".table")).not.toHaveAttribute("data-rev", rev!);
  // And who leaves the page before loses no tap.
  await myTurn(ada);
  await page.locator("[data-act=draw]:enabled").first().click();
  await expect(place).toBeEnabled();
  const before = Number(await page.locator(".table").getAttribute("data-rev"));
  await place.click();
  await page.reload();
  await expect
    .poll(async () => Number(await page.locator(".table").getAttribute("data-rev")))
    .toBeGreaterThan(before);
});

test("a game without a skin is played to its end on the general board", async ({ person }) => {
  const ada = await person({ width: 1280, height: 800 });
  // Every game here has a skin, so one is taken away.
  await ada.page.route(/\.js$/, async (route) => {
    const response = await route.fetch();
    const isSkin = (await response.text()).includes("web.card_triangles.variant.$");
    await route.fulfill(
      isSkin
        ? { contentType: "text/javascript", body: "export const skin = undefined;" }
        : { response },
    );
  });
  await startAlone(ada, "card_triangles");
  await expect(ada.page.locator(".generic")).toBeVisible();
  expect(await play(ada)).toBe("over");
  await expect(ada.page.locator(".over h1")).toBeVisible();
});

test("the page and the rules open without a network", async ({ browser, server }) => {
  const context = await browser.newContext({ locale: "en" });
  const page = await context.newPage();
  await page.goto(server.url);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await context.setOffline(true);
  await page.goto(`${server.url}#rules`);
  await page.reload();
  await expect(page.locator("h1")).toHaveText("Rules");
  await page.goto(server.url);
  await expect(page.locator(".home")).toBeVisible();
  await expect(page.locator(".link-bar")).toBeVisible();
  await context.close();
});

test("spectators see the table and can do nothing", async ({ person }) => {
  const ada = await person();
  const code = await ada.create({ ...kGames[0]!, seats: 2 }, "Ada");
  await ada.page.locator(".seat.empty button").click();
  await expect(ada.page.locator(".seat:not(.empty)")).toHaveCount(2);
  await ada.page.locator(".lobby .card > .primary").click();
  await ada.page.locator(".table").waitFor();
  const zoe = await person({ language: "fr" });
  await zoe.page.goto(`${zoe.server.url}r/${code}`);
  await zoe.introduce("Zoé");
  await zoe.page.locator(".primary").click();
  await zoe.page.locator(".table").waitFor();
  await expect(zoe.page.locator(".board button[data-act]:enabled")).toHaveCount(0);
  await expect(zoe.page.locator(".banner.mine")).toHaveCount(0);
});
