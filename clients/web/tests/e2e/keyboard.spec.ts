// Whole games by keyboard alone, from the first screen to the result: the letters of each language, or
// Tab, arrows and Enter only. What has the focus can always be seen, and Tab leads round and out again.
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test, type Look, type Person } from "./table";

type Language = "en" | "de" | "fr";

const catalogue = (language: Language) =>
  JSON.parse(
    readFileSync(path.resolve(import.meta.dirname, `../../../../i18n/${language}.json`), "utf8"),
  ) as Record<string, string>;

const oneOf = <T>(all: readonly T[]): T => all[Math.floor(Math.random() * all.length)]!;

/** A person without a mouse. */
class Typist {
  readonly words: Record<string, string>;

  constructor(
    readonly person: Person,
    readonly language: Language,
  ) {
    this.words = catalogue(language);
  }

  get page() {
    return this.person.page;
  }

  /** The letter of a message such as "web.triqueta.keys.draw_key", as it is typed. */
  letter = (key: string): string => this.words[key]!.toLowerCase();

  /** Presses one key; what then has the focus on the board can be seen. */
  async press(key: string): Promise<void> {
    await this.page.keyboard.press(key);
    expect(await this.page.evaluate(hiddenFocus, ".board, dialog"), key).toBe("");
  }

  has = (selector: string): Promise<boolean> =>
    this.page.evaluate((wanted) => document.querySelector(wanted) !== null, selector);

  isAt = (selector: string): Promise<boolean> =>
    this.page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector);

  /**
   * Presses `key` until the focus is on what the selector means, or that is no longer there; without
   * one, Tab in the direction that is nearer.
   */
  async goTo(selector: string, key?: string): Promise<void> {
    if (!(await this.has(selector))) return;
    key ??= (await this.page.evaluate(isBefore, selector)) ? "Shift+Tab" : "Tab";
    for (let presses = 0; !(await this.isAt(selector)); ++presses) {
      if (!(await this.has(selector))) return;
      expect(presses, `${key} does not lead to ${selector}`).toBeLessThan(90);
      await this.press(key);
    }
  }

  /** Presses Enter on what the selector means, once the focus has come to it. */
  async enter(selector: string): Promise<void> {
    await this.goTo(selector);
    if (await this.isAt(selector)) await this.press("Enter");
  }

  /** From the first screen to the table, against bots. */
  async begin(choices: string[]): Promise<void> {
    const { page } = this;
    await page.goto(this.person.server.url);
    await page.locator(".home").waitFor();
    await page.locator('.door[href$="#bots"]').waitFor();
    await this.enter('.door[href$="#bots"]');
    await page.locator("input[autocomplete=nickname]").waitFor();
    await this.goTo("input[autocomplete=nickname]");
    await page.keyboard.type("Ada");
    await page.keyboard.press("Enter");
    await page.locator(".more").waitFor();
    for (const choice of choices) {
      // Tab leads to the one of the group that is chosen, arrows to the others.
      await this.goTo(`input[name=${/name=(\w+)/.exec(choice)![1]}]`);
      await this.goTo(choice, "ArrowDown");
      await expect(page.locator(choice)).toBeChecked();
    }
    await this.enter("form .primary");
    await page.locator(".table").waitFor();
  }

  /** All that decides what can be done next, and whether anything has changed. */
  state = (): Promise<string> => this.page.evaluate(stateOf);

  /** Does step after step, each a few keys that change something, until the game is over. */
  async play(step: () => Promise<void>): Promise<void> {
    const { page } = this;
    const ready = page.locator(".table:has(.banner.mine):has(.board[aria-busy=false])");
    for (let steps = 0; ; ++steps) {
      await ready.or(page.locator(".over")).first().waitFor();
      if (await this.person.isOver.isVisible()) break;
      expect(steps).toBeLessThan(900);
      const before = await this.state();
      await step();
      await expect.poll(this.state, { intervals: [5, 10, 20], timeout: 60_000 }).not.toBe(before);
    }
    await expect(page.locator(".over h1")).toBeVisible();
    await this.round();
  }

  /** Tab comes to everything that can be reached, each in sight, and round again; and so back. */
  async round(): Promise<void> {
    const { page } = this;
    const count = await page.evaluate(numberTabStops);
    expect(count).toBeGreaterThan(3);
    for (const key of ["Tab", "Shift+Tab"]) {
      const stops: string[] = [];
      for (let presses = 0; presses < count + 3; ++presses) {
        await page.keyboard.press(key);
        expect(await page.evaluate(hiddenFocus, "body *"), `${key} ${presses}`).toBe("");
        const stop = await page.evaluate(
          () => (document.activeElement as HTMLElement).dataset.stop ?? "",
        );
        if (stop) stops.push(stop);
      }
      expect(new Set(stops).size, key).toBe(count);
      expect(stops.length, key).toBeGreaterThan(count);
    }
  }

  /** A sheet keeps Tab in, and Escape leads back to where one was. */
  async sheet(): Promise<void> {
    const { page } = this;
    await this.enter(".top-bar button:first-child");
    await page.locator("dialog[open]").waitFor();
    for (let presses = 0; presses < 20; ++presses) {
      await this.press("Tab");
      expect(await this.isAt("dialog *, body")).toBe(true);
    }
    await this.press("Escape");
    await expect(page.locator("dialog")).toHaveCount(0);
    await expect(page.locator(".top-bar button").first()).toBeFocused();
  }
}

function stateOf(): string {
  const count = (selector: string) => document.querySelectorAll(`.board ${selector}`).length;
  return [
    document.querySelector<HTMLElement>(".table")?.dataset.rev ?? "over",
    count("[data-role=commit]"),
    count(".chosen"),
    count(".mh-place.can"),
    count("dialog[open]"),
  ].join();
}

/** Whether all that the selector means stands before what has the focus. */
function isBefore(selector: string): boolean {
  const focused = document.activeElement!;
  const is = (each: Element) =>
    (focused.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
  return focused !== document.body && [...document.querySelectorAll(selector)].every(is);
}

/** What is wrong with the focus, if it is on such an element: outside the window, without an outline, covered. */
function hiddenFocus(inside: string): string {
  const focused = document.activeElement as HTMLElement;
  if (focused === document.body || !focused.closest(inside)) return "";
  const wrong = (what: string) => `${what}: ${focused.outerHTML.slice(0, 160)}`;
  if (!focused.matches(":focus-visible")) return wrong("not :focus-visible");
  // Inputs that are drawn as something else stand in their label.
  const drawn =
    focused instanceof HTMLInputElement ? (focused.closest("label") ?? focused) : focused;
  const outlined = [focused, drawn, ...drawn.querySelectorAll("*")].some(
    (each) => getComputedStyle(each).outlineStyle !== "none",
  );
  if (!outlined) return wrong("no outline");
  const { left, top, width, height } = drawn.getBoundingClientRect();
  const points = [0.2, 0.5, 0.8].flatMap((x) => [0.2, 0.5, 0.8].map((y) => [x, y] as const));
  const seen = points.filter(([x, y]) => {
    const above = document.elementFromPoint(left + width * x, top + height * y);
    return above !== null && (drawn.contains(above) || above.contains(drawn));
  });
  return seen.length === points.length ? "" : wrong(`${points.length - seen.length} of 9 covered`);
}

/** Gives each stop of Tab a number, and says how many there are. */
function numberTabStops(): number {
  const radios = new Set<string>();
  const stops = [
    ...document.querySelectorAll<HTMLElement>("button, a, input, select, summary, [tabindex]"),
  ]
    .filter((each) => each.tabIndex >= 0 && !each.matches(":disabled") && each.checkVisibility())
    .filter((each) => {
      if (!(each instanceof HTMLInputElement) || each.type !== "radio") return true;
      if (!each.checked || radios.has(each.name)) return false;
      return radios.add(each.name);
    });
  stops.forEach((each, i) => (each.dataset.stop = String(i)));
  return stops.length;
}

// A game takes as long as the machine needs for it.
test.describe.configure({ timeout: 600_000 });

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
      innerText === discard ? "discard" : "keep",
    );
    return [...rows, ...towers, ...others, ...all(".tq-draw").map(() => "draw")];
  }, words["web.triqueta.discard"]!);
  expect(keys).not.toEqual([]);
  const key = oneOf(keys);
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
  const those = oneOf(able);
  await typist.goTo(those);
  if (await typist.isAt("li > button")) {
    if (Math.random() < 0.5) await typist.press("ArrowRight");
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

/** One step of Triangle Mayhem, by digits or by Tab. A window may lapse meanwhile. */
async function mayhem(typist: Typist): Promise<void> {
  const { page } = typist;
  if (await typist.has(".board .mh-place.can")) {
    await typist.goTo(".board .mh-place.can");
    if (Math.random() < 0.5) await typist.press("Tab");
    return typist.enter(".board .mh-place.can");
  }
  const cards = await page
    .locator(".mh-card")
    .evaluateAll((all) => all.flatMap((each, i) => (each.matches(".can") ? [i + 1] : [])));
  const rest = ".board [data-act=end], .board [data-act=lapse]";
  const byDigit = Math.random() < 0.5;
  if (cards.length > 0 && !((await typist.has(rest)) && Math.random() < 0.1)) {
    return byDigit ? typist.press(`Digit${oneOf(cards)}`) : typist.enter(".board .mh-card.can");
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
  if (await typist.has(".ct-card[data-first]")) {
    await typist.goTo(".ct-card");
    for (let presses = oneOf([0, 1, 2]); presses > 0; --presses) await typist.press("ArrowRight");
    await typist.goTo(".ct-card.can", "ArrowRight");
    return typist.press("Enter");
  }
  if (await typist.has(joker)) {
    await typist.goTo(".ct-card");
    await typist.goTo(joker, "ArrowRight");
    return typist.press("Enter");
  }
  if (await typist.has(".ct-next")) {
    return typist.press(oneOf(["Digit8", typist.letter("web.card_triangles.keys.next_key")]));
  }
  const discards = await typist.has(".ct-stack[data-at=discard]:enabled");
  return typist.press(discards && Math.random() < 0.3 ? "Digit9" : "Digit0");
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
