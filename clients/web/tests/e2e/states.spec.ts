// The states of a table that seldom last long: each has its words and its behaviour. The frames are
// those that a real server once sent.
import { readFileSync } from "node:fs";
import path from "node:path";
import { faults } from "./faults";
import { oneTable, type Asked, type Fixture } from "./one_table";
import { expect, test, type Look, type Person } from "./table";

const fixtures = ["triqueta", "mayhem", "card_triangles"].flatMap((game) => {
  const file = path.resolve(import.meta.dirname, `../fixtures/${game}.json`);
  return JSON.parse(readFileSync(file, "utf8")) as Fixture[];
});
const named = (name: string) => fixtures.find((each) => each.name === name)!;

/** Opens the table of a fixture; gives back how the server goes on. */
async function open({ page, server }: Person, fixture: Fixture, refusal?: string) {
  const say = await oneTable(page, fixture, refusal ? { join: refusal } : {});
  await page.goto(`${server.url}r/${fixture.room.room}`);
  if (!refusal) await page.locator(".table, .over").first().waitFor();
  return say;
}

/** A view of the first table, changed to ask who sits at the second. */
function asks({ view, room }: Fixture, turn: Fixture, left_ms?: number): object {
  const decisions = [{ id: 900, kind: "turn", seats: [view.seat] }];
  const left = left_ms === undefined ? {} : { left_ms: [{ decision: 900, ms: left_ms }] };
  const { match } = room;
  const mine = { room: room.room, match, seat: view.seat, rev: view.rev + 1 };
  return { ...turn.view, ...mine, decisions, ...left };
}

const kSmall: Look = { width: 320, height: 568 };
/** Words that are longer by two fifths have to fit in the usual size only. */
const kTexts = [
  ["en", "larger"],
  ["de", "larger"],
  ["fr", "larger"],
  ["qps", "normal"],
] as const;
for (const [language, text] of kTexts) {
  test(`the top of the table is whole: ${language}, ${text} text`, async ({ person }) => {
    const ada = await person({ ...kSmall, language });
    await ada.page.addInitScript((size) => localStorage.setItem("triquetra.text", size), text);
    const asked = ["wolves_turn", "unchecked_fast", "three_guest"];
    for (const name of [...asked, "base_waiting", "base_answered", "unchecked_watch"]) {
      await open(ada, named(name));
      const cut = await ada.page.evaluate(() => {
        const inside = (inner: Element, outer: Element) => {
          const text = document.createRange();
          text.selectNodeContents(inner);
          const [a, b] = [text.getBoundingClientRect(), outer.getBoundingClientRect()];
          return a.top >= b.top - 1 && a.bottom <= b.bottom + 1 && a.right <= b.right + 1;
        };
        const find = (selector: string) => document.querySelector(selector)!;
        return [
          [".top-status", ".top-bar"],
          [".banner p", ".banner"],
        ].flatMap(([inner, outer]) => (inside(find(inner!), find(outer!)) ? [] : [inner]));
      });
      expect.soft(cut, name).toEqual([]);
      const wide = await ada.page.evaluate(() => document.documentElement.scrollWidth);
      expect.soft(wide, name).toBe(320);
    }
  });
}

test("a turn is called out on every screen, and leads back", async ({ person }) => {
  const ada = await person(kSmall);
  const { page } = ada;
  const waiting = named("base_waiting");
  const say = await open(ada, waiting);
  await expect(page).toHaveTitle("Triqueta");
  await page.locator(".top-bar button").first().click();
  await page.locator(".menu button", { hasText: "Rules" }).click();
  await page.locator("dialog a[href*=rules]").click();
  await page.locator(".screen").waitFor();
  await expect(page).toHaveTitle("Triqueta: rules – Triquetra");
  await expect(page.locator(".screen h1")).toBeFocused();
  await expect(page.locator(".link-bar")).toHaveCount(0);
  say(asks(waiting, named("base_turn")));
  await expect(page.locator(".link-bar.turn")).toContainText("Your turn");
  await expect(page).toHaveTitle("● Your turn – Triqueta");
  await expect(page.locator("link[rel=icon]")).toHaveAttribute("href", /icon-turn\.svg$/);
  expect(await faults(page)).toEqual([]);
  await page.locator(".link-bar button").click();
  await expect(page.locator(".banner.mine")).toBeVisible();
});

for (const language of ["en", "de", "fr"] as const) {
  test(`who is waited for and not there: ${language}`, async ({ person }) => {
    const ada = await person({ ...kSmall, language });
    const { page } = ada;
    await page.clock.install();
    const { name, room, view } = named("base_waiting");
    const asked = (view.decisions as { seats: number[] }[])[0]!.seats[0];
    const say = await open(ada, { name, room, view });
    const seats = (room.seats as { seat: number }[]).map((each) =>
      each.seat === asked ? { ...each, presence: "away" } : each,
    );
    say({ ...room, seats });
    await expect(page.locator(".chip").nth(asked!).locator(".chip-state svg")).toHaveCount(1);
    await page.clock.fastForward(5000);
    await expect(page.locator(".notice")).toHaveCount(0);
    // One leap: no answer of the server can be missed on the way.
    await page.clock.fastForward(58_000);
    const notice = page.locator(".notice");
    await expect(notice.locator("button").first()).toBeVisible();
    expect(await faults(page)).toEqual([]);
    const { height } = (await notice.boundingBox())!;
    expect(height).toBeLessThan(150);
    say(room);
    await expect(notice).toHaveCount(0);
  });
}

test("the last seconds have a number and a bar, and are told at once", async ({ person }) => {
  const ada = await person({ ...kSmall, dark: true });
  const { page } = ada;
  const waiting = named("base_waiting");
  const say = await open(ada, waiting);
  say(asks(waiting, named("base_turn"), 9000));
  await expect(page.locator(".time.low")).toContainText(/\d\ss/);
  await expect(page.locator(".time-bar")).toBeAttached();
  await expect(page.locator("[aria-live=assertive]")).toContainText(/\d seconds? left/);
  expect(await faults(page)).toEqual([]);
});

test("a tap beside everything takes back what was begun", async ({ person }) => {
  const ada = await person(kSmall);
  const { page } = ada;
  await open(ada, named("base_turn"));
  const commit = page.locator("[data-role=commit]");
  const take = page.locator("[data-at=row-0], [data-at=row0], .tq-row").first();
  await take.click();
  await expect(commit).toBeVisible();
  await page.locator(".top-status").click();
  await expect(commit).toHaveCount(0);
  await take.click();
  await expect(commit).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(commit).toHaveCount(0);
});

test("an act without an answer is shown as busy, and nothing else can be pressed", async ({
  person,
}) => {
  const ada = await person({ ...kSmall, language: "de" });
  const { page } = ada;
  await open(ada, named("base_turn"));
  await page.locator("[data-act=draw]:enabled").first().click();
  await expect(page.locator(".board.sending")).toHaveAttribute("aria-busy", "true");
  await expect(page.locator(".banner p")).toContainText("Wird gesendet");
  await expect(page.locator("[data-act]:enabled")).toHaveCount(0);
  expect(await faults(page)).toEqual([]);
});

const isEnd = ({ action }: { action: unknown }) =>
  (action as { last_round?: boolean }).last_round === false;

/** Draws; then the turn is at its end, with what is left to do there. What the page has sent since is in `acts`. */
async function drawToTheEnd(ada: Person, confirm: string, calls = false) {
  const { page, server } = ada;
  await page.addInitScript((set) => localStorage.setItem("triquetra.confirm", set), confirm);
  const turn = named("two_turn");
  const { view } = named("two_call");
  const last = {
    ...view,
    match: turn.view.match,
    legal: view.legal!.filter((each) => calls || isEnd(each)),
  };
  const acts: Asked[] = [];
  const say = await oneTable(page, turn, {}, acts);
  await page.goto(`${server.url}r/${turn.room.room}`);
  await page.locator("[data-at=pile]").click();
  if (confirm === "always") await page.locator("[data-role=commit]").click();
  await expect.poll(() => acts.length).toBe(1);
  say({ type: "ok", re: acts.pop()!.id, rev: last.rev });
  say(last);
  await expect(page.locator(".table")).toHaveAttribute("data-rev", String(last.rev));
  return { acts, say, last, end: page.locator("[data-act=end]") };
}

test("a turn in which nothing is left to do ends by itself, once", async ({ person }) => {
  const ada = await person(kSmall);
  const { acts, last } = await drawToTheEnd(ada, "taking");
  await expect(ada.page.locator(".banner p")).toContainText("Sending");
  await expect.poll(() => acts.length).toBe(1);
  expect(acts[0]!.action).toEqual(last.legal[0]!.action);
});

test("to call the last round or not is a choice: nothing is sent", async ({ person }) => {
  const ada = await person(kSmall);
  const { acts } = await drawToTheEnd(ada, "taking", true);
  await expect(ada.page.locator(".ct-call")).toBeEnabled();
  expect(acts).toEqual([]);
});

test("who is asked before everything ends the turn by a tap, also after a change of mind", async ({
  person,
}) => {
  const ada = await person(kSmall);
  const { page } = ada;
  const { acts, end } = await drawToTheEnd(ada, "always");
  await expect(page.locator(".banner p")).toContainText("End your turn");
  expect(acts).toEqual([]);
  await page.locator(".top-bar button").first().click();
  await page.locator(".menu button", { hasText: "Settings" }).click();
  await page.locator("dialog [name=confirm][value=taking]").check();
  await page.keyboard.press("Escape");
  await expect(end).toBeEnabled();
  expect(acts).toEqual([]);
  await end.click();
  await expect.poll(() => acts.length).toBe(1);
});

test("the end of a turn that is played elsewhere is not sent from here", async ({ person }) => {
  const ada = await person(kSmall);
  const { acts, say, last, end } = await drawToTheEnd(ada, "taking", true);
  say({ ...last, rev: last.rev + 1, legal: last.legal.filter(isEnd) });
  await expect(end).toBeEnabled();
  expect(acts).toEqual([]);
});

for (const code of ["illegal", "too_late"]) {
  test(`an end of the turn that was refused is sent once: ${code}`, async ({ person }) => {
    const ada = await person(kSmall);
    const { page } = ada;
    const { acts, say, end } = await drawToTheEnd(ada, "taking");
    await expect.poll(() => acts.length).toBe(1);
    say({ type: "error", re: acts[0]!.id, code, args: {} });
    await expect(page.locator(".board")).toHaveAttribute("aria-busy", "false");
    if (code === "illegal") {
      await expect(page.locator(".refused")).toBeVisible();
      await expect(end).toBeEnabled();
    } else {
      // Another tab or device was quicker.
      await expect(page.locator(".refused")).toHaveCount(0);
      await expect(page.locator(".banner.mine")).toHaveCount(0);
    }
    expect(acts.length).toBe(1);
  });
}

test("points in advance can be switched off here alone", async ({ person }) => {
  const ada = await person();
  const { page } = ada;
  const points = page.locator(".board .tq-points");
  await open(ada, named("base_turn"));
  await expect(points.first()).toBeVisible();
  await page.evaluate(() => localStorage.setItem("triquetra.hints", "off"));
  await page.reload();
  await page.locator(".banner.mine").waitFor();
  await expect(page.locator("[data-act=draw]:enabled").first()).toBeVisible();
  await expect(points).toHaveCount(0);
});

test("what is an area of a colour is seen where colours are forced", async ({ person }) => {
  const ada = await person({ still: true });
  const { page } = ada;
  await page.emulateMedia({ forcedColors: "active", colorScheme: "dark" });
  await page.goto(`${ada.server.url}#settings`);
  await page.locator(".switch input:checked").first().waitFor();
  await page.locator(".switch input:not(:checked)").first().waitFor();
  /** Areas that have the colour of what they lie on. */
  const unseen = (what: string, part?: string) =>
    page.locator(what).evaluateAll(
      (all, pseudo) =>
        all.filter((each) => {
          const ground = pseudo ? each : each.parentElement!.closest(".banner")!;
          const own = getComputedStyle(each, pseudo).backgroundColor;
          return own === getComputedStyle(ground).backgroundColor;
        }).length,
      part,
    );
  expect(await unseen(".switch input", "::after")).toBe(0);
  await open(ada, named("base_turn"));
  await expect(page.locator(".turn-mark")).toHaveCount(1);
  expect(await unseen(".turn-mark")).toBe(0);
});

for (const still of [false, true]) {
  test(`paper rains at the end ${still ? "only with movement" : "once"}`, async ({ person }) => {
    const ada = await person({ still });
    const { page } = ada;
    const lost = named("base_over");
    const [winner] = (lost.view as unknown as { table: { winners: number[] } }).table.winners;
    const over = { ...lost, view: { ...lost.view, seat: winner! } };
    const playing = { ...over, room: { ...over.room, status: "playing" } };
    const say = await open(ada, playing);
    say(over.room);
    await page.locator(".over").waitFor();
    await expect(page.locator(".confetti")).toHaveCount(still ? 0 : 1);
    expect(await faults(page)).toEqual([]);
    // Who comes back later has seen it.
    const later = await person({ still });
    await open(later, over);
    await later.page.locator(".over").waitFor();
    await expect(later.page.locator(".confetti")).toHaveCount(0);
    // It does not rain on who has lost.
    const other = await person({ still });
    const goes_on = await open(other, { ...playing, view: lost.view });
    goes_on(lost.room);
    await other.page.locator(".over").waitFor();
    await expect(other.page.locator(".confetti")).toHaveCount(0);
  });
}

test("who share a place are seen to", async ({ person }) => {
  const ada = await person(kSmall);
  const over = named("base_over");
  const { table } = over.view as unknown as { table: { scores: object[] } };
  const totals = [9, 4, 4, 9, 1];
  const scores = table.scores.map((sheet, seat) => ({ ...sheet, total: totals[seat] }));
  const view = { ...over.view, table: { ...table, scores, winners: [0, 3] } };
  await open(ada, { ...over, view });
  const places = ada.page.locator(".standings .place");
  await expect(places.locator("[aria-hidden]")).toHaveText(["=1", "=1", "=3", "=3", "5"]);
  await expect(places.nth(2)).toContainText("Place 3, shared:");
  await expect(ada.page.locator(".tq-sheet > .note").last()).toContainText("they share the place");
  expect(await faults(ada.page)).toEqual([]);
});

/** Words of these names that begin in one line and end in another. */
function tornNames(names: string[]): string[] {
  const torn: string[] = [];
  const texts = document.createTreeWalker(document.querySelector(".over")!, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    if (!names.includes(text.nodeValue!)) continue;
    for (const { 0: word, index } of text.nodeValue!.matchAll(/[^\s-]+/g)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) torn.push(word);
    }
  }
  return torn;
}

for (const look of [kSmall, { width: 390, height: 844 }, { width: 1280, height: 800 }]) {
  test(`no name is torn in a result: ${look.width} px`, async ({ person }) => {
    const ada = await person({ ...look, language: "de" });
    for (const game of ["base_over", "unchecked_over", "six_over"]) {
      const fixture = named(game);
      const { page } = ada;
      await open(ada, fixture);
      const names = (fixture.room.seats as { name: string }[]).map(({ name }) => name);
      expect.soft(await page.evaluate(tornNames, names), game).toEqual([]);
      // Whole for those who hear it, also where it is shortened.
      for (const name of names) {
        await expect(page.locator("table"), game).toContainText(name);
      }
    }
  });
}

for (const still of [false, true]) {
  test(`what was just drawn has a ring that ${still ? "stands" : "shrinks"}`, async ({
    person,
  }) => {
    const ada = await person({ ...kSmall, still });
    await open(ada, named("unchecked_fast"));
    const ring = ada.page.locator(".mh-card.fast .mh-ring").first();
    await expect(ring).toBeVisible();
    expect(await ring.evaluate((each) => each.getAnimations().length)).toBe(still ? 0 : 1);
  });
}

/** As long as a name can be, of the widest letter, and without a place to break. */
const kLongestName = "W".repeat(24);
for (const most of ["base", "unchecked", "six"]) {
  test(`names as long as can be, at 320 px: ${most}`, async ({ person }) => {
    const ada = await person(kSmall);
    const tables = fixtures.filter((each) => each.name.startsWith(most));
    // The end comes last.
    tables.sort((a, b) => Number(a.room.status === "over") - Number(b.room.status === "over"));
    const named = tables.map<Fixture>(({ name, room, view }) => {
      const seats = (room.seats as object[]).map((seat) => ({ ...seat, name: kLongestName }));
      return { name, room: { ...room, seats }, view };
    });
    // One page for all: each table comes as its next state.
    const say = await open(ada, named[0]!);
    const { room: code, match } = named[0]!.room;
    for (const [i, { name, room, view }] of named.entries()) {
      const rev = 1000 + i;
      say({ ...room, room: code, match });
      say({ ...view, room: code, match, rev });
      await expect(ada.page.locator(`[data-rev="${rev}"], .over`)).toBeVisible();
      expect.soft(await faults(ada.page), name).toEqual([]);
      if (room.status === "over") continue;
      const height = await ada.page.evaluate(() => document.documentElement.scrollHeight);
      expect.soft(height, `${name} is higher than the window`).toBe(kSmall.height);
    }
  });
}

test("what others are called and say stays text", async ({ person }) => {
  const ada = await person();
  const { page } = ada;
  const evil = '<img src="x" onerror="document.title=1">';
  const { name, room, view } = named("base_waiting");
  const seats = (room.seats as object[]).map((seat) => ({ ...seat, name: evil }));
  const say = await open(ada, { name, room: { ...room, seats, chat: "text" }, view });
  const chips = page.locator(".chip-name");
  await expect(chips.first()).toHaveText(evil);
  say({ type: "notice", text: evil });
  const notice = page.locator(".link-bar.notice");
  await expect(notice).toContainText(evil);
  await notice.locator("button").click();
  say({ type: "said", room: room.room, seat: 1, text: evil });
  await page.getByRole("button", { name: "Talk, 1 new message" }).click();
  await expect(page.locator(".said li")).toHaveText(`${evil} ${evil}`);
  await expect(page.locator("img[src=x]")).toHaveCount(0);
  await expect(page).not.toHaveTitle("1");
});

test("the screen stays on in a game, and who looks elsewhere is called", async ({ person }) => {
  const ada = await person();
  const { page, context } = ada;
  await context.grantPermissions(["notifications"]);
  await page.addInitScript(() => {
    localStorage.setItem("triquetra.notify", "on");
    const seen = { locks: 0, calls: [] as string[] };
    Object.assign(window, { seen });
    // A browser without a screen has none to keep on.
    const request = async () => {
      ++seen.locks;
      const lock = new EventTarget();
      const release = async () => {
        --seen.locks;
        lock.dispatchEvent(new Event("release"));
      };
      return Object.assign(lock, { release });
    };
    Object.defineProperty(navigator, "wakeLock", { value: { request } });
    const Real = Notification;
    window.Notification = class extends Real {
      constructor(title: string, options?: NotificationOptions) {
        super(title, options);
        seen.calls.push(`${title}: ${options?.body}`);
      }
    };
  });
  const seen = () =>
    page.evaluate(() => (window as unknown as { seen: { locks: number; calls: string[] } }).seen);
  const waiting = named("base_waiting");
  const say = await open(ada, waiting);
  await expect.poll(async () => (await seen()).locks).toBe(1);
  await page.evaluate(() =>
    Object.defineProperty(document, "visibilityState", { get: () => "hidden" }),
  );
  say(asks(waiting, named("base_turn")));
  await expect.poll(async () => (await seen()).calls).toEqual(["Your turn: Triqueta"]);
  say({ ...waiting.room, status: "over" });
  say({ ...named("base_over").view, match: waiting.room.match, rev: waiting.view.rev + 2 });
  await expect(page.locator(".over")).toBeVisible();
  await expect.poll(async () => (await seen()).locks).toBe(0);
});

for (const [refusal, words, watch] of [
  ["no_such_room", /no table/, false],
  ["room_full", /full|taken/, true],
  ["already_started", /begun|started/, true],
] as const) {
  test(`no way in: ${refusal}`, async ({ person }) => {
    const ada = await person(kSmall);
    await open(ada, named("base_turn"), refusal);
    const said = ada.page.locator(".screen [role=alert]");
    await expect(said).toContainText(words);
    await expect(ada.page.getByRole("button", { name: "Only watch" })).toHaveCount(watch ? 1 : 0);
    await expect(ada.page.locator(".screen a.big")).toHaveText("To the first page");
    expect(await faults(ada.page)).toEqual([]);
  });
}

test("a room that was closed says why", async ({ person }) => {
  const ada = await person(kSmall);
  const { room, view } = named("base_turn");
  const say = await open(ada, { name: "", room, view });
  say({ type: "bye", code: "closed", room: room.room, why: "admin" });
  await expect(ada.page.locator("[role=alert]")).toContainText("closed by whoever runs");
  await expect(ada.page.locator(".screen a.big")).toBeVisible();
  await expect(ada.page).toHaveTitle(/Triqueta$/);
});
