// A person without a mouse: what has the focus can always be seen, and Tab leads round and out again.
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, type Person } from "./table";

export type Language = "en" | "de" | "fr";

const catalogue = (language: Language) =>
  JSON.parse(
    readFileSync(path.resolve(import.meta.dirname, `../../../../i18n/${language}.json`), "utf8"),
  ) as Record<string, string>;

/** Only what never comes takes that long. */
const kNeverMs = 60_000;

export class Typist {
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

  get chance() {
    return this.person.chance;
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

  /** Where the focus is, seen from what the selector means. */
  private where = (selector: string) => this.page.evaluate(placeOfFocus, selector);

  isAt = async (selector: string): Promise<boolean> => (await this.where(selector)) === "there";

  /**
   * Presses `key` until the focus is on what the selector means, or that is no longer there; without
   * one, Tab in the direction that is nearer.
   */
  async goTo(selector: string, key?: string): Promise<void> {
    let where = await this.where(selector);
    key ??= where === "behind" ? "Shift+Tab" : "Tab";
    for (let presses = 0; where !== "there" && where !== "gone"; ++presses) {
      expect(presses, `${key} does not lead to ${selector}`).toBeLessThan(90);
      await this.press(key);
      where = await this.where(selector);
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
    const next = (before: string) =>
      page.evaluate<string>(`(${changed})(${stateOf}, ${JSON.stringify(before)}, ${kNeverMs})`);
    let state = await next("");
    for (let steps = 0; state !== "over"; ++steps) {
      expect(steps).toBeLessThan(900);
      await step();
      state = await next(state);
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
      // One that scrolls is a stop of its own.
      expect(await this.isAt("dialog, dialog *, body")).toBe(true);
    }
    await this.press("Escape");
    await expect(page.locator("dialog")).toHaveCount(0);
    await expect(page.locator(".top-bar button").first()).toBeFocused();
  }
}

// ---- In the page

/** All that decides what can be done next; nothing while that is not clear. */
function stateOf(): string {
  const count = (selector: string) => document.querySelectorAll(`.board ${selector}`).length;
  if (document.querySelector(".over")) return "over";
  if (!document.querySelector(".table:has(.banner.mine) .board[aria-busy=false]")) return "";
  return [
    document.querySelector<HTMLElement>(".table")!.dataset.rev,
    count("[data-role=commit]"),
    count(".chosen"),
    count(".mh-place.can"),
    count("dialog[open]"),
  ].join();
}

/** The state, as soon as it is another one. */
function changed(state: typeof stateOf, before: string, never_ms: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`nothing has changed: ${before}`)), never_ms);
    const look = () => {
      const now = state();
      if (now === "" || now === before) return;
      watch.disconnect();
      clearTimeout(timer);
      resolve(now);
    };
    const watch = new MutationObserver(look);
    watch.observe(document, { subtree: true, childList: true, attributes: true });
    look();
  });
}

/** Where the focus is: there, behind all that the selector means, elsewhere; or that is gone. */
function placeOfFocus(selector: string): "there" | "behind" | "elsewhere" | "gone" {
  const focused = document.activeElement!;
  const wanted = [...document.querySelectorAll(selector)];
  if (wanted.length === 0) return "gone";
  if (focused.matches(selector)) return "there";
  const isBefore = (each: Element) =>
    (focused.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
  return focused !== document.body && wanted.every(isBefore) ? "behind" : "elsewhere";
}

/** What is wrong with the focus, if it is on such an element: outside the window, without an outline, covered. */
export function hiddenFocus(inside: string): string {
  const focused = document.activeElement as HTMLElement;
  if (focused === document.body || !focused.closest(inside)) return "";
  const wrong = (what: string) => `${what}: ${focused.outerHTML.slice(0, 160)}`;
  if (!focused.matches(":focus-visible")) return wrong("not :focus-visible");
  // An input that cannot be seen is drawn as the label that it stands in.
  const isSeen = Number(getComputedStyle(focused).opacity) > 0;
  const drawn = isSeen ? focused : focused.closest("label");
  if (!drawn) return wrong("cannot be seen");
  const outlined = [focused, drawn, ...drawn.querySelectorAll("*")].some(
    (each) => getComputedStyle(each).outlineStyle !== "none",
  );
  if (!outlined) return wrong("no outline");
  // What scrolls or clips it, up to the sheet that it is in.
  const frames: Element[] = [];
  for (let each = drawn.parentElement; each; each = each.parentElement) {
    if (getComputedStyle(each).overflowY !== "visible") frames.push(each);
    if (each.matches("dialog, body")) break;
  }
  const { left, top, width, height } = drawn.getBoundingClientRect();
  const covers = [0.2, 0.5, 0.8].flatMap((across) =>
    [0.2, 0.5, 0.8].flatMap((down) => {
      const [x, y] = [left + width * across, top + height * down];
      const frame = frames.find((each) => {
        const box = each.getBoundingClientRect();
        return x < box.left || x > box.right || y < box.top || y > box.bottom;
      });
      const above = frame ?? document.elementFromPoint(x, y);
      if (!frame && above && (drawn.contains(above) || above.contains(drawn))) return [];
      const what = above?.outerHTML.slice(0, 100) ?? "the edge of the window";
      return [frame ? `the edge of ${what}` : what];
    }),
  );
  if (covers.length === 0) return "";
  return wrong(`${covers.length} of 9 covered by ${[...new Set(covers)].join(", ")}`);
}

/** Leads the focus to each stop of Tab, forth and back; what is wrong with it there. */
export function hiddenStops(hidden: typeof hiddenFocus): string[] {
  const stops = [...document.querySelectorAll<HTMLElement>("[data-stop]")];
  return [...stops, ...stops.toReversed()].flatMap((each) => {
    each.focus();
    return hidden("body *") || [];
  });
}

/** Gives each stop of Tab a number, and says how many there are. */
export function numberTabStops(): number {
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
