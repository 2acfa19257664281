// Whole games by keyboard alone, from the first screen to the result: the letters of each language, or
// Tab, arrows and Enter only. What has the focus can always be seen, and Tab leads round and out again.
import { readFileSync } from "node:fs";
import path from "node:path";
import { oneTable, type Fixture } from "./one_table";
import { expect, test, type Look } from "./table";
import { Typist, type Language } from "./typist";

// A game takes as long as the machine needs for it.
test.describe.configure({ timeout: 600_000 });

const named = (game: string, name: string): Fixture => {
  const file = path.resolve(import.meta.dirname, `../fixtures/${game}.json`);
  return (JSON.parse(readFileSync(file, "utf8")) as Fixture[]).find((each) => each.name === name)!;
};

const small: Look = { width: 320, height: 568 };
const large: Look = { width: 1280, height: 800 };

const kCommit = ".board [data-role=commit]";

/** The secret decision has no letters: a card is turned with the space bar, and back. */
async function vote(typist: Typist): Promise<void> {
  await typist.goTo(".tq-ballot .tq-card");
  await typist.press("Space");
  await typist.enter(kCommit);
}

/** One step of Triqueta with letters and digits. */
async function triquetaByLetters(typist: Typist): Promise<void> {
  const { page, words, letter } = typist;
  if (await typist.has(".tq-ballot")) return vote(typist);
  if (await typist.has(kCommit)) return typist.press("Enter");
  const keys = await page.evaluate((discard) => {
    const all = (selector: string) => [
      ...document.querySelectorAll<HTMLElement>(`.board ${selector}`),
    ];
    const rows = all(".tq-row").flatMap((row, i) => (row.matches(".can") ? [`Digit${i + 1}`] : []));
    const towers = all(".tq-card-name").map((name) => `Digit${/\d+/.exec(name.innerText)![0]}`);
    const others = all(".tq-keep").map(({ innerText }) =>
      innerText.startsWith(discard) ? "discard" : "keep",
    );
    return [...rows, ...towers, ...others, ...all(".tq-draw").map(() => "draw")];
  }, words["web.triqueta.discard"]!);
  expect(keys).not.toEqual([]);
  const key = typist.chance.oneOf(keys);
  const isWord = !key.startsWith("Digit");
  await typist.press(isWord ? letter(`web.triqueta.keys.${key}_key`) : key);
}

/** One step of any board of Triqueta without letters and digits. */
async function triquetaByTab(typist: Typist): Promise<void> {
  if (await typist.has(".tq-ballot")) return vote(typist);
  // What asks again gets the focus.
  if (await typist.has(kCommit)) {
    await expect.poll(() => typist.isAt(kCommit)).toBe(true);
    return typist.press("Enter");
  }
  const places = [".tq-tower button", ".tq-rows button", ".tq-choice button", ".tq-bar button"];
  const able: string[] = [];
  for (const place of places) {
    const those = `${place}:enabled:not([aria-disabled=true], .tq-pick, .tq-cancel)`;
    if (await typist.has(those)) able.push(those);
  }
  expect(able).not.toEqual([]);
  const those = typist.chance.oneOf(able);
  await typist.goTo(those);
  if (await typist.isAt("li > button")) {
    if (typist.chance.is(0.5)) await typist.press("ArrowRight");
    await typist.goTo(those, "ArrowRight");
  }
  await typist.press("Enter");
}

const kTriqueta: [Language, Look, number][] = [
  ["en", large, 0],
  ["de", small, 2],
  ["fr", small, 1],
];
for (const [language, look, variant] of kTriqueta) {
  test(`Triqueta with letters, variant ${variant}, ${look.width} px: ${language}`, async ({
    person,
  }) => {
    const typist = new Typist(await person({ language, ...look }), language);
    await typist.begin([
      'input[name=game][value="triqueta"]',
      `label:nth-of-type(${variant + 1}) > input[name=variant]`,
    ]);
    await typist.page.locator(".banner.mine").waitFor();
    await typist.round();
    await typist.sheet();
    await typist.play(() => triquetaByLetters(typist));
    await expect(typist.page.locator(".standings li")).toHaveCount(variant === 2 ? 2 : 3);
  });
}

test("Triqueta by Tab, arrows and Enter, with the letters switched off", async ({ person }) => {
  const typist = new Typist(await person({ language: "en", ...small }), "en");
  const { page } = typist;
  await page.goto(`${typist.person.server.url}#settings`);
  const letters = page.getByRole("switch", { name: typist.words["web.settings.shortcuts"]! });
  await letters.waitFor();
  while (!(await letters.evaluate((each) => each === document.activeElement))) {
    await page.keyboard.press("Tab");
  }
  await page.keyboard.press("Space");
  await typist.begin(['input[name=game][value="triqueta"]', 'input[name=seats][value="5"]']);
  await page.locator(".banner.mine").waitFor();
  const before = await typist.state();
  for (const key of ["draw", "keep", "discard"]) {
    await typist.press(typist.letter(`web.triqueta.keys.${key}_key`));
  }
  await typist.press(typist.letter("web.keys.log_key"));
  expect(await typist.state()).toBe(before);
  await expect(page.locator("dialog")).toHaveCount(0);
  await typist.play(() => triquetaByTab(typist));
});

/** Types the number that stands on a place; if another one begins with it, Enter says that it is whole. */
async function placeByNumber(typist: Typist): Promise<void> {
  const { page } = typist;
  const places = await page.locator(".mh-place.can").evaluateAll((all) =>
    all.map((each) => {
      const number = each.querySelector<HTMLElement>(".mh-id, .key-hint")!;
      return number.checkVisibility() ? (number.dataset.key ?? number.innerText) : "";
    }),
  );
  if (places.length === 0) return;
  expect(places).not.toContain("");
  for (const digit of typist.chance.oneOf(places)) await typist.press(`Digit${digit}`);
  if (await typist.isAt(".board .mh-place.typed")) await typist.press("Enter");
}

/** One step of Triangle Mayhem, by digits or by Tab. A window may lapse meanwhile. */
async function mayhem(typist: Typist): Promise<void> {
  const { page } = typist;
  if (await typist.has(".board .mh-place.can")) {
    if (typist.chance.is(0.5)) return placeByNumber(typist);
    await typist.goTo(".board .mh-place.can");
    if (typist.chance.is(0.5)) await typist.press("Tab");
    return typist.enter(".board .mh-place.can");
  }
  const cards = await page
    .locator(".mh-card")
    .evaluateAll((all) => all.flatMap((each, i) => (each.matches(".can") ? [i + 1] : [])));
  const rest = ".board [data-act=end], .board [data-act=lapse]";
  const byDigit = typist.chance.is(0.5);
  if (cards.length > 0 && !((await typist.has(rest)) && typist.chance.is(0.1))) {
    return byDigit
      ? typist.press(`Digit${typist.chance.oneOf(cards)}`)
      : typist.enter(".board .mh-card.can");
  }
  return byDigit ? typist.press("Digit0") : typist.enter(rest);
}

/** One step of 21/15/9-Card Triangles. */
async function cardTriangles(typist: Typist): Promise<void> {
  const joker = ".ct:has([data-act=end]) .ct-card.can[data-at*=J]";
  if (await typist.has("dialog[open]")) {
    return typist.enter("dialog .primary, dialog .ct-way");
  }
  if (await typist.has(kCommit)) return typist.enter(kCommit);
  if (await typist.has(".board .ct-call")) return typist.press("Digit7");
  if ((await typist.has(".ct-card[data-first]")) && !(await typist.has(".ct-next"))) {
    await typist.goTo(".ct-card");
    for (let presses = typist.chance.oneOf([0, 1, 2]); presses > 0; --presses)
      await typist.press("ArrowRight");
    await typist.goTo(".ct-card.can", "ArrowRight");
    return typist.press("Enter");
  }
  if (await typist.has(joker)) {
    await typist.goTo(".ct-card");
    await typist.goTo(joker, "ArrowRight");
    return typist.press("Enter");
  }
  if (await typist.has(".ct-next")) {
    return typist.press(
      typist.chance.oneOf(["Digit8", typist.letter("web.card_triangles.keys.next_key")]),
    );
  }
  const discards = await typist.has(".ct-stack[data-at=discard]:enabled");
  return typist.press(discards && typist.chance.is(0.3) ? "Digit9" : "Digit0");
}

test("Triangle Mayhem: de", async ({ person }) => {
  const typist = new Typist(await person({ language: "de", ...small }), "de");
  await typist.begin(['input[name=game][value="mayhem"]']);
  await typist.person.turn();
  await typist.round();
  await typist.play(() => mayhem(typist));
});

test("21/15/9-Card Triangles: fr", async ({ person }) => {
  const typist = new Typist(await person({ language: "fr", ...small }), "fr");
  await typist.begin(['input[name=game][value="card_triangles"]', 'input[name=seats][value="6"]']);
  await typist.person.turn();
  await typist.round();
  await typist.sheet();
  await typist.play(() => cardTriangles(typist));
});

test("the numbers of places are those on the table, and are no keys while one talks", async ({
  person,
}) => {
  const ada = await person({ width: 1280, height: 800, still: true });
  const { page } = ada;
  const { name, room, view } = named("mayhem", "checked_more");
  // Where a card goes is asked; two triangles have numbers of two digits.
  await page.addInitScript(() => localStorage.setItem("triquetra.confirm", "always"));
  await oneTable(page, { name, room: { ...room, chat: "text" }, view });
  await page.goto(`${ada.server.url}r/${room.room}`);
  const card = page.locator(".mh-card.can").first();
  const places = page.locator(".mh-place.can");
  const hint = page.locator(".mh-asks .by-keys");
  // With a finger there is no word of keys.
  await card.click();
  await expect(places.first()).toBeVisible();
  await expect(hint).toBeHidden();
  await card.click();
  await expect(places).toHaveCount(0);
  await expect(page.locator(".mh-card .key-hint").first()).toBeHidden();
  await card.press("Enter");
  await expect(hint).toBeInViewport({ ratio: 1 });
  const number = await places.first().locator(".mh-id").innerText();
  const count = await places.count();
  await page.locator(".talk-button").press("Enter");
  await page.locator(".say input").press("Tab");
  await page.locator(".say input").focus();
  await page.keyboard.type(`0 ${number}`);
  await expect(page.locator(".say input")).toHaveValue(`0 ${number}`);
  await page.keyboard.press("Escape");
  await expect(page.locator("dialog")).toHaveCount(0);
  // Nothing was laid, and nothing taken back.
  await expect(places).toHaveCount(count);
  for (const digit of number) await page.keyboard.press(`Digit${digit}`);
  await expect(page.locator(".board")).toHaveAttribute("aria-busy", "true");
});
