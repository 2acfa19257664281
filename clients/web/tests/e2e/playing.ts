// How the tests play: in pages that press by themselves as soon as it is somebody's turn, and with a
// finger that touches what can be seen.
import type { ElementHandle } from "@playwright/test";
import { expect, type Person } from "./table";

/** In a game of the Triangles deck: the first of these that is there, the last of several. */
export const kTaps = [
  "[data-role=commit]",
  "dialog [data-act=joker]",
  ".ct-call.primary",
  ".ct:has([data-act=end]) .ct-card.can[data-at*=J]",
  ".ct-next",
  "[data-at=pile]:enabled",
  ".mh-place.can",
  ".mh-card.can",
  "[data-act=end]",
  "[data-act=lapse]",
  ".ct-card.can",
];

interface Choice {
  /** Plays simply, and to the end; without it anything that can be pressed, as `draw` says. */
  taps?: readonly string[];
  draw: number;
}

/** In the page: what is pressed next, as soon as that is possible; null once the game is over. */
function choose({ taps, draw }: Choice): Promise<HTMLElement | null> {
  const able = (selector: string) =>
    [...document.querySelectorAll<HTMLElement>(`.board ${selector}`)].filter(
      (each) => !each.matches(":disabled, [aria-disabled=true]") && each.offsetParent !== null,
    );
  const look = (): HTMLElement | null | undefined => {
    if (document.querySelector(".over")) return null;
    // An act on its way is waited for: each press sees what the one before has changed.
    const mine = document.querySelector(".table:has(.banner.mine) .board[aria-busy=false]");
    if (!mine) return undefined;
    if (taps) return taps.flatMap((each) => able(each).at(-1) ?? [])[0];
    const all = able("button");
    const confirms = all.find(({ dataset }) => dataset.role === "commit");
    return confirms ?? all[Math.floor(draw * all.length)];
  };
  return new Promise((resolve) => {
    const tell = () => {
      const found = look();
      if (found === undefined) return;
      watch.disconnect();
      resolve(found);
    };
    const watch = new MutationObserver(tell);
    watch.observe(document, { subtree: true, childList: true, attributes: true });
    tell();
  });
}

/** What a person does until the game is over. */
interface Plan {
  taps?: readonly string[];
  /** Stops after so many presses; no game takes as many as without it. */
  most?: number;
  /** Stops before the next press when one of these is on the board. */
  until?: readonly string[];
  /** Nothing may move meanwhile. */
  still?: boolean;
}
type Drawn = Omit<Plan, "most"> & { draws: number[] };

/** In the page: presses until the game is over, or what the plan says. */
async function pressOn(choosing: typeof choose, plan: Drawn): Promise<string> {
  const { taps, until, still, draws } = plan;
  for (const draw of draws) {
    const button = await choosing({ taps, draw });
    if (!button) return "over";
    const stop = until?.find((each) => document.querySelector(`.board ${each}`));
    if (stop) return stop;
    if (still && document.getAnimations().length > 0) return "moving";
    button.click();
    // Then what it has changed is drawn.
    await new Promise((resolve) => setTimeout(resolve));
  }
  return "enough";
}

/**
 * Plays as fast as the page allows, without a finger: in sight or not, covered or not. Gives back
 * "over", "enough", "moving", or which of `until` came up.
 */
export async function play({ page, chance }: Person, plan: Plan = {}): Promise<string> {
  const { most = 1000, ...rest } = plan;
  const drawn: Drawn = { ...rest, draws: chance.many(most) };
  return page.evaluate<string>(`(${pressOn})(${choose}, ${JSON.stringify(drawn)})`);
}

/** A pair of taps that is nearer and faster than this is a double tap, and counts once. */
const kDoubleTapMs = 500;
const kDoubleTapPx = 60;

/** By then a finger has met every kind of question that a game asks. */
const kMostTouches = 50;

/** Plays by touch: what is out of sight or covered cannot be pressed. */
export class Finger {
  private last = { x: 0, y: 0, at: 0 };

  constructor(private readonly person: Person) {}

  /** Touches one thing, as soon as that is possible; false once the game is over. */
  async touch(taps?: readonly string[]): Promise<boolean> {
    const { page, chance } = this.person;
    const wanted = await page.evaluateHandle(choose, { taps, draw: chance.next() });
    if (!wanted.asElement()) return false;
    // A sheet that is open is closed first. The button may be gone meanwhile.
    const handle = await wanted.evaluateHandle((each) => {
      const sheet = document.querySelector("dialog[open]");
      return sheet && !sheet.contains(each) ? sheet.querySelector("button")! : each!;
    });
    await this.tap(handle.asElement()).catch(() => {});
    return true;
  }

  /** Touches on until the game is over, the last part of a long one by `play`. */
  async play(taps?: readonly string[]): Promise<void> {
    for (let touches = 0; touches < kMostTouches; ++touches) {
      if (!(await this.touch(taps))) return;
    }
    expect(await play(this.person, { taps })).toBe("over");
  }

  private async tap(button: ElementHandle<HTMLElement>): Promise<void> {
    const { page } = this.person;
    const { x, y } = (await button.boundingBox()) ?? { x: 0, y: 0 };
    const { last } = this;
    const wait = last.at + kDoubleTapMs - Date.now();
    const near = Math.hypot(x - last.x, y - last.y) < kDoubleTapPx;
    if (near && wait > 0) await page.waitForTimeout(wait);
    // Heard before the page may find that it counts for nothing, as with what has just come there.
    const clicked = await page.evaluateHandle(() => {
      const came = new Promise((resolve) =>
        window.addEventListener("click", resolve, { capture: true, once: true }),
      );
      return { came };
    });
    await button.tap({ timeout: 5000 });
    this.last = { x, y, at: Date.now() };
    await clicked.evaluate(({ came }) => came.then(() => {}));
  }
}
