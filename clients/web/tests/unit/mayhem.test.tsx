// The skin of Triangle Mayhem on tables that a real server sent: every legal act can be reached, and
// none that is not legal; each event has its sentence.
// @vitest-environment happy-dom
import { readFileSync } from "node:fs";
import path from "node:path";
import { render } from "preact";
import { act } from "preact/test-utils";
import { describe, expect, test } from "vitest";
import { skin } from "../../src/games/mayhem";
import { flightsOf } from "../../src/games/mayhem/flight";
import type { Action, Event, Options, View } from "../../src/games/mayhem/words";
import { kLanguages, translator, type Language, type Messages } from "../../src/i18n";
import type { RoomFrame } from "../../src/protocol/wire.gen";
import type { Settings } from "../../src/skin";
import { isSameCard } from "../../src/triangles/pieces";
import frames from "../fixtures/mayhem.json";

const root = path.resolve(import.meta.dirname, "../../../..");
const speak = (language: Language) => {
  const file = path.join(root, "i18n", `${language}.json`);
  return translator(JSON.parse(readFileSync(file, "utf8")) as Messages, language);
};
const english = speak("en");
const settings: Settings = { motion_ms: 0, confirm: "never", theme: "light", shortcuts: true };

interface Recorded {
  name: string;
  room: RoomFrame;
  view: View;
}
const recorded = frames as unknown as Recorded[];
const sceneOf = ({ room, view }: Recorded) => ({
  me: view.seat,
  seats: room.seats,
  name: (seat: number) => room.seats[seat]!.name!,
});

function shown(frame: Recorded, confirm: Settings["confirm"] = "never") {
  const host = document.createElement("div");
  document.body.append(host);
  const sent: Action[] = [];
  const show = (view: View) =>
    act(() =>
      render(
        <skin.Board
          {...sceneOf(frame)}
          view={view}
          options={frame.room.options as Options}
          legal={frame.view.legal ?? []}
          act={(action) => sent.push(action)}
          announce={() => {}}
          t={english}
          settings={{ ...settings, confirm }}
          live
        />,
        host,
      ),
    );
  show(frame.view);
  const buttons = () => [...host.querySelectorAll("button")].filter((button) => !button.disabled);
  return { host, sent, buttons, show, end: () => (render(null, host), host.remove()) };
}

for (const frame of recorded) {
  for (const confirm of ["never", "always"] as const) {
    test(`every legal act can be reached, and nothing else: ${frame.name}, ${confirm}`, () => {
      const found = new Set<string>();
      const first = shown(frame, confirm);
      const count = first.buttons().length;
      first.end();
      for (let i = 0; i < count; ++i) {
        const board = shown(frame, confirm);
        act(() => board.buttons()[i]!.click());
        // Who wants to be asked is, but not in a window, where there is no time for it.
        const inWindow = frame.view.legal?.some(({ action }) => action.do === "lapse");
        if (confirm === "always" && !inWindow) expect(board.sent).toEqual([]);
        const sure = board.host.querySelector<HTMLButtonElement>(".mh-sure [data-role=commit]");
        if (sure) act(() => sure.click());
        const more = board.sent.length > 0 ? 0 : board.buttons().length;
        for (let j = 0; j < more; ++j) act(() => board.buttons()[j]?.click());
        for (const action of board.sent) found.add(JSON.stringify(action));
        board.end();
      }
      const legal = (frame.view.legal ?? []).map(({ action }) => JSON.stringify(action));
      expect([...found].sort()).toEqual([...new Set(legal)].sort());
    });
  }
}

test("what is begun outlives the fast plays of others", () => {
  const frame = recorded.find(({ name }) => name === "unchecked_turn")!;
  const board = shown(frame);
  const places = () => board.host.querySelectorAll(".mh-place.can").length;
  act(() => board.host.querySelector<HTMLButtonElement>(".mh-card.can")!.click());
  const before = places();
  expect(before).toBeGreaterThan(1);
  board.show({ ...frame.view, rev: frame.view.rev + 1 });
  expect(places()).toBe(before);
  board.show({ ...frame.view, decisions: [] });
  expect(places()).toBe(0);
  board.end();
});

test("a card that cannot be played says why", () => {
  const fast = recorded.find(({ name }) => name === "checked_fast")!;
  const told = (frame: Recorded) => {
    const board = shown(frame);
    const card = board.host.querySelector<HTMLElement>('.mh-card[aria-disabled="true"]')!;
    act(() => card.click());
    expect(board.sent).toEqual([]);
    const text = board.host.querySelector(".mh-news p")!.textContent;
    board.end();
    return text;
  };
  // As if the first card had been kept.
  const [kept] = fast.view.mine!.hand;
  const legal = fast.view.legal!.filter(
    ({ action }) => action.do !== "play" || !isSameCard(action.card, kept!),
  );
  expect(legal.length).toBeLessThan(fast.view.legal!.length);
  expect(told({ ...fast, view: { ...fast.view, legal } })).toBe(
    "Only what you have just drawn can be played fast.",
  );
  const seats = [(fast.view.seat! + 1) % fast.room.seats.length];
  const decisions = [{ ...fast.view.decisions[0]!, kind: "turn" as const, seats }];
  const waits = { ...fast, view: { ...fast.view, legal: [], decisions } };
  expect(told(waits)).toMatch(/^Now .+ is to play\.$/);
});

test("cards just drawn have a ring as long as the window is open", () => {
  const frame = recorded.find(({ name }) => name === "checked_fast")!;
  const [window] = frame.view.decisions.filter(({ kind }) => kind === "window");
  const timed = {
    ...frame,
    view: { ...frame.view, left_ms: [{ decision: window!.id, ms: 2500 }] },
  };
  const board = shown(timed);
  const rings = [...board.host.querySelectorAll<HTMLElement>(".mh-ring")];
  expect(rings.length).toBe(board.host.querySelectorAll(".mh-card.fast").length);
  expect(rings.length).toBeGreaterThan(0);
  expect(rings[0]!.style.animationDuration).toBe("2500ms");
  board.end();
});

test("cards fly from hand to triangle, and a triangle to whoever takes it", () => {
  const scene = { me: 0, seats: [], name: () => "" };
  const events: Event[] = [
    {
      event: "play",
      seat: 0,
      triangle: 4,
      how: "complete",
      fast: false,
      card: { cut: "vertical", number: 2, color: "red" },
    },
    { event: "triangle", seat: 0, triangle: 4, cards: [], pure: false },
    { event: "draw", seat: 1, count: 1 },
  ];
  expect(flightsOf(events, scene).map(({ from, to }) => `${from} ${to}`)).toEqual([
    "hand-v2r triangle-4",
    "triangle-4 seat-0",
    "pile seat-1",
  ]);
});

const red = { cut: "centered", color: "red" } as const;
const kSentences: [Event, Record<Language, string>][] = [
  [
    {
      event: "play",
      seat: 0,
      triangle: 1,
      how: "start",
      fast: false,
      card: { cut: "vertical", number: 2, color: "red" },
    },
    {
      en: "Ada starts triangle 1 with vertical 2 red.",
      de: "Ada beginnt Dreieck 1 mit Rot 2 senkrecht.",
      fr: "Ada commence le triangle 1 avec vertical 2 rouge.",
    },
  ],
  [
    {
      event: "triangle",
      seat: 0,
      triangle: 1,
      cards: [1, 2, 3].map((number) => ({ ...red, number })),
      pure: true,
      points: 6,
    },
    {
      en: "Ada takes centered 1 red, centered 2 red and centered 3 red: 6 points, a pure triangle.",
      de: "Ada nimmt Rot 1 zur Mitte, Rot 2 zur Mitte und Rot 3 zur Mitte: 6 Punkte, ein reines Dreieck.",
      fr: "Ada prend centré 1 rouge, centré 2 rouge et centré 3 rouge : 6 points, un triangle pur.",
    },
  ],
  [
    { event: "draw", seat: 0, count: 1 },
    { en: "Ada draws a card.", de: "Ada zieht eine Karte.", fr: "Ada pioche une carte." },
  ],
  [
    { event: "skip", seat: 0 },
    {
      en: "Ada has no cards left.",
      de: "Ada hat keine Karten mehr.",
      fr: "Ada n’a plus de cartes.",
    },
  ],
  [
    { event: "window_open", seat: 0, cards: 3 },
    { en: "Ada may play fast.", de: "Ada darf schnell spielen.", fr: "Ada peut jouer vite." },
  ],
  [
    { event: "over", scores: [3, 6], winners: [1] },
    {
      en: "The game is over. The winner is Karl.",
      de: "Das Spiel ist vorbei. Es gewinnt Karl.",
      fr: "La partie est finie. Victoire : Karl.",
    },
  ],
];

describe("each event in each language", () => {
  const scene = { me: 1, seats: [], name: (seat: number) => ["Ada", "Karl"][seat]! };
  const plain = (text: string) => text.replace(/[\u202f\u00a0]/g, " ");
  for (const language of kLanguages) {
    for (const [event, sentences] of kSentences) {
      test(`${language}: ${event.event}`, () => {
        const t = speak(language);
        const { key, values } = skin.describe(event, scene, t)!;
        expect(plain(t(key, values))).toBe(plain(sentences[language]));
      });
    }
  }
});

test("the result is the server's", () => {
  for (const frame of recorded.filter(({ name }) => name.endsWith("over"))) {
    const { totals, winners } = skin.result(frame.view)!;
    expect(totals).toEqual(frame.view.table.seats.map(({ sheet }) => sheet!.points));
    expect(winners).toEqual(frame.view.table.winners);
  }
});

const press = (key: string, more: KeyboardEventInit = {}) =>
  act(() => {
    (document.activeElement as HTMLElement | null)?.blur();
    const event = { key, bubbles: true, cancelable: true, ...more };
    document.body.dispatchEvent(new KeyboardEvent("keydown", event));
  });
const digit = (each: number) => press(String(each), { code: `Digit${each}` });
const at = (name: string) => recorded.find((each) => each.name === name)!;

describe("the number of a place, once a card is chosen", () => {
  /** Triangles with these numbers, on each of `able` of which my first card may go. */
  function numbered(ids: number[], able: number[]): Recorded {
    const frame = at("unchecked_turn");
    const [triangle] = frame.view.table.triangles;
    const triangles = ids.map((id) => ({ ...triangle!, id }));
    const [card] = frame.view.mine!.hand;
    const legal = able.map((onto) => ({
      action: { do: "play" as const, card: card!, ...(onto > 0 && { onto }) },
    }));
    return {
      ...frame,
      view: { ...frame.view, table: { ...frame.view.table, triangles }, legal },
    };
  }
  const chosen = (ids: number[], able: number[]) => {
    const board = shown(numbered(ids, able));
    digit(1);
    expect(board.sent).toEqual([]);
    return board;
  };
  const sentOnto = (sent: Action[]) => sent.map((each) => (each as { onto?: number }).onto ?? 0);

  for (const [keys, ids, able, onto] of [
    [[9], [9, 12], [9, 12, 0], 9],
    [[1, 2], [9, 12], [9, 12, 0], 12],
    [[0], [9, 12], [9, 12, 0], 0],
    // Of 12 the first digit alone is no place yet, and 5 leads nowhere from there.
    [[1, 5, 2], [9, 12, 15], [9, 12], 12],
  ] as const) {
    test(`${keys.join()} among ${ids.join()}`, () => {
      const board = chosen([...ids], [...able]);
      for (const key of keys.slice(0, -1)) {
        digit(key);
        expect(board.sent).toEqual([]);
      }
      digit(keys.at(-1)!);
      expect(sentOnto(board.sent)).toEqual([onto]);
      board.end();
    });
  }

  test("a number with which another begins waits for Enter, or for the rest", () => {
    const one = chosen([2, 20], [2, 20]);
    digit(2);
    expect(one.sent).toEqual([]);
    expect(document.activeElement!.textContent).toContain("triangle 2:");
    act(() => (document.activeElement as HTMLElement).click());
    expect(sentOnto(one.sent)).toEqual([2]);
    one.end();
    // Even of one where my card does not go: who means it may not lay elsewhere.
    const other = chosen([2, 9, 20], [2, 9]);
    digit(2);
    expect(other.sent).toEqual([]);
    other.end();
  });

  test("Escape takes back what is typed, then the card; so does the same tap", () => {
    const board = chosen([9, 12, 15], [12, 15]);
    const places = () => board.host.querySelectorAll(".mh-place.can").length;
    const typed = () => board.host.querySelectorAll(".mh-place.typed").length;
    digit(1);
    expect([places(), typed()]).toEqual([2, 2]);
    press("Escape");
    expect([places(), typed()]).toEqual([2, 0]);
    press("Escape");
    expect(places()).toBe(0);
    digit(1);
    expect(places()).toBe(2);
    act(() => board.host.querySelector<HTMLElement>(".mh-card[aria-pressed=true]")!.click());
    expect(places()).toBe(0);
    digit(1);
    act(() => board.host.querySelector<HTMLElement>(".mh-cancel")!.click());
    expect(places()).toBe(0);
    expect(board.sent).toEqual([]);
    board.end();
  });

  test("the focus returns to the card whose placing is taken back", () => {
    const board = shown(numbered([9, 12], [9, 12]));
    const card = board.host.querySelector<HTMLElement>(".mh-card.can")!;
    act(() => card.focus());
    act(() => card.click());
    expect((document.activeElement as HTMLElement).dataset.role).toBe("commit");
    const event = new KeyboardEvent("keydown", { key: "Escape", bubbles: true });
    act(() => void document.activeElement!.dispatchEvent(event));
    expect(document.activeElement).toBe(card);
    board.end();
  });
});

describe("Enter, where nothing has the focus that could be pressed", () => {
  test("ends the turn that is to end", () => {
    const board = shown(at("checked_more"), "always");
    press("Enter");
    digit(0);
    expect(board.sent).toEqual([]);
    press("Enter");
    expect(board.sent).toEqual([{ do: "end" }]);
    board.end();
  });

  test("puts a card where alone it can go", () => {
    const frame = at("checked_start");
    const board = shown(frame, "always");
    digit(1);
    expect(board.host.querySelectorAll(".mh-place.can").length).toBe(1);
    press("Enter", { repeat: true });
    expect(board.sent).toEqual([]);
    press("Enter");
    expect(board.sent).toEqual([{ do: "play", card: frame.view.mine!.hand[0] }]);
    board.end();
  });

  test("decides nothing where there is a choice, but leads to it", () => {
    const board = shown(at("unchecked_turn"));
    act(() => board.host.querySelector<HTMLButtonElement>(".mh-card.can")!.click());
    press("Enter");
    expect(board.sent).toEqual([]);
    expect((document.activeElement as HTMLElement).dataset.role).toBe("commit");
    board.end();
  });
});

test("a short account leaves out the card that completes a triangle, and no other", () => {
  const card = { cut: "vertical", number: 1, color: "red" } as const;
  const play = { event: "play", card, fast: false, triangle: 4 } as const;
  const account: Event[] = [
    { ...play, seat: 1, how: "start" },
    { ...play, seat: 2, how: "extend" },
    { ...play, seat: 2, how: "complete" },
    { event: "triangle", seat: 2, triangle: 4, cards: [card] },
  ];
  const minor = account.map((event) => skin.isMinor!(event, account));
  expect(minor).toEqual([false, false, true, false]);
});
