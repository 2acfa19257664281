// What a screen reader's user hears: a sentence for every kind of event in each language, and a table
// of which every part has a name. The frames are those that a real server once sent.
import { readFileSync } from "node:fs";
import path from "node:path";
import { oneTable, type Fixture } from "./one_table";
import { expect, test, type Person } from "./table";

const read = (file: string) =>
  JSON.parse(readFileSync(path.resolve(import.meta.dirname, "..", file), "utf8")) as unknown;

type Game = "triqueta" | "mayhem" | "card_triangles";
type Language = "en" | "de" | "fr";

/** A table of the game, by its name in the fixtures. */
const fixtureOf = (game: Game, name: string): Fixture =>
  (read(`fixtures/${game}.json`) as Fixture[]).find((each) => each.name === name)!;

/** What shall be said, in the order of the events; of those that say nothing, nothing. */
const expected = read("fixtures/heard.json") as Record<Game, Record<Language, string[]>>;

/** The words of all kinds of events that a game's wire has. */
function kindsOf(game: Game): string[] {
  const schema = read(`../../../protocol/schema/games/${game}.json`) as {
    $defs: { event: { oneOf: { properties: { event: { const: string } } }[] } };
  };
  return schema.$defs.event.oneOf.map(({ properties }) => properties.event.const);
}

type Event = { event: string; [field: string]: unknown };
const kTriqueta: Event[] = [
  { event: "drew", seat: 1, columns: [2], backs: ["light"] },
  { event: "drew", seat: 0, columns: [0, 4], backs: ["light", "shadow"] },
  { event: "placed", seat: 1, token: 0, row: 2, animal: "bear" },
  { event: "placed", seat: 0, token: 0, row: 0, animal: "owl" },
  { event: "kept", seat: 1, token: 0 },
  { event: "kept", seat: 0, token: 0 },
  { event: "discarded", seat: 1, token: 0 },
  { event: "took", seat: 1, row: 1, animals: ["bear", "bear", "rabbit"] },
  { event: "took", seat: 0, row: 1, animals: [] },
  { event: "round_over", round: 1, rock: 1, boxed: { light: 3, shadow: 1 } },
  { event: "tower", seat: 1, round: 2, tower: 2 },
  { event: "answered", seat: 1 },
  { event: "revealed", seat: 1, light: ["ram"], shadow: ["wolf", "wolf"], boxed: 1 },
  { event: "over", totals: [3, 9], winners: [1] },
];

const card = (cut: string, number: number, color: string) => ({ cut, number, color });
const joker = (cut: string, color: string) => ({ cut, color });
const kPure = [1, 2, 3].map((number) => card("centered", number, "red"));
const kMixed = [
  card("vertical", 1, "pink"),
  card("vertical", 2, "red"),
  card("vertical", 3, "green"),
];

const play = { event: "play", fast: false, triangle: 4 };
const kMayhem: Event[] = [
  { ...play, seat: 1, how: "start", card: card("vertical", 2, "red") },
  { ...play, seat: 0, how: "extend", card: card("horizontal", 1, "pink") },
  { ...play, seat: 2, how: "complete", card: card("centered", 3, "green"), fast: true },
  { ...play, seat: 0, how: "complete", card: card("vertical", 3, "green") },
  { event: "triangle", seat: 1, triangle: 4, cards: kPure, pure: true, points: 6 },
  { event: "triangle", seat: 0, triangle: 4, cards: kMixed, pure: false, points: 3 },
  // Where claims are not checked, what a triangle is worth is told at the end.
  { event: "triangle", seat: 2, triangle: 4, cards: kMixed },
  { event: "end", seat: 1 },
  { event: "draw", seat: 1, count: 1 },
  { event: "draw", seat: 0, count: 3 },
  { event: "skip", seat: 2 },
  { event: "skip", seat: 0 },
  // Whose turn it is, and that I may play fast, stands in what is asked.
  { event: "turn", seat: 0 },
  { event: "window_open", seat: 0, cards: 3 },
  { event: "window_open", seat: 1, cards: 1 },
  { event: "window_close", seat: 1, reason: "move" },
  { event: "window_close", seat: 0, reason: "lapse" },
  { event: "over", scores: [3, 6, 6], winners: [1, 2] },
  { event: "over", scores: [9, 6, 3], winners: [0] },
];

const kCardTriangles: Event[] = [
  { event: "drew", seat: 1, from: "pile" },
  { event: "drew", seat: 0, from: "pile" },
  { event: "drew", seat: 1, from: "discard", card: card("vertical", 2, "red") },
  { event: "discarded", seat: 0, card: card("horizontal", 3, "green") },
  { event: "discarded", seat: 1, card: joker("centered", "pink") },
  {
    event: "completed",
    seat: 1,
    pieces: kMixed.map((each) => ({ card: each, from: "hand" })),
    pure: false,
    saved: [kMixed[0]],
    discarded: kMixed.slice(1),
  },
  {
    event: "completed",
    seat: 0,
    pieces: kPure.map((each) => ({ card: each, from: "hand" })),
    pure: true,
    saved: kPure,
    discarded: [],
  },
  { event: "joker", seat: 1, card: joker("vertical", "green") },
  { event: "stole", seat: 1, victim: 0, card: card("vertical", 3, "red") },
  { event: "joker", seat: 0, card: joker("horizontal", "red") },
  { event: "stole", seat: 0, victim: 2, card: card("horizontal", 1, "green") },
  { event: "joker", seat: 1, card: joker("centered", "pink") },
  { event: "stole", seat: 1, victim: 2, card: card("centered", 1, "pink") },
  // The next one's first act says that a turn has ended.
  { event: "ended", seat: 1 },
  { event: "turn", seat: 0 },
  { event: "last_round", seat: 1 },
  { event: "last_round", seat: 0 },
  { event: "last_round_over", seat: 1 },
  { event: "dead_end", seat: 1, hand: [card("vertical", 1, "red")], saved: [] },
  { event: "dead_end", seat: 0, hand: kMixed.slice(1), saved: [card("centered", 2, "pink")] },
  { event: "reshuffled", count: 1 },
  { event: "reshuffled", count: 12 },
  { event: "over", winners: [1], reason: "played_out" },
  { event: "over", winners: [0], reason: "last_standing" },
  { event: "over", winners: [], reason: "all_out" },
  { event: "over", winners: [], reason: "idle" },
];

const kSilent = ["end", "turn", "window_close", "ended"];
const isSilent = (event: Event) =>
  kSilent.includes(event.event) || (event.event === "window_open" && event.seat === 0);

/** By game: a table that asks me nothing, one in the middle of a game, and what happens. */
const kGames: [Game, waiting: string, middle: string, Event[]][] = [
  ["triqueta", "wolves_waiting", "wolves_resolve", kTriqueta],
  ["mayhem", "checked_end", "checked_more", kMayhem],
  ["card_triangles", "three_first", "three_joker", kCardTriangles],
];

async function open(person: Person, game: Game, name: string) {
  const fixture = fixtureOf(game, name);
  const say = await oneTable(person.page, fixture);
  await person.page.goto(`${person.server.url}r/${fixture.room.room}`);
  await person.page.locator(".table").waitFor();
  return { fixture, say };
}

const live = "[role=log][aria-live=polite] p";
const kNobody = { en: /^One moment/, de: /^Einen Moment/, fr: /^Un instant/ };

/** From now on, all that the live region says, in order; gives back how to read it. */
async function listen({ page }: Person): Promise<() => Promise<string[]>> {
  await page.locator("[role=log][aria-live=polite]").evaluate((region) => {
    const heard: string[] = [];
    Object.assign(window, { heard });
    const options = { childList: true };
    // Nothing is said of a text that is taken away.
    const hear = (records: MutationRecord[]) =>
      records.forEach(({ addedNodes }) =>
        addedNodes.forEach((line) => heard.push(line.textContent ?? "")),
      );
    new MutationObserver(hear).observe(region, options);
  });
  return () => page.evaluate(() => (window as unknown as { heard: string[] }).heard);
}

for (const [game, waiting, middle, events] of kGames) {
  test(`${game}: every kind of event is among those that are listened to`, () => {
    expect([...new Set(events.map(({ event }) => event))].sort()).toEqual(kindsOf(game).sort());
  });

  for (const language of ["en", "de", "fr"] as const) {
    test(`${game}: every event is said: ${language}`, async ({ person }) => {
      const ada = await person({ language });
      const { fixture, say } = await open(ada, game, waiting);
      // Nobody is asked anything: only what happens is said.
      say({ ...fixture.view, decisions: [], legal: [], happened: [] });
      await expect(ada.page.locator(live).last()).toHaveText(kNobody[language]);
      const heard = await listen(ada);
      let spoken = 0;
      for (const [i, event] of events.entries()) {
        const rev = fixture.view.rev + i + 1;
        say({ ...fixture.view, decisions: [], legal: [], rev, happened: [event] });
        await expect(ada.page.locator(".table")).toHaveAttribute("data-rev", String(rev));
        if (!isSilent(event)) ++spoken;
        await expect.poll(async () => (await heard()).length).toBe(spoken);
      }
      expect(await heard()).toEqual(expected[game][language]);
    });

    test(`${game}: every part of the table has a name: ${language}`, async ({ person }) => {
      const ada = await person({ language, width: 1280, height: 800 });
      await open(ada, game, middle);
      await expect(ada.page.locator("main")).toMatchAriaSnapshot({
        name: `${game}-${language}.yml`,
      });
    });
  }
}

test("whose turn it is is said politely, and that time runs out at once", async ({ person }) => {
  const ada = await person();
  const { fixture, say } = await open(ada, "triqueta", "base_waiting");
  const said = ada.page.locator(live).last();
  await expect(said).toHaveText("Waiting for Wilhelmina Augusta to draw or take a row");
  const turn = fixtureOf("triqueta", "base_turn").view;
  const decisions = [{ id: 900, kind: "turn", seats: [fixture.view.seat] }];
  const left_ms = [{ decision: 900, ms: 10_400 }];
  const mine = { ...turn, seat: fixture.view.seat, room: fixture.room.room };
  say({ ...mine, match: fixture.view.match, rev: fixture.view.rev + 1, decisions, left_ms });
  await expect(said).toHaveText("Your turn: Draw or take a row");
  await expect(ada.page.locator("[aria-live=assertive] p")).toContainText("10 seconds");
});

/** By game: what only I learn by a move, which is told before the question that it leads to. */
const kLearned: [Game, name: string, happened: Event[], mine: object, lines: string[]][] = [
  [
    "triqueta",
    "wolves_resolve",
    [{ event: "drew", seat: 2, columns: [0], backs: ["light"] }],
    { seat: 2, down: [], shadow: [], drawn: [{ token: 0, animal: "owl" }] },
    ["You draw from column 1: owl.", "Your turn: Where should it go?"],
  ],
  [
    "triqueta",
    "duo_two",
    [{ event: "drew", seat: 1, columns: [0, 2], backs: ["light", "shadow"] }],
    { seat: 1, down: [], shadow: ["bear", "wolf"], drawn: [{ token: 0, animal: "owl" }] },
    [
      "You draw from columns 1 and 3: owl; a shadow token, face down: wolf.",
      "Your turn: Where should it go?",
      // It is the first that I have seen.
      "A shadow token: it stays hidden in front of you and counts at the end, welcome or not. Only you know it.",
    ],
  ],
  [
    "mayhem",
    "checked_fast",
    [{ event: "draw", seat: 0, count: 2 }],
    { seat: 0, hand: [], drew: [kMixed[0], kPure[1]], fast: [kMixed[0], kPure[1]] },
    ["You draw vertical 1 pink and centered 2 red.", "Your turn: Quick, play!"],
  ],
  [
    "card_triangles",
    "three_discard",
    [{ event: "drew", seat: 2, from: "pile" }],
    { seat: 2, hand: [kMixed[0]], drawn: kMixed[0] },
    ["You draw vertical 1 pink.", "Your turn: You drew vertical 1 pink: discard one"],
  ],
];
for (const [game, name, happened, mine, lines] of kLearned) {
  test(`what I alone learn is said before what is asked: ${game}, ${name}`, async ({ person }) => {
    const ada = await person();
    const { fixture, say } = await open(ada, game, name);
    const { view } = fixture;
    // As long as my act is on its way, nothing of it is said.
    say({ ...view, decisions: [], legal: [], happened: [] });
    await expect(ada.page.locator(live).last()).toHaveText(kNobody.en);
    const heard = await listen(ada);
    say({ ...view, rev: view.rev + 1, happened, mine });
    await expect.poll(heard).toEqual(lines);
  });
}

test("whoever begins is told once that this ends another's time to play fast", async ({
  person,
}) => {
  const ada = await person({ width: 320, height: 568 });
  const { fixture, say } = await open(ada, "mayhem", "checked_start");
  const { view } = fixture;
  const banner = ada.page.locator(".banner p");
  await expect(banner).toHaveText("Your turnPlay a card");
  const { table } = view as unknown as { table: object };
  const window = { seat: 1, cards: 2 };
  const decisions = [{ id: 900, kind: "turn", seats: [view.seat] }];
  const turn = { ...view, decisions, happened: [] };
  const heard = await listen(ada);
  say({ ...turn, rev: view.rev + 1, table: { ...table, window } });
  const says = "Play a card. Until then Karl may play fast";
  await expect(banner).toHaveText(`Your turn${says}`);
  await expect(ada.page.locator(live).last()).toHaveText(`Your turn: ${says}`);
  // That time is over: what is asked is the same.
  say({ ...turn, rev: view.rev + 2 });
  await expect(banner).toHaveText("Your turnPlay a card");
  const decided = [{ id: 901, kind: "turn", seats: [view.seat] }];
  say({ ...turn, rev: view.rev + 3, decisions: decided });
  await expect.poll(heard).toEqual([`Your turn: ${says}`, "Your turn: Play a card"]);
});

test("that an act is being sent is seen and not said", async ({ person }) => {
  const ada = await person();
  await open(ada, "triqueta", "base_turn");
  const heard = await listen(ada);
  await ada.page.keyboard.press("d");
  await expect(ada.page.locator(".banner")).toContainText("Sending");
  await expect(ada.page.locator(".banner [role=status], .banner [aria-live]")).toHaveCount(0);
  expect(await heard()).toEqual([]);
});
